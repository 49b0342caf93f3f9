"""Copies between tensor memory and registers, of every atom: where each word goes; refusals and texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from faults import kernels
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import CompileError, KernelError, SimulationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.simulator.simulate import simulate

pytestmark = pytest.mark.usefixtures("as_text")

Array = np.ndarray[Any, np.dtype[Any]]
ATOMS = [
    name
    for direction in ("LOAD", "STORE")
    for name in catalog.list(f"SM100_TMEM_{direction}_", kind="copy")
    if "STAT" not in name
]
CLEAN = [case for case in kernels()[1] if case.archs == ("sm_100a",)]
QUICK = (Phase.explicit, Phase.reuse, Phase.generate)  # a smaller kernel would take minutes to find


def lanes_of(atom: CopyAtom) -> int:
    return 32 if "32dp" in atom.name else 16


def image(atom: CopyAtom, split: int, registers: Array) -> dict[tuple[int, int], int]:
    """Halves of words in tensor memory, (lane, 16 bits from the first column on), after a warp's registers went there.

    Bit by bit, by the layout: lanes of the atom's data are as wide as all of it divided by their number. What is packed
    lies in the lower halves of twice as many columns.
    """
    layout = atom.dst_bits if atom.spaces[0] == "tmem" else atom.src_bits
    width = int(layout.size) // lanes_of(atom)
    found: dict[tuple[int, int], int] = {}
    for lane in range(32):
        for half in range(int(layout[1].size) // 16):
            row, bit = divmod(int(layout(lane, 16 * half)), width)
            if "16dp32b" in atom.name and bit >= width // 2:
                bit += 32 * split - width // 2
            at = bit // 16 * 2 if atom.name.endswith("_16b") else bit // 16
            found[row, at] = int(registers[lane, half // 2] >> (16 * (half % 2)) & 0xFFFF)
    return found


def through(atom: CopyAtom, split: int, column: int, upper: bool) -> PrimFunc:
    """Registers go to tensor memory by one atom, and come back from all of its lanes word by word, or the other way."""
    count = int((atom.dst_bits if atom.spaces[0] == "tmem" else atom.src_bits)[1].size) // 32
    name, loads, lane = atom.name, atom.spaces[0] == "tmem", 16 * upper

    @T.prim_func
    def kernel(A: T.handle, M: T.handle) -> None:
        a = T.match_buffer(A, (4, 32, count), "uint32")
        m = T.match_buffer(M, (4, 32, 512), "uint32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((count,), "uint32")
        word = T.alloc_local((1,), "uint32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 512)
        T.cuda.cta_sync()
        own = T.cuda.get_tmem_addr(where[0], t // 32 * 32, 0)
        for c in T.serial(512):
            word[0] = m[t // 32, t % 32, c]
            T.tmem_atom("SM100_TMEM_STORE_32dp32b1x", word, own + T.cast(c, "uint32"))
        T.ptx.tcgen05.wait__st.sync.aligned()
        at = T.cuda.get_tmem_addr(own, lane, column)
        if not loads:
            for i in T.serial(count):
                d[i] = a[t // 32, t % 32, i]
        T.tmem_atom(name, d, at, split)
        T.ptx.tcgen05.wait__ld.sync.aligned()
        T.ptx.tcgen05.wait__st.sync.aligned()
        if loads:
            for i in T.serial(count):
                a[t // 32, t % 32, i] = d[i]
        for c in T.serial(512):
            T.tmem_atom("SM100_TMEM_LOAD_32dp32b1x", word, own + T.cast(c, "uint32"))
            T.ptx.tcgen05.wait__ld.sync.aligned()
            m[t // 32, t % 32, c] = word[0]
        T.cuda.cta_sync()
        if t < 32:
            T.ptx.tcgen05.dealloc(where[0], 512)

    return kernel


@settings(max_examples=12, phases=QUICK)
@given(data=st.data())
def test_every_word_goes_where_the_layouts_say(data: st.DataObject) -> None:
    atom = catalog.copy(data.draw(st.sampled_from(ATOMS)))
    layout = atom.dst_bits if atom.spaces[0] == "tmem" else atom.src_bits
    packed, halved = atom.name.endswith("_16b"), "16dp32b" in atom.name
    width = int(layout.size) // lanes_of(atom) // 32 * (1 + packed)
    own = width // 2 if halved else width
    split = data.draw(st.integers(own, 512 - own)) if halved and not packed else own // (1 + packed) if halved else 0
    column = data.draw(st.integers(0, 512 - (split * (1 + packed) + own if halved else width)))
    upper = data.draw(st.booleans()) and lanes_of(atom) == 16
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    count = int(layout[1].size) // 32
    registers = rng.integers(0, 2**32, (4, 32, count), np.uint32)
    memory = rng.integers(0, 2**32, (4, 32, 512), np.uint32)
    a, m = registers.copy(), memory.copy()
    simulate(run(through(atom, split, column, upper).module).module, [a, m], arch="sm_100a")
    halves = memory.view(np.uint16).astype(np.int64)
    for warp in range(4):
        if atom.spaces[0] == "tmem":
            assert (m == memory).all()
            for (lane, at), value in image(atom, split, a[warp]).items():
                assert halves[warp, lane + 16 * upper, 2 * column + at] == value
        else:
            expected = halves[warp].copy()
            for (lane, at), value in image(atom, split, registers[warp]).items():
                expected[lane + 16 * upper, 2 * column + at] = value
                if packed:
                    expected[lane + 16 * upper, 2 * column + at + 1] = 0
            assert (m[warp].view(np.uint16) == expected).all()


def spoken(text: str, *operands: Any, kind: str = "uint32", size: int = 8) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        where = T.alloc_shared((1,), kind)
        d = T.alloc_local((size,), "uint32")
        T.ptx[text](d[0] if size == 8 else where.ptr_to([0]), *operands)

    return kernel


def named(atom: str, kind: str = "uint32", size: int = 8, split: int = 0) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        d = T.alloc_local((size,), kind)
        T.tmem_atom(atom, d, 0, split)

    return kernel


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (partial(spoken, "tcgen05.alloc", 48, size=1), "powers of two from 32 to 512 columns, got 48"),
        (partial(spoken, "tcgen05.alloc", 16, size=1), "powers of two from 32"),
        (partial(spoken, "tcgen05.alloc", 1024, size=1), "powers of two from 32"),
        (partial(spoken, "tcgen05.alloc", 32, size=1, kind="float32"), "a uint32, got"),
        (partial(spoken, "tcgen05.alloc.cta_group::4", 32, size=1), "cta_group::4' is not one of its words"),
        (partial(spoken, "tcgen05.dealloc", 31), "powers of two from 32"),
        (partial(spoken, "tcgen05.ld.32x32b.x1", 0.5), "a uint32, got"),
        (partial(spoken, "tcgen05.ld.32x32b.x2", 0), "takes 2 registers and an address, got 2 operands"),
        (partial(spoken, "tcgen05.ld.16x32bx2.x1", 0), "takes 1 registers and an address, and the columns between"),
        (partial(spoken, "tcgen05.ld.x1", 0), "there is no such tcgen05.ld"),
        (partial(spoken, "tcgen05.ld.16x256b.x64", 0), "there is no such tcgen05.ld"),
        (partial(named, "SM80_CP_ASYNC_CACHEALWAYS_4B"), "tcgen05|SM80"),
        (partial(named, "SM100_TMEM_LOAD_32dp32b16x"), "moves 512 bits a lane, the memory has 8 uint32"),
        (partial(named, "SM100_TMEM_LOAD_32dp32b2x", split=4), "with its upper lanes 4 columns further on"),
        (partial(named, "SM100_TMEM_LOAD_16dp32b2x", split=512), "with its upper lanes 512 columns"),
        (partial(named, "SM100_TMEM_LOAD_STAT_32dp32b2x"), "reduces by one of"),
        (partial(named, "SM100_UTCCP_128dp128bit_1cta"), "is for tcgen05.ld and tcgen05.st"),
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
    assert "T." in script(module)


@pytest.mark.parametrize("arch", ["sm_90a", "sm_120", "gfx950"])
def test_only_blackwell_has_it(arch: str) -> None:
    case = CLEAN[0]
    with pytest.raises(SimulationError, match=rf"is an instruction of sm_100a, not of {arch}"):
        simulate(run(case.kernel().module).module, case.arguments(), arch=arch)


def test_the_emitter_names_op_and_line() -> None:
    with pytest.raises(CompileError, match=r"does not know the op tile\.address\n.*tmem\.py:[0-9]+:[0-9]+"):
        emit(run(kernels(["tmem"])[1][0].kernel().module, lanes=32).module, HOST)


def test_the_corpus_is_there() -> None:
    assert len(CLEAN) >= 4
