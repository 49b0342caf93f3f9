"""Random programs that permute layouts, of every element width, with what they must do worked out by numpy alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from headers import ready

from tilewright.analysis.permute.schedule import PermuteSchedule
from tilewright.dtypes import bytes_of
from tilewright.dtypes import dtype as find_dtype
from tilewright.ir.core.dependence import WARP
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES, Lowered, run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout, m
from tilewright.variants.permute_layout.warp_scheduled import ScheduledPlan

Array = np.ndarray[Any, np.dtype[Any]]
Box = tuple[int, ...]
MOST_SHARED = 48 * 1024  # bytes of arrays

NARROW = ("bool", "int8", "uint8", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu")
DTYPES = (
    *(*NARROW, "int16", "uint16", "float16", "bfloat16"),
    *("int32", "uint32", "float32", "int64", "uint64", "float64", "complex64", "complex128"),
    *("float4_e2m1fnx2", "float8_e8m0fnux4", "uint8x16", "float16x8", "bfloat16x4", "float32x4", "float64x2"),
)


@dataclass(frozen=True)
class Side:
    """A buffer of rank 3: its layout, the same as a table of offsets by coordinate, and where the region starts."""

    layout: TileLayout | ComposeLayout
    table: Array = field(repr=False)
    start: Box

    def region(self, extents: Box) -> Array:
        """The offsets of the region's elements."""
        box = tuple(slice(start, start + extent) for start, extent in zip(self.start, extents, strict=True))
        return self.table[box].reshape(-1)


@dataclass(frozen=True)
class Program:
    """dst[i] = src[i] over boxes, in one of several ways to write it."""

    kind: str
    dtype: str
    extents: Box
    src: Side
    dst: Side
    times: int

    def kernel(self) -> PrimFunc:
        """The program."""
        return KINDS[self.kind](self)

    def arrays(self) -> list[Array]:
        """Random bits for every parameter of the kernel."""
        kind, rng = find_dtype(self.dtype).numpy(), np.random.default_rng(0)
        top = 2 if self.dtype == "bool" else 256
        sizes = [p.size or 0 for p in parameters_of(kernel_of(self.kernel().module))]
        return [rng.integers(0, top, size * kind.itemsize, dtype=np.uint8).view(kind) for size in sizes]

    def expected(self, arrays: list[Array]) -> list[Array]:
        """The definition: B at L_dst(i) holds what A held at L_src(i); the rest is as it was."""
        made = [array.copy() for array in arrays]
        of, to = self.src.region(self.extents), self.dst.region(self.extents)
        if self.kind == "in_shared":
            made[1][: of.size] = arrays[0][: of.size]  # element by element, each in its row-major place
            return made
        # A stage lies behind the other by the size of the memory of one.
        for stage in range(self.times):
            steps = [stage * _size(side) for side in (self.src, self.dst)]
            made[-1][to + steps[1]] = arrays[0][of + steps[0]]
        return made


def _size(side: Side) -> int:
    return int(side.table.max()) + 1


def _staged(side: Side, times: int) -> tuple[Box, TileLayout]:
    """`times` buffers one behind the other, as one of rank 4."""
    assert isinstance(side.layout, TileLayout)
    shard = [(it.extent, it.stride) for it in side.layout.shard]
    extents, strides = zip((times, _size(side)), *shard, strict=True)
    return (times, *side.table.shape), TileLayout(S[extents:strides] + side.layout.offset.get(m, 0))


# ---- the ways to write it


def whole(p: Program) -> PrimFunc:
    a_shape, b_shape, a_layout, b_layout = p.src.table.shape, p.dst.table.shape, p.src.layout, p.dst.layout
    dtype, (x, y, z), (u, v, w), (i, j, k) = p.dtype, p.src.start, p.dst.start, p.extents

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, a_shape, dtype, layout=a_layout)
        B_buf = T.match_buffer(B, b_shape, dtype, layout=b_layout)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B_buf[u : u + i, v : v + j, w : w + k], A_buf[x : x + i, y : y + j, z : z + k])

    return f


def in_place(p: Program) -> PrimFunc:
    a_shape, b_shape, a_layout, b_layout = p.src.table.shape, p.dst.table.shape, p.src.layout, p.dst.layout
    dtype, (x, y, z), (u, v, w), (i, j, k) = p.dtype, p.src.start, p.dst.start, p.extents

    @T.prim_func
    def f(A: T.handle):
        A_buf = T.match_buffer(A, a_shape, dtype, layout=a_layout)
        B_buf = T.match_buffer(A, b_shape, dtype, layout=b_layout)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B_buf[u : u + i, v : v + j, w : w + k], A_buf[x : x + i, y : y + j, z : z + k])

    return f


def in_stages(p: Program) -> PrimFunc:
    (a_shape, a_layout), (b_shape, b_layout) = _staged(p.src, p.times), _staged(p.dst, p.times)
    dtype, times, (x, y, z), (u, v, w), (i, j, k) = p.dtype, p.times, p.src.start, p.dst.start, p.extents

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, a_shape, dtype, layout=a_layout)
        B_buf = T.match_buffer(B, b_shape, dtype, layout=b_layout)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, times):
            Tx.warp.permute_layout(B_buf[s, u : u + i, v : v + j, w : w + k], A_buf[s, x : x + i, y : y + j, z : z + k])

    return f


def in_warps(p: Program) -> PrimFunc:
    (a_shape, a_layout), (b_shape, b_layout) = _staged(p.src, p.times), _staged(p.dst, p.times)
    dtype, times, (x, y, z), (u, v, w), (i, j, k) = p.dtype, p.times, p.src.start, p.dst.start, p.extents

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, a_shape, dtype, layout=a_layout)
        B_buf = T.match_buffer(B, b_shape, dtype, layout=b_layout)
        T.device_entry()
        T.cta_id([1])
        s = T.warp_id([times])
        Tx.warp.permute_layout(B_buf[s, u : u + i, v : v + j, w : w + k], A_buf[s, x : x + i, y : y + j, z : z + k])

    return f


def in_shared(p: Program) -> PrimFunc:
    """Through two buffers in shared memory, filled and emptied element by element."""
    a_layout, b_layout, dtype, shape = p.src.layout, p.dst.layout, p.dtype, p.extents
    count, (_, rows, columns) = prod(shape), shape
    rounds = -(-count // WARP)

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, dtype)
        B_buf = T.match_buffer(B, shape, dtype)
        T.device_entry()
        T.cta_id([1])
        lane = T.thread_id([32])
        given = T.alloc_buffer(shape, dtype, scope="shared", layout=a_layout)
        made = T.alloc_buffer(shape, dtype, scope="shared", layout=b_layout)
        for r in T.serial(0, rounds):
            e = r * 32 + lane
            if e < count:
                x, y, z = e // (rows * columns), e // columns % rows, e % columns
                given[x, y, z] = A_buf[x, y, z]
        T.cuda.warp_sync()
        Tx.warp.permute_layout(made, given)
        for r in T.serial(0, rounds):
            e = r * 32 + lane
            if e < count:
                x, y, z = e // (rows * columns), e // columns % rows, e % columns
                B_buf[x, y, z] = made[x, y, z]

    return f


KINDS: dict[str, Callable[[Program], PrimFunc]] = {
    made.__name__: made for made in (whole, in_place, in_stages, in_warps, in_shared)
}


# ---- random ones


def program(rng: random.Random) -> Program:
    """A random program."""
    kind, dtype = rng.choice(list(KINDS)), rng.choice(DTYPES)
    limit = rng.choice([32, 128, 128, 600, 600, 2000])
    extents = _shape(rng, limit) if rng.random() < 0.5 else _powers(rng, limit)
    parts = kind != "in_shared" and rng.random() < 0.3
    staged = kind in ("in_stages", "in_warps")
    src, dst = (_side(rng, extents, parts, not staged) for _ in range(2))
    if kind == "in_shared" and (_size(src) + _size(dst)) * bytes_of(dtype) > MOST_SHARED:
        kind = "whole"
    return Program(kind, dtype, extents, src, dst, rng.choice([1, 2, 3]) if staged else 1)


def _shape(rng: random.Random, limit: int) -> Box:
    first = rng.randint(1, 4)
    second = rng.randint(1, max(1, limit // first // 4))
    return first, second, rng.randint(1, max(1, limit // (first * second)))


def _powers(rng: random.Random, limit: int) -> Box:
    bits = rng.randint(0, limit.bit_length() - 1)
    cuts = sorted(rng.randint(0, bits) for _ in range(2))
    return 1 << cuts[0], 1 << (cuts[1] - cuts[0]), 1 << (bits - cuts[1])


def _side(rng: random.Random, extents: Box, part: bool, swizzled: bool) -> Side:
    more = [rng.choice([0, 1, 3, extent]) if part else 0 for extent in extents]
    shape = tuple(extent + extra for extent, extra in zip(extents, more, strict=True))
    tile, table = _affine(rng, shape)
    layout: TileLayout | ComposeLayout = tile
    if swizzled and rng.random() < 0.25:
        keep, bits = rng.randint(0, 3), rng.randint(1, 3)
        distance = rng.randint(bits, 4)
        layout = ComposeLayout(keep, bits, distance, tile)
        table = table ^ ((table >> distance) & (((1 << bits) - 1) << keep))
    return Side(layout, table, tuple(rng.randint(0, extra) for extra in more))


def _affine(rng: random.Random, shape: Box) -> tuple[TileLayout, Array]:
    """Every dimension cut into iters, all of them in any order in memory, with gaps at times."""
    factors = [factor for extent in shape for factor in _factors(rng, extent)]
    strides, stride = [0] * len(factors), 1
    gaps = rng.choice([(0,), (0,), (0, 0, 1), (0, 1, 4)])
    for place in rng.sample(range(len(factors)), len(factors)):
        strides[place] = stride
        stride = stride * factors[place] + rng.choice(gaps)
    offset = rng.choice([0, 0, 0, 1, 5])
    digits = np.indices(factors, dtype=np.int64).reshape(len(factors), -1)
    table = offset + (digits * np.array(strides)[:, None]).sum(axis=0)
    return TileLayout(S[tuple(factors) : tuple(strides)] + offset), table.reshape(shape)


def _factors(rng: random.Random, extent: int) -> list[int]:
    cuts = [d for d in range(2, extent) if extent % d == 0]
    if not cuts or rng.random() < 0.5:
        return [extent]
    cut = rng.choice(cuts)
    return [cut, *_factors(rng, extent // cut)]


# ---- what must hold


def check(p: Program, host: bool = False) -> PermuteSchedule | None:
    """The schedule that was chosen (None for document 000's variant), after the program has been run at every stage."""
    arrays = p.arrays()
    expected = [array.tobytes() for array in p.expected(arrays)]
    kernel = p.kernel()
    for stage in STAGES:
        lowered, found = run(kernel.module, stage, verify_each=True), [array.copy() for array in arrays]
        report = simulate(lowered.module, found)
        assert [array.tobytes() for array in found] == expected, stage
    if host:
        found = [array.copy() for array in arrays]
        compile_host(lowered.module, range(len(found)), ready(WARNINGS)).run(found)
        assert [array.tobytes() for array in found] == expected, "host"
    return _counted(p, lowered, report)


def _counted(p: Program, lowered: Lowered, report: SimulationReport) -> PermuteSchedule | None:
    """The simulator counts what the plan claims."""
    (plan,) = lowered.plans
    if not isinstance(plan, ScheduledPlan):
        return None
    schedule = plan.schedule
    names = ("given", "made") if p.kind == "in_shared" else ("A_buf", "A_buf" if p.kind == "in_place" else "B_buf")
    for kind, name, cost in (("load", names[0], schedule.read), ("store", names[1], schedule.write)):
        accesses = [a for a in report.select(kind) if a.buffer == name]
        # The first access of `given` is the copy into it, which is a store; so is the last load of `made`.
        counted = sum(access.wavefronts for access in accesses)
        if plan.fixed and (plan.full or kind == "store"):
            assert counted == cost.wavefronts, (kind, counted, cost)
        elif plan.fixed:  # idle lanes may let the others merge, which the schedule does not count on
            assert counted <= cost.wavefronts, (kind, counted, cost)
    return schedule


def summary(schedules: list[PermuteSchedule | None]) -> str:
    """Which forms were chosen, and how many are proved to be the best."""
    kinds = Counter("warp_xor_swizzle" if schedule is None else schedule.kind for schedule in schedules)
    proved = sum(schedule is not None and schedule.optimal for schedule in schedules)
    ours = len(schedules) - kinds["warp_xor_swizzle"]
    return f"{', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}; {proved} of {ours} proved to be the best"
