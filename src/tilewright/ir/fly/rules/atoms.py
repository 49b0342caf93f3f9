"""Atoms as values of types: which atom a type's text names, atoms made, and the state that they carry."""

from __future__ import annotations

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly.atom_text import layouts_of
from tilewright.ir.fly.rules.access import INTEGERS, Declared, the_one
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Atom, TiledCopy, TiledMma, Value
from tilewright.notation.fly_atoms import parse_fly_atom

COPY, MMA = "!fly.copy_atom<", "!fly.mma_atom<"


def atom_of(value: Value) -> CopyAtom | MmaAtom | None:
    """The atom of a type; None for one that is only known by its name.

    Raises:
        LayoutError: the type is no atom's, or such an atom does not exist.
    """
    if not isinstance(value, Atom):
        raise LayoutError(f"expected an atom, got {write(value)}")
    layouts = layouts_of(value.text)
    if layouts == "none":
        return None
    try:
        return parse_fly_atom(value.text)
    except NotationError as error:
        if layouts == "some":
            return None
        raise LayoutError(str(error).split("\n")[0]) from None


# The state that an atom carries, by a word of its operation: the fields that may be set.
STATE = {
    "cdna3.buffer_copy_lds": ("soffset", "imm_offset"),
    "cdna4.buffer_load_async_lds": ("soffset", "imm_offset"),
    "cdna4.global_load_async_lds": ("imm_offset",),
    "cdna3.buffer_": ("soffset",),
    "_scale": ("scale_a", "scale_b"),
}


def make_copy_atom(declared: Declared, _arguments: tuple[Value, ...], bits: int) -> Atom:
    """A copy atom of the written type, on values of so many bits."""
    found = the_one(declared, "make_copy_atom")
    made = atom_of(found)
    if not isinstance(found, Atom) or not found.text.startswith(COPY):
        raise LayoutError(f"make_copy_atom: {write(found)} is no copy atom")
    if isinstance(made, CopyAtom) and made.val_bits != bits:
        raise LayoutError(f"make_copy_atom: valBits is {bits}, but {found.text} moves values of {made.val_bits} bits")
    return found


def make_mma_atom(declared: Declared) -> Atom:
    """An MMA atom of the written type."""
    found = the_one(declared, "make_mma_atom")
    atom_of(found)
    if not isinstance(found, Atom) or not found.text.startswith(MMA):
        raise LayoutError(f"make_mma_atom: {write(found)} is no MMA atom")
    return found


def make_atom(declared: Declared) -> Atom:
    """An atom of the written type, of copies or of MMAs, as it was first made."""
    found = the_one(declared, "make_atom")
    if atom_of(found) is None or not isinstance(found, Atom):
        raise LayoutError(f"make_atom: {write(found)} is no atom of that time")
    return found


def set_value(atom: Atom, value: Value, field: str) -> Atom:
    """The atom with a field of its state set."""
    if atom_of(atom) is not None:
        fields = next((names for word, names in STATE.items() if word in atom.text), ())
        if field not in fields:
            known = ", ".join(fields) or "none"
            raise LayoutError(f"atom.set_value: {atom.text} has no field {field!r}; its fields: {known}")
        wanted = INTEGERS["blockSize = 16" in atom.text]
        if value != wanted:
            raise LayoutError(f"atom.set_value: the field {field!r} is an {write(wanted)}, got {write(value)}")
    return atom


def get_copy_atom(tiled: TiledCopy) -> Atom:
    """The atom of a tiled copy."""
    return tiled.atom


def get_mma_atom(tiled: TiledMma) -> Atom:
    """The atom of a tiled MMA."""
    return tiled.atom
