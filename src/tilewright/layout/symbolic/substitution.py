"""Layouts, int tuples and coordinates at given values of their run-time integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.conditions import Condition
from tilewright.layout.symbolic.evaluation import check_values, evaluate, holds
from tilewright.layout.symbolic.guards import GuardedLayout, guarded

if TYPE_CHECKING:
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.inttuple import IntTuple
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt, Values


@overload
def substitute(value: Layout[V], values: Values) -> Layout[V]: ...
@overload
def substitute(value: ComposedLayout[V], values: Values) -> ComposedLayout[V]: ...
@overload
def substitute(value: GuardedLayout, values: Values) -> LayoutBase: ...
@overload
def substitute(value: int | SymInt, values: Values) -> int: ...
@overload
def substitute(value: tuple[IntTuple, ...], values: Values) -> tuple[IntTuple, ...]: ...
@overload
def substitute(value: AxisSum, values: Values) -> int | AxisSum: ...
def substitute(value: Any, values: Values) -> Any:
    """`value` with its variables replaced: integers, int tuples, module elements, layouts of every kind.

    `values` maps variables, as `SymInt` or by name, to integers or to `SymInt`s; other variables stay. The guards of
    a layout are checked, and those that stay open stay beside it.

    Raises:
        LayoutError: a guard fails, an extent falls below 1, or a value is outside the facts of its variable.

    >>> from tilewright.layout.symbolic.comparison import divides
    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> n = SymInt("n")
    >>> even = GuardedLayout(Layout((n // 2, 2), (2, 1)), (divides(2, n),))
    >>> print(even, *even.guards, even.substitute({"n": 12}))
    (?,2):(2,1) n % 2 == 0 (6,2):(2,1)
    >>> even.substitute({"n": 13})
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: (?,2):(2,1) is right only where n % 2 == 0, which fails at n = 13
    """
    check_values(values)
    if isinstance(value, tuple):
        return tuple(substitute(item, values) for item in value)
    if isinstance(value, Layout):
        return Layout(substitute(value.shape, values), substitute(value.stride, values))
    if isinstance(value, GuardedLayout):
        return _under_guards(value, values)
    if isinstance(value, ComposedLayout):
        parts: Any = (value.outer, value.offset, value.inner)
        return ComposedLayout(*substitute(parts, values))
    if isinstance(value, AxisSum):
        return from_terms((axis, evaluate(term, values)) for axis, term in value.terms)
    return evaluate(value, values)


def _under_guards(value: GuardedLayout, values: Values) -> Any:
    still: list[Condition] = []
    for guard in value.guards:
        truth = holds(guard, values)
        if truth is False:
            raise LayoutError(f"{value} is right only where {guard}, which fails at {_text(values)}")
        still += [truth] if isinstance(truth, Condition) else []
    return guarded(substitute(value.layout, values), tuple(still))


def _text(values: Values) -> str:
    return ", ".join(f"{getattr(key, 'expression', key)} = {value}" for key, value in values.items())
