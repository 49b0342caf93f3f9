"""Time of TIRx layout operations beside the figures of Apache TVM (its C++, measured once elsewhere).

python benchmarks/tirx_layouts.py
"""

from __future__ import annotations

from collections.abc import Callable
from timeit import Timer

from tilewright.tirx.layout import ComposeLayout, R, S, SwizzleLayout, TileLayout, laneid, warpid

FRAGMENT = S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)]
TILE = TileLayout(S[(2, 8, 64, 8, 8) : (4096, 512, 8, 64, 1)])

CASES: list[tuple[str, float | None, Callable[[], object]]] = [
    ("apply, register tile", 6.7, lambda: _FRAGMENT.apply(2, 5, shape=(8, 16))),
    ("apply, register tile with replica", None, lambda: _REPLICATED.apply(2, 5, shape=(8, 16))),
    ("apply, swizzled tile", None, lambda: _SWIZZLED.apply(3, 5, shape=(8, 64))),
    ("build + canonicalize", 15.0, lambda: TileLayout(S[(4, 1, 8) : (8, 5, 1)]).canonicalize()),
    ("canonicalize, register tile", None, lambda: _REPLICATED.canonicalize()),
    ("canonicalize for cuda", None, lambda: _FRAGMENT.canonicalize("cuda")),
    ("slice, one stage of a pipelined tile", 33.0, lambda: TILE.slice((2, 8, 64, 64), _STAGE)),
    ("slice across a carry", None, lambda: _COLUMN.slice((512,), ((96, 160),))),
    ("group", None, lambda: TILE.group((2, 512, 64))),
    ("tile_to", None, lambda: TileLayout(S[8, 64]).tile_to((64, 128), (8, 64))),
    ("table of 4096 x 4096 elements", None, lambda: _LARGE.table()),
    ("apply to 1,000,000 coordinates", None, lambda: _FRAGMENT.apply(_MANY)),
]

_FRAGMENT = TileLayout(FRAGMENT)
_REPLICATED = TileLayout(FRAGMENT + R[2 : 4 @ warpid] + 5 @ warpid)
_SWIZZLED = ComposeLayout(SwizzleLayout(3, 3, 3), TileLayout(S[8, 64]))
_COLUMN = TileLayout(S[(8, 64) : (1, 8)])
_LARGE = TileLayout(S[(64, 64, 64, 64) : (262144, 64, 4096, 1)])
_STAGE = ((1, 2), (0, 8), (16, 32), (0, 64))


def _many() -> object:
    import numpy

    return numpy.arange(1_000_000) % 128


_MANY = _many()


def microseconds(case: Callable[[], object]) -> float:
    """The best time of one call."""
    timer = Timer(case)
    number = max(1, timer.autorange()[0] // 20)
    return min(timer.repeat(40, number)) / number * 1e6


def main() -> None:
    print(f"{'operation':40} {'us':>10} {'TVM us':>8}")
    for name, peer, case in CASES:
        print(f"{name:40} {microseconds(case):10.1f} {peer or '':>8}")


if __name__ == "__main__":
    main()
