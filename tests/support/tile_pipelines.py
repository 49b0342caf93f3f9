"""Products of tiles that go through rings of stages in shared memory, drawn at random; some with a planted fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

ATOM = "SM80_16x8x16_F32F16F16F32_TN"
FAULTS = ("", "", "", "no barrier before", "no barrier after", "nothing ahead", "blocks meet")


@dataclass(frozen=True)
class Pipeline:
    """`ahead` stages are fetched before they are used; tiles of (16 down, 8 across), of each of the warps.

    `each`: every turn has sums of its own; `twice`: its products are added two times; `turned`: columns are the outer
    loop; `halves`: columns are numbered by pairs; `after`: what the last turn leaves in registers is added once more.
    """

    blocks: tuple[int, int]
    warps: int
    turns: int
    stages: int
    ahead: int
    down: int
    across: int
    each: bool
    twice: bool
    turned: bool
    halves: bool
    after: bool
    fault: str


@st.composite
def tile_pipelines(draw: st.DrawFn) -> Pipeline:
    """Any of them."""
    stages = draw(st.integers(1, 3))
    ahead = draw(st.integers(0, stages - 1))
    fault = draw(st.sampled_from(FAULTS))
    if fault == "nothing ahead" and not ahead:
        fault = ""
    return Pipeline(
        (draw(st.integers(1, 3)), draw(st.integers(1, 2))),
        draw(st.integers(1, 2)),
        draw(st.integers(1, 7)),
        stages,
        ahead,
        draw(st.integers(1, 2)),
        draw(st.sampled_from((1, 2, 4))),
        *(draw(st.booleans()) for _ in range(5)),
        fault,
    )


def kernel(p: Pipeline) -> PrimFunc:
    """C[block] = sum over turns of A[block, turn] B[block, turn]^T, or each of them."""
    (wide, high), warps, turns, stages, ahead, down, across = (
        p.blocks,
        p.warps,
        p.turns,
        p.stages,
        p.ahead,
        p.down,
        p.across,
    )
    threads, rows, columns = 32 * warps, warps * 16 * down, 8 * across
    each, twice, turned, halves, fault = p.each, p.twice, p.turned, p.halves and across > 1, p.fault
    left, after = turns if each else 1, p.after
    pairs = max(1, across // 2)
    steps = (columns * 16 + threads - 1) // threads
    apart = 0 if fault == "blocks meet" else 1

    @T.prim_func
    def products(A: T.handle, B: T.handle, C: T.handle) -> None:
        a = T.match_buffer(A, (high, turns, rows, 16), "float16")
        b = T.match_buffer(B, (wide, turns, columns, 16), "float16")
        c = T.match_buffer(C, (wide, high, left, rows, columns), "float32")
        T.device_entry()
        bx, by = T.cta_id([wide, high])
        t = T.thread_id([threads])
        sa = T.alloc_shared((stages, rows, 16), "float16")
        sb = T.alloc_shared((stages, columns, 16), "float16")
        fa = T.alloc_local((down, 8), "float16")
        fb = T.alloc_local((pairs, 2, 4), "float16")
        acc = T.alloc_local((down, across, 4), "float32")
        lane = t % 32
        first = t // 32 * 16 * down
        for i in T.serial(down):
            for j in T.serial(across):
                for r in T.serial(4):
                    acc[i, j, r] = 0.0
        if fault != "nothing ahead":
            for k in T.serial(ahead):
                if k < turns:
                    for i in T.serial(down):
                        T.copy_atom(
                            "UniversalCopy128b",
                            sa[k % stages, (i * threads + t) // 2, t % 2 * 8],
                            a[by, k, (i * threads + t) // 2, t % 2 * 8],
                        )
                    for i in T.serial(steps):
                        sb[k % stages, (i * threads + t) % (columns * 16) // 16, t % 16] = b[
                            bx, k, (i * threads + t) % (columns * 16) // 16, t % 16
                        ]
        for k in T.serial(turns):
            if fault != "no barrier before" and ahead > 0:
                T.cuda.cta_sync()
            if k + ahead < turns:
                for i in T.serial(down):
                    T.copy_atom(
                        "UniversalCopy128b",
                        sa[(k + ahead) % stages, (i * threads + t) // 2, t % 2 * 8],
                        a[by, k + ahead, (i * threads + t) // 2, t % 2 * 8],
                    )
                for i in T.serial(steps):
                    sb[(k + ahead) % stages, (i * threads + t) % (columns * 16) // 16, t % 16] = b[
                        bx, k + ahead, (i * threads + t) % (columns * 16) // 16, t % 16
                    ]
            if fault != "no barrier before" and ahead == 0:
                T.cuda.cta_sync()
            for i in T.serial(down):
                T.copy_atom("SM75_U32x4_LDSM_N", fa[i, 0], sa[k % stages, first + i * 16 + lane % 16, lane // 16 * 8])
            for j in T.serial(across):
                T.copy_atom(
                    "SM75_U32x2_LDSM_N", fb[j // 2, j % 2, 0], sb[k % stages, j * 8 + lane % 8, lane // 8 % 2 * 8]
                )
            if each:
                for i in T.serial(down):
                    for j in T.serial(across):
                        for r in T.serial(4):
                            acc[i, j, r] = 0.0
            for _ in T.serial(1 + twice):
                if turned:
                    for j in T.serial(across):
                        for i in T.serial(down):
                            T.mma_atom(ATOM, acc[i, j, 0], fa[i, 0], fb[j // 2, j % 2, 0], acc[i, j, 0])
                elif halves:
                    for i in T.serial(down):
                        for j in T.serial(pairs):
                            T.mma_atom(ATOM, acc[i, 2 * j, 0], fa[i, 0], fb[j, 0, 0], acc[i, 2 * j, 0])
                            T.mma_atom(ATOM, acc[i, 2 * j + 1, 0], fa[i, 0], fb[j, 1, 0], acc[i, 2 * j + 1, 0])
                else:
                    for i in T.serial(down):
                        for j in T.serial(across):
                            T.mma_atom(ATOM, acc[i, j, 0], fa[i, 0], fb[j // 2, j % 2, 0], acc[i, j, 0])
            if each:
                for i in T.serial(down):
                    for j in T.serial(across):
                        for r in T.serial(4):
                            c[
                                bx * apart, by, k, first + i * 16 + lane // 4 + r // 2 * 8, j * 8 + lane % 4 * 2 + r % 2
                            ] = acc[i, j, r]
            if fault != "no barrier after":
                T.cuda.cta_sync()
        if after:
            for i in T.serial(down):
                for j in T.serial(across):
                    T.mma_atom(ATOM, acc[i, j, 0], fa[i, 0], fb[j // 2, j % 2, 0], acc[i, j, 0])
        if not each:
            for i in T.serial(down):
                for j in T.serial(across):
                    for r in T.serial(4):
                        c[bx * apart, by, 0, first + i * 16 + lane // 4 + r // 2 * 8, j * 8 + lane % 4 * 2 + r % 2] = (
                            acc[i, j, r]
                        )

    found: Any = products
    return found
