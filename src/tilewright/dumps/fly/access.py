"""Operations of a FlyDSL dump that access memory: what all threads ask for, vector by vector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tilewright.analysis.lowering.issue import Kind
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.dtypes import dtype
from tilewright.dumps.fly.cost import Request
from tilewright.dumps.fly.operands import MANY, takes
from tilewright.dumps.fly.values import Array, Leaves, Missing, Number, Place, Value, are_numbers, lanes, place_of
from tilewright.errors import LayoutError, UsageError
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.rules.coordinates import value_at
from tilewright.ir.fly.rules.memory import moved
from tilewright.ir.fly.types import Atom, MemRef, TiledCopy, is_tree
from tilewright.layout.layout import Layout
from tilewright.notation.ttgir_op import Op
from tilewright.numerals import integer

SHARED = ("shared",)
GLOBAL = ("global", "generic", "#fly_rocdl.buffer_desc")
FAR = 1 << 50


@dataclass(frozen=True)
class Threads:
    """Who takes part, and what the leaves of layouts are for each of them."""

    count: int
    active: Array
    leaves: Leaves
    lanes: int

    def numbers(self, number: Number) -> Array:
        """The number of every thread."""
        return lanes(number, self.count)

    def swizzled(self, place: Place, cells: Array) -> Array:
        """Where a pointer's own swizzle puts what lies so many bits on: it XORs bits of the byte address."""
        return cells if place.swizzle is None else place.swizzle(cells // 8) * 8


def space_of(value: Value) -> str:
    """Where a view or a pointer points: `shared`, `global`, or nothing that is counted."""
    place = value.pointer if isinstance(value, MemRef) else value
    space = getattr(place, "space", "")
    return "shared" if space in SHARED else "global" if space in GLOBAL else ""


def _space(value: Value, text: str) -> str:
    """The same, of an operand whose type has that text.

    Raises:
        LayoutError: it is memory, and not known which.
    """
    if isinstance(value, Missing) and "register" not in text:
        raise LayoutError(value.why)
    return space_of(value)


def _is_memory(text: str) -> bool:
    return text.startswith(("!fly.memref", "!fly.ptr"))


def along(view: Value, vector: int, kind: Kind, threads: Threads, name: str = "") -> Request:
    """All elements of a view, `vector` of them at a time.

    Raises:
        LayoutError: it points nowhere known, or the elements of a vector are apart.
    """
    place = place_of(view)
    if place is None or not isinstance(view, MemRef):
        raise LayoutError(_why([view]))
    offsets, plain = threads.leaves.offsets(view.layout, threads.count)
    if len(offsets) % vector:
        raise LayoutError(f"{len(offsets)} elements are no whole number of vectors of {vector}")
    bits, start = place.bits, threads.numbers(threads.leaves.number(place.at))
    cells = threads.swizzled(place, start + offsets * bits).reshape(-1, vector, threads.count)
    apart = cells - cells[:, :1] != np.arange(vector)[None, :, None] * bits
    if (apart & threads.active).any():
        raise LayoutError(f"the {vector} elements of a vector are apart in memory")
    flat = (start - place.origin + plain[::vector] * bits) // bits
    return Request(kind, cells[:, 0] // 8, flat, bits, vector, threads.active, name)


def at(
    place: Value, bits: int, count: int, kind: Kind, threads: Threads, offset: Number = 0, name: str = ""
) -> Request:
    """`count` elements of so many bits behind a pointer, `offset` bits on."""
    if not isinstance(place, Place):
        raise LayoutError(place.why if isinstance(place, Missing) else "it points nowhere known")
    start = threads.leaves.number(place.at) + offset
    cells = threads.swizzled(place, threads.numbers(start))[None]
    plain = (threads.numbers(start)[None] - place.origin) // bits
    return Request(kind, cells // 8, plain, bits, count, threads.active, name)


# ---- copies by atoms


@takes(2, 4)
def copied(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`fly.copy`, and calls of copy atoms with memory or registers on either side."""
    if isinstance(given[0], Missing):
        raise LayoutError(given[0].why)
    atom = given[0].atom if isinstance(given[0], TiledCopy) else given[0]
    if not isinstance(atom, Atom):
        raise LayoutError("its atom is not known, or copies nothing")
    vector = _values_of(atom)
    typed = zip(given, op.inputs, strict=False)
    sides = [(view, _space(view, text) if _is_memory(text) else "") for view, text in typed]
    kinds: list[Kind] = ["load", "store"]
    direct = [space for _, space in sides[1:3]] == ["global", "shared"]
    for kind, (view, space) in zip(kinds, sides[1:3], strict=False):
        if space == "shared" and kind == "store" and direct:
            yield space, behind_each_other(along(view, vector, kind, threads), threads)
        elif space:
            name = TRANSPOSED if "read_trans" in atom.text and space == "shared" else ""
            yield space, along(view, vector, kind, threads, name)


@lru_cache(256)
def _values_of(atom: Atom) -> int:
    """How many values an instruction moves a thread."""
    made = atom_of(atom)
    if not isinstance(made, CopyAtom):
        raise LayoutError("its atom is not known, or copies nothing")
    return max(1, made.bits_per_thread // made.val_bits)


DIRECT = "load to LDS, {} bits"
TRANSPOSED = "ds_read_b{}_tr"


def behind_each_other(request: Request, threads: Threads) -> Request:
    """Into LDS without registers: the lanes of a wave write behind each other from the address of its first lane."""
    lane = np.arange(threads.count) % threads.lanes
    first = np.arange(threads.count) - lane
    step = request.bits * request.length // 8
    rows = request.rows[:, first] + lane * step
    plain = request.plain[:, first] + lane * request.length
    return Request(request.kind, rows, plain, request.bits, request.length, request.active, DIRECT)


# ---- single loads and stores


def vector_of(text: str) -> tuple[int, int]:
    """(bits of an element, number of elements) of a type; of a wide integer 32-bit words.

    >>> vector_of("vector<4xf32>"), vector_of("i128"), vector_of("f16")
    ((32, 4), (32, 4), (16, 1))
    """
    count = 1
    inside = text.removeprefix("vector<").removesuffix(">")
    *extents, element = inside.split("x") if text.startswith("vector<") else [text]
    for extent in extents:
        count *= integer(extent.strip("[]"), 1 << 20) or 0
    if element.startswith("i") and (wide := integer(element[1:], 1 << 12)) and wide > 64:
        return 32, count * wide // 32
    try:
        bits = 64 if element.startswith("!llvm.ptr") else max(8, dtype(element).bits)
    except UsageError as error:
        raise LayoutError(f"elements of type {element}: {error}") from None
    if not count:
        raise LayoutError(f"the type {text} has no vector that is followed")
    return bits, count


@takes(1, MANY)
def pointer_load(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`fly.ptr.load`, `llvm.load` and transposed reads: a pointer, and the type of the result."""
    if space := _space(given[0], op.input(0)):
        name = TRANSPOSED if ".tr" in op.name or "_tr" in op.name else ""
        yield space, at(given[0], *vector_of(op.output), "load", threads, name=name)


@takes(2)
def pointer_store(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`fly.ptr.store` and `llvm.store`: a value and a pointer."""
    if space := _space(given[1], op.input(1)):
        yield space, at(given[1], *vector_of(op.input(0)), "store", threads)


def element(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`memref.load`, `vector.load` and their stores: perhaps a value, a view, and an index for each dimension."""
    stores = op.name.endswith("store")
    view, *index = _viewed(op, given, stores)
    if not isinstance(view, MemRef) or not space_of(view):
        if isinstance(view, Missing):
            raise LayoutError(view.why)
        return
    bits, count = vector_of(_moved_type(op, view))
    if not are_numbers(index):
        raise LayoutError(_why(index))
    place, offset = place_at_indices(view, index, threads)
    yield space_of(view), at(place, bits, count, "store" if stores else "load", threads, offset)


def _viewed(op: Op, given: list[Value], stores: bool) -> list[Value]:
    """The view that is accessed and what follows it: of a store, what stands behind the value.

    Raises:
        LayoutError: it has fewer operands.
    """
    if len(given) <= stores:
        raise LayoutError(f"{op.name} on line {op.line} has {len(given)} operands, and no view among them")
    return given[stores:]


def place_at_indices(view: MemRef, index: Sequence[Number], threads: Threads) -> tuple[Place, Number]:
    """Where a view begins, and how many bits further on the element with these indices lies.

    Raises:
        LayoutError: it points nowhere known, or has another number of dimensions.
    """
    place, layout = place_of(view), view.layout
    if place is None or not isinstance(layout, Layout):
        raise LayoutError(_why([view]))
    strides = layout.stride if isinstance(layout.stride, tuple) else (layout.stride,)
    if len(strides) != len(index):
        raise LayoutError(f"{len(index)} indices into a view of {len(strides)} dimensions")
    offset = sum((i * threads.leaves.number(d) for i, d in zip(index, strides, strict=True)), start=0)
    return place, offset * place.bits


def _moved_type(op: Op, view: MemRef) -> str:
    vectors = [text for text in (*op.inputs, *op.outputs) if text.startswith("vector<")]
    return vectors[0] if vectors else view.pointer.element


def _why(values: Sequence[Value]) -> str:
    return next((value.why for value in values if isinstance(value, Missing)), "its address is not known")


def fly_element(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`fly.memref.load` and `.store`: an element at a coordinate."""
    stores = op.name.endswith("store")
    view, *coords = _viewed(op, given, stores)
    if space := _space(view, op.input(int(stores))):
        coord = coords[0] if len(coords) == 1 else Missing(f"it has {len(coords)} coordinates instead of one")
        if not isinstance(view, MemRef) or not is_tree(coord):
            raise LayoutError(_why([view, coord]))
        offset = value_at(coord, view.layout)
        one = MemRef(moved(view.pointer, offset), Layout(1, 0))
        yield space, along(one, 1, "store" if stores else "load", threads)


def fly_vector(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`fly.memref.load_vec` and `.store_vec`: all elements of a view, one by one."""
    stores = op.name.endswith("store_vec")
    view = _viewed(op, given, stores)[0]
    if space := _space(view, op.input(int(stores))):
        yield space, along(view, 1, "store" if stores else "load", threads)


# ---- buffers of global memory by their resource descriptors


def _bytes(*numbers: Value) -> Number:
    if not are_numbers(numbers):
        raise LayoutError(_why(numbers))
    return 8 * sum(numbers, start=0)


@takes(3, MANY)
def buffer_load(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`rocdl.raw.ptr.buffer.load %rsrc, %offset, %soffset, aux`: offsets in bytes."""
    yield "global", at(given[0], *vector_of(op.output), "load", threads, _bytes(*given[1:3]))


@takes(4, MANY)
def buffer_store(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`rocdl.raw.ptr.buffer.store %value, %rsrc, %offset, %soffset, aux`."""
    yield "global", at(given[1], *vector_of(op.input(0)), "store", threads, _bytes(*given[2:4]))


@takes(6, MANY)
def buffer_to_lds(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %size, %offset, %soffset, %imm, aux`."""
    size = given[2]
    if not isinstance(size, int) or size not in (1, 2, 4, 12, 16):
        raise LayoutError("the bytes that each lane moves are not known")
    bits = 8 * size if size < 4 else 32
    yield "global", at(given[0], bits, 8 * size // bits, "load", threads, _bytes(*given[3:6]))
    yield "shared", behind_each_other(at(given[1], bits, 8 * size // bits, "store", threads), threads)


@takes(2, MANY)
def global_to_lds(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`rocdl.global.load.lds %global, %lds, size, offset, aux`, perhaps asynchronous; the size stands in the text."""
    numbers = [integer(word, 1 << 20) for word in (*op.words, op.attributes.get("size", "").split(" ")[0])]
    size = next((number for number in numbers if number), None)
    if size not in (1, 2, 4, 12, 16):
        raise LayoutError("the bytes that each lane moves are not known")
    bits = 8 * size if size < 4 else 32
    yield "global", at(given[0], bits, 8 * size // bits, "load", threads)
    yield "shared", behind_each_other(at(given[1], bits, 8 * size // bits, "store", threads), threads)


Reading = Callable[[Op, list[Value], Threads], Iterator[tuple[str, Request]]]
READINGS: Mapping[str, Reading] = {
    **dict.fromkeys(("fly.copy", "fly.copy_atom_call", "fly.copy_atom_call_ssa"), copied),
    **dict.fromkeys(("fly.ptr.load", "llvm.load"), pointer_load),
    **dict.fromkeys(("fly.ptr.store", "llvm.store"), pointer_store),
    **dict.fromkeys(("fly.memref.load", "fly.memref.store"), fly_element),
    **dict.fromkeys(("fly.memref.load_vec", "fly.memref.store_vec"), fly_vector),
    **dict.fromkeys(("memref.load", "memref.store", "vector.load", "vector.store"), element),
    "rocdl.raw.ptr.buffer.load": buffer_load,
    "rocdl.raw.ptr.buffer.store": buffer_store,
    "rocdl.raw.ptr.buffer.load.lds": buffer_to_lds,
    "rocdl.raw.ptr.buffer.load.async.lds": buffer_to_lds,
    "rocdl.global.load.lds": global_to_lds,
    "rocdl.load.to.lds": global_to_lds,
}
TRANSPOSING = ("rocdl.ds.read.tr", "rocdl.ds.load.tr")
