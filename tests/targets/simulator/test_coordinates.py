"""A fault names the coordinate of the user's buffer at every stage, where one coordinate alone has the element."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tilewright.errors import SimulationError
from tilewright.ir.core.location import source, view_of
from tilewright.ir.text import print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator
from tilewright.tirx.layout import S, TileLayout

STAGES = ("tile", "dispatched", "lowered", "final")
LAYOUTS = {
    "in rows": (TileLayout(S[(8, 32) : (32, 1)]), 32, 1),
    "padded": (TileLayout(S[(8, 32) : (40, 1)]), 40, 1),
    "in columns": (TileLayout(S[(8, 32) : (1, 8)]), 1, 8),
}


def racing(layout: TileLayout, far: int) -> PrimFunc:
    """Lanes read what the lane `far` rows below writes, with no barrier between."""

    @T.inline
    def written(s, t):
        s[t // 32, t % 32] = 1.0

    @T.prim_func
    def g(A: T.Buffer((8, 32), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([256])
        s = T.alloc_shared((8, 32), "float32", layout=layout)
        written(s, t)
        A[t // 32, t % 32] = s[(t // 32 + far) % 8, t % 32]

    return g


def fault(kernel: PrimFunc, stage: str) -> str:
    module = run(kernel.module, stage, lanes=32).module
    with pytest.raises(SimulationError) as raised:
        Simulator(module).run([np.zeros(256, np.float32)])
    return str(raised.value)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("far", [1, 3])
def test_a_race_is_told_alike_at_every_stage(name: str, far: int) -> None:
    """The coordinate lies under the layout where the element does; places and calls are told as ever."""
    layout, down, across = LAYOUTS[name]
    (text,) = {fault(racing(layout, far), stage) for stage in STAGES}
    found = re.search(
        r"element (\d+) of s \(byte (\d+)\) at \[(\d+), (\d+)\], which .* thread \((\d+),0,0\) writes", text
    )
    assert found is not None, text
    element, byte, row, column, writer = map(int, found.groups())
    assert (element, byte) == (row * down + column * across, 4 * element)
    assert divmod(writer, 32) == (row, column)
    assert "called at" in text


def unwritten(layout: TileLayout, every: int) -> PrimFunc:
    """Of so many lanes one does not write what it reads."""

    @T.prim_func
    def g(A: T.Buffer((256,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((2, 4, 8), "float32", layout=layout)
        if t % every != 37 % every:
            s[t // 32, t // 8 % 4, t % 8] = 1.0
        T.cuda.cta_sync()
        A[t] = s[t // 32, t // 8 % 4, t % 8]

    return g


def test_what_was_never_written_is_told_by_its_coordinate() -> None:
    (text,) = {fault(unwritten(TileLayout(S[(2, 4, 8) : (32, 8, 1)]), 64), stage) for stage in STAGES}
    assert "element 37 of s (byte 148) at [1, 0, 5], which nothing has written" in text


def test_an_element_of_several_coordinates_has_none() -> None:
    (text,) = {fault(unwritten(TileLayout(S[(2, 4, 8) : (0, 0, 1)]), 8), stage) for stage in STAGES}
    assert re.search(r"element \d of s \(byte \d+\)", text)
    assert " at [" not in text


def test_the_text_of_a_lowered_kernel_tells_nothing_of_it() -> None:
    """What an op's location knows of the view is no part of what is printed; its line is found behind it."""
    module = run(racing(LAYOUTS["padded"][0], 1).module, "final", lanes=32).module
    known = [op for op in module.walk() if view_of(op.location) is not None]
    assert len(known) == 3
    assert all(source(op.location) is not None for op in known)
    assert "buffer" not in print_module(module)
