"""Mutants of the `fly` dialect: what its ops infer, and its passes."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

INFER = "ir/fly/test_infer_laws.py ir/fly/test_worked.py ir/fly/test_infer_tiled.py ir/fly/test_infer_rows.py ir/fly"
PASSES = "passes/fly/test_laws.py passes/fly/test_bounds.py passes/fly passes/test_fly_registers.py mlir/test_lit.py"


def _rule(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"ir/fly/rules/{file}", INFER, *edits)


def _pass(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/fly/{file}", PASSES, *edits)


MUTANTS: tuple[Mutant, ...] = (
    *_pass(
        "expand.py",
        ("MOST + 1))", "MOST))"),
        ("if len(places[0]) != len(places[1]):", "if False:"),
        ("if len(places[0]) > MOST:", "if len(places[0]) >= MOST:"),
        ("(n := _number(p, i, len(places[0]), rest)) >= 0", "(n := _number(p, i, len(places[0]), rest)) > 0"),
        ("if count == wanted:\n        return []", "if count >= wanted:\n        return []"),
        ("if len(inner) > 1 and product(inner[0]) == wanted:", "if len(inner) > 1:"),
        ("return call // (calls // rest)", "return call % rest"),
        ("if (m, n) in visited else c[0]", "if visited else c[0]"),
        ("if product(found) > MOST:", "if product(found) >= MOST:"),
    ),
    *_pass(
        "swizzles.py",
        ("(constant_of(mask) or 0) > 0:", "(constant_of(mask) or 0) > 1:"),
        ("(constant_of(mask) or 0) > 0:", "(constant_of(mask) or 0) != 0:"),
        (".bit_length()", ".bit_length() - 1"),
        ("for offset, moved in ((op.lhs, op.rhs), (op.rhs, op.lhs)):", "for offset, moved in ((op.lhs, op.rhs),):"),
        ("for x, mask in (masked.operands, reversed(masked.operands)):", "for x, mask in (masked.operands,):"),
        ("return _divisor(op.lhs) << shift", "return _divisor(op.lhs) << shift + 1"),
        ("return _divisor(op.lhs) * _divisor(op.rhs)", "return _divisor(op.lhs)"),
        (
            "return mask & -mask",
            "return mask",
            "a period is a power of two, of which a number and its lowest bit are multiples alike",
        ),
    ),
    *_pass(
        "register_values.py",
        ("return found.is_known and not any", "return not any"),
        ("if at is not None}", "}", "a place without an offset is that of an allocation that does not become a value"),
        ("if len(chosen) == len(found):", "if False:"),
        ("not op.is_ancestor(one)]", "True]"),
        ("self._check_untouched(op)", "pass"),
    ),
    *_pass(
        "index_casts.py",
        ("1 << width - 1)", "1 << width)"),
        ("width >= BITS or", "width > BITS or"),
        ("if count is not None) - 1", "if count is not None)"),
        ("(1, MOST) if known is None", "(1, 1) if known is None"),
        ("MOST = (1 << 31) - 1", "MOST = 1 << 31"),
    ),
    *_pass(
        "emission.py",
        ("all_of(at_least(index, 0), at_least(", "all_of(at_least("),
        ("at_least(extent, index + 1))", "at_least(extent, index))"),
        ("if extent < 1 << index.width - 1 else", "if extent < 1 << index.width else"),
    ),
    *mutants_of(
        "ir/fly/reference.py",
        "passes/fly/test_reference.py",
        ("if number % leaf.div or not -(1", "if not -(1"),
        ("-(1 << leaf.width - 1) <= number", "-(1 << leaf.width - 1) < number"),
    ),
    *_rule(
        "structure.py",
        ("return unwrapped(algebra.select(value, *indices))", "return algebra.select(value, *indices)"),
        ("in ((0, 0), (0, 1), (1, 1)):", "in ((0, 0), (0, 1)):"),
        ("return None if n == -1 else n", "return n"),
        ("if coord is not None and not isinstance(coord, tuple):", "if not isinstance(coord, tuple):"),
    ),
    *_rule(
        "coordinates.py",
        ("gcd(div_of(offset), 1 << swizzle.m)", "div_of(offset)"),
        ("    if swizzle.b == 0:\n        return offset\n", ""),
        ("place = offset + _element(coord, layout.inner)", "place = _element(coord, layout.inner)"),
        ("(*found, _digits(coord, shape[-1]))", "(*found, _digits(remainder(coord, product(shape[-1])), shape[-1]))"),
        ("moved(layout.offset, offset), kept)", "layout.offset, kept)"),
        ("count = 1 + max(", "count = max("),
        ("isinstance(value, AxisSum) and both else value", "isinstance(value, AxisSum) else value"),
        ("return items[i] if i < len(items) else 0", "return items[-1]"),
        ("or (path in parts and len(below) > 1):", "or False:"),
    ),
    *_rule(
        "making.py",
        ("tuple(1 if d == 0 else s for s, d", "tuple(s for s, d"),
        ("unwrapped(algebra.select(layout, *range(1, layout.rank)))", "algebra.select(layout, *range(1, layout.rank))"),
        ("_times(starts, first.size)", "_times(starts, 1)"),
        ("MAX_INT - len(strides) + i", "i"),
    ),
    *_rule(
        "partition.py",
        ("if stages is not None and stages < 1:", "if stages is not None and stages < 0:"),
        ("part = frag[1:] if stages is None else frag[1:4]", "part = frag[1:]"),
        ("Layout(stages, once.size)", "Layout(stages, 1)"),
        ("remainder(thread, s) if d == 1 and type(s) is int else x", "x"),
    ),
    *_rule(
        "queries.py",
        ("all_of(len(a) <= len(b), *(", "all_of(*("),
        ("return a < b", "return a <= b"),
    ),
)
