"""Copies on their way, against the definition: who may touch what, when, and what the memories hold in the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.errors import RaceError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.simulate import simulate

SIZE = 6
KINDS = ("copy", "copy", "commit", "wait", "wait", "read", "write", "source")


@dataclass(frozen=True)
class Step:
    """One lane copies A[place] to S[other], commits, waits for all groups but `count`, or touches S or A itself."""

    kind: str
    place: int
    other: int
    count: int


def text(steps: list[Step]) -> str:
    lines = [f"%c{i} = arith.constant {i} : index" for i in range(SIZE)]
    lines += [f"%v{i} = arith.constant {100 + i} : i32" for i in range(len(steps))]
    for number, s in enumerate(steps):
        lines += {
            "copy": [
                f'%a{number} = tile.address %A[%c{s.place}] : memref<{SIZE}xi32> -> !tile.address<i32, "global">',
                f'%s{number} = tile.address %S[%c{s.other}] : memref<{SIZE}xi32, "shared">'
                ' -> !tile.address<i32, "shared">',
                f'tile.cp_async %s{number}, %a{number}, 4 : !tile.address<i32, "shared">, !tile.address<i32, "global">',
            ],
            "commit": ['tile.async_commit "cp"'],
            "wait": [f'tile.async_wait "cp" {s.count}'],
            "read": [
                f'%r{number} = memref.load %S[%c{s.place}] : memref<{SIZE}xi32, "shared">',
                f"memref.store %r{number}, %B[%c{s.other}] : memref<{SIZE}xi32>",
            ],
            "write": [f'memref.store %v{number}, %S[%c{s.place}] : memref<{SIZE}xi32, "shared">'],
            "source": [f"memref.store %v{number}, %A[%c{s.place}] : memref<{SIZE}xi32>"],
        }[s.kind]
    start = [f'memref.store %zero, %S[%c{i}] : memref<{SIZE}xi32, "shared">' for i in range(SIZE)]
    body = "\n".join([*lines[:SIZE], "%zero = arith.constant 0 : i32", *start, *lines[SIZE:]])
    return f"""func.func @f(%A: memref<{SIZE}xi32>, %B: memref<{SIZE}xi32>) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 1, 1, 1>}} {{
  %S = memref.alloca() : memref<{SIZE}xi32, "shared">
  {body}
  func.return
}}"""


def defined(steps: list[Step]) -> tuple[bool, list[int], list[int]]:
    """Is it free of races, and what are A and B in the end? A copy is done when its group is waited for."""
    a, b, s = list(range(1, SIZE + 1)), [0] * SIZE, [0] * SIZE
    groups: list[list[tuple[int, int]]] = []
    open_: list[tuple[int, int]] = []
    for number, step in enumerate(steps):
        under_way = [pair for group in [*groups, open_] for pair in group]
        reads, writes = {source for source, _ in under_way}, {target for _, target in under_way}
        if step.kind == "copy":
            if step.other in writes:
                return False, a, b
            open_.append((step.place, step.other))
        elif step.kind == "commit":
            groups.append(open_)
            open_ = []
        elif step.kind == "wait":
            if step.count < 0:
                groups, open_ = [*groups, open_], []
            cut = max(0, len(groups) - max(0, step.count))
            for source, target in (pair for group in groups[:cut] for pair in group):
                s[target] = a[source]
            groups = groups[cut:]
        elif step.kind == "source":
            if step.place in reads:
                return False, a, b
            a[step.place] = 100 + number
        else:
            if step.place in writes:
                return False, a, b
            if step.kind == "read":
                b[step.other] = s[step.place]
            else:
                s[step.place] = 100 + number
    return True, a, b


steps = st.builds(
    Step, st.sampled_from(KINDS), st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.sampled_from((0, 0, 1, 2, -1))
)


@pytest.mark.hypothesis
@settings(max_examples=150)
@given(st.lists(steps, min_size=3, max_size=12), st.sampled_from(("lockstep", "random")))
def test_copies_are_done_when_they_are_waited_for(given: list[Step], schedule: str) -> None:
    right, a, b = defined(given)
    arrays = [np.arange(1, SIZE + 1, dtype=np.int32), np.zeros(SIZE, np.int32)]
    module = parse_module(text(given))
    if not right:
        with pytest.raises(RaceError, match="on its way"):
            simulate(module, arrays, schedule=schedule)  # type: ignore[arg-type]  # one of its words
        return
    simulate(module, arrays, schedule=schedule)  # type: ignore[arg-type]  # one of its words
    assert (arrays[0].tolist(), arrays[1].tolist()) == (a, b)
