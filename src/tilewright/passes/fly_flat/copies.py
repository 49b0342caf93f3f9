"""Calls of copy atoms on flat memory: runs of bits; what lanes do together stays a call of the atom.

A call reads everything before it writes anything. Under a condition it is made where that holds, and registers keep
elsewhere what they held.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.ir.core.ranges import Index
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.foreign import TEXT
from tilewright.ir.fly.memories import cell_bits, pointer_of, space_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.types import Atom, Pointer
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.asynchronous import AsyncCommitOp, AsyncWaitOp, CpAsyncOp
from tilewright.ir.tile.atoms import CopyAtomOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.types import SHARED
from tilewright.passes.fly_flat.accesses import Run, held_in, inside, local, read_as, run_of, taken_from, write
from tilewright.passes.fly_flat.bits import recast, width
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused
from tilewright.passes.fly_flat.held import types_of
from tilewright.passes.fly_flat.offsets import offsets

_CHANGES = ("add", "max", "min", "and", "or")


def _copy(out: Flat, op: FlyOp) -> None:
    source, targets, conditions = _groups(op)
    atom = _atom(op)
    kinds = [kind for result in op.results for kind in types_of(result.type)]

    def made() -> Sequence[SSAValue]:
        return _called(out, op, atom, source, None if kinds else targets[0], kinds)

    if conditions:
        kept = out.spread(targets) if kinds else []
        numbers = out.either(_condition(out, op, conditions[0]), kinds, made, lambda: kept)
    else:
        numbers = made()
    for result in op.results:
        out.set(result, numbers)


def _groups(op: FlyOp) -> tuple[SSAValue, Sequence[SSAValue], Sequence[SSAValue]]:
    """The source, the target where it is not the result alone, and the condition where there is one."""
    if op.short == "copy_atom_call":
        return op.operands[1], op.operands[2:3], op.operands[3:]
    return op.group("src")[0], op.group("dst"), op.group("pred")


def _atom(op: FlyOp) -> CopyAtom:
    kind = op.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    found = atom_of(value) if isinstance(value, Atom) else None
    if not isinstance(found, CopyAtom):
        raise refused(op, f"no table here says what {kind} moves")
    return found


def _condition(out: Flat, op: FlyOp, condition: SSAValue) -> SSAValue:
    """Whether the call is made."""
    pointer = pointer_of(condition.type)
    if pointer is None:
        numbers = out[condition].numbers
    else:
        run = run_of(out, op, condition, offsets(out, condition, 1)[0], cell_bits(pointer), 1)
        numbers = tuple(read_as(out, run, run.unit))
    return out.truth(numbers[0])


def _called(
    out: Flat, op: FlyOp, atom: CopyAtom, source: SSAValue, target: SSAValue | None, kinds: Sequence[Attribute]
) -> Sequence[SSAValue]:
    """One call: the numbers that it gives, of these types; none where there is a target."""
    if "atomic" in atom.instruction:
        return _atomic(out, op, atom, source, target)
    if atom.asynchronous and target is not None and _space(target) == SHARED:
        return _begun(out, op, atom, source, target)
    if atom.threads > 1:
        return _together(out, op, atom, source, target, kinds)
    numbers = _read(out, op, atom, source)
    if target is None:
        return recast(out, numbers, kinds[0])[: len(kinds)]
    _write(out, op, atom, target, numbers)
    return ()


def _space(value: SSAValue) -> str:
    pointer = pointer_of(value.type)
    return "" if pointer is None else space_of(pointer)


# ---- one lane's bits


def _read(out: Flat, op: FlyOp, atom: CopyAtom, source: SSAValue) -> Sequence[SSAValue]:
    if pointer_of(source.type) is None:
        return out[source].numbers
    return [number for run in _runs(out, op, atom, source, True) for number in read_as(out, run, run.unit)]


def _write(out: Flat, op: FlyOp, atom: CopyAtom, target: SSAValue, numbers: Sequence[SSAValue]) -> None:
    runs = _runs(out, op, atom, target, False)
    rest = iter(recast(out, numbers, runs[0].unit))
    for run in runs:
        write(out, run, [next(rest) for _ in range(run.count)])


def _runs(out: Flat, op: FlyOp, atom: CopyAtom, view: SSAValue, loads: bool) -> list[Run]:
    """One run of all values of a call where they lie side by side, else one of each."""
    pointer = pointer_of(view.type)
    assert pointer is not None
    bits, moved = cell_bits(pointer), int((atom.src_bits if loads else atom.dst_bits)[1].size)
    if moved == 1:
        moved = bits
    values, rest = divmod(moved, bits)
    if rest or not values:
        raise refused(op, f"{atom.name} moves {atom.bits_per_thread} bits, no whole {pointer.element}")
    found = [_with_state(out, op, pointer, at) for at in offsets(out, view, values)]
    if _side_by_side(found):
        return [run_of(out, op, view, found[0], moved, max(atom.alignment, 1))]
    return [run_of(out, op, view, at, bits, 1) for at in found]


def _side_by_side(found: Sequence[Index]) -> bool:
    return len(found) == 1 or all(isinstance(b, int) and isinstance(a, int) and b == a + 1 for a, b in pairwise(found))


def _with_state(out: Flat, op: FlyOp, pointer: Pointer, at: Index) -> Index:
    """A buffer's atom may carry an offset, in elements."""
    state = out.states.get(op.operands[0], {})
    return out.index.add(at, out.as_index(state["soffset"])) if "soffset" in state else at


# ---- several lanes, and what goes on


def _together(
    out: Flat, op: FlyOp, atom: CopyAtom, source: SSAValue, target: SSAValue | None, kinds: Sequence[Attribute]
) -> Sequence[SSAValue]:
    """Lanes change bits: between memory and registers by the atom's own op."""
    if target is None:
        (run,) = _whole(out, op, atom, source, True)
        bits = int(atom.dst_bits[1].size)
        unit = run.unit
        registers = local(out, unit, bits // width(unit))
        _placed(out, atom, (registers, 0), (run.memory, run.at))
        return recast(out, taken_from(out, registers, bits // width(unit)), kinds[0])[: len(kinds)]
    (run,) = _whole(out, op, atom, target, False)
    registers = held_in(out, recast(out, _read(out, op, atom, source), run.unit))
    _placed(out, atom, (run.memory, run.at), (registers, 0))
    return ()


def _whole(out: Flat, op: FlyOp, atom: CopyAtom, view: SSAValue, loads: bool) -> list[Run]:
    if pointer_of(view.type) is None:
        raise refused(op, f"{atom.name} moves between memory and registers")
    found = _runs(out, op, atom, view, loads)
    if len(found) != 1:
        raise refused(op, f"{atom.name} moves elements that lie apart")
    return found


def _placed(out: Flat, atom: CopyAtom, target: tuple[SSAValue, Index], source: tuple[SSAValue, Index]) -> None:
    ends = [(memory, [out.index.value(at)]) for memory, at in (target, source)]
    out.insert(CopyAtomOp(atom.name, ends))


def _begun(out: Flat, op: FlyOp, atom: CopyAtom, source: SSAValue, target: SSAValue) -> Sequence[SSAValue]:
    """`cp.async`, from global to shared memory."""
    if not atom.instruction.startswith("cp.async"):
        raise refused(op, f"{atom.name} is {atom.arch}'s; take fx.nvvm.CpAsync128b, or a copy by way of registers")
    ends = [_whole(out, op, atom, view, loads)[0] for view, loads in ((target, False), (source, True))]
    if any(run.window is not None for run in ends):
        raise refused(op, f"{atom.name} does not read buffers; copy from the tensor itself")
    first, second = (out.insert(AddressOp(run.memory, [out.index.value(run.at)])).result for run in ends)
    out.insert(CpAsyncOp(first, second, ends[0].count * width(ends[0].unit) // 8))
    return ()


def _atomic(out: Flat, op: FlyOp, atom: CopyAtom, source: SSAValue, target: SSAValue | None) -> Sequence[SSAValue]:
    """An element and a value make a new element."""
    word = atom.instruction.rpartition(".")[2].rpartition("_")[2]
    assert target is not None, "memory"
    runs = _runs(out, op, atom, target, False)
    if word not in _CHANGES or len(runs) != 1 or runs[0].count != 1:
        raise refused(op, f"{atom.name}: there are {', '.join(_CHANGES)} of one element")
    (run,) = runs
    (value,) = recast(out, _read(out, op, atom, source), run.unit)

    def change() -> tuple[()]:
        out.insert(AtomicOp(word, value, run.memory, [out.index.value(run.at)]))
        return ()

    if run.window is None:
        return change()
    return out.either(inside(out, run, run.at, 1), [], change)


def _commit(out: Flat, op: Operation) -> None:
    out.insert(AsyncCommitOp("cp"))


def _wait(out: Flat, op: Operation) -> None:
    found = next((x for x in (*op.properties.values(), *op.attributes.values()) if isinstance(x, IntegerAttr)), None)
    said = op.attributes.get(TEXT)
    digits = re.search("[0-9]+", said.data) if isinstance(said, StringAttr) else None
    if digits is not None:
        out.insert(AsyncWaitOp("cp", int(digits[0])))
    elif found is not None:
        out.insert(AsyncWaitOp("cp", found.value.data))
    else:
        raise refused(op, "a wait says how much may stay on its way")


COPIES: Handlers = {
    **dict.fromkeys((OPS["copy_atom_call"], OPS["copy_atom_call_ssa"]), _copy),
    **dict.fromkeys(("nvvm.cp.async.commit.group", "rocdl.asyncmark"), _commit),
    **dict.fromkeys(("nvvm.cp.async.wait.group", "rocdl.wait.asyncmark"), _wait),
}
