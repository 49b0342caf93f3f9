"""Reading and writing flat memory where a pointer points: runs of units, by as few instructions as they allow.

In a buffer, what lies outside its window reads as 0 and is not written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tilewright.ir.core.index import SUB, IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.ir.fly.memories import pointer_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import Pointer
from tilewright.ir.tile.atoms import CopyAtomOp
from tilewright.ir.tile.types import LOCAL, space_of
from tilewright.layout.swizzle import Swizzle
from tilewright.passes.fly_flat.bits import recast, width
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused
from tilewright.passes.fly_flat.held import INDEX, types_of
from tilewright.passes.fly_flat.pointers import alloca, in_cells

WIDEST = 128  # bits that one instruction moves
ALIGNED = WIDEST // 8  # bytes that divide the address of every memory that a kernel sets aside


@dataclass(frozen=True)
class Run:
    """So many units of a memory behind each other; `chunk` of them are moved at once.

    `window` of a buffer is where it begins, and how many units it has.
    """

    memory: SSAValue
    at: Index
    count: int
    chunk: int
    window: tuple[Index, Index] | None = None

    @property
    def unit(self) -> Attribute:
        """The type of a unit."""
        return cast("MemRefType[Attribute]", self.memory.type).element_type


def run_of(out: Flat, op: Operation, value: SSAValue, offset: Index, bits: int, alignment: int) -> Run:
    """The run of so many bits that begins so many cells behind where a pointer or view points.

    `alignment` is said of it, in bytes; what is known of the place may say more.

    Raises:
        CompileError: it is no whole number of the units in which the memory is kept.
    """
    pointer, held = pointer_of(value.type), out[value]
    assert pointer is not None
    assert held.memory is not None
    unit = width(cast("MemRefType[Attribute]", held.memory.type).element_type)
    if bits % unit:
        text = f"accesses {bits} bits of memory that is kept in pieces of {unit}"
        raise refused(op, f"{text}; declare it as elements of {bits} bits, or access whole ones")
    place = swizzled(out.index, in_cells(out, out.index.add(held.numbers[0], offset), pointer, unit), pointer, unit, op)
    window = None
    if pointer.space == BUFFER:
        begin, size = (in_cells(out, number, pointer, unit) for number in held.numbers[1:3])
        window = begin, size
    count, known = bits // unit, _alignment(out, held.memory, place, unit)
    return Run(held.memory, place, count, _chunk(count, unit, max(alignment, known), space_of(held.memory)), window)


def _alignment(out: Flat, memory: SSAValue, place: Index, unit: int) -> int:
    """The bytes that are known to divide the address of a place."""
    return min(out.aligned.get(memory, ALIGNED), (unit << out.zeros(place)) // 8)


def swizzled(index: IndexBuilder, place: Index, pointer: Pointer, unit: int, op: Operation) -> Index:
    """A place in units, of which the pointer's own swizzle changes the byte."""
    if pointer.swizzle is None:
        return place
    swizzle, own = pointer.swizzle, (unit // 8).bit_length() - 1
    if not isinstance(swizzle, Swizzle) or swizzle.m < own:
        raise refused(op, f"the pointer's {swizzle} changes places within units of {unit} bits")
    mask = ((1 << swizzle.b) - 1) << (swizzle.m - own + max(0, swizzle.s))
    moved = index.bits_and(place, mask)
    moved = index.shift_right(moved, swizzle.s) if swizzle.s >= 0 else index.shift_left(moved, -swizzle.s)
    return index.xor(place, moved)


def _chunk(count: int, unit: int, alignment: int, space: str) -> int:
    """How many units one instruction moves."""
    most = 1 if space == LOCAL else max(1, min(8 * alignment, WIDEST) // unit)
    return max(size for size in (1 << i for i in range(most.bit_length())) if count % size == 0 and size <= most)


# ---- units


def read(out: Flat, run: Run) -> list[SSAValue]:
    """The units of a run."""
    return [unit for start in range(0, run.count, run.chunk) for unit in _read(out, run, start)]


def write(out: Flat, run: Run, units: Sequence[SSAValue]) -> None:
    """Puts units there."""
    for start in range(0, run.count, run.chunk):
        _write(out, run, start, units[start : start + run.chunk])


def _read(out: Flat, run: Run, start: int) -> Sequence[SSAValue]:
    at = out.index.add(run.at, start)
    if run.chunk == 1:
        if run.window is None:
            return [_load(out, run.memory, at)]
        return out.either(
            inside(out, run, at, 1), [run.unit],
            lambda: [_load(out, run.memory, at)], lambda: [out.constant(0, run.unit)],
        )  # fmt: skip
    registers = local(out, run.unit, run.chunk)
    _in_window(
        out, run, at,
        lambda: _copied(out, run, (registers, 0), (run.memory, at)),
        lambda i, spot: _store(out, registers, i, _load(out, run.memory, spot)),
        lambda i: _store(out, registers, i, out.constant(0, run.unit)),
    )  # fmt: skip
    return [_load(out, registers, number) for number in range(run.chunk)]


def _write(out: Flat, run: Run, start: int, units: Sequence[SSAValue]) -> None:
    at = out.index.add(run.at, start)
    if run.chunk == 1:
        (unit,) = units
        if run.window is None:
            _store(out, run.memory, at, unit)
        else:
            out.either(inside(out, run, at, 1), [], lambda: _store(out, run.memory, at, unit))
        return
    registers = held_in(out, units)
    _in_window(
        out, run, at,
        lambda: _copied(out, run, (run.memory, at), (registers, 0)),
        lambda i, spot: _store(out, run.memory, spot, _load(out, registers, i)),
        lambda i: (),
    )  # fmt: skip


def _in_window(
    out: Flat,
    run: Run,
    at: Index,
    whole: Callable[[], tuple[()]],
    within: Callable[[Index, Index], tuple[()]],
    outside: Callable[[Index], tuple[()]],
) -> None:
    """A chunk at once where it lies within the window, else unit by unit."""
    if run.window is None:
        whole()
        return

    def apart() -> tuple[()]:
        body = Block(arg_types=[INDEX])
        index = out.index
        low, high, by = (index.value(i) for i in (0, run.chunk, 1))
        out.insert(scf.ForOp(low, high, by, [], Region(body)))
        (i,) = body.args
        with out.within(body):
            spot = out.index.add(at, i)
            out.either(inside(out, run, spot, 1), [], lambda: within(i, spot), lambda: outside(i))
            out.insert(scf.YieldOp())
        return ()

    out.either(inside(out, run, at, run.chunk), [], whole, apart)


def inside(out: Flat, run: Run, at: Index, count: int) -> SSAValue:
    """Do so many units from there on lie within the window?"""
    assert run.window is not None
    begin, size = run.window
    index = out.index
    behind = index.binary(SUB, at, begin)
    asked = arith.CmpiOp(index.value(behind), index.value(index.binary(SUB, size, count - 1)), "slt")
    natural = arith.CmpiOp(index.value(behind), index.value(0), "sge")
    out.insert(asked)
    out.insert(natural)
    return out.insert(arith.AndIOp(natural.result, asked.result)).result


def _copied(out: Flat, run: Run, target: tuple[SSAValue, Index], source: tuple[SSAValue, Index]) -> tuple[()]:
    bits = run.chunk * width(run.unit)
    ends = [(memory, [out.index.value(at)]) for memory, at in (target, source)]
    out.insert(CopyAtomOp(f"UniversalCopy{bits}b", ends))
    return ()


def local(out: Flat, kind: Attribute, count: int) -> SSAValue:
    """Registers for so many numbers of a type."""
    return out.insert(alloca(kind, count, LOCAL)).memref


def held_in(out: Flat, numbers: Sequence[SSAValue]) -> SSAValue:
    """Registers that hold numbers."""
    registers = local(out, numbers[0].type, len(numbers))
    for at, number in enumerate(numbers):
        _store(out, registers, at, number)
    return registers


def taken_from(out: Flat, registers: SSAValue, count: int) -> list[SSAValue]:
    """The first numbers in registers."""
    return [_load(out, registers, at) for at in range(count)]


def _load(out: Flat, memory: SSAValue, at: Index) -> SSAValue:
    kind = cast("MemRefType[Attribute]", memory.type).element_type
    return out.insert(memref.LoadOp.create(operands=[memory, out.index.value(at)], result_types=[kind])).res


def _store(out: Flat, memory: SSAValue, at: Index, value: SSAValue) -> tuple[()]:
    out.insert(memref.StoreOp.create(operands=[value, memory, out.index.value(at)]))
    return ()


# ---- ops


def read_as(out: Flat, run: Run, kind: Attribute) -> list[SSAValue]:
    """The bits of a run as the numbers of a value of a type."""
    kinds = types_of(kind)
    return recast(out, read(out, run), kinds[0])


def write_as(out: Flat, run: Run, numbers: Sequence[SSAValue]) -> None:
    """Puts the bits of numbers there."""
    write(out, run, recast(out, numbers, run.unit))


def _pointer_load(out: Flat, op: FlyOp) -> None:
    kinds, pointer = types_of(op.results[0].type), pointer_of(op.operands[0].type)
    assert pointer is not None
    run = run_of(out, op, op.operands[0], 0, len(kinds) * width(kinds[0]), pointer.align)
    out.set(op.results[0], read_as(out, run, op.results[0].type))


def _pointer_store(out: Flat, op: FlyOp) -> None:
    kinds, pointer = types_of(op.operands[0].type), pointer_of(op.operands[1].type)
    assert pointer is not None
    run = run_of(out, op, op.operands[1], 0, len(kinds) * width(kinds[0]), pointer.align)
    write_as(out, run, out[op.operands[0]].numbers)


ACCESSES: Handlers = {OPS["ptr.load"]: _pointer_load, OPS["ptr.store"]: _pointer_store}
