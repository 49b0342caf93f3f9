"""Random programs of Python's control flow on integers, for what is traced to be compared with Python itself."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import numpy as np

HEAD = "def program(a, b, c):\n    x, y, z = a, b, c\n    found = [a, b + c]\n"
TAIL = "    return x, y, z, found[0], found[1]\n"
VARIABLES = ("x", "y", "z", "found[0]", "found[1]")
SIGNS = ("+", "-", "*", "&", "|", "^")
COMPARED = ("<", "<=", ">", ">=", "==", "!=")


def loaded(path: Path, text: str) -> ModuleType:
    """The module of a text, in a file."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


KERNEL = """
import tilewright.compiler as flyc
import tilewright.expr as fx


@flyc.kernel
def kernel(A: fx.Tensor, B: fx.Tensor):
    tid = fx.thread_idx.x
    row = fx.Int32(3) * tid
    result = program(A[row], A[row + 1], A[row + 2])
    for i in fx.range_constexpr(5):
        B[fx.Int32(5) * tid + i] = result[i]


@flyc.jit
def run(A: fx.Tensor, B: fx.Tensor):
    kernel(A, B).launch(grid=1, block=64)
"""


def traced_and_plain(path: Path, text: str, seed: int = 0) -> tuple[list[list[int]], list[list[int]]]:
    """What the traced program gives each of 64 threads, and what Python gives."""
    module = loaded(path, text + KERNEL)
    given = np.random.default_rng(seed).integers(-20, 100, (64, 3)).astype(np.int32)
    found = np.zeros(64 * 5, np.int32)
    module.run(given.reshape(-1), found)
    return found.reshape(64, 5).tolist(), [list(module.program(*map(int, row))) for row in given]


class Program:
    """The text of a function of three integers that ends, whatever they are.

    Args:
        seed: decides it.
        jumps: has it `return`, `break` and `continue`?
    """

    def __init__(self, seed: int, jumps: bool = True) -> None:
        self._rng, self._jumps, self._counts = random.Random(seed), jumps, 0
        self.text = HEAD + "\n".join(self._block(4, 3, False, 6)) + "\n" + TAIL

    def _block(self, indent: int, depth: int, loop: bool, most: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self._rng.randint(1, most)):
            lines += self._statement(indent, depth, loop)
        return lines

    def _statement(self, indent: int, depth: int, loop: bool) -> list[str]:
        kinds = ["assign"] * 4 + (["if", "if", "for", "while", "unrolled"] if depth else [])
        if self._jumps:
            kinds += ["return"] * (self._rng.random() < 0.3) + ["break", "continue"] * loop
        return getattr(self, f"_{self._rng.choice(kinds)}")(" " * indent, indent, depth, loop)

    def _assign(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        target = self._rng.choice(VARIABLES)
        if self._rng.random() < 0.3:
            return [f"{pad}{target} += {self._value(1)}", f"{pad}{target} &= 1023"]
        return [f"{pad}{target} = ({self._value(2)}) & 1023"]

    def _if(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        lines = [f"{pad}if {self._condition()}:", *self._block(indent + 4, depth - 1, loop)]
        if self._rng.random() < 0.3:
            lines += [f"{pad}elif {self._condition()}:", *self._block(indent + 4, depth - 1, loop)]
        if self._rng.random() < 0.5:
            lines += [f"{pad}else:", *self._block(indent + 4, depth - 1, loop)]
        return lines

    def _for(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        name = self._name("i")
        start, step = self._rng.choice(("", "1, ", f"{self._leaf()} & 3, ")), self._rng.choice((1, 2, -1))
        bounds = f"{start}{self._leaf()} & 7" if step == 1 else f"{start or '0, '}{self._leaf()} & 7, {step}"
        bounds = bounds if step > 0 else f"{self._leaf()} & 7, {start or '0, '}{step}"
        body = [f"{pad}    {self._rng.choice('xyz')} ^= {name}", *self._block(indent + 4, depth - 1, True)]
        return [f"{pad}for {name} in range({bounds}):", *body, *self._else(pad, indent, depth, loop)]

    def _unrolled(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        name = self._name("j")
        body = [f"{pad}    {self._rng.choice('xyz')} += {name}", *self._block(indent + 4, depth - 1, True)]
        return [f"{pad}for {name} in [3, 1, 2]:", *body, *self._else(pad, indent, depth, loop)]

    def _while(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        name = self._name("n")
        body = [f"{pad}    {name} -= 1", *self._block(indent + 4, depth - 1, True)]
        if self._rng.random() < 0.2:
            start = [f"{pad}{name} = {self._leaf()} & 7", f"{pad}while ({name} := {name} - 1) >= 0:"]
            return [*start, *body[1:], *self._else(pad, indent, depth, loop)]
        test = f"{name} > 0" if self._rng.random() < 0.6 else f"{name} > 0 and ({self._condition()})"
        start = [f"{pad}{name} = {self._leaf()} & 7", f"{pad}while {test}:"]
        return [*start, *body, *self._else(pad, indent, depth, loop)]

    def _else(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        if self._rng.random() > 0.2:
            return []
        return [f"{pad}else:", *self._block(indent + 4, depth - 1, loop, 1)]

    def _return(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        return [f"{pad}if {self._condition()}:", f"{pad}    return {', '.join(self._leaf() for _ in range(5))}"]

    def _break(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        return [f"{pad}if {self._condition()}:", f"{pad}    break"]

    def _continue(self, pad: str, indent: int, depth: int, loop: bool) -> list[str]:
        return [f"{pad}if {self._condition()}:", f"{pad}    continue"]

    def _name(self, word: str) -> str:
        self._counts += 1
        return f"{word}{self._counts}"

    def _leaf(self) -> str:
        return self._rng.choice((*VARIABLES, *VARIABLES, str(self._rng.randint(-9, 99))))

    def _value(self, depth: int) -> str:
        if not depth or self._rng.random() < 0.2:
            return self._leaf()
        if self._rng.random() < 0.15:
            return f"({self._value(depth - 1)} if {self._condition()} else {self._value(depth - 1)})"
        return f"({self._value(depth - 1)} {self._rng.choice(SIGNS)} {self._value(depth - 1)})"

    def _condition(self) -> str:
        compared = f"{self._leaf()} {self._rng.choice(COMPARED)} {self._leaf()}"
        kind = self._rng.random()
        if kind < 0.15:
            return f"not {compared}"
        if kind < 0.3:
            return f"{compared} {self._rng.choice(('and', 'or'))} {self._leaf()} {self._rng.choice(COMPARED)} 40"
        return f"{self._leaf()} < {self._leaf()} <= {self._leaf()}" if kind < 0.4 else compared
