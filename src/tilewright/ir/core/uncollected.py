"""While ops are made by the thousand, Python's collector of cycles rests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Within it no cycles are collected, unless something else asks for it.

    What is made while a kernel is traced and lowered lives on; looking through all of it again and again takes a tenth
    of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
