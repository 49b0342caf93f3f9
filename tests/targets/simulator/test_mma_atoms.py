"""Every matrix instruction on registers: its fragments from the layouts, its numbers by the rule, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import mma_oracle
import numpy as np
import pytest
from matrix_numbers import numbers, same

from tilewright.arch import get, names
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator, simulate

Array = np.ndarray[Any, np.dtype[Any]]


def plain(name: str) -> bool:
    """Is it of registers, without scales and metadata? Of several blocks those of gfx90a, which has all forms."""
    atom = catalog.mma(name)
    if atom.blocks > 1 and atom.arch != "gfx90a":
        return False
    return set(atom.spaces) == {"register"} and atom.scale is None and atom.sparsity == 1


ATOMS = [name for name in catalog.list(kind="mma") if plain(name)]
# Of gfx1250 the table of atoms knows more than that of architectures.
TARGETS = [*map(get, names()), replace(get("gfx1200"), name="gfx1250")]


def kernel(atom: MmaAtom, warp: int) -> Any:
    """Each lane loads its fragments, and stores what it gets."""
    d_type, a_type, b_type, c_type = (t.name for t in atom.dtypes)
    va, vb, vc = (int(atom.tv_layout(x)[1].size) for x in "ABC")
    name = atom.name

    @T.prim_func
    def one(A: T.handle, B: T.handle, C: T.handle, D: T.handle):
        a = T.match_buffer(A, (2, warp, va), a_type)
        b = T.match_buffer(B, (2, warp, vb), b_type)
        c = T.match_buffer(C, (2, warp, vc), c_type)
        d = T.match_buffer(D, (2, warp, vc), d_type)
        T.device_entry()
        x = T.cta_id([2])
        t = T.thread_id([warp])
        fa = T.alloc_local((va,), a_type)
        fb = T.alloc_local((vb,), b_type)
        fc = T.alloc_local((vc,), c_type)
        for i in T.serial(va):
            fa[i] = a[x, t, i]
        for i in T.serial(vb):
            fb[i] = b[x, t, i]
        for i in T.serial(vc):
            fc[i] = c[x, t, i]
        T.mma_atom(name, fc[0], fa[0], fb[0], fc[0])
        for i in T.serial(vc):
            d[x, t, i] = fc[i]

    return one


@cache
def target_of(atom: MmaAtom) -> Any:
    """An architecture that has the atom."""
    return next((spec for spec in TARGETS if has_atom(spec, atom)), None)


def agree(atom: MmaAtom, fragment: Array, operand: str, warp: int) -> Array:
    """The fragment with equal copies of what several lanes hold."""
    known: dict[tuple[int, int, int], tuple[int, int]] = {}
    for group, row, column, lane, value in mma_oracle.places(atom, operand, warp):
        first = known.setdefault((group, row, column), (lane, value))
        fragment[:, lane, value] = fragment[:, first[0], first[1]]
    return fragment


@pytest.mark.parametrize("name", ATOMS)
def test_fragments_and_numbers(name: str) -> None:
    atom = catalog.mma(name)
    spec = target_of(atom)
    assert spec is not None, "every atom is some architecture's"
    warp = spec.lanes
    a, b, c = (
        agree(atom, numbers(t, (2, warp, int(atom.tv_layout(x)[1].size)), seed), x, warp)
        for seed, (x, t) in enumerate(zip("ABC", atom.dtypes[1:], strict=True))
    )
    module = parse_module(print_module(kernel(atom, warp).module))
    d = np.zeros(c.shape, atom.dtypes[0].numpy())
    Simulator(module).run([a, b, c, d], arch=spec)
    for block in range(2):
        assert same(d[block], mma_oracle.expected(atom, warp, a[block], b[block], c[block]))


@pytest.mark.parametrize("operand", range(2))
def test_lanes_that_hold_one_element_agree_on_it(operand: int) -> None:
    """Each half of a warp holds all of A and B."""
    atom = catalog.mma("RDNA3_16x16x16_F32F16F16F32")
    given = [np.ones((2, 32, int(atom.tv_layout(x)[1].size)), np.float16) for x in "AB"]
    given[operand][1, 16 + 5, 3] = 2.0
    c = np.zeros((2, 32, 8), np.float32)
    words = rf"block \(1,0,0\) thread \(5,0,0\) and .* thread \(21,0,0\) hold different values .* of f{'ab'[operand]}"
    with pytest.raises(SimulationError, match=words):
        simulate(kernel(atom, 32).module, [*given, c, c.copy()], arch="gfx1100")


TF32 = "SM80_16x8x8_F32TF32TF32F32_TN"  # 4 registers of D, A and C, 2 of B
# Where A is; and of D, A, B and C how many registers a turn of i is further on, one of j, and where the first begin.
NESTS = {
    "each its own": ("s", (4, 0, 0), (0, 4, 0), (2, 0, 8), (4, 0, 0)),
    "results that overlap": ("s", (2, 0, 0), (0, 4, 0), (2, 0, 8), (2, 0, 0)),
    "one result": ("s", (0, 0, 0), (0, 4, 0), (2, 0, 8), (0, 0, 0)),
    "added to others": ("s", (4, 0, 0), (0, 4, 0), (2, 0, 8), (4, 0, 4)),
    "added to one": ("s", (4, 0, 0), (0, 4, 0), (2, 0, 8), (0, 0, 0)),
    "factors among the results": ("r", (4, 0, 0), (0, 4, 4), (2, 0, 8), (4, 0, 0)),
}
HELD = 'memref<16xf32, "local">'


def product(of: str, registers: list[str]) -> str:
    kinds = ", ".join([HELD] * 4)
    return f'tile.mma_atom "{TF32}" %r, %{of}, %s, %r[{", ".join(registers)}] : {kinds}'


def in_loops(of: str, places: tuple[tuple[int, int, int], ...]) -> str:
    lines = [
        f"%i{k} = arith.muli %i, %c{i} : index\n%j{k} = arith.muli %j, %c{j} : index\n"
        f"%s{k} = arith.addi %i{k}, %j{k} : index\n%at{k} = arith.addi %s{k}, %c{first} : index\n"
        for k, (i, j, first) in enumerate(places)
    ]
    body = "".join(lines) + product(of, [f"%at{k}" for k in range(4)])
    return f"scf.for %i = %c0 to %c3 step %c1 {{ scf.for %j = %c0 to %c2 step %c1 {{\n{body}\n}} }}"


def in_turn(of: str, places: tuple[tuple[int, int, int], ...]) -> str:
    turns = [(i, j) for i in range(3) for j in range(2)]
    return "\n".join(product(of, [f"%c{a * i + b * j + c}" for a, b, c in places]) for i, j in turns)


def multiplied(products: str, warps: int) -> Array:
    """The registers r behind the products of so many warps of two."""
    constants = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(65))
    text = f"""func.func @f(%X: memref<2048xf32>, %Y: memref<1024xf32>) attributes {{
        tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 64, 1, 1>}} {{
      %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
      {constants}
      %r = memref.alloca() : {HELD}
      %s = memref.alloca() : {HELD}
      %x0 = arith.muli %tx, %c32 : index
      %y0 = arith.muli %tx, %c16 : index
      scf.for %k = %c0 to %c16 step %c1 {{
        %x = arith.addi %x0, %k : index
        %v = memref.load %X[%x] : memref<2048xf32>
        memref.store %v, %r[%k] : {HELD}
        %z = arith.addi %x, %c16 : index
        %w = memref.load %X[%z] : memref<2048xf32>
        memref.store %w, %s[%k] : {HELD}
      }}
      %some = arith.cmpi slt, %tx, %c{32 * warps} : index
      scf.if %some {{ {products} }}
      scf.for %k = %c0 to %c16 step %c1 {{
        %y = arith.addi %y0, %k : index
        %v = memref.load %r[%k] : {HELD}
        memref.store %v, %Y[%y] : memref<1024xf32>
      }}
      func.return
    }}"""
    x, y = np.random.default_rng(3).integers(-3, 4, 2048).astype(np.float32), np.zeros(1024, np.float32)
    simulate(parse_module(text), [x, y], proofs=False)
    return y


@pytest.mark.parametrize("warps", [1, 2])
@pytest.mark.parametrize("name", NESTS)
def test_loops_of_products_are_their_products_one_after_the_other(name: str, warps: int) -> None:
    of, *places = NESTS[name]
    assert (multiplied(in_loops(of, tuple(places)), warps) == multiplied(in_turn(of, tuple(places)), warps)).all()
