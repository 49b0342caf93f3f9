"""From the text of a `fly` type to its value, in the released spelling and others.

Read are also those of FlyDSL's page on layouts, `!fly.pointer<f16>`,
`!fly.copy_atom_universal_copy<128, 32>` and `!fly.mma_atom_universal_fma<1x1x1, ..>`, older ones of the repository
(`!fly_rocdl.atom.cdna3.mfma<..>`, `!fly.atom.universal_copy<32>`, `swz<3,3,3>` in pointers), blanks, and layouts
without the name of their type.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.dtypes import dtype
from tilewright.errors import NotationError, UsageError, close_names, shown
from tilewright.ir.fly import atom_text
from tilewright.ir.fly.types import (
    KEPT,
    AnyLayout,
    Atom,
    Basis,
    CoordTensor,
    MemRef,
    Pointer,
    Scalar,
    Tile,
    TiledCopy,
    TiledMma,
    Value,
    XorShift,
    is_tree,
)
from tilewright.layout.algebra.tiler import as_tiler
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.cute import body
from tilewright.notation.fly_atoms import element_bits
from tilewright.notation.fly_text import type_parts
from tilewright.notation.reader import Reader

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree

Notated: TypeAlias = "Tree | AnyLayout | Swizzle | CoordSwizzle"

MAX_TEXT = 2**16
SPACES = ("generic", "global", "shared", "register")
BUFFER = "#fly_rocdl.buffer_desc"
IDENTITY = Swizzle(0, 0, 0)
FOREIGN = ("vector<", "!llvm.", "index", "none")


_WORD = re.compile(r"!?[A-Za-z_]\w*(?:\.\w+)*")
_AXIS = re.compile("E[0-9E]+|_")  # a basis vector, and the coordinate that is all of a mode


@lru_cache(8192)
def read(text: str) -> Value:
    """The value of a type's text.

    Raises:
        NotationError: the text is no type of the dialect.
        LayoutError: it is one in form, but its numbers are no layout.

    >>> read("!fly.layout<(4, 8):(1, 4)>")
    Layout((4, 8), (1, 4))
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise NotationError(f"a type is a text of at most {MAX_TEXT} characters, got {shown(text)}")
    item = text.strip()
    if item.startswith(FOREIGN) or _is_element(item):
        return Scalar(item)
    if not item or (_WORD.fullmatch(item) and not _AXIS.fullmatch(item)):
        close = close_names(item.removeprefix("!fly."), [name.removeprefix("!fly.") for name in _RULES])
        perhaps = f"did you mean !fly.{close[0]}<..>? " if close else ""
        raise NotationError(f"{shown(item)} is no type; {perhaps}write !fly.layout<(4,8):(1,4)>, or i32")
    if not item.startswith("!"):
        return _bare(item)
    name, parts = type_parts(item, text)
    rule = _RULES.get(name, _operation if name.startswith(_OPERATIONS) else None)
    if rule is None:
        raise NotationError(f"unknown type {shown(name)}; known: {', '.join(_RULES)}", text)
    try:
        return rule(parts, item)
    except UsageError as error:
        raise NotationError(str(error), text) from None


def _parse(text: str) -> object:
    r = Reader(text)
    found = body(r)
    r.expect_end()
    return found


def _is_element(item: str) -> bool:
    try:
        return item[:1].isalpha() and dtype(item).mlir == item
    except UsageError:
        return False


def _bare(item: str) -> Value:
    if item.startswith("["):
        return _tile([item], item)
    if item.startswith("S<") and " o " not in item:
        return _swizzle([item], item)
    found = _parse(item)
    if isinstance(found, AxisSum):
        return Basis(found)
    if not _is_notated(found):
        raise NotationError(f"expected a type, got {shown(item)}", item)
    return found


def _is_notated(found: object) -> TypeGuard[Notated]:
    return is_tree(found) or isinstance(found, Layout | ComposedLayout | Swizzle | CoordSwizzle)


def _of(what: str, *kinds: type) -> Callable[[list[str], str], Value]:
    def rule(parts: list[str], text: str) -> Value:
        found = _parse(", ".join(parts))
        if _is_notated(found) and isinstance(found, kinds):
            return found
        raise NotationError(f"expected {what}, got {', '.join(parts)}", text)

    return rule


def _int_tuple(parts: list[str], text: str) -> Tree:
    found = _parse(", ".join(parts))
    bracketed = isinstance(found, tuple) and text.partition("<")[2].lstrip().startswith("[")
    if bracketed or not is_tree(found):
        raise NotationError(f"expected an int tuple, got {', '.join(parts)}", text)
    return found


def _basis(parts: list[str], text: str) -> Value:
    found = _parse(", ".join(parts))
    if not isinstance(found, AxisSum):
        raise NotationError(f"expected a basis such as 1E0, got {', '.join(parts)}", text)
    return Basis(found)


def _tile(parts: list[str], text: str) -> Value:
    return Tile(as_tiler(_parse(", ".join(parts))))


def _swizzle(parts: list[str], text: str) -> Value:
    r = Reader(",".join(parts))
    r.expect_name("S", "Sw")
    r.expect("<")
    fields = r.sequence(Reader.integer, ">")
    r.expect_end()
    if len(fields) != 3:
        raise NotationError(f"a swizzle has three fields <bits,base,shift>, got {len(fields)}", text)
    return XorShift(*fields) if abs(fields[2]) < fields[0] else Swizzle(*fields)


def _pointer(parts: list[str], text: str) -> Pointer:
    element, space, facts = parts[0], parts[1] if len(parts) > 1 else "global", parts[2:]
    space = BUFFER if space == "buffer_desc" else space
    space = space.removeprefix("#fly<address_space ").removesuffix(">") if space.startswith("#fly<") else space
    if space not in SPACES and not space.startswith("#"):
        raise NotationError(f"unknown address space {shown(space)}; known: {', '.join(SPACES)}", text)
    natural = pointer_to(element, space)
    align, swizzle = natural.align, None
    for fact in facts:
        if fact.startswith("align<"):
            align = _align(fact, natural.align, text)
            continue
        found = _parse(f"S<{fact[4:]}" if fact.startswith("swz<") else fact)
        if not isinstance(found, Swizzle):
            raise NotationError(f"expected align<bytes> or a swizzle, got {shown(fact)}", text)
        swizzle = None if found == IDENTITY else found
    return replace(natural, align=align, swizzle=swizzle)


def pointer_to(element: str, space: str) -> Pointer:
    """A pointer to elements of a type, aligned to one of them."""
    bits = element_bits(element, element) if element.startswith("vector<") else dtype(element).bits
    return Pointer(element, space, bits, max(1, bits // 8))


def _align(fact: str, natural: int, text: str) -> int:
    r = Reader(fact)
    r.expect_name("align")
    r.expect("<")
    align = r.integer("an alignment in bytes")
    r.expect(">")
    r.expect_end()
    if align < 1 or align % natural:
        raise NotationError(f"the alignment {align} is no multiple of the {natural} bytes of an element", text)
    return align


def _memref(parts: list[str], text: str) -> Value:
    if len(parts) < 3:
        raise NotationError("expected !fly.memref<ELEMENT, SPACE, LAYOUT[, align<BYTES>][, SWIZZLE]>", text)
    pointer = _pointer([*parts[:2], *parts[3:]], text)
    return MemRef(pointer, _layout(parts[2], text))


def _coord_tensor(parts: list[str], text: str) -> Value:
    if len(parts) != 2:
        raise NotationError("expected !fly.coord_tensor<BASE, LAYOUT>", text)
    return CoordTensor(_int_tuple([parts[0]], f"<{parts[0]}"), _layout(parts[1], text))


def _layout(part: str, text: str) -> AnyLayout:
    found = _parse(part)
    if not isinstance(found, Layout | ComposedLayout):
        raise NotationError(f"expected a layout, got {shown(part)}", text)
    return found


def _typed(part: str, name: str) -> str:
    return part if part.startswith("!") else f"!fly.{name}{part}"


def _atom(parts: list[str], text: str) -> Value:
    name = text.partition("<")[0].rstrip()
    return Atom(f"{name}<{', '.join([atom_text.canonical(parts[0]), *parts[1:]])}>")


def _operation(parts: list[str], text: str) -> Value:
    return Atom(atom_text.canonical(text))


def _old_atom(kind: str, op: str) -> Callable[[list[str], str], Value]:
    def rule(parts: list[str], text: str) -> Value:
        count = 1 if kind == "copy_atom" else len(parts)
        inside = atom_text.canonical(f"!{op}<{', '.join(parts[:count])}>")
        bits = parts[1:] or parts
        return Atom(f"!fly.{kind}<{inside}, {bits[0]}>" if kind == "copy_atom" else f"!fly.{kind}<{inside}>")

    return rule


def _tiled(parts: list[str], text: str, kind: str, most: int) -> tuple[Atom, Layout, Tile | None]:
    if not 2 <= len(parts) <= most:
        raise NotationError(f"expected an atom, a layout and a tile, got {len(parts)} parts", text)
    atom, layout = read(parts[0]), read(_typed(parts[1], "layout"))
    tile = read(_typed(parts[2], "tile")) if len(parts) > 2 else None
    named = isinstance(atom, Atom) and atom.text.startswith(f"!fly.{kind}<")
    if not isinstance(atom, Atom) or not named or not isinstance(layout, Layout) or not isinstance(tile, Tile | None):
        raise NotationError(f"expected a {kind}, a layout and a tile", text)
    return atom, layout, tile


def _tiled_copy(parts: list[str], text: str) -> Value:
    atom, layout, tile = _tiled(parts, text, "copy_atom", 3)
    if tile is None:
        raise NotationError("a tiled copy has a tile", text)
    return TiledCopy(atom, layout, tile)


def _tiled_mma(parts: list[str], text: str) -> Value:
    atom, layout, tile = _tiled(parts, text, "mma_atom", 3)
    return TiledMma(atom, layout, None if tile == KEPT else tile)


_OPERATIONS = ("!fly_rocdl.", "!fly_nvvm.", "!fly.universal_")
_OLDER: dict[str, Callable[[list[str], str], Value]] = {
    "!fly.pointer": _pointer,
    "!fly.copy_atom_universal_copy": _old_atom("copy_atom", "fly.universal_copy"),
    "!fly.mma_atom_universal_fma": _old_atom("mma_atom", "fly.universal_fma"),
    "!fly.atom.universal_copy": _old_atom("copy_atom", "fly.universal_copy"),
    "!fly.atom.universal_fma": _old_atom("mma_atom", "fly.universal_fma"),
    "!fly_rocdl.atom.cdna3.mfma": _old_atom("mma_atom", "fly_rocdl.cdna3.mfma"),
}
OLDER = tuple(_OLDER)
_RULES: dict[str, Callable[[list[str], str], Value]] = {
    "!fly.int_tuple": _int_tuple,
    "!fly.basis": _basis,
    "!fly.layout": _of("a layout", Layout),
    "!fly.tile": _tile,
    "!fly.swizzle": _swizzle,
    "!fly.coord_swizzle": _of("a swizzle of coordinates", CoordSwizzle),
    "!fly.composed_layout": _of("a composed layout", ComposedLayout, Layout),
    "!fly.ptr": _pointer,
    "!fly.memref": _memref,
    "!fly.coord_tensor": _coord_tensor,
    "!fly.copy_atom": _atom,
    "!fly.mma_atom": _atom,
    "!fly.tiled_copy": _tiled_copy,
    "!fly.tiled_mma": _tiled_mma,
    **_OLDER,
}
