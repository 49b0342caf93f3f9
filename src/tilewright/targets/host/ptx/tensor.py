"""Instructions of tensor memory: their rows are made from the tables of copies, datapaths and kinds of products."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from tilewright.atoms.instruction_descriptors import KINDS
from tilewright.atoms.sm100 import KINDS as TABLE
from tilewright.dtypes import dtype
from tilewright.errors import CompileError
from tilewright.ir.tile.tcgen05 import CP_SHAPES
from tilewright.targets.host.ptx.assembly import Instruction, Value, Values
from tilewright.targets.host.ptx.matrices import moves, type_of
from tilewright.targets.host.ptx.tables import Tables
from tilewright.targets.simulator.collective.sparse import pattern_of
from tilewright.targets.simulator.ops.tensor.copies import ROWS
from tilewright.targets.simulator.ops.tensor.moves import words_of
from tilewright.targets.simulator.ops.tensor.products import BYTE, STATIONARY
from tilewright.tirx.hardware.tmem import DATAPATHS, MMA_DATAPATHS

NOWHERE = 0xFFFF
_GROUP = re.compile(r"cta_group::([12])")
_KIND = re.compile(r"kind::(\w+)")
_SCALES = re.compile(r"scale_vec::([124])X")
_CODES, _RESULTS = 8, 4  # of factors and of results


def _copy(instruction: Instruction, tables: Tables) -> str:
    loads = instruction.name.startswith("tcgen05.ld")
    address, split, registers = _parts(instruction, loads)
    found = words_of(moves()[instruction.name], split)
    lanes, columns = (tables.table(part.reshape(-1).tolist()) for part in (found.row, found.column))
    packed = "true" if found.packed else "false"
    how = tables.constant("tw::TensorWords", f"{{{found.row.shape[1]}, {packed}, {lanes}, {columns}}}")
    name = "read" if loads else "write"
    return f"tw::tensor_{name}({how}, {address}, tw::list({', '.join(registers)}))"


def _reduce(instruction: Instruction, tables: Tables) -> str:
    """A copy to registers, and the least or the greatest of them: its register stands behind them."""
    how = ".".join(_reduction(instruction.name))
    registers, into, *rest = instruction.operands
    assert isinstance(registers, Values), "registers are in braces"
    assert isinstance(into, Value), "a register"
    loaded = _copy(Instruction(f"{instruction.name.removesuffix(how)}b32", (registers, *rest)), tables)
    op, *told, kind = how.split(".")
    flags = ", ".join("true" if flag else "false" for flag in (op == "min", "abs" in told, "NaN" in told))
    listed = f"tw::list({', '.join(registers.texts)}), {len(registers.texts)}"
    return f"{loaded}; {into.text} = tw::tensor_reduced({{'{kind[0]}', {flags}}}, {listed})"


def _reduction(name: str) -> list[str]:
    """Its last words, from `min` or `max` on.

    >>> _reduction("tcgen05.ld.red.sync.aligned.32x32b.x16.min.abs.NaN.f32")
    ['min', 'abs', 'NaN', 'f32']
    """
    words = name.split(".")
    return words[next(i for i, word in enumerate(words) if word in ("min", "max")) :]


def _parts(instruction: Instruction, loads: bool) -> tuple[str, int, tuple[str, ...]]:
    """Its address, how far its upper lanes lie apart, and its registers."""
    operands = instruction.operands
    registers = operands[0] if loads else operands[-1]
    rest = [one.text for one in operands if isinstance(one, Value)]
    assert isinstance(registers, Values), "registers are in braces"
    return rest[0], int(rest[1]) if len(rest) > 1 else 0, registers.texts


def _fill(instruction: Instruction, tables: Tables) -> str:
    name = instruction.name
    shape = name[name.index("::") + 4 :]
    size, rows = CP_SHAPES[shape]
    taken = tables.table(np.where(ROWS[shape] < 0, NOWHERE, ROWS[shape]).tolist())
    how = tables.constant("tw::TensorRows", f"{{{rows}, {size}, {taken}}}")
    return f"tw::tensor_fill({how}, {_ctas(name)}, {', '.join(_texts(instruction))})"


def _product(instruction: Instruction, tables: Tables) -> str:
    name, operands = instruction.name, instruction.operands
    found = _KIND.search(name)
    assert found, "its kind"
    kind, ctas, sparse = KINDS[found[1]], _ctas(name), ".sp." in name
    mixed, scales = "f8f6f4" in found[1], _SCALES.search(name)
    left = "true" if isinstance(operands[1], Value) and operands[1].in_memory else "false"
    if ".ws." in name and left == "true":
        raise CompileError("where A of a tcgen05.mma.ws lies in tensor memory is not known here")
    factors, results = [""] * _CODES, [""] * _RESULTS
    for types, listed in ((kind.types, factors), (kind.results, results)):
        for element, code in types.items():
            listed[code] = type_of(dtype(element))
    known = {m // own: letter for (m, own), letter in MMA_DATAPATHS.items() if own == ctas}
    paths = [_path(m, letter, tables) for m, letter in (STATIONARY if ".ws." in name else known).items()]
    told = [f"{{{', '.join(part or '{}' for part in listed)}}}" for listed in (factors, results, paths)]
    depth = TABLE[kind.table].k * (1 + sparse)
    bits = 8 if mixed else min(dtype(element).bits for element in kind.types)
    stored = _stored(bits, depth, tables) if sparse else "{}"
    rest = [stored, str(1 if bits > BYTE else 2), scales[1] if scales else "0", "{{8, 'n', 4}, {8, 'e', 8}}"]
    first = ["true" if flag else "false" for flag in (left == "true", mixed)]
    how = tables.constant("tw::TensorKind", f"{{{', '.join([*first, str(ctas), str(depth), *told, *rest])}}}")
    d, a, b, *beside = _texts(instruction)
    metadata = beside.pop(0) if sparse else "0"
    descriptor, *around, adds = beside
    return f"tw::tensor_product({', '.join([how, d, a, b, descriptor, adds, metadata, *around])})"


def _stored(bits: int, depth: int, tables: Tables) -> str:
    """How A is stored without half of its elements of so many bits."""
    pattern = pattern_of(bits)
    wide = pattern.elements
    # Where the metadata says no places the simulator refuses the kernel.
    places = [max(place, 0) * wide + i for row in pattern.places for place in row for i in range(wide)]
    listed = (pattern.width, pattern.stored * wide, depth // pattern.width, tables.table(places), "nullptr")
    return f"{{{', '.join(map(str, listed))}}}"


def _path(rows: int, letter: str, tables: Tables) -> str:
    path = DATAPATHS[letter]
    return f"{{{rows}, {path.folds}, {tables.table(path.lanes)}}}"


def _ctas(name: str) -> int:
    found = _GROUP.search(name)
    assert found, "how many CTAs it is of"
    return int(found[1])


def _texts(instruction: Instruction) -> list[str]:
    return [one.text for one in instruction.operands if isinstance(one, Value)]


TENSOR: Mapping[str, Callable[[Instruction, Tables], str]] = {
    r"tcgen05\.(ld|st)\.sync\.aligned\..*": _copy,
    r"tcgen05\.ld\.red\.sync\.aligned\..*": _reduce,
    r"tcgen05\.cp\.cta_group::[12]\..*": _fill,
    r"tcgen05\.mma(\.ws)?(\.sp)?\.cta_group::[12]\.kind::\w+(\.block_scale\.scale_vec::[124]X)?": _product,
}
