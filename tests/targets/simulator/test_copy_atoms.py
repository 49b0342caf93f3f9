"""Every copy atom that completes at once: where its bits go, what its rows cost, and the rows that it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import copy_oracle
import numpy as np
import pytest

import tilewright as tw
from tilewright.arch import get, names
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import CompileError, MisalignedError, OutOfBoundsError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.ir.tile.atoms import _NOT_COPIES
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator, simulate

Array = np.ndarray[Any, np.dtype[Any]]


def plain(atom: CopyAtom) -> bool:
    return not atom.asynchronous and not any(word in atom.instruction for word in _NOT_COPIES)


ATOMS = [name for name in catalog.list(kind="copy") if plain(catalog.copy(name)) and name != "DefaultCopy"]
BITWISE = [name for name in ATOMS if not catalog.copy(name).widened_bits]  # those have a file of their own
TARGETS = [*map(get, names()), replace(get("gfx1200"), name="gfx1250")]


def through(name: str, warp: int, sizes: tuple[int, int], spaces: tuple[str, str]) -> Any:
    """Each lane brings its row to where the atom takes it from, and shows where the atom has put it."""
    taken, given = sizes
    source, target = ("local" if space == "register" else space or "shared" for space in spaces)

    @T.prim_func
    def moving(A: T.handle, B: T.handle):
        a = T.match_buffer(A, (warp, taken), "uint8")
        b = T.match_buffer(B, (warp, given), "uint8")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([warp])
        held = T.alloc_buffer((taken,) if source == "local" else (warp, taken), "uint8", scope=source)
        got = T.alloc_buffer((given,) if target == "local" else (warp, given), "uint8", scope=target)
        for i in T.serial(taken):
            if source == "local":
                held[i] = a[t, i]
            else:
                held[t, i] = a[t, i]
        if target != "local":
            for i in T.serial(given):
                got[t, i] = T.uint8(0)
        T.cuda.warp_sync()
        if source == "local":
            if target == "local":
                T.copy_atom(name, got, held)
            else:
                T.copy_atom(name, got[t, 0], held)
        elif target == "local":
            T.copy_atom(name, got, held[t, 0])
        else:
            T.copy_atom(name, got[t, 0], held[t, 0])
        T.cuda.warp_sync()
        for i in T.serial(given):
            b[t, i] = got[i] if target == "local" else got[t, i]

    return moving


@pytest.mark.parametrize("name", [name for name in BITWISE if "global" not in catalog.copy(name).spaces])
def test_every_bit_goes_where_the_layouts_say(name: str) -> None:
    atom = catalog.copy(name)
    spec = next(spec for spec in TARGETS if has_atom(spec, atom))
    taken, given = (int(bits[1].size) // 8 for bits in (atom.src_bits, atom.dst_bits))
    rng = np.random.default_rng(5)
    a = rng.integers(0, 256, (spec.lanes, taken)).astype(np.uint8)
    b = np.zeros((spec.lanes, given), np.uint8)
    kernel = through(name, spec.lanes, (taken, given), atom.spaces)
    rows = [np.unpackbits(row, bitorder="little").tolist() for row in a]
    wanted = np.array(copy_oracle.moved(atom, spec.lanes, rows), np.uint8)
    if atom.spaces[1] == "shared":
        for group in copy_oracle.groups(atom, spec.lanes):
            starts = [atom.dst_bits(thread, 0) for thread in range(len(group))]
            wanted[[lane for i, lane in enumerate(group) if starts[i] in starts[:i]]] = 0  # repetitions are not written
    Simulator(kernel.module).run([a, b], arch=spec)
    assert (np.packbits(wanted, axis=1, bitorder="little") == b).all()


@T.prim_func
def past_the_edge(A: T.Buffer((60, 2), "float32"), B: T.Buffer((50, 2), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((2,), "float32")
    T.copy_atom("BufferCopy64b", a, A[t + 4, 0])
    T.copy_atom("BufferCopy64b", B[t - 7, 0], a)


@pytest.mark.parametrize("stage", ["tile", "final"])
def test_buffer_instructions_read_zeros_and_drop_writes_past_the_edge(stage: str) -> None:
    a, b = np.arange(1, 121, dtype=np.float32).reshape(60, 2), np.full((50, 2), -1, np.float32)
    simulate(tw.compile(past_the_edge).lowered(stage).module, [a, b], arch="gfx942")
    padded = np.concatenate([a, np.zeros((8, 2), np.float32)])
    assert (b == padded[11:61]).all()


# op and atom, its places, what it is refused with; M is 8 registers of f32, G global memory
TF32 = "SM80_16x8x8_F32TF32TF32F32_TN"
WRONG = (
    ("mma_atom", "NONE", "%f, %f, %f[%c, %c, %c] : M, M, M", "there is no MMA atom 'NONE'"),
    ("mma_atom", TF32, "%f, %f[%c, %c] : M, M", "takes 3 or 4 places, got 2"),
    ("mma_atom", TF32, "%f, %f, %f[%c] : M, M, M", "1 indices for the places"),
    ("mma_atom", TF32, "%f, %A, %f[%c, %c, %c] : M, G, M", "lies in registers, not in global"),
    (
        "mma_atom",
        "SM80_16x8x16_F32F16F16F32_TN",
        "%f, %f, %f[%c, %c, %c] : M, M, M",
        "registers of float32 do not hold",
    ),
    ("mma_atom", "CDNA3_32x32x2_F32F32F32F32", "%f, %f, %f[%c, %c, %c] : M, M, M", "takes 16 registers of float32"),
    ("mma_atom", "SM120_SPARSE_16x8x64_F32E4M3E4M3F32_TN", "%f, %f, %f[%c, %c, %c] : M, M, M", "metadata of a sparse"),
    ("copy_atom", "SM75_U32x1_LDSM_N", "%f, %A[%c, %c] : M, G", "moves shared to register memory, not global to local"),
    ("copy_atom", "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", "%f, %A[%c, %c] : M, G", "completes later"),
    ("copy_atom", "SM75_U32x1_MOVM_T", "%f, %f[%c, %c] : M, M", "transposes a matrix"),
    ("copy_atom", "BufferAtomicAdd32b", "%A, %f[%c, %c] : G, M", "changes memory atomically"),
    ("copy_atom", "UniversalCopy16b", "%f, %A[%c, %c] : M, G", "no whole float32 elements"),
    ("copy_atom", "UniversalCopy32b", "%f, %two[%c, %c] : M, memref<4x4xf32>", "works on buffers and flat memory"),
)


@pytest.mark.parametrize(("op", "atom", "places", "why"), WRONG, ids=range(len(WRONG)))
def test_ops_that_no_atom_is_for_are_refused(op: str, atom: str, places: str, why: str) -> None:
    head = """func.func @f(%A: memref<64xf32>) attributes {
        tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
      %c = arith.constant 0 : index
      %f = memref.alloca() : memref<8xf32, "local">
      %two = memref.alloca() : memref<4x4xf32>
    """
    body = places.replace(" M", ' memref<8xf32, "local">').replace(" G", " memref<64xf32>")
    with pytest.raises(CompileError, match=why):
        parse_module(f'{head}tile.{op} "{atom}" {body}\nfunc.return }}')


@T.prim_func
def registers_of_warps(A: T.Buffer((64, 4), "float32"), B: T.Buffer((64, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float32")
    for i in T.serial(8):
        a[i] = -1.0
    T.copy_atom("UniversalCopy128b", a[t // 32 * 4], A[t, 0])
    T.copy_atom("UniversalCopy128b", B[t, 0], a[4 - t // 32 * 4])


@T.prim_func
def registers_of_lanes(A: T.Buffer((64, 8), "float16"), B: T.Buffer((64, 8), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_buffer((64, 8), "float16", scope="shared")
    a = T.alloc_local((16,), "float16")
    T.copy_atom("UniversalCopy128b", s[t, 0], A[t, 0])
    T.cuda.cta_sync()
    T.copy_atom("SM75_U32x4_LDSM_N", a[t % 2 * 8], s[t, 0])


@pytest.mark.parametrize("schedule", ["lockstep", "random"])
def test_warps_may_name_registers_of_their_own_but_not_lanes_of_one(schedule: Any) -> None:
    a, b = np.arange(256, dtype=np.float32).reshape(64, 4), np.zeros((64, 4), np.float32)
    simulate(tw.compile(registers_of_warps).lowered("tile").module, [a, b], schedule=schedule)
    assert (b == -1).all()  # each warp has filled the other half
    arrays = [np.zeros((64, 8), np.float16), np.zeros((64, 8), np.float32)]
    with pytest.raises(SimulationError, match=r"lanes of a warp name different registers: a at 0, 8"):
        simulate(tw.compile(registers_of_lanes).lowered("tile").module, arrays, schedule=schedule)


def loaded(start: int, size: int) -> Any:
    """The first warp loads a matrix, whose rows are those of its first 8 lanes, from bytes `start` of a pool on."""

    @T.prim_func
    def kernel(A: T.Buffer((64,), "float16"), B: T.Buffer((32, 2), "float16")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        pool = T.SMEMPool()
        pool.move_base_to(start)
        s = pool.alloc((size,), "float16")
        if t < size:
            s[t] = A[t]
        T.cuda.cta_sync()
        r = T.alloc_local((2,), "float16")
        if t < 32:
            T.copy_atom("SM75_U32x1_LDSM_N", r, s[8 * (t % 8 if t < 32 else t)])
            B[t, 0] = r[0]
            B[t, 1] = r[1]

    return kernel


@pytest.mark.parametrize("stage", ["tile", "final"])
def test_rows_are_whole_and_aligned_where_lanes_take_part(stage: str) -> None:
    a, b = np.arange(64, dtype=np.float16), np.zeros((32, 2), np.float16)
    simulate(tw.compile(loaded(16, 64)).lowered(stage).module, [a, b])
    assert (b.reshape(-1) == a).all()
    with pytest.raises(OutOfBoundsError, match="60"):
        simulate(tw.compile(loaded(0, 60)).lowered(stage).module, [a, b])
    with pytest.raises(MisalignedError, match="at byte 8, which is no multiple of 16"):
        simulate(tw.compile(loaded(8, 64)).lowered(stage).module, [a, b])
