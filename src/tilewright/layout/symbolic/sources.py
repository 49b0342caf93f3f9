"""What a layout was made of, where it no longer shows it.

A mode may vanish from a result, and with it what is known of a run-time integer. The operand then stays beside the
result, so that `substitute` refuses the values that the operand would have refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout, sources_of, with_sources
from tilewright.layout.symbolic.guards import GuardedLayout, depends_on_run_time
from tilewright.layout.symbolic.symint import SymInt

if TYPE_CHECKING:
    from tilewright.layout.layout import Source


def made_of(found: object, operands: tuple[object, ...]) -> object:
    """`found`, whose layouts have beside them those operands of run-time integers that they do not show."""
    return _beside(found, tuple(dict.fromkeys(_sources(operands))))


def _beside(found: object, told: tuple[Source, ...]) -> object:
    if isinstance(found, Layout):
        return with_sources(found, tuple(source for source in told if not _shows(found, source)))
    if isinstance(found, tuple):
        return tuple(_beside(part, told) for part in found)
    if isinstance(found, GuardedLayout):
        beside = _beside(found.layout, told)
        assert isinstance(beside, Layout | ComposedLayout)
        return GuardedLayout(beside, found.guards)
    return found.over_inner(lambda inner: _inner(inner, told)) if isinstance(found, ComposedLayout) else found


def _inner(inner: Layout | ComposedLayout, told: tuple[Source, ...]) -> Layout | ComposedLayout:
    beside = _beside(inner, told)
    assert isinstance(beside, Layout | ComposedLayout)
    return beside


def _sources(value: object) -> Iterator[Source]:
    """The operands that hold run-time integers, and what stands beside them."""
    if isinstance(value, tuple | list):
        for item in value:
            yield from _sources(item)
    elif isinstance(value, GuardedLayout):
        yield from _sources(value.layout)
    elif isinstance(value, Layout):
        yield from sources_of(value)
        if depends_on_run_time((value.shape, value.stride)):
            yield with_sources(value, ())
    elif isinstance(value, ComposedLayout):
        yield from _sources(value.outer)
        yield from _sources(value.offset)
        yield from _sources(value.inner)
    elif isinstance(value, SymInt):
        yield value


def _shows(found: Layout, source: Source) -> bool:
    """Would the layout be refused with all values with which the source is?"""
    extents = set(flatten(found.shape))
    if not isinstance(source, Layout):
        return source in extents
    strides = {d for d in flatten(source.stride) if depends_on_run_time(d)}
    return set(flatten(source.shape)) <= extents | {1} and strides <= set(flatten(found.stride))
