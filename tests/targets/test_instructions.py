"""Instructions in CUDA text: NVRTC takes every atom of the table, for the machine that has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from corpus import Case, cases
from faults import Clean, kernels

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import CompileError
from tilewright.ir.text import parse_module
from tilewright.ir.tile.atoms import element_of, fragment_size
from tilewright.ir.tile.bulk import BULK_OPS
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.cuda.cubin import resources
from tilewright.targets.cuda.nvrtc import compile_cubin

ELF = b"\x7fELF"
INCLUDE = re.compile(r"^#include.*$", re.MULTILINE)
REGISTER_TYPES = {"float32": "f32", "float64": "f64", "int32": "i32", "tfloat32": "f32", "complex64": "complex<f32>",
                  "complex128": "complex<f64>"}  # fmt: skip


def kernel(lines: Sequence[str], arguments: str = "") -> str:
    body = "\n".join(lines)
    return f"""func.func @f({arguments}) attributes {{
      tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 128, 1, 1>}} {{
      %tx = gpu.thread_id x
      %zero = arith.constant 0 : index
      {body}
      func.return
    }}"""


def product(number: int, atom: MmaAtom, added: bool = True) -> list[str]:
    """A product on registers of its own, packed into words where the elements are narrow; D is stored, so it stays."""
    lines, memories, names = [], [], []
    for operand in "DABC"[: 4 if added else 3]:
        element, count = element_of(atom, operand), fragment_size(atom, operand)
        kind = REGISTER_TYPES.get(element.name)
        size = count if kind else count * element.bits // 32
        memory = f'memref<{size}x{kind or "ui32"}, "local">'
        lines.append(f"%{operand}{number} = memref.alloca() : {memory}")
        names.append(f"%{operand}{number}")
        memories.append(memory)
    zeros = ", ".join(["%zero"] * len(names))
    lines.append(f'tile.mma_atom "{atom.name}" {", ".join(names)}[{zeros}] : {", ".join(memories)}')
    return lines


def cubin(lines: Sequence[str], arch: str, arguments: str = "") -> bytes:
    return compile_cubin(emit(parse_module(kernel(lines, arguments))).source, arch)


def dense(arch: str) -> Iterator[MmaAtom]:
    for name in tw.atoms.list("", kind="mma"):
        atom = catalog.mma(name)
        if atom.arch == arch and set(atom.spaces) == {"register"} and atom.scale is None and atom.sparsity == 1:
            yield atom


MACHINES = {"sm_61": "sm_80", "sm_70": "sm_80", "sm_75": "sm_80", "sm_80": "sm_80", "sm_89": "sm_89", "sm_90": "sm_90a"}


@pytest.mark.parametrize("arch", MACHINES)
def test_products_of_the_table(arch: str) -> None:
    taken, refused = [], []
    for number, atom in enumerate(dense(arch)):
        several = any(x.kind == "complex" for x in atom.dtypes)
        (refused if several else taken).append(product(number, atom, number % 2 == 0))
    assert taken
    assert cubin([line for lines in taken for line in lines], MACHINES[arch]).startswith(ELF)
    for lines in refused:
        with pytest.raises(CompileError, match="no one instruction of CUDA's"):
            emit(parse_module(kernel(lines)))


def test_multiply_add_of_one_lane() -> None:
    lines = [
        product(number, catalog.mma(f"UniversalFMA<{kind}>")) for number, kind in enumerate(("float32", "float64"))
    ]
    lines.append(product(3, catalog.mma("UniversalFMA<int32>")))
    assert cubin([line for part in lines for line in part], "sm_80").startswith(ELF)


MATRICES = [
    atom
    for name in tw.atoms.list("", kind="copy")
    for atom in [catalog.copy(name)]
    if atom.instruction.startswith(("ldmatrix", "stmatrix")) or ".v8.f32" in atom.instruction
]


def moved(number: int, atom: CopyAtom) -> list[str]:
    wide = ".v8.f32" in atom.instruction
    loads = atom.spaces[1] == "register" or atom.instruction.startswith("ld.")
    size = int((atom.dst_bits if loads else atom.src_bits)[1].size) // 32
    memory = "memref<64xf32>" if wide else 'memref<64xui32, "shared">'
    local = f'memref<{size}x{"f32" if wide else "ui32"}, "local">'
    lines = [f"%r{number} = memref.alloca() : {local}"]
    if not wide:
        lines.append(f"%m{number} = memref.alloca() : {memory}")
    names = [(f"%r{number}", local), ("%A" if wide else f"%m{number}", memory)]
    (dst, dst_type), (src, src_type) = names if loads else names[::-1]
    lines.append(f'tile.copy_atom "{atom.name}" {dst}, {src}[%zero, %zero] : {dst_type}, {src_type}')
    return lines


def test_matrices_to_and_from_registers() -> None:
    for arch in ("sm_75", "sm_90", "sm_100a"):
        chosen = [atom for atom in MATRICES if atom.arch in (arch, arch.rstrip("a"))]
        lines = [line for number, atom in enumerate(chosen) for line in moved(number, atom)]
        machine = {"sm_75": "sm_80", "sm_90": "sm_90a"}.get(arch, arch)
        assert chosen
        assert cubin(lines, machine, "%A: memref<64xf32>").startswith(ELF)


def test_vectors_between_memories() -> None:
    lines, ends = [], {"g": "memref<256xf16>", "s": 'memref<256xf16, "shared">', "l": 'memref<256xf16, "local">'}
    lines += [f"%s = memref.alloca() : {ends['s']}", f"%l = memref.alloca() : {ends['l']}"]
    for bits in (16, 32, 64, 128, 256):
        for dst in ends:
            for src in ends:
                pair = f"%{dst}, %{src}[%zero, %zero] : {ends[dst]}, {ends[src]}"
                lines.append(f'tile.copy_atom "UniversalCopy{bits}b" {pair}')
    text = emit(parse_module(kernel(lines, f"%g: {ends['g']}"))).source
    assert "*static_cast<const W*>(memory)" in text
    assert compile_cubin(text, "sm_80").startswith(ELF)


WARPGROUP = [
    "F32F16F16_SS",
    "F16F16F16_RS",
    "F32BF16BF16_SS",
    "F32TF32TF32_RS_TN",
    "S32S8U8_SS_TN",
    "F32E4M3E5M2_RS_TN",
]


@pytest.mark.parametrize("kind", WARPGROUP)
def test_warpgroup_products(kind: str) -> None:
    """With every modifier that the atom has."""
    depth = {"F16": 16, "BF1": 16, "TF3": 8, "S8U": 32, "E4M": 32}[kind[3:6]]
    atom = catalog.mma(f"SM90_64x32x{depth}_{kind}")
    floats, half = not atom.dtypes[1].is_integer, atom.dtypes[1].bits == 16
    lies = ["mn_b", *(["mn_a"] if atom.spaces[0] == "shared" else [])] if half else []
    lines = ["%true = arith.constant true", '%s = memref.alloca() : memref<8192xf16, "shared">']
    lines.append('%at = tile.address %s[%zero] : memref<8192xf16, "shared"> -> !tile.address<f16, "shared">')
    lines.append('%d0 = tile.matrix_descriptor "wgmma" "128B" 16 1024 %at : !tile.address<f16, "shared">')
    for number, words in enumerate([[], ["neg_a"] * floats + lies, ["neg_b"] * floats]):
        memories, names = [], []
        for operand in "DA" if atom.spaces[0] == "register" else "D":
            element, count = element_of(atom, operand), fragment_size(atom, operand)
            known = REGISTER_TYPES.get(element.name)
            memories.append(f'memref<{count if known else count * element.bits // 32}x{known or "ui32"}, "local">')
            names.append(f"%{operand}{number}")
            lines.append(f"{names[-1]} = memref.alloca() : {memories[-1]}")
        descriptors = ", ".join(["%d0"] * atom.spaces.count("shared"))
        told = ", ".join(f'"{word}"' for word in words)
        lines.append('tile.wgmma_sync "fence" 0')
        lines.append(
            f'tile.wgmma "{atom.name}" {", ".join(names)}[{", ".join(["%zero"] * len(names))}], [{descriptors}], %true '
            f"[{told}] : {', '.join(memories)}"
        )
        lines += ['tile.wgmma_sync "commit" 0', 'tile.wgmma_sync "wait" 0']
    assert cubin(lines, "sm_90a").startswith(ELF)


CORPUS = [case for case in cases(Path(__file__).parent / "simulator" / "corpus") if not case.error]
WAITING = kernels()[1]


TOGETHER = 12  # kernels of one text: NVRTC reads the headers once for them


def machine(case: Case | Clean) -> str:
    """The machine that it is for, as NVRTC names those that have its instructions."""
    arch = case.arch if isinstance(case, Case) else next(iter(case.archs))
    return {"sm_90": "sm_90a", "sm_70": "sm_80"}.get(arch, arch)


def groups() -> Iterator[tuple[str, list[Case | Clean]]]:
    """Machines of CUDA, each with some of its kernels."""
    of: dict[str, list[Case | Clean]] = {}
    for case in (*CORPUS, *WAITING):
        of.setdefault(machine(case), []).append(case)
    for arch, every in of.items():
        if not arch.startswith("gfx"):
            yield from ((arch, every[at : at + TOGETHER]) for at in range(0, len(every), TOGETHER))


def together(sources: Sequence[str]) -> str:
    """One text of all: what they include, then each in a namespace of its own."""
    lines = [line for source in sources for line in source.splitlines() if line.startswith("#include")]
    own = [INCLUDE.sub("", source).replace('extern "C" ', "") for source in sources]
    spaces = [f"namespace kernel{number} {{\n{text}\n}}" for number, text in enumerate(own)]
    return "\n".join([*dict.fromkeys(lines), *spaces])


@pytest.mark.parametrize(("arch", "chosen"), [*groups()], ids=lambda value: value if isinstance(value, str) else "")
def test_kernels_of_the_corpus_compile(arch: str, chosen: list[Case | Clean]) -> None:
    """On the machine that they are for; where one is refused, it is by itself."""
    made = [case.kernel if isinstance(case, Case) else case.kernel() for case in chosen]
    sources = [tw.compile(kernel, target=f"cuda:{arch}").source for kernel in made]
    try:
        assert compile_cubin(together(sources), arch).startswith(ELF)
    except CompileError:
        for source in sources:
            compile_cubin(source, arch)
        raise


def test_what_goes_to_several_blocks_says_so() -> None:
    """A copy with a mask of blocks, and none without."""
    found = set()
    for case in (case for case in WAITING if case.name.startswith(("tiles for a cluster", "rows for", "swizzle"))):
        module = tw.compile(case.kernel()).lowered().module
        masked = any(op.mask is not None for op in module.walk() if isinstance(op, BULK_OPS))
        assert (".multicast::cluster" in emit(module).source) == masked
        found.add(masked)
    assert found == {True, False}


def test_registers_stay_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fragments of a product of 128 x 128 x 32 tiles: nothing of them is on a stack."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    from kernel_sources import tensor_gemm

    source = tw.compile(tensor_gemm(256), target="cuda:sm_90a").source
    found = resources(compile_cubin(source, "sm_90a"))
    assert found.stack_bytes == 0
    assert 128 <= found.registers <= 255
