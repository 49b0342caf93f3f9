"""Inline PTX on the CPU: products and matrices of the table give what the simulator gives; no row is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of
from tilewright.dtypes import dtype
from tilewright.errors import CompileError
from tilewright.ir.text import parse_module
from tilewright.ir.tile.atoms import element_of, fragment_size
from tilewright.targets.c_emitter import helpers
from tilewright.targets.host.compiler import HostKernel, compile_together, literal
from tilewright.targets.host.ptx.assembly import Assembly, Value, Values
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.simulator.simulate import simulate

Array = np.ndarray[Any, np.dtype[Any]]
FAST = ("-O0",)  # to compile

REGISTERS = {"float32": "f32", "float64": "f64", "int32": "i32"}  # of one element each; others hold several in 32 bits


def kernel(parameters: Sequence[str], lines: Sequence[str]) -> str:
    body = "\n".join(lines)
    return f"""func.func @f({", ".join(parameters)}) attributes {{
      tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
      %tx = gpu.thread_id x
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      {body}
      func.return
    }}"""


def moved(name: str, count: int, kind: str, store: bool) -> list[str]:
    """A lane's registers from its elements of an argument, or back."""
    memory = f"%{name}_global[%at{name}]", f"memref<{32 * count}x{kind}>"
    registers = f"%{name}[%i]", f'memref<{count}x{kind}, "local">'
    (source, source_type), (target, target_type) = (registers, memory) if store else (memory, registers)
    return [
        f"%n{name} = arith.constant {count} : index",
        f"scf.for %i = %zero to %n{name} step %one {{",
        f"  %first{name} = arith.muli %tx, %n{name} : index",
        f"  %at{name} = arith.addi %first{name}, %i : index",
        f"  %v{name} = memref.load {source} : {source_type}",
        f"  memref.store %v{name}, {target} : {target_type}",
        "}",
    ]


def product(atom: MmaAtom) -> str:
    """D = A B + C of a warp, its registers from arguments."""
    sizes = {}
    for operand in "DABC":
        element, count = element_of(atom, operand), fragment_size(atom, operand)
        kind = REGISTERS.get(element.name)
        sizes[operand] = (count if kind else count * container_of(atom, operand).bits // 32, kind or "ui32")
    lines = [f'%{name} = memref.alloca() : memref<{n}x{kind}, "local">' for name, (n, kind) in sizes.items()]
    for operand in "ABC":
        lines += moved(operand, *sizes[operand], store=False)
    kinds = ", ".join(f'memref<{n}x{kind}, "local">' for n, kind in sizes.values())
    lines.append(f'tile.mma_atom "{atom.name}" %D, %A, %B, %C[%zero, %zero, %zero, %zero] : {kinds}')
    lines += moved("D", *sizes["D"], store=True)
    return kernel([f"%{name}_global: memref<{32 * n}x{kind}>" for name, (n, kind) in sizes.items()], lines)


def factors(atom: MmaAtom, seed: int) -> list[Array]:
    """Numbers of all sizes, or bits as they come."""
    random = np.random.default_rng(seed)
    found = []
    for operand in "DABC":
        element, count = element_of(atom, operand), fragment_size(atom, operand)
        size = 32 * count * container_of(atom, operand).bits // 8
        if seed % 2 and element.is_float and element.bits >= 16 and element.name != "tfloat32":
            numbers = random.normal(size=32 * count) * 2.0 ** random.integers(-8, 8, 32 * count)
            raw = numbers.astype(element.numpy()).view(np.uint8)
        else:
            raw = random.integers(0, 256, size, np.uint8)
        kind = REGISTERS.get(element.name)
        found.append(raw.copy().view(dtype(kind).numpy() if kind else np.uint32))
    return found


def warps() -> Iterator[MmaAtom]:
    """Products of a warp, and of a lane, that CUDA text has."""
    for name in tw.atoms.list("", kind="mma"):
        atom = catalog.mma(name)
        plain = set(atom.spaces) == {"register"} and atom.scale is None and atom.sparsity == 1
        if plain and atom.dtypes[0].kind != "complex" and atom.instruction.startswith(("mma.", "dp")):
            yield atom


PRODUCTS = list(warps())


def matrices() -> Iterator[CopyAtom]:
    """Matrices that go to registers and back."""
    for name in tw.atoms.list("", kind="copy"):
        atom = catalog.copy(name)
        if atom.instruction.startswith(("ldmatrix", "stmatrix")):
            yield atom


def transfer(atom: CopyAtom) -> str:
    """A matrix between registers and rows in shared memory, which lanes fill before, and show after."""
    loads = atom.spaces[1] == "register"
    row, words = (int(side[1].size) // 32 for side in (atom.src_bits, atom.dst_bits)[:: 1 if loads else -1])
    shared, local = f'memref<{32 * row}xui32, "shared">', f'memref<{words}xui32, "local">'
    rows = moved("S", row, "ui32", store=False)
    ends = [("%S", shared, "%rowS"), ("%R", local, "%zero")][:: -1 if loads else 1]
    (dst, dst_type, to), (src, src_type, source) = ends
    lines = [
        f"%S = memref.alloca() : {shared}",
        f"%R = memref.alloca() : {local}",
        *in_shared(rows, row),
        *moved("R", words, "ui32", store=False),
        'tile.sync "cta"',
        "%rowS = arith.muli %tx, %nS : index",
        f'tile.copy_atom "{atom.name}" {dst}, {src}[{to}, {source}] : {dst_type}, {src_type}',
        'tile.sync "cta"',
        *again(moved("R", words, "ui32", store=True)),
        *again(in_shared(moved("S", row, "ui32", store=True), row)),
    ]
    return kernel([f"%S_global: memref<{32 * row}xui32>", f"%R_global: memref<{32 * words}xui32>"], lines)


def in_shared(lines: Sequence[str], row: int) -> list[str]:
    """The same with the lane's part of shared memory in place of its registers."""
    kind = f'memref<{row}xui32, "local">'
    return [line.replace("%S[%i]", "%S[%atS]").replace(kind, f'memref<{32 * row}xui32, "shared">') for line in lines]


def again(lines: Sequence[str]) -> list[str]:
    """The same with other names for its values."""
    return [re.sub(r"%(n|first|at|v)(\w)\b", r"%\1\2again", line) for line in lines]


def check(texts: Sequence[str], archs: Sequence[str], given: Sequence[list[list[Array]]]) -> None:
    """The kernels of these texts do on the CPU what the simulator makes of each list of arguments."""
    modules = [parse_module(text) for text in texts]
    made = compile_together([literal(one) for one in modules], FAST)
    wrong = []
    for number, (module, lists) in enumerate(zip(modules, given, strict=True)):
        arch = archs[number] if archs[number][:5] in ("sm_10", "sm_12") else "sm_90"
        wrong += [(texts[number], i) for i, arrays in enumerate(lists) if not agree(module, made[number], arch, arrays)]
    assert not wrong


def agree(module: ModuleOp, made: HostKernel, arch: str, arrays: list[Array]) -> bool:
    expected = [array.copy() for array in arrays]
    simulate(module, expected, arch=arch)
    made.run(arrays)
    return all(one.tobytes() == other.tobytes() for one, other in zip(arrays, expected, strict=True))


@pytest.mark.parametrize("half", range(2))
def test_products_of_warps(half: int) -> None:
    atoms = PRODUCTS[half::2]
    given = [[factors(atom, seed) for seed in range(2)] for atom in atoms]
    check([product(atom) for atom in atoms], [atom.arch for atom in atoms], given)


def test_matrices_to_registers_and_back() -> None:
    atoms = list(matrices())
    random = np.random.default_rng(1)
    given = []
    for atom in atoms:
        sizes = [int(side[1].size) for side in (atom.src_bits, atom.dst_bits)]
        sizes = sizes if atom.spaces[1] == "register" else sizes[::-1]
        given.append([[random.integers(0, 1 << 32, size, np.uint32) for size in sizes]])
    assert len(atoms) >= 12
    check([transfer(atom) for atom in atoms], [atom.arch for atom in atoms], given)


def test_what_the_emitter_has_as_functions_has_rows() -> None:
    """Each helper is read, and none of its instructions is left."""
    for text in (*helpers.PTX.values(), *helpers.ORDERED.values()):
        read, _ = without_assembly(text.format(function="static"))
        assert "asm" not in read


def test_an_instruction_that_nobody_knows_is_named() -> None:
    with pytest.raises(CompileError, match=r"instruction tcgen05.nothing.b32 of PTX does"):
        without_assembly('asm volatile("tcgen05.nothing.b32 %0;" :: "r"(x));')


def test_operands_are_read_as_they_stand() -> None:
    """Strings in parts, colons within operands, braces, registers of the statement's own."""
    made = Assembly.of(
        r'"{ .reg .pred p; first.b32 p, %2; \n" "second [%1, {%0, %2}], {%0}, 7; }"'
        ' : "=r"(a[x ? 0 : 1]) : "l"(&b::c), "r"(f(d, "e:,")) : "memory"'
    )
    first, second = made.instructions
    assert made.registers == (("p", "bool"),)
    assert first.operands == (Value("p"), Value('f(d, "e:,")'))
    assert second.operands == (
        Value("&b::c"),
        Values(("a[x ? 0 : 1]", 'f(d, "e:,")')),
        Values(("a[x ? 0 : 1]",)),
        Value("7"),
    )
