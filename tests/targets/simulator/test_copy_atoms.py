"""Every copy atom that completes at once: where its bits go, what its rows cost, and the rows that it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import copy_oracle
import numpy as np
import pytest

from tilewright.arch import get, names
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.ir.tile.atoms import _NOT_COPIES
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator

Array = np.ndarray[Any, np.dtype[Any]]


def plain(atom: CopyAtom) -> bool:
    return not atom.asynchronous and not any(word in atom.instruction for word in _NOT_COPIES)


ATOMS = [name for name in catalog.list(kind="copy") if plain(catalog.copy(name)) and name != "DefaultCopy"]
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


@pytest.mark.parametrize("name", [name for name in ATOMS if "global" not in catalog.copy(name).spaces])
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
