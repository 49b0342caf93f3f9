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
    ),
    *_emitter(
        "values.py",
        ('text = f"{value}LL" if ctype == WIDE else str(value)', "text = str(value)"),
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
    ),
)
