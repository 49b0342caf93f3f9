"""Instructions of the table on the host: each lane does its part, and the bits are those of the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from final_kernels import kernel as final_kernel

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.text import parse_module
from tilewright.ir.tile.atoms import element_of, fragment_size
from tilewright.lang.primfunc import PrimFunc
from tilewright.runtime.on_host import HostExecutor
from tilewright.script import tirx as T
from tilewright.targets.host.products import is_summed
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate

Array = np.ndarray[Any, np.dtype[Any]]
HOSTS = ("host", "host -compiler=llvmlite")
PRODUCTS = [
    atom
    for name in tw.atoms.list("", kind="mma")
    for atom in [catalog.mma(name)]
    if atom.arch.startswith("sm_") and set(atom.spaces) == {"register"} and atom.scale is None and atom.sparsity == 1
    if atom.threads > 1 and is_summed(atom)
]
# One of each combination of types.
CHOSEN = list({tuple(x.name for x in atom.dtypes): atom for atom in PRODUCTS}.values())


def numbers(element: DType, size: int, seed: int, spread: int) -> Array:
    """Numbers whose exponents differ by up to twice the spread; some are not finite; integers of any size."""
    rng = np.random.default_rng(seed)
    if element.is_integer:
        limits = np.iinfo(element.numpy())
        return rng.integers(limits.min, limits.max, size, endpoint=True).astype(element.numpy())
    values = np.ldexp(rng.integers(-1000, 1001, size).astype(np.float64), rng.integers(-spread, spread + 1, size))
    odd = rng.choice([np.inf, -np.inf, np.nan, -0.0], size)
    with np.errstate(all="ignore"):
        return np.where(rng.random(size) < 0.002, odd, values).astype(element.numpy())


def product(atom: MmaAtom, packed: bool) -> tuple[str, list[tuple[DType, int]]]:
    """A kernel of one warp that brings fragments from memory, multiplies, and puts D over C."""
    lines, arguments, sizes = [], [], []
    places, kinds = [], []
    for operand in "CAB":
        element, count = element_of(atom, operand), fragment_size(atom, operand)
        words = packed and element.bits < 32
        held = dtype("uint32") if words else dtype("float32") if element.name == "tfloat32" else element
        count = count * element.bits // 32 if words else count
        kind = ir_type(held)
        local = f'memref<{count}x{kind}, "local">'
        lines.append(f"%r{operand} = memref.alloca() : {local}")
        arguments.append(f"%{operand}: memref<{32 * count}x{kind}>")
        sizes.append((held, 32 * count))
        lines += [
            f"%n{operand} = arith.constant {count} : index",
            f"%s{operand} = arith.muli %tx, %n{operand} : index",
            f"scf.for %i{operand} = %zero to %n{operand} step %one {{",
            f"  %at{operand} = arith.addi %s{operand}, %i{operand} : index",
            f"  %v{operand} = memref.load %{operand}[%at{operand}] : memref<{32 * count}x{kind}>",
            f"  memref.store %v{operand}, %r{operand}[%i{operand}] : {local}",
            "}",
        ]
        places.append(f"%r{operand}")
        kinds.append(local)
    c, a, b = places
    lines.append(
        f'tile.mma_atom "{atom.name}" {c}, {a}, {b}, {c}[%zero, %zero, %zero, %zero] : '
        f"{kinds[0]}, {kinds[1]}, {kinds[2]}, {kinds[0]}"
    )
    held, count = sizes[0]
    lines += [
        "scf.for %j = %zero to %nC step %one {",
        "  %to = arith.addi %sC, %j : index",
        f"  %d = memref.load %rC[%j] : {kinds[0]}",
        f"  memref.store %d, %C[%to] : memref<{count}x{ir_type(held)}>",
        "}",
    ]
    head = "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
    return final_kernel(head + "\n".join(lines), ", ".join(arguments)), sizes


def filled(sizes: list[tuple[DType, int]], atom: MmaAtom, seed: int, spread: int) -> list[Array]:
    found = []
    for number, ((held, size), operand) in enumerate(zip(sizes, "CAB", strict=True)):
        element = element_of(atom, operand)
        element = dtype("float32") if element.name == "tfloat32" else element
        values = numbers(element, size * held.bits // element.bits, seed + number, spread)
        found.append(values.view(held.numpy()))
    return found


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("atom", CHOSEN, ids=lambda atom: atom.name)
def test_products_have_the_bits_of_the_rule(atom: MmaAtom, host: str) -> None:
    """Sums that are exact, sums that are not and where much cancels, and what is not finite."""
    text, sizes = product(atom, packed=PRODUCTS.index(atom) % 2 == 0)
    module = parse_module(text)
    arch = max(atom.arch, "sm_90", key=lambda name: int("".join(filter(str.isdigit, name))))
    run = HostExecutor.of(module, Target(host.replace("host", f"host:{arch}")))
    assert run.way == "loops"
    for seed, spread in enumerate((0, 3, 12, 60)):
        ours = filled(sizes, atom, seed, spread)
        theirs = [array.copy() for array in ours]
        simulate(module, ours, arch=arch)
        run(theirs, SimOptions())
        assert ours[0].tobytes() == theirs[0].tobytes(), spread


@T.prim_func
def exchanged(A: T.Buffer((64, 16), "float16"), F: T.Buffer((64, 8), "float16"), G: T.Buffer((64, 8), "float16")):
    """Matrices of two warps to registers, transposed and not, and back by stmatrix of fewer."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 16), "float16")
    u = T.alloc_shared((64, 8), "float16")
    r = T.alloc_local((8,), "float16")
    q = T.alloc_local((8,), "float16")
    T.copy_atom("UniversalCopy128b", s[t, 0], A[t, 0])
    T.copy_atom("UniversalCopy128b", s[t, 8], A[t, 8])
    T.ptx.bar.sync(3, 64)
    T.copy_atom("SM75_U32x4_LDSM_N", r[0], s[63 - t, 0])
    T.copy_atom("SM75_U16x4_LDSM_T", q[0], s[t, 8])
    T.copy_atom("SM75_U32x2_LDSM_N", q[4], s[t // 32 * 32 + t % 16, 0])
    T.copy_atom("SM90_U32x4_STSM_N", u[t, 0], r[0])
    T.cuda.cta_sync()
    for i in T.serial(8):
        F[t, i] = q[i]
        G[t, i] = u[63 - t, i]


@pytest.mark.parametrize("host", HOSTS)
def test_rows_change_lanes(host: str) -> None:
    a = np.arange(64 * 16, dtype=np.float16).reshape(64, 16)
    ours, theirs = ([np.zeros((64, 8), np.float16) for _ in range(2)] for _ in range(2))
    kernel = tw.compile(exchanged, target=host)
    kernel.simulate(a, *ours)
    kernel(a, *theirs)
    assert all((one == other).all() for one, other in zip(ours, theirs, strict=True))
    assert ours[0].any()


def met(name: bool) -> PrimFunc:
    """Turns rows round: all threads come to the block's barrier by its number, or half of them by its name."""

    @T.prim_func
    def kernel(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        s[t] = A[t]
        if name:
            if t < 32:
                T.cuda.cta_sync()
            else:
                T.ptx.bar.sync(0, 64)
        else:
            T.ptx.bar.sync(0, 64)
        B[t] = s[63 - t]

    return kernel


@pytest.mark.parametrize("host", HOSTS)
def test_barrier_0_of_all_threads_is_where_their_block_meets(host: str) -> None:
    """Loops end where all meet at one place; where they meet at two, no loops can, and fibers where they are there."""
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    kernel = tw.compile(met(name=False), target=host)
    kernel(a, b)
    assert (kernel.way, b.tolist()) == ("loops", a[::-1].tolist())
    if host == HOSTS[0]:
        other = tw.compile(met(name=True), target=host)
        other(b, a)
        assert other.way.startswith("fibers; no loops: ")
        assert a.tolist() == b[::-1].tolist()
    else:
        with pytest.raises(CompileError, match="numbered barriers"):
            tw.compile(met(name=True), target=host)


@T.prim_func
def doubles(A: T.Buffer((32, 2), "float64")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((2,), "float64")
    for i in T.serial(2):
        a[i] = A[t, i]
    T.mma_atom("SM80_8x8x4_F64F64F64F64_TN", a[0], a[0], a[0], a[0])
    A[t, 0] = a[0]


def test_what_lanes_cannot_work_out_is_refused() -> None:
    """Products of doubles are not exact in binary64."""
    with pytest.raises(
        CompileError, match=r"(?s)SM80_8x8x4_F64F64F64F64_TN is one step of all lanes.*target='simulator'"
    ):
        tw.compile(doubles, target="host -compiler=llvmlite")


def read(kind: str, direct: bool) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((32, 8), "float16")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        s = T.alloc_shared((32, 8), "float16")
        T.copy_atom("UniversalCopy128b", s[t, 0], A[t, 0])
        T.cuda.cta_sync()
        if direct:
            r = T.alloc_local((1,), kind)
            T.ptx.ldmatrix.sync.aligned.m8n8.x1.shared.b16(r[0], s.ptr_to([t % 8, 0]))
        else:
            q = T.alloc_local((2,), "float16")
            T.copy_atom("SM75_U32x1_LDSM_N", q[0], s[t % 8, 0])

    return kernel


@pytest.mark.parametrize("kind", ["uint32", "int32"])
def test_a_matrix_in_registers_of_another_type_is_no_loop_and_told_what_loops_take(kind: str) -> None:
    advice = r"take a local buffer of float16, by T.copy_atom\('SM75_U32x1_LDSM_N', dst, src\)"
    with pytest.raises(CompileError, match=f"rows of float16 and registers of {kind};.*{advice}\n.*\n.*ldmatrix"):
        tw.compile(read(kind, True), target="host -compiler=llvmlite")
    tw.compile(read(kind, False), target="host")(np.zeros((32, 8), np.float16))
    assert tw.compile(read(kind, True), target="host").way.startswith("fibers; no loops: SM75_U32x1_LDSM_N moves rows")
