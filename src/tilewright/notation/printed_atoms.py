"""Atoms, tiled MMAs and tiled copies as `print` of CuTe and of CuTe DSL writes them: fields, a line each.

    printed = ("TiledMMA" | "Tiled" "MMA") fields atom | ("TiledCopy" | "Tiled" "Copy") fields atom | atom
    atom    = ("MMA_Atom" | "MMA" "Atom" | "Copy_Atom" | "Copy" "Atom") ["<" operation ">"] fields
    fields  = {name {name} ":" (layout | tuple | element)}

What is printed are layouts, and not the types of operands: an atom is read where the table has one alone with these
layouts, else the refusal names those that have them. Of a tiled operation the one that is meant may be added behind the
title of its atom, `MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>`; no print has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard, TypeVar

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy, tiled_copy
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.tiler import Tiler, as_tiler
from tilewright.layout.layout import Layout
from tilewright.layout.operations import complement, left_inverse, tiled_product
from tilewright.notation.atom_types import made, operation
from tilewright.notation.atoms_by_layouts import coalesced, copies_by_layouts, mmas_by_layouts, normal
from tilewright.notation.cpp import Atom, cpp_text
from tilewright.notation.cute import chain
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token

Found = TypeVar("Found", MmaAtom, CopyAtom, TiledMma, TiledCopy)
_TITLES = {
    ("TiledMMA",): "TiledMMA", ("Tiled", "MMA"): "TiledMMA",
    ("TiledCopy",): "TiledCopy", ("Tiled", "Copy"): "TiledCopy",
    ("MMA_Atom",): "MMA", ("MMA", "Atom"): "MMA", ("Copy_Atom",): "Copy", ("Copy", "Atom"): "Copy",
}  # fmt: skip
# Names of fields without blanks and underscores, in small letters: CuTe's, and CuTe DSL's.
_SAME = {"tvlayouta": "layoutatv", "tvlayoutb": "layoutbtv", "tvlayoutc": "layoutctv", "tvlayouttiled": "tiledlayouttv",
         "tvlayoutsrc": "vallayoutsrc", "tvlayoutdst": "vallayoutdst"}  # fmt: skip
_ATOMS = ("MMA", "Copy")
_MOST_WORDS = 4
_MOST_NAMED = 4


@dataclass
class _Printed:
    """The fields under a title, and where the title stands."""

    start: Token
    chosen: str = ""  # the operation that is added
    values: dict[str, object] = field(default_factory=dict)


def is_printed_atom(r: Reader) -> bool:
    """Does the title of an atom or of a tiled operation follow, and a field?"""
    return bool(_title(r))


def _title(r: Reader) -> tuple[str, ...]:
    for words in _TITLES:
        if all(r.look(i).text == word for i, word in enumerate(words)):
            mark = r.look(len(words)).kind
            return words if mark == "name" or (mark == "<" and _TITLES[words] in _ATOMS) else ()
    return ()


def printed_atom(r: Reader) -> Atom:
    """What is printed.

    >>> text = "Copy Atom ThrID: 32:1 TV Layout Src: (32,8):(8,1) TV Layout Dst: (32,(2,4)):(2,(1,64)) Value type: f16"
    >>> print(printed_atom(Reader(text)).name)
    SM75_U32x4_LDSM_N
    """
    parts: dict[str, _Printed] = {}
    while words := _title(r):
        name, start = _TITLES[words], r.token
        if name in parts:
            r.refuse(f"a second {name} is printed; give one of them", start)
        for _ in words:
            r.take()
        parts[name] = _Printed(start, _chosen(r), _fields(r))
    return _told(r, parts)


def _chosen(r: Reader) -> str:
    if not r.accept("<"):
        return ""
    found = operation(r).name
    r.expect(">")
    return found


def _told(r: Reader, parts: Mapping[str, _Printed]) -> Atom:
    match sorted(parts):
        case ["MMA"]:
            return _one(r, parts["MMA"], _mmas(r, parts["MMA"]))
        case ["MMA", "TiledMMA"]:
            return _tiled_mma(r, parts["TiledMMA"], parts["MMA"])
        case ["Copy"]:
            return _one(r, parts["Copy"], _copies(r, parts["Copy"]))
        case ["Copy", "TiledCopy"]:
            return _tiled_copy(r, parts["TiledCopy"], parts["Copy"])
    return r.fail("the atom of a tiled operation, MMA_Atom or Copy_Atom, and its fields")


def _fields(r: Reader) -> dict[str, object]:
    found: dict[str, object] = {}
    while (words := _words(r)) and not _title(r):
        start = r.token
        name = "".join(r.take().text for _ in range(words)).replace("_", "").lower()
        r.expect(":")
        if _SAME.get(name, name) in found:
            r.refuse("the field is printed twice", start)
        found[_SAME.get(name, name)] = _element(r) if name == "valuetype" else chain(r)
    return found


def _words(r: Reader) -> int:
    """How many words the name of the next field has; 0 if there is none."""
    ahead = 0
    while r.look(ahead).kind == "name" and ahead < _MOST_WORDS:
        ahead += 1
    return ahead if r.look(ahead).kind == ":" else 0


def _element(r: Reader) -> int:
    """`16b`, or the name of a type."""
    if r.at("int"):
        bits = r.integer()
        r.expect_name("b")
        return bits
    start = r.token
    name = r.expect_name()
    return made(r, lambda: dtype(name).bits, start)


# ---- atoms


def _mmas(r: Reader, printed: _Printed) -> Sequence[MmaAtom]:
    shape = _value(r, printed, "shapemnk")
    return mmas_by_layouts().get((shape, *(_of(r, printed, name) for name in _MMA_FIELDS)), ())


def _copies(r: Reader, printed: _Printed) -> Sequence[CopyAtom]:
    bits = _value(r, printed, "valuetype")
    sides = tuple(_of(r, printed, name) for name in _COPY_FIELDS)
    reference = _of(r, printed, "vallayoutref") if "vallayoutref" in printed.values else None
    if type(bits) is not int:
        r.refuse("a value type has so many bits", printed.start)
    table = copies_by_layouts(bits)
    return [atom for key, atoms in table.items() if key[:3] == sides and reference in (None, key[3]) for atom in atoms]


_MMA_FIELDS = ("thrid", "layoutatv", "layoutbtv", "layoutctv")
_COPY_FIELDS = ("thrid", "vallayoutsrc", "vallayoutdst")


def _of(r: Reader, printed: _Printed, name: str) -> object:
    return normal(_layout(r, printed, name))


def _value(r: Reader, printed: _Printed, name: str) -> object:
    if name not in printed.values:
        there = ", ".join(printed.values) or "none"
        r.refuse(f"of {printed.start.text} the field {name} is missing; there are {there}", printed.start)
    return printed.values[name]


def _layout(r: Reader, printed: _Printed, name: str) -> Layout[int]:
    found = _value(r, printed, name)
    if _is_static(found):
        return found
    what = f"the field {name} of {printed.start.text} is a layout of constants, got {shown(found)}"
    return r.refuse(what, printed.start)


def _is_static(value: object) -> TypeGuard[Layout[int]]:
    return isinstance(value, Layout) and value.is_static


def _one(r: Reader, printed: _Printed, found: Sequence[Found]) -> Found:
    """The only one, which differs from others in its atom; or the one that is chosen."""
    known, found = found, [atom for atom in found if printed.chosen in ("", _operation(atom))]
    if known and not found:
        those = ", ".join(map(_operation, known[:_MOST_NAMED]))
        r.refuse(f"{printed.chosen} has other layouts; of those that have these are {those}", printed.start)
    if not found:
        r.refuse("no atom of CUTLASS has these layouts", printed.start)
    if len(found) > 1:
        names = [_operation(atom) for atom in found[:_MOST_NAMED]]
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        tiled = f", or in the print MMA_Atom<{names[0]}>" if isinstance(found[0], TiledMma) else ""
        r.refuse(
            f"{len(found)} atoms have these layouts: {', '.join(names)}{more}; write the one that is meant, such as"
            f" {cpp_text(found[0])}{tiled}",
            printed.start,
        )
    return found[0]


def _operation(atom: Atom) -> str:
    return atom.atom.name if isinstance(atom, TiledMma | TiledCopy) else atom.name


# ---- tiled operations


def _tiled_mma(r: Reader, tiled: _Printed, printed: _Printed) -> TiledMma:
    return _one(r, printed, [_of_atom(r, tiled, atom) for atom in _mmas(r, printed)])


def _of_atom(r: Reader, tiled: _Printed, atom: MmaAtom) -> TiledMma:
    vmnk, permutation = _layout(r, tiled, "thrlayoutvmnk"), _tiler(r, tiled, "permutationmnk")
    return made(r, lambda: make_tiled_mma(atom, _atoms(atom.thr_layout, vmnk), permutation), tiled.start)


def _tiler(r: Reader, printed: _Printed, name: str) -> Tiler:
    found = _value(r, printed, name)
    return r.checked(lambda: as_tiler(found), printed.start)


def _atoms(own: Layout[int], vmnk: Layout[int]) -> Layout[int]:
    """The layout of atoms over M, N and K by which `tiled_product` puts them on the threads `vmnk`."""
    if vmnk.rank != 4:
        raise LayoutError(f"the threads of a tiled MMA are over V, M, N and K, got {vmnk}")
    place = left_inverse(complement(own, max(1, vmnk.cosize)))
    strides = tuple(int(place(step)) if step else 0 for step in (mode(1) if mode.size > 1 else 0 for mode in vmnk[1:]))
    found = Layout(tuple(mode.size for mode in vmnk[1:]), strides)
    if coalesced(tiled_product(own, found)) != coalesced(vmnk):
        raise LayoutError(f"no layout of atoms of the threads {own} gives the threads {vmnk}")
    return found


def _tiled_copy(r: Reader, tiled: _Printed, printed: _Printed) -> TiledCopy:
    held, tile = _layout(r, tiled, "tiledlayouttv"), _tiler(r, tiled, "tilermn")

    def of(atom: CopyAtom) -> TiledCopy:
        return made(r, lambda: tiled_copy(atom, held, tile), tiled.start)

    return _one(r, printed, [of(atom) for atom in _copies(r, printed)])
