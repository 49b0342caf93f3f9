"""Time of the layout algebra, one operation at a time; beside tensor-layouts, and peers the user may have.

    python benchmarks/algebra.py > benchmarks/results/algebra.md

CPU microseconds of the process, one warm-up, median of 7, garbage collection off. Each answer is checked first, and a
wrong one is printed as WRONG. Tilewright remembers what static layouts gave: `tilewright` is the operation asked again,
`first time` the same with nothing remembered. NVIDIA's pycute (the folder `python/pycute` of CUTLASS on PYTHONPATH) and
tilelang run beside them where they can be imported. Ratios hold within one run only.
"""

from __future__ import annotations

import gc
import importlib
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

Run = Callable[[], Any]
NESTED = (((4, 8), (2, 4)), ((1, 4), (32, 64)))
PERMUTED = (((4, 2), (4, 8)), ((8, 4), (64, 1)))


@dataclass(frozen=True)
class Case:
    """An operation, its operands as (shape, stride) pairs, the values that its result takes, our budget in us."""

    name: str
    operation: str
    operands: tuple[Any, ...]
    expected: list[int]
    budget: float


def strided(*modes: tuple[int, int]) -> list[int]:
    """The values of flat modes (extent, stride), colexicographically."""
    values = [0]
    for extent, stride in modes:
        values = [v + j * stride for j in range(extent) for v in values]
    return values


def swizzled(x: int) -> int:
    return x ^ (x >> 3 & 56)


ROWS = strided((128, 64), (64, 1))

CASES = (
    Case("construct", "construct", NESTED, strided((4, 1), (8, 4), (2, 32), (4, 64)), 2),
    Case("compose_small", "compose", (((10, 2), (16, 4)), ((5, 4), (1, 5))), strided((5, 16), (2, 80), (2, 4)), 5),
    Case("compose_nested", "compose", (NESTED, PERMUTED), strided((4, 8), (2, 4), (4, 64), (8, 1)), 10),
    Case("complement", "complement", (((2, 4), (1, 16)), 256), strided((8, 2), (4, 64)), 4),
    Case("coalesce", "coalesce", (((2, (1, 6)), (1, (6, 2))),), strided((12, 1)), 2.5),
    Case("logical_divide", "divide", (((4, 2, 3), (2, 1, 8)), (4, 2)), strided((2, 4), (2, 1), (2, 2), (3, 8)), 15),
    Case("logical_product", "product", (((2, 2), (4, 1)), (6, 1)), strided((2, 4), (2, 1), (2, 2), (3, 8)), 10),
    Case("right_inverse", "right_inverse", (((8, 16), (16, 1)),), strided((16, 8), (8, 1)), 4),
    Case("crd2idx", "at", (((128, 64), (64, 1)), (77, 13)), [4941], 1),
    Case("crd2idx_swz", "swizzled_at", (((128, 64), (64, 1)), (77, 13)), [swizzled(4941)], 1.3),
    Case("eval_swz_128x64", "swizzled_all", (((128, 64), (64, 1)),), [swizzled(x) for x in ROWS], 20),
)


def tilewright() -> dict[str, Callable[..., Run]]:
    import tilewright as tw

    def layout(pair: Any) -> Any:
        return tw.Layout(*pair)

    def under_swizzle(pair: Any) -> Any:
        return tw.ComposedLayout(tw.Swizzle(3, 3, 3), 0, layout(pair))

    return _common(tw.Layout, tw) | {
        "compose": lambda a, b: _bind(tw.composition, layout(a), layout(b)),
        "divide": lambda a, b: _bind(tw.logical_divide, layout(a), layout(b)),
        "product": lambda a, b: _bind(tw.logical_product, layout(a), layout(b)),
        "swizzled_at": lambda a, c: _bind(under_swizzle(a), *c),
        "swizzled_all": lambda a: _bind(under_swizzle(a).table),
    }


def first_time() -> dict[str, Callable[..., Run]]:
    """The operations without the memory of earlier results; what is never remembered is left out."""
    import tilewright as tw

    def fresh(name: str) -> Callable[..., Any]:
        return getattr(tw, name).__wrapped__

    return {
        "compose": lambda a, b: _bind(fresh("composition"), tw.Layout(*a), tw.Layout(*b)),
        "divide": lambda a, b: _bind(fresh("logical_divide"), tw.Layout(*a), tw.Layout(*b)),
        "product": lambda a, b: _bind(fresh("logical_product"), tw.Layout(*a), tw.Layout(*b)),
        "complement": lambda a, n: _bind(fresh("complement"), tw.Layout(*a), n),
        "coalesce": lambda a: _bind(fresh("coalesce"), tw.Layout(*a)),
        "right_inverse": lambda a: _bind(fresh("right_inverse"), tw.Layout(*a)),
    }


def tensor_layouts() -> dict[str, Callable[..., Run]]:
    import tensor_layouts as tl

    def under_swizzle(pair: Any) -> Any:
        return tl.compose(tl.Swizzle(3, 3, 3), tl.Layout(*pair))

    return _common(tl.Layout, tl) | {
        "compose": lambda a, b: _bind(tl.compose, tl.Layout(*a), tl.Layout(*b)),
        "divide": lambda a, b: _bind(tl.logical_divide, tl.Layout(*a), tl.Layout(*b)),
        "product": lambda a, b: _bind(tl.logical_product, tl.Layout(*a), tl.Layout(*b)),
        "swizzled_at": lambda a, c: _bind(under_swizzle(a), *c),
        "swizzled_all": lambda a: _each(under_swizzle(a), 8192),
    }


def pycute() -> dict[str, Callable[..., Run]]:
    pc = importlib.import_module("pycute")
    return _common(pc.Layout, pc) | {
        "compose": lambda a, b: _bind(pc.composition, pc.Layout(*a), pc.Layout(*b)),
        "divide": lambda a, b: _bind(pc.logical_divide, pc.Layout(*a), pc.Layout(*b)),
        "product": lambda a, b: _bind(pc.logical_product, pc.Layout(*a), pc.Layout(*b)),
    }


def tilelang() -> dict[str, Callable[..., Run]]:
    tc = importlib.import_module("tilelang.layout.cute")
    return _common(tc.make_layout, tc) | {
        "compose": lambda a, b: _bind(tc.composition, tc.make_layout(*a), tc.make_layout(*b)),
        "divide": lambda a, b: _bind(tc.logical_divide, tc.make_layout(*a), tc.make_layout(*b)),
        "product": lambda a, b: _bind(tc.logical_product, tc.make_layout(*a), tc.make_layout(*b)),
        "at": lambda a, c: _bind(tc.make_layout(*a), c),
    }


def _common(layout: Callable[..., Any], module: ModuleType) -> dict[str, Callable[..., Run]]:
    return {
        "construct": lambda shape, stride: _bind(layout, shape, stride),
        "complement": lambda a, n: _bind(module.complement, layout(*a), n),
        "coalesce": lambda a: _bind(module.coalesce, layout(*a)),
        "right_inverse": lambda a: _bind(module.right_inverse, layout(*a)),
        "at": lambda a, c: _bind(layout(*a), *c),
    }


def _bind(function: Callable[..., Any], *args: Any) -> Run:
    return lambda: function(*args)


def _each(function: Callable[[int], Any], count: int) -> Run:
    return lambda: [function(i) for i in range(count)]


LIBRARIES = {
    "tilewright": tilewright,
    "first time": first_time,
    "tensor-layouts": tensor_layouts,
    "pycute": pycute,
    "tilelang": tilelang,
}


def available() -> dict[str, dict[str, Callable[..., Run]]]:
    """The libraries that can be imported, with their operations."""
    found = {}
    for name, adapter in LIBRARIES.items():
        try:
            found[name] = adapter()
        except (ImportError, AttributeError):
            continue
    return found


def values(result: Any, count: int) -> list[int]:
    """What a result takes: itself, a list or array of values, or a layout at 0, 1, .."""
    if callable(result) and not hasattr(result, "ndim"):
        return [int(result(i)) for i in range(count)]
    if hasattr(result, "ravel"):
        return [int(x) for x in result.ravel(order="F")]
    return [int(x) for x in result] if isinstance(result, Iterable) else [int(result)]


def microseconds(run: Run) -> float:
    """The median CPU time of seven rounds of at least 20 ms."""
    start = time.process_time()
    run()
    repeat = max(1, int(0.02 / max(1e-6, time.process_time() - start)))
    rounds = []
    for _ in range(7):
        start = time.process_time()
        for _ in range(repeat):
            run()
        rounds.append((time.process_time() - start) / repeat)
    return 1e6 * statistics.median(rounds)


def cell(operations: dict[str, Callable[..., Run]], case: Case) -> str:
    """The time of one library in one case; WRONG where its answer is; - where it has no such operation."""
    if case.operation not in operations:
        return "-"
    run = operations[case.operation](*case.operands)
    try:
        right = values(run(), len(case.expected)) == case.expected
    except Exception as error:
        return type(error).__name__
    return f"{microseconds(run):.2f}" if right else "WRONG"


def large_tile() -> tuple[float, float]:
    """Milliseconds for all values of a 4096x4096 row-major tile, and for the same sums by numpy alone."""
    from numpy import arange, int64

    import tilewright as tw

    tile, line = tw.Layout((4096, 4096), (4096, 1)), arange(4096, dtype=int64)
    assert int(tile.table()[4095, 4094]) == 4095 * 4096 + 4094
    return microseconds(tile.table) / 1e3, microseconds(lambda: (line * 4096)[:, None] + line) / 1e3


def swizzled_arrays() -> tuple[float, float]:
    """Microseconds for a swizzled 128x64 tile at an array of all 8192 coordinates, and for the same by numpy alone."""
    from numpy import arange, int64

    import tilewright as tw

    tile, points = tw.ComposedLayout(tw.Swizzle(3, 3, 3), 0, tw.Layout((128, 64), (64, 1))), arange(8192, dtype=int64)

    def floor() -> Any:
        x = (points & 127) * 64 + (points >> 7)
        return x ^ (x >> 3 & 56)

    assert (tile(points) == floor()).all()
    return microseconds(lambda: tile(points)), microseconds(floor)


def main() -> None:
    gc.disable()
    libraries = available()
    print("# Time of the layout algebra\n")
    print(f"CPU microseconds, median of 7, Python {platform.python_version()}; budgets hold for what is asked again.\n")
    print(f"| operation | budget | {' | '.join(libraries)} |\n|---|---:|{'---:|' * len(libraries)}")
    for case in CASES:
        cells = [cell(operations, case) for operations in libraries.values()]
        print(f"| {case.name} | {case.budget:g} | {' | '.join(cells)} |", flush=True)
    ours, floor = large_tile()
    print(f"\nAll values of (4096,4096):(4096,1): {ours:.1f} ms; numpy alone {floor:.1f} ms ({ours / floor:.2f}).")
    ours, floor = swizzled_arrays()
    print(f"The swizzled tile at an array of 8,192 coordinates: {ours:.1f} us; numpy alone {floor:.1f} us.")


if __name__ == "__main__":
    main()
