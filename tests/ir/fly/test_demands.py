"""What atoms demand of their settings: types that keep all demands are read, types that break one are not."""

from __future__ import annotations

import pytest

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly import infer
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write

ATOM = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
TILED = f"!fly.tiled_mma<{ATOM}, !fly.layout<(2,2,1):(1,2,0)>%s>"
TILE = ", !fly.tile<[*|*|2]>"


def scaled(mnk: str = "16x16x128", elements: str = "f8E4M3FN, f8E5M2", block: int = 32) -> str:
    facts = f"opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = {block}"
    return f"!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<{mnk}, ({elements}) -> f32, {facts}>>"


def mover(interval: int, amount: int) -> str:
    facts = f"pad = {interval}, {amount}, cache = 0, barrier = false, timeout = true, iwidth = 32"
    return f"!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, {facts}>, 16>"


@pytest.mark.parametrize(
    "text",
    [
        *(scaled(block=block) for block in (16, 32)),
        scaled("32x16x128", "f4E2M1FN, f4E2M1FN"),
        *(mover(*pad) for pad in ((64, 8), (1, 3), (0, 0))),
        *(TILED % tile for tile in ("", TILE)),
    ],
)
def test_what_keeps_every_demand_is_read_back(text: str) -> None:
    assert write(read(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((scaled(block=block), f"blockSize must be 16 or 32, got {block}") for block in (8, 64, 1632)),
        (scaled(elements="f16, f8E5M2"), "elemTyA must be one of .*, got 'f16'"),
        (scaled(elements="f8E5M2, f16"), "elemTyB must be one of .*, got 'f16'"),
        (scaled("32x16x128", "f4E2M1FN, f8E5M2"), "got A='f4E2M1FN', B='f8E5M2'"),
        (mover(48, 8), "padInterval must be a power of two .*, got 48"),
        (mover(0, 8), "both be zero or both non-zero"),
        (mover(64, 0), "both be zero or both non-zero"),
        (TILED % (TILE + TILE), "expected an atom, a layout and a tile, got 4 parts"),
    ],
)
def test_what_breaks_one_demand_is_refused_with_its_numbers(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read(text)


def test_a_fragment_is_asked_of_a_tiled_mma_and_a_view() -> None:
    view = "!fly.memref<f16, shared, (32,16):(16,1)>"
    given = {"operand_id": "a"}
    assert infer("mma.make_fragment", [TILED % "", view], given).startswith("!fly.memref<f16, register, ")
    for wrong in ([view, view], [TILED % "", "!fly.layout<4:1>"], [ATOM, view]):
        with pytest.raises(LayoutError):
            infer("mma.make_fragment", wrong, given)
