"""What a kernel is given: numbers and views whose sizes the launch tells, taken as large, well aligned ones."""

from __future__ import annotations

import re
from math import lcm

from tilewright.dtypes import dtype
from tilewright.dumps.fly.scalars import DATA, bits_of
from tilewright.dumps.fly.values import Place, Struct, Value, located
from tilewright.errors import LayoutError, UsageError
from tilewright.ir.fly.leaves import mapped, run_time_leaves
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.types import AnyLayout, CoordTensor, MemRef, Pointer
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt
from tilewright.numerals import integer

# Extents that only the launch knows, and the distance of rows: more than any tile, and a multiple of every line.
SIZE = 1 << 12
NOTE = f"sizes, strides and numbers that only the launch knows are taken as {SIZE}, or a power of it"

_MEMREF = re.compile(r"memref<(?P<extents>(?:[0-9?]+x)*)(?P<element>[^x,<>][^,<>]*)(?P<rest>,.*)?>")
_STRIDED = re.compile(r"strided<\[([0-9?,]*)\]")
_SHARED = ("workgroup", ",3", ",3:i32", ",3:i64")
_PRIVATE = ("private", ",5")


def argument(name: str, text: str) -> Value:
    """The value of a kernel's argument of that type."""
    if text.startswith("!fly."):
        return _of_fly(name, text)
    if text.startswith("!llvm.struct"):
        return _struct(text)
    if text.startswith("!llvm.ptr"):
        return llvm_pointer(name, text)
    if text.startswith("memref<"):
        return view(name, text)
    return DATA if bits_of(text) is None else 1 if text == "i1" else SIZE


def llvm_pointer(name: str, text: str) -> Place:
    """A pointer of LLVM, to bytes."""
    spaces = {"<3>": "shared", "<5>": "register"}
    space = next((found for key, found in spaces.items() if text.endswith(key)), "global")
    return Place("i8", space, 8, 1, base=name)


def _of_fly(name: str, text: str) -> Value:
    found = read(text)
    if isinstance(found, Pointer):
        return located(found, name)
    if isinstance(found, MemRef):
        return MemRef(located(found.pointer, name), _sized(found.layout))
    if isinstance(found, CoordTensor):
        return CoordTensor(found.base, _sized(found.layout))
    return mapped(found, _of_div)


def _of_div(leaf: SymInt) -> int:
    return lcm(SIZE, leaf.div)


def _sized(layout: AnyLayout) -> AnyLayout:
    """The layout with a size for each run-time extent, and the more for a stride the fewer strides follow it."""
    if isinstance(layout, ComposedLayout):
        offset = as_int_tuple(mapped(layout.offset, _of_div))
        return ComposedLayout(layout.outer, offset, _sized(layout.inner))
    if not isinstance(layout, Layout) or layout.is_static:
        return layout
    strides = run_time_leaves(layout.stride)
    sizes = iter(_strides(len(strides)))
    shape = as_int_tuple(mapped(layout.shape, _of_div))
    stride = as_int_tuple(mapped(layout.stride, lambda leaf: lcm(next(sizes), leaf.div)))
    return Layout(shape, stride)


def _strides(count: int) -> list[int]:
    return [SIZE ** min(3, count - i) for i in range(count)]


def _struct(text: str) -> Value:
    """Extents of i32, then strides of i64; a part without any is left out."""
    parts = [part.split(",") for part in re.findall(r"struct<(?:packed)?\s*\(([i0-9,\s]+)\)>", text)]
    if not 1 <= len(parts) <= 2:
        return DATA
    *extents, last = parts
    if not extents and last[0].strip() == "i32":
        return Struct(((SIZE,) * len(last),))
    return Struct((*((SIZE,) * len(part) for part in extents), tuple(_strides(len(last)))))


def view(name: str, text: str) -> MemRef:
    """A view of the type `memref<64x40xf16, strided<[40, 1]>, #gpu.address_space<workgroup>>`.

    Raises:
        LayoutError: a type that is none, or whose layout is no strided one.
    """
    found = _MEMREF.fullmatch(text)
    if found is None:
        raise LayoutError(f"the type {text} is not read")
    rest = (found["rest"] or "").replace(" ", "")
    extents = [_extent(word) for word in found["extents"].split("x")[:-1]]
    strided = _STRIDED.search(rest)
    if "affine_map" in rest or (strided is None and "strided" in rest):
        raise LayoutError(f"the layout of {text} is not read")
    strides = _given(strided[1]) if strided else _rows(extents)
    if len(strides) != len(extents):
        raise LayoutError(f"the type {text} has {len(strides)} strides for {len(extents)} extents")
    space = next((s for s, words in (("shared", _SHARED), ("register", _PRIVATE)) if _ends(rest, words)), "global")
    place = Place(found["element"], space, _bits(found["element"]), 1, base=name)
    return MemRef(place, Layout(tuple(extents), tuple(strides)) if extents else Layout(1, 0))


def _ends(rest: str, words: tuple[str, ...]) -> bool:
    return any(rest.endswith(word) or (word.isalpha() and word in rest) for word in words)


def _extent(word: str) -> int:
    return SIZE if word == "?" else integer(word, 1 << 40) or 0


def _given(text: str) -> list[int]:
    words = [word for word in text.split(",") if word]
    unknown = iter(_strides(words.count("?")))
    return [next(unknown) if word == "?" else integer(word, 1 << 40) or 0 for word in words]


def _rows(extents: list[int]) -> list[int]:
    strides, step = [], 1
    for extent in reversed(extents):
        strides.append(step)
        step *= extent
    return strides[::-1]


def _bits(element: str) -> int:
    try:
        return 64 if element == "index" else max(8, dtype(element).bits)
    except UsageError as error:
        raise LayoutError(f"elements of type {element}: {error}") from None
