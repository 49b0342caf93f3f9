"""The text of a `fly` type, in the released spelling: `read` of `type_reader` gives its value back."""

from __future__ import annotations

from tilewright.ir.fly.types import (
    Atom,
    Basis,
    CoordTensor,
    MemRef,
    Pointer,
    Results,
    Scalar,
    Tile,
    TiledCopy,
    TiledMma,
    Value,
    XorShift,
)
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.printers import to_fly


def write(value: Value) -> str:
    """The type's text, in the release's spelling.

    >>> from tilewright.ir.fly.type_reader import read
    >>> write(read("!fly.pointer<f16>")), write((4, (8, 2)))
    ('!fly.ptr<f16, global>', '!fly.int_tuple<(4,(8,2))>')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Atom | Scalar):
        return value.text
    if isinstance(value, Results):
        return ", ".join(map(write, value.types))
    name, parts = _parts(value)
    return f"!fly.{name}<{', '.join(parts)}>"


def _parts(value: Value) -> tuple[str, list[str]]:
    match value:
        case Tile():
            return "tile", [tile_text(value.tiler)]
        case Basis():
            return "basis", [to_fly(value.element)]
        case Layout():
            return "layout", [to_fly(value)]
        case ComposedLayout():
            return "composed_layout", [to_fly(value)]
        case Swizzle():
            return "swizzle", [to_fly(value)]
        case XorShift():
            return "swizzle", [str(value)]
        case CoordSwizzle():
            return "coord_swizzle", [str(value)]
        case Pointer():
            return "ptr", _pointer_parts(value)
        case MemRef():
            element, space, *facts = _pointer_parts(value.pointer)
            return "memref", [element, space, to_fly(value.layout), *facts]
        case CoordTensor():
            return "coord_tensor", [to_fly(value.base), to_fly(value.layout)]
        case TiledCopy():
            return "tiled_copy", [value.atom.text, write(value.layout), write(value.tile)]
        case TiledMma():
            permutation = [] if value.permutation is None else [write(value.permutation)]
            return "tiled_mma", [value.atom.text, write(value.layout), *permutation]
    return "int_tuple", [to_fly(value)]


def tile_text(tiler: object) -> str:
    """The text of a tiler in a tile, `[4|*]`."""
    return f"[{'|'.join(map(tile_text, tiler))}]" if isinstance(tiler, tuple) else to_fly(tiler)


def _pointer_parts(pointer: Pointer) -> list[str]:
    align = [] if pointer.align == pointer.natural else [f"align<{pointer.align}>"]
    swizzle = [] if pointer.swizzle is None else [to_fly(pointer.swizzle)]
    return [pointer.element, pointer.space, *align, *swizzle]
