"""Operands of MMAs as accesses: through a copy atom, by the widest loads that fit, or by a descriptor."""

from __future__ import annotations

from dataclasses import replace

from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.held.copies import in_elements, of_copy
from tilewright.analysis.held.question import Question
from tilewright.analysis.held.stored import in_tile, stored_half
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.vector_width import widest_vector
from tilewright.atoms.mma import MmaAtom, checked_operand
from tilewright.atoms.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.base import LayoutBase
from tilewright.layout.layout import Layout

MATCHING = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}
UNITS = ("wgmma", "tcgen05")


def of_operand(given: TiledMma | MmaAtom, operand: str, asked: Question) -> Access:
    """How operand A, B or C of an MMA comes from the tile, or goes there (C, where nobody says that it is read).

    Raises:
        UsageError: no such operand, one in tensor memory, a copy for one under a descriptor.
        LayoutError: the tile cannot be partitioned so, or not be described.
    """
    tiled = given if isinstance(given, TiledMma) else make_tiled_mma(given)
    atom, space = tiled.atom, tiled.atom.spaces["ABC".index(checked_operand(operand))]
    if atom.sparsity != 1 and operand == "A":
        return _of_sparse(tiled, asked)
    if space == "tmem":
        raise UsageError(f"{operand} of {atom.name} lies in tensor memory, which has no banks")
    if space == "shared":
        return _described(tiled, operand, asked)
    if asked.copy is None:
        return _loaded(tiled, operand, asked)
    copy = MATCHING[operand](in_elements(asked.copy, asked.element_bits), tiled)
    return of_copy(copy, replace(asked, side=asked.side or _usual_side(copy.atom.spaces, operand)))


def _of_sparse(tiled: TiledMma, asked: Question) -> Access:
    """Of A what is stored of it: the tile, or of one that counts all elements along K every other one."""
    half = stored_half(asked.tile)
    tile, what = (half[0], "every other element along K") if half else (asked.tile, "M x K/2")
    found = of_operand(of_stored(tiled), "A", replace(asked, tile=tile))
    note = f"the tile holds the half of A that {tiled.atom.name} stores, {what}"
    found = replace(found, notes=(*found.notes, note))
    return in_tile(found, half[1]) if half else found


def of_stored(tiled: TiledMma) -> TiledMma:
    """The tiled MMA whose A is what one with a sparse A stores, half of K; of its B nothing is known but its size.

    Raises:
        LayoutError: a permutation of K by a layout, which says nothing about the half that is stored.

    >>> from tilewright.atoms.catalog import mma
    >>> of_stored(make_tiled_mma(mma("SM80_SPARSE_16x8x32_F32F16F16F32_TN"), Layout((2, 1, 1)))).tile("A")
    (32, 16)
    """
    atom, (m, n, k) = tiled.atom, tiled.permutation
    if isinstance(k, Layout):
        raise LayoutError(f"{tiled} permutes K by {k}, of which A stores half: give a thread-value layout")
    rows, columns, depth = atom.shape_mnk
    shape, threads = (rows, columns, depth // atom.sparsity), atom.threads
    stored = replace(
        atom,
        shape_mnk=shape,
        tv_layout_A=atom.stored_layout("A"),
        tv_layout_B=Layout((threads, columns * shape[2]), (0, 1)),
        replicas=(atom.replicas[0], threads, atom.replicas[2]),
        sparsity=1,
    )
    return TiledMma(stored, tiled.atom_layout, (m, n, None if k is None else k // atom.sparsity))


def widest(thread_value: LayoutBase, kind: str, name: str, asked: Question) -> Access:
    """The access by the widest vectors that the tile and the thread-value layout prove, which it says."""
    most = widest_vector(
        asked.tile,
        thread_value,
        element_bits=asked.element_bits,
        base_bytes=asked.base_bytes,
        max_bytes=asked.widest,
        alignment=asked.spec.max_alignment,
    )
    said = f"no copy atom is given for {name}: it takes the widest {kind}s that the layouts prove, of {most} bits"
    return Access(thread_value, most, kind, "auto", name, (said,))


def _usual_side(spaces: tuple[str, str], operand: str) -> str | None:
    """Operands are read and results are written, where the atom does not say which side is memory."""
    return None if any(spaces) else ("D" if operand == "C" else "S")


def _loaded(tiled: TiledMma, operand: str, asked: Question) -> Access:
    parts = tiled.tidfrg(operand, asked.over(tiled.tile(operand)))
    if not isinstance(parts, Layout):
        raise LayoutError(f"{operand} of {tiled.atom.name} does not partition {asked.tile}")
    kind = "store" if (asked.side or ("D" if operand == "C" else "S")) == "D" else "load"
    return widest(parts, kind, f"{operand} of {tiled.atom.name}", asked)


def _described(tiled: TiledMma, operand: str, asked: Question) -> Access:
    atom = tiled.atom
    unit = next((unit for unit in UNITS if atom.instruction.startswith(unit)), None)
    if unit is None or asked.memory != "shared":
        raise UsageError(f"{operand} of {atom.name} is read from shared memory by a descriptor")
    if asked.copy is not None:
        raise UsageError(f"{operand} of {atom.name} is read by a descriptor and takes no copy atom; leave out copy")
    found, (rows, depth) = matrix(asked.tile), tiled.tile(operand)
    if found.rows % rows or found.columns % depth:
        raise LayoutError(f"{operand} of {tiled} is {rows} x {depth}; the tile has {found.rows} x {found.columns}")
    return Access(None, None, "load", unit, f"{operand} of {atom.name}, by a descriptor")
