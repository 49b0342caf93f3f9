"""Random kernels of views, views of views, and indices that may leave them; and what they do, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from random import Random

import numpy as np
from numpy.typing import NDArray

THREADS = 16
SPACES = ("global", "shared", "local")
SHAPES = ((32,), (4, 8), (8, 4), (2, 4, 4), (16,), (2, 8), (4, 4), (8,), (2, 2), (4,))


@dataclass(frozen=True)
class View:
    """A view: its name, its shape, and where it starts in the memory."""

    name: str
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        return prod(self.shape)

    def offset(self, coordinate: tuple[int, ...]) -> int | None:
        """Where an element lies; None outside."""
        if any(not 0 <= c < extent for c, extent in zip(coordinate, self.shape, strict=True)):
            return None
        return self.start + int(np.ravel_multi_index(coordinate, self.shape))


@dataclass(frozen=True)
class Access:
    """An access of a view at an index for each dimension: factor * (t / by) + shift."""

    view: View
    indices: tuple[tuple[int, int, int], ...]
    kind: str

    def coordinate(self, thread: int) -> tuple[int, ...]:
        return tuple(factor * (thread // by) + shift for factor, by, shift in self.indices)

    @property
    def text(self) -> str:
        return f"{self.view.name}[{', '.join(f'{f} * (t // {b}) + {s}' for f, b, s in self.indices)}]"


@dataclass(frozen=True)
class Program:
    """A memory of 64 elements in a space, views of it, and accesses."""

    space: str
    views: tuple[View, ...]
    accesses: tuple[Access, ...]

    @property
    def source(self) -> str:
        memory = "A" if self.space == "global" else f'T.alloc_buffer((64,), "int32", scope="{self.space}")'
        lines = [
            "from tilewright.script import tirx as T",
            "",
            "@T.prim_func",
            'def k(A: T.Buffer((64,), "int32"), B: T.Buffer((16, 8), "int32")):',
            "    T.device_entry()",
            "    T.cta_id([1])",
            f"    t = T.thread_id([{THREADS}])",
            f"    m = {memory}" if self.space != "global" else "    m = A",
        ]
        if self.space != "global":
            lines += ["    for i in T.serial(64):", "        m[i] = A[i]", "    T.cuda.cta_sync()"]
        for number, view in enumerate(self.views):
            parent = self.views[number - 1] if number else None
            base = parent.name if parent else "m"  # all offsets count from where the memory starts
            placed = f"data={base}.data, elem_offset={view.start}"
            lines.append(f"    {view.name} = T.decl_buffer({view.shape}, 'int32', {placed})")
        for number, access in enumerate(self.accesses):
            if access.kind == "load":
                lines.append(f"    B[t, {number}] = {access.text}")
            elif access.kind == "chosen":
                lines.append(f"    B[t, {number}] = {access.text} if t < 3 else 7")
            elif access.kind == "atomic":
                lines.append(f"    T.cuda.atomic_add(T.address_of({access.text}), 1)")
        return "\n".join(lines) + "\n"

    @property
    def refused(self) -> bool:
        """Is an index outside that does not depend on the thread?"""
        pairs = [pair for access in self.accesses for pair in zip(access.indices, access.view.shape, strict=True)]
        return any(factor == 0 and not 0 <= shift < extent for (factor, _, shift), extent in pairs)

    @property
    def inside(self) -> bool:
        """Does every access lie in its view?"""
        lanes = {"chosen": range(3)}
        return all(
            access.view.offset(access.coordinate(t)) is not None
            for access in self.accesses
            for t in lanes.get(access.kind, range(THREADS))
        )

    def expected(self, a: NDArray[np.int32]) -> NDArray[np.int32]:
        """What B holds, where no access is atomic."""
        b = np.zeros((THREADS, 8), np.int32)
        for number, access in enumerate(self.accesses):
            for t in range(THREADS):
                if access.kind == "chosen" and t >= 3:
                    b[t, number] = 7
                elif access.kind != "atomic":
                    place = access.view.offset(access.coordinate(t))
                    assert place is not None
                    b[t, number] = a[place]
        return b


def program(dice: Random) -> Program:
    """A kernel; about half of them leave a view."""
    views: list[View] = []
    room = 64  # a view reaches no further than the one that it is a view of
    for number in range(dice.randint(1, 3)):
        shape = dice.choice([shape for shape in SHAPES if prod(shape) <= room])
        views.append(View(f"v{number}", shape, dice.randint(0, room - prod(shape))))
        room = views[-1].start + views[-1].size
    space = dice.choice(SPACES)
    kinds = ["load", "load", "chosen"] + (["atomic"] if space == "global" else [])
    kind = dice.choice(kinds)
    accesses = [Access(view, _indices(dice, view.shape), kind) for view in dice.choices(views, k=dice.randint(1, 3))]
    return Program(space, tuple(views), tuple(accesses))


def _indices(dice: Random, shape: tuple[int, ...]) -> tuple[tuple[int, int, int], ...]:
    found = []
    for extent in shape:
        by = max(1, THREADS // extent)
        factor = dice.choice((1, 1, 1, 0, -1))
        last = factor * ((THREADS - 1) // by)
        shift = dice.randint(-min(0, last), max(-min(0, last), extent - 1 - max(0, last)))
        found.append((factor, by, shift + (dice.choice((0, 0, 0, 0, 0, 1, -1, 3)))))
    return tuple(found)
