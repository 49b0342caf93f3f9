"""Which machine has the instruction that an op is: one table, asked before anything runs, as an assembler does.

Atoms know their machines themselves (`atoms.available`).

Source: PTX ISA 9.0, "Target ISA Notes" of each instruction; `lang/machines.py` has those of words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.arch.spec import ArchSpec
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom, has_instruction
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import SimulationError
from tilewright.ir.core.attributes import CLUSTER
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.walk import operations
from tilewright.ir.tile.asynchronous import AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp
from tilewright.ir.tile.bulk import BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import ClusterArriveOp, ClusterWaitOp, StAsyncOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp, OrderedOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.tcgen05 import Tcgen05CommitOp, Tcgen05CpOp
from tilewright.ir.tile.tmem import TmemAllocOp, TmemCopyOp, TmemDeallocOp, TmemSyncOp
from tilewright.ir.tile.together import BarOp, RegistersOp, RequireOp, SyncOp
from tilewright.targets.launch import where


class Needed(NamedTuple):
    """An instruction, and the first architecture that has it; of those with an `a`, the first of each family."""

    instruction: str
    archs: tuple[str, ...]


def _always(instruction: str, *archs: str) -> Callable[[Any], Needed | None]:
    return lambda op: Needed(instruction, archs)


def _kind(prefix: str, *archs: str) -> Callable[[Any], Needed | None]:
    """Named by the op's kind."""
    return lambda op: Needed(f"{prefix}{op.kind.data}", archs)


def _mbarrier(op: MbarrierOp) -> Needed:
    kind = op.kind.data
    if kind.startswith("cp_async"):
        return Needed(kind.replace("cp_async", "cp.async.mbarrier"), ("sm_80",))
    return Needed(f"mbarrier.{kind}", ("sm_90" if "expect_tx" in kind else "sm_80",))


def _group(verb: str) -> Callable[[Any], Needed | None]:
    """Of copies by cp.async, or of bulk copies, which came later."""

    def needed(op: AsyncCommitOp | AsyncWaitOp) -> Needed:
        name, _, read = op.kind.data.partition(".")
        words = f"{verb}.{read}" if read else verb
        if name == "cp":
            return Needed(f"cp.async.{words}", ("sm_80",))
        return Needed(f"cp.async.bulk.{words}", ("sm_90",))

    return needed


def _sync(op: SyncOp) -> Needed | None:
    return Needed("barrier.cluster", ("sm_90",)) if op.scope.data == "cluster" else None


def _scoped(word: str) -> Callable[[Any], Needed | None]:
    """Accesses and fences that reach the cluster."""

    def needed(op: OrderedOp | AtomicOp | MemoryFenceOp) -> Needed | None:
        cluster = op.scope is not None and op.scope.data == "cluster"
        return Needed(f"{word}.cluster", ("sm_90",)) if cluster else None

    return needed


def _vector(op: AtomicVectorOp) -> Needed:
    """Two float16s are packed in one word, which came first."""
    element = element_dtype(op.values[0].type).name
    packed = element == "float16" and len(op.values) == _PACKED and op.kind.data == "add"
    return Needed(f"red.v{len(op.values)}.{element}", ("sm_60" if packed else "sm_90",))


def _require(op: RequireOp) -> Needed:
    return Needed(op.instruction.data, tuple(op.archs.data.split()))


_PACKED = 2  # of a word
_BLACKWELL = "sm_100a", "sm_110a"  # with tensor memory

_NEEDED: Mapping[type[Operation], Callable[[Any], Needed | None]] = {
    AtomicOp: _scoped("atom"),
    AtomicCasOp: _scoped("atom.cas"),
    AtomicLoadOp: _scoped("ld"),
    AtomicStoreOp: _scoped("st"),
    MemoryFenceOp: _scoped("fence"),
    AtomicVectorOp: _vector,
    CpAsyncOp: _always("cp.async", "sm_80"),
    AsyncCommitOp: _group("commit_group"),
    AsyncWaitOp: _group("wait_group"),
    MbarrierOp: _mbarrier,
    MbarrierWaitOp: _always("mbarrier.try_wait", "sm_90"),
    MbarrierTestOp: _always("mbarrier.test_wait", "sm_80"),
    FenceOp: _kind("fence.", "sm_90"),
    BulkCopyOp: _always("cp.async.bulk", "sm_90"),
    TensorCopyOp: _always("cp.async.bulk.tensor", "sm_90"),
    StAsyncOp: _always("st.async", "sm_90"),
    SyncOp: _sync,
    ClusterArriveOp: _always("barrier.cluster.arrive", "sm_90"),
    ClusterWaitOp: _always("barrier.cluster.wait", "sm_90"),
    RemoteOp: _always("mapa", "sm_90"),
    BarOp: _kind("bar.", "sm_70"),
    RegistersOp: _kind("setmaxnreg.", "sm_90a", *_BLACKWELL, "sm_120a"),
    RequireOp: _require,
    TmemAllocOp: _always("tcgen05.alloc", *_BLACKWELL),
    TmemDeallocOp: _always("tcgen05.dealloc", *_BLACKWELL),
    TmemSyncOp: _kind("tcgen05.", *_BLACKWELL),
    Tcgen05CommitOp: _always("tcgen05.commit", *_BLACKWELL),
    Tcgen05CpOp: _always("tcgen05.cp", *_BLACKWELL),
}


def needs(func: FuncOp) -> Sequence[tuple[Operation, Needed]]:
    """What a kernel asks of the machine, each instruction once, by the first op that is one."""
    first: dict[Needed, Operation] = {}
    for op, needed in _asked(func):
        first.setdefault(needed, op)
    return [(op, needed) for needed, op in first.items()]


def _asked(func: FuncOp) -> Iterator[tuple[Operation, Needed]]:
    for op in operations(func):
        rule = _NEEDED.get(type(op))
        needed = rule(op) if rule is not None else None
        if needed is not None:
            yield op, needed
    blocks = func.attributes.get(CLUSTER)
    if isinstance(blocks, IntegerAttr) and blocks.value.data > 1:
        yield func, Needed("a launch by clusters", ("sm_90",))


def admit(needed: Sequence[tuple[Operation, Needed]], spec: ArchSpec) -> None:
    """Nothing, where the machine has all that is needed.

    Raises:
        SimulationError: it lacks an instruction; the message says who has it, and at which line it is.
    """
    if (lacking := lacks(needed, spec, "simulator")) is not None:
        raise SimulationError(lacking)


def lacks_atom(func: FuncOp, spec: ArchSpec) -> str | None:
    """The first atom that the machine lacks, who has it, and at which line it is; None where it has all."""
    for op in func.walk():
        if isinstance(op, AtomOp) and not has_atom(spec, atom := _atom_of(op)):
            return not_of(op, atom, spec)
    return None


def _atom_of(op: AtomOp) -> MmaAtom | CopyAtom:
    return (catalog.copy if isinstance(op, CopyAtomOp | TmemCopyOp) else catalog.mma)(op.atom.data)


def not_of(op: Operation, atom: MmaAtom | CopyAtom, spec: ArchSpec) -> str:
    """What is said where a machine lacks an atom."""
    return f"{atom.name} is an instruction of {atom.arch}, not of {spec.name}\n{where(op)}"


def lacks(needed: Sequence[tuple[Operation, Needed]], spec: ArchSpec, target: str) -> str | None:
    """The first instruction that the machine lacks, who has it, and at which line it is; None where it has all."""
    for op, (instruction, archs) in needed:
        if not any(has_instruction(spec, arch) for arch in archs):
            hint = f'compile for target="{target}:{archs[0]}"'
            return f"{instruction} is an instruction of {archs[0]}, not of {spec.name}; {hint}\n{where(op)}"
    return None
