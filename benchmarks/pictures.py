"""Time of pictures: from a layout to SVG text. CPU milliseconds, median of 7; the budget of 64x64 is 50 ms.

python benchmarks/pictures.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from tilewright.figures import Figure, draw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import S, TileLayout

TILE = Layout((8, 64), (64, 1))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, TILE)

CASES: dict[str, Callable[[], Figure]] = {
    "8x64 swizzled": lambda: draw(SWIZZLED),
    "8x64 swizzled, banks": lambda: draw(SWIZZLED, kind="banks", element_bits=16),
    "64x64": lambda: draw(Layout((64, 64), (64, 1))),
    "64x64 TIRx": lambda: draw(TileLayout(S[(64, 64) : (64, 1)])),
    "64x64 thread-value": lambda: draw(Layout((256, 16), (1, 256)), kind="tv", tile=(64, 64)),
    "256x256": lambda: draw(Layout((256, 256), (256, 1))),
}


def milliseconds(case: Callable[[], Figure]) -> float:
    def once() -> float:
        start = time.process_time()
        case().svg()
        return time.process_time() - start

    return statistics.median(once() for _ in range(7)) * 1e3


if __name__ == "__main__":
    for name, case in CASES.items():
        print(f"{name:24} {milliseconds(case):8.1f} ms {len(case().svg()) / 1e3:8.0f} kB")
