"""A bar for whoever waits at a terminal: it appears after a second, and is gone when the run is over."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic
from typing import TextIO

PATIENCE, PERIOD = 1.0, 0.2  # seconds
WIDTH = 30


@dataclass
class Progress:
    """How many of the blocks of a launch are done, and how many are running together, in so many steps."""

    kernel: str
    blocks: int
    done: int = 0
    together: int = 0
    steps: Callable[[], int] = int

    def line(self, seconds: float) -> str:
        """The bar; where all blocks run together, and end at once, the steps that they have begun.

        >>> Progress("gemm", 8, 2).line(3.21)
        'gemm [#######.......................] 2 of 8 blocks, 3.2 s'
        >>> Progress("gemm", 8, 0, 8, lambda: 51200).line(3.21)
        'gemm: 8 blocks together, 51200 steps begun, 3.2 s'
        """
        if self.together == self.blocks:
            return f"{self.kernel}: {self.blocks} blocks together, {self.steps()} steps begun, {seconds:.1f} s"
        full = WIDTH * self.done // max(1, self.blocks)
        return f"{self.kernel} [{'#' * full:.<{WIDTH}}] {self.done} of {self.blocks} blocks, {seconds:.1f} s"


@contextmanager
def shown(kernel: str, blocks: int) -> Iterator[Progress]:
    """The progress of a run, drawn where standard error is a terminal."""
    progress, stream = Progress(kernel, blocks), sys.stderr
    if stream is None or not stream.isatty():
        yield progress
        return
    over = Event()
    drawer = Thread(target=_draw, args=(progress, stream, over), daemon=True)
    drawer.start()
    try:
        yield progress
    finally:
        over.set()
        drawer.join()


def _draw(progress: Progress, stream: TextIO, over: Event) -> None:
    start, drawn = monotonic(), 0
    while not over.wait(PERIOD if drawn else PATIENCE):
        line = progress.line(monotonic() - start)
        stream.write(f"\r{line:<{drawn}}")
        stream.flush()
        drawn = len(line)
    if drawn:
        stream.write(f"\r{' ' * drawn}\r")
        stream.flush()
