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
from tilewright.ir.text import parse_module, print_module
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator

Array = np.ndarray[Any, np.dtype[Any]]


def plain(name: str) -> bool:
    """Is it an atom of registers, without scales and metadata?"""
    atom = catalog.mma(name)
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
