"""Random index expressions: their MLIR text, and what they are by Python's integers, wrapped to 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

LANES, BLOCKS, TRIPS = 32, 2, 3


def wrap(value: int, bits: int = 64) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def natural(value: int) -> int:
    return value % (1 << 64)


BINARY: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
    "minui": lambda a, b: min(natural(a), natural(b)),
    "maxui": lambda a, b: max(natural(a), natural(b)),
}
BY_CONSTANT: dict[str, Callable[[int, int], int]] = {
    "divui": lambda a, b: natural(a) // b,
    "remui": lambda a, b: natural(a) % b,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "shli": lambda a, b: a << (b % 8),
    "shrui": lambda a, b: natural(a) >> (b % 8),
    "shrsi": lambda a, b: a >> (b % 8),
}
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ult": lambda a, b: natural(a) < natural(b),
    "ugt": lambda a, b: natural(a) > natural(b),
}


@dataclass(frozen=True)
class Tree:
    """`op` is a leaf's name, or an op with its operands; `number` is a constant's value."""

    op: str
    operands: tuple[Tree, ...] = ()
    number: int = 0

    def value(self, leaves: dict[str, int]) -> int:
        if self.op == "constant":
            return self.number
        if self.op in leaves:
            return leaves[self.op]
        values = [operand.value(leaves) for operand in self.operands]
        if self.op.startswith("select"):
            return values[2] if COMPARED[self.op.split()[1]](values[0], values[1]) else values[3]
        if self.op in BY_CONSTANT:
            return wrap(BY_CONSTANT[self.op](values[0], self.number))
        return wrap(BINARY[self.op](*values))

    def lines(self, name: str) -> list[str]:
        """MLIR that defines %name."""
        if self.op == "constant":
            return [f"%{name} = arith.constant {self.number} : index"]
        if not self.operands:
            return [f"%{name} = arith.addi %{self.op}, %c0 : index"]
        lines = [line for i, operand in enumerate(self.operands) for line in operand.lines(f"{name}{i}")]
        if self.op.startswith("select"):
            predicate = self.op.split()[1]
            compared = f"%{name}c = arith.cmpi {predicate}, %{name}0, %{name}1 : index"
            return [*lines, compared, f"%{name} = arith.select %{name}c, %{name}2, %{name}3 : index"]
        if self.op in BY_CONSTANT:
            number = self.number % 8 if self.op.startswith("sh") else self.number
            lines.append(f"%{name}1 = arith.constant {number} : index")
        return [*lines, f"%{name} = arith.{self.op} %{name}0, %{name}1 : index"]


_NUMBERS = st.integers(-9, 40) | st.sampled_from((2**31 - 1, 2**31, -(2**31), 2**33 + 5, 4096, 65535))
_CONSTANTS = st.builds(Tree, st.just("constant"), st.just(()), _NUMBERS)
_LEAVES = st.builds(Tree, st.sampled_from(("tx", "bx", "s"))) | _CONSTANTS


def _grown(inner: Any) -> Any:
    pairs, fours = st.tuples(inner, inner), st.tuples(inner, inner, inner, inner)
    return (
        st.builds(Tree, st.sampled_from(tuple(BINARY)), pairs)
        | st.builds(Tree, st.sampled_from(tuple(BY_CONSTANT)), st.tuples(inner), st.integers(1, 70))
        | st.builds(Tree, st.sampled_from([f"select {p}" for p in COMPARED]), fours)
    )


trees = st.recursive(_LEAVES, _grown, max_leaves=8)


def kernel_of_trees(made: list[Tree]) -> tuple[str, int]:
    """A kernel that stores every tree's value for every lane, block and trip of a loop, and the size of its array."""
    size = len(made) * LANES * BLOCKS * TRIPS
    lines = []
    for i, tree in enumerate(made):
        lines += tree.lines(f"t{i}_")
        lines += [
            f"%v{i} = arith.index_cast %t{i}_ : index to i64",
            f"%o{i} = arith.constant {i * LANES * BLOCKS * TRIPS} : index",
            f"%p{i} = arith.addi %place, %o{i} : index",
            f"memref.store %v{i}, %A[%p{i}] : memref<{size}xi64>",
        ]
    body = "\n".join(lines)
    return (
        f"""
func.func @f(%A: memref<{size}xi64>) attributes {{
    tile.grid = array<i64: {BLOCKS}, 1, 1>, tile.block = array<i64: {LANES}, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant {LANES} : index
  %blocks = arith.constant {BLOCKS} : index
  %trips = arith.constant {TRIPS} : index
  scf.for %s = %c0 to %trips step %c1 {{
    %row = arith.muli %s, %blocks : index
    %block = arith.addi %row, %bx : index
    %first = arith.muli %block, %lanes : index
    %place = arith.addi %first, %tx : index
    {body}
  }}
  func.return
}}
""",
        size,
    )


def values_of_trees(made: list[Tree]) -> list[int]:
    """What the kernel stores."""
    return [
        tree.value({"tx": t, "bx": b, "s": s})
        for tree in made
        for s in range(TRIPS)
        for b in range(BLOCKS)
        for t in range(LANES)
    ]
