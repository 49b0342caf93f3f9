"""Sparse products in tensor memory: every kind against the layout of the metadata; what metadata may say."""

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
from tilewright.errors import LayoutError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.collective.sparse import NOWHERE, ONE_OF_TWO, PAIRS, TWO_OF_FOUR, Pattern, pattern_of
from tilewright.targets.simulator.simulate import simulate

pytestmark = pytest.mark.usefixtures("as_text")

TYPES = {"f16": "bfloat16", "tf32": "tfloat32", "f8f6f4": "float8_e5m2", "i8": "int8"}
EIGHT, HALF = ("i8", "int32", "int8", "int8", 128, 64), ("f16", "float32", "float16", "float16", 128, 64)
META, SFA, SFB = 130, 140, 148  # columns
QUICK = (Phase.explicit, Phase.reuse, Phase.generate)  # a smaller kernel would take minutes to find


@st.composite
def told(draw: st.DrawFn, ctas: int = 1) -> tuple[InstructionDescriptor, int]:
    """A descriptor, and how many factors a row has."""
    name = draw(st.sampled_from([*KINDS]))
    kind = KINDS[name]
    m = 128 * ctas
    n = draw(st.sampled_from([n for n in extents_of_n(kind.table, m, ctas, sparse=True) if n <= 96]))
    selector = draw(st.integers(0, 3)) if name in ("f16", "tf32") else 0
    a = TYPES.get(name, "float4_e2m1fn" if "mxf4" in name else "float8_e4m3fn")
    scale = draw(st.sampled_from(sorted(kind.scales))) if kind.scaled else ""
    factors = (kind.factors or (0,))[-1]
    d = [*kind.results][-1]
    return InstructionDescriptor(name, d, a, a, m, n, sparse=True, selector=selector, scale=scale), factors


def product(found: InstructionDescriptor, factors: int, ctas: int) -> PrimFunc:
    """Tensor memory is brought there as it is, and back."""
    m, n = found.m // ctas, found.n // ctas
    scaled = f".block_scale.scale_vec::{factors}X" if factors else ""
    text = f"tcgen05.mma.sp.cta_group::{ctas}.kind::{found.kind}{scaled}"
    alloc, dealloc, commit = (f"tcgen05.{name}.cta_group::{ctas}" for name in ("alloc", "dealloc", "commit"))
    commit, mask, number = f"{commit}.multicast::cluster", (1 << ctas) - 1, found.encode()

    @T.prim_func
    def kernel(X: T.handle, Y: T.handle, M: T.handle) -> None:
        a = T.match_buffer(X, (ctas, m, 32), "uint8")
        b = T.match_buffer(Y, (ctas, n, 64), "uint8")
        memory = T.match_buffer(M, (ctas, 128, 256), "uint32")
        T.device_entry()
        T.cta_id([ctas])
        rank = T.cta_id_in_cluster([ctas])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((m, 32), "uint8", swizzle_mode=1)
        y = pool.alloc_mma((n, 64), "uint8", swizzle_mode=2)
        bar = T.alloc_shared((1,), "uint64")
        where = T.alloc_shared((1,), "uint32")
        word = T.alloc_local((128,), "uint32")
        if t < 32:
            T.ptx[alloc](where.ptr_to([0]), 256)
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        for c in T.serial(32):
            x[t, c] = a[rank, t, c]
        for c in T.serial(64):
            if t < n:
                y[t, c] = b[rank, t, c]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for i in T.serial(2):
            for c in T.serial(128):
                word[c] = memory[rank, t, 128 * i + c]
            T.tmem_atom("SM100_TMEM_STORE_32dp32b128x", word, own + T.cast(128 * i, "uint32"))
        T.ptx.tcgen05.wait__st()
        T.ptx.tcgen05.fence__before_thread_sync()
        T.cuda.cluster_sync()
        T.ptx.tcgen05.fence__after_thread_sync()
        at = where[0]
        if t == 0 and rank == 0:
            left, right = T.matrix_descriptor(x, unit="tcgen05"), T.matrix_descriptor(y, unit="tcgen05")
            if factors:
                sfa, sfb = at + T.uint32(SFA), at + T.uint32(SFB)
                T.ptx[text](at, left, right, at + T.uint32(META), T.uint32(number), sfa, sfb, 1)
            else:
                T.ptx[text](at, left, right, at + T.uint32(META), T.uint32(number), 1)
            T.ptx[commit](bar.ptr_to([0]), mask)
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.ptx.tcgen05.fence__after_thread_sync()
        for i in T.serial(2):
            T.tmem_atom("SM100_TMEM_LOAD_32dp32b128x", word, own + T.cast(128 * i, "uint32"))
            T.ptx.tcgen05.wait__ld()
            for c in T.serial(128):
                memory[rank, t, 128 * i + c] = word[c]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx[dealloc](where[0], 256)

    return kernel


def image(nibbles: Any, halves: bool, selector: int) -> Any:
    """Four columns of tensor memory with the metadata (row, chunk) of 128 rows."""
    words = np.zeros((128, 4), np.uint32)
    for row, chunk in np.ndindex(*nibbles.shape):
        lane, column, place = row, chunk // 8, chunk % 8
        if halves:
            lane, column = row // 16 * 16 + chunk // 4 * 8 + row % 8, selector
            place = chunk % 4 + row // 8 % 2 * 4
        words[lane, column] |= np.uint32(int(nibbles[row, chunk]) << (4 * place))
    return words


def codes(numbers: Any, bits: int) -> Any:
    """Rows of numbers as bytes."""
    raw = np.ascontiguousarray(numbers).view(np.uint8)
    return raw if bits >= 8 else raw[:, ::2] & 15 | raw[:, 1::2] << 4


@settings(max_examples=7, phases=QUICK)
@given(st.data(), st.sampled_from([1, 2]), st.integers(0, 99))
def test_products_are_where_the_layouts_say(data: st.DataObject, ctas: int, seed: int) -> None:
    found, factors = data.draw(told(ctas))
    rng, element, pattern = np.random.default_rng(seed), dtype(found.a), pattern_of(dtype(found.a).bits)
    m, n, k = found.m, found.n, 2 * TABLE[KINDS[found.kind].table].k
    known = [i for i in range(16) if pattern.places[i][0] != NOWHERE]
    nibbles = rng.choice(known, (m, k // pattern.width))
    stored, b = (rng.integers(-2, 3, shape).astype(np.float32) for shape in ((m, k // 2), (n, k)))
    a = np.zeros((m, k))
    for row, chunk in np.ndindex(*nibbles.shape):
        for part, place in enumerate(pattern.places[nibbles[row, chunk]]):
            for i in range(pattern.elements):
                at = chunk * pattern.stored * pattern.elements + part * pattern.elements + i
                a[row, chunk * pattern.width + place * pattern.elements + i] = stored[row, at]
    memory = rng.integers(0, 2**32, (ctas, 128, 256), np.uint32)
    halves = element.bits > 8
    for cta, own in enumerate(np.split(nibbles, ctas)):
        memory[cta, :, META : META + 4] = image(own, halves, found.selector)
    left, right = a, b.astype(np.float64)
    if factors:
        u, v = rng.integers(110, 120, (128, 4), np.uint8), rng.integers(110, 120, (96, 4), np.uint8)
        memory[:, :, SFA : SFA + 4] = np.tile(u.view(np.uint32).reshape(4, 32).T, (4, 1))
        memory[:, :, SFB : SFB + 3] = np.tile(v.view(np.uint32).reshape(3, 32).T, (4, 1))
        kind = dtype(found.scale).numpy()
        own, other = (x[:, :factors].copy().view(kind).astype(np.float64).repeat(k // factors, 1) for x in (u, v))
        left, right = left * np.tile(own, (ctas, 1)), right * other[:n]
    result = dtype(found.d).numpy()
    before = rng.integers(-9, 9, (m, n)).astype(result)
    memory[:, :, :n] = before.view(np.uint32).reshape(ctas, 128, n)
    after = memory.copy()
    after[:, :, :n] = (left @ right.T + before).astype(result).view(np.uint32).reshape(ctas, 128, n)
    sides = [codes(x.astype(element.numpy()), element.bits).reshape(ctas, len(x) // ctas, -1) for x in (stored, b)]
    simulate(run(product(found, factors, ctas).module).module, [*sides, memory], arch="sm_100a")
    assert (memory == after).all()


@pytest.mark.parametrize("pattern", [TWO_OF_FOUR, PAIRS, ONE_OF_TWO], ids=["2:4", "4:8", "1:2"])
def test_half_of_a_chunk_is_stored_at_places_of_its_own(pattern: Pattern) -> None:
    known = [places for places in pattern.places if places[0] != NOWHERE]
    assert len(known) == len(set(known)) == (2 if pattern is ONE_OF_TWO else 7)
    assert 2 * pattern.stored == pattern.parts
    for places in known:
        assert len(set(places)) == pattern.stored
        assert all(0 <= place < pattern.parts for place in places)


def test_the_lower_bits_say_where_the_first_one_stands() -> None:
    for pattern in (TWO_OF_FOUR, PAIRS):
        assert pattern.places[0b1100] == (0, 3)
        assert pattern.places[0b1001] == (1, 2)
        assert pattern.places[0b0110] == (2, 1)
    assert [ONE_OF_TWO.places[n] for n in (0b0100, 0b1110)] == [(0,), (1,)]


@given(told())
def test_what_is_encoded_is_decoded(found: tuple[InstructionDescriptor, int]) -> None:
    assert InstructionDescriptor.decode(found[0].encode(), found[0].kind) == found[0]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: InstructionDescriptor(*EIGHT, sparse=True, selector=1), "selector is one of 0 here"),
        (lambda: InstructionDescriptor(*HALF, selector=1), "selector is one of 0 here"),
        (lambda: InstructionDescriptor(*HALF, sparse=True, selector=4), "selector is one of 0, 1, 2, 3 here"),
    ],
)
def test_descriptors_refuse(make: Callable[[], object], match: str) -> None:
    with pytest.raises(LayoutError, match=match):
        make()


def test_texts_read_back() -> None:
    e2m1 = "float4_e2m1fn"
    found = InstructionDescriptor("mxf4", "float32", e2m1, e2m1, 128, 64, sparse=True, scale="float8_e8m0fnu")
    module = product(found, 2, 1).module
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    assert "mma.sp.cta_group::1.kind::mxf4.block_scale.scale_vec::2X" in script(module)
