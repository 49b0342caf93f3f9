"""Handlers of mbarriers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import BarrierError
from tilewright.ir.core.dependence import behind
from tilewright.ir.core.effects import is_store
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp
from tilewright.ir.tile.types import SHARED, BufferType
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.observers.acts import Act
from tilewright.targets.simulator.ops.addressed import Active, Operand
from tilewright.targets.simulator.order.clocks import GENERIC, Flags, Numbers
from tilewright.targets.simulator.order.mbarriers import MOST_ARRIVALS, MOST_BYTES, Mbarriers
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


@dataclass(frozen=True, eq=False)
class Word:
    """The mbarrier that an op takes."""

    operand: Operand
    memory: Operation

    @staticmethod
    def of(compiler: Compiler, op: Operation, barrier: SSAValue, kind: str = "atomic") -> Word:
        """That of an op, at which it does what `kind` says."""
        operand = Operand.of(compiler, op, barrier, kind)
        assert isinstance(operand.origin.owner, Operation), "shared memory is allocated"
        return Word(operand, operand.origin.owner)

    def places(self, frame: Frame, active: Active) -> tuple[Mbarriers, Numbers, Numbers]:
        """The mbarriers of the array; of each entry the word, and its position in memory."""
        words = active.number(frame, self.operand.slot)
        at = self.operand.span(frame, active, words, 1)[:, 0]
        return active.lanes.machine.words(self.memory), words, at

    def used(self, frame: Frame, active: Active, plane: int = GENERIC) -> tuple[Mbarriers, Numbers]:
        """The same, where each is an mbarrier that the lane, or what it begins, may work on."""
        barriers, words, at = self.places(frame, active)
        self.check(frame, active, at, plane)
        return barriers, words

    def check(self, frame: Frame, active: Active, at: Numbers, plane: int = GENERIC) -> None:
        """Raises where these positions are no mbarriers that the lane, or what it begins, may work on."""
        present = Present(active.lanes.machine.clocks, active.actor, plane, words=True)
        self.operand.held(frame).synchronise(at, active.lanes, present, self.operand.site)

    def reached(self, frame: Frame, active: Active) -> tuple[Mbarriers, Numbers, Numbers]:
        """The mbarriers, which may be those of other blocks; of each entry the row and the word."""
        barriers, words = self.used(frame, active)
        rows, machine = self.operand.rows(frame, active), active.lanes.machine
        machine.visits.note(rows, Present(machine.clocks, active.actor).epoch, self.operand.site)
        return barriers, rows, words

    def tell(self, what: str, frame: Frame, active: Active, value: Numbers | None = None) -> None:
        """Who looks on is told what the lanes do there."""
        hearing = active.lanes.machine.hearing
        if hearing is not None and hearing.told is not None:
            words, blocks = active.number(frame, self.operand.slot), active.lanes.machine.blocks[active.rows]
            hearing.told([Act(f"mbarrier {what}", self.operand.site, blocks, active.threads, words, value)])

    def wrong(self, active: Active, entry: int, word: int, what: str) -> BarrierError:
        """The error that an entry makes."""
        element = f"element {word} of {self.operand.site.buffer}"
        return BarrierError(f"{active.name(entry)} {what.format(element)}\n{self.operand.site.where}")


Action: TypeAlias = Callable[[Word, Frame, Active, Numbers], None]


def _init(word: Word, frame: Frame, active: Active, number: Numbers) -> None:
    barriers, words, at = word.places(frame, active)
    wrong = (number < 1) | (number > MOST_ARRIVALS)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise word.wrong(active, bad, int(words[bad]), f"makes {{}} an mbarrier for {number[bad]} arrivals")
    again = barriers.live[active.rows, words] | (_rank(at) > 0)
    if again.any():
        bad = int(np.argmax(again))
        text = "makes {} an mbarrier, which it is already; mbarrier.inval comes before a second mbarrier.init"
        raise word.wrong(active, bad, int(words[bad]), text)
    _overwrite(word, frame, active, at)
    barriers.start(active.rows, words, number)


def _overwrite(word: Word, frame: Frame, active: Active, at: Numbers) -> None:
    """The words change, by a write that agrees with no other."""
    memory = word.operand.held(frame)
    present = Present(active.lanes.machine.clocks, active.actor)
    memory.write(at, ~memory.data[at], active.lanes, present, word.operand.site)


def _rank(values: Numbers) -> Numbers:
    """How many equal ones come before each value."""
    _, which = np.unique(values, return_inverse=True)
    order = np.argsort(which, kind="stable")
    starts = np.searchsorted(which[order], np.arange(which.max(initial=-1) + 1))
    found = np.empty(len(values), np.int64)
    found[order] = np.arange(len(values)) - starts[which[order]]
    return found


def _inval(word: Word, frame: Frame, active: Active, number: Numbers) -> None:
    barriers, words = word.used(frame, active)
    _, _, at = word.places(frame, active)
    open_ = (barriers.bytes[active.rows, words] != 0) | (_rank(at) > 0)
    if open_.any():
        bad = int(np.argmax(open_))
        raise word.wrong(active, bad, int(words[bad]), "ends {}, an mbarrier to which bytes are on their way, or twice")
    barriers.live[active.rows, words] = False
    _overwrite(word, frame, active, at)


def _each(active: Active, words: Numbers) -> Iterator[tuple[int, Flags]]:
    """The words, each with its entries."""
    for word in distinct_values(words).tolist():
        yield word, words == word


def _arrive(word: Word, frame: Frame, active: Active, number: Numbers, relaxed: bool = False) -> None:
    barriers, targets, words = word.reached(frame, active)
    for at, entries in _each(active, words):
        for part in _phases(barriers, word, active, at, entries, number, targets):
            # Where one step completes a phase and begins the next, chance says who of it comes to which.
            _tell(barriers, active, at, part, targets, relaxed or not np.array_equal(part, entries))
            rows, counts = _summed(targets[part], number[part])
            barriers.arrive(rows, at, counts)


def _phases(
    barriers: Mbarriers, word: Word, active: Active, at: int, entries: Flags, number: Numbers, targets: Numbers
) -> Iterator[Flags]:
    """The entries that arrive at one phase, then those at the next, in their order.

    Raises:
        BarrierError: one arrives more often than the phase still waits for, or not at all.
    """
    left = entries.copy()
    while left.any():
        part = np.zeros_like(left)
        for row in distinct_values(targets[left]).tolist():
            mine = np.flatnonzero(left & (targets == row))
            pending, first = barriers.pending[row, at], mine[0]
            if not 1 <= number[first] <= pending:
                text = f"arrives {number[first]} times at {{}}, which waits for {pending} arrivals"
                raise word.wrong(active, int(first), at, text)
            part[mine[np.cumsum(np.maximum(number[mine], 1)) <= pending]] = True
        yield part
        left &= ~part


def _summed(rows: Numbers, number: Numbers) -> tuple[Numbers, Numbers]:
    """The rows, each once, with the sum of its numbers."""
    found, which = np.unique(rows, return_inverse=True)
    return found, np.bincount(which, number).astype(np.int64)


def _tell(barriers: Mbarriers, active: Active, at: int, entries: Flags, targets: Numbers, relaxed: bool) -> None:
    """What the lanes know is for who waits: in their own rows, and where they arrive from elsewhere."""
    own = entries & (targets == active.rows)
    if own.any():
        rows, lanes, _ = active.among(own)
        barriers.tell(rows, at, lanes, relaxed=relaxed)
    for target in distinct_values(targets[entries & ~own]).tolist():
        rows, lanes, _ = active.among(entries & ~own & (targets == target))
        barriers.tell(rows, at, lanes, target, relaxed)


def _expect(word: Word, frame: Frame, active: Active, number: Numbers) -> None:
    barriers, targets, words = word.reached(frame, active)
    for at, entries in _each(active, words):
        rows, counts = _summed(targets[entries], number[entries])
        total = barriers.bytes[rows, at] + counts
        wrong = (np.abs(total) > MOST_BYTES) | (counts < 0)
        if wrong.any():
            text = f"expects {counts[np.argmax(wrong)]} bytes more at {{}}, which counts up to {MOST_BYTES}"
            raise word.wrong(active, int(np.argmax(entries)), at, text)
        barriers.expect(rows, at, counts)


def _arrive_expecting(word: Word, frame: Frame, active: Active, number: Numbers, relaxed: bool = False) -> None:
    _expect(word, frame, active, number)
    _arrive(word, frame, active, np.ones(len(active.rows), np.int64), relaxed)


def _with_copies(counted: bool) -> Action:
    def action(word: Word, frame: Frame, active: Active, number: Numbers) -> None:
        barriers, words = word.used(frame, active)
        if counted:
            np.add.at(barriers.pending, (active.rows, words), 1)
        active.lanes.machine.engine.arrive(active.rows, active.threads, barriers, words)

    return action


_ACTIONS: Mapping[str, Action] = {
    "init": _init,
    "inval": _inval,
    "arrive": _arrive,
    "expect_tx": _expect,
    "arrive.expect_tx": _arrive_expecting,
    "cp_async.arrive": _with_copies(counted=True),
    "cp_async.arrive.noinc": _with_copies(counted=False),
}


_RELAXED: Mapping[str, Callable[..., None]] = {"arrive": _arrive, "arrive.expect_tx": _arrive_expecting}


def _mbarrier(compiler: Compiler, op: MbarrierOp) -> Step:
    word = Word.of(compiler, op, op.barrier, "store" if op.kind.data in ("init", "inval") else "atomic")
    number = None if op.number is None else compiler.slot(op.number)
    action = _ACTIONS[op.kind.data]
    if op.order is not None:
        action = partial(_RELAXED[op.kind.data], relaxed=True)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        given = np.zeros(len(active.rows), np.int64) if number is None else active.number(frame, number)
        action(word, frame, active, given)
        word.tell(op.kind.data, frame, active, None if number is None else given)

    return step


def completed(word: Word, frame: Frame, active: Active, parity: Numbers) -> Flags:
    """Which lanes find that the phase of their parity has completed.

    Raises:
        BarrierError: no mbarrier, or a parity that is none.
        RaceError: who made the mbarrier lies not before.
    """
    _, words = word.used(frame, active)
    wrong = (parity != 0) & (parity != 1)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise word.wrong(active, bad, int(words[bad]), f"asks {{}} for the parity {parity[bad]}, which is 0 or 1")
    return over(word, frame, active, parity)


def over(word: Word, frame: Frame, active: Active, parity: Numbers) -> Flags:
    """The same of lanes that have been looked at before."""
    barriers, words, _ = word.places(frame, active)
    return barriers.over(active.rows, words, parity)


def observe(word: Word, frame: Frame, active: Active, entries: Flags) -> None:
    """These entries know what was done before the phase completed."""
    barriers, words, _ = word.places(frame, active)
    for at, mine in _each(active, np.where(entries, words, -1)):
        if at >= 0:
            rows, lanes, _ = active.among(mine)
            barriers.observed(rows, at, lanes)


def _is_looked_at(op: MbarrierTestOp) -> bool:
    """Does anything that lanes do hang on the answer? Else they learn nothing of it: it may be no as well."""
    top = op.get_toplevel_object()
    assert isinstance(top, Operation), "it is in a function"
    return op.result in behind(value for other in top.walk() for value in _asked(other))


def _asked(op: Operation) -> Sequence[SSAValue]:
    """What decides where lanes go on, or may do so elsewhere, as shared memory holds it."""
    if isinstance(op, scf.IfOp | scf.ConditionOp):
        return op.operands[:1]
    if isinstance(op, scf.ForOp):
        return op.operands[:3]
    return op.operands[:1] if is_store(op) and _space(op.operands[1].type) == SHARED else ()


def _space(kind: Attribute) -> str:
    if isinstance(kind, BufferType):
        return kind.scope
    return kind.memory_space.data if isinstance(kind, MemRefType) and isinstance(kind.memory_space, StringAttr) else ""


def _test(compiler: Compiler, op: MbarrierTestOp) -> Step:
    looked_at = _is_looked_at(op)
    word, parity, result = Word.of(compiler, op, op.barrier), compiler.slot(op.parity), compiler.slot(op.result)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        done = completed(word, frame, active, active.number(frame, parity))
        if not done.any() and active.lanes.machine.engine.advance():
            done = over(word, frame, active, active.number(frame, parity))
        if looked_at:
            observe(word, frame, active, done)
        word.tell("test", frame, active, done.astype(np.int64))
        found = np.zeros(active.lanes.shape, bool)
        found[active.at] = done
        frame.values[result] = found

    return step


MBARRIER_HANDLERS: Mapping[type[Operation], Handler] = {MbarrierOp: _mbarrier, MbarrierTestOp: _test}
