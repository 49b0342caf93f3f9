"""Block-scaled products: every kind against the layouts of operands and factors; descriptors; refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tilewright.atoms.instruction_descriptors import KINDS, InstructionDescriptor
from tilewright.atoms.sm100 import KINDS as TABLE
from tilewright.atoms.sm100 import extents_of_n
from tilewright.dtypes import dtype
from tilewright.errors import KernelError, LayoutError, UsageError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.hardware.tmem import tmem_mma_operand_layout

pytestmark = pytest.mark.usefixtures("as_text")

SCALED = [name for name, kind in KINDS.items() if kind.scaled]
E8M0, E4M3, E2M1 = "float8_e8m0fnu", "float8_e4m3fn", "float4_e2m1fn"
MX4 = ("mxf4", "float32", E2M1, E2M1)
NV4 = ("mxf4nvf4", "float32", E2M1, E2M1, 128, 64)
QUICK = (Phase.explicit, Phase.reuse, Phase.generate)  # a smaller kernel would take minutes to find


@st.composite
def told(draw: st.DrawFn, ctas: int = 1) -> tuple[InstructionDescriptor, int]:
    """A descriptor, and how many factors a row has."""
    name = draw(st.sampled_from(SCALED))
    kind = KINDS[name]
    scale = draw(st.sampled_from([*kind.scales]))
    factors = draw(st.sampled_from([n for n in kind.factors if scale == E8M0 or n == 4]))
    m = draw(st.sampled_from(TABLE[kind.table].rows[ctas - 1]))
    n = draw(st.sampled_from([n for n in extents_of_n(kind.table, m, ctas) if n <= 128]))
    a, b = (draw(st.sampled_from([*kind.types])) for _ in "ab")
    ids = {1: range(4), 2: (0, 2), 4: (0,)}[factors]
    negated = [draw(st.booleans()) for _ in "ab"]
    sfa, sfb = (draw(st.sampled_from(ids)) for _ in "ab")
    return InstructionDescriptor(name, "float32", a, b, m, n, *negated, scale=scale, sfa=sfa, sfb=sfb), factors


@given(told())
def test_what_is_encoded_is_decoded(found: tuple[InstructionDescriptor, int]) -> None:
    bits = found[0].encode()
    assert 0 <= bits < 1 << 32
    assert InstructionDescriptor.decode(bits, found[0].kind) == found[0]


@given(st.integers(0, 2**32 - 1), st.sampled_from(SCALED))
def test_what_is_decoded_is_encoded(bits: int, kind: str) -> None:
    try:
        found = InstructionDescriptor.decode(bits, kind)
    except LayoutError:
        return
    assert found.encode() == bits


@pytest.mark.parametrize(
    ("changed", "bits"),
    [
        ({"sfb": 1}, 1 << 4),
        ({"a": "float8_e5m2"}, 1 << 7),
        ({"b": "float8_e5m2"}, 1 << 10),
        ({"negate_a": True}, 1 << 13),
        ({"mn_b": True}, 1 << 16),
        ({"n": 256}, 31 << 17),
        ({"m": 256}, 1 << 27),
        ({"sfa": 3}, 3 << 29),
        ({"sparse": True}, 1 << 2),
    ],
)
def test_fields_lie_where_ptx_has_them(changed: dict[str, Any], bits: int) -> None:
    told = {"m": 128, "n": 8, "a": E4M3, "b": E4M3, "scale": E8M0, "d": "float32", "kind": "mxf8f6f4"}
    plain, other = (InstructionDescriptor(**{**told, **more}) for more in ({}, changed))
    assert other.encode() - plain.encode() == bits
    assert InstructionDescriptor.decode(other.encode(), "mxf8f6f4") == other


def product(found: InstructionDescriptor, factors: int, ctas: int, scale: bool, tensor: bool) -> PrimFunc:
    """Factors come from shared memory by `tcgen05.cp`, D from tensor memory and goes back; A may lie there."""
    m, n, parts = found.m // ctas, found.n // ctas, folds(found, ctas)
    lanes, blocks = 32 * parts, -(-found.n // parts // 128)
    text = f"tcgen05.mma.cta_group::{ctas}.kind::{found.kind}.block_scale.scale_vec::{factors}X"
    alloc, dealloc, commit = (f"tcgen05.{name}.cta_group::{ctas}" for name in ("alloc", "dealloc", "commit"))
    commit, mask, number = f"{commit}.multicast::cluster", (1 << ctas) - 1, found.encode()
    copy = f"tcgen05.cp.cta_group::{ctas}.32x128b.warpx4"
    upper = found.sfa << 30
    twice = copy if parts == 1 else f"tcgen05.cp.cta_group::{ctas}.64x128b.warpx2::01_23"

    @T.prim_func
    def kernel(X: T.handle, Y: T.handle, U: T.handle, V: T.handle, W: T.handle, M: T.handle) -> None:
        w = T.match_buffer(W, (ctas, 128, 8), "uint32")
        a = T.match_buffer(X, (ctas, m, 32), "uint8")
        b = T.match_buffer(Y, (ctas, n, 32), "uint8")
        u = T.match_buffer(U, (ctas, 32, 16), "uint8")
        v = T.match_buffer(V, (ctas, blocks, lanes, 16), "uint8")
        memory = T.match_buffer(M, (ctas, 128, 128), "uint32")
        T.device_entry()
        T.cta_id([ctas])
        rank = T.cta_id_in_cluster([ctas])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((m, 32), "uint8", swizzle_mode=1)
        y = pool.alloc_mma((n, 32), "uint8", swizzle_mode=1)
        rows = pool.alloc_mma((32, 16), "uint8", swizzle_mode=0)
        columns = pool.alloc_mma((blocks, lanes, 16), "uint8", swizzle_mode=0)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        word = T.alloc_local((128,), "uint32")
        if t < 32:
            T.ptx[alloc](where.ptr_to([0]), 256)
            for c in T.serial(16):
                rows[t, c] = u[rank, t, c]
                for i in T.serial(blocks):
                    for j in T.serial(parts):
                        columns[i, 32 * j + t, c] = v[rank, i, 32 * j + t, c]
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for c in T.serial(32):
            if t < m:
                x[t, c] = a[rank, t, c]
            if t < n:
                y[t, c] = b[rank, t, c]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for c in T.serial(128):
            word[c] = memory[rank, t, c]
        T.tmem_atom("SM100_TMEM_STORE_32dp32b128x", word, own)
        if tensor:
            for c in T.serial(8):
                word[c] = w[rank, t, c]
            T.tmem_atom("SM100_TMEM_STORE_32dp32b8x", word, own + T.uint32(200))
        T.ptx.tcgen05.wait__st()
        T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cluster_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        if t == 0 and rank == 0:
            T.ptx[copy](where[0] + T.uint32(131), T.matrix_descriptor(rows, unit="tcgen05"))
            for i in T.unroll(blocks):
                T.ptx[twice](where[0] + T.uint32(140 + 4 * i), T.matrix_descriptor(columns[i, 0, 0], unit="tcgen05"))
            left, right = T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05")
            sfa, sfb = where[0] + T.uint32(131 + upper), where[0] + T.uint32(140)  # the upper bits have no say
            if tensor:
                T.ptx[text](where[0], where[0] + T.uint32(200), right, T.uint32(number), sfa, sfb, scale)
            else:
                T.ptx[text](where[0], left, right, T.uint32(number), sfa, sfb, scale)
            T.ptx[commit](bar.ptr_to([0]), mask)
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        T.tmem_atom("SM100_TMEM_LOAD_32dp32b128x", word, own)
        T.ptx.tcgen05.wait__ld()
        for c in T.serial(128):
            memory[rank, t, c] = word[c]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx[dealloc](where[0], 256)

    return kernel


def folds(found: InstructionDescriptor, ctas: int) -> int:
    """In how many parts of the lanes columns of B lie."""
    return 2 if (found.m, ctas) == (128, 2) else 1


def stored(codes: Any, bits: int, packed: bool) -> Any:
    """Codes of rows as they lie in memory: 16 of them in 16 bytes, or one after the other."""
    each = np.unpackbits(codes[..., None].astype(np.uint8), axis=-1, bitorder="little")[..., :bits]
    if packed:
        return np.packbits(each.reshape(len(codes), -1), axis=-1, bitorder="little")
    chunks = each.reshape(len(codes), -1, 16 * bits)
    whole = np.zeros((*chunks.shape[:2], 128), np.uint8)
    whole[..., : 16 * bits] = chunks
    return np.packbits(whole.reshape(len(codes), -1), axis=-1, bitorder="little")


def factors_of(rng: np.random.Generator, rows: int, count: int, first: int, scale: str, split: int) -> Any:
    """Factors of rows, as numbers, and as 32 x 16 bytes for each 128 rows, of so many equal parts."""
    codes = rng.integers(120, 134, (rows, count)) if scale == E8M0 else rng.integers(8, 120, (rows, count))
    numbers = codes.astype(np.uint8).view(dtype(scale).numpy()).astype(np.float64)
    own = rows // split
    held = rng.integers(0, 255, (split, -(-own // 128), 128, 4), np.uint8)
    for part in range(split):
        flat = held[part].reshape(-1, 4)
        flat[:own, first : first + count] = codes[part * own : (part + 1) * own]
    return numbers, np.ascontiguousarray(held.reshape(split, -1, 4, 32, 4).swapaxes(2, 3)).reshape(split, -1, 32, 16)


@settings(max_examples=8, phases=QUICK)
@given(st.data(), st.sampled_from([1, 2]), st.booleans(), st.booleans(), st.integers(0, 99))
def test_products_are_where_the_layouts_say(
    data: st.DataObject, ctas: int, scale: bool, tensor: bool, seed: int
) -> None:
    """A in tensor memory has elements of a byte, or 4 bits of kinds that pack them."""
    found, factors = data.draw(told(ctas))
    rng, packed = np.random.default_rng(seed), found.kind != "mxf8f6f4"
    k, (m, n), rows = TABLE[KINDS[found.kind].table].k, (found.m, found.n), found.m // ctas
    sides, operands = [], []
    for extent, name in ((m, found.a), (n, found.b)):
        kind = dtype(name)
        numbers = rng.integers(-2, 3, (extent, k)).astype(np.float32).astype(kind.numpy())
        codes = numbers.view(np.uint8) & ((1 << kind.bits) - 1)
        operands.append(numbers.astype(np.float64))
        sides.append(stored(codes, kind.bits, packed or kind.bits == 8).reshape(ctas, extent // ctas, 32))
    sfa, held_a = factors_of(rng, m, factors, found.sfa, found.scale, ctas)
    sfb, held_b = factors_of(rng, n, factors, found.sfb, found.scale, folds(found, ctas))
    held_b = np.concatenate([*held_b], axis=1)[None]
    before = rng.integers(-9, 9, (m, n)).astype(np.float32)
    left, right = operands[0] * sfa.repeat(k // factors, 1), operands[1] * sfb.repeat(k // factors, 1)
    sign = (-1) ** (found.negate_a + found.negate_b)
    result = (sign * (left @ right.T) + before * scale).astype(np.float32) + np.float32(0)
    layout = tmem_mma_operand_layout("D", (rows, n), "float32", M=m, cta_group=ctas)
    where = [[layout.apply(i * n + j) for j in range(n)] for i in range(rows)]
    lanes, columns = (np.array([[x.get(axis, 0) for x in row] for row in where]) for axis in ("TLane", "TCol"))
    memory = rng.integers(0, 2**32, (ctas, 128, 128), np.uint32)
    memory[:, lanes, columns] = before.view(np.uint32).reshape(ctas, rows, n)
    after = memory.copy()
    after[:, lanes, columns] = result.view(np.uint32).reshape(ctas, rows, n)
    tensor &= (packed or dtype(found.a).bits == 8) and n in extents_of_n(KINDS[found.kind].table, m, ctas, "TS")
    words = np.zeros((ctas, 128, 8), np.uint32)
    words[:] = np.tile(np.ascontiguousarray(sides[0]).view(np.uint32), (1, 128 // rows, 1))
    module = run(product(found, factors, ctas, scale, tensor).module).module
    arguments = [*sides, held_a[:, 0].copy(), held_b.repeat(ctas, axis=0), words, memory]
    simulate(module, arguments, arch="sm_100a", mma="fast" if seed % 4 == 0 and found.scale == E8M0 else "exact")
    found_d = memory[:, lanes, columns].view(np.float32)
    memory[:, lanes, columns] = (found_d + np.float32(0)).view(np.uint32)  # the fast way has zeros of either sign
    assert (memory == after).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: InstructionDescriptor(*MX4, 128, 64), "has scale factors of type float8_e8m0fnu, got"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, scale=E4M3), "has scale factors of type float8_e8m0fnu"),
        (lambda: InstructionDescriptor(*MX4, 64, 64, scale=E8M0), "M of a tcgen05.mma is a multiple of 128"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, scale=E8M0, sfa=1), "ID of A is one of 0, 2 here, got 1"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, scale=E8M0, sfb=4), "ID of B is one of 0, 2 here, got 4"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, mn_a=True, scale=E8M0), "lie K-major"),
        (lambda: InstructionDescriptor("f16", "float32", "float16", "float16", 128, 64, scale=E8M0), "no scale"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, scale=E8M0).atom("SS", 1, 4), "has not 4 scale factors"),
        (lambda: InstructionDescriptor(*MX4, 128, 64, scale=E8M0).atom("SS"), "has not 0 scale factors"),
        (lambda: InstructionDescriptor(*NV4, scale=E4M3).atom("SS", 1, 2), "of type float8_e4m3fn"),
        (lambda: InstructionDescriptor(*NV4, scale=E4M3, sfa=2).atom("SS", 1, 4), "whole word"),
        (lambda: InstructionDescriptor.decode(1 << 31, "mxf4"), "says K = 96"),
    ],
)
def test_descriptors_refuse(make: Callable[[], object], match: str) -> None:
    with pytest.raises((LayoutError, UsageError), match=match):
        make()


def encoded(**changed: Any) -> PrimFunc:
    words = {"sfa_dtype": E4M3, "sfb_dtype": E4M3, "K": 64, "n_cta_groups": 1, **changed}
    sfa, sfb, depth, groups = words["sfa_dtype"], words["sfb_dtype"], words["K"], words["n_cta_groups"]

    @T.prim_func
    def kernel(A: T.Buffer((1,), "uint32"), B: T.Buffer((2,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([1])
        idesc = T.alloc_local((1,), "uint32")
        T.cuda.tcgen05.encode_instr_descriptor_block_scaled(
            idesc.data,
            d_dtype="float32",
            a_dtype=E2M1,
            b_dtype=E2M1,
            sfa_dtype=sfa,
            sfb_dtype=sfb,
            sfa_tmem_addr=B[0],
            sfb_tmem_addr=B[1],
            M=128,
            N=64,
            K=depth,
            trans_a=False,
            trans_b=False,
            n_cta_groups=groups,
        )
        A[0] = idesc[0]

    return kernel


@given(st.sampled_from([0, 2]), st.sampled_from([0, 2]))
@settings(max_examples=4)
def test_addresses_say_which_byte_comes_first(sfa: int, sfb: int) -> None:
    words = np.zeros(1, np.uint32)
    addresses = np.array([sfa << 30 | 7, sfb << 30 | 9], np.uint32)
    simulate(run(encoded(sfa_dtype=E8M0, sfb_dtype=E8M0).module).module, [words, addresses], arch="sm_100a")
    assert words[0] == InstructionDescriptor(*MX4, 128, 64, scale=E8M0, sfa=sfa, sfb=sfb).encode()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: encoded(sfb_dtype=E8M0), "have one type, got float8_e4m3fn and float8_e8m0fnu"),
        (lambda: encoded(K=32), "K of kind::mxf4nvf4 is 64, got 32"),
        (lambda: encoded(n_cta_groups=4), "n_cta_groups is 1 or 2, got 4"),
        (lambda: encoded(sfa_dtype="float16", sfb_dtype="float16"), "a kind of tcgen05.mma is one of"),
    ],
)
def test_the_language_refuses(make: Callable[[], PrimFunc], match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()


def test_texts_read_back() -> None:
    module = product(InstructionDescriptor(*MX4, 256, 64, scale=E8M0), 2, 2, True, False).module
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    assert "kind::mxf4.block_scale.scale_vec::2X" in script(module)
