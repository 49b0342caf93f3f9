"""Small random kernels, and what they do by the definition: one thread after the other, every pair of accesses.

A kernel is a list of statements, perhaps inside a loop. Shares nothing with the simulator.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

WARP = 32
SIZES = {"A": 24, "B": 24, "S": 12}


@dataclass(frozen=True)
class Statement:
    """`kind`: load, store, warp or cta. The index is block * bx + trip * s + thread * tx + constant; lanes < `few`."""

    kind: str
    buffer: str = "A"
    block: int = 0
    trip: int = 0
    thread: int = 0
    constant: int = 0
    few: int = 1000


@dataclass(frozen=True)
class Small:
    """A kernel. `trips` is None without a loop; `aliased` gives one array for A and B."""

    blocks: int
    threads: int
    trips: int | None
    aliased: bool
    statements: tuple[Statement, ...]

    def text(self) -> str:
        memories = {n: f"memref<{SIZES[n]}xi64>" for n in "AB"} | {"S": f'memref<{SIZES["S"]}xi64, "shared">'}
        lines = [_line(number, s, memories) for number, s in enumerate(self.statements)]
        body = "\n".join(lines)
        if self.trips is not None:
            body = f"scf.for %s = %c0 to %trips step %c1 {{\n{body}\n}}"
        return f"""
func.func @f(%A: {memories["A"]}, %B: {memories["B"]}) attributes {{
    tile.grid = array<i64: {self.blocks}, 1, 1>, tile.block = array<i64: {self.threads}, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %trips = arith.constant {self.trips or 0} : index
  {"" if self.trips is not None else "%s = arith.constant 0 : index"}
  %S = memref.alloca() : {memories["S"]}
  {body}
  func.return
}}
"""

    def value(self, number: int, block: int, trip: int, thread: int) -> int:
        """What a store writes: different for every store, so that no two agree by chance."""
        return ((number * 10 + block) * 10 + trip) * 100 + thread + 1

    def run(self) -> tuple[str, dict[str, list[int]]]:
        """The name of the first error, or "", and the memories as far as it came."""
        memory = {name: list(range(-size, 0)) for name, size in SIZES.items() if name != "S"}
        if self.aliased:
            memory["B"] = memory["A"]
        shared: list[dict[int, int]] = [{} for _ in range(self.blocks)]
        seen: dict[Any, list[tuple[int, int, int, bool]]] = defaultdict(list)
        met: list[tuple[str, int]] = []  # barriers: kind and time; all threads take part
        for trip in range(1 if self.trips is None else self.trips):
            for number, s in enumerate(self.statements):
                now = len(met)
                if s.kind in ("warp", "cta"):
                    met.append((s.kind, now))
                    continue
                accesses = [
                    (b, t, s.block * b + s.trip * trip + s.thread * t + s.constant)
                    for b in range(self.blocks)
                    for t in range(min(s.few, self.threads))
                ]
                if any(not 0 <= at < SIZES[s.buffer] for _, _, at in accesses):
                    return "OutOfBoundsError", memory
                if s.kind == "load" and s.buffer == "S" and any(at not in shared[b] for b, _, at in accesses):
                    return "UninitializedError", memory
                store = s.kind == "store"
                for b, t, at in accesses:
                    place = ("S", b, at) if s.buffer == "S" else ("A" if self.aliased else s.buffer, at)
                    if any(_race((b, t, now, store), other, met) for other in seen[place]):
                        return "RaceError", memory
                    seen[place].append((b, t, now, store))
                    if store:
                        (shared[b] if s.buffer == "S" else memory[s.buffer])[at] = self.value(number, b, trip, t)
        return "", memory


def _race(one: Any, other: Any, met: list[tuple[str, int]]) -> bool:
    (block, thread, now, store), (other_block, other_thread, then, other_store) = one, other
    if (block, thread) == (other_block, other_thread) or not (store or other_store):
        return False
    if block != other_block:
        return True
    same_warp = thread // WARP == other_thread // WARP
    return not any(kind == "cta" or same_warp for kind, _ in met[then:now])


def _line(number: int, s: Statement, memories: dict[str, str]) -> str:
    if s.kind in ("warp", "cta"):
        return f'tile.sync "{s.kind}"'
    parts = {"bx": s.block, "s": s.trip, "tx": s.thread, "c1": s.constant}
    lines = [f"%k{number} = arith.constant {s.few} : index", f"%i{number}_ = arith.constant 0 : index"]
    before = f"%i{number}_"
    for name, factor in parts.items():
        after = f"%i{number}{name}"
        lines += [
            f"%f{number}{name} = arith.constant {factor} : index",
            f"%p{number}{name} = arith.muli %{name}, %f{number}{name} : index",
            f"{after} = arith.addi {before}, %p{number}{name} : index",
        ]
        before = after
    if s.kind == "load":
        lines.append(_guarded(number, s, f"%v{number} = memref.load %{s.buffer}[{before}] : {memories[s.buffer]}"))
        return "\n".join(lines)
    value = f"%w{number}"
    for name, factor in (("bx", 10 * 100), ("s", 100), ("tx", 1)):
        lines += [
            f"%g{number}{name} = arith.constant {factor} : index",
            f"%h{number}{name} = arith.muli %{name}, %g{number}{name} : index",
        ]
    lines += [
        f"%n{number} = arith.constant {number * 10000 + 1} : index",
        f"%o{number} = arith.addi %h{number}bx, %h{number}s : index",
        f"%q{number} = arith.addi %o{number}, %h{number}tx : index",
        f"%r{number} = arith.addi %q{number}, %n{number} : index",
        f"{value} = arith.index_cast %r{number} : index to i64",
        _guarded(number, s, f"memref.store {value}, %{s.buffer}[{before}] : {memories[s.buffer]}"),
    ]
    return "\n".join(lines)


def _guarded(number: int, s: Statement, access: str) -> str:
    if s.few >= 1000:
        return access
    return f"%few{number} = arith.cmpi ult, %tx, %k{number} : index\nscf.if %few{number} {{\n{access}\n}}"


def _statements(threads: int) -> st.SearchStrategy[Statement]:
    steps = st.sampled_from((0, 0, 1) if threads > 4 else (0, 1, 1, 2, 3, -1))
    access = st.builds(
        Statement,
        st.sampled_from(("load", "store")),
        st.sampled_from(("A", "B", "S", "S")),
        st.sampled_from((0, 1, 3, 4, 8)),
        st.sampled_from((0, 1, 3, 8)),
        steps,
        st.integers(0, 6),
        st.sampled_from((1000, 1000, 1, 2, 5)),
    )
    return access | st.builds(Statement, st.sampled_from(("warp", "cta")))


@st.composite
def small_kernels(draw: Any) -> Small:
    """Kernels of at most 3 blocks; half of them have two warps, of which few lanes touch memory."""
    threads = draw(st.sampled_from((1, 3, 4, 34)))
    statements = draw(st.lists(_statements(threads), min_size=1, max_size=7))
    trips = draw(st.none() | st.integers(0, 3))
    return Small(draw(st.integers(1, 3)), threads, trips, draw(st.booleans()), tuple(statements))
