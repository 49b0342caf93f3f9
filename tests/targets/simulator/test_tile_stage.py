"""The tile ops mean what their layouts say, whatever the layouts; each pass keeps the meaning."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import BarrierError, CompileError, OutOfBoundsError, RaceError, SimulationError
from tilewright.ir.memory import layout_text, storage_elements
from tilewright.ir.text import parse_module
from tilewright.layout.axes import MEMORY
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, R, S, TileLayout

LaidOut = TileLayout | ComposeLayout


def permute_text(
    shape: tuple[int, ...],
    dst: LaidOut,
    src: LaidOut,
    *,
    sizes: tuple[int, int],
    starts: str = "",
    extents: tuple[int | str, ...] | None = None,
    scope: str = "warp",
    block: int = 32,
    grid: int = 1,
    around: str = "PERMUTE",
) -> str:
    """Moves a box of A to the same box of B; `starts` is the text of its first coordinate."""
    extents = extents or shape
    starts = starts or ", ".join("0" for _ in shape)
    to, of = (f'!tile.buffer<{_x(shape)}xi32, "{layout_text(layout)}">' for layout in (dst, src))
    region = f"!tile.region<{_x(extents)}xi32>"
    permute = f"""
      %d = tile.region %B_buf[{starts}] [{", ".join(map(str, extents))}] : {to}
      %q = tile.region %A_buf[{starts}] [{", ".join(map(str, extents))}] : {of}
      tile.permute_layout "{scope}" %d, %q : {region}, {region}"""
    return f"""
func.func @f(%A: memref<{sizes[1]}xi32>, %B: memref<{sizes[0]}xi32>) attributes {{
    tile.grid = array<i64: {grid}, 1, 1>, tile.block = array<i64: {block}, 1, 1>}} {{
  %A_buf = tile.match_buffer %A : memref<{sizes[1]}xi32> -> {of}
  %B_buf = tile.match_buffer %B : memref<{sizes[0]}xi32> -> {to}
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %w = arith.divui %tx, %c32 : index
  {around.replace("PERMUTE", permute)}
  func.return
}}
"""


def _x(extents: tuple[int | str, ...]) -> str:
    """Those that are known when it runs as `?`."""
    return "x".join("?" if isinstance(extent, str) else str(extent) for extent in extents)


def places(layout: LaidOut, coordinate: tuple[int, ...], shape: tuple[int, ...]) -> list[int]:
    found = layout.apply(*coordinate, shape=shape)
    return [place[MEMORY] for place in ([found] if isinstance(found, dict) else found)]


def moved(a: Any, b: Any, shape: tuple[int, ...], dst: LaidOut, src: LaidOut) -> Any:
    """b after the definition: every copy in dst of a coordinate holds the element of src, read before all writes."""
    values = {c: a[places(src, c, shape)[0]] for c in np.ndindex(*shape)}
    result = b.copy()
    for coordinate, value in values.items():
        for place in places(dst, coordinate, shape):
            result[place] = value
    return result


@st.composite
def layouts(draw: Any, shape: tuple[int, ...]) -> LaidOut:
    """Injective layouts: modes in any order, gaps, an offset, copies, a swizzle."""
    order = draw(st.permutations(range(len(shape))))
    strides, step = [0] * len(shape), 1
    for mode in order:
        strides[mode] = step
        step *= shape[mode] + draw(st.integers(0, 2))
    spec: Any = S[shape : tuple(strides)]
    if draw(st.booleans()):
        spec = spec + R[2:step]
        step *= 2
    if draw(st.booleans()):
        spec = spec + draw(st.integers(1, 5))
    tile = TileLayout(spec)
    return ComposeLayout(draw(st.integers(0, 2)), 1, 2, tile) if draw(st.booleans()) else tile


SHAPES = [(4, 8), (2, 3, 5), (32,), (1, 1), (5, 1, 4)]


@pytest.mark.hypothesis
@given(st.data())
def test_permute_is_the_definition(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    dst, src = data.draw(layouts(shape)), data.draw(layouts(shape))
    sizes = storage_elements(dst), storage_elements(src)
    a, b = np.arange(1, sizes[1] + 1, dtype=np.int32), np.zeros(sizes[0], np.int32)
    expected = moved(a, b, shape, dst, src)
    simulate(parse_module(permute_text(shape, dst, src, sizes=sizes)), [a, b])
    assert (b == expected).all()


@pytest.mark.hypothesis
@given(st.data())
def test_permute_in_place_is_the_definition(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    dst, src = data.draw(layouts(shape)), data.draw(layouts(shape))
    size = max(storage_elements(dst), storage_elements(src))
    a = np.arange(1, size + 1, dtype=np.int32)
    expected = moved(a, a, shape, dst, src)
    simulate(parse_module(permute_text(shape, dst, src, sizes=(size, size))), [a, a])
    assert (a == expected).all()


def test_regions_start_at_run_time_values() -> None:
    """Every warp of every block moves a row of its own; a loop moves the columns."""
    shape = (6, 4, 8)
    dst, src = TileLayout(S[shape : (32, 1, 4)]), TileLayout(S[shape])
    loop = """%first = arith.muli %bx, %c2 : index
      %row = arith.addi %first, %w : index
      scf.for %j = %c0 to %c2 step %c1 {
        %k = arith.muli %j, %c2 : index
        PERMUTE
      }"""
    text = permute_text(
        shape, dst, src, sizes=(192, 192), starts="%row, %k, 0", extents=(1, 2, 8), block=64, grid=3, around=loop
    )
    a, b = np.arange(192, dtype=np.int32), np.zeros(192, np.int32)
    simulate(parse_module(text), [a, b])
    assert (b == moved(a, b, shape, dst, src)).all()


PLAIN = TileLayout(S[4, 8])
TURNED = TileLayout(S[(4, 8) : (1, 4)])
TIDY = {"shape": (4, 8), "sizes": (32, 32)}


@pytest.mark.parametrize("scope", ["thread", "warp", "cta"])
def test_whoever_moves_a_region_together_moves_it_once(scope: str) -> None:
    """Threads or warps that repeat the same move write the same values."""
    a, b = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    simulate(parse_module(permute_text((4, 8), TURNED, PLAIN, sizes=(32, 32), scope=scope, block=64)), [a, b])
    assert (b.reshape(8, 4) == a.reshape(4, 8).T).all()


WRONG: dict[str, tuple[type[Exception], str, dict[str, Any], bool]] = {
    "in place by two warps": (RaceError, "of A_buf|of B_buf", {"block": 64}, True),
    "in place by two blocks": (RaceError, "of A_buf|of B_buf", {"grid": 2}, True),
    "two elements in one place": (
        SimulationError,
        "puts several elements in one place",
        {"dst": TileLayout(S[(4, 8) : (0, 1)])},
        False,
    ),
    "beyond the buffer": (
        OutOfBoundsError,
        r"thread \(0,0,0\) accesses coordinate 4 in dimension 0 of A_buf, which has extent 4",
        {"starts": "%c2, 0", "extents": (3, 8)},
        False,
    ),
    "before the buffer": (
        OutOfBoundsError,
        r"accesses coordinate -1 in dimension 0 of A_buf, which has extent 4",
        {"starts": "%m, 0", "extents": (2, 8), "around": "%m = arith.constant -1 : index\nPERMUTE"},
        False,
    ),
    "half a warp": (
        BarrierError,
        "does not reach an? (barrier|instruction) of its warp",
        {"around": "%h = arith.cmpi ult, %tx, %c2 : index\nscf.if %h {PERMUTE}"},
        False,
    ),
    "lanes that disagree": (
        SimulationError,
        "disagree on the region's start",
        {"starts": "%m, 0", "extents": (1, 8), "around": "%m = arith.remui %tx, %c2 : index\nPERMUTE"},
        False,
    ),
    "an extent below 0": (
        SimulationError,
        "the extent -1 of a region is negative",
        {"extents": ("%m", 8), "around": "%m = arith.constant -1 : index\nPERMUTE"},
        False,
    ),
    "warps that disagree on the extent": (
        SimulationError,
        "or not every group's",
        {"extents": ("%m", 8), "around": "%m = arith.addi %w, %c1 : index\nPERMUTE", "block": 64},
        False,
    ),
    "no whole warp": (SimulationError, "40 threads make no whole number of warps", {"block": 40}, False),
    "a scope without meaning": (SimulationError, "no whole number of clusters", {"scope": "cluster"}, False),
    "elements on lanes": (
        CompileError,
        "puts elements on laneid, which memory has not",
        {"dst": TileLayout(S[(4, 8) : ("laneid", 4)])},
        False,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_permute_may_not_do(name: str) -> None:
    error, message, change, in_place = WRONG[name]
    options: dict[str, Any] = {"dst": TURNED, "src": PLAIN, **TIDY, **change}
    a, b = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    with pytest.raises(error, match=message):
        simulate(parse_module(permute_text(**options)), [a, a if in_place else b])


def test_only_active_warps_move() -> None:
    shape = (2, 4, 8)
    some = "%h = arith.cmpi eq, %w, %c1 : index\nscf.if %h {PERMUTE}"
    layout = TileLayout(S[shape])
    text = permute_text(
        shape, layout, layout, sizes=(64, 64), starts="%w, 0, 0", extents=(1, 4, 8), block=64, around=some
    )
    a, b = np.arange(64, dtype=np.int32), np.full(64, -1, np.int32)
    simulate(parse_module(text), [a, b])
    assert (b == np.where(np.arange(64) < 32, -1, a)).all()


TILE = '!tile.buffer<2x4x8xi32, "shared", "S[(2,4,8):(32,8,1)]">'
TURNED_TILE = '!tile.buffer<2x4x8xi32, "shared", "S[(2,4,8):(32,1,4)]">'
OWN_TILES = f"""
func.func @f(%A: memref<192xi32>, %B: memref<192xi32>) attributes {{
    tile.grid = array<i64: 3, 1, 1>, tile.block = array<i64: 64, 1, 1>}} {{
  %tile = tile.alloc_buffer : {TILE}
  %turned = tile.alloc_buffer : {TURNED_TILE}
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c7 = arith.constant 7 : index
  %w = arith.divui %tx, %c32 : index
  %lane = arith.remui %tx, %c32 : index
  %i = arith.divui %lane, %c8 : index
  %j = arith.remui %lane, %c8 : index
  %k = arith.xori %j, %c7 : index
  %first = arith.muli %bx, %c64 : index
  %at = arith.addi %first, %tx : index
  %a = memref.load %A[%at] : memref<192xi32>
  tile.store %a, %tile[%w, %i, %j] : i32, {TILE}
  tile.store %a, %turned[%w, %i, %j] : i32, {TURNED_TILE}
  tile.sync "warp"
  %old = tile.load %turned[%w, %i, %k] : {TURNED_TILE} -> i32
  %d = tile.region %turned[%w, 0, 0] [1, 4, 8] : {TURNED_TILE}
  %q = tile.region %tile[%w, 0, 0] [1, 4, 8] : {TILE}
  tile.permute_layout "warp" %d, %q : !tile.region<1x4x8xi32>, !tile.region<1x4x8xi32>
  %new = tile.load %turned[%w, %i, %k] : {TURNED_TILE} -> i32
  %sum = arith.addi %old, %new : i32
  memref.store %sum, %B[%at] : memref<192xi32>
  func.return
}}
"""


def test_each_warp_of_each_block_moves_a_tile_of_its_own() -> None:
    """What lanes did before a primitive comes before its writes, and what they do after it comes after them."""
    a, b = np.arange(192, dtype=np.int32), np.zeros(192, np.int32)
    simulate(parse_module(OWN_TILES), [a, b])
    assert (b == 2 * a.reshape(-1, 8)[:, ::-1].reshape(-1)).all()


ELEMENTS = """
func.func @f(%A: memref<64xf32>) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
  %buf = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<8x8xf32, "{layout}">
  %tile = tile.alloc_buffer : !tile.buffer<4x8xf32, "shared", "S[(4,8):(8,1)]">
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c8 = arith.constant {eight} : index
  %i = arith.divui %tx, %c8 : index
  %j = arith.remui %tx, %c8 : index
  %v = tile.load %buf[%i, %j] : !tile.buffer<8x8xf32, "{layout}"> -> f32
  tile.store %v, %tile[%i, %j] : f32, !tile.buffer<4x8xf32, "shared", "S[(4,8):(8,1)]">
  %w = tile.load %tile[%i, %j] : !tile.buffer<4x8xf32, "shared", "S[(4,8):(8,1)]"> -> f32
  %c4 = arith.constant 4 : index
  %k = arith.addi %i, %c4 : index
  tile.store %w, %buf[%k, %j] : f32, !tile.buffer<8x8xf32, "{layout}">
  func.return
}}
"""


@pytest.mark.parametrize("layout", ["S[(8,8):(8,1)]", "S[(8,8):(1,8)]"])
def test_elements_lie_where_the_layout_says(layout: str) -> None:
    """The first four rows are copied to the last four."""
    a = np.arange(64, dtype=np.float32)
    simulate(parse_module(ELEMENTS.format(layout=layout, eight=8)), [a])
    rows = a.reshape(8, 8) if layout.endswith("(8,1)]") else a.reshape(8, 8).T
    assert (rows[4:] == rows[:4]).all()


def test_a_coordinate_outside_the_buffer_is_found_though_its_offset_lies_inside() -> None:
    message = r"thread \(8,0,0\) (reads|writes) coordinate 8 in dimension 1 of buf, which has extent 8"
    with pytest.raises(OutOfBoundsError, match=message):
        simulate(parse_module(ELEMENTS.format(layout="S[(8,8):(1,8)]", eight=9)), [np.zeros(64, np.float32)])


@pytest.mark.parametrize(
    ("layout", "at"), [("S[(8, 8):(1, 8)]", "[7, 0]"), ("S[(8, 8):(8, 1)]", "[0, 7]"), ("S[(8, 8):(0, 1)]", "")]
)
def test_a_race_names_the_coordinate_where_one_alone_has_the_element(layout: str, at: str) -> None:
    """Element 7 of a tile of columns, of rows, and of one whose rows are the same."""
    kind, place = f'!tile.buffer<8x8xi32, "shared", "{layout}">', "%c7, %c0" if at == "[7, 0]" else "%c0, %c7"
    text = f"""func.func @f() attributes {{
        tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 64, 1, 1>}} {{
      %t = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
      %c7 = arith.constant 7 : index
      %c0 = arith.constant 0 : index
      %v = arith.index_cast %t : index to i32
      %S = tile.alloc_buffer : {kind}
      tile.store %v, %S[{place}] : i32, {kind}
      func.return
    }}"""
    with pytest.raises(
        RaceError, match=rf"writes element 7 of S \(byte 28\){re.escape(' at ' + at if at else '')}, which"
    ):
        simulate(parse_module(text), [])
