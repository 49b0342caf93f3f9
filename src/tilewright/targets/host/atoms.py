"""Instructions of the atom table lane by lane: lanes show rows and fragments in shared memory, and read from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import gpu, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr, f64, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.bounds import Row, assert_row
from tilewright.ir.core.dependence import LANE_ID, WARP_ID, reached_by
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index, TightRanges, constant_of
from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.atoms import CopyAtomOp, MmaAtomOp, Place, element_of
from tilewright.ir.tile.together import BarOp, SyncOp
from tilewright.ir.tile.types import LOCAL, SHARED
from tilewright.targets.host.clipped import can_clip, kind_of, read, write
from tilewright.targets.host.lane_code import Code
from tilewright.targets.host.products import Registers, Terms, floats, integers, is_summed, shown
from tilewright.targets.launch import Launch, kernel_of, shape_of, where
from tilewright.targets.simulator.collective.moves import Moves, moves_of
from tilewright.targets.simulator.collective.operands import Operand, operands_of


def by_lanes(module: ModuleOp, lanes: int, checked: bool = True) -> ModuleOp:
    """A copy of a module at stage `final` in which lanes do one by one what instructions do together, where they can.

    `checked`: rows that may leave their memory, or be misaligned, are asserted not to.

    A barrier with a number at which all threads of the block wait, at one place, becomes the block's.

    Raises:
        CompileError: rows of one type go to registers of another, or the other way.
    """
    made = module.clone()
    func = kernel_of(made)
    launch = shape_of(func)
    work = _Work(func, launch, lanes, checked)
    bars = [op for op in func.walk() if isinstance(op, BarOp) or (isinstance(op, SyncOp) and op.scope.data == "cta")]
    for op in list(func.walk()):
        if isinstance(op, MmaAtomOp) and _can_multiply(op, launch, lanes):
            work.multiply(op)
        elif isinstance(op, CopyAtomOp) and _can_move(op, launch, lanes):
            work.move(op)
        elif isinstance(op, CopyAtomOp):
            _refuse_other_type(op)
        elif isinstance(op, BarOp) and op.kind.data == "sync" and _is_whole(op, launch, bars, lanes):
            Code.before(op).builder.insert(SyncOp("cta"))
            erase(op)
    return made


def _is_whole(op: BarOp, launch: Launch, bars: Sequence[BarOp | SyncOp], lanes: int) -> bool:
    """Does the whole block come to the barrier, and nobody at another place? Its own barrier is number 0."""
    number = constant_of(op.barrier)
    alike = [bar for bar in bars if number is None or _number(bar) in (None, number)]
    parted = len(alike) > 1 and any(reached_by(bar, lanes) & {LANE_ID, WARP_ID} for bar in alike)
    return op.threads.value.data == launch.threads and not parted


def _number(bar: BarOp | SyncOp) -> int | None:
    return constant_of(bar.barrier) if isinstance(bar, BarOp) else 0


def _can_multiply(op: MmaAtomOp, launch: Launch, lanes: int) -> bool:
    whole = launch.threads % lanes == 0 and lanes % op.instruction.threads == 0
    return whole and op.instruction.threads > 1 and is_summed(op.instruction)


def _can_move(op: CopyAtomOp, launch: Launch, lanes: int) -> bool:
    dst, src = op.places
    atom = op.instruction
    if dst.element != src.element or src.element.bits % 8 or lanes % atom.threads:
        return False
    if op.clips and not can_clip(op):
        return False
    moves = moves_of(atom, lanes if atom.threads > 1 else 1)
    return moves.taken is None or (launch.threads % lanes == 0 and moves.piece % src.element.bits == 0)


def _refuse_other_type(op: CopyAtomOp) -> None:
    """Raises `CompileError` for a matrix whose registers would do if they were of the type of its rows."""
    dst, src = op.places
    if dst.element == src.element or op.instruction.threads == 1 or op.instruction.widened_bits:
        return
    local, rows = (dst, src) if dst.space == LOCAL else (src, dst)
    text = f"{op.instruction.name} moves rows of {rows.element.name} and registers of {local.element.name}"
    advice = f"take a local buffer of {rows.element.name}, by T.copy_atom({op.instruction.name!r}, dst, src)"
    raise CompileError(f"{text}; on the host both are of one type: {advice}\n{where(op)}")


@dataclass
class _Work:
    """A kernel that is being changed: its threads' numbers, and the memory in which warps show things."""

    func: FuncOp
    launch: Launch
    lanes: int
    checked: bool
    rooms: dict[tuple[str, Attribute, int], SSAValue] = field(default_factory=dict)

    def room(self, name: str, element: Attribute, size: int, space: str) -> SSAValue:
        """Memory at the beginning of the kernel, the same for all who ask for as much by this name."""
        key = name + space, element, size
        if key not in self.rooms:
            kind = MemRefType(element, [size], memory_space=StringAttr(space))
            made = memref.AllocaOp(operands=[[], []], result_types=[kind])
            made.memref.name_hint = name
            Builder(InsertPoint.at_start(self.func.body.block)).insert(made)
            self.rooms[key] = made.memref
        return self.rooms[key]

    def place(self, code: Code) -> tuple[Index, Index]:
        """The warp and the lane in it."""
        index, terms, stride = code.index, list[tuple[Index, int]](), 1
        for axis, extent in zip("xyz", self.launch.block, strict=True):
            if extent > 1:
                value = code.builder.insert(gpu.ThreadIdOp(gpu.DimensionAttr(gpu.DimensionEnum(axis)))).result
                terms.append((value, stride))
            stride *= extent
        thread = index.value(index.sum_of(terms))
        return index.div(thread, self.lanes), index.mod(thread, self.lanes)

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return self.launch.threads // self.lanes

    def multiply(self, op: MmaAtomOp) -> None:
        """A product: A and B are shown, then each lane works out what it holds of D."""
        atom, code = op.instruction, Code.before(op)
        held = operands_of(atom, self.lanes)
        warp, lane = self.place(code)
        d, a, b, *c = (
            Registers(place.memory, place.indices[0], element_of(atom, letter)) for letter, place in op.fragments()
        )
        rows, columns = (
            self.show(code, registers, operand, name, warp, lane)
            for registers, operand, name in ((a, held.a, "rows"), (b, held.b, "columns"))
        )
        kind = ir_type(d.element)
        start = self.room("start", kind, held.c.values, LOCAL)
        with code.turns(held.c.values) as loop:
            there = loop.code.number(0, kind) if not c else c[0].load(loop.code, loop.counter)
            loop.code.store(there, start, loop.counter)
        code.builder.insert(SyncOp("warp"))
        kept = self.room("kept", f64, held.a.shape[1] + 1, LOCAL)
        with code.turns(held.c.values) as loop:
            here, index = loop.code, loop.code.index
            at = _element(here, held.c, lane, loop.counter)
            (m, k), n = held.a.shape, held.b.shape[0]
            group, inside = index.div(at, m * n), index.mod(at, m * n)
            groups = len(held.c.places)
            terms = Terms(
                rows,
                index.sum_of([(warp, groups * m * k), (group, m * k), (index.mod(inside, m), 1)]),
                m,
                columns,
                index.sum_of([(warp, groups * n * k), (group, n * k), (index.div(inside, m), 1)]),
                n,
                k,
            )
            added = here.load(start, loop.counter)
            if d.element.is_integer:
                d.store(here, loop.counter, integers(here, atom, terms, added))
            else:
                d.store(here, loop.counter, floats(here, terms, added, kept, kind))
        code.builder.insert(SyncOp("warp"))
        erase(op)

    def show(self, code: Code, registers: Registers, operand: Operand, name: str, warp: Index, lane: Index) -> SSAValue:
        """Puts what all lanes hold of an operand where the warp can read it, by its elements."""
        size = len(operand.places) * prod(operand.shape)
        room = self.room(name, i64 if registers.element.is_integer else f64, self.warps * size, SHARED)
        with code.turns(operand.values) as loop:
            here = loop.code
            at = here.index.sum_of([(warp, size), (_element(here, operand, lane, loop.counter), 1)])
            here.store(shown(here, registers.load(here, loop.counter), registers.element), room, at)
        return room

    def move(self, op: CopyAtomOp) -> None:
        """A copy: of each lane its own row, or of the warp by pieces of the rows that its lanes show."""
        code, (dst, src) = Code.before(op), op.places
        moves = moves_of(op.instruction, self.lanes if op.instruction.threads > 1 else 1)
        if moves.taken is None:
            bits = int(op.instruction.dst_bits[1].size)
            count = 1 if bits == 1 else bits // src.element.bits
            self.assert_row(code, op, src, count, "reads")
            self.assert_row(code, op, dst, count, "writes")
            held = [read(code, op, src, code.index.add(src.indices[0], i)) for i in range(count)]
            for i, value in enumerate(held):
                write(code, op, dst, code.index.add(dst.indices[0], i), value)
        else:
            self.exchange(op, code, moves)
        erase(op)

    def exchange(self, op: CopyAtomOp, code: Code, moves: Moves) -> None:
        """The rows that count are shown; then each lane takes its pieces."""
        dst, src = op.places
        bits = src.element.bits
        count, wanted = (int(side[1].size) // bits for side in (op.instruction.src_bits, op.instruction.dst_bits))
        warp, lane = self.place(code)
        size = self.lanes * count
        room = self.room("pieces", kind_of(src), self.warps * size, SHARED)
        first = code.index.value(code.index.sum_of([(warp, size), (lane, count)]))
        with _some(code, moves.reads.tolist(), lane) as here:
            self.assert_row(here, op, src, count, "reads")
            with here.turns(count) as loop:
                value = loop.code.load(src.memory, loop.code.index.add(src.indices[0], loop.counter))
                loop.code.store(value, room, loop.code.index.add(first, loop.counter))
        code.builder.insert(SyncOp("warp"))
        assert moves.taken is not None, "pieces change lanes"
        table = [
            int(moves.taken[one, i * bits // moves.piece]) * moves.piece // bits + i % (moves.piece // bits)
            for one in range(self.lanes)
            for i in range(wanted)
        ]
        with _some(code, moves.writes.tolist(), lane) as here:
            self.assert_row(here, op, dst, wanted, "writes")
            with here.turns(wanted) as loop:
                index = loop.code.index
                at = index.lookup(table, index.add(index.mul(lane, wanted), loop.counter))
                value = loop.code.load(room, index.sum_of([(warp, size), (at, 1)]))
                loop.code.store(value, dst.memory, index.add(dst.indices[0], loop.counter))
        code.builder.insert(SyncOp("warp"))

    def assert_row(self, code: Code, op: CopyAtomOp, there: Place, count: int, does: str) -> None:
        """That what a lane accesses of global or shared memory lies there, aligned; in registers it does."""
        if not self.checked or there.space == LOCAL:
            return
        bits = there.element.bits
        step = max(1, op.instruction.alignment * 8 // bits)
        size = -1 if op.clips else there.size
        row = Row(there.memory.name_hint or "a memory", size, bits // 8, count, step, does)
        assert_row(IndexBuilder(code.builder, TightRanges()), there.indices[0], row, op)


def _element(code: Code, operand: Operand, lane: Index, value: Index) -> Index:
    """Which element of an operand a lane holds as this value."""
    index = code.index
    return index.lookup(operand.elements.reshape(-1).tolist(), index.add(index.mul(lane, operand.values), value))


@contextmanager
def _some(code: Code, lanes: list[bool], lane: Index) -> Iterator[Code]:
    """What only these lanes do."""
    if all(lanes):
        yield code
        return
    chosen = code.index.value(code.index.lookup([int(flag) for flag in lanes], lane))
    inside = Code.apart()
    yield inside
    code.either(code.compare("eq", chosen, code.index.value(1)), inside, Code.apart(), [])
