"""Mutants of the passes that write kernels of `fly` anew as those of `T`'s stage `final`."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = "passes/fly/test_widened.py passes/fly/test_flat.py passes/fly/test_aligned.py lang/fly/test_atomics.py"


def _flat(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/fly_flat/{file}", TESTS, *edits)


MUTANTS = (
    *_flat(
        "bits.py",
        ("for start in range(0, bits, piece):", "for start in range(bits - piece, -1, -piece):"),
        ("out.constant(number * bits, kind)", "out.constant(bits, kind)"),
        ("several = after // piece", "several = 1"),
    ),
    *_flat(
        "aligned.py",
        ("return min((number & -number).bit_length() - 1, MOST) if number else MOST", "return MOST"),
        ("return min(self(loop.lb), self(loop.step))", "return self(loop.step)"),
        ("return min(self(loop.lb), self(loop.step))", "return self(loop.lb)"),
        ("return min(map(zeros, op.operands))", "return max(map(zeros, op.operands))"),
        ("return sum(map(zeros, op.operands))", "return min(map(zeros, op.operands))"),
        ("return min(map(zeros, op.operands[1:]))", "return zeros(op.operands[1])"),
        ("if by is None or by <= 0 or by & (by - 1):", "if by is None or by <= 0:"),
        ("zeros(op.operands[0]) - (by.bit_length() - 1)", "zeros(op.operands[0])"),
        ("zeros(op.operands[0]) + sign * by", "zeros(op.operands[0])"),
        ("arith.ShRUIOp: _shifted(-1)", "arith.ShRUIOp: _shifted(1)"),
    ),
    *_flat(
        "widened.py",
        ("-(1 << bits - 1), 1 << bits - 1)", "-(1 << bits), 1 << bits)"),
        ("if self._fits(twin.results[0], bits):", "if True:"),
        ("if bits is not None and self._fits(op.input, bits):", "if bits is not None:"),
        ("kind = _DIVISIONS.get(type(op), type(op))", "kind = type(op)"),
        ("if predicate_of(op).reads != UNSIGNED and", "if", "more bits of the sign keep the order of unsigned numbers"),
    ),
    *_flat(
        "carried.py",
        ("if a is b]", "if True]"),
        ("if value is block.args[i + 1] or value is op.iter_args[i]]", "]"),
        (" or value is op.iter_args[i]]", "]"),
        ("elif isinstance(op, scf.ForOp) and op.results:", "elif False:"),
        ("block.args[i + 1].replace_all_uses_with(op.iter_args[i])", "pass"),
        ("region.block.erase_arg(region.block.args[i + 1])", "pass"),
    ),
    *_flat(
        "offsets.py",
        ("out[value].numbers[places(pointer) :]", "out[value].numbers[1:]"),
        ("[_emitted(out, emitter, layout(i)) for i in range(count)]", "[_emitted(out, emitter, layout(0))] * count"),
        ("return [_known(view.layout(i)) for i in range(count)]", "return [_known(view.layout(0))] * count"),
    ),
    *_flat(
        "lanes.py",
        ("found = [at * extent + start + i for", "found = [at * extent + i for"),
    ),
    *_flat(
        "counted.py",
        ("out.constant(bits, kind), below)", "out.constant(0, kind), below)"),
        ("out.constant(width(word.type) - bits, word.type)", "out.constant(0, word.type)"),
        ("arith.SubiOp(place, out.constant(1, kind))", "arith.SubiOp(place, out.constant(0, kind))"),
        ('_asked(out, "popc", word)', '_asked(out, "clz", word)'),
    ),
)
