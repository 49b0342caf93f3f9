"""Mbarriers: words of shared memory at which arrivals and bytes are counted, phase by phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.ir.core.pool import size_in_bytes
from tilewright.ir.core.walk import only, operations
from tilewright.ir.tile.address import AddressOp, AddressType
from tilewright.ir.tile.asynchronous import ASYNCHRONOUS
from tilewright.ir.tile.bulk import BulkCopyOp
from tilewright.ir.tile.cluster import StAsyncOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.ir.tile.ops import root
from tilewright.ir.tile.tmem import TMEM_OPS
from tilewright.ir.tile.types import SHARED
from tilewright.ir.tile.wgmma import WARPGROUP, WGMMA_OPS
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.order.across import hear, told, told_by_fences
from tilewright.targets.simulator.order.beyond import Handing
from tilewright.targets.simulator.order.clocks import GENERIC, PLANES, TENSOR_PLANES, Clocks, Flags, Numbers

MOST_BYTES = (1 << 20) - 1  # that may be on their way to one mbarrier
MOST_ARRIVALS = (1 << 20) - 1
# The engines of a word: what copies that count their bytes there do, and what cp.async does.
BULK, GENERIC_COPIES = 0, 1
WORKS = (*ASYNCHRONOUS, StAsyncOp)


@dataclass(eq=False)
class Mbarriers:
    """The words of one shared array, of each block, by (row, word); `first` is the engine of the first word."""

    clocks: Clocks
    first: int
    words: int
    live: Flags = field(init=False)
    count: Numbers = field(init=False)  # of arrivals in a phase
    pending: Numbers = field(init=False)  # arrivals of this phase that are still to come
    bytes: Numbers = field(init=False)  # that are still to come; more than expected have come where it is negative
    phase: Numbers = field(init=False)  # how many have completed
    gathered: Numbers = field(init=False)  # what those who arrived knew, by (plane, row, word, column)
    done: Numbers = field(init=False)  # the same, up to the last phase that has completed
    # What they knew of other blocks, by (row, word): in this phase, and up to the last that has completed.
    learnt: dict[tuple[int, int], Handing] = field(default_factory=dict, init=False)
    over_there: dict[tuple[int, int], Handing] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        shape = len(self.clocks.blocks), self.words
        self.live = np.zeros(shape, bool)
        self.count, self.pending, self.bytes, self.phase = (np.zeros(shape, np.int64) for _ in range(4))
        known = (self.clocks.planes, *shape, self.clocks.known.shape[3])
        self.gathered, self.done = np.zeros(known, np.int64), np.zeros(known, np.int64)

    def start(self, rows: Numbers, words: Numbers, counts: Numbers) -> None:
        """These words become mbarriers, for so many arrivals each."""
        self.live[rows, words] = True
        self.count[rows, words] = self.pending[rows, words] = counts
        self.bytes[rows, words] = self.phase[rows, words] = 0
        self.gathered[:, rows, words] = self.done[:, rows, words] = 0
        for place in zip(rows.tolist(), words.tolist(), strict=True):
            self.learnt.pop(place, None)
            self.over_there.pop(place, None)

    def tell(self, rows: Numbers, word: int, lanes: Flags, target: int | None = None, relaxed: bool = False) -> None:
        """What these lanes, of shape (rows, lanes), know at this moment is for who waits at the word.

        At that of their own row, or of the `target`; who is `relaxed` releases only what was fenced before.
        """
        known, pasts = (told_by_fences if relaxed else told)(self.clocks, rows, lanes)
        if target is None:
            self.learn(rows, word, known)
        for row, past in zip(rows.tolist(), pasts, strict=True):
            self.hear_of(row if target is None else target, word, past)

    def hear_of(self, row: int, word: int, past: Handing) -> None:
        """Who waits at the word in that row is to know this of all blocks."""
        if past:
            self.learnt[row, word] = self.learnt.get((row, word), Handing()) | past

    def arrive(self, rows: Numbers, word: int, counts: Numbers) -> None:
        """So many arrivals come in each row."""
        self.pending[rows, word] -= counts
        self._complete(rows, word)

    def learn(self, rows: Numbers, word: int, known: Numbers) -> None:
        """Who sees the phase complete is to know this, of shape (planes, rows, columns)."""
        self.gathered = self.clocks.fitted(self.gathered)
        self.gathered[:, rows, word] = np.maximum(self.gathered[:, rows, word], self.clocks.fitted(known))

    def expect(self, rows: Numbers, word: int, count: Numbers) -> None:
        """So many bytes more are to come."""
        self.bytes[rows, word] += count
        self._complete(rows, word)

    def deliver(self, rows: Numbers, word: int, count: Numbers, what: int = BULK) -> Numbers:
        """So many bytes have come: the epochs of what brought them."""
        epochs = self._stamped(rows, word, what, tuple(range(self.clocks.planes)) if what == BULK else (GENERIC,))
        self.bytes[rows, word] -= count
        self._complete(rows, word)
        return epochs

    def copied(
        self, rows: Numbers, word: int, arrivals: Numbers, planes: tuple[int, ...] = (GENERIC,), works: int = 1
    ) -> Numbers:
        """Work that lanes have begun is done, which is so many arrivals: its epochs, or the first of each row's."""
        epochs = self._stamped(rows, word, GENERIC_COPIES, planes, works)
        self.pending[rows, word] -= arrivals
        self._complete(rows, word)
        return epochs

    def over(self, rows: Numbers, words: Numbers, parity: Numbers) -> Flags:
        """Has the phase of this parity completed?"""
        return np.asarray(self.phase[rows, words] % 2 != parity % 2)

    def observed(self, rows: Numbers, word: int, lanes: Flags) -> None:
        """These lanes see that the last phase has completed, and with it what was done before."""
        self.done = self.clocks.fitted(self.done)
        self.clocks.acquire(rows, lanes, self.done[:, rows, word])
        if self.over_there:
            hear(self.clocks, rows, lanes, [self.over_there.get((row, word), Handing()) for row in rows.tolist()])

    def engine(self, word: int, what: int) -> int:
        """An engine of a word."""
        return self.first + 2 * word + what

    def _stamped(self, rows: Numbers, word: int, what: int, planes: tuple[int, ...], works: int = 1) -> Numbers:
        engine = self.engine(word, what)
        epochs = self.clocks.stamp(rows, engine, works)
        for plane in planes:
            self.gathered[plane, rows, word, self.clocks.warps + engine] = self.clocks.stamped[rows, engine]
        return epochs

    def _complete(self, rows: Numbers, word: int) -> None:
        full = rows[(self.pending[rows, word] == 0) & (self.bytes[rows, word] == 0)]
        self.phase[full, word] += 1
        self.pending[full, word] = self.count[full, word]
        self.gathered, self.done = self.clocks.fitted(self.gathered), self.clocks.fitted(self.done)
        self.done[:, full, word] = self.gathered[:, full, word]
        for row in full.tolist() if self.learnt else ():
            if (row, word) in self.learnt:
                before = self.over_there.get((row, word), Handing())
                self.over_there[row, word] = before | self.learnt.pop((row, word))


@dataclass(frozen=True)
class Engines:
    """What a kernel needs of engines: the first one of each array that holds mbarriers, how many, and the planes."""

    first: Mapping[Operation, int]
    count: int
    planes: int
    products: int = 0  # the first of those of warpgroups

    @staticmethod
    def of(func: FuncOp) -> Engines:
        """Those of a function."""
        first: dict[Operation, int] = {}
        count = 0
        ops = operations(func)
        working = only(ops, *WORKS)
        for op in working:
            for value in op.operands:
                address = value.owner
                if not isinstance(address, AddressOp) or not _is_word(op, address.result.type):
                    continue
                memory = root(address.memory).owner
                if isinstance(memory, Operation) and memory not in first:
                    first[memory] = count
                    count += 2 * words_of(memory)
        products = bool(only(ops, *WGMMA_OPS))
        works = products or bool(working)
        groups = -(-Launch.of(func).threads // WARPGROUP) if products else 0
        tensor = bool(only(ops, *TMEM_OPS))
        planes = TENSOR_PLANES if tensor else PLANES if works else 1
        return Engines(first, count + groups, planes, count)


NO_ENGINES = Engines({}, 0, 1)


def words_of(memory: Operation) -> int:
    """The 64-bit words of an allocation."""
    from tilewright.ir.tile.ops import AllocBufferOp, storage_type

    result = memory.results[0]
    kind = storage_type(result) if isinstance(memory, AllocBufferOp) else result.type
    return size_in_bytes(kind) // 8  # type: ignore[arg-type]  # an allocation gives memory


def _is_word(op: Operation, address: AddressType) -> bool:
    barrier = isinstance(op, MbarrierOp | MbarrierWaitOp | MbarrierTestOp) or address.dtype.name in ("uint64", "int64")
    return barrier and address.scope == SHARED and not (isinstance(op, BulkCopyOp) and op.barrier is None)
