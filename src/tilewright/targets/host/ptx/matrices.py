"""Instructions that warps and warpgroups carry out together: their rows are made from the table of atoms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import Container, container_of
from tilewright.atoms.scaling import ScaleSelect, factors_of
from tilewright.atoms.sparsity import NIBBLES, chunks_of
from tilewright.dtypes import DType
from tilewright.errors import CompileError
from tilewright.ir.tile.atoms import element_of
from tilewright.targets.host.ptx.assembly import Instruction, Value, Values
from tilewright.targets.host.ptx.tables import Tables
from tilewright.targets.simulator.collective.metadata import sources
from tilewright.targets.simulator.collective.moves import moves_of
from tilewright.targets.simulator.collective.operands import Operand
from tilewright.targets.simulator.collective.sparse import pattern_of

WARP, WARPGROUP = 32, 128
# How elements are read: the kind and the bits of the exponent, as targets/host/shim/numbers.h has them.
FLOATS: Mapping[str, tuple[str, int]] = {
    "float64": ("f", 11),
    "float32": ("f", 8),
    "tfloat32": ("t", 8),
    "float16": ("f", 5),
    "bfloat16": ("f", 8),
    "float8_e4m3fn": ("n", 4),
    "float8_e5m2": ("f", 5),
    "float6_e2m3fn": ("x", 2),
    "float6_e3m2fn": ("x", 3),
    "float4_e2m1fn": ("x", 2),
}

# Of factors: those of e4m3 have no sign, those of e8m0 nothing but an exponent.
SCALES: Mapping[str, str] = {"float8_e8m0fnu": "{8, 'e', 8}", "float8_e4m3fn": "{8, 'n', 4}"}


@lru_cache(maxsize=1)
def products() -> Mapping[tuple[str, bool], MmaAtom]:
    """The atoms by their instructions, and whether A is in registers; complex ones are several instructions."""
    atoms = (catalog.mma(name) for name in catalog.list("", kind="mma"))
    return {(x.instruction, x.spaces[0] == "register"): x for x in atoms if x.dtypes[0].kind != "complex"}


@lru_cache(maxsize=1)
def moves() -> Mapping[str, CopyAtom]:
    """The copy atoms by their instructions."""
    atoms = (catalog.copy(name) for name in catalog.list("", kind="copy"))
    return {atom.instruction: atom for atom in atoms}


def _atom(instruction: Instruction, in_registers: bool) -> MmaAtom:
    found = products().get((instruction.name, in_registers))
    if found is None:
        raise CompileError(f"nothing on the CPU does what the instruction {instruction.name} of PTX does")
    return found


def type_of(element: DType, room: Container | None = None) -> str:
    """A `Type` of the header, of elements that follow each other, or of those that have so much room each.

    Raises:
        CompileError: the CPU has no such elements.

    >>> from tilewright.dtypes import dtype
    >>> type_of(dtype("bf16")), type_of(dtype("s8"))
    ("{16, 'f', 8}", "{8, 's', 0}")
    >>> type_of(dtype("e2m1"), Container(8, 2))
    "{4, 'x', 2, 8, 2}"
    """
    if element.is_integer:
        return f"{{{element.bits}, '{'u' if element.kind == 'uint' else 's'}', 0}}"
    if element.name not in FLOATS:
        raise CompileError(f"no product on the CPU takes {element.name}")
    kind, exponent = FLOATS[element.name]
    lies = f", {room.bits}, {room.first}" if room is not None and room.bits > element.bits else ""
    return f"{{{element.bits}, '{kind}', {exponent}{lies}}}"


# ---- products


def _matrix(atom: MmaAtom, letter: str, operand: Operand, tables: Tables) -> str:
    rows, columns = operand.shape
    places = tables.table(operand.places[:, :, 0].reshape(-1).tolist())
    kind = type_of(element_of(atom, letter), container_of(atom, letter))
    return f"{{{rows}, {columns}, {operand.values}, {places}, {kind}}}"


def _product(atom: MmaAtom, lanes: int, tables: Tables, selector: int = 0) -> str:
    held = {x: Operand.of(atom.stored_layout(x), atom.stored(x), atom.thr_layout, lanes) for x in _held(atom)}
    given = {x: _matrix(atom, x, held[x], tables) if x in held else "{}" for x in "AB"}
    sums = [_matrix(atom, x, held["C"], tables) for x in "DC"]
    listed = ", ".join([given["A"], given["B"], *sums])
    sparse = atom.sparsity > 1 and tables.constant("tw::Sparse", _sparse(atom, lanes, selector, tables))
    chosen = f"&{sparse}" if sparse else "nullptr"
    rest = f"{len(held['C'].places)}, {atom.shape_mnk[2]}, tw::{_rule(atom.instruction)}, {chosen}"
    return f"{{{listed}, {rest}}}"


def _held(atom: MmaAtom) -> list[str]:
    spaces = zip("ABC", atom.spaces, strict=True)
    return [letter for letter, space in spaces if space == "register"]


def _rule(instruction: str) -> str:
    if ".satfinite" in instruction:
        return "limited"
    if ".popc" in instruction:
        return "bits_of_one" if ".xor." in instruction else "bits_of_both"
    return "plain"


def _mma(instruction: Instruction, tables: Tables) -> str:
    registers, beside = instruction.operands[:4], instruction.operands[4:]
    if ".block_scale." in instruction.name:
        return _scaled(instruction, tables)
    metadata, selector = map(_text, beside) if beside else ("0", "0")
    how = tables.constant("tw::Product", _product(_atom(instruction, True), WARP, tables, int(selector, 0)))
    return f"tw::warp_product({', '.join([how, *map(_list, registers), metadata])})"


def _scaled(instruction: Instruction, tables: Tables) -> str:
    atom, registers = _atom(instruction, True), instruction.operands[:4]
    scale_a, ids_a, scale_b, ids_b = map(_text, instruction.operands[4:])
    select = ScaleSelect(*(int(number) for ids in (ids_a, ids_b) for number in ids.split(",")))
    lanes = [tables.table(select.lanes(letter, atom.shape_mnk["AB".index(letter)])) for letter in "AB"]
    assert atom.scale is not None, "a scaled product"
    told = (factors_of(atom), SCALES[atom.scale[0]], *lanes, select.byte_a, select.byte_b)
    by = tables.constant("tw::Scaling", f"{{{', '.join(map(str, told))}}}")
    how = tables.constant("tw::Product", _product(atom, WARP, tables))
    return f"tw::scaled_product({', '.join([how, by, *map(_list, registers), scale_a, scale_b])})"


def _list(operand: Value | Values) -> str:
    return f"tw::list({_text(operand)})"


# ---- products of warpgroups


def _wgmma(instruction: Instruction, tables: Tables) -> str:
    d, a, b, *rest = instruction.operands
    in_registers, sparse = isinstance(a, Values), ".sp." in instruction.name
    atom = _atom(instruction, in_registers)
    metadata, selector = (_text(rest.pop(0)), int(_text(rest.pop(0)), 0)) if sparse else ("0", 0)
    adds, *immediates = map(_text, rest)
    negated = [number == "-1" for number in immediates[:2]] or [False, False]
    # Whether an operand in shared memory lies the other way, where it may.
    lies = [*([False] if in_registers else []), *(number == "1" for number in immediates[2:]), False, False]
    parts = (
        _product(atom, WARPGROUP, tables, selector),
        _flag(in_registers),
        _flag(negated[0]),
        "{}" if in_registers else _described(atom, "A", lies[0], negated[0]),
        _described(atom, "B", lies[1], negated[1]),
    )
    how = tables.constant("tw::GroupProduct", f"{{{', '.join(parts)}}}")
    left = (_list(a), "0") if in_registers else ("{}", _text(a))
    return f"tw::group_product({', '.join((how, _list(d), *left, _text(b), metadata, adds))})"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _described(atom: MmaAtom, letter: str, other_way: bool, negated: bool) -> str:
    rows, columns = atom.stored(letter)
    kind = type_of(atom.dtypes["DAB".index(letter)])
    return f"{{{rows}, {columns}, {kind}, {_flag(other_way)}, {_flag(negated)}}}"


def _sparse(atom: MmaAtom, threads: int, selector: int, tables: Tables) -> str:
    pattern, rows = pattern_of(container_of(atom, "A").bits), atom.shape_mnk[0]
    count, wide = chunks_of(atom), pattern.elements
    lanes, chunks = sources(count, selector, threads // WARP)
    where = np.zeros(count * rows, np.int64)
    where[chunks] = lanes[:, None] * NIBBLES + np.arange(chunks.shape[1])
    by_row = where.reshape(count, rows).T.reshape(-1).tolist()
    # Where the metadata says no places the simulator refuses the kernel.
    places = [max(place, 0) * wide + i for row in pattern.places for place in row for i in range(wide)]
    return f"{{{pattern.width}, {pattern.stored * wide}, {count}, {tables.table(places)}, {tables.table(by_row)}}}"


def _text(operand: Value | Values) -> str:
    return operand.text if isinstance(operand, Value) else ", ".join(operand.texts)


# ---- matrices to registers and back


def _moved(atom: CopyAtom, tables: Tables) -> str:
    found = moves_of(atom, WARP)
    assert found.taken is not None, "pieces change lanes"
    taken = tables.table(found.taken.reshape(-1).tolist())
    told = f"{found.piece}, {found.pieces}, {found.taken.shape[1]}, {taken}, {atom.widened_bits}"
    return tables.constant("tw::Moves", f"{{{told}}}")


def _load(instruction: Instruction, tables: Tables) -> str:
    registers, address = instruction.operands
    return f"tw::load_rows({_moved(_copy(instruction), tables)}, {_text(address)}, {_list(registers)})"


def _store(instruction: Instruction, tables: Tables) -> str:
    address, registers = instruction.operands
    atom = _copy(instruction)
    writes = sum(1 << lane for lane, flag in enumerate(moves_of(atom, WARP).writes.tolist()) if flag)
    return f"tw::store_rows({_moved(atom, tables)}, {writes:#x}u, {_text(address)}, {_list(registers)})"


def _copy(instruction: Instruction) -> CopyAtom:
    found = moves().get(instruction.name)
    if found is None:
        raise CompileError(f"nothing on the CPU does what the instruction {instruction.name} of PTX does")
    return found


# ---- products of a lane


def _dot(instruction: Instruction, tables: Tables) -> str:
    d, a, b, c = map(_text, instruction.operands)
    kinds = {"s32": "'s'", "u32": "'u'"}
    name, *words = instruction.name.split(".")
    left, right = (kinds[word] for word in words[-2:])
    bits, count = (8, 4) if name == "dp4a" else (16, 2)
    first = 2 if words[0] == "hi" else 0
    return f"{d} = tw::dot({a}, {b}, {c}, {{{bits}, {left}, 0}}, {{8, {right}, 0}}, {count}, {first})"


MATRICES: Mapping[str, Callable[[Instruction, Tables], str]] = {
    r"mma(\.sp::ordered_metadata|\.sp)?\.sync\.aligned\..*": _mma,
    r"wgmma\.mma_async\..*": _wgmma,
    r"ldmatrix\..*": _load,
    r"stmatrix\..*": _store,
    r"dp[24]a\..*": _dot,
}
