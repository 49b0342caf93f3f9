"""How much CPU time something takes, without what others' garbage costs in between."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is done inside takes less CPU time. Collections of garbage wait: they walk all that any test has left."""
    gc.disable()
    start = time.process_time()
    try:
        yield
        taken = time.process_time() - start
    finally:
        gc.enable()
    assert taken < seconds, f"{taken:.2f} s of CPU time, at most {seconds} s"
