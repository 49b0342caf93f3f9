"""Random kernels with nested loops, ring buffers, shared tiles, barriers and registers; some with a planted fault.

A kernel is a tree of statements. Elements are i64, so that sums are exact in any order. Sizes of buffers are worked out
from the indices, by arithmetic of intervals: a fault is an index one beyond, a barrier left out, blocks that overlap,
or a read of what is written later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from tilewright.errors import SimulationError
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator

REGISTERS = 3


@dataclass(frozen=True)
class Term:
    """`of` is tx, bx, or the number of a loop around, counted from the innermost; times `factor`.

    `how` makes of it: itself, % by, / by, ^ by (of its sum with tx), or the lesser of it and `by`.
    """

    of: str
    factor: int
    how: str = ""
    by: int = 1

    def reach(self, extents: dict[str, int]) -> int:
        """The greatest value of the product."""
        top = extents[self.of] - 1
        tops = {
            "%": min(top, self.by - 1),
            "/": top // self.by,
            "^": (1 << max(top.bit_length(), self.by.bit_length())) - 1,
            "min": min(top, self.by),
        }
        return max(0, self.factor) * tops.get(self.how, top)


@dataclass(frozen=True)
class Access:
    """`load`: register += element; `store`: element = register + something that no other access stores."""

    kind: str
    buffer: str
    terms: tuple[Term, ...]
    constant: int
    register: int
    few: int | None = None  # only threads below it


@dataclass(frozen=True)
class Sync:
    scope: str


@dataclass(frozen=True)
class For:
    trips: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class If:
    """Where the innermost loop's counter, plus `ahead`, compares like that with a number."""

    predicate: str
    ahead: int
    than: int
    body: tuple[Statement, ...]


Statement: TypeAlias = Access | Sync | For | If
OPS = {"%": "remui", "/": "divui", "^": "xori", "min": "minsi"}


@dataclass(frozen=True)
class Looped:
    """A kernel of one or two blocks more than fit beside each other; `short` elements are missing in buffer A."""

    blocks: int
    threads: int
    body: tuple[Statement, ...]
    short: int = 0
    overlap: int = 0

    @property
    def sizes(self) -> dict[str, int]:
        """Elements of A, which is read, of B, which is written, and of S, which is shared."""
        found = {"A": 1, "B": 1, "S": 1}
        for access, extents in self.accesses(self.body, self.extents):
            reach = access.constant + sum(term.reach(extents) for term in access.terms)
            found[access.buffer] = max(found[access.buffer], reach + 1)
        found["B"] = self.window * self.blocks + self.overlap
        return {**found, "A": max(1, found["A"] - self.short)}

    @property
    def window(self) -> int:
        """The elements of B that belong to one block."""
        reaches = [
            access.constant + sum(term.reach(extents) for term in access.terms)
            for access, extents in self.accesses(self.body, self.extents)
            if access.buffer == "B"
        ]
        return max(1, max(reaches, default=0) + 1 - self.overlap)

    @property
    def extents(self) -> dict[str, int]:
        return {"tx": self.threads, "bx": self.blocks}

    def accesses(self, body: tuple[Statement, ...], extents: dict[str, int]) -> Iterator[tuple[Access, dict[str, int]]]:
        """The accesses, with the extents of what their indices are made from."""
        for statement in body:
            if isinstance(statement, Access):
                yield statement, extents
            elif isinstance(statement, For):
                deeper = {str(int(k) + 1): v for k, v in extents.items() if k.isdigit()}
                inside = {"tx": self.threads, "bx": self.blocks, **deeper, "0": max(1, statement.trips)}
                yield from self.accesses(statement.body, inside)
            elif isinstance(statement, If):
                yield from self.accesses(statement.body, extents)

    def text(self) -> str:
        """The kernel at stage `final`."""
        sizes = self.sizes
        memories = {name: f"memref<{sizes[name]}xi64>" for name in "AB"} | {"S": f'memref<{sizes["S"]}xi64, "shared">'}
        writer = Writer(self, memories)
        writer.block(self.body, ())
        for register in range(REGISTERS):
            at = Access("store", "C", (Term("tx", REGISTERS),), register, register)
            writer.access(at, ())
        size = self.blocks * self.threads * REGISTERS
        lines = "\n".join(writer.lines)
        return f"""
func.func @f(%A: {memories["A"]}, %B: {memories["B"]}, %C: memref<{size}xi64>) attributes {{
    tile.grid = array<i64: {self.blocks}, 1, 1>, tile.block = array<i64: {self.threads}, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %zero = arith.constant 0 : i64
  %S = memref.alloca() : {memories["S"]}
  %R = memref.alloca() : memref<{REGISTERS}xi64, "local">
{lines}
  func.return
}}
"""


class Writer:
    """Writes statements as MLIR."""

    def __init__(self, kernel: Looped, memories: dict[str, str]) -> None:
        self.kernel, self.lines, self.count = kernel, list[str](), 0
        self.memories = memories | {"C": f"memref<{kernel.blocks * kernel.threads * REGISTERS}xi64>"}
        for register in range(REGISTERS):
            self.lines.append(f'memref.store %zero, %R[{self.number(register)}] : memref<{REGISTERS}xi64, "local">')

    def name(self, text: str) -> str:
        """The text as a new value."""
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def number(self, value: int, kind: str = "index") -> str:
        return self.name(f"arith.constant {value} : {kind}")

    def binary(self, op: str, a: str, b: str, kind: str = "index") -> str:
        return self.name(f"arith.{op} {a}, {b} : {kind}")

    def block(self, body: tuple[Statement, ...], loops: tuple[str, ...]) -> None:
        for statement in body:
            if isinstance(statement, Sync):
                self.lines.append(f'tile.sync "{statement.scope}"')
            elif isinstance(statement, Access):
                self.access(statement, loops)
            elif isinstance(statement, For):
                low, high, by = (self.number(value) for value in (0, statement.trips, 1))
                self.count += 1
                counter = f"%i{self.count}"
                self.lines.append(f"scf.for {counter} = {low} to {high} step {by} {{")
                self.block(statement.body, (counter, *loops))
                self.lines.append("}")
            else:
                ahead = self.binary("addi", loops[0], self.number(statement.ahead))
                than = self.number(statement.than)
                chosen = self.name(f"arith.cmpi {statement.predicate}, {ahead}, {than} : index")
                self.lines.append(f"scf.if {chosen} {{")
                self.block(statement.body, loops)
                self.lines.append("}")

    def index(self, access: Access, loops: tuple[str, ...]) -> str:
        total = self.number(access.constant)
        for term in access.terms:
            value = loops[int(term.of)] if term.of.isdigit() else f"%{term.of}"
            if term.how:
                value = self.binary(OPS[term.how], value, self.number(term.by))
            total = self.binary("addi", total, self.binary("muli", value, self.number(term.factor)))
        window = {"B": self.kernel.window, "C": self.kernel.threads * REGISTERS}.get(access.buffer)
        if window is None:
            return total
        return self.binary("addi", total, self.binary("muli", "%bx", self.number(window)))

    def access(self, access: Access, loops: tuple[str, ...]) -> None:
        at, register = self.index(access, loops), self.number(access.register)
        kind, registers = self.memories[access.buffer], f'memref<{REGISTERS}xi64, "local">'
        if access.few is not None:
            self.lines.append(f"scf.if {self.name(f'arith.cmpi ult, %tx, {self.number(access.few)} : index')} {{")
        held = self.name(f"memref.load %R[{register}] : {registers}")
        if access.kind == "load":
            found = self.name(f"memref.load %{access.buffer}[{at}] : {kind}")
            mixed = self.binary("addi", self.binary("muli", held, self.number(3, "i64"), "i64"), found, "i64")
            self.lines.append(f"memref.store {mixed}, %R[{register}] : {registers}")
        else:
            lane = self.name("arith.index_cast %tx : index to i64")
            mine = self.binary("addi", held, self.binary("addi", lane, self.number(self.count, "i64"), "i64"), "i64")
            self.lines.append(f"memref.store {mine}, %{access.buffer}[{at}] : {kind}")
        if access.few is not None:
            self.lines.append("}")


def _terms(depth: int, width: int) -> st.SearchStrategy[tuple[Term, ...]]:
    """Sums of what the loops around give; lanes lie side by side."""
    modulus = st.sampled_from((2, 3, 4))
    loops = [str(number) for number in range(depth)]
    lane = st.sampled_from((Term("tx", 1), Term("tx", 1), Term("tx", 1, "^", 1), Term("tx", 1, "^", 3), Term("tx", 2)))
    if not loops:
        return st.tuples(lane)
    plain = st.builds(Term, st.sampled_from(loops), st.sampled_from((0, 1, width, 2 * width)))
    made = st.builds(Term, st.sampled_from(loops), st.just(width), st.sampled_from(("%", "/", "min")), modulus)
    return st.tuples(lane, plain | made) | st.tuples(lane) | st.tuples(lane, made)


@st.composite
def _access(draw: st.DrawFn, depth: int, threads: int) -> Access:
    kind, buffer = draw(st.sampled_from((("load", "A"), ("store", "B"), ("load", "S"), ("store", "S"), ("load", "S"))))
    terms = draw(_terms(depth, threads))
    if buffer == "A" and draw(st.booleans()):
        terms = (*terms, Term("bx", draw(st.sampled_from((1, threads)))))
    few = draw(st.sampled_from((None, None, None, 1, 2)))
    return Access(kind, buffer, terms, draw(st.sampled_from((0, 0, 1))), draw(st.integers(0, REGISTERS - 1)), few)


def _body(depth: int, threads: int) -> st.SearchStrategy[tuple[Statement, ...]]:
    sync = st.builds(Sync, st.sampled_from(("cta", "cta", "warp")))
    leaf: st.SearchStrategy[Statement] = _access(depth, threads) | sync
    statements = leaf
    if depth < 3:
        trips = st.sampled_from((0, 1, 2, 3, 5, 7, 12) if depth else (2, 5, 9, 30))
        statements = leaf | st.builds(For, trips, st.deferred(lambda: _body(depth + 1, threads)))
    if depth:
        compare = st.sampled_from(("slt", "eq", "uge", "ne", "sgt"))
        inside = st.lists(leaf, min_size=1, max_size=2).map(tuple)
        statements |= st.builds(If, compare, st.integers(0, 2), st.sampled_from((0, 1, 3, 5, 9)), inside)
    return st.lists(statements, min_size=1, max_size=4).map(tuple)


@st.composite
def looped_kernels(draw: st.DrawFn) -> Looped:
    """Anything: many of these kernels have a race, or read what nothing has written."""
    threads = draw(st.sampled_from((1, 2, 4, 4, 33)))
    return Looped(
        draw(st.integers(1, 3)),
        threads,
        (*_filled(threads, draw(st.booleans())), *draw(_body(0, threads))),
        draw(st.sampled_from((0, 0, 0, 1))),
        draw(st.sampled_from((0, 0, 0, 1))),
    )


def _filled(threads: int, wanted: bool) -> tuple[Statement, ...]:
    """Writes all of the shared memory that most indices reach."""
    if not wanted:
        return ()
    store = Access("store", "S", (Term("tx", 1), Term("0", threads)), 0, 0)
    return For(4, (store,)), Sync("cta")


@st.composite
def pipelines(draw: st.DrawFn) -> Looped:
    """A ring of stages, filled ahead of its use, as pipelined kernels have it; sometimes a fault is planted."""
    threads, stages = draw(st.sampled_from((4, 33, 64))), draw(st.integers(2, 4))
    turns, inner = draw(st.integers(1, 40)), draw(st.integers(1, 3))
    fault = draw(
        st.sampled_from(("", "", "", "no barrier", "half a barrier", "beyond", "overlap", "late", "strange ring"))
    )
    ahead = stages - 1
    ring = Term("0", threads, "%", stages - (fault == "strange ring"))
    fetch = (
        Access("load", "A", (Term("tx", 1), Term("0", threads), Term("bx", threads)), threads * ahead, 1),
        Access("store", "S", (Term("tx", 1), ring), 0, 1),
    )
    other = Term("tx", 1, "^", draw(st.sampled_from((1, 2))))
    use = Access("load", "S", (other, Term("1", threads, "%", stages)), 0, 0)
    meet = () if fault == "no barrier" else (Sync("cta"),)
    fill = Access("store", "S", (Term("tx", 1), Term("0", threads)), 0, 0)
    body: tuple[Statement, ...] = (
        *(() if fault == "late" else (For(stages, (fill,)), Sync("cta"))),
        For(
            turns,
            (
                *(() if fault == "half a barrier" else meet),
                If("slt", ahead, turns, fetch),
                *meet,
                For(inner, (use,)),
                Access("store", "B", (Term("tx", 1), Term("0", threads)), 0, 0),
            ),
        ),
    )
    return Looped(draw(st.integers(1, 3)), threads, body, int(fault == "beyond"), int(fault == "overlap"))


@st.composite
def strides(draw: st.DrawFn) -> Looped:
    """Nested loops that go up or down a buffer, and write or read it: iterations meet in some, and not in others."""
    threads = draw(st.sampled_from((2, 4, 33)))
    step = st.sampled_from((0, 1, 2, 3, threads, 2 * threads, 5 * threads, -1, -threads, -3 * threads))
    trips = [draw(st.sampled_from((2, 7, 40))) for _ in range(draw(st.integers(1, 2)))]
    loops = [Term(str(number), draw(step)) for number in range(len(trips))]
    terms = (Term("tx", draw(st.sampled_from((1, 1, 2, 3)))), *loops)
    lowest = sum(max(0, -term.factor) * (extent - 1) for term, extent in zip(loops, trips, strict=True))
    store = Access("store", draw(st.sampled_from(("B", "B", "S"))), terms, lowest, 0)
    other = draw(st.sampled_from((None, "store", "load")))
    shift = lowest + draw(st.sampled_from((0, 0, 1, threads)))
    more = () if other is None else (Access(other, store.buffer, terms, shift, 1),)
    body: tuple[Statement, ...] = (store, *draw(st.sampled_from(((), (Sync("cta"),)))), *more)
    for extent in trips:
        body = (For(extent, body),)
    return Looped(draw(st.integers(1, 2)), threads, body)


def outcome(simulator: Simulator, looped: Looped, proofs: bool) -> tuple[str, list[list[int]], SimulationReport | None]:
    """The error, or what the memories hold and what was counted."""
    sizes = looped.sizes
    lanes = looped.blocks * looped.threads * REGISTERS
    arrays = [np.arange(sizes["A"]) * 7 + 1, np.zeros(sizes["B"], np.int64), np.zeros(lanes, np.int64)]
    try:
        report = simulator.run(arrays, proofs=proofs)
    except SimulationError as error:
        return f"{type(error).__name__}: {error}", [], None
    return "", [array.tolist() for array in arrays], report
