"""Draws the pictures of the documents: `make docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.figures import Figure, draw, stack
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import R, S, TileLayout, laneid, warpid

HERE = Path(__file__).parent


def permute() -> Figure:
    """The write phase of the 4x32 transpose: lane t writes the four words from 4t on, one per instruction."""
    written, plain = TileLayout(S[(4, 32) : (1, 4)]), Layout((32, 4))
    orders = {"in order": plain, "with the XOR swizzle": ComposedLayout(Swizzle(2, 3, -2), 0, plain)}
    figures = {
        f"{name}: {cost(written, order)}": draw(written, kind="memory", element_bits=32, access=order)
        for name, order in orders.items()
    }
    return stack("A warp writes a transposed 4x32 tile to shared memory: a colour is one instruction", figures)


def cost(layout: TileLayout, access: Any) -> str:
    """What the bank model says; lane and step number the elements in the tile's own order."""
    report = bank_conflicts(layout.to_layout(), access, element_bits=32, kind="store")
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflicts"
    return f"{report.wavefronts} wavefronts, {verdict}"


def fragment() -> Figure:
    """The register tile of two warps, copied to two more."""
    layout = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
    return draw(layout, shape=(8, 16))


def swizzle() -> Figure:
    """The 128-byte swizzle: the bank of every element of an (8,64) tile of halves."""
    tile = Layout((8, 64), (64, 1))
    layouts = {"row-major": tile, "Sw<3,3,3>": ComposedLayout(Swizzle(3, 3, 3), 0, tile)}
    return stack(
        "The bank of every element of an (8,64) float16 tile in shared memory",
        {name: draw(layout, kind="banks", element_bits=16) for name, layout in layouts.items()},
    )


PICTURES = (permute, fragment, swizzle)

if __name__ == "__main__":
    for picture in PICTURES:
        print("docs:", picture().save(HERE / f"{picture.__name__}.svg", force=True).name)
