"""Every public name of T, Tx and fx has a signature, words that say what it does, and what does it."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import OutOfBoundsError
from tilewright.ir.tile.ops import PRIMITIVES as OPS
from tilewright.lang.calls import _OPERANDS
from tilewright.lang.functions import FUNCTIONS
from tilewright.lang.instructions import INSTRUCTIONS
from tilewright.lang.loops import LOOPS
from tilewright.lang.names import FAMILIES, PRIMITIVES
from tilewright.script import tirx as T

OF_FX = [name for name in dir(fx) if not name.startswith("_") and not isinstance(getattr(fx, name), ModuleType)]


def test_every_function_and_instruction_of_t_is_a_row() -> None:
    assert all(callable(row.build) and row.summary and "(" in row.signature for row in FUNCTIONS)
    assert all(row.signature.startswith("T.ptx.") and row.summary for row in INSTRUCTIONS)  # that of what it builds
    assert all(loop.__doc__ and inspect.signature(loop) for loop in LOOPS.values())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_instructions_has_one(family: str) -> None:
    assert any(family in row.needed for row in INSTRUCTIONS) or family in ("mma", "wgmma")


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_of_tx_has_operands_and_an_op(name: str) -> None:
    assert inspect.signature(_OPERANDS[name]).parameters
    assert OPS[name].__doc__


def test_every_name_of_fx_has_words_and_a_signature() -> None:
    named = {name: getattr(fx, name) for name in OF_FX}
    assert [name for name, value in named.items() if not (inspect.getdoc(value) or "").strip()] == []
    assert [name for name, value in named.items() if callable(value) and not _is_signed(value)] == []


def _is_signed(value: Any) -> bool:
    try:
        return inspect.signature(value) is not None
    except ValueError:
        return isinstance(value, type) and issubclass(value, type)  # makes types, and is not called


def element(A: Any, i: Any) -> Any:
    return A[i + 8]  # the fault


def shifted(A: Any, i: Any) -> Any:
    return element(A, i)  # the inner call


@T.prim_func
def in_t(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = shifted(A, t)  # the outer call


@flyc.kernel
def of_fx(A: fx.Tensor, B: fx.Tensor) -> None:
    t = fx.thread_idx.x
    B[t] = shifted(A, t)  # the outer call of fx


@flyc.jit
def in_fx(A: fx.Tensor, B: fx.Tensor) -> None:
    of_fx(A, B).launch(grid=(1, 1, 1), block=(64, 1, 1))


@pytest.mark.parametrize(("run", "outer"), [(in_fx, "the outer call of fx"), (tw.compile(in_t), "the outer call")])
def test_a_fault_in_a_helper_names_its_line_and_those_of_its_callers(run: Any, outer: str) -> None:
    lines = Path(__file__).read_text(encoding="utf-8").split("\n")
    with pytest.raises(OutOfBoundsError) as caught:
        run(np.zeros(64, np.float32), np.zeros(64, np.float32))
    for word, mark in (("at", "the fault"), ("called at", "the inner call"), ("called at", outer)):
        (number,) = [n for n, line in enumerate(lines, 1) if line.endswith(f"# {mark}")]
        assert f"  {word} {__file__}:{number}:" in str(caught.value)
