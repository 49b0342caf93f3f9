"""What kind of fault a report of the simulator is of: by its class, and by what it says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import (
    AlignmentError,
    BarrierError,
    MisalignedError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    TilewrightError,
    UninitializedError,
)
from tilewright.ir.tile.ops import AllocBufferOp, MatchBufferOp, StorageOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.types import LOCAL, SHARED


@dataclass(frozen=True)
class Report:
    """An error, the first line of what it says, the space of each buffer by its name, and the lanes of a warp."""

    error: type[TilewrightError]
    text: str
    spaces: Mapping[str, str]
    lanes: int

    @staticmethod
    def of(error: TilewrightError, module: ModuleOp, lanes: int) -> Report:
        """That of a run of a kernel at stage `tile`."""
        return Report(type(error), str(error).partition("\n")[0], spaces_of(module), lanes)

    def says(self, pattern: str) -> bool:
        """Does the text hold that?"""
        return re.search(pattern, self.text) is not None

    @property
    def space(self) -> str:
        """Where the buffer lies that the text names last: `global`, `shared`, `registers`, `view` or `tensor`."""
        if self.says("tensor memory"):
            return "tensor"
        if self.says(r" its |^a thread "):
            return "registers"
        if self.says("shared memory|of a cluster"):
            return "shared"
        names = re.findall(
            r"(?:element -?[0-9]+|dimension [0-9]+|bytes [0-9]+ to [0-9]+) of (\w+)|by which it is .* of (\w+)",
            self.text,
        )
        return self.spaces.get(next((a or b for a, b in names), ""), "global")

    @property
    def threads(self) -> list[tuple[str, int]]:
        """The block, and the number along x, of the threads that are named."""
        found = re.findall(r"block \(([0-9,]+)\) thread \(([0-9]+),", self.text)
        return [(block, int(thread)) for block, thread in found]

    @property
    def between_blocks(self) -> bool:
        """Are two blocks named?"""
        return len(set(re.findall(r"block \(([0-9,]+)\)", self.text))) > 1

    @property
    def within_a_warp(self) -> bool:
        """Are two threads of one warp named?"""
        return len({(block, thread // self.lanes) for block, thread in self.threads}) == 1


def spaces_of(module: ModuleOp) -> dict[str, str]:
    """The space of each buffer of a kernel at stage `tile`, by its name."""
    found: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, AllocBufferOp):
            space = {SHARED: "shared", LOCAL: "registers"}.get(op.result.type.scope, "shared")
            found[op.result.name_hint or ""] = space
        elif isinstance(op, MatchBufferOp):
            viewed = isinstance(op.source.owner, StorageOp)
            found.setdefault(op.result.name_hint or "", "view" if viewed else "global")
        elif isinstance(op, RemoteOp):
            found[op.result.name_hint or ""] = "shared"
    return found


def _says(pattern: str) -> Callable[[Report], bool]:
    return lambda report: report.says(pattern)


def _in(*spaces: str) -> Callable[[Report], bool]:
    return lambda report: report.space in spaces


@dataclass(frozen=True)
class Kind:
    """A kind of fault; of the reports of this class, those that no kind before has taken and that are so."""

    name: str
    error: type[TilewrightError]
    holds: Callable[[Report], bool]


KINDS = (
    Kind("out of bounds: global memory", OutOfBoundsError, _in("global")),
    Kind("out of bounds: shared memory", OutOfBoundsError, _in("shared")),
    Kind("out of bounds: registers", OutOfBoundsError, _in("registers")),
    Kind("out of bounds: views", OutOfBoundsError, _in("view")),
    Kind("out of bounds: tensor memory", OutOfBoundsError, _in("tensor")),
    Kind("unwritten: shared memory", UninitializedError, _in("shared", "view", "global")),
    Kind("unwritten: registers", UninitializedError, _in("registers")),
    Kind("unwritten: tensor memory", UninitializedError, _in("tensor")),
    Kind("race: tensor memory without its fences", RaceError, _says("tcgen05.fence")),
    Kind("asynchronous: left when the block ends", RaceError, _says("^the block ends")),
    Kind("asynchronous: registers of products and loads", RaceError, _says(r"wgmma\.|another shape|tcgen05\.ld ")),
    Kind("asynchronous: read before the wait", RaceError, _says("reads .* on its way")),
    Kind("asynchronous: changed before the wait", RaceError, _says("on its way")),
    Kind("race: between the proxies", RaceError, _says("or no fence|, which a (copy|product) of")),
    Kind("race: between blocks", RaceError, lambda report: report.between_blocks),
    Kind("race: within a warp", RaceError, lambda report: report.within_a_warp),
    Kind("race: two writes", RaceError, _says("(writes|changes) .* (writes|changes) with no barrier")),
    Kind("race: a read and a write", RaceError, _says("")),
    Kind("mbarrier: a phase that nobody completes", BarrierError, _says("complete a phase")),
    Kind("mbarrier: misused", BarrierError, _says("mbarrier|arrive|parity")),
    Kind("deadlock: loops that ask", BarrierError, _says("go round in a loop")),
    Kind("barrier: part of a warp or warpgroup", BarrierError, _says("of its warp|last warp|warpgroup|for its warp")),
    Kind("barrier: numbered", BarrierError, _says("barrier [0-9]|expected one barrier")),
    Kind("barrier: missing in a block, cluster or pair", BarrierError, _says("")),
    Kind("misaligned: vectors", MisalignedError, _says("")),
    Kind("misaligned: asynchronous work", AlignmentError, _says("")),
    Kind("tensor memory: allocated, and given back", SimulationError, _says("allocate|gives back")),
    Kind("never ends", SimulationError, _says("never ends|takes more than")),
    Kind("instructions of another machine", SimulationError, _says(" is (an instruction )?of ")),
    Kind(
        "lanes that disagree",
        SimulationError,
        _says(r"different|disagree|gives? .* (and|for) | give the addresses| begin a product| bytes in one step"),
    ),
    Kind("operands that are none", SimulationError, _says("")),
)


def kind_of(report: Report) -> Kind:
    """The kind of a report.

    Raises:
        LookupError: it is of none.
    """
    for kind in KINDS:
        if kind.error is report.error and kind.holds(report):
            return kind
    raise LookupError(f"{report.error.__name__}: {report.text}")
