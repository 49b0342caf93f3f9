"""Random kernels of branches and loops, and what they compute, one thread after the other, in Python."""

from __future__ import annotations

import runpy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.lang.primfunc import PrimFunc

THREADS, WIDTH, PRIME = 40, 8, 97
MAX_DEPTH = 3
Node: TypeAlias = tuple[object, ...]
Numbers: TypeAlias = NDArray[np.int32]

HEAD = f"""from tilewright.script import tirx as T

@T.prim_func
def k(A: T.Buffer(({THREADS}, {WIDTH}), "int32"), B: T.Buffer(({THREADS}, 4), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([{THREADS}])
"""
REGISTERS = "    x: T.int32 = t\n    y: T.int32 = 1\n    z: T.int32\n    z = 0\n    turns: T.int32 = 0\n"
NAMES = "    x, y, z, turns = T.int32(t), T.int32(1), T.int32(0), T.int32(0)\n"


class LeaveError(Exception):
    """A loop is left."""


class AgainError(Exception):
    """A loop goes on."""


@dataclass
class Maker:
    """Draws statements; `loops` is how many are around, in which `counters` count."""

    dice: Random
    counters: tuple[str, ...] = ()

    def number(self, depth: int) -> Node:
        kinds = ["constant", "name", "sum", "product", "load", "choice"]
        kind = self.dice.choice(kinds if depth < MAX_DEPTH else kinds[:2])
        if kind == "constant":
            return "constant", self.dice.randrange(20)
        if kind == "name":
            return "name", self.dice.choice(("x", "y", "z"))
        if kind == "load":  # only where the index lies inside
            return "guarded", self.dice.choice(("x", "y")), self.dice.randrange(WIDTH), self.number(depth + 1)
        if kind == "choice":
            return kind, self.condition(depth + 1), self.number(depth + 1), self.number(depth + 1)
        return kind, self.number(depth + 1), self.number(depth + 1)

    def condition(self, depth: int) -> Node:
        kind = self.dice.choice(("less", "equal", "and", "or", "held")) if depth < MAX_DEPTH else "less"
        if kind in ("and", "or"):
            return kind, self.condition(depth + 1), self.condition(depth + 1)
        if kind == "held":
            return kind, self.dice.choice(("x", "y")), self.number(depth + 1)
        return kind, ("name", self.dice.choice(("x", "y", "z"))), self.number(depth + 1)

    def statements(self, depth: int, inside: bool) -> list[Node]:
        made = [self.statement(depth, inside) for _ in range(self.dice.randint(1, 3))]
        if inside and self.dice.random() < 0.3:
            made.append((self.dice.choice(("break", "continue")),))
        return made

    def statement(self, depth: int, inside: bool) -> Node:
        kind = self.dice.choice(("set", "set", "store", "if", "for", "while")) if depth < MAX_DEPTH else "set"
        if kind == "if":
            other = self.statements(depth + 1, inside) if self.dice.random() < 0.5 else []
            return kind, self.condition(1), self.statements(depth + 1, inside), other
        if kind == "while":
            return kind, self.condition(1), self.statements(depth + 1, True)
        if kind == "for":
            how = self.dice.choice(("serial", "unroll", "range", "lane"))
            return kind, f"i{depth}", how, self.dice.randrange(1, 5), self.statements(depth + 1, True)
        if kind == "store":
            return kind, self.dice.randrange(4), self.number(1)
        return kind, self.dice.choice(("x", "y", "z")), self.number(1)


def program(dice: Random) -> list[Node]:
    """The statements of a kernel."""
    return Maker(dice).statements(0, False) + Maker(dice).statements(0, False)


# ---- as text


def text(nodes: list[Node], named: bool = False) -> str:
    """The kernel's source, in which `named` values or registers change."""
    body = "".join(_lines(nodes, 1)) + "".join(f"    B[t, {i}] = {v}\n" for i, v in enumerate("xyz"))
    return HEAD + (NAMES if named else REGISTERS) + body


def _lines(nodes: list[Node], level: int) -> list[str]:
    found: list[str] = []
    for node in nodes:
        pad = "    " * level
        match node:
            case ("set", name, value):
                found.append(f"{pad}{name} = ({_text(value)}) % {PRIME}\n")
            case ("store", place, value):
                found.append(f"{pad}B[t, {place}] = {_text(value)}\n")
            case ("if", condition, yes, no):
                found += [f"{pad}if {_text(condition)}:\n", *_lines(yes, level + 1)]
                found += [f"{pad}else:\n", *_lines(no, level + 1)] if no else []
            case ("while", condition, body):
                found.append(f"{pad}while turns < 40 and ({_text(condition)}):\n")
                found += [f"{pad}    turns = turns + 1\n", *_lines(body, level + 1)]
            case ("for", name, how, count, body):
                runs = {"lane": f"range(t % 3, {count})", "range": f"range({count})"}
                found.append(f"{pad}for {name} in {runs.get(str(how), f'T.{how}({count})')}:\n")
                found += [f"{pad}    y = (y + {name}) % {PRIME}\n", *_lines(body, level + 1)]
            case (word,):
                found.append(f"{pad}{word}\n")
    return found


def _text(node: object) -> str:
    match node:
        case ("constant" | "name", value):
            return str(value)
        case ("guarded", name, low, other):
            return f"(A[t, {name} - {low}] if {low} <= {name} < {low + WIDTH} else {_text(other)})"
        case ("held", name, value):
            return f"({name} < {WIDTH} and A[t, {name}] < {_text(value)})"
        case ("choice", condition, yes, no):
            return f"T.if_then_else({_text(condition)}, T.int32({_text(yes)}), T.int32({_text(no)}))"
        case ("sum" | "product" | "less" | "equal" | "and" | "or" as kind, left, right):
            sign = {"sum": "+", "product": "*", "less": "<", "equal": "=="}.get(kind, kind)
            left, right = (f"T.int32({_text(side)})" if sign in "+*<==" else _text(side) for side in (left, right))
            return f"({left} {sign} {right})"
    raise AssertionError(node)


def written(source: str, folder: Path, name: str = "k") -> PrimFunc:
    """The kernel of a source."""
    file = folder / "program.py"
    file.write_text(source)
    kernel = runpy.run_path(str(file))[name]
    assert isinstance(kernel, PrimFunc)
    return kernel


# ---- as numbers


def expected(nodes: list[Node], a: Numbers) -> Numbers:
    """What the kernel leaves in B, which holds zeros before."""
    result = np.zeros((THREADS, 4), np.int32)
    for thread in range(THREADS):
        state = {"x": thread, "y": 1, "z": 0, "turns": 0}
        _run(nodes, state, thread, a, result)
        result[thread, :3] = state["x"], state["y"], state["z"]
    return result


def _run(nodes: list[Node], state: dict[str, int], thread: int, a: Numbers, b: Numbers) -> None:
    for node in nodes:
        match node:
            case ("set", str(name), value):
                state[name] = _value(value, state, a[thread]) % PRIME
            case ("store", int(place), value):
                b[thread, place] = _value(value, state, a[thread])
            case ("if", condition, list(yes), list(no)):
                _run(yes if _value(condition, state, a[thread]) else no, state, thread, a, b)
            case ("while", condition, list(body)):
                while state["turns"] < 40 and _value(condition, state, a[thread]):
                    state["turns"] += 1
                    try:
                        _run(body, state, thread, a, b)
                    except AgainError:
                        continue
                    except LeaveError:
                        break
            case ("for", _, how, int(count), list(body)):
                for i in range(thread % 3 if how == "lane" else 0, count):
                    state["y"] = (state["y"] + i) % PRIME
                    try:
                        _run(body, state, thread, a, b)
                    except AgainError:
                        continue
                    except LeaveError:
                        break
            case ("break",):
                raise LeaveError
            case ("continue",):
                raise AgainError


def _value(node: object, state: dict[str, int], row: Numbers) -> int:
    match node:
        case ("constant", int(value)):
            return value
        case ("name", str(name)):
            return state[name]
        case ("guarded", str(name), int(low), other):
            return int(row[state[name] - low]) if low <= state[name] < low + WIDTH else _value(other, state, row)
        case ("held", str(name), value):
            return state[name] < WIDTH and row[state[name]] < _value(value, state, row)
        case ("choice", condition, yes, no):
            return _value(yes if _value(condition, state, row) else no, state, row)
        case ("and", left, right):
            return _value(left, state, row) and _value(right, state, row)
        case ("or", left, right):
            return _value(left, state, row) or _value(right, state, row)
        case (str(kind), left, right):
            one, other = _value(left, state, row), _value(right, state, row)
            return {"sum": one + other, "product": one * other, "less": one < other, "equal": one == other}[kind]
    raise AssertionError(node)
