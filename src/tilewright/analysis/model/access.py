"""From layouts to byte addresses: what every lane of every warp asks for, instruction by instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, SupportsIndex

from tilewright.analysis.banks.raw import MAX_WIDTH, integer
from tilewright.analysis.banks.rule import check_kind
from tilewright.analysis.model.memory import MAX_OFFSET, Tile, check_reach, memory_layout, unswizzled
from tilewright.analysis.model.participants import Participants
from tilewright.analysis.model.vector import Backend, Vector, vectors
from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, TilewrightError, UsageError, shown
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

MAX_VALUES = 1 << 24
# From so many values on, offsets are computed by parts.
MANY = 1 << 16


@dataclass(frozen=True)
class Access:
    """One way in which a tile is read or written, for `suggest_swizzle`.

    >>> rows = Access(Layout((8, 8), (1, 8)), instruction="ldmatrix.x1")  # thread t holds row t of an 8 x 8 tile
    >>> words = Access(Layout((32, 4), (4, 1)), vector_bits=128, kind="store")  # four 32-bit elements at once
    >>> print(rows, words, Access(instruction="tma"), sep=", ")
    ldmatrix.x1, store 128 bits, tma

    Args:
        thread_value: the layout (thread, value) -> colexicographic index of the tile's coordinate; None for
            `tma`, `wgmma` and `tcgen05`, which reach a tile through a descriptor.
        vector_bits: bits, or a type of as many, that one instruction moves per thread; None is one element, or a
            matrix row for `ldmatrix`.
        kind: `load` or `store`.
        instruction: `auto`, `ldmatrix.x4`, `ds_read_b128`, `tma`, ..
        name: what reports call it.
        notes: what to know of it, which reports repeat.

    Raises:
        UsageError: a kind, a width or texts that are none.
        LayoutError: `thread_value` is no layout; whether it fits is seen with the tile.
    """

    thread_value: LayoutBase | None = None
    vector_bits: int | DTypeLike | None = None
    kind: str = "load"
    instruction: str = "auto"
    name: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_kind(self.kind)
        if self.thread_value is not None and not isinstance(self.thread_value, LayoutBase):
            raise LayoutError(f"thread_value is a layout (thread, value), got {no_layout(self.thread_value)}")
        if not isinstance(self.notes, tuple) or any(not isinstance(note, str) for note in self.notes):
            raise UsageError(f"an access's notes are a tuple of texts, got {shown(self.notes)}")
        if not isinstance(self.instruction, str) or not isinstance(self.name, str):
            given = f"{shown(self.instruction)} and {shown(self.name)}"
            raise UsageError(f"an access's instruction and name are texts, got {given}")
        if self.vector_bits is not None:
            bits = integer(bits_of(self.vector_bits), "vector_bits", 1, 8 * MAX_WIDTH)
            object.__setattr__(self, "vector_bits", bits)

    def __str__(self) -> str:
        what = self.instruction if self.instruction != "auto" else self.kind
        bits = f" {self.vector_bits} bits" if self.vector_bits else ""
        return self.name or f"{what}{bits}"


@dataclass(frozen=True, slots=True)
class Move:
    """What an instruction moves per lane: `width` bytes with `length` elements; a single one may be narrower."""

    width: int
    length: int


@dataclass(frozen=True, slots=True)
class Requests:
    """Byte addresses in rows of `lanes`, negative where a lane is inactive; row = instruction * warps + warp."""

    xp: Backend
    addresses: Vector
    lanes: int
    width: int
    warps: int

    @property
    def rows(self) -> int:
        """The number of instructions that the warps issue together."""
        return len(self.addresses) // self.lanes


@dataclass(frozen=True, slots=True)
class Elements:
    """Element offsets of a tile as threads and values see it: entry value * threads + thread of `offsets`.

    Where the offset is the sum of a thread's part and a value's part, `by_thread` holds the one and `cells` the other;
    else it is None, and `cells` holds the offsets.
    """

    xp: Backend
    cells: Vector
    threads: int
    values: int
    by_thread: Vector | None = None

    @property
    def offsets(self) -> Vector:
        """Every offset."""
        return self.cells if self.by_thread is None else self.xp.outer(self.cells, self.by_thread)

    def of_threads(self, order: Vector) -> Elements:
        """The same in which thread t has the offsets of thread order[t]."""
        if self.by_thread is None:
            return replace(self, cells=self.xp.columns(self.cells, self.threads, order))
        return replace(self, by_thread=self.xp.columns(self.by_thread, self.threads, order))


def elements(layout: Tile, thread_value: LayoutBase | None, who: Participants | None = None) -> Elements:
    """The offset of every (thread, value): layout(thread_value(thread, value)).

    A thread that takes no part has the offsets of one that does; where none does, each has those of a tile of its own.

    Raises:
        LayoutError: a layout that is not static or does not give memory offsets, or a coordinate outside the tile.
        UsageError: more than 2^24 values.
    """
    given, (placed, tile) = layout, _static(memory_layout(layout), "layout")
    owned, total = _static(thread_value, "thread_value")
    threads = _threads(owned)
    if total > MAX_VALUES:
        raise UsageError(f"thread_value has {total} values; the limit is {MAX_VALUES}")
    xp = vectors(total)
    check_reach(owned, total, "thread_value")
    if who is not None and who.is_nobody(xp, threads):
        return Elements(xp, xp.repeat(xp.arange(total // threads), threads), threads, total // threads)
    stand_ins = None if who is None or who.everyone else who.stand_ins(xp, threads)
    if total > MANY and (found := _by_parts(xp, placed, owned)):
        return found if stand_ins is None else found.of_threads(stand_ins)
    coordinates = _offsets(xp, owned, xp.arange(total), "thread_value")
    if stand_ins is not None:
        coordinates = xp.columns(coordinates, threads, stand_ins)
    low, high = int(coordinates.min()), int(coordinates.max())
    if low < 0 or high >= tile:
        raise LayoutError(
            f"thread_value {thread_value} reaches coordinate index {low if low < 0 else high}; "
            f"the tile {given} has the indices 0 to {tile - 1}"
        )
    check_reach(placed, tile, "layout")
    offsets = _offsets(xp, placed, coordinates, "layout")
    if not 0 <= int(offsets.min()) <= int(offsets.max()) < MAX_OFFSET:
        lowest = int(offsets.min())
        raise LayoutError(f"layout {given} reaches element {lowest}, and memory starts at 0; give it an offset")
    return Elements(xp, offsets, threads, total // threads)


def _by_parts(xp: Backend, whole: LayoutBase, thread_value: LayoutBase) -> Elements | None:
    """The elements as sums of parts, where both layouts are plain, one layout composes them, and all is in range."""
    offset, layout = unswizzled(whole)
    if type(offset) is not int or type(layout) is not Layout or type(thread_value) is not Layout:
        return None
    if type(layout(0)) is not int or type(thread_value(0)) is not int:
        return None
    is_backward = any(stride < 0 for _, stride in (*layout.flat, *thread_value.flat))
    if offset < 0 or is_backward or thread_value.cosize > layout.size:
        return None
    try:
        placed = composition(layout, thread_value)
    except LayoutError:
        return None
    if placed.cosize + offset >= MAX_OFFSET:
        return None
    threads = _threads(thread_value)
    extents = [extent for extent, _ in placed.flat]
    cut = next((i for i in range(len(extents) + 1) if prod(extents[:i]) == threads), None)
    if cut is None:
        return None
    by_thread, by_value = (_sums(xp, part) for part in (placed.flat[:cut], placed.flat[cut:]))
    return Elements(xp, by_value + offset, threads, len(by_value), by_thread)


def _sums(xp: Backend, modes: Iterable[tuple[int, int]]) -> Vector:
    """The values of static modes, the first one fastest."""
    total = xp.arange(1)
    for extent, stride in modes:
        total = xp.outer(xp.arange(extent) * stride, total)
    return total


def vectors_of(found: Elements, length: int) -> tuple[Vector, bool]:
    """The offsets of the first of every `length` values of a thread, and whether the rest follow without a gap."""
    xp, threads = found.xp, found.threads if found.by_thread is None else 1
    period = length * threads
    first = xp.columns(found.cells, period, range(threads))
    rest = (xp.columns(found.cells, period, range(k * threads, (k + 1) * threads)) - first for k in range(1, length))
    together = all(bool((gap == k).all()) for k, gap in enumerate(rest, 1))
    return (first if found.by_thread is None else xp.outer(first, found.by_thread)), together


def vector_starts(found: Elements, element_bits: int, move: Move) -> Vector:
    """The element offset at which each vector starts, instruction-major.

    Raises:
        UsageError: the values of a thread are no whole number of vectors.
        LayoutError: the values of a vector do not follow each other in memory.
    """
    if found.values % move.length:
        raise UsageError(
            f"{found.values} values per thread are no whole number of vectors of {move.length} "
            f"({8 * move.width} bits of {element_bits}-bit elements)"
        )
    first, contiguous = vectors_of(found, move.length)
    if not contiguous:
        raise LayoutError(_gap_message(found, move.length, element_bits))
    return first


def byte_addresses(found: Elements, element_bits: int, move: Move, base_bytes: int) -> Vector:
    """The byte address of every vector, or of the byte that holds a single narrower element, instruction-major.

    Raises:
        LayoutError: a vector starts inside a byte, or what `vector_starts` raises.
    """
    bits = vector_starts(found, element_bits, move) * element_bits
    if move.length > 1 and bool((bits % 8 != 0).any()):
        raise LayoutError(f"a vector of {8 * move.width} bits of {element_bits}-bit elements starts inside a byte")
    return bits // 8 + base_bytes


def check_element_bits(element_bits: int | DTypeLike) -> int:
    """The bits of an element or of its type; raises `UsageError` unless they are an integer from 1 to 128."""
    return integer(bits_of(element_bits), "element_bits", 1, 128)


def lane_move(element_bits: int, vector_bits: int | DTypeLike | None, fixed: int | None) -> Move:
    """What `vector_bits` says, else the instruction's name (`fixed` bytes), else one element, at least a byte.

    Raises:
        UsageError: bits that are no whole bytes or elements, or that the instruction does not move.

    >>> lane_move(16, None, None), lane_move(16, 128, None), lane_move(4, None, None), lane_move(4, 8, None)
    (Move(width=2, length=1), Move(width=16, length=8), Move(width=1, length=1), Move(width=1, length=2))
    """
    said = element_bits if fixed is None else 8 * fixed
    bits = said if vector_bits is None else integer(bits_of(vector_bits), "vector_bits", 1, 8 * MAX_WIDTH)
    if bits % 8 and bits != element_bits:
        raise UsageError(f"vector_bits is a multiple of 8, or one element of {element_bits} bits; got {bits}")
    width = -(-bits // 8)
    if fixed not in (None, width):
        raise UsageError(f"the instruction moves {8 * (fixed or 0)} bits per thread, but vector_bits is {bits}")
    if bits == element_bits and (element_bits % 8 == 0 or 8 % element_bits == 0):
        return Move(width, 1)
    if 8 * width % element_bits:
        raise UsageError(f"a vector of {8 * width} bits holds no whole number of {element_bits}-bit elements")
    return Move(width, bits // element_bits)


def into_warps(xp: Backend, addresses: Vector, threads: int, who: Participants, width: int) -> Requests:
    """Rows of one warp each; lanes that have no thread, or whose thread takes no part, are inactive."""
    lanes, warps = who.lanes, -(-threads // who.lanes)
    live_addresses = addresses
    if not who.everyone:
        live_addresses = xp.where(xp.tile(who.mask(xp, threads), len(addresses) // threads), addresses, -1)
    full = warps * lanes
    if full != threads:
        padded = xp.columns(live_addresses, threads, [min(lane, threads - 1) for lane in range(full)])
        live_addresses = xp.where(xp.arange(len(padded)) % full < threads, padded, -1)
    return Requests(xp, live_addresses, lanes, width, warps)


def check_alignment(requests: Requests, alignment: int, what: str, unit: str = "byte") -> None:
    """Raises `LayoutError` when an active lane's address is no multiple of `alignment`."""
    wrong = (requests.addresses >= 0) & (requests.addresses % alignment != 0)
    if bool(wrong.any()):
        row = wrong.tolist().index(True)
        raise LayoutError(
            f"{what}: lane {row % requests.lanes} asks for {unit} {requests.addresses[row]}, "
            f"which is not a multiple of {alignment}; the hardware faults on it"
        )


def check_base(base_bytes: SupportsIndex) -> int:
    """`base_bytes` as an `int`; raises `UsageError` unless it is an integer from 0 to 2^48."""
    return integer(base_bytes, "base_bytes", 0, MAX_OFFSET)


def _static(layout: object, what: str) -> tuple[LayoutBase, int]:
    """The layout, and its size."""
    if not isinstance(layout, LayoutBase) or not hasattr(layout, "size"):
        raise LayoutError(f"{what} is a layout, got {no_layout(layout)}")
    size = layout.size
    if type(size) is not int:
        raise LayoutError(f"{what} {layout} has the run-time size {size}; an analysis needs static layouts")
    return layout, size


def _threads(thread_value: LayoutBase) -> int:
    shape = thread_value.shape
    return int(product(shape[0] if isinstance(shape, tuple) and shape else shape))


def _offsets(xp: Backend, layout: Callable[[Vector], object], index: Vector, what: str) -> Vector:
    try:
        return xp.evaluate(layout, index)
    except TilewrightError:
        raise
    except (TypeError, ValueError):
        raise LayoutError(
            f"{what} {layout} gives {shown(layout(0))}, not an integer; an analysis needs static strides on memory"
        ) from None


def _gap_message(found: Elements, length: int, element_bits: int) -> str:
    cells = found.offsets.tolist()
    for start in range(0, found.values, length):
        for thread in range(found.threads):
            seen = [cells[(start + k) * found.threads + thread] for k in range(length)]
            if seen != list(range(seen[0], seen[0] + length)):
                return (
                    f"values {start} to {start + length - 1} of thread {thread} lie at elements "
                    f"{', '.join(map(str, seen[:8]))}{', ..' if length > 8 else ''}; "
                    f"a vector of {length * element_bits} bits needs {length} consecutive ones"
                )
    raise AssertionError("asked for a gap where there is none")
