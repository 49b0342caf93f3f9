"""Matrix products of flat kernels: fragments lie in registers while the lanes of a warp multiply them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute, SSAValue

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
    a, b, c = (_fragment(out, op, op.group(letter)[0], atom, letter.upper()) for letter in "abc")
    target = None if op.results else op.group("d" if op.short == "mma_atom_call" else "dst")[0]
    kinds = types_of(op.results[0].type) if target is None else tuple(number.type for number in c)
    numbers = [_fused(out, a[0], b[0], c[0])] if _is_fused(atom, c) else _together(out, atom, (a, b, c), kinds)
    if target is None:
        out.set(op.results[0], numbers)
        return
    pointer = pointer_of(target.type)
    assert pointer is not None
    for at, number in zip(offsets(out, target, len(numbers)), numbers, strict=True):
        write_as(out, run_of(out, op, target, at, cell_bits(pointer), 1), [number])


def _together(
    out: Flat, atom: MmaAtom, sides: Sequence[Sequence[SSAValue]], kinds: Sequence[Attribute]
) -> list[SSAValue]:
    """What the lanes of a warp multiply; the numbers of D, of these types."""
    d, zero = local(out, kinds[0], len(kinds)), out.index.value(0)
    registers = [d, *(held_in(out, side) for side in sides)]
    out.insert(MmaAtomOp(atom.name, [(memory, (zero,)) for memory in registers]))
    return taken_from(out, d, len(kinds))


def _is_fused(atom: MmaAtom, addend: Sequence[SSAValue]) -> bool:
    """Is the atom what one lane does to three numbers, which arithmetic has an op for?"""
    return atom.threads == 1 and atom.instruction == "fma" and addend[0].type in (f32, f64)


def _fused(out: Flat, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
    return out.insert(math.FmaOp(a, b, c)).result


def _atom(op: FlyOp) -> MmaAtom:
    kind = op.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    found = atom_of(value) if isinstance(value, Atom) else None
    if not isinstance(found, MmaAtom):
        raise refused(op, f"{kind} has no layouts in a table here")
    if found.sparsity != 1 or found.scale is not None or "scale" in str(kind):
        text = f"{found.name} takes metadata or scale factors, which flat kernels give no product"
        raise refused(op, f"{text}; the simulator runs it at the stages before, others the product of scaled numbers")
    return found


def _fragment(out: Flat, op: FlyOp, value: SSAValue, atom: MmaAtom, letter: str) -> list[SSAValue]:
    pointer = pointer_of(value.type)
    if pointer is None:
        return list(out[value].numbers)
    count, bits = int(atom.tv_layout(letter)[1].size), cell_bits(pointer)
    runs = [run_of(out, op, value, at, bits, 1) for at in offsets(out, value, count)]
    return [number for run in runs for number in read_as(out, run, run.unit)]


PRODUCTS: Handlers = dict.fromkeys((OPS["mma_atom_call"], OPS["mma_atom_call_ssa"]), _product)
