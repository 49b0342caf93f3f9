"""Dispatch asks in order of priority, and takes no exception for an answer; users bring variants of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from permutes import Permute, scale_factors, transpose

from tilewright.dtypes import dtype
from tilewright.errors import DispatchError
from tilewright.ir.core.dependence import WARP
from tilewright.layout.symbolic.symint import SymInt
from tilewright.passes.pipeline import STAGES, run
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import S, TileLayout
from tilewright.variants.call import Call, Operand, Reject
from tilewright.variants.choose import choose
from tilewright.variants.emitter import Emitter
from tilewright.variants.permute_layout.warp_xor_swizzle import WarpXorSwizzle, XorPlan

pytestmark = pytest.mark.usefixtures("as_text")

REJECTED = Permute((32, 4), TileLayout(S[32, 4]), TileLayout(S[(32, 4) : (1, 32)]))


@dataclass(frozen=True)
class DirectPlan:
    report: str = "direct"


@dataclass(frozen=True)
class Direct:
    """One element after the other, by the first lane: always right for two whole buffers, never fast."""

    name: str = "direct"
    primitive: str = "permute_layout"
    priority: int = 0

    def plan(self, call: Call) -> Any:
        dst, src = call.operands
        whole = all(operand.extents == operand.shape for operand in call.operands)
        return DirectPlan() if whole and dst.memory != src.memory else Reject("regions", "not two whole buffers")

    def emit(self, plan: DirectPlan, emitter: Emitter) -> None:
        regions = emitter.regions
        (rows, columns), i = regions[0].buffer_type.shape, emitter.index
        strides = [region.buffer_type.layout.strides for region in regions]
        with emitter.unroll(rows, "row") as row, emitter.unroll(columns, "column") as column:
            offsets = [i.total([(row, to_row), (column, to_column)]) for to_row, to_column in strides]
            emitter.store(emitter.load(emitter.memory(1), offsets[1]), emitter.memory(0), offsets[0])
        emitter.sync("warp")


@dataclass(frozen=True)
class Broken(Direct):
    name: str = "broken"
    priority: int = 30

    def plan(self, call: Call) -> Any:
        raise ZeroDivisionError("a mistake in the variant")


def call_of(kernel: Permute) -> Call:
    kind = dtype(kernel.dtype)
    operands = (
        Operand.whole("dst", kind, kernel.dst, kernel.shape),
        Operand.whole("src", kind, kernel.src, kernel.shape),
    )
    return Call("permute_layout", "warp", operands)


def test_a_users_variant_takes_what_the_built_in_one_declines() -> None:
    for stage in STAGES:
        lowered = run(REJECTED.kernel().module, stage, variants=[Direct(priority=19)])
        src, dst = REJECTED.arrays()
        expected = REJECTED.expected(src, dst)
        # Every lane writes the same value to the same place.
        simulate(lowered.module, [src, dst])
        assert dst.tobytes() == expected.tobytes()
    assert lowered.report == "direct"


def test_the_highest_priority_is_asked_first() -> None:
    call = call_of(transpose(4))
    assert choose(call, [Direct()])[0].name == "warp_xor_swizzle"
    assert choose(call, [Direct(priority=21)])[0].name == "direct"
    assert choose(call, [Direct("a", priority=20)])[0].name == "a"


def test_a_name_leaves_one_variant() -> None:
    call = call_of(transpose(4))
    assert choose(call, [Direct()], only="direct")[0].name == "direct"
    with pytest.raises(DispatchError, match=r"warp_xor_swizzle \| no XOR-bits"):
        choose(call_of(REJECTED), [Direct()], only="warp_xor_swizzle")


def test_all_reasons_stand_in_one_table() -> None:
    kernel = scale_factors()
    region = Operand("A", dtype("float32"), kernel.shape, kernel.src, (0, 0, 0, 0), (1, 1, 2, 32))
    with pytest.raises(DispatchError) as caught:
        choose(Call("permute_layout", "cta", (region, region)), [Direct("second", priority=5)])
    assert str(caught.value).splitlines() == [
        "no variant executes cta permute_layout(A[1, 1, 2, 32], A[1, 1, 2, 32])",
        "  variant          | why not",
        "  warp_xor_swizzle | scope 'cta' is not 'warp'",
        "  warp_scheduled   | scope 'cta' is not 'warp'",
        "  second           | not two whole buffers",
        "  warp_fragment    | scope 'cta' is not 'warp'",
    ]


def test_only_a_reject_means_no() -> None:
    with pytest.raises(ZeroDivisionError):
        choose(call_of(transpose(4)), [Broken()])


@pytest.mark.parametrize("bits", [0, 1, 2])
def test_any_number_of_xor_bits_moves_the_same_elements(bits: int) -> None:
    kernel = scale_factors()
    src, dst = kernel.arrays()
    expected = kernel.expected(src, dst)
    lowered = run(kernel.kernel().module, variants=[WarpXorSwizzle("fixed", 30, bits)])
    simulate(lowered.module, [src, dst])
    assert dst.tobytes() == expected.tobytes()
    assert [plan.bits for plan in lowered.plans if isinstance(plan, XorPlan)] == [bits]


@pytest.mark.parametrize("bits", [-1, 3])
def test_xor_bits_that_would_leave_the_registers_are_declined(bits: int) -> None:
    found = WarpXorSwizzle(bits=bits).plan(call_of(transpose(4)))
    assert found == Reject("XOR bits", f"k = {bits} XOR bits is outside [0, log2(P)=2]")


def test_a_plan_prints() -> None:
    found = WarpXorSwizzle().plan(call_of(transpose(4)))
    assert found.report.splitlines() == [
        "warp_xor_swizzle: 128 x float32 over [4, 32], 4 a lane",
        "  src strides [32, 1], dst strides [1, 4]",
        "  XOR bits k = 2, shift = 3, mask = 3: register r holds element lane + 32 * (r ^ ((lane >> 3) & 3))",
    ]


def test_run_time_strides_are_declined() -> None:
    pitch = TileLayout(S[(4, 32) : (SymInt("pitch"), 1)])
    found = WarpXorSwizzle().plan(call_of(Permute((4, 32), pitch, TileLayout(S[(4, 32) : (1, 4)]))))
    shards = "src=S[(4,32):(?,1)] vs dst=S[(4,32):(1,4)]"
    message = f"regrouped layout shard contains non-integer extent/stride: {shards}"
    assert found == Reject("non-integer shard", message)


def test_wide_warps_are_declined() -> None:
    found = WarpXorSwizzle().plan(Call("permute_layout", "warp", call_of(transpose(4)).operands, lanes=64))
    assert isinstance(found, Reject)
    assert found.code == "warp size"
    assert WARP == 32
