"""Every reason to decline, each given to a program that deserves it, and the table that a person reads.

Source: the checks of TIRx's `warp_xor_swizzle`, in their order; those from "local buffer" on are ours.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.dtypes import dtype
from tilewright.errors import DispatchError
from tilewright.ir.memory import parse_layout
from tilewright.ir.tile.ops import PrimitiveOp
from tilewright.lang.primfunc import PrimFunc
from tilewright.layout.symbolic.symint import SymInt
from tilewright.passes.dispatch import describe
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout, warpid
from tilewright.variants.call import Call, Operand, Reject, Variant
from tilewright.variants.choose import choose
from tilewright.variants.permute_layout.warp_fragment import WarpFragment
from tilewright.variants.permute_layout.warp_scheduled import ScheduledPlan, WarpScheduled
from tilewright.variants.permute_layout.warp_xor_swizzle import WarpXorSwizzle

pytestmark = pytest.mark.usefixtures("as_text")

DOCUMENTED, GENERAL = WarpXorSwizzle(), WarpScheduled()
ROWS = "S[(4,32):(32,1)]"
COLUMNS = "S[(4,32):(1,4)]"


def program(
    src: Any = ROWS,
    dst: Any = COLUMNS,
    shape: tuple[int, ...] = (4, 32),
    dtypes: tuple[str, str] = ("float32", "float32"),
    threads: Any = 32,
) -> PrimFunc:
    """A permute of two whole buffers."""
    src, dst = (parse_layout(layout) if isinstance(layout, str) else layout for layout in (src, dst))
    to, of = dtypes

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, of, layout=src)
        B_buf = T.match_buffer(B, shape, to, layout=dst)
        T.device_entry()
        T.cta_id([1])
        T.thread_id(threads)
        Tx.warp.permute_layout(B_buf, A_buf)

    return f


def declined(kernel: PrimFunc, lanes: int = 32, by: Variant = DOCUMENTED) -> Reject:
    """Why a built-in variant declines the kernel's call."""
    (op,) = (op for op in kernel.module.walk() if isinstance(op, PrimitiveOp))
    call = describe(op, lanes)
    found = by.plan(call)
    assert isinstance(found, Reject)
    with pytest.raises(DispatchError) as caught:
        choose(call, only=by.name)
    assert caught.value.reasons == ((by.name, found.message),)
    return found


# Codes of the rules that both variants have.
SHARED_CODES = {
    "scope is not 'warp'", "multi-dim threadIdx", "dtype mismatch", "extents must be compile-time integers",
    "extent mismatch", "unsupported dtype byte width", "not on the memory axis", "local buffer", "dst has a replica",
    "no whole warps", "warp size", "divergent warp", "start depends on the lane", "in place by several warps",
    "in place by several blocks",
}  # fmt: skip
SWIZZLED = ComposeLayout(2, 2, 4, TileLayout(S[(4, 32) : (32, 1)]))
PITCHED = TileLayout(S[(4, 32) : (SymInt("pitch") @ warpid, 1)])
# (code, message) -> what the program of two whole buffers is made from
WHOLE: dict[tuple[str, str], dict[str, Any]] = {
    ("multi-dim threadIdx", "multi-dim threadIdx is not supported: block is [16, 2, 1]"): {"threads": [16, 2]},
    ("dtype mismatch", "dtype mismatch: dst=uint32 vs src=float32"): {"dtypes": ("uint32", "float32")},
    ("unsupported dtype byte width", "unsupported dtype byte width: 0.5 (float4_e2m1fn)"): {
        "dtypes": ("float4_e2m1fn",) * 2
    },
    ("src not a plain TileLayout", "src buffer's layout is not a plain TileLayout: A_buf has ComposeLayout("): {
        "src": SWIZZLED
    },
    ("dst not a plain TileLayout", "dst buffer's layout is not a plain TileLayout: B_buf has ComposeLayout("): {
        "dst": SWIZZLED
    },
    ("layout.group failed", "layout.group failed: layout with shard extents"): {
        "shape": (6, 64),
        "src": "S[(3,2,64):(1000,100,1)]",
        "dst": "S[(2,3,64):(1000,100,1)]",
    },
    ("shard mismatch", "src shard [2, 2, 32] doesn't match dst shard [4, 32] after regrouping"): {
        "src": "S[(2,2,32):(1000,100,1)]"
    },
    (
        "non-integer shard",
        "regrouped layout shard contains non-integer extent/stride: src=S[(4,32):(?@warpid,1)] vs dst=S[(4,32):(1,4)]",
    ): {"src": PITCHED},
    ("volume not divisible by warp size", "volume 35 not divisible by warp size 32"): {
        "shape": (5, 7),
        "src": "S[(5,7):(7,1)]",
        "dst": "S[(5,7):(1,5)]",
    },
    ("per-thread count", "per-thread count 3 must be power of 2 in [1, 32]"): {
        "shape": (3, 32),
        "src": "S[(3,32):(32,1)]",
        "dst": "S[(3,32):(1,3)]",
    },
    ("per-thread count", "per-thread count 64 must be power of 2 in [1, 32]"): {
        "shape": (64, 32),
        "src": "S[(64,32):(32,1)]",
        "dst": "S[(64,32):(1,64)]",
    },
    ("not a bijection", "src layout (regrouped) is not a bijection on the slice: 128 elements on 35 offsets"): {
        "src": "S[(4,32):(1,1)]"
    },
    ("not a bijection", "dst layout is not a bijection on the slice: 128 elements on 35 offsets"): {
        "dst": "S[(4,32):(1,1@laneid)]"
    },
    ("no XOR bits", "no XOR-bits k ∈ [0, log2(P)=2] makes both phases bank-free"): {
        "shape": (32, 4),
        "src": "S[(32,4):(4,1)]",
        "dst": "S[(32,4):(1,32)]",
    },
    ("no XOR bits", "no XOR-bits k ∈ [0, log2(P)=2]"): {"dtypes": ("complex128",) * 2},
    ("not on the memory axis", "dst puts elements on laneid; this variant moves memory, whose axis is m"): {
        "dst": "S[(4,32):(32,1@laneid)]"
    },
    ("not on the memory axis", "src puts elements on warpid"): {"src": "S[(4,32):(32,1)] + 1@warpid"},
    ("dst has a replica", "dst has a replica: 2 copies of every element, of which this variant writes one"): {
        "dst": COLUMNS + " + R[2:128]"
    },
    ("no whole warps", "a block of 48 threads is not made of whole warps of 32 lanes"): {"threads": [48]},
}


@pytest.mark.parametrize(("code", "why"), WHOLE)
def test_whole_buffers(code: str, why: str) -> None:
    found = declined(program(**WHOLE[code, why]))
    assert found.code == code
    assert found.message.startswith(why)


CASES: list[Any] = []


def declines(code: str, why: str) -> Callable[[Callable[[], PrimFunc]], Callable[[], PrimFunc]]:
    """The program's call is declined with that code, and a message that begins so."""

    def note(make: Callable[[], PrimFunc]) -> Callable[[], PrimFunc]:
        CASES.append(pytest.param(make, code, why, id=make.__name__))
        return make

    return note


@declines("scope is not 'warp'", "scope 'cta' is not 'warp'")
def scope_is_not_warp() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.cta.permute_layout(B, A)

    return f


@declines("scope is not 'warp'", "scope 'thread' is not 'warp'")
def a_bare_primitive_is_one_threads() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.permute_layout(B, A)

    return f


RUN_TIME = "extents must be compile-time integers"


@declines(RUN_TIME, f"{RUN_TIME}: src=[1, 1, ?, 32] vs dst=[1, 1, ?, 32]")
def extents_that_are_loop_variables() -> PrimFunc:
    post = TileLayout(S[(2, 4, 32) : (128, 1, 4)])

    @T.prim_func
    def f(A_buf: T.Buffer((2, 1, 4, 32)), B_buf: T.Buffer((2, 1, 4, 32), layout=post)):
        T.cta_id([1])
        T.thread_id([32])
        for s, n in T.grid(2, 4):
            Tx.warp.permute_layout(B_buf[s, 0:1, 0:n, 0:32], A_buf[s, 0:1, 0:n, 0:32])

    return f


@declines(RUN_TIME, f"{RUN_TIME}: src=[1, 1, ?, 32] vs dst=[1, 1, ?, 32]")
def extents_that_the_kernel_takes() -> PrimFunc:
    @T.prim_func
    def f(A_buf: T.Buffer((2, 1, 4, 32)), B_buf: T.Buffer((2, 1, 4, 32)), n: T.int32):
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(2):
            Tx.warp.permute_layout(B_buf[s, 0:1, 0:n, 0:32], A_buf[s, 0:1, 0:n, 0:32])

    return f


@declines(RUN_TIME, f"{RUN_TIME}: src=[?, 32] vs dst=[4, 32]")
def an_extent_of_one_side() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        for n in T.serial(4):
            Tx.warp.permute_layout(B, A[n : 2 * n])

    return f


@declines("extent mismatch", "slice shape mismatch: src=[4, 32] vs dst=[2, 32]")
def extent_mismatch() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0:2], A)

    return f


@declines("layout.slice failed", "layout.slice failed: A[3:35] is no TileLayout")
def slice_that_is_no_layout() -> PrimFunc:
    straddling = parse_layout("S[(2,2,16):(1000,10,1)]")
    plain = TileLayout(S[64])

    @T.prim_func
    def f(A: T.Buffer((64,), layout=straddling), B: T.Buffer((64,), layout=plain)):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0:32], A[3:35])

    return f


@declines("layout.slice failed", "layout.slice failed: the layout of B is not the same at every start of the region")
def slice_at_a_run_time_start_across_iters() -> PrimFunc:
    split = parse_layout("S[(2,2,32):(1000,100,1)]")

    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32), layout=split)):
        T.cta_id([1])
        T.thread_id([32])
        for s in range(3):
            Tx.warp.permute_layout(B[s : s + 2, :], A[s : s + 2, :])

    return f


@declines("src not a plain TileLayout", "src buffer's layout is not a plain TileLayout: tile has ComposeLayout(")
def a_swizzled_tile_of_the_pool() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        tile = T.SMEMPool().alloc((4, 32), "float32", layout=SWIZZLED)
        Tx.warp.permute_layout(A, tile)

    return f


@declines("local buffer", "dst own is local: a lane cannot reach another lane's registers")
def local_buffer() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_buffer((4, 32), "float32", scope="local")
        Tx.warp.permute_layout(own, A)

    return f


@declines("divergent warp", "the lanes of a warp part before the call: a condition depends on the lane")
def divergent_warp() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        t = T.thread_id([32])
        if t < 16:
            Tx.warp.permute_layout(B, A)

    return f


@declines("start depends on the lane", "the region of A starts elsewhere for every lane")
def start_depends_on_the_lane() -> PrimFunc:
    @T.prim_func
    def f(A: T.Buffer((32, 4, 32)), B: T.Buffer((32, 4, 32))):
        T.cta_id([1])
        lane = T.lane_id([32])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0], A[lane])

    return f


def stages_in_place(blocks: int, threads: int) -> PrimFunc:
    rows, columns = parse_layout("S[(2,4,32):(128,32,1)]"), parse_layout("S[(2,4,32):(128,1,4)]")

    @T.prim_func
    def f(A: T.handle):
        by_rows = T.match_buffer(A, (2, 4, 32), layout=rows)
        by_columns = T.match_buffer(A, (2, 4, 32), layout=columns)
        T.cta_id([blocks])
        T.thread_id([threads])
        for s in range(2):
            Tx.warp.permute_layout(by_columns[s], by_rows[s])

    return f


@declines("in place by several warps", "in place, 2 warps permute one region of by_columns at the same time")
def in_place_by_several_warps() -> PrimFunc:
    return stages_in_place(1, 64)


@declines("in place by several blocks", "in place, 3 blocks permute one region of by_columns at the same time")
def in_place_by_several_blocks() -> PrimFunc:
    return stages_in_place(3, 32)


@pytest.mark.parametrize(("make", "code", "why"), CASES)
def test_parts_of_buffers(make: Callable[[], PrimFunc], code: str, why: str) -> None:
    found = declined(make())
    assert found.code == code
    assert found.message.startswith(why)


def test_a_target_of_wide_warps() -> None:
    found = declined(program(), lanes=64)
    assert found == Reject("warp size", "a warp of the target has 64 lanes; this variant is for 32")


# What the general variant declines; the rest of what document 000's does, it takes.
OURS: dict[tuple[str, str], dict[str, Any]] = {
    **{key: WHOLE[key] for key in WHOLE if key[0] in SHARED_CODES},
    ("several elements in one place", "src A_buf puts 128 elements on 35 offsets"): {"src": "S[(4,32):(1,1)]"},
    ("not on the memory axis", "src puts elements on warpid; this variant moves memory, whose axis is m"): {
        "src": PITCHED
    },
    ("several elements in one place", "dst B_buf puts 128 elements on 32 offsets"): {"dst": "S[(4,32):(0,1)]"},
    ("too many elements", "131073 elements in one call; a warp moves at most 131072"): {
        "shape": (131073,),
        "src": "S[131073]",
        "dst": "S[131073]",
    },
}


@pytest.mark.parametrize(("code", "why"), OURS)
def test_whole_buffers_that_the_general_variant_declines(code: str, why: str) -> None:
    found = declined(program(**OURS[code, why]), by=GENERAL)
    assert found.code == code
    assert found.message.startswith(why)


@pytest.mark.parametrize(
    "key", [key for key in WHOLE if key[0] not in SHARED_CODES | {"not a bijection", "non-integer shard"}]
)
def test_the_general_variant_takes_the_rest(key: tuple[str, str]) -> None:
    (plan,) = run(program(**WHOLE[key]).module).plans
    assert isinstance(plan, ScheduledPlan)


@pytest.mark.parametrize(("make", "code", "why"), CASES)
def test_parts_that_the_general_variant_declines(make: Callable[[], PrimFunc], code: str, why: str) -> None:
    """For the same reason, unless that is about the form of the layouts."""
    (op,) = (op for op in make().module.walk() if isinstance(op, PrimitiveOp))
    found = GENERAL.plan(describe(op, 32))
    if make is slice_that_is_no_layout:
        assert isinstance(found, Reject)
        assert found.message == "src A puts 32 elements on 26 offsets"
        return
    assert isinstance(found, ScheduledPlan) == (code not in SHARED_CODES)
    assert isinstance(found, ScheduledPlan) or (found.code, found.message[: len(why)]) == (code, why)


def between(layout: str, shape: tuple[int, ...] = (4, 32), local: bool = True, given: str = "") -> PrimFunc:
    """From registers with that layout into memory, or between two buffers of one kind."""
    spread = parse_layout(layout)
    memory = parse_layout(given) if given else TileLayout(S[shape])
    scope = "local" if local else "shared"

    @T.prim_func
    def f(A: T.Buffer(shape, layout=memory)):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_buffer(shape, "float32", scope=scope, layout=spread)
        Tx.warp.permute_layout(A, own)

    return f


FRAGMENTS: list[Any] = [
    (between("S[(4,32):(32,1)]"), "not a fragment", "src own has no layout over laneid and registers"),
    (between("S[(4,32):(1@warpid,1@laneid)]"), "not a fragment", "src own has no layout over laneid and registers"),
    (between("S[(2,64):(1,1@laneid)]", (2, 64)), "not a fragment", "src own lies on lanes 0 to 63 of 32"),
    (between("S[(4,32):(0,1@laneid)]"), "several elements in one place", "src own puts 128 elements into 32 registers"),
    (between("S[(4,16):(1,1@laneid)] + R[2:16@laneid]", (4, 16)), "not a fragment", "src own is not told by constants"),
    (between("S[(4,32):(32,1)]", local=False), "one fragment", "one side lies in registers and the other does not"),
    (
        between("S[(4,32):(1,1@laneid)]", given="S[(4,32):(32,1)] + R[2:128]"),
        "dst has a replica",
        "dst has a replica: 2 copies",
    ),
    (between("S[(4,32):(1,1@laneid)]", given="S[(4,32):(0,1)]"), "several elements in one place", "dst A puts 128"),
]


@pytest.mark.parametrize(("kernel", "code", "why"), FRAGMENTS)
def test_what_is_no_fragment_is_declined(kernel: PrimFunc, code: str, why: str) -> None:
    found = declined(kernel, by=WarpFragment())
    assert found.code == code
    assert found.message.startswith(why)


def test_a_start_at_which_elements_could_meet() -> None:
    """The region's layout is another one at every start, and the whole puts several elements in one place."""
    meeting = parse_layout("S[(2,2,32):(33,32,1)]")

    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32), layout=meeting)):
        T.cta_id([1])
        T.thread_id([32])
        for s in range(3):
            Tx.warp.permute_layout(B[s : s + 2, :], A[s : s + 2, :])

    found = declined(f, by=GENERAL)
    assert found.message == "dst B may put several elements on one offset at another run-time start"


def test_run_time_strides_are_declined_by_the_general_variant() -> None:
    pitch = TileLayout(S[(4, 32) : (SymInt("pitch"), 1)])
    operands = (Operand.whole(name, dtype("float32"), pitch, (4, 32)) for name in ("B", "A"))
    found = GENERAL.plan(Call("permute_layout", "warp", tuple(operands)))
    assert isinstance(found, Reject)
    assert found.code == "run-time layout"


def codes() -> set[str]:
    """The codes in the variants' sources, as regular expressions."""
    files = Path(inspect.getfile(WarpXorSwizzle)).parent.glob("*.py")
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    return {_pattern(call.args[0]) for call in nodes if ast.unparse(call.func) == "Reject"}


def _pattern(text: ast.expr) -> str:
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in parts)


def test_every_reason_has_its_program() -> None:
    """No code stands in the variants' sources without a program above.

    But one: "XOR bits" answers a fixed number of bits, which is given to the variant and not by a program.
    """
    shown = (
        {code for code, _ in (*WHOLE, *OURS)}
        | {case.values[1] for case in CASES}
        | {code for _, code, _ in FRAGMENTS}
        | {"warp size", "run-time layout"}
    )
    assert all(any(re.fullmatch(pattern, code) for pattern in codes()) for code in shown)
    unseen = {pattern for pattern in codes() if not any(re.fullmatch(pattern, code) for code in shown)}
    assert unseen == {re.escape("XOR bits")}
    assert len(codes()) > 20


def test_in_place_by_one_warp_is_fine() -> None:
    assert run(stages_in_place(1, 32).module).plans


def test_several_warps_may_copy_between_parts_of_one_buffer() -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 4, 32))):
        T.cta_id([1])
        T.thread_id([64])
        Tx.warp.permute_layout(A[0], A[1])

    a = np.arange(256, dtype=np.float32)
    simulate(run(f.module).module, [a])
    assert a[:128].tolist() == a[128:].tolist()


def test_a_warp_number_is_the_same_for_all_lanes() -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 4, 32)), B: T.Buffer((2, 4, 32))):
        T.cta_id([1])
        t = T.thread_id([64])
        if t // 32 == 1:
            for s in range(t >> 5, 2):
                Tx.warp.permute_layout(B[s], A[s])

    assert len(run(f.module).plans) == 1


def test_unknown_variant_by_name() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B, A, dispatch="nope")

    with pytest.raises(
        DispatchError,
        match="no variant named 'nope' is registered; permute_layout has warp_fragment, warp_scheduled, warp_xor",
    ):
        run(f.module)


def test_the_whole_message() -> None:
    with pytest.raises(DispatchError) as caught:
        run(program(dtypes=("uint32", "float32")).module)
    first, *table, place = str(caught.value).splitlines()
    assert first == "no variant executes warp permute_layout(B_buf[4, 32], A_buf[4, 32])"
    assert table == [
        "  variant          | why not",
        "  warp_xor_swizzle | dtype mismatch: dst=uint32 vs src=float32",
        "  warp_scheduled   | dtype mismatch: dst=uint32 vs src=float32",
        "  warp_fragment    | dtype mismatch: dst=uint32 vs src=float32",
    ]
    assert place.startswith(f"  at {__file__}:")
