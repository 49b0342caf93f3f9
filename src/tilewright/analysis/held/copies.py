"""Copies as accesses: what each thread of a tiled copy, or of an atom that covers a tile, loads or stores."""

from __future__ import annotations

from dataclasses import replace

from tilewright.analysis.held.question import SIDES, Question
from tilewright.analysis.held.said import agreed
from tilewright.analysis.model.access import Access, lane_move
from tilewright.analysis.model.patterns import plane, walking
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

OWN, PLAIN = "own", "plain"
# How an atom's instruction begins -> how the bank model calls it: by its own name, as a plain access, or otherwise.
SHARED_WORDS = (
    ("ldmatrix", OWN, ""),
    ("stmatrix", OWN, ""),
    ("cp.async.bulk", "tma", ""),
    ("cp.async", "cp.async", ""),
    ("ds_read_b64_tr", "ds_read_b64", "that {name} is served as ds_read_b64 is unverified"),
    ("ds_read_b96_tr", "ds_read_b96", "that {name} is served as ds_read_b96 is unverified"),
    ("buffer_load_lds", PLAIN, "that {name} writes LDS as a plain store does is unverified"),
    ("global_load_lds", PLAIN, "that {name} writes LDS as a plain store does is unverified"),
)


def of_copy(tiled: TiledCopy, asked: Question) -> Access:
    """The access of a tiled copy's side: every thread's partition of the tile, an atom after the other.

    Raises:
        UsageError: a side that does not lie in this memory, elements of another width, a copy without lanes.
        LayoutError: the tile cannot be partitioned so.
    """
    atom, side = tiled.atom, side_of(tiled.atom, asked)
    _check_bits(atom, asked)
    found = _moved(atom, side, asked)
    if found.instruction == "tma":
        return found
    parts = (tiled.tidfrg_S if side == "S" else tiled.tidfrg_D)(asked.over(tiled.tile_shape))
    modes = [mode for mode in parts if isinstance(mode, Layout)]
    shape, stride = (modes[1].shape, modes[2].shape), (modes[1].stride, modes[2].stride)
    thread_value = Layout((modes[0].shape, shape), (modes[0].stride, stride))
    return replace(found, thread_value=thread_value)


def of_atom(given: CopyAtom, asked: Question) -> Access:
    """The access of a whole tile by a copy atom: its lanes take lines of memory, or neighbouring vectors along them.

    Lanes take line after line where the atom takes values of several lanes together, as ldmatrix does.

    Raises:
        UsageError: as `of_copy`, or a tile that such accesses do not fill.
    """
    atom = in_elements(given, asked.element_bits)
    side = side_of(atom, asked)
    found, bits = _moved(atom, side, asked), atom.val_bits
    if found.instruction == "tma":
        return found
    way, together = plane(asked.tile), atom.src_bits != atom.dst_bits
    order, how = (way.across, "across the lines") if together else (way.along, "along the lines")
    width = lane_move(bits, found.vector_bits, None).width
    walk = walking(asked.tile, order, width, element_bits=bits, threads=asked.spec.lanes)
    said = f"lanes of {atom.name} take neighbouring vectors {how} of memory"
    return replace(found, thread_value=walk.thread_value, notes=(*found.notes, said))


def in_elements(atom: CopyAtom, element_bits: int) -> CopyAtom:
    """The atom on elements of so many bits, where it moves bits."""
    return atom.with_element(element_bits) if atom.val_bits == 1 else atom


def side_of(atom: CopyAtom, asked: Question) -> str:
    """The side of the copy that the tile is: as asked, else the one in its memory.

    Raises:
        UsageError: the side lies elsewhere, or the atom does not say where its sides lie.
    """
    where = dict(zip(SIDES, atom.spaces, strict=True))
    if asked.side is not None:
        if where[asked.side] not in ("", asked.memory):
            raise UsageError(
                f"side {asked.side} of {atom.name} lies in {where[asked.side]} memory, not in {asked.memory}"
            )
        return asked.side
    found = [side for side, space in where.items() if space == asked.memory]
    if len(found) != 1:
        raise UsageError(
            f"{atom.name} goes from {' to '.join(space or 'any memory' for space in atom.spaces)}; "
            f"say side 'S' where it reads the tile in {asked.memory} memory, 'D' where it writes it, "
            "by side= or beside it: (copy, 'S')"
        )
    return found[0]


def _check_bits(atom: CopyAtom, asked: Question) -> None:
    told = agreed(asked.said)
    if told != atom.val_bits:
        raise UsageError(
            f"the tiled copy moves elements of {atom.val_bits} bits, and element_bits is {told}; "
            f"build it from the atom {atom.name} .with_element({told or 16})"
        )


def _moved(atom: CopyAtom, side: str, asked: Question) -> Access:
    """What a lane moves at once on that side, and by what instruction; without its thread-value layout."""
    kind = "load" if side == "S" else "store"
    run, step = coalesce((atom.src_bits if side == "S" else atom.dst_bits)[1]).flat[0]
    bits = max(atom.val_bits, run if step == 1 else 1)
    instruction, doubt = _shared_word(atom) if asked.memory == "shared" else _global_word(atom)
    if instruction == "tma":
        return Access(None, None, kind, instruction, f"{atom.name}, {side}")
    return Access(None, bits, kind, instruction, f"{atom.name}, {side}", (doubt,) if doubt else ())


def _shared_word(atom: CopyAtom) -> tuple[str, str]:
    """The bank model's name of the atom's instruction, and what is not known of that."""
    if not atom.instruction:
        return "auto", ""
    for begins, word, doubt in SHARED_WORDS:
        if atom.instruction.startswith(begins):
            name = {OWN: atom.instruction, PLAIN: "auto"}.get(word, word)
            return name, doubt.format(name=atom.instruction)
    raise UsageError(f"{atom.name} is {atom.instruction}, whose lanes access no banks that are known")


def _global_word(atom: CopyAtom) -> tuple[str, str]:
    if atom.instruction.startswith("cp.async.bulk") or atom.instruction.startswith("tensor_load"):
        raise UsageError(
            f"{atom.name} moves whole boxes of global memory and has no lanes; there is nothing to coalesce"
        )
    return "auto", ""
