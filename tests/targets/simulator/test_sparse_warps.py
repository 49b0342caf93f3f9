"""Sparse products of warps: each atom by the layouts of the table equals numpy's product; texts; what is refused."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np
import pytest
from faults import kernels
from sparse_numbers import Sparse, drawn
from translation import literally

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of
from tilewright.atoms.semantics import table
from tilewright.atoms.sparsity import NIBBLES, chunks_of, selectors
from tilewright.errors import KernelError, SimulationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.collective.metadata import gathered, sources
from tilewright.targets.simulator.collective.sparse import pattern_of
from tilewright.targets.simulator.observers.instructions import _flops
from tilewright.targets.simulator.simulate import Simulator

ATOMS = [
    atom
    for name in catalog.list(kind="mma")
    if (atom := catalog.mma(name)).sparsity == 2 and set(atom.spaces) == {"register"} and atom.scale is None
]
WIDE = [atom for atom in ATOMS if min(x.bits for x in atom.dtypes) >= 8]  # whose elements C has
MACHINES = {"sm_80": "sm_80", "sm_89": "sm_89", "sm_120a": "sm_120a"}


def kernel(atom: MmaAtom, selector: int, added: bool = True) -> PrimFunc:
    """Each lane of two blocks loads its fragments, and stores what it gets."""
    kinds = ["float32" if x.name == "tfloat32" else x.name for x in atom.dtypes]
    va, vb, vc = (int(atom.stored_layout(x)[1].size) for x in "ABC")
    name, (d_type, a_type, b_type, _) = atom.name, kinds

    @T.prim_func
    def one(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (2, 32, va), a_type)
        b = T.match_buffer(B, (2, 32, vb), b_type)
        u = T.match_buffer(U, (2, 32), "uint32")
        d = T.match_buffer(D, (2, 32, vc), d_type)
        T.device_entry()
        x = T.cta_id([2])
        t = T.thread_id([32])
        fa = T.alloc_local((va,), a_type)
        fb = T.alloc_local((vb,), b_type)
        fc = T.alloc_local((vc,), d_type)
        for i in T.serial(va):
            fa[i] = a[x, t, i]
        for i in T.serial(vb):
            fb[i] = b[x, t, i]
        for i in T.serial(vc):
            fc[i] = d[x, t, i]
        if added:
            T.mma_atom(name, fc, fa, fb, fc, metadata=u[x, t], selector=selector)
        else:
            T.mma_atom(name, fc, fa, fb, metadata=u[x, t], selector=selector)
        for i in T.serial(vc):
            d[x, t, i] = fc[i]

    return one


def held(nibbles: Any, selector: int) -> Any:
    """Words of lanes with the metadata (block, row, chunk): undone by what the simulator gathers."""
    lanes, places = sources(nibbles.shape[2], selector)
    flat = nibbles.swapaxes(1, 2).reshape(len(nibbles), -1)
    words = np.full((len(nibbles), 32), 0xFFFFFFFF, np.uint32)
    words[:, lanes] = (flat[:, places].astype(np.uint32) << np.arange(0, 4 * NIBBLES, 4, dtype=np.uint32)).sum(axis=-1)
    assert (gathered(words, nibbles.shape[2], selector) == nibbles).all()
    return words


@pytest.mark.parametrize("atom", ATOMS, ids=lambda atom: atom.name)
@pytest.mark.parametrize("added", [True, False])
def test_products_of_every_atom(atom: MmaAtom, added: bool) -> None:
    rng, (m, n, k) = np.random.default_rng(len(atom.name)), atom.shape_mnk
    d, a, b, _ = atom.dtypes
    where = [(table(atom.stored_layout(x)), rows) for x, rows in (("A", m), ("B", n), ("C", m))]
    for selector in range(selectors(atom)):
        found = [Sparse.of(rng, a, m, k, container_of(atom, "A").bits) for _ in range(2)]
        right, start = drawn(rng, b, (2, n, k)), drawn(rng, d, (2, m, n))
        full = np.stack([one.stored for one in found]), right, start
        spread = [x[:, at % rows, at // rows] for x, (at, rows) in zip(full, where, strict=True)]
        given = [np.ascontiguousarray(x.astype(kind.numpy())) for x, kind in zip(spread, (a, b, d), strict=True)]
        words = held(np.stack([one.nibbles for one in found]), selector)
        module = parse_module(print_module(kernel(atom, selector, added).module))
        Simulator(module).run([*given[:2], words, given[2]], arch=MACHINES[atom.arch])
        result = np.stack([one.whole @ other.T for one, other in zip(found, right, strict=True)]) + added * start
        at, rows = where[2]
        assert (given[2] == result.astype(d.numpy())[:, at % rows, at // rows]).all()


def test_a_product_computes_what_is_stored_of_a() -> None:
    for atom in ATOMS:
        (op,) = (op for op in kernel(atom, 0).module.walk() if isinstance(op, SparseMmaOp))
        assert _flops(op)[1] * 32 == prod(atom.shape_mnk)


def test_each_chunk_is_some_lanes() -> None:
    """Over all selectors, lanes have each chunk of the metadata once; chunks are as wide as their pattern."""
    for atom in ATOMS:
        chunks, known = chunks_of(atom), selectors(atom)
        assert chunks * pattern_of(container_of(atom, "A").bits).width == atom.shape_mnk[2]
        lanes = [sources(chunks, selector)[0] for selector in range(known)]
        assert sorted(np.concatenate(lanes).tolist()) == [*range(32)]
        for selector in range(known):
            assert sorted(sources(chunks, selector)[1].reshape(-1).tolist()) == [*range(16 * chunks)]


@pytest.mark.parametrize("arch", MACHINES)
def test_cuda_text(arch: str) -> None:
    """NVRTC takes every atom, with each selector."""
    for number, atom in enumerate(one for one in WIDE if one.arch == arch):
        made = kernel(atom, number % selectors(atom), number % 2 == 0)
        text = tw.compile(made, target=f"cuda:{MACHINES[arch]}").source
        assert f'"{atom.instruction} ' in text
        compile_cubin(text, MACHINES[arch])


def test_the_literal_text_on_the_cpu() -> None:
    """Two kernels of the corpus, of a warp and of a warpgroup with A in registers."""
    named = {case.name: case for case in kernels(["sparse_products", "sparse_wgmma"])[1]}
    for name in (
        "sparse tiles of two warps, SM80_SPARSE_16x8x32_F32F16F16F32_TN, selector 1",
        "a sparse product of a warpgroup, int8, selector 0, A in registers",
    ):
        case = named[name]
        arguments = case.arguments()
        literally(case.kernel(), *arguments)
        case.check(arguments)


def spoken(text: str, count: int = 20, metadata: float = 0, selector: int = 0) -> PrimFunc:
    @T.prim_func
    def one(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        d = T.alloc_local((4,), "float32")
        r = T.alloc_local((8,), "uint32")
        word = metadata if metadata != 0 else T.cast(t, "uint32")
        T.ptx[text](
            *[d[i] for i in range(4)], *[r[i] for i in range(8)], *[d[i] for i in range(count - 16)], word, selector
        )

    return one


DEEP = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"


def test_words_of_ptx() -> None:
    """With or without `ordered_metadata`; scripts and texts read back."""
    both = [spoken(text).module for text in (DEEP, DEEP.replace(".sp.", ".sp::ordered_metadata."))]
    texts = [print_module(module).replace(" ", "") for module in both]
    assert texts[0] == texts[1]
    assert print_module(parse_module(print_module(both[0]))) == print_module(both[0])
    assert 'T.mma_atom("SM80_SPARSE_16x8x32_F32F16F16F32_TN", d[0], r[0], r[4], d[0], metadata=' in script(both[0])


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(spoken, DEEP, 19), r"takes 16 registers \(4 of D, 4 of A, 4 of B, 4 of C\), metadata and selector"),
        (partial(spoken, DEEP, metadata=0.5), "metadata of a sparse A is a uint32"),
        (partial(spoken, DEEP, selector=2), "the sparsity selector of .* is below 2, got 2"),
        (partial(spoken, DEEP.replace("k32", "k64")), "there is no instruction"),
        (partial(kernel, catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), 0), "is for sparse products of registers"),
    ],
)
def test_the_language_refuses(make: Any, match: str) -> None:
    with pytest.raises(KernelError, match=match):
        make()


def test_only_machines_that_have_it() -> None:
    arguments = [np.zeros((2, 32, 8), np.float16)] * 2 + [
        np.zeros((2, 32), np.uint32),
        np.zeros((2, 32, 4), np.float32),
    ]
    atom = catalog.mma("SM80_SPARSE_16x8x32_F32F16F16F32_TN")
    with pytest.raises(SimulationError, match="an instruction of sm_80, not of sm_75"):
        Simulator(kernel(atom, 0).module).run(arguments, arch="sm_75")
