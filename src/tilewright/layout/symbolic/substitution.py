"""Layouts, int tuples and coordinates at given values of their run-time integers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.base import LayoutBase
from tilewright.layout.codomain import kept
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout, sources_of, with_sources
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.conditions import Condition
from tilewright.layout.symbolic.evaluation import check_values, evaluate, holds, variables_of
from tilewright.layout.symbolic.guards import GuardedLayout, depends_on_run_time, guarded
from tilewright.layout.symbolic.polynomial import Variable
from tilewright.layout.symbolic.symint import SymInt

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Elements, IntTuple
    from tilewright.layout.layout import Source
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import Values

    Operand: TypeAlias = "LayoutBase | AxisSum | SymInt | int | tuple[Operand, ...]"


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
@overload
def substitute(value: Operand, values: Values) -> Operand: ...
def substitute(value: Operand, values: Values) -> Operand:
    """`value` with its variables replaced: integers, int tuples, module elements, layouts of every kind.

    `values` maps variables, as `SymInt` or by name, to integers or to `SymInt`s; other variables stay. The guards of
    a layout are checked, and those that stay open stay beside it. A layout also refuses what the layouts that it was
    made of refuse, where it no longer shows it; an integer that was asked of a layout knows nothing of that.

    Raises:
        LayoutError: a guard fails, an extent falls below 1, a value is outside the facts of its variable; or a name
            that a layout has not, while one that it has stays without a value.

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
    if isinstance(value, LayoutBase):
        _require_names(value, values)
    if isinstance(value, tuple):
        return tuple(substitute(item, values) for item in value)
    return _in_layout(value, values) if isinstance(value, LayoutBase) else _in_tree(value, values)


def _require_names(layout: LayoutBase, values: Values) -> None:
    """Refuses a name that the layout has not; where all that it has are given others may be meant for other layouts."""
    keys = {variable: {variable.key, SymInt.of_variable(variable)} for variable in _variables(layout)}
    unknown = next((key for key in values if not any(key in own for own in keys.values())), None)
    if unknown is not None and any(own.isdisjoint(values) for own in keys.values()):
        has = ", ".join(map(str, sorted(keys)))
        raise LayoutError(f"{layout} has no run-time integer {getattr(unknown, 'expression', unknown)}; it has {has}")


def _variables(value: object) -> Iterator[Variable]:
    """The variables of a layout: those that it shows, those of its guards, and those of what it was made of."""
    if isinstance(value, tuple):
        for item in value:
            yield from _variables(item)
    elif isinstance(value, Layout):
        yield from _variables((value.shape, value.stride, sources_of(value)))
    elif isinstance(value, ComposedLayout):
        yield from _variables((value.outer, value.offset, value.inner))
    elif isinstance(value, GuardedLayout):
        yield from _variables(value.layout)
        for guard in value.guards:
            yield from variables_of(guard)
    elif isinstance(value, AxisSum):
        yield from _variables(tuple(part for _, part in value.terms))
    elif isinstance(value, SymInt):
        yield from poly.variables(value.polynomial)


@overload
def _in_tree(tree: IntTuple, values: Values) -> IntTuple: ...
@overload
def _in_tree(tree: Elements | SymInt, values: Values) -> Elements: ...
def _in_tree(tree: Elements | SymInt, values: Values) -> Elements:
    if isinstance(tree, tuple):
        return tuple(_in_tree(item, values) for item in tree)
    if isinstance(tree, AxisSum):
        return from_terms((axis, evaluate(value, values)) for axis, value in tree.terms)
    return evaluate(tree, values)


def _in_layout(layout: LayoutBase, values: Values) -> LayoutBase:
    if isinstance(layout, GuardedLayout):
        return _under_guards(layout, values)
    return _unguarded(layout, values) if isinstance(layout, Layout | ComposedLayout) else layout


def _unguarded(layout: Layout | ComposedLayout, values: Values) -> Layout | ComposedLayout:
    if isinstance(layout, Layout):
        found = kept(Layout(_in_tree(layout.shape, values), _in_tree(layout.stride, values)), (layout,))
        told = [_source(source, values) for source in sources_of(layout)]
        return with_sources(found, tuple(source for source in told if source is not None))
    outer = _unguarded(layout.outer, values) if isinstance(layout.outer, Layout | ComposedLayout) else layout.outer
    return ComposedLayout(outer, _in_tree(layout.offset, values), _unguarded(layout.inner, values))


def _source(source: Source, values: Values) -> Source | None:
    """What is not yet known of the source."""
    found = _unguarded(source, values) if isinstance(source, Layout) else _in_tree(source, values)
    return found if isinstance(found, Layout | SymInt) and depends_on_run_time(found) else None


def _under_guards(value: GuardedLayout, values: Values) -> LayoutBase:
    still: list[Condition] = []
    for guard in value.guards:
        truth = holds(guard, values)
        if truth is False:
            raise LayoutError(f"{value} is right only where {guard}, which fails at {_text(values)}")
        still += [truth] if isinstance(truth, Condition) else []
    return guarded(_unguarded(value.layout, values), tuple(still))


def _text(values: Values) -> str:
    return ", ".join(f"{getattr(key, 'expression', key)} = {value}" for key, value in values.items())
