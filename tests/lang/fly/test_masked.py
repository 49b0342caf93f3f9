"""What a copy with a predicate leaves out of registers may be worked with; storing it is told, at the user's line."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import UninitializedError
from tilewright.passes.fly.pipeline import STAGES

N, THREADS, EACH = 10, 4, 4


@flyc.kernel
def masked_kernel(A: fx.Tensor, B: fx.Tensor, how: fx.Constexpr, n: fx.Int32):
    tid = fx.thread_idx.x
    a, b = (fx.logical_divide(fx.zipped_divide(x, (EACH,))[None, tid], fx.make_layout(1, 1)) for x in (A, B))
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    held, inside = fx.make_fragment_like(a), fx.make_rmem_tensor(EACH, fx.Boolean)
    for i in fx.range_constexpr(EACH):
        inside[i] = tid * EACH + i < n
    if how == "filled":
        held.fill(7.0)
    fx.copy(atom, a, held, pred=inside)
    if how == "again":
        fx.copy(atom, a, held)
    if how in ("worked with", "stored after work"):
        held.store(held.load() * 2.0)
    if how == "chosen":
        chosen = fx.Vector.from_elements([tid * EACH + i < n for i in range(EACH)])
        b.store(chosen.select(held.load(), fx.Vector.filled(EACH, 7.0, fx.Float32)))
    elif how == "stored as a vector":
        b.store(held.load() + 1.0)  # told
    elif how in ("left out again", "worked with"):
        fx.copy(atom, held, b, pred=inside)
    else:
        fx.copy(atom, held, b)  # told


@flyc.jit
def masked(A: fx.Tensor, B: fx.Tensor, how: fx.Constexpr, n: fx.Int32):
    masked_kernel(A, B, how, n).launch(grid=1, block=THREADS)


A = np.arange(THREADS * EACH, dtype=np.float32)
RIGHT = {"left out again": (A, -1), "worked with": (2 * A, -1), "chosen": (A, 7), "filled": (A, 7), "again": (A, None)}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("how", RIGHT)
def test_what_is_not_stored_does_no_harm(how: str, stage: str) -> None:
    b = np.full_like(A, -1)
    masked.simulate(stage, A.copy(), b, how, N)
    inside, outside = RIGHT[how]
    assert (b == (inside if outside is None else np.where(np.arange(A.size) < N, inside, outside))).all()


@pytest.mark.parametrize("stage", ["fly", "lowered"])
@pytest.mark.parametrize("how", ["stored", "stored after work", "stored as a vector"])
def test_what_is_stored_is_told(how: str, stage: str) -> None:
    with pytest.raises(UninitializedError, match=r"thread \(3,0,0\) stores what a copy with a predicate") as found:
        masked.simulate(stage, A.copy(), np.full_like(A, -1), how, N)
    assert "# told" in str(found.value)
    masked.simulate(stage, A.copy(), np.full_like(A, -1), how, A.size)
