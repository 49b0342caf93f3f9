"""Which loops wait for others: those that loads of memory alone can end, whatever carries the rest."""

from __future__ import annotations

import pytest
from xdsl.dialects import scf

from tilewright.ir.tile.polling import plain_polls
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


@T.prim_func
def in_a_register(A: T.Buffer((2,), "int32")):
    T.cta_id([1])
    T.thread_id([32])
    A[1] = 1
    seen: T.int32 = 0
    while seen == 0:
        seen = A[0]
        if seen < 0:
            break


@T.prim_func
def carried(A: T.Buffer((2,), "int32")):
    T.cta_id([1])
    T.thread_id([32])
    A[1] = 1
    seen = A[0]
    while seen == 0:
        if A[0] > 3:
            continue
        seen = A[0]


@T.prim_func
def carried_and_counted(A: T.Buffer((2,), "int32")):
    T.cta_id([1])
    T.thread_id([32])
    A[1] = 1
    seen, turns = A[0], 0
    while seen == 0 and turns < 9:
        seen = A[0]
        turns = turns + 1


@T.prim_func
def flagged_and_counted(A: T.Buffer((2,), "int32")):
    T.cta_id([1])
    T.thread_id([32])
    A[1] = 1
    for turn in range(9):
        if A[0] == turn:
            break


@T.prim_func
def written_by_itself(A: T.Buffer((2,), "int32")):
    T.cta_id([1])
    T.thread_id([32])
    while A[0] == 0:
        A[1] = 1


WAITING = {in_a_register: True, carried: True}
COUNTING = {carried_and_counted: False, flagged_and_counted: False, written_by_itself: False}


@pytest.mark.parametrize(
    ("kernel", "waits"), [*WAITING.items(), *COUNTING.items()], ids=lambda x: getattr(x, "name", "")
)
def test_a_loop_waits_where_loads_alone_end_it(kernel: PrimFunc, waits: bool) -> None:
    (loop,) = (op for op in kernel.module.walk() if isinstance(op, scf.WhileOp))
    assert bool(plain_polls(loop)) == waits
