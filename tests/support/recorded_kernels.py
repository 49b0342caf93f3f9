"""Kernels each of which has one thing that a recording of all turns and blocks could get wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from final_kernels import kernel
from loop_kernels import Access, For, Looped, Statement, Sync, Term

from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator

SIZE = 65536
PARAMETERS = f"%A: memref<{SIZE}xi64>, %B: memref<{SIZE}xi64>"
GLOBAL, SHARED = f"memref<{SIZE}xi64>", 'memref<64xi64, "shared">'
PLACES = """
      %mine = arith.muli %bx, %block : index
      %at = arith.addi %mine, %tx : index
      %n = arith.constant 300 : index
      %last = arith.constant 299 : index
      %zero = arith.constant 0 : i64"""

Found: TypeAlias = tuple[str, Sequence[object], SimulationReport | None]


@dataclass(frozen=True)
class Case:
    """A kernel of two arrays, and its fault."""

    body: str
    fault: str = ""
    block: int = 32
    grid: int = 1

    def run(self, proofs: bool) -> Found:
        """The fault, or what the memories hold, and the report."""
        text = kernel(PLACES + self.body, PARAMETERS, self.block, self.grid)
        arrays: list[Array] = [np.arange(SIZE) * 3 + 1, np.full(SIZE, -1)]
        try:
            report = Simulator(parse_module(text)).run(arrays, proofs=proofs)
        except SimulationError as error:
            return f"{type(error).__name__}: {error}", [], None
        return "", [array.tobytes() for array in arrays], report


def row(number: str, turn: str = "%i") -> str:
    """The lanes' places in a row of the turn's own: `number` is its name."""
    return f"""
        %{number}0 = arith.muli {turn}, %block : index
        %{number} = arith.addi %{number}0, %tx : index"""


def loop(body: str, trips: str = "%n", step: str = "%c1") -> str:
    return f"""
      scf.for %i = %c0 to {trips} step {step} {{{body}
      }}"""


def copied(index: str, to: str) -> str:
    return f"""
        %v = memref.load %A[{index}] : {GLOBAL}
        memref.store %v, %B[{to}] : {GLOBAL}"""


def ring(of: int) -> str:
    """What lies in a ring of so many rows at this turn, as %v<of>."""
    return f"""
        %k{of} = arith.remui %i, %c{of} : index{row(f"r{of}", f"%k{of}")}
        %v{of} = memref.load %A[%r{of}] : {GLOBAL}"""


TURNS = """
        %b0 = arith.muli %bx, %c4 : index
        %b1 = arith.addi %b0, %i : index"""
CASES = {
    "blocks that are 4 further": Case(
        """
      %o0 = arith.xori %bx, %c4 : index
      %o1 = arith.muli %o0, %block : index
      %o = arith.addi %o1, %tx : index
      %v = memref.load %B[%at] : memref<65536xi64>
      memref.store %v, %B[%o] : memref<65536xi64>
      %w = memref.load %A[%o] : memref<65536xi64>
      memref.store %w, %B[%at] : memref<65536xi64>""",
        grid=4,
    ),
    "turns as blocks": Case(loop(TURNS + row("r", "%b1") + copied("%r", "%r"), "%c4"), grid=4),
    "every other turn as blocks": Case(loop(TURNS + row("r", "%b1") + copied("%r", "%r"), "%c4", "%c2"), grid=4),
    "a store after the turns": Case(
        loop(row("r") + copied("%r", "%r"))
        + f"""
      %far0 = arith.constant 60000 : index
      %far = arith.addi %far0, %tx : index
      memref.store %zero, %B[%far] : {GLOBAL}"""
    ),
    "running sums": Case(
        f"""
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i64) {{{row("r")}{ring(2)}{ring(3)}
        %w = arith.addi %v2, %v3 : i64
        %next = arith.addi %acc, %w : i64
        memref.store %next, %B[%r] : {GLOBAL}
        scf.yield %next : i64
      }}"""
    ),
    "each lane adds its own": Case(
        f"""
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {{
        %next = arith.addi %acc, %tx : index
        scf.yield %next : index
      }}
      %v = arith.index_cast %sum : index to i64
      memref.store %v, %B[%at] : {GLOBAL}"""
    ),
    "32 bits that wrap": Case(
        f"""
      %lane = arith.index_cast %tx : index to i32
      %most = arith.constant 2147483000 : i32
      %three = arith.constant 3 : i32
      %start = arith.addi %lane, %most : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (i32) {{
        %next = arith.addi %acc, %three : i32
        %v = arith.extsi %next : i32 to i64{row("r")}
        memref.store %v, %B[%r] : {GLOBAL}
        scf.yield %next : i32
      }}"""
    ),
    "two places to cut, one after the other": Case(
        f"""
      %n200 = arith.constant 200 : index
      scf.for %i = %c0 to %n step %c1 {{{row("r")}
        %early = arith.cmpi ult, %i, %c7 : index
        scf.if %early {{{copied("%r", "%r")}
        }}
        %late = arith.cmpi eq, %i, %n200 : index
        scf.if %late {{{copied("%tx", "%r")}
        }}
      }}"""
    ),
    "a loop cut beyond another's end": Case(
        f"""
      %n200 = arith.constant 200 : index
      %n250 = arith.constant 250 : index
      scf.for %o = %c0 to %c2 step %c1 {{
        %less = arith.muli %o, %n200 : index
        %far = arith.subi %n, %less : index
        scf.for %i = %c0 to %far step %c1 {{{row("r")}
          %early = arith.cmpi ult, %i, %n250 : index
          scf.if %early {{{copied("%r", "%r")}
          }}
        }}
      }}"""
    ),
    "some lanes in between": Case(
        f"""
      %bit = arith.andi %tx, %c1 : index
      %odd = arith.cmpi eq, %bit, %c1 : index
      %v = memref.load %A[%at] : {GLOBAL}
      scf.if %odd {{
        %first = memref.load %A[%tx] : {GLOBAL}
        memref.store %first, %B[%at] : {GLOBAL}
        memref.store %v, %B[%at] : {GLOBAL}
      }}""",
        grid=4,
    ),
    "blocks that end within a chunk": Case(
        f"""
      %S = memref.alloca() : memref<1024xi64, "shared">
      %v = memref.load %A[%at] : {GLOBAL}
      memref.store %v, %S[%tx] : memref<1024xi64, "shared">
      tile.sync "cta"
      %o = arith.xori %tx, %c5 : index
      %w = memref.load %S[%o] : memref<1024xi64, "shared">
      memref.store %w, %B[%at] : {GLOBAL}""",
        block=1024,
        grid=9,
    ),
    "shared memory of a turn": Case(
        loop(
            f"""
        %S = memref.alloca() : {SHARED}
        %first = arith.cmpi eq, %i, %c0 : index
        scf.if %first {{
          memref.store %zero, %S[%tx] : {SHARED}
        }}
        tile.sync "cta"
        %v = memref.load %S[%tx] : {SHARED}
        memref.store %v, %B[%tx] : {GLOBAL}"""
        ),
        "UninitializedError: block (0,0,0) thread (0,0,0) reads element 0 of S (byte 0), which nothing has written",
    ),
    "what does not hold at all": Case(
        f"""{copied("%at", "%at")}
      %same = arith.cmpi ult, %n, %c7 : index
      cf.assert %same, "few turns" """,
        "SimulationError: block (0,0,0) thread (0,0,0)",
    ),
    "one beyond the last row": Case(
        loop(f"""{row("r")}{copied("%r", "%r")}
        %in = arith.cmpi ult, %i, %last : index
        cf.assert %in, "row" {{tile.bounds}}"""),
        "OutOfBoundsError",
    ),
    "one before the first row": Case(
        loop(f"""{row("r")}{copied("%r", "%r")}
        %before = arith.subi %i, %c1 : index
        %in = arith.cmpi ult, %before, %last : index
        cf.assert %in, "row" {{tile.bounds}}"""),
        "OutOfBoundsError",
    ),
}


def body(accesses: Sequence[Statement], turns: int = 100, around: int = 0) -> tuple[Statement, ...]:
    found: tuple[Statement, ...] = (For(turns, tuple(accesses)),)
    return (For(around, found),) if around else found


def access(kind: str, terms: Sequence[Term], constant: int = 0, buffer: str = "B") -> Access:
    return Access(kind, buffer, tuple(terms), constant, 0)


LANE = Term("tx", 1)
RACES = {
    "blocks apart that reach over each other": (
        Looped(2, 2, body([access("store", (LANE, Term("0", 2))), access("store", (LANE,), 402)]), overlap=202),
        "",
    ),
    "what a block further reads": (
        Looped(2, 4, (access("store", (LANE,)), access("load", (LANE, Term("bx", -12)), 4))),
        "RaceError",
    ),
    "turns that meet beside such that do not": (
        Looped(
            1,
            4,
            body(
                [
                    access("store", (LANE,), 0, "S"),
                    Sync("cta"),
                    access("load", (Term("tx", 1, "^", 1),), 0, "S"),
                    access("store", (LANE, Term("0", 4))),
                ]
            ),
        ),
        "RaceError",
    ),
    "the next block's first": (
        Looped(2, 4, (access("store", (LANE,)), access("load", (LANE,), 4)), overlap=4),
        "RaceError",
    ),
    "the last block's last": (
        Looped(2, 4, (access("load", (LANE,)), access("store", (LANE,), 4)), overlap=4),
        "RaceError",
    ),
    "one element of two blocks": (Looped(2, 4, body([access("store", (LANE, Term("0", 4)))]), overlap=1), "RaceError"),
    "one element of two that go down": (
        Looped(2, 4, body([access("store", (LANE, Term("0", -4)), 396)]), overlap=1),
        "RaceError",
    ),
    "turns that meet at the furthest": (
        Looped(1, 2, body([access("store", (Term("tx", 4), Term("0", 2)))])),
        "RaceError",
    ),
    "turns that meet, but for one access": (
        Looped(1, 4, body([access("store", (LANE, Term("0", 8))), access("store", (LANE, Term("0", 8)), 9)])),
        "RaceError",
    ),
    "the last turn of a loop in a loop": (
        Looped(
            1,
            4,
            (
                For(100, (access("store", (LANE, Term("0", 4)), 0, "S"),)),
                Sync("cta"),
                For(
                    50,
                    (
                        For(100, (access("store", (LANE, Term("0", 4)), 0, "S"),)),
                        access("load", (Term("tx", 1, "^", 1),), 396, "S"),
                    ),
                ),
            ),
        ),
        "RaceError",
    ),
}
