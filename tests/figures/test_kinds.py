"""Every public object has a picture, or is refused in a sentence of our own."""

from __future__ import annotations

from contextlib import suppress
from inspect import signature
from time import process_time
from typing import Any

import pytest
from drawn import FRAGMENT, LAYOUTS, OTHERS, ROWS, SWIZZLED, TILE, figures

from tilewright.analysis.descriptor.words import descriptor
from tilewright.errors import TilewrightError, UsageError
from tilewright.figures.draw import KINDS, OWN, draw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.tirx.layout import ComposeLayout, R, S, SwizzleLayout, TileLayout, laneid, warpid

N = SymInt("n")
MOVING = {
    "shape": Layout((N, 8)),
    "stride": Layout((4, 8), (N, 1)),
    "composed shape": ComposedLayout(Swizzle(1, 0, 1), 0, Layout((N, 8))),
    "composed offset": ComposedLayout(Swizzle(1, 0, 1), N, Layout((4, 8))),
    "tile": TileLayout(S[(N, 4) : (4, 1)]),
}


@pytest.mark.parametrize("thing", [*LAYOUTS.values(), *OTHERS.values()], ids=[*LAYOUTS, *OTHERS])
def test_every_kind_of_object_is_drawn(thing: object) -> None:
    figure = draw(thing)
    assert figure.svg().startswith("<svg")
    assert figure.text()
    assert figure.json()


@pytest.mark.parametrize("name", MOVING)
def test_what_is_known_at_run_time_only_is_refused_with_its_name(name: str) -> None:
    with pytest.raises(TilewrightError, match=r"known (now|at run time only)"):
        draw(MOVING[name])


def test_many_copies_are_shortened_or_refused() -> None:
    figure = draw(TileLayout(S[(4, 4) : (4, 1)] + R[512 : 1 @ warpid]))
    assert all(len(cell.key.place) == 512 for panel in figure.scene.panels for cell in panel.cells)
    assert len(figure.svg()) < 30_000
    with pytest.raises(UsageError, match="4096 elements at 65 places each are too many"):
        draw(TileLayout(S[(64, 64) : (64, 1)] + R[65 : 1 @ warpid]))
    begun = process_time()
    with pytest.raises(UsageError, match="65536 places each"):  # before 2^23 of them are worked out
        draw(TileLayout(S[128 : 1 @ laneid] + R[65536 : 1 @ warpid]))
    assert process_time() - begun < 2


def test_a_swizzle_of_named_axes_is_refused() -> None:
    with pytest.raises(TilewrightError, match="permutes addresses on m"):
        draw(ComposeLayout(SwizzleLayout(1, 1, 1), FRAGMENT))


@pytest.mark.parametrize("access", [Layout(8), 3, "rows"])
def test_what_is_no_access_is_refused(access: object) -> None:
    for kind in ("banks", "memory"):
        with pytest.raises(TilewrightError):
            draw(TILE, kind=kind, element_bits=16, access=access)


def test_every_picture_says_what_its_cells_show() -> None:
    silent = [name for name, figure in figures().items() if not any("in each cell" in x for x in figure.scene.notes)]
    assert silent == []


def test_no_colour_is_used_that_the_legend_does_not_tell() -> None:
    for name, figure in figures().items():
        used = {cell.tone for panel in figure.scene.panels for cell in panel.cells} - {None}
        told = {swatch.tone for swatch in figure.scene.legend.swatches}
        assert used <= told, name


NONSENSE: tuple[object, ...] = (
    -1,
    0,
    2**70,
    1.5,
    True,
    "x",
    b"x",
    (),
    (0, 0),
    (-8, -64),
    (8, (4, 2)),
    (1, 2, 3),
    [[]],
    {1: 2},
    object(),
    len,
)
DRAWN: dict[str, tuple[object, dict[str, Any]]] = {  # an object of each kind, and the options that its picture needs
    "banks": (TILE, {"access": ROWS, "element_bits": 16}),
    "memory": (TILE, {"element_bits": 16}),
    "shared_tile": (TILE, {"element_bits": 16}),
    "compare": (TILE, {"to": TILE}),
    "tv": (Layout((4, 8), (8, 1)), {"tile": (4, 8)}),
    "placement": (FRAGMENT, {}),
    "swizzle": (Swizzle(2, 1, 3), {}),
    "operand": (descriptor(SWIZZLED, "f16"), {"element_bits": 16}),
} | {
    kind: (next(thing for thing in OTHERS.values() if isinstance(thing, types)), {})
    for kind, types in OWN.items()
    if kind != "operand"
}


@pytest.mark.parametrize("kind", KINDS)
def test_nonsense_in_any_option_is_a_picture_or_our_error(kind: str) -> None:
    thing, needed = DRAWN.get(kind, (TILE, {}))
    assert draw(thing, kind=kind, **needed)
    for name in [*signature(KINDS[kind]).parameters][1:]:
        for value in NONSENSE:
            with suppress(TilewrightError):
                assert draw(thing, kind=kind, **{**needed, name: value}).svg()
