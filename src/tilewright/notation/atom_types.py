"""Atoms, tiled MMAs and tiled copies as CuTe's C++ types, in the spellings of sources and of compilers' messages.

    type   = "MMA_Atom" "<" op ">" | "Copy_Atom" "<" op "," element ">"
           | "TiledMMA" "<" type ["," layout ["," tile | "," layout ["," tile]]] ">"
           | "TiledCopy" "<" type "," layout "," tile ">"
           | ("make_tiled_mma" | "make_tiled_copy") "(" type {"," (layout | tile)} ")"
           | the name of an instruction's operation alone
    op     = name | ("MMA_Traits" | "Copy_Traits") "<" name {"," argument} ">"
    element = type of elements | "uint_bit_t" "<" bits ">"

An operation may have template arguments of its own, `SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>`. Until CUTLASS 3.3 a
tiled MMA had a layout of values before its permutation: whose extents say how many atoms a thread does of a tile.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeGuard, TypeVar

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy, make_tiled_copy_tv, tiled_copy
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.algebra.tiler import Tiler, as_tiler
from tilewright.layout.layout import Layout
from tilewright.notation.constants import number
from tilewright.notation.cpp import Atom
from tilewright.notation.cutlass import item
from tilewright.notation.engines import element_bits
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token
from tilewright.notation.words import behind, pass_namespaces, pass_qualifiers, pass_references

Made = TypeVar("Made")

TYPES = ("MMA_Atom", "Copy_Atom", "TiledMMA", "TiledCopy")
_OPERATION = ("SM50_", "SM61_", "SM70_", "SM75_", "SM80_", "SM89_", "SM90_", "SM100_", "SM103_", "SM120_")
_OTHERS = (
    "CDNA", "RDNA", "GFX", "MMA_", "GMMA_", "Universal", "AutoVectorizing", "DefaultCopy", "Buffer", "LDSRead",
    "GlobalLoad", "TDM",
)  # fmt: skip
_CAST = re.compile(r"\((?:unsigned |long |int)+\)(?=[0-9])")
_CONSTANT = re.compile(r"\b(?:cute::)?(?:(?:C|Int)<([0-9]+)>|_([0-9]+)\b)")
_BITS_TYPES = {"uint_bit_t": 1, "uint_byte_t": 8}


def is_atom_type(r: Reader) -> bool:
    """Does a type of CuTe's atoms follow, or the name of an operation?"""
    name, mark = behind(r)
    named = (name.text in TYPES and mark.kind == "<") or (name.text in _CALLS and mark.kind == "(")
    return named or _is_operation(name.text, mark.kind)


def _is_operation(name: str, mark: str) -> bool:
    return mark in ("end", "<", "{", ";", "&") and name.startswith((*_OPERATION, *_OTHERS))


def atom_type(r: Reader) -> Atom:
    """The atom, tiled MMA or tiled copy of a type.

    >>> text = "cute::TiledMMA<MMA_Atom<cute::SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2,_2>>>"
    >>> print(atom_type(Reader(text)))
    TiledMma SM80_16x8x16_F32F16F16F32_TN x (2,2,1):(1,2,0): tile 32x16x16, 128 threads
    """
    pass_qualifiers(r)
    name, _ = behind(r)
    if name.text in TYPES:
        found = _inside(r, name.text, _READ[name.text])
    else:
        found = _call(r) if name.text in _CALLS else operation(r)
    if r.accept("{"):
        r.expect("}")
    pass_references(r)
    return found


def _call(r: Reader) -> Atom:
    pass_namespaces(r)
    start = r.take()
    r.expect("(")
    atom = atom_type(r)
    arguments = _arguments(r)
    r.expect(")")
    return made(r, lambda: _CALLS[start.text](atom, *arguments), start)


def _arguments(r: Reader) -> list[Tiler]:
    found: list[Tiler] = []
    while r.accept(","):
        found.append(_tiler(r))
    return found


def _called_mma(atom: Atom, atoms: Tiler = None, *permutation: Tiler) -> TiledMma:
    if not isinstance(atom, MmaAtom) or len(permutation) > 1:
        raise UsageError(f"make_tiled_mma takes an MMA atom, a layout of atoms, and a permutation, got {shown(atom)}")
    return make_tiled_mma(atom, _arrangement(atoms), *permutation)


def _called_copy(atom: Atom, first: Tiler = None, second: Tiler = 1, *more: Tiler) -> TiledCopy:
    """C++ gives layouts of threads and of values, CuTe DSL also both in one layout, and the tile."""
    if not isinstance(atom, CopyAtom) or more:
        raise UsageError(
            f"make_tiled_copy takes a copy atom, and two layouts or a layout and a tile, got {shown(atom)}"
        )
    held = _layout(first, "the threads of a tiled copy")
    if isinstance(second, tuple):
        return tiled_copy(atom, held, second)
    return make_tiled_copy_tv(atom, held, None if second == 1 else _layout(second, "the values of a tiled copy"))


_CALLS: dict[str, Callable[..., Atom]] = {
    "make_tiled_mma": _called_mma,
    "make_tiled_copy": _called_copy,
    "make_tiled_copy_tv": _called_copy,
}


def operation(r: Reader) -> MmaAtom | CopyAtom:
    """The atom of an operation's name."""
    start, name = r.token, _name(r)
    known = _known(r, catalog.mma, name, start) if catalog.has_mma(name) else None
    return known or _known(r, catalog.copy, name, start)


def _mma_atom(r: Reader, start: Token) -> MmaAtom:
    at = r.token
    return _known(r, catalog.mma, _traits(r, "MMA_Traits"), at)


def _copy_atom(r: Reader, start: Token) -> CopyAtom:
    at = r.token
    atom = _known(r, catalog.copy, _traits(r, "Copy_Traits"), at)
    r.expect(",", "',' and the element type, such as Copy_Atom<.., half_t>")
    at, bits = r.token, _element(r)
    return made(r, lambda: atom.with_element(bits), at)


def _tiled_mma(r: Reader, start: Token) -> TiledMma:
    atom = _inside(r, "MMA_Atom", _mma_atom)
    arguments = _arguments(r)
    if len(arguments) > 3:
        r.refuse(f"TiledMMA takes an atom and up to 3 arguments, got {len(arguments)}", start)
    atoms, *rest = arguments or [None]
    if rest and isinstance(rest[0], Layout):
        rest = [_of_values(r, atom, atoms, rest[0], rest[1:], start)]
    if len(rest) > 1:
        r.refuse("the last argument of TiledMMA is the permutation, a Tile<..>", start)
    return made(r, lambda: make_tiled_mma(atom, _arrangement(atoms), *rest), start)


def _arrangement(atoms: Tiler) -> Layout[int] | None:
    return None if atoms is None else _layout(atoms, "how atoms of a tiled MMA are arranged")


def _of_values(r: Reader, atom: MmaAtom, atoms: Tiler, values: Layout, permutation: list[Tiler], start: Token) -> Tiler:
    """The permutation that is a layout of values, as it stood before CUTLASS 3.4, and the one behind it."""
    whole = made(r, lambda: make_tiled_mma(atom, _arrangement(atoms)), start)
    if values.rank != 3 or not values.is_static:
        r.refuse(f"a layout of values is over M, N and K, got {values}", start)
    extents = [int(mode.size) for mode in values]
    covered = tuple(None if n == 1 else n * own for n, own in zip(extents, whole.tile_size_mnk, strict=True))
    if not permutation or permutation == [(None, None, None)]:
        return covered
    if any(n != 1 for n in extents):
        r.refuse("a layout of values and a permutation in one TiledMMA: write what both do as one Tile<..>", start)
    return permutation[0]


def _tiled_copy(r: Reader, start: Token) -> TiledCopy:
    atom = _inside(r, "Copy_Atom", _copy_atom)
    r.expect(",")
    held = _tiler(r)
    r.expect(",")
    tile = _tiler(r)
    return made(r, lambda: tiled_copy(atom, _layout(held, "(thread, value)"), tile), start)


def _layout(value: Tiler, what: str) -> Layout[int]:
    if _is_static(value):
        return value
    raise LayoutError(f"{what} is a Layout<..> of constants, got {shown(value)}")


def _is_static(value: Tiler) -> TypeGuard[Layout[int]]:
    return isinstance(value, Layout) and value.is_static


_READ: dict[str, Callable[[Reader, Token], Atom]] = {
    "MMA_Atom": _mma_atom,
    "Copy_Atom": _copy_atom,
    "TiledMMA": _tiled_mma,
    "TiledCopy": _tiled_copy,
}


def _inside(r: Reader, kind: str, rule: Callable[[Reader, Token], Made]) -> Made:
    """An atom as the first argument of a tiled operation."""
    pass_namespaces(r)
    start = r.token
    r.expect_name(kind)
    r.expect("<")
    found = rule(r, start)
    r.expect(">")
    return found


def _tiler(r: Reader) -> Tiler:
    start, found = r.token, item(r)
    return r.checked(lambda: as_tiler(found), start)


def _traits(r: Reader, traits: str) -> str:
    """The name of an operation, with the arguments that stand beside it in its traits."""
    pass_qualifiers(r)
    name, _ = behind(r)
    if name.text != traits:
        return _name(r)
    pass_namespaces(r)
    r.take()
    r.expect("<")
    found = _name(r)
    more = []
    while r.accept(","):
        more.append(_raw(r))
    r.expect(">")
    return f"{found}<{','.join(map(_plain, more))}>" if more and "<" not in found else found


def _name(r: Reader) -> str:
    pass_qualifiers(r)
    start = r.token
    if start.kind != "name":
        r.fail("the name of an operation")
    return _plain(_raw(r))


def _raw(r: Reader) -> str:
    """A template argument as it stands."""
    start, depth = r.token, 0
    while not (r.at("end", "{", ";", "&") or (depth == 0 and r.at(",", ">", ")"))):
        depth += r.at("<", "(") - r.at(">", ")")
        r.take()
    if r.last.at < start.at or depth:
        r.fail("a type")
    return r.text[start.at : r.last.end]


def _plain(name: str) -> str:
    """Without casts and with constants as the numbers that they are.

    >>> _plain("SM100_MMA_F16BF16_SS<cutlass::half_t, (int)128, cute::C<64>, cute::_2>")
    'SM100_MMA_F16BF16_SS<cutlass::half_t, 128, 64, 2>'
    """
    return _CONSTANT.sub(lambda found: found[1] or found[2], _CAST.sub("", name))


def _element(r: Reader) -> int:
    """The bits of a type of elements."""
    name, mark = behind(r)
    if name.text not in _BITS_TYPES or mark.kind != "<":
        return element_bits(r)
    pass_namespaces(r)
    r.take()
    r.expect("<")
    found = number(r) * _BITS_TYPES[name.text]
    r.expect(">")
    return found


def _known(r: Reader, find: Callable[[str], Made], name: str, start: Token) -> Made:
    return made(r, lambda: find(name), start)


def made(r: Reader, build: Callable[[], Made], start: Token) -> Made:
    """`build()`, whose refusals have the caret under `start`."""
    try:
        return r.checked(build, start)
    except UsageError as error:
        r.refuse(str(error), start)
