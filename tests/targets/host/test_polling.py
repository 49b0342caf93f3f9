"""Threads that ask in a loop let others have their turn in the text on the CPU; those that ask for ever are told."""

from __future__ import annotations

import resource
from pathlib import Path

import control_programs as programs
import numpy as np
import pytest
from translation import literally

import tilewright as tw
from tilewright.errors import BarrierError
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.launch import kernel_of

# How a thread asks for the flag: each leaves it as it is.
ASKS = {
    "a compare and swap": "f = T.cuda.atomic_cas(F.ptr_to([0]), 99, 99)",
    "a sum with nothing": "f = T.cuda.atomic_add(F.ptr_to([0]), 0)",
    "a bit of nothing": "f = T.cuda.atomic_or(F.ptr_to([0]), 0)",
    "a larger one": "f = T.cuda.atomic_max(F.ptr_to([0]), 0)",
    "a relaxed load": "T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))",
    "an acquiring load": "T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))",
    "PTX's sum": "T.ptx.atom.acquire.gpu.global_.add.u32(f, F.ptr_to([0]), 0)",
    "PTX's compare and swap": "T.ptx.atom.acquire.gpu.global_.cas.b32(f, F.ptr_to([0]), 99, 99)",
}
WAITS = """from tilewright.script import tirx as T
@T.prim_func
def k(F: T.Buffer((2,), "uint32"), B: T.Buffer((64,), "uint32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([32])
    f: T.uint32 = 0
    while f < 2:
        {ask}
        if f == T.uint32(b):
            if t == 0:
                T.cuda.atomic_add(F.ptr_to([0]), 1)
    B[32 * b + t] = f
"""


def test_every_way_to_ask_lets_others_go_on(tmp_path: Path) -> None:
    """Each block counts the flag on when it is its turn: nobody ends before all have had theirs."""
    modules = []
    for ask in ASKS.values():
        kernel = tw.compile(programs.written(WAITS.format(ask=ask), tmp_path))
        simulated = [np.zeros(2, np.uint32), np.zeros(64, np.uint32)]
        kernel.simulate(*simulated)
        assert simulated[0][0] == 2
        assert (simulated[1] == 2).all()
        modules.append(kernel.lowered().module)
    made = compile_together([literal(module) for module in modules], WARNINGS)
    for name, module, host in zip(ASKS, modules, made, strict=True):
        arrays = [np.zeros(2, np.uint32), np.zeros(64, np.uint32)]
        host.run(bind(kernel_of(module), arrays))
        assert arrays[0][0] == 2, name
        assert (arrays[1] == 2).all(), name


@T.prim_func
def rivals(F: T.Buffer((1,), "uint32")):
    T.device_entry()
    b = T.cta_id([2])
    T.thread_id([32])
    old: T.uint32 = 9
    while old != 7:
        old = T.cuda.atomic_exch(F.ptr_to([0]), T.uint32(b))


def test_who_changes_for_ever_what_he_asks_for_is_told() -> None:
    """Nobody waits, and memory changes all the time: it goes round in a circle."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(BarrierError, match=r"(?s)go round in a loop for what nobody.*while"):
        literally(rivals, np.ones(1, np.uint32))
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun < 5
