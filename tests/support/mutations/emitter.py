"""Mutants of the C emitter: expressions, types, statements, loops, ordered accesses, what is declared."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _emitter(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    numbers = "targets/test_emitter.py targets/simulator/test_arithmetic.py" if file == "values.py" else ""
    return mutants_of(f"targets/c_emitter/{file}", numbers, *edits)


MUTANTS = (
    *_emitter(
        "operations.py",
        ('first = left.text if sign == "+" and left.is_sum else left.operand', "first = left.text"),
        (
            'left.is_sum else left.operand\n    return Expr(f"{first} {sign} {right.operand}"',
            'left.is_sum else left.operand\n    return Expr(f"{first} {sign} {right.text}"',
        ),
        (
            "if left.ctype == right.ctype or (left.natural and right.natural and (left.constant or right.constant)):",
            "if True:",
        ),
        ("if predicate.reads != ON_BITS or (left.natural and right.natural):", "if True:"),
        ("    elif predicate.reads == ON_BITS:\n", "    elif predicate.reads != ON_BITS:\n"),
        (
            'if predicate.plain else f"!({{a}} {_OPPOSITES[predicate.sign]} {{b}})"',
            'if predicate.plain else f"({{a}} {predicate.sign} {{b}})"',
        ),
        ("{condition.operand} ? {yes.operand} : {no.operand}", "{condition.operand} ? {no.operand} : {yes.operand}"),
        (
            "return _cast(op, [operands[0].cast(_unsigned(operands[0].ctype))], found)",
            "return _cast(op, operands, found)",
        ),
    ),
    *_emitter(
        "values.py",
        ('text = f"{value}LL" if ctype == WIDE else str(value)', "text = str(value)"),
        ("if low < -_WIDE_MAX - 1 or high > _WIDE_MAX:", "if low < -_WIDE_MAX - 1:"),
        ("if value == -(2 ** (element.bits - 1)):", "if value < -(2 ** (element.bits - 1)):"),
        ("if copysign(1, value) < 0 else positive", "if value < 0 else positive"),
        ("_SPECIAL[ctype][isnan(value)]", "_SPECIAL[ctype][not isnan(value)]"),
        ("return self.low is not None and self.low >= 0", "return self.low is not None"),
        ('return Expr(f"({ctype}){self.operand}", ctype', 'return Expr(f"({ctype}){self.text}", ctype'),
    ),
    *_emitter(
        "statements.py",
        (
            "if op.false_region.blocks and (variables or len(op.false_region.block.ops) > 1):",
            "if op.false_region.blocks and variables:",
        ),
        (
            "        out.exprs.update(zip(carried, now, strict=True))\n",
            "        out.exprs.update(zip(carried, [out.exprs[value] for value in op.iter_args], strict=True))\n",
        ),
        ("reach = None if top is None or step is None else top + step", "reach = top"),
        ("{left.operand} < {right.operand}; {more})", "{left.operand} <= {right.operand}; {more})"),
        ('if by.text == "1" else f"{counter.text} +=', 'if by.text != "0" else f"{counter.text} +='),
        ("        out.assign(variables, _yielded(op.body.block))\n", "        pass\n"),
        (
            "    out.exprs.update(zip(op.res, variables, strict=True))\n",
            "    out.exprs.update(zip(op.res, [out.exprs[v] for v in op.iter_args], strict=True))\n",
        ),
        ("        _branch(out, op.true_region.block, variables)\n", "        out.block(op.true_region.block)\n"),
        ("if len(trips) * sum(1 for _ in op.body.walk()) <= MAX_UNROLLED:", "if True:"),
        (
            "    out.exprs.update(zip(op.res, now, strict=True))\n",
            "    out.exprs.update(zip(op.res, [out.exprs[value] for value in op.iter_args], strict=True))\n",
        ),
        ('wide = WORDS_64[element.name] if kind in ("min", "max") else', "wide ="),
        ("if kind not in ATOMIC.get(element.name, ()):", "if element.name not in ATOMIC:"),
        ('"__shfl_sync" if op.kind.data == "idx" else', '"__shfl_sync" if op.kind.data in ("idx", "xor") else'),
    ),
)
