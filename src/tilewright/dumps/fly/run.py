"""A kernel of a FlyDSL dump, executed for all threads of one block at once, as far as addresses need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tilewright.dumps.fly import gpu as fly_gpu
from tilewright.dumps.fly import layouts as fly_layouts
from tilewright.dumps.fly import scalars as fly_scalars
from tilewright.dumps.fly.access import Threads
from tilewright.dumps.fly.arguments import argument
from tilewright.dumps.fly.scalars import DATA
from tilewright.dumps.fly.values import Array, Missing, Number, Struct, Value, is_number, lanes
from tilewright.errors import TilewrightError
from tilewright.notation.ttgir_op import BLOCK, Op
from tilewright.notation.ttgir_signature import arguments

MOST_STEPS = 10_000
MOST_WHOLE = 8_000  # operations up to which all iterations of a loop are run
REPRESENTATIVE = 3  # iterations of a longer loop
_ENDS = ("scf.yield", "scf.condition", "scf.reduce")


class ExhaustedError(Exception):
    """More operations than are executed."""


@dataclass
class Run:
    """The state of one kernel.

    Attributes:
        threads: who is active now.
        visit: what is told of every operation, with the values of its operands, before it is executed.
        values: of SSA names; what counts is the last definition.
    """

    threads: Threads
    visit: Visit
    identities: Mapping[str, Value]
    values: dict[str, Value] = field(default_factory=dict)
    steps: int = 0

    def kernel(self, op: Op) -> None:
        """A function, whose arguments are taken as a launch would give them."""
        for name, text in function_arguments(op).items():
            self.values[name] = _value(name, text)
        for region in op.regions:
            self.region(region)

    def region(self, ops: tuple[Op, ...]) -> list[Value]:
        """What the operations yield."""
        found: list[Value] = []
        for op in ops:
            if op.name in _ENDS:
                found = self.given(op)
                continue
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise ExhaustedError
            self.define(op, self.execute(op))
        return found

    def given(self, op: Op) -> list[Value]:
        """The values of the operands."""
        return [self.values.get(name, UNDEFINED) for name in op.operands]

    def define(self, op: Op, results: list[Value]) -> None:
        """Gives the results their names: `%x`, and of several `%x#1`."""
        if len(op.results) == 1 and len(results) > 1:
            self.values |= {f"{op.results[0]}#{i}": value for i, value in enumerate(results)}
        for name, value in zip(op.results, [*results, *[DATA] * len(op.results)], strict=False):
            self.values[name] = value

    def execute(self, op: Op) -> list[Value]:
        """The results of one operation."""
        if op.name in _CONTROL:
            return _CONTROL[op.name](self, op)
        if op.name == BLOCK:
            return [self.values.get(name, Missing("an argument of a block is not followed")) for name in op.results]
        given = self.given(op)
        self.visit(op, given, self.threads)
        identity = self.identities.get(fly_gpu.identity_of(op))
        if identity is not None:
            return [identity]
        found = self.result(op, given)
        return list(found) if op.name == "fly.get_leaves" and isinstance(found, Struct) else [found]

    def result(self, op: Op, given: list[Value]) -> Value:
        """The value of the operation; why there is none."""
        try:
            if op.name in fly_gpu.RULES:
                return fly_gpu.RULES[op.name](op, given, self.threads)
            if fly_scalars.is_binary(op.name):
                return fly_scalars.binary(op, given)
            if fly_layouts.is_fly(op.name) and not op.name.startswith(_OF_DATA):
                return fly_layouts.result(op, given, self.threads.leaves)
        except TilewrightError as error:
            return Missing(str(error).splitlines()[0])
        if op.name.startswith(_OF_DATA):
            return Missing(f"it depends on data: what {op.name} on line {op.line} gives")
        return Missing(f"{op.name} on line {op.line} is not followed")

    def narrowed(self, condition: Value) -> Threads:
        """The threads for which a condition holds; all where it is not known."""
        if not is_number(condition):
            return self.threads
        return replace(self.threads, active=self.threads.active & (lanes(condition, self.threads.count) != 0))


def is_followed(name: str) -> bool:
    """Is there a rule for the results of ops of that name?"""
    return name in fly_gpu.RULES or fly_scalars.is_binary(name) or fly_layouts.is_fly(name)


class Visit:
    """Told of every operation that is executed."""

    def __call__(self, op: Op, given: list[Value], threads: Threads) -> None:
        """An operation, the values of its operands, and who executes it."""


UNDEFINED = Missing("a value that is not defined before")
_OF_DATA = ("vector.", "math.", "arith.", "gpu.", "rocdl.", "fly.mma", "fly.memref.load", "fly.ptr.load", "llvm.",
            "memref.load", "fly.copy_atom_call_ssa", "ub.", "amdgpu.")  # fmt: skip


def function_arguments(op: Op) -> dict[str, str]:
    """The arguments of a function, also those of shared memory: `workgroup(%m : memref<..>)`."""
    found: dict[str, str] = {}
    depth, start = 0, 0
    for i, word in enumerate(op.words):
        depth += (word in "([{<") - (word in ")]}>")
        start = i + 1 if depth == 1 and word == "(" else start
        if depth == 0 and word == ")":
            found |= arguments(op.words[start:i])
    return found


def _value(name: str, text: str) -> Value:
    try:
        return argument(name, text)
    except TilewrightError as error:
        return Missing(str(error).splitlines()[0])


# ---- control flow


def _if(run: Run, op: Op) -> list[Value]:
    (condition, *_) = run.given(op) or [DATA]
    threads, results = run.threads, []
    otherwise = 1 - condition if is_number(condition) else condition
    for choice, region in zip((condition, otherwise), op.regions, strict=False):
        run.threads = replace(threads, active=run.narrowed(choice).active)
        if run.threads.active.any():
            results.append(run.region(region))
        else:
            results.append([])
        run.threads = threads
    if len(results) < 2 or not results[0] or not results[1]:
        return next((found for found in results if found), [])
    return [fly_scalars.selected([condition, a, b]) for a, b in zip(*results, strict=False)]


def _for(run: Run, op: Op) -> list[Value]:
    """All iterations of a short loop, else the first ones."""
    low, high, step, names, carried = _bounds(run, op)
    count = _trips(low, high, step)
    size = sum(1 for region in op.regions for inner in region for _ in inner.walk())
    whole = count is not None and count * size <= MOST_WHOLE
    times = count if whole and count is not None else min(REPRESENTATIVE, count or REPRESENTATIVE)
    threads = run.threads
    for i in range(times):
        index = low + i * step if is_number(low) and is_number(step) else DATA
        run.values |= dict(zip(names, [index, *carried], strict=False))
        if is_number(index) and is_number(high):
            run.threads = replace(threads, active=threads.active & (_below(index, high) != 0))
        carried = run.region(op.regions[0]) if op.regions and run.threads.active.any() else carried
        run.threads = threads
    late = Missing(f"it is known only after all iterations of the loop on line {op.line}")
    return carried if whole else [late] * len(carried)


def _below(index: Number, high: Number) -> Array:
    return np.asarray(np.less(index, high), np.int64)


def _bounds(run: Run, op: Op) -> tuple[Value, Value, Value, list[str], list[Value]]:
    """Low, high, step, the names of the loop's arguments, and what is carried into it."""
    block = op.regions[0][0] if op.regions and op.regions[0] and op.regions[0][0].name == BLOCK else None
    if block is not None and len(op.operands) >= 3:
        low, high, step, *carried = run.given(op)
        return low, high, step, list(block.results), carried
    names, words = list(op.bindings), op.words
    known = {word: run.values.get(op.words[i + 1], UNDEFINED) for i, word in enumerate(words[:-1])}
    carried = [run.values.get(start, UNDEFINED) for start in list(op.bindings.values())[1:]]
    low = run.values.get(next(iter(op.bindings.values()), ""), UNDEFINED)
    return low, known.get("to", UNDEFINED), known.get("step", UNDEFINED), names, carried


def _trips(low: Value, high: Value, step: Value) -> int | None:
    if not is_number(low) or not is_number(high) or not is_number(step) or np.any(np.less_equal(step, 0)):
        return None
    return int(np.max(-((low - high) // step)))


def _while(run: Run, op: Op) -> list[Value]:
    """Both regions once, with what they begin with."""
    names = list(op.bindings)
    run.values |= {name: run.values.get(op.bindings[name], UNDEFINED) for name in names}
    for region in op.regions:
        run.region(region)
    return [Missing(f"it is known only after the loop on line {op.line}")] * max(1, len(op.outputs))


def _execute_region(run: Run, op: Op) -> list[Value]:
    return [value for region in op.regions for value in run.region(region)]


_CONTROL = {"scf.if": _if, "scf.for": _for, "scf.while": _while, "scf.execute_region": _execute_region}
