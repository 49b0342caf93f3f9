"""The fuzzer of texts counts the kernels whose text the CPU does not know, and goes on to the others."""

from __future__ import annotations

import numpy as np
from noted_texts import Notes

import tilewright as tw
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator


@T.prim_func
def unknown(F: T.Buffer((64,), "float32")) -> None:
    """An instruction that nothing on the CPU does."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    T.ptx.red.relaxed.gpu.global_.v2.f32.add(F.ptr_to([2 * t]), 0.5, 1.0)


@T.prim_func
def known(F: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    F[t] = F[t + 32] + 1.0


def test_an_unknown_text_is_counted_and_the_next_is_noted() -> None:
    notes = Notes()
    with notes.taken("a test"):
        for kernel in (unknown, known):
            Simulator(tw.compile(kernel).lowered().module).run([np.zeros(64, np.float32)])
    assert sum(notes.refused.values()) == 1
    assert "atom" in next(iter(notes.refused))
    assert len(notes.runs) == 1
