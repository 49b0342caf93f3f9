"""Block-scaled products of warps: atoms by the layouts of the table equal numpy's product; texts; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sparse_numbers import drawn
from translation import literally

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.semantics import table
from tilewright.errors import KernelError
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.scaled import is_scaled
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.simulate import Simulator

ATOMS = [
    atom for name in catalog.list("SM120", kind="mma") if is_scaled(atom := catalog.mma(name)) and atom.sparsity == 1
]
BYTES = {1: (0, 1, 2, 3), 2: (0, 2), 4: (0,)}  # that the factors of a row may begin at, by their number
TEXTS = [
    "SM120_16x8x32_F32E3M2E2M3F32_TN_VS32",
    "SM120_16x8x64_F32E2M1E2M1F32_TN_VS16",
]


def count_of(atom: MmaAtom) -> int:
    assert atom.scale is not None
    return int(atom.shape_mnk[2]) // atom.scale[1]


def kernel(atom: MmaAtom, selector: tuple[int, ...], added: bool = True) -> PrimFunc:
    """Each lane loads words of its fragments and of factors, and stores what it gets; elements take their container."""
    name, bits = atom.name, 4 if atom.shape_mnk[2] == 64 else 8
    va, vb = (int(atom.stored_layout(x)[1].size) * bits // 32 for x in "AB")

    @T.prim_func
    def one(A: T.handle, B: T.handle, S: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (32, va), "uint32")
        b = T.match_buffer(B, (32, vb), "uint32")
        s = T.match_buffer(S, (32, 2), "uint32")
        d = T.match_buffer(D, (32, 4), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        fa = T.alloc_local((va,), "uint32")
        fb = T.alloc_local((vb,), "uint32")
        fc = T.alloc_local((4,), "float32")
        for i in T.serial(va):
            fa[i] = a[t, i]
        for i in T.serial(vb):
            fb[i] = b[t, i]
        for i in T.serial(4):
            fc[i] = d[t, i]
        if added:
            T.mma_atom(name, fc, fa, fb, fc, scales=(s[t, 0], s[t, 1]), selector=selector)
        else:
            T.mma_atom(name, fc, fa, fb, scales=(s[t, 0], s[t, 1]), selector=selector)
        for i in T.serial(4):
            d[t, i] = fc[i]

    return one


def words(atom: MmaAtom, letter: str, matrix: Any) -> Any:
    """The registers of each lane; an element narrower than its byte lies where the table says."""
    rows, at = matrix.shape[0], table(atom.stored_layout(letter))
    held = matrix[at % rows, at // rows].view(np.uint8)
    element = atom.dtypes["DAB".index(letter)]
    if atom.shape_mnk[2] == 64:
        return (held[:, ::2] | held[:, 1::2] << 4).copy().view(np.uint32)
    shift = {4: 2, 6: 0, 8: 0}[element.bits]  # of 4 bits in the middle of a byte
    return (held << shift).copy().view(np.uint32)


def factors(rng: Any, atom: MmaAtom, rows: int) -> tuple[Any, Any]:
    """Codes of factors (row, number), and what they are."""
    assert atom.scale is not None
    if atom.scale[0] == "float8_e8m0fnu":
        codes = rng.integers(120, 134, (rows, count_of(atom))).astype(np.uint8)
        return codes, 2.0 ** (codes.astype(float) - 127)
    codes = rng.integers(0x20, 0x50, (rows, count_of(atom))).astype(np.uint8)
    return codes, codes.view(tw.Float8E4M3FN.numpy()).astype(float)


def given(rng: Any, atom: MmaAtom, selector: tuple[int, ...], added: bool) -> tuple[list[Any], Any]:
    """The arrays of the kernel, and what the last one is then."""
    (m, n, k), (byte_a, thread_a, byte_b, thread_b) = atom.shape_mnk, selector
    _, a_type, b_type, _ = atom.dtypes
    left, right = drawn(rng, a_type, (m, k)).astype(a_type.numpy()), drawn(rng, b_type, (n, k)).astype(b_type.numpy())
    (code_a, of_a), (code_b, of_b) = factors(rng, atom, m), factors(rng, atom, n)
    told = rng.integers(0, 1 << 32, (32, 2), dtype=np.uint32)  # what nobody asks for is anything
    for row in range(m):
        put(told, 4 * (row % 8) + 2 * thread_a + row // 8, 0, byte_a, code_a[row])
    for column in range(n):
        put(told, 4 * column + thread_b, 1, byte_b, code_b[column])
    start, block = rng.integers(-8, 8, (m, n)).astype(np.float32), k // count_of(atom)
    wide = [x.astype(float) * np.repeat(f, block, axis=1) for x, f in ((left, of_a), (right, of_b))]
    at = table(atom.stored_layout("C"))
    result = (wide[0] @ wide[1].T + added * start).astype(np.float32)
    arrays = [words(atom, "A", left), words(atom, "B", right), told, start[at % m, at // m].copy()]
    return arrays, result[at % m, at // m]


def put(told: Any, lane: int, which: int, first: int, codes: Any) -> None:
    bytes_ = told.view(np.uint8).reshape(32, 2, 4)
    bytes_[lane, which, first : first + len(codes)] = codes


def test_products() -> None:
    """Every type of A and of B, every shape, and all selectors over them; modules are read as they are printed."""
    assert len(ATOMS) == 27
    chosen = [*ATOMS[::3], *(atom for atom in ATOMS if atom.shape_mnk[2] == 64)]
    assert [{atom.dtypes[x].name for atom in chosen} for x in (1, 2)] == [{atom.dtypes[1].name for atom in ATOMS}] * 2
    for number, atom in enumerate(chosen):
        known = BYTES[count_of(atom)]
        added, half = number % 2 == 0, number // 2
        selector = (known[number % len(known)], half % 2, known[half % len(known)], half % 4)
        arrays, wanted = given(np.random.default_rng(number), atom, selector, added)
        module = parse_module(print_module(kernel(atom, selector, added).module))
        Simulator(module).run(arrays, arch="sm_120a")
        assert (arrays[-1] == wanted).all(), (atom.name, selector)


def test_the_text() -> None:
    """NVRTC takes it; on the CPU it gives the right numbers. Elements of 6 bits lie in bytes."""
    for number, name in enumerate(TEXTS):
        atom, selector = catalog.mma(name), (0, number % 2, 0, number)
        arrays, wanted = given(np.random.default_rng(number), atom, selector, True)
        made = kernel(atom, selector)
        if number == 0:
            literally(made, *arrays)
            assert (arrays[-1] == wanted).all()
        text = tw.compile(made, target="cuda:sm_120a").source
        assert f'"{atom.instruction} ' in text
        compile_cubin(text, "sm_120a")


def spoken(*told: Any) -> PrimFunc:
    @T.prim_func
    def one(d_: T.handle, s_: T.handle) -> None:
        D = T.match_buffer(d_, (32, 4), "float32")
        S = T.match_buffer(s_, (32,), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        r = T.alloc_local((6,), "uint32")
        d = T.alloc_local((4,), "float32")
        for i in T.serial(6):
            r[i] = 0x38383838
        T.ptx.mma.sync.aligned.kind__mxf8f6f4.block_scale.scale_vec__1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0(
            d[0], d[1], d[2], d[3], r[0], r[1], r[2], r[3], r[4], r[5], 0.0, 0.0, 0.0, 0.0, S[t], *told
        )
        for i in T.serial(4):
            D[t, i] = d[i]

    return one


def test_as_ptx_writes_it() -> None:
    d, s = np.zeros((32, 4), np.float32), np.full(32, 128 << 8, np.uint32)
    tw.compile(spoken(1, 0, 127, 0, 3), target="simulator:sm_120a")(d, s)
    assert (d == 64).all()  # 32 products of 1, twice that


def test_what_is_refused() -> None:
    with pytest.raises(KernelError, match=r"the byte-id of A of .* is 0 or 1 or 2 or 3, got 4"):
        spoken(4, 0, 0, 0, 0)
    with pytest.raises(KernelError, match=r"the thread-id of A of .* is 0 to 1, got 2"):
        spoken(0, 2, 0, 0, 0)
    with pytest.raises(KernelError, match=r"takes .* registers .*, scale-a and byte-id-a and .*, got 15"):
        spoken()
