"""What goes wrong in a simulation names the line of the kernel, at every stage."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.passes.pipeline import STAGES
from tilewright.runtime.compile import compile
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

TURNED = TileLayout(S[(4, 4, 32) : (128, 1, 4)])


@T.prim_func
def beyond(A: T.Buffer((4, 4, 32), "float32"), B: T.Buffer((4, 4, 32), "float32", layout=TURNED)):
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(0, 4):
        Tx.warp.permute_layout(B[s], A[s + 1])  # OutOfBoundsError


@T.prim_func
def unwritten(A: T.Buffer((4, 4, 32), "float32"), B: T.Buffer((4, 4, 32), "float32", layout=TURNED)):
    T.device_entry()
    T.cta_id([1])
    tx = T.thread_id([32])
    stage = T.alloc_shared((1, 4, 32), "float32")
    stage[0, 0, tx] = A[0, 0, tx]
    T.cuda.warp_sync()
    Tx.warp.permute_layout(B[0], stage)  # UninitializedError


@T.prim_func
def raced(A: T.Buffer((4, 4, 32), "float32"), B: T.Buffer((4, 4, 32), "float32", layout=TURNED)):
    T.device_entry()
    T.cta_id([1])
    w = T.warp_id([2])
    Tx.warp.permute_layout(B[0], A[w])  # RaceError


@T.prim_func
def parted(A: T.Buffer((4, 4, 32), "float32"), B: T.Buffer((4, 4, 32), "float32", layout=TURNED)):
    T.device_entry()
    T.cta_id([1])
    tx = T.thread_id([64])
    if tx < 40:
        T.cuda.warp_sync()  # BarrierError
    B[0, 0, tx % 32] = A[0, 0, tx % 32]


ERRORS = {beyond: OutOfBoundsError, unwritten: UninitializedError, raced: RaceError, parted: BarrierError}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kernel", ERRORS, ids=lambda kernel: kernel.name)
def test_an_error_names_its_line(kernel: T.PrimFunc, stage: str) -> None:
    error = ERRORS[kernel]
    lines = Path(__file__).read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if text.endswith(f"# {error.__name__}")]
    arrays = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    with pytest.raises(SimulationError, match=rf"at {re.escape(__file__)}:{line}:\d+") as found:
        compile(kernel).simulate(*arrays, stage=stage)
    assert type(found.value) is error
