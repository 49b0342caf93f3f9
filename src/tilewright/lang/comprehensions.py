"""Lists that are written out while the kernel is read: `[acc[i] for i in range(32)]`, and `*` before one in a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tilewright.errors import KernelError
from tilewright.lang.calls import loop_over
from tilewright.lang.expressions import as_condition
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import MAX_ITEMS, Value, show


def _list(t: Tracer, node: ast.ListComp) -> Value:
    """The values of the element for all that the loops run over, the last one fastest."""
    return tuple(_values(t, node.elt, node.generators, iter(range(MAX_ITEMS))))


def _values(t: Tracer, element: ast.expr, loops: Sequence[ast.comprehension], room: Iterator[int]) -> Iterator[Value]:
    if not loops:
        yield t.visit(element)
        return
    first, *rest = loops
    for item in _items(t, first.iter):
        if next(room, None) is None:
            raise KernelError(f"a list is made of at most {MAX_ITEMS} turns of its loops")
        with t.scopes.block():
            _bind(t, first.target, item)
            if all(_holds(t, condition) for condition in first.ifs):
                yield from _values(t, element, rest, room)


def _items(t: Tracer, node: ast.expr) -> Sequence[Value]:
    if not isinstance(node, ast.Call):
        found = t.visit(node)
        if not isinstance(found, tuple):
            raise KernelError(f"a list is made over range(..) or a tuple, got {show(found)}")
        return found
    one, *more = loop_over(t, node).ranges
    bounds = [bound for bound in one if isinstance(bound, int)]
    if more or len(bounds) < len(one):
        raise KernelError("a list is made over constant bounds; a loop, T.serial(..), takes run-time ones")
    return range(*bounds)


def _bind(t: Tracer, target: ast.expr, item: Value) -> None:
    if isinstance(target, ast.Name):
        t.scopes.bind(target.id, item)
    elif isinstance(target, ast.Tuple) and isinstance(item, tuple) and len(item) == len(target.elts):
        for part, value in zip(target.elts, item, strict=True):
            _bind(t, part, value)
    else:
        raise KernelError(f"{ast.unparse(target)} does not take {show(item)}")


def _holds(t: Tracer, node: ast.expr) -> bool:
    found = as_condition(t, t.visit(node))
    if not isinstance(found, bool):
        raise KernelError("what is in a list is known while the kernel is read; this condition is not")
    return found


COMPREHENSIONS: Handlers = {ast.ListComp: _list}
