"""What each thread of a block computes, written to an array: a kernel for trying out functions of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from tilewright.errors import UsageError
from tilewright.lang.core.constructs import call
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric, numeric_type
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.annotations import Constexpr
from tilewright.lang.fly.decorators import jit, kernel
from tilewright.lang.fly.functions.gpu import thread_idx
from tilewright.lang.fly.values.memory import Tensor

MOST_RESULTS = 64


@kernel
def _each_thread(found: Tensor, function: Constexpr[object], counts: Constexpr[object]) -> None:
    thread = as_numeric(thread_idx.x)
    given = _called(cast("Callable[[Numeric], object]", function), thread)
    items: list[object] = list(given) if isinstance(given, list | tuple | Vector) else [given]
    _note(cast("list[int | None]", counts), len(items) if isinstance(given, list | tuple | Vector) else None)
    for number, item in enumerate(items):
        found[thread, number] = as_numeric(item).to(numeric_type(found.element_type))


@jit
def results(found: Tensor, function: Constexpr[object], counts: Constexpr[object], threads: Constexpr[int]) -> None:
    """Writes what each thread computes of its number into its row; to `counts` how many numbers, None: no sequence."""
    _each_thread(found, function, counts).launch(grid=1, block=threads)


def _called(function: Callable[[Numeric], object], thread: Numeric) -> object:
    made = call(function)
    assert callable(made)
    return made(thread)


def _note(counts: list[int | None], count: int | None) -> None:
    if count is not None and not 1 <= count <= MOST_RESULTS:
        raise UsageError(f"a thread has 1 to {MOST_RESULTS} results, got {count}")
    counts.append(count)
