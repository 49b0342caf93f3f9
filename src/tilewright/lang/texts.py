"""Texts in a kernel, which are known while it is read: f-strings of constants. Sums of texts are `+`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tilewright.errors import KernelError
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import is_constant, show

# By the numbers that Python has for them: none, !s, !r, !a.
_CONVERSIONS: Mapping[int, Callable[[object], object]] = {-1: lambda value: value, 115: str, 114: repr, 97: ascii}


def _joined(t: Tracer, node: ast.JoinedStr) -> str:
    return "".join(map(str, map(t.visit, node.values)))


def _formatted(t: Tracer, node: ast.FormattedValue) -> str:
    value, spec = t.visit(node.value), "" if node.format_spec is None else str(t.visit(node.format_spec))
    if not is_constant(value):
        raise KernelError(f"an f-string joins what is known while the kernel is read, got {show(value)}")
    try:
        return format(_CONVERSIONS[node.conversion](value), spec)
    except (TypeError, ValueError) as error:
        raise KernelError(f"{show(value)} in an f-string: {error}") from None


TEXTS: Handlers = {ast.JoinedStr: _joined, ast.FormattedValue: _formatted}
