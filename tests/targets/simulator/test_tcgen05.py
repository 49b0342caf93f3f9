"""Products in tensor memory: every kind, shape and major against the layouts of the operands; descriptors; refusals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from faults import kernels
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.atoms.instruction_descriptors import KINDS, InstructionDescriptor
from tilewright.atoms.sm100 import extents_of_n
from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError, LayoutError, SimulationError, UsageError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.observers.instructions import InstructionCounter
from tilewright.targets.simulator.simulate import Simulator, simulate
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.hardware.shared import mma_shared_layout
from tilewright.tirx.hardware.tmem import tmem_datapath_layout, tmem_mma_operand_layout
from tilewright.tirx.swizzle_layout import SwizzleLayout

pytestmark = pytest.mark.usefixtures("as_text")

CLEAN = [case for case in kernels()[1] if case.name.endswith("tensor memory") and not case.name.startswith("rows")]
HALF = ("f16", "float32", "float16", "float16")
DEPTH = {"f16": 16, "tf32": 8, "f8f6f4": 32, "i8": 32}
QUICK = (Phase.explicit, Phase.reuse, Phase.generate)  # a smaller kernel would take minutes to find


@st.composite
def told(draw: st.DrawFn, ctas: int = 1, ws: bool = False) -> InstructionDescriptor:
    kind = draw(st.sampled_from([*DEPTH]))
    table, results, types = KINDS[kind].table, KINDS[kind].results, [x for x in KINDS[kind].types if dtype(x).bits >= 8]
    m = draw(st.sampled_from([32, 64, 128] if ws else [64 * ctas, 128 * ctas]))
    known = [n for n in (64, 128, 256) if n * m <= 8192] if ws else extents_of_n(table, m, ctas)
    n = draw(st.sampled_from([n for n in known if n <= 64 or ws]))
    d, a, b = (draw(st.sampled_from([*known])) for known in (results, types, types))
    negated = [kind != "i8" and draw(st.booleans()) for _ in "ab"]
    fits = [kind == "f16" or (kind == "tf32" and extent // ctas % 32 == 0) for extent in (m, n)]
    majors = [fit and draw(st.booleans()) for fit in fits]
    return InstructionDescriptor(kind, d, a, b, m, n, *negated, *majors, kind == "i8" and draw(st.booleans()))


@given(told())
def test_what_is_encoded_is_decoded(found: InstructionDescriptor) -> None:
    bits = found.encode()
    assert 0 <= bits < 1 << 32
    assert InstructionDescriptor.decode(bits, found.kind) == found


@given(st.integers(0, 2**32 - 1), st.sampled_from([*KINDS]))
def test_what_is_decoded_is_encoded(bits: int, kind: str) -> None:
    try:
        found = InstructionDescriptor.decode(bits, kind)
    except LayoutError:
        return
    assert found.encode() == bits


def in_blocks_of_32_bytes(shape: tuple[int, int]) -> ComposeLayout:
    """A tile (K, MN) of 32-bit elements, of which 4 lines are an atom whose 32-byte chunks trade places."""
    k, mn = shape
    atoms = T.TileLayout(T.S[(k // 4, 4, mn // 32, 32) : (128, 32, 32 * k, 1)])
    return ComposeLayout(SwizzleLayout(3, 2, 2), atoms)


def product(
    found: InstructionDescriptor, bits: int, tensor: bool, lane: int, scale: bool, ctas: int = 1, ws: bool = False
) -> PrimFunc:
    """Operands lie as buffers of tensor cores do; A, if it is to, in tensor memory; D is brought there and back."""
    m, n, k = found.m // ctas, found.n // ctas, DEPTH[found.kind]
    text, number, code = f"tcgen05.mma{'.ws' * ws}.cta_group::{ctas}.kind::{found.kind}", found.encode(), f"uint{bits}"
    mn_a, mn_b = found.mn_a, found.mn_b
    x_shape, y_shape = (k, m) if mn_a else (m, k), (k, n) if mn_b else (n, k)
    wide_x, wide_y = (min(64, shape[1]) if flag else 0 for flag, shape in ((mn_a, x_shape), (mn_b, y_shape)))
    mode = {16: 0, 32: 1, 64: 2, 128: 3}
    x_mode, y_mode = (mode.get((wide or k) * bits // 8, 0) for wide in (wide_x, wide_y))
    x_layout, y_layout = (
        in_blocks_of_32_bytes(shape) if flag and bits == 32 else mma_shared_layout(code, number, shape)
        for flag, number, shape in ((mn_a, x_mode, x_shape), (mn_b, y_mode, y_shape))
    )
    words = k * bits // 32
    alloc, dealloc, commit = (f"tcgen05.{name}.cta_group::{ctas}" for name in ("alloc", "dealloc", "commit"))
    commit, mask = f"{commit}.multicast::cluster", (1 << ctas) - 1

    @T.prim_func
    def kernel(X: T.handle, Y: T.handle, W: T.handle, M: T.handle) -> None:
        a = T.match_buffer(X, (ctas, *x_shape), code)
        b = T.match_buffer(Y, (ctas, *y_shape), code)
        w = T.match_buffer(W, (ctas, 128, words), "uint32")
        memory = T.match_buffer(M, (ctas, 128, 64), "uint32")
        T.device_entry()
        T.cta_id([ctas])
        rank = T.cta_id_in_cluster([ctas])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc(x_shape, code, align=1024, layout=x_layout)
        y = pool.alloc(y_shape, code, align=1024, layout=y_layout)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        word = T.alloc_local((64,), "uint32")
        if t < 32:
            T.ptx[alloc](where.ptr_to([0]), 128)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for i in T.serial((x_shape[0] * x_shape[1] + 127) // 128):
            if i * 128 + t < x_shape[0] * x_shape[1]:
                row, column = T.meta_var((i * 128 + t) // x_shape[1]), T.meta_var((i * 128 + t) % x_shape[1])
                x[row, column] = a[rank, row, column]
        for i in T.serial((y_shape[0] * y_shape[1] + 127) // 128):
            if i * 128 + t < y_shape[0] * y_shape[1]:
                row, column = T.meta_var((i * 128 + t) // y_shape[1]), T.meta_var((i * 128 + t) % y_shape[1])
                y[row, column] = b[rank, row, column]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for c in T.serial(64):
            word[c] = memory[rank, t, c]
        T.tmem_atom("SM100_TMEM_STORE_32dp32b64x", word, own + T.uint32(3))
        for c in T.serial(words):
            word[c] = w[rank, t, c]
        T.tmem_atom("SM100_TMEM_STORE_32dp32b8x", word, own + T.uint32(80))
        T.ptx.tcgen05.wait__st()
        T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cluster_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        to = T.cuda.get_tmem_addr(where[0], lane, 3)
        right = T.matrix_descriptor(y, mn_b, unit="tcgen05")
        left = T.matrix_descriptor(x, mn_a, unit="tcgen05")
        if t == 0 and rank == ctas - 1:
            if tensor:
                of_a = T.cuda.get_tmem_addr(where[0], lane, 80)
                T.ptx[text](to, of_a, right, T.uint32(number), scale)
            else:
                T.ptx[text](to, left, right, T.uint32(number), scale)
            T.ptx[commit](bar.ptr_to([0]), mask)
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.tmem_atom("SM100_TMEM_LOAD_32dp32b64x", word, own + T.uint32(3))
        T.ptx.tcgen05.wait__ld()
        for c in T.serial(64):
            memory[rank, t, c] = word[c]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx[dealloc](where[0], 128)

    return kernel


def matrix(rng: np.random.Generator, kind: DType, rows: int, columns: int) -> Any:
    """Small whole numbers."""
    drawn = rng.integers(0 if kind.name == "uint8" else -3, 4, (rows, columns))
    return drawn, (drawn if kind.is_integer else drawn.astype(np.float32)).astype(kind.numpy())


@settings(max_examples=16, phases=QUICK)
@given(st.data(), st.sampled_from([1, 2, 3]), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 99))
def test_products_are_where_the_layouts_say(
    data: st.DataObject, form: int, tensor: bool, upper: bool, scale: bool, seed: int
) -> None:
    """Of a CTA, of a pair, and weight-stationary ones."""
    ctas, ws = form % 3 or 1, form == 3
    found = data.draw(told(ctas, ws))
    rng, k, (m, n) = np.random.default_rng(seed), DEPTH[found.kind], (found.m, found.n)
    kind, *kinds = (dtype(x) for x in (found.d, found.a, found.b))
    tensor, lane = tensor and n % (16 * ctas) == 0 and not found.mn_a and not ws, 16 * (upper and m == 64 and not ws)
    (a, left), (b, right) = matrix(rng, kinds[0], m, k), matrix(rng, kinds[1], n, k)
    c, before = matrix(rng, kind, m, n)
    bits, rows = kinds[0].bits, m // ctas
    sides = ((np.split(left, ctas), found.mn_a), (np.split(right, ctas), found.mn_b))
    whole = [np.ascontiguousarray([x.T if flag else x for x in parts]) for parts, flag in sides]
    codes = [x.view(f"u{bits // 8}") for x in whole]
    words = np.zeros((ctas, 128, k * bits // 32), np.uint32)
    if ws:
        layout = tmem_datapath_layout({32: "G", 64: "E", 128: "D"}[m], m, n)
    else:
        layout = tmem_mma_operand_layout("D", (rows, n), "float32", M=m, cta_group=ctas)
    where = [[layout.apply(i * n + j) for j in range(n)] for i in range(rows)]
    lanes, columns = (np.array([[x.get(axis, 0) for x in row] for row in where]) for axis in ("TLane", "TCol"))
    words[:, lanes[:, 0] + lane] = np.ascontiguousarray(left).view(np.uint32).reshape(ctas, rows, -1)
    if (m, ctas) == (128, 2):
        words[:, rows:] = words[:, :rows]
    sign = (-1) ** (found.negate_a + found.negate_b)
    result = (sign * (a @ b.T) + c * scale).astype(np.float32).astype(kind.numpy())
    memory = rng.integers(0, 2**32, (ctas, 128, 64), np.uint32)
    memory[:, lanes + lane, columns] = before.view(f"u{kind.bits // 8}").reshape(ctas, rows, n)
    after = memory.copy()
    after[:, lanes + lane, columns] = result.view(f"u{kind.bits // 8}").reshape(ctas, rows, n)
    module = run(product(found, bits, tensor, lane, scale, ctas, ws).module).module
    simulate(module, [*codes, words, memory], arch="sm_100a", mma="fast" if seed % 2 else "exact")
    assert (memory == after).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: InstructionDescriptor("f4", "float32", "float16", "float16", 128, 64), "a kind of tcgen05.mma"),
        (lambda: InstructionDescriptor("f16", "float32", "float32", "float16", 128, 64), "A of kind::f16 has type"),
        (lambda: InstructionDescriptor("tf32", "float16", "tfloat32", "tfloat32", 128, 64), "D of kind::tf32"),
        (lambda: InstructionDescriptor("f16", "float32", "float16", "float16", 120, 64), "M of a tcgen05.mma"),
        (lambda: InstructionDescriptor("f16", "float32", "float16", "float16", 128, 4), "N of a tcgen05.mma"),
        (lambda: InstructionDescriptor("i8", "int32", "int8", "int8", 128, 64, True), "negates no operand"),
        (lambda: InstructionDescriptor("f16", "float32", "float16", "float16", 128, 64, saturate=True), "saturates"),
        (lambda: InstructionDescriptor.decode(1 << 29, "f16"), "tcgen05|no"),
        (lambda: InstructionDescriptor(*HALF, 32, 64).atom("SS"), "has M in"),
    ],
)
def test_descriptors_refuse(make: Callable[[], object], match: str) -> None:
    with pytest.raises((LayoutError, UsageError), match=match):
        make()


def spoken(text: str, *operands: Any, groups: int = 1, depth: int = 16) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        bar = T.alloc_shared((1,), "uint64")
        idesc = T.alloc_local((1,), "uint32")
        T.cuda.tcgen05.encode_instr_descriptor(
            idesc.data,
            d_dtype="float32",
            a_dtype="float16",
            b_dtype="float16",
            M=128,
            N=64,
            K=depth,
            trans_a=False,
            trans_b=False,
            n_cta_groups=groups,
        )
        T.ptx[text](*operands)
        T.ptx.tcgen05.commit(bar.ptr_to([0]))

    return kernel


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(spoken, "tcgen05.mma.kind::f16", 0, 0, 0, 0, 0), "B is a matrix descriptor, a uint64"),
        (partial(spoken, "tcgen05.mma.kind::f16", 0, 0.5, 0, 0, 0), "where it is no matrix descriptor"),
        (partial(spoken, "tcgen05.mma", 0, 0, 0, 0, 0), "one of the kinds kind::f16"),
        (partial(spoken, "tcgen05.mma.kind::mxf4.block_scale", 0, 0, 0, 0, 0), "missing a required argument"),
        (partial(spoken, "tcgen05.mma.kind::mxf4.block_scale", 0, 0, 0, 0, 0, 0, 0), "B is a matrix descriptor"),
        (partial(spoken, "tcgen05.mma.kind::mxf4nvf4.block_scale", *[0] * 7), "says how many scale factors"),
        (partial(spoken, "tcgen05.mma.kind::mxf4.block_scale.scale_vec::4X", *[0] * 7), "a row has: scale_vec::2X"),
        (partial(spoken, "tcgen05.mma.kind::mxf8f6f4", *[0] * 5), "'kind::mxf8f6f4' is not one"),
        (partial(spoken, "tcgen05.mma.cta_group::3.kind::f16", 0, 0, 0, 0, 0), "'cta_group::3' is not one"),
        (partial(spoken, "tcgen05.mma.ws.cta_group::2.kind::f16", 0, 0, 0, 0, 0), "'cta_group::2' is not one"),
        (partial(spoken, "tcgen05.mma.ws.kind::f16", 0, 0, 0, 0, 0, 0), "too many positional arguments"),
        (partial(spoken, "tcgen05.cp.cta_group::1.128x256b", 0, 0), "the source is a matrix descriptor"),
        (partial(spoken, "tcgen05.cp.128x256b.warpx4", 0, 0), "has one of the shapes 128x256b"),
        (partial(spoken, "tcgen05.cp.4x256b", 0, 0), "the source is a matrix descriptor"),
        (partial(spoken, "tcgen05.wait::ld", groups=3), "n_cta_groups is 1 or 2, got 3"),
        (partial(spoken, "tcgen05.wait::ld", depth=32), "K of kind::f16 is 16, got 32"),
    ],
)
def test_the_language_refuses(make: Callable[[], PrimFunc], match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_texts_read_back(case: Any) -> None:
    module = case.kernel().module
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    assert "tcgen05.commit" in script(module)


@pytest.mark.parametrize("arch", ["sm_90a", "sm_120"])
def test_only_blackwell_has_it(arch: str) -> None:
    case = CLEAN[0]
    with pytest.raises(SimulationError, match=rf"of sm_100a, not of {arch}"):
        simulate(run(case.kernel().module).module, case.arguments(), arch=arch)


def test_the_corpus_is_there() -> None:
    assert len(CLEAN) >= 15


@pytest.mark.parametrize(
    ("name", "unit", "count"),
    [
        ("a product in tensor memory", "mma float16", 5 * 2 * 128 * 32 * 16),
        ("a product of a pair in tensor memory", "mma float16", 4 * 2 * 256 * 32 * 16),
        ("a scaled product in tensor memory", "mma float4", 2 * 128 * 32 * 64),
        ("a sparse product in tensor memory", "mma float16", 2 * 128 * 32 * 32 // 2),
        ("a weight-stationary product of 32 rows in tensor memory", "mma float16", 2 * 32 * 64 * 16),
    ],
)
def test_what_products_compute_is_counted(name: str, unit: str, count: int) -> None:
    case = next(case for case in kernels()[1] if case.name == name)
    report = tw.compile(case.kernel(), target="simulator:sm_100a").profile(*case.arguments())
    assert report.instructions.flops == {unit: count}
    assert report.bound is not None
    assert unit in str(report.bound)


def test_each_block_computes_products_of_its_own() -> None:
    case = next(case for case in kernels()[1] if case.name == "a product in tensor memory")
    text, one, two = print_module(run(case.kernel().module).module), "grid = array<i64: 1,", "grid = array<i64: 2,"
    assert one in text
    counter = InstructionCounter(32)
    Simulator(parse_module(text.replace(one, two))).run(case.arguments(), arch="sm_100a", watch=counter)
    assert counter.flops == {"mma float16": 2 * 5 * 2 * 128 * 32 * 16}
