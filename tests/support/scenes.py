"""Any scene at all, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.scene import Arrow, Legend, Panel, Place, Ruler, Scene, Swatch

texts = st.text(max_size=12)
numbers = st.integers(-(2**62), 2**62)
maybe = st.none() | numbers
coordinates = st.recursive(numbers, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=4)
places = st.dictionaries(texts, numbers, max_size=2).map(lambda place: tuple(place.items()))
keys = st.builds(
    Key,
    st.lists(numbers, max_size=3).map(tuple),
    st.none() | coordinates,
    maybe,
    st.lists(places, max_size=2).map(tuple),
    st.lists(st.builds(Owner, maybe, maybe), max_size=2).map(tuple),
    *(maybe,) * 5,
)


@st.composite
def scenes(draw_: st.DrawFn, keyed: bool = False) -> Scene:
    def panel() -> Panel:
        rows, columns = draw_(st.integers(1, 4)), draw_(st.integers(1, 4))
        cell = st.builds(
            Cell,
            st.integers(0, rows - 1),
            st.integers(0, columns - 1),
            texts,
            st.none() | st.integers(0, 7),
            texts,
            st.booleans(),
            keys if keyed else st.just(Key()),
            texts,
        )
        return Panel(
            draw_(texts),
            Ruler(
                tuple(draw_(texts) for _ in range(rows)), draw_(texts), tuple(draw_(st.sets(st.integers(0, rows - 1))))
            ),
            Ruler(tuple(draw_(texts) for _ in range(columns)), draw_(texts)),
            tuple(draw_(st.lists(cell, max_size=5, unique_by=lambda c: (c.row, c.column)))),
            subject=draw_(texts),
        )

    panels = tuple(panel() for _ in range(draw_(st.integers(1, 2))))
    legend = Legend(draw_(texts), tuple(draw_(st.lists(st.builds(Swatch, st.integers(0, 7), texts), max_size=3))))
    arrows = (Arrow(Place(0, 0, 0), Place(len(panels) - 1, 0, 0)),)
    return Scene(draw_(texts), panels, legend, arrows, tuple(draw_(st.lists(texts, max_size=2))))
