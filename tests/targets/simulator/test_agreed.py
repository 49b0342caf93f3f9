"""Writes of one value to one element with no barrier between: the same verdict in any order."""

from __future__ import annotations

import json
import linecache
from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


@T.prim_func
def rewritten(B: T.Buffer((2,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t == 0:
        B[0] = 1
    if t == 32:
        B[0] = 2
    if t == 0:
        B[0] = 2


@T.prim_func
def followed(B: T.Buffer((2,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([96])
    if t < 64:
        if t % 32 == 0:
            B[0] = 5
        if t >= 32:
            T.ptx.bar.sync(1, 64)
    else:
        T.ptx.bar.sync(1, 64)
        if t == 64:
            B[0] = 6


@T.prim_func
def agreeing(B: T.Buffer((2,), "int32")):
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([96])
    if t % 32 == 0:
        B[0] = 5
    if t == 64:
        B[0] = 5


ORDERS: tuple[dict[str, Any], ...] = ({}, *({"schedule": "random", "seed": seed} for seed in range(12)))


@T.prim_func
def apart(B: T.Buffer((2,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([96])
    if t == 0:
        B[1] = 5
    if t == 32:
        B[1] = 5
    if t == 64:
        B[1] = 5


@pytest.mark.parametrize("kernel", [agreeing, apart], ids=lambda kernel: kernel.name)
def test_the_lines_that_are_listed_are_the_same_in_any_order(kernel: PrimFunc) -> None:
    found = [tw.compile(kernel).simulate(np.zeros(2, np.int32), **order).agreed for order in ORDERS]
    first = [[note.line for note in notes] for notes in found]
    assert first == [first[0]] * len(first)
    assert len(first[0]) == (3 if kernel is apart else 2)


@pytest.mark.parametrize("kernel", [rewritten, followed, agreeing], ids=lambda kernel: kernel.name)
def test_whether_writes_agree_does_not_depend_on_who_comes_first(kernel: PrimFunc) -> None:
    """What a lane wrote before the value that agrees counts, and each of those who have agreed."""
    compiled = tw.compile(kernel)
    for switches in ORDERS:
        with pytest.raises(RaceError, match="writes"):
            compiled.simulate(np.zeros(2, np.int32), check="strict", **switches)
        if kernel is agreeing:
            assert compiled.simulate(np.zeros(2, np.int32), **switches).agreed
        else:
            with pytest.raises(RaceError, match="writes"):
                compiled.simulate(np.zeros(2, np.int32), **switches)


@pytest.mark.parametrize("kernel", [agreeing, apart], ids=lambda kernel: kernel.name)
def test_who_prints_a_report_is_shown_each_line_that_is_listed(kernel: PrimFunc) -> None:
    report = tw.compile(kernel).profile(np.zeros(2, np.int32))
    for text in (str(report), report.table(), str(report.simulation)):
        assert text.count("benign (an error under") == len(report.simulation.agreed) > 0
        assert all(str(found) in text for found in report.simulation.agreed)
    told = json.loads(report.json())["agreed"]
    assert [(note["file"], note["line"], note["text"]) for note in told] == [
        (__file__, note.line, str(note).split("\n")[0]) for note in report.simulation.agreed
    ]
    assert all(linecache.getline(__file__, note["line"])[note["column"] - 1 :].startswith("B[") for note in told)


def test_each_access_stands_beside_its_line() -> None:
    """The lines of the table are those that the objects have, one below the other."""
    report = tw.compile(agreeing).profile(np.zeros(2, np.int32))
    head, *rows = (line.split() for line in str(report).split("\n")[1:4])
    assert [row[head.index("line")] for row in rows] == [str(access.line) for access in report.accesses]
