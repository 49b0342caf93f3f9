"""Matrix products of flat kernels: fragments lie in registers while the lanes of a warp multiply them."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.atoms.mma import MmaAtom
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.memories import cell_bits, pointer_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.types import Atom
from tilewright.ir.tile.atoms import MmaAtomOp
from tilewright.passes.fly_flat.accesses import held_in, local, read_as, run_of, taken_from, write_as
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused
from tilewright.passes.fly_flat.held import types_of
from tilewright.passes.fly_flat.offsets import offsets


def _product(out: Flat, op: FlyOp) -> None:
    atom = _atom(op)
    sides = [held_in(out, _fragment(out, op, op.group(letter)[0], atom, letter.upper())) for letter in "abc"]
    target = None if op.results else op.group("d" if op.short == "mma_atom_call" else "dst")[0]
    unit = types_of(op.results[0].type)[0] if target is None else sides[2].type.element_type  # type: ignore[attr-defined]
    count = len(types_of(op.results[0].type)) if target is None else int(atom.tv_layout("C")[1].size)
    d = local(out, unit, count)
    zero = out.index.value(0)
    out.insert(MmaAtomOp(atom.name, [(side, (zero,)) for side in (d, *sides)]))
    numbers = taken_from(out, d, count)
    if target is None:
        out.set(op.results[0], numbers)
        return
    pointer = pointer_of(target.type)
    assert pointer is not None
    for at, number in zip(offsets(out, target, count), numbers, strict=True):
        write_as(out, run_of(out, op, target, at, cell_bits(pointer), 1), [number])


def _atom(op: FlyOp) -> MmaAtom:
    kind = op.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    found = atom_of(value) if isinstance(value, Atom) else None
    if not isinstance(found, MmaAtom):
        raise refused(op, f"{kind} has no layouts in a table here")
    if found.sparsity != 1 or found.scale is not None or "scale" in str(kind):
        raise refused(op, f"{found.name} takes metadata or scale factors, which flat kernels do not give it yet")
    return found


def _fragment(out: Flat, op: FlyOp, value: SSAValue, atom: MmaAtom, letter: str) -> list[SSAValue]:
    pointer = pointer_of(value.type)
    if pointer is None:
        return list(out[value].numbers)
    count, bits = int(atom.tv_layout(letter)[1].size), cell_bits(pointer)
    runs = [run_of(out, op, value, at, bits, 1) for at in offsets(out, value, count)]
    return [number for run in runs for number in read_as(out, run, run.unit)]


PRODUCTS: Handlers = dict.fromkeys((OPS["mma_atom_call"], OPS["mma_atom_call_ssa"]), _product)
