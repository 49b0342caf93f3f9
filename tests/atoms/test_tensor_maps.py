"""Arguments of tensor maps from layouts, and back; beside what the simulator copies by a tensor map."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from math import prod

import numpy as np
import pytest

import tilewright as tw
from tilewright import Layout, LayoutError, TensorMap, TensorMapArguments, UsageError
from tilewright.atoms.shared_modes import MODES
from tilewright.dtypes import dtype

TYPES = {
    "uint4": "16U4_ALIGN8B", "float4_e2m1fn": "16U4_ALIGN8B", "int8": "UINT8", "float8_e4m3fn": "UINT8",
    "uint16": "UINT16", "float16": "FLOAT16", "bfloat16": "BFLOAT16", "int32": "INT32", "uint32": "UINT32",
    "tfloat32": "TFLOAT32", "float32": "FLOAT32", "float64": "FLOAT64", "int64": "INT64", "uint64": "UINT64",
}  # fmt: skip


def made(element: str, mode: str, rank: int) -> TensorMapArguments:
    bits = dtype(element).bits
    extents = (3 * 1024 // bits, 24, 1, 6, 5)[:rank]
    strides = tuple(128 * 8 * 8 // 8 * n for n in (1, 24, 25, 150))[: rank - 1]
    return TensorMapArguments(element, extents, strides, (MODES[mode].width(bits), 8, 1, 2, 3)[:rank], mode)


@pytest.mark.parametrize("mode", MODES)
def test_layouts_say_the_arguments_and_the_arguments_the_layouts(mode: str) -> None:
    """Law: `tensor_map(x.tensor, x.tile, x.element) == x`, for every mode, type and rank."""
    for element, rank in product(TYPES, range(1, 6)):
        found = made(element, mode, rank)
        again = tw.tensor_map(found.tensor, found.tile, element)
        assert again.tensor.size == found.tensor.size
        assert (again.element, again.swizzle, again.data_type) == (
            element,
            mode,
            f"CU_TENSOR_MAP_DATA_TYPE_{TYPES[element]}",
        )
        kept = [i for i in range(rank) if found.extents[i] > 1]
        assert [(again.extents[i], again.box[i]) for i in range(len(kept))] == [
            (found.extents[i], found.box[i]) for i in kept
        ]
        assert again.strides[: len(kept) - 1] == tuple(found.strides[i - 1] for i in kept[1:])
        every = np.arange(found.tile.size)
        assert (again.tile(every) == found.tile(every)).all()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_dimensions_are_in_any_order(order: tuple[int, ...]) -> None:
    extents, strides, box = (256, 12, 7), (1, 512, 512 * 12), (64, 4, 3)
    tensor = Layout(tuple(extents[i] for i in order), tuple(strides[i] for i in order))
    steps = (1, 64, 256)
    tile = Layout(tuple(box[i] for i in order), tuple(steps[i] for i in order))
    assert tw.tensor_map(tensor, tile, "f16") == TensorMapArguments("float16", extents, (1024, 12288), box)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", [np.uint8, np.float16, np.float32, np.float64])
def test_a_tensor_map_copies_what_its_arguments_say(mode: str, kind: type[np.generic]) -> None:
    """Law: element c of a box at coordinate x is element x + c of the tensor, and is put at tile(c)."""
    width = MODES[mode].width(8 * np.dtype(kind).itemsize)
    array = np.zeros((6, 5, 4 * width), kind)
    given = TensorMap(array, (2, 3, width), mode)
    told = given.arguments
    every = np.arange(prod(told.box))
    assert (given.places() == told.tile(every)).all()
    at = (width, 1, 3)
    positions, inside = given.positions([np.array([x]) for x in at])
    box = Layout(told.box)
    wanted = [told.tensor(*(x + c for x, c in zip(at, box_at(box, i), strict=True))) for i in range(0, box.size, 7)]
    assert inside.all()
    assert positions[0][::7].tolist() == wanted


def box_at(box: Layout, i: int) -> tuple[int, ...]:
    found = tw.idx2crd(i, box.shape)
    assert isinstance(found, tuple)
    return found


ROWS = Layout((64, 256), (256, 1))
LONG, BYTES = tw.parse("Sw<3,3,3> o 0 o (8,128):(128,1)"), tw.parse("Sw<3,4,3> o 0 o (8,64):(64,1)")


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: tw.tensor_map(Layout((64, 64), (128, 2)), Layout((8, 64), (64, 1)), "f16"), LayoutError, "no stride"),
        (lambda: tw.tensor_map(ROWS, Layout((8, 64), (72, 1)), "f16"), LayoutError, "stride 72, not 64"),
        (lambda: tw.tensor_map(ROWS, Layout((8, 64), (1, 8)), "f16"), LayoutError, "not 1"),
        (lambda: tw.tensor_map(ROWS, Layout((2, 64), (32, 1)), "f16"), LayoutError, "stride 32, not 64"),
        (lambda: tw.tensor_map(ROWS, Layout((8, (64, 2)), (64, (1, 512))), "f16"), LayoutError, "has one stride"),
        (lambda: tw.tensor_map(ROWS, Layout((8, 4), (4, 1)), "f16"), LayoutError, "of 16 bytes, got 4 elements"),
        (lambda: tw.tensor_map(ROWS, LONG, "f16"), LayoutError, "has 128 at most"),
        (lambda: tw.tensor_map(ROWS, BYTES, "f16"), LayoutError, "no mode of tensor"),
        (lambda: tw.tensor_map(ROWS, tw.parse("Sw<3,3,3> o 64 o (8,64):(64,1)"), "f16"), LayoutError, "below swizzles"),
        (lambda: tw.tensor_map(Layout((64, 250), (250, 1)), Layout((8, 64), (64, 1)), "f16"), LayoutError, "got .500,"),
        (lambda: tw.tensor_map(ROWS, Layout(64), "f16"), LayoutError, "has 1, "),
        (lambda: tw.tensor_map(ROWS, Layout((64, 512), (512, 1)), "i8"), LayoutError, "1 to 256 elements"),
        (lambda: tw.tensor_map(ROWS, Layout((8, 64), (64, 1)), "e2m3"), LayoutError, "not of 6"),
        (lambda: tw.tensor_map(7, Layout(8), "f16"), UsageError, "known integers"),  # type: ignore[arg-type]  # is none
        (lambda: TensorMapArguments("float16", (64,) * 6, (128,) * 5, (8,) * 6), LayoutError, "6 extents"),
        (lambda: TensorMapArguments("float16", (1 << 33,), (), (8,)), LayoutError, "2.32 elements"),
    ],
)  # fmt: skip
def test_what_the_driver_refuses(wrong: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()
