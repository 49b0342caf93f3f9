"""The picture of a counterexample: the elements that break a property, framed in the layouts that were asked."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.errors import UsageError, shown
from tilewright.figures.beside import Seen, Spot, captions, looked_at, side_by_side
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Scene
from tilewright.layout.witness import Counterexample


def picture(found: object, *, shape: Sequence[int] | None = None, title: str | None = None) -> Figure:
    """The layouts of which `counterexample` was asked; the elements that it names are framed, of two layouts in each.

    Args:
        found: what `counterexample(predicate, layout, ..)` gives.
        shape: (rows, columns) of the planes, instead of the layouts' own modes.
        title: instead of what the elements show.

    Raises:
        UsageError: no counterexample, or one that knows no layouts; more than 65536 elements.

    >>> from tilewright.layout.layout import Layout
    >>> from tilewright.layout.predicates import counterexample, is_injective
    >>> picture(counterexample(is_injective, Layout((4, 2), (1, 2)))).scene.title
    'the elements 2 and 4 both lie at 2'
    """
    if not isinstance(found, Counterexample):
        raise UsageError(f"cannot draw {shown(found)} of type {type(found).__name__} as a counterexample")
    if not found.layouts:
        raise UsageError("a counterexample is drawn in its layouts: take it from tw.counterexample(predicate, layout)")
    every = [looked_at(layout, shape) for layout in found.layouts]
    marked = [_spots(seen, own) for seen, own in zip(every, _each(found), strict=True)]
    panels, legend = side_by_side([(seen[0].title, seen) for seen in every], marked)
    framed = f"framed: {', '.join(map(str, found.elements))}" if found.elements else "no element shows it"
    return Figure(Scene(title or found.words, panels, legend, notes=(*captions(every), framed)))


def _each(found: Counterexample) -> list[tuple[int, ...]]:
    """The elements that it names in each layout: its own of two layouts, else the same in all."""
    if len(found.layouts) == len(found.elements) == 2:
        return [(element,) for element in found.elements]
    return [found.elements] * len(found.layouts)


def _spots(seen: Seen, elements: Sequence[int]) -> set[Spot]:
    domain = seen[0].domain
    return {divmod(at, domain.columns.count) for at, flat in enumerate(domain.flat) if flat in elements}
