"""What is found of each operation of a FlyDSL dump, execution by execution."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

import numpy as np

from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding, Unknown
from tilewright.dumps.fly import cost as fly_cost
from tilewright.dumps.fly.access import Threads, space_of
from tilewright.dumps.fly.readings import reading_of
from tilewright.dumps.fly.run import Visit, is_followed
from tilewright.dumps.fly.unread import why_unread
from tilewright.dumps.fly.values import Missing, Value, place_of
from tilewright.errors import TilewrightError
from tilewright.ir.fly.types import MemRef
from tilewright.notation.ttgir_op import Op

# Addresses that are counted in one dump; executions with the same ones count once.
MOST_ADDRESSES = 1 << 21

# They name memory and access none of it; and so do ops whose results are followed.
_SILENT = frozenset((
    "memref.dealloc", "memref.dim", "memref.extract_strided_metadata", "memref.extract_aligned_pointer_as_index",
    "memref.reinterpret_cast", "memref.expand_shape", "memref.collapse_shape", "memref.assume_alignment",
    "memref.distinct_objects", "memref.global", "llvm.addrspacecast", "llvm.ptrtoint", "llvm.inttoptr", "llvm.bitcast",
    "fly.to_llvm_ptr", "fly_rocdl.get_buffer_rsrc", "fly.print", "fly.gemm", "llvm.intr.lifetime.start",
    "llvm.intr.lifetime.end", "llvm.intr.assume", "rocdl.make.buffer.rsrc",
))  # fmt: skip
_CONTROL = ("scf.", "cf.", "gpu.return", "gpu.barrier", "func.return", "llvm.return", "llvm.br", "llvm.cond_br", "ub.")

_POINTERS = ("!fly.ptr", "!fly.memref", "!llvm.ptr", "memref<")

Found = tuple[Finding | Unknown, ...]


class Accesses(Visit):
    """Counts the accesses of every operation that is executed."""

    def __init__(self, spec: ArchSpec) -> None:
        self._spec = spec
        self._found: dict[int, dict[Hashable, Found]] = {}
        self._left = MOST_ADDRESSES

    def __call__(self, op: Op, given: list[Value], threads: Threads) -> None:
        """The operation with these operands, looked at once."""
        known = self._found.setdefault(id(op), {})
        if reading_of(op.name) is None:
            if not known:
                known[None] = tuple(_others(op, given))
            return
        key = (threads.active.tobytes(), *map(_key, given))
        if key not in known and self._left < 0 and any(map(space_of, given)):
            known[key] = (Unknown(op.name, f"{MOST_ADDRESSES} addresses are counted before it, and no more are"),)
        elif key not in known:
            known[key] = tuple(self._accesses(op, given, threads))

    def of(self, op: Op, why: str) -> Iterator[Finding | Unknown]:
        """What is told of an operation: of each of its accesses the costliest execution."""
        executions = list(self._found.get(id(op), {}).values())
        if not executions:
            if not _is_of_registers(op) and (reading_of(op.name) or why_unread(op.name)):
                yield Unknown(op.name, why)
            return
        for which in range(max(map(len, executions))):
            yield _worst([found[which] for found in executions if which < len(found)])

    def _accesses(self, op: Op, given: list[Value], threads: Threads) -> Iterator[Finding | Unknown]:
        reading = reading_of(op.name)
        try:
            for space, request in reading(op, given, threads) if reading else ():
                self._left -= request.rows.size
                count = fly_cost.shared if space == "shared" else fly_cost.globally
                place = next((p for p in map(place_of, given) if p is not None and space_of(p) == space), None)
                yield replace(count(op.name, request, self._spec), buffer=place.buffer if place else "")
        except TilewrightError as error:
            yield Unknown(op.name, str(error).splitlines()[0])


def _others(op: Op, given: list[Value]) -> Iterator[Unknown]:
    """Of what is known not to be counted, why; of what is not known, that it names memory."""
    why = why_unread(op.name)
    spaces = {_space(value, text) for value, text in zip(given, (*op.inputs, *[""] * len(given)), strict=False)}
    if why is not None:
        yield Unknown(op.name, why, not given or any(space_of(value) != "global" for value in given))
    elif not _is_harmless(op.name) and (named := spaces & {"shared", "global"}):
        why = f"it names {' and '.join(sorted(named))} memory, and what it accesses there is not known here"
        yield Unknown(op.name, why, "shared" in named)


def _is_harmless(name: str) -> bool:
    return name in _SILENT or name.startswith(_CONTROL) or is_followed(name)


def _space(value: Value, text: str) -> str:
    """Where an operand points; of one that is not known what its type says."""
    if not isinstance(value, Missing):
        return space_of(value)
    named = {"shared": "shared", "workgroup": "shared", "ptr<3>": "shared", "global": "global", "buffer_desc": "global"}
    return next((space for word, space in named.items() if word in text and text.startswith(_POINTERS)), "")


def _key(value: Value) -> Hashable:
    """What tells accesses by a value apart."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    place = place_of(value)
    if place is not None:
        return place, place.at, value.layout if isinstance(value, MemRef) else None
    return value if isinstance(value, int) else value.why if isinstance(value, Missing) else str(value)


def _is_of_registers(op: Op) -> bool:
    """Do all the types that it names lie in registers?"""
    pointers = [text for text in (*op.inputs, *op.outputs) if text.startswith(("!fly.ptr", "!fly.memref"))]
    return bool(pointers) and all("register" in text for text in pointers)


def _worst(executions: list[Finding | Unknown]) -> Finding | Unknown:
    """The costliest, saying so where they differ; one that is not known comes first."""
    unknown = next((one for one in executions if isinstance(one, Unknown)), None)
    if unknown is not None:
        return unknown
    found = [one for one in executions if isinstance(one, Finding)]
    worst = max(found, key=lambda one: (one.excess, one.wavefronts or one.sectors or 0))
    costs = sorted({one.wavefronts or one.sectors or 0 for one in found})
    if len(costs) > 1:
        return replace(worst, notes=(*worst.notes, f"line costs {costs[0]} to {costs[-1]} from execution to execution"))
    return worst
