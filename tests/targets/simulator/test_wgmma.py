"""Warpgroup products around the numbers: what the language and the IR refuse, texts, counts, traces, other targets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from faults import FOLDER, Clean, kernels

import tilewright as tw
from tilewright.errors import KernelError, SimulationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

SS, RS = "SM90_64x8x16_F32F16F16_SS", "SM90_64x8x16_F32F16F16_RS"
TEXT = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
CLEAN = [case for case in kernels()[1] if case.archs == ("sm_90a",)]


def product(atom: str = SS, rows: int = 64, kind: str = "float16", mode: int = 3, **options: Any) -> PrimFunc:
    """The smallest one; `options` are those of the call."""
    scale, neg, trans = options.get("scale", True), options.get("neg", 1), options.get("trans", 0)

    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((rows, 64), kind, swizzle_mode=mode)
        d = T.alloc_local((4,), "int32" if kind == "int8" else "float32")
        T.wgmma_atom(atom, d, x, x, scale, neg, 1, trans)

    return kernel


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(product, "SM90_64x9x16_F32F16F16_SS"), "SM90_64x8x16"),
        (partial(product, "SM80_16x8x16_F32F16F16F32_TN"), "atoms of wgmma"),
        (partial(product, "SM90_SPARSE_64x8x32_F32F16F16_SS"), "takes 1 registers of metadata, got 0"),
        (partial(product, rows=32), "dimension 0 of x has extent 32, the operand reaches 63"),
        (partial(product, kind="float32"), "elements of type float16, the buffer has float32"),
        (partial(product, scale=0.5), "a condition is a comparison"),
        (partial(product, neg=2), "scaled by 1 or -1"),
        (partial(product, trans=2), "trans_a is 0 or 1"),
        (partial(product, RS), "A of SM90_64x8x16_F32F16F16_RS lies in registers, not in shared memory"),
        (partial(product, "SM90_64x16x16_F32F16F16_SS"), "takes 8 registers of float32, the memory has 4"),
        (partial(product, "SM90_64x8x32_S32S8S8_SS_TN", kind="int8", mode=2, neg=-1), "negates no operand"),
        (partial(product, "SM90_64x8x32_S32S8S8_SS_TN", kind="int8", mode=2, trans=1), "lie K-major"),
    ],
)
def test_the_language_refuses(make: Callable[[], PrimFunc], match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()


CORES = T.TileLayout(T.S[(64, 2, 8) : (8, 512, 1)])


def spoken(*operands: Any, text: str = TEXT, apart: bool = False, layout: Any = CORES) -> PrimFunc:
    """PTX's own words: four registers of D, descriptors and what follows them."""
    gap = 1 if apart else 0

    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([128])
        x = T.alloc_shared((64, 16), "float16", layout=layout)
        d = T.alloc_local((8,), "float32")
        T.ptx[text](d[0], d[1], d[2], d[3 + gap], T.matrix_descriptor(x), T.matrix_descriptor(x), *operands)

    return kernel


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(spoken, 1, 1, 1, 0), "takes 4 registers of D, the descriptor or 4 .* 11 or 13 operands, got 10"),
        (partial(spoken, 1, 1, 1, 0, 0, apart=True), "registers that follow each other in one local buffer"),
        (partial(spoken, 1, 1, 1, 0, 0, text=TEXT.replace("n8k", "n9k")), "there is no instruction"),
        (partial(spoken, 1, 1, 1, 0, 0, text="wgmma.mma_async.m64n8k16.sync.aligned.f32.f16.f16"), "which is written"),
        (partial(spoken, 1, 1, 1, 0, 0, text="wgmma.mma_async.sync.aligned.sp"), "which is written"),
        (partial(spoken, 1, 1, 1, 0, 0, layout=None), "no operand of tensor cores"),
        (partial(spoken, 1, 3, 1, 0, 0), "scaled by 1 or -1"),
    ],
)
def test_ptx_refuses(make: Callable[[], PrimFunc], match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()


def test_ptx_as_it_is_written() -> None:
    spoken(1, 1, 1, 0, 0)


HEAD = """
func.func @k() attributes {tile.grid = array<i64: 1,1,1>, tile.block = array<i64: 128,1,1>} {
  %s = memref.alloca() : memref<4096xf16, "shared">
  %d = memref.alloca() : memref<32xf32, "local">
  %c0 = arith.constant 0 : index
  %t = arith.constant true
  %a = tile.address %s[%c0] : memref<4096xf16, "shared"> -> !tile.address<f16, "shared">
  %m = tile.matrix_descriptor "wgmma" "128B" 16 1024 %a : !tile.address<f16, "shared">
"""
OPS = {
    'tile.wgmma "SM90_64x64x16_F32F16F16_SS" %d[%c0], [%m], %t [] : memref<32xf32, "local">': "2 descriptors, got 1",
    'tile.wgmma "SM90_64x64x16_F32F16F16_SS" %d[%c0], [%m, %m], %t ["mn"] : memref<32xf32, "local">': "none of neg_a",
    'tile.wgmma "SM90_64x64x16_F32F16F16_RS" %d[%c0], [%m], %t [] : memref<32xf32, "local">': "takes 2 places",
    'tile.wgmma "none" %d[%c0], [%m, %m], %t [] : memref<32xf32, "local">': "none",
    'tile.wgmma_sync "arrive" 0': "none of fence",
    'tile.wgmma_sync "fence" 1': "1 groups",
    'tile.wgmma_sync "wait" -1': "-1 groups",
    '%n = tile.matrix_descriptor "mma" "128B" 16 1024 %a : !tile.address<f16, "shared">': "none of wgmma, tcgen05",
    '%n = tile.matrix_descriptor "wgmma" "128B_ATOM_32B" 16 1024 %a : !tile.address<f16, "shared">': "has the modes",
    '%n = tile.matrix_descriptor "wgmma" "128B" 8 1024 %a : !tile.address<f16, "shared">': "multiple of 16",
}


@pytest.mark.parametrize("op", OPS)
def test_the_ir_refuses(op: str) -> None:
    with pytest.raises(tw.errors.TilewrightError, match=OPS[op]):
        parse_module(f"{HEAD}  {op}\n  func.return\n}}\n")


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_texts(case: Clean) -> None:
    """What is printed is read as the same, at every stage; scripts say what the kernel said."""
    for stage in ("tile", "lowered", "final"):
        module = run(case.kernel().module, stage).module
        text = print_module(module)
        assert print_module(parse_module(text)) == text
        written = script(module)
        assert "T.wgmma_atom(" in written
        assert "T.ptx.wgmma.wait_group.sync.aligned(0)" in written


def case_of(name: str) -> Clean:
    return next(case for case in CLEAN if case.name.startswith(name))


@pytest.mark.parametrize("arch", ["sm_90", "sm_80", "sm_100a"])
def test_only_hopper_has_them(arch: str) -> None:
    case = case_of("one warpgroup")
    with pytest.raises(SimulationError, match=rf" is an instruction of sm_90a?, not of {arch}; compile for"):
        simulate(run(case.kernel().module).module, case.arguments(), arch=arch)


@pytest.mark.parametrize("name", ["one warpgroup", "2 consumers, 2 stages"])
def test_counts_and_traces(name: str) -> None:
    case = case_of(name)
    if name == "one warpgroup":
        report = tw.compile(case.kernel(), target="simulator:sm_90a").profile(*case.arguments())
        assert report.instructions.flops["mma float16"] == 2 * 64 * 64 * 64
        assert report.instructions.kinds["mma"] == 4 * 4  # warps
    trace = tw.compile(case.kernel(), target="simulator:sm_90a").trace(*case.arguments(), block=0, thread=130)
    told = [event for event in trace.events if "wgmma" in event.op.text]
    assert len(told) == (0 if name == "one warpgroup" else 5 * (4 + 3))


@pytest.mark.parametrize("name", ["2 consumers, 2 stages", "attention", "a lane loads"])
def test_no_order_changes_a_bit(name: str) -> None:
    """Numbers whose sums are rounded, in ten orders."""
    case = case_of(name)
    module, found = run(case.kernel().module).module, []
    for seed in range(-1, 5):
        arguments = case.arguments()
        rng = np.random.default_rng(5)
        for given in arguments[:-1]:
            array = given.array if isinstance(given, tw.TensorMap) else given
            array[...] = rng.standard_normal(array.shape).astype(array.dtype)
        options: dict[str, Any] = {"schedule": "random", "seed": seed} if seed >= 0 else {}
        simulate(module, arguments, arch="sm_90a", **options)
        found.append(arguments[-1].tobytes())
    assert len(set(found)) == 1


def test_the_corpus_is_there() -> None:
    assert (FOLDER / "wgmma.py").exists()
    assert len(CLEAN) >= 5
