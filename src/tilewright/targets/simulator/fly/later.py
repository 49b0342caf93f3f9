"""Copies to shared memory that go on by themselves, and the waits for them.

What they read is read where they begin; what they write is written at the wait, which is one of the whole wave. Until
then whoever reads it, or writes there, is an error at that line. Source: FlyDSL, `fx.rocdl.cdna4` and `asyncmark`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Operation

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import CompileError
from tilewright.numerals import integer
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side, Transfer
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.bits import Bytes
from tilewright.targets.simulator.fly.values import Place
from tilewright.targets.simulator.memory.access import Array, Mask
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.setting_out import begin
from tilewright.targets.simulator.order.clocks import Flags
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

GROUPS = "cp"
_DIGITS = re.compile("[0-9]+")
_MOST = 63  # of the count of loads that are on their way


def goes_on(atom: CopyAtom) -> bool:
    """Does a copy by the atom go on by itself? For those of `BufferCopyLDS` the compiler waits."""
    return atom.asynchronous and atom.spaces[1] == "shared" and not atom.name.startswith("BufferCopyLDS")


def send(frame: Frame, access: Access, place: Place, starts: Array, data: Bytes, mask: Mask) -> None:
    """The bytes are on their way to there."""
    inner = Frame(frame.values, frame.domain)
    inner.mask = mask
    active, site = Active.of(inner), access.sites[place.root]
    memory, at, values = access.targets(frame, place, starts, data, mask)
    held = Memory(values.reshape(-1), values.size)
    source = Side(held, np.arange(values.size).reshape(values.shape), site)
    group = active.lanes.machine.engine.committed(GROUPS)[active.rows, active.threads]
    count = np.full(len(active.rows), access.bits // 8)
    target = Side(memory, at, site)
    begin(active, Transfer(GROUPS, active.rows, active.threads, active.actor, source, target, group, count), True)


def _mark(_compiler: Compiler, _op: Operation) -> Step:
    """The copies so far are a group."""

    def step(frame: Frame) -> None:
        active, engine = Active.of(frame), frame.domain.machine.engine  # type: ignore[attr-defined]  # real lanes
        engine.committed(GROUPS)[_waves(active)] += 1

    return step


def _wait_groups(_compiler: Compiler, op: Operation) -> Step:
    """Of the groups at most so many stay on their way."""
    count = _number(op)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        active.lanes.machine.engine.wait(GROUPS, count, _waves(active))

    return step


def _wait_copies(_compiler: Compiler, op: Operation) -> Step:
    """Of the copies at most as many stay on their way as bits 3 to 0 and 15 to 14 say."""
    bits = _number(op)
    count = bits & 0xF | bits >> 14 << 4

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        if count < _MOST:
            active.lanes.machine.engine.wait_copies(GROUPS, count, _waves(active))

    return step


def _waves(active: Active) -> Flags:
    """The lanes of every wave of which some are there, by row and lane."""
    flags = active.flags()
    size = active.lanes.machine.clocks.lanes
    some = flags.reshape(len(flags), -1, size).any(axis=2, keepdims=True)
    return np.asarray(np.broadcast_to(some, (*some.shape[:2], size)).reshape(flags.shape))


def _number(op: Operation) -> int:
    """The one number that the op says, in either form of its text."""
    for said in (*op.properties.values(), *op.attributes.values()):
        if isinstance(said, IntegerAttr):
            return int(said.value.data) & 0xFFFF
    text = op.attributes.get("text__")
    found = _DIGITS.search(text.data) if isinstance(text, StringAttr) else None
    number = integer(found[0], 1 << 32) if found else None
    if number is None:
        raise CompileError(f"a wait says how much may stay on its way\n{where(op)}")
    return number


WAIT_HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "rocdl.asyncmark": _mark,
        "rocdl.wait.asyncmark": _wait_groups,
        "rocdl.s.waitcnt": _wait_copies,
        "nvvm.cp.async.commit.group": _mark,
        "nvvm.cp.async.wait.group": _wait_groups,
    }
)
