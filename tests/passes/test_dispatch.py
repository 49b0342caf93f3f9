"""What dispatch asserts of regions, and what it tells variants of them, whatever a variant then does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import OutOfBoundsError
from tilewright.ir.dialects import context
from tilewright.ir.text import parse_module
from tilewright.ir.tile.ops import PermuteLayoutOp
from tilewright.passes.dispatch import Dispatch, describe
from tilewright.targets.simulator.simulate import Simulator
from tilewright.variants.call import Call
from tilewright.variants.emitter import Emitter

ROWS, COLUMNS = 5, 4
BUFFER = '!tile.buffer<5x4xi32, "S[(5,4):(4,1)]">'
TEXT = """func.func @f(%A: memref<20xi32>, %start: i64, %extent: i64) attributes {{
    tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 64, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %s = arith.index_cast %start : i64 to index
  %n = arith.index_cast %extent : i64 to index
  %c32 = arith.constant 32 : index
  %w = arith.divui %tx, %c32 : index
  %b = tile.match_buffer %A : memref<20xi32> -> {buffer}
  {view}
  %d = tile.region %b[{start}, 0] [{extent}, 4] : {buffer}
  %q = tile.region %{source}[{start}, 0] [{extent}, 4] : {buffer}
  tile.permute_layout "warp" %d, %q : {region}, {region}
  func.return
}}"""


@dataclass(frozen=True)
class Nothing:
    """Takes any call, and does nothing."""

    name: str = "nothing"
    primitive: str = "permute_layout"
    priority: int = 99
    report: str = ""

    def plan(self, call: Call) -> Nothing:
        return self

    def emit(self, plan: Nothing, emitter: Emitter) -> None:
        """Nothing."""


def module(start: str, extent: str, view: str = "", source: str = "b") -> ModuleOp:
    size = extent if extent.isdigit() else "?"
    region = f"!tile.region<{size}x4xi32>"
    return parse_module(TEXT.format(buffer=BUFFER, start=start, extent=extent, region=region, view=view, source=source))


def refused(made: ModuleOp, start: int, extent: int) -> bool:
    try:
        Simulator(made).run([np.arange(ROWS * COLUMNS, dtype=np.int32), np.int64(start), np.int64(extent)])
    except OutOfBoundsError:
        return True
    return False


@given(st.integers(-2, ROWS + 2), st.integers(0, ROWS + 1), st.booleans(), st.booleans())
def test_a_region_is_asserted_to_lie_within_where_it_has_elements(
    start: int, extent: int, moves: bool, grows: bool
) -> None:
    """And only there, as at stage `tile`, whether start and extent are constants or not."""
    extent = extent if grows else min(max(extent, 1), ROWS)
    outside = extent > 0 and not 0 <= start <= start + extent <= ROWS
    moves |= outside or not 0 <= start < ROWS  # constants outside are refused before
    made = module("%s" if moves else str(start), "%n" if grows else str(extent))
    Dispatch(variants=(Nothing(),)).apply(context(), made)
    assert not any(isinstance(op, PermuteLayoutOp) for op in made.walk())
    assert refused(made, start, extent) == outside


@pytest.mark.parametrize(
    ("start", "extent", "varies"),
    [
        ("%s", "%n", ""),
        ("%tx", "2", "lane warp"),
        ("0", "%tx", "lane warp"),
        ("%w", "%n", "warp"),
        ("%s", "%bx", "block"),
    ],
)
def test_a_region_varies_as_its_start_and_its_extent_do(start: str, extent: str, varies: str) -> None:
    (op,) = (op for op in module(start, extent).walk() if isinstance(op, PermuteLayoutOp))
    assert [operand.varies for operand in describe(op, 32).operands] == [frozenset(varies.split())] * 2


def test_two_views_of_one_memory_share_it() -> None:
    view = f"%v = tile.match_buffer %A : memref<20xi32> -> {BUFFER}"
    (op,) = (op for op in module("%s", "2", view, "v").walk() if isinstance(op, PermuteLayoutOp))
    one, other = describe(op, 32).operands
    assert one.memory == other.memory
