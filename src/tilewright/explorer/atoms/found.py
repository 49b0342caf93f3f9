"""The browser: the atoms of which words, an architecture and element types hold, each to be applied."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.arch import get as get_arch
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.find import find
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import counted
from tilewright.explorer.answer import Row, Table

MOST = 16
MMA_HEADS = ("MMA atom", "since", "tile", "of A, B; of C, D", "A, B, C lie in", "instruction")
COPY_HEADS = ("copy atom", "since", "from, to", "threads", "bits a thread", "instruction")


def mma_atoms(words: str, arch: str | None, a: str | None, c: str | None) -> Table:
    """The MMA atoms that multiply A's type and add to C's, where an architecture has them; None: any."""
    return _table("MMA atom", MMA_HEADS, [_mma(atom) for atom in find(words=words, arch=arch, a=a, c=c)])


def copy_atoms(words: str, arch: str | None) -> Table:
    """The copy atoms that an architecture has; None: any."""
    spec = None if arch is None else get_arch(arch)
    atoms = map(catalog.copy, catalog.list(words, kind="copy"))
    return _table("copy atom", COPY_HEADS, [_copy(atom) for atom in atoms if spec is None or has_atom(spec, atom)])


def _table(what: str, heads: tuple[str, ...], rows: Sequence[Row]) -> Table:
    more = f", the first {MOST}" if len(rows) > MOST else "" if rows else ": search for fewer words"
    return Table(f"{counted(len(rows), what)} found{more}", heads, tuple(rows[:MOST]))


def _mma(atom: MmaAtom) -> Row:
    tile = "x".join(map(str, atom.shape_mnk)) + (f", {atom.blocks} blocks" if atom.blocks > 1 else "")
    d, a, b, c = atom.types
    types = f"{_once(a, b)}; {_once(c, d)}"
    cells = (atom.name, atom.arch, tile, types, _once(*atom.spaces), atom.instruction or "-")
    return Row(cells, {"mma": atom.name, "layout": "", "M": "", "N": "", "K": "", "thread": "0"})


def _once(*words: str) -> str:
    """The words; one for all that are alike."""
    return words[0] if len(set(words)) == 1 else ", ".join(words)


def _copy(atom: CopyAtom) -> Row:
    way = ", ".join(space or "any" for space in atom.spaces)
    numbers = (str(atom.threads), str(atom.bits_per_thread))
    cells = (atom.name, atom.arch, way, *numbers, atom.instruction or "-")
    return Row(cells, {"copy": atom.name, "thr": "", "val": "", "thread": "0"})
