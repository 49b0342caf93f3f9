"""Loads of tensor memory that reduce: by PTX's rules for signs, zeros and NaNs; texts; what is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from faults import kernels
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.errors import KernelError, SimulationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.tmem import REDUCTIONS
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.ops.tensor.reductions import NAN, reduced
from tilewright.targets.simulator.simulate import simulate

pytestmark = pytest.mark.usefixtures("as_text")

SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -1.5], np.float32).view(np.uint32).tolist()
WORDS = arrays(np.uint32, (3, 4), elements=st.one_of(st.sampled_from(SPECIAL), st.integers(0, 2**32 - 1)))


def one(words: list[int], how: str) -> int:
    """Word by word."""
    *told, kind = how.split(".")
    least = told[0] == "min"
    if kind != "f32":
        signed = [word - (word >> 31 << 32) if kind == "s32" else word for word in words]
        return (min if least else max)(signed) % 2**32
    words = [word & 0x7FFFFFFF if "abs" in told else word for word in words]
    good = [word for word in words if word & 0x7FFFFFFF <= 0x7F800000]
    if not good or ("NaN" in told and len(good) < len(words)):
        return int(NAN)
    keyed = [(float(np.uint32(word).view(np.float32)), -(word >> 31), word) for word in good]  # -0 is less than 0
    return (min if least else max)(keyed)[2]


@given(WORDS, st.sampled_from(sorted(REDUCTIONS)))
def test_each_lane_has_its_least_or_greatest(words: Any, how: str) -> None:
    assert reduced(words, how).tolist() == [one(row, how) for row in words.tolist()]


STATISTICS = [catalog.copy(name) for name in catalog.list("SM100_TMEM_LOAD_STAT", kind="copy")]


def loading(atom: str, how: str = "max.f32", reduces: bool = True, kind: str = "uint32") -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((128,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((128,), "uint32")
        r = T.alloc_local((1,), kind)
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 512)
        T.cuda.cta_sync()
        for i in T.serial(128):
            d[i] = A[i]
        T.tmem_atom("SM100_TMEM_STORE_32dp32b128x", d, T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0))
        T.ptx.tcgen05.wait__st()
        if reduces:
            T.tmem_atom(atom, d, T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0), reduced=r, reduction=how)
        else:
            T.tmem_atom(atom, d, T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0), reduction=how)
        T.ptx.tcgen05.wait__ld()
        T.cuda.cta_sync()
        A[t] = d[0] + T.cast(r[0], "uint32")
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 512)

    return kernel


@pytest.mark.parametrize("atom", STATISTICS, ids=lambda atom: atom.name)
def test_every_atom_in_cuda_text(atom: Any) -> None:
    """NVRTC takes each, with one of the ways to reduce."""
    how = sorted(REDUCTIONS)[STATISTICS.index(atom) % len(REDUCTIONS)]
    text = tw.compile(loading(atom.name, how), target="cuda:sm_103a").source
    assert f"{atom.instruction.removesuffix('.b32')}.{how} " in text
    compile_cubin(text, "sm_103a")


@pytest.mark.parametrize("atom", STATISTICS, ids=lambda atom: atom.name)
def test_every_atom_runs_where_its_lanes_are_rows(atom: Any) -> None:
    """Of 16 lanes by two halves PTX does not say over which columns."""
    numbers = np.arange(128, dtype=np.uint32)[::-1].copy()
    module = run(loading(atom.name, "max.u32").module).module
    if "32x32b" not in atom.instruction:
        with pytest.raises(SimulationError, match="over which columns"):
            simulate(module, [numbers], arch="sm_103a")
        return
    simulate(module, [numbers], arch="sm_103a")
    assert (numbers == 127 + 127).all()


def test_texts_read_back() -> None:
    case = next(case for case in kernels(["reducing_loads"])[1])
    module = case.kernel().module
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    assert 'reduced=r[0], reduction="max.f32")' in script(module)


def test_only_machines_that_have_it() -> None:
    case = next(case for case in kernels(["reducing_loads"])[1])
    with pytest.raises(SimulationError, match="an instruction of sm_103a, not of sm_100a"):
        simulate(run(case.kernel().module).module, case.arguments(), arch="sm_100a")


def spoken(text: str, count: int = 4) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        d = T.alloc_local((8,), "uint32")
        T.ptx[text](*[d[i] for i in range(count)], 0)

    return kernel


NAME = "SM100_TMEM_LOAD_STAT_32dp32b4x"


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(loading, NAME, "add.f32"), "reduces by one of max.NaN.f32"),
        (partial(loading, NAME, "max.f32", False), "takes 2 places, got 1"),
        (partial(loading, NAME, kind="float16"), "a register of 32 bits, got local float16"),
        (partial(loading, "SM100_TMEM_LOAD_32dp32b4x"), "reduces nothing, got 'max.f32'"),
        (partial(loading, "SM100_TMEM_LOAD_32dp32b4x", ""), "takes 1 places, got 2"),
        (partial(spoken, "tcgen05.ld.red.sync.aligned.32x32b.x4.max.f32"), "takes 4 registers, that of what they are"),
        (partial(spoken, "tcgen05.ld.red.sync.aligned.32x32b.x4.max.abs.s32"), "there is no such tcgen05.ld.red"),
        (partial(spoken, "tcgen05.ld.red.sync.aligned.32x32b.x1.max.f32"), "there is no such tcgen05.ld.red"),
    ],
)
def test_the_language_refuses(make: Any, match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()
