"""The shared memory of a block: its arrays, its pool, and what no pool may look like."""

from __future__ import annotations

import pytest
from final_kernels import kernel
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import CompileError
from tilewright.ir.text import parse_module
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT, POOL_ALIGNMENT, SharedMemory, aligned
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import Simulator


def text(*buffers: str, pool: int = 0) -> str:
    """A kernel that allocates; each buffer is written `offset: 8xf32`, or `8xf32` for an array of its own."""
    lines = []
    for number, buffer in enumerate(buffers):
        offset, _, elements = buffer.rpartition(": ")
        place = f"{{tile.offset = {offset} : i64}} " if offset else ""
        kind = f'memref<{elements}, "shared">'
        lines.append(f"%b{number} = memref.alloca() {place}: {kind}")
        lines.append(f"%v{number} = memref.load %b{number}[%c0] : {kind}")
        lines.append(f"memref.store %v{number}, %b{number}[%c0] : {kind}")
    attribute = f"tile.pool = {pool} : i64, " if pool else ""
    return kernel("\n".join(lines)).replace("tile.grid", f"{attribute}tile.grid")


def memory(source: str) -> SharedMemory:
    return SharedMemory.of(kernel_of(parse_module(source)))


WRONG = {
    "b1 at byte 3 shares bytes with others, and has elements of 4 bits, which are no whole ones": (
        ["0: 32xf32", "3: 2xf4E2M1FN"],
        128,
    ),
    "b0 at byte 2 lies askew to its elements of 32 bits": (["2: 1xf32"], 128),
    "b0 at byte 100 leaves the pool, which has 103 bytes": (["100: 1xf32"], 103),
    "b0 at byte 0 leaves the pool, which has 0 bytes": (["0: 1xf32"], 0),
    "b0 at byte -4 leaves the pool": (["-4: 1xf32"], 128),
}


@pytest.mark.parametrize("why", WRONG)
def test_what_no_pool_may_look_like(why: str) -> None:
    buffers, pool = WRONG[why]
    for use in (memory, lambda source: emit(parse_module(source)), lambda source: Simulator(parse_module(source))):
        with pytest.raises(CompileError) as caught:
            use(text(*buffers, pool=pool))
        assert why in str(caught.value)


def test_what_a_block_needs() -> None:
    assert memory(text()) == SharedMemory(0, 0)
    assert memory(text("3xi8", "5xf32", "0: 4xf32", "16: 1xi8", pool=64)) == SharedMemory(128 + 20, 64)
    assert memory(text("0: 7xf4E2M1FN", pool=4)) == SharedMemory(0, 4)


@given(st.lists(st.integers(1, 500), max_size=5), st.integers(0, 5000))
def test_the_total_leaves_room_for_the_alignment_of_everything(sizes: list[int], pool: int) -> None:
    found = SharedMemory(memory(text(*(f"{size}xi8" for size in sizes))).arrays, pool)
    assert found.arrays >= sum(sizes)
    assert found.arrays <= sum(aligned(size, ARRAY_ALIGNMENT) for size in sizes)
    assert found.total >= found.arrays + pool
    assert found.total - found.arrays - pool < POOL_ALIGNMENT
    found.check(found.total, "this machine")
    if found.total:
        with pytest.raises(CompileError, match=f"needs {found.total} bytes .*; a block on this machine has 0"):
            found.check(0, "this machine")
