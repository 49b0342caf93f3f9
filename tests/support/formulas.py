"""Formulas of integers, as documents and pages write them, worked out by their tree: nothing else can be in them."""

from __future__ import annotations

import ast
import operator
from functools import cache

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitXor: operator.xor, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip


def worked(formula: str, **names: int) -> int:
    """The value of a formula with these numbers for its names.

    >>> worked("64*i + 8*((j//8) ^ i) + j%8", i=1, j=9)
    65
    """
    return _value(_tree(formula), names)


@cache
def _tree(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _value(tree: ast.expr, names: dict[str, int]) -> int:
    match tree:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
    raise ValueError(f"{ast.unparse(tree)} is no formula of integers")
