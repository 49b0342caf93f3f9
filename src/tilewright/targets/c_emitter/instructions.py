"""Instructions of NVIDIA's machines as functions of inline PTX, made from the table of atoms, each where it is used.

Registers are passed as addresses of local memory and copied into words of the sizes that an instruction takes: a
compiler keeps both in registers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of
from tilewright.errors import CompileError
from tilewright.ir.tile.atoms import CopyAtomOp, MmaAtomOp, Place, element_of, fragment_size
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.c_emitter.writer import Handlers, Writer
from tilewright.targets.launch import where

WORDS: Mapping[int, str] = {
    8: "unsigned char",
    16: "unsigned short",
    32: "unsigned int",
    64: "uint2",
    128: "uint4",
    256: "tw_wide",
}
# How a word is passed to an instruction: its type in C, and the letter of inline assembly; others go 32 bits at a time.
_WHOLE: Mapping[str, tuple[str, str]] = {"float32": ("float", "f"), "float64": ("double", "d"), "int32": ("int", "r")}
_PACKED = ("unsigned int", "r")
_ONE_BY_ONE = ("dp4a", "dp2a")  # operands without braces
SHARED_ADDRESS = "static_cast<unsigned int>(__cvta_generic_to_shared({}))"


@dataclass(frozen=True)
class Words:
    """The registers of an operand: so many of a type of C."""

    name: str
    ctype: str
    letter: str
    count: int

    @staticmethod
    def of(atom: MmaAtom, operand: str) -> Words:
        """The registers that hold D, A, B or C."""
        element, values = element_of(atom, operand), fragment_size(atom, operand)
        ctype, letter = _WHOLE.get(element.name, _PACKED)
        count = values if element.name in _WHOLE else values * container_of(atom, operand).bits // 32
        return Words(operand.lower(), ctype, letter, count)

    def declared(self, filled: bool) -> str:
        """The declaration; of an operand, filled from its address."""
        text = f"  {self.ctype} {self.name}_[{self.count}];"
        return text + (f"\n  memcpy({self.name}_, {self.name}, sizeof {self.name}_);" if filled else "")

    def passed(self, out: bool = False) -> str:
        """As operands of inline assembly."""
        return ", ".join(f'"{"=" * out}{self.letter}"({self.name}_[{i}])' for i in range(self.count))


def assembly(instruction: str, outs: Sequence[Words], ins: Sequence[Words], braces: bool = True) -> str:
    """An instruction whose operands are lists of registers.

    >>> one = Words("d", "int", "r", 1)
    >>> assembly("dp4a.s32.s32", [one], [Words("a", "unsigned int", "r", 1)], False)
    'asm volatile("dp4a.s32.s32 %0, %1;" : "=r"(d_[0]) : "r"(a_[0]));'
    """
    lists, number = [], 0
    for words in (*outs, *ins):
        names = ", ".join(f"%{number + i}" for i in range(words.count))
        lists.append(f"{{{names}}}" if braces else names)
        number += words.count
    given = " : ".join(", ".join(words.passed(side is outs) for words in side) for side in (outs, ins))
    return f'asm volatile("{instruction} {", ".join(lists)};" : {given});'


def called(name: str) -> str:
    """The function of an atom or an instruction.

    >>> called("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
    'tw_ldmatrix_sync_aligned_m8n8_x4_shared_b16'
    """
    return "tw_" + re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")


# ---- products


def _product(out: Writer, op: MmaAtomOp) -> None:
    need_assembly(out, op)
    atom, added = op.instruction, len(op.places) == 4
    name = called(atom.name) + "_0" * (not added)
    out.functions.setdefault(name, _product_function(name, atom, added, op, out.table.function))
    out.line(f"{name}({', '.join(_address(out, place) for place in op.places)});")


def _product_function(name: str, atom: MmaAtom, added: bool, op: Operation, function: str) -> str:
    if any(element_of(atom, operand).kind == "complex" for operand in "DABC"):
        raise CompileError(f"{atom.name} is no one instruction of CUDA's\n{where(op)}")
    d, a, b, c = (Words.of(atom, operand) for operand in "DABC")
    if atom.instruction == "fma":
        body = [_fused(atom)]
    elif atom.dtypes[2].bits == 16 and atom.instruction.startswith("dp2a"):
        body = [_DOT]
    elif atom.instruction.startswith(("mma.", *_ONE_BY_ONE)):
        braces = not atom.instruction.startswith(_ONE_BY_ONE)
        body = [assembly(atom.instruction, [d], [a, b, c], braces)]
    else:
        raise CompileError(f"{_foreign(atom)}\n{where(op)}")
    zero = "" if added else f"\n  for (int i = 0; i < {c.count}; ++i) c_[i] = 0;"
    lines = [d.declared(False), a.declared(True), b.declared(True), c.declared(added) + zero]
    lines += [f"  {text}" for text in body]
    given = ", ".join(f"const void* {letter}" for letter in ("a", "b", *("c",) * added))
    return "\n".join([f"{function} void {name}(void* d, {given}) {{", *lines, "  memcpy(d, d_, sizeof d_);", "}"])


def _foreign(atom: MmaAtom) -> str:
    """Why an atom is none of CUDA's, and what to take instead."""
    if not atom.arch.startswith("gfx"):
        return f"the cuda emitter does not know the instruction {atom.instruction}"
    m, n, k = atom.shape_mnk
    said = f"{atom.instruction} is an instruction of {atom.arch}, not of NVIDIA's machines, for a tile of {m}x{n}x{k}"
    return f"{said}; take an atom of theirs, such as fx.nvvm.MmaSync(16, 8, 16, fx.Float16), or fx.UniversalFMA"


# dp2a takes bytes of B, the atom numbers of 16 bits; no one instruction does.
_DOT = (
    "d_[0] = (int)((unsigned int)c_[0] + (unsigned int)((short)a_[0] * (short)b_[0])"
    " + (unsigned int)((short)(a_[0] >> 16) * (short)(b_[0] >> 16)));"
)


def _fused(atom: MmaAtom) -> str:
    element = atom.dtypes[0]
    if element.is_integer:
        bits = f"unsigned {element.c_name}"
        return f"d_[0] = ({element.c_name})(({bits})a_[0] * ({bits})b_[0] + ({bits})c_[0]);"
    return f"d_[0] = {'fmaf' if element.bits == 32 else 'fma'}(a_[0], b_[0], c_[0]);"


# ---- copies

_WIDE = "struct alignas(16) tw_wide { uint4 low, high; };"
_MOVES = {  # by which end is in registers: source, target
    (False, True): """template <class W> {function} void tw_take(void* registers, const void* memory) {{
  const W word = *static_cast<const W*>(memory);
  memcpy(registers, &word, sizeof word);
}}""",
    (True, False): """template <class W> {function} void tw_give(void* memory, const void* registers) {{
  W word;
  memcpy(&word, registers, sizeof word);
  *static_cast<W*>(memory) = word;
}}""",
    (True, True): """template <class W> {function} void tw_keep(void* to, const void* from) {{
  memcpy(to, from, sizeof(W));
}}""",
    (False, False): """template <class W> {function} void tw_carry(void* to, const void* from) {{
  *static_cast<W*>(to) = *static_cast<const W*>(from);
}}""",
}
_MOVE_NAMES = {(False, True): "tw_take", (True, False): "tw_give", (True, True): "tw_keep", (False, False): "tw_carry"}


def _copy(out: Writer, op: CopyAtomOp) -> None:
    need_assembly(out, op)
    atom, (dst, src) = op.instruction, op.places
    if atom.arch.startswith("gfx"):
        raise CompileError(f"{atom.name} is an instruction of {atom.arch}, not of NVIDIA's machines\n{where(op)}")
    to, source = _address(out, dst), _address(out, src)
    if atom.instruction == "":
        bits = int(atom.dst_bits[1].size)
        bits = dst.element.bits if bits == 1 else bits
        if bits not in WORDS:
            raise CompileError(f"a copy of {bits} bits is none of {', '.join(map(str, WORDS))}\n{where(op)}")
        if bits == 256:
            out.functions.setdefault("tw_wide", _WIDE)
        ends = src.space == LOCAL, dst.space == LOCAL
        out.functions.setdefault(_MOVE_NAMES[ends], _MOVES[ends].format(function=out.table.function))
        out.line(f"{_MOVE_NAMES[ends]}<{WORDS[bits]}>({to}, {source});")
        return
    name = called(atom.instruction)
    out.functions.setdefault(name, _move_function(name, atom, op, out.table.function))
    out.line(f"{name}({to}, {source});")


def _move_function(name: str, atom: CopyAtom, op: Operation, function: str) -> str:
    loads, wide = atom.spaces[1] == "register", ".v8.f32" in atom.instruction
    if not (atom.instruction.startswith(("ldmatrix", "stmatrix")) or wide):
        raise CompileError(f"the cuda emitter does not know the instruction {atom.instruction}\n{where(op)}")
    loads = loads or atom.instruction.startswith("ld.")
    bits = int((atom.dst_bits if loads else atom.src_bits)[1].size)
    words = Words("w", *(("float", "f") if wide else _PACKED), bits // 32)
    listed = "{" + ", ".join(f"%{i + (not loads)}" for i in range(words.count)) + "}"
    address = ('"l"(memory)') if wide else f'"r"({SHARED_ADDRESS.format("memory")})'
    copied = "memcpy(registers, w_, sizeof w_);" if loads else "memcpy(w_, registers, sizeof w_);"
    if loads:
        told = f"{atom.instruction} {listed}, [%{words.count}];"
        text = f'asm volatile("{told}" : {words.passed(True)} : {address} : "memory");'
        head, body = "void* registers, const void* memory", [text, copied]
    else:
        text = f'asm volatile("{atom.instruction} [%0], {listed};" :: {address}, {words.passed()} : "memory");'
        head, body = "void* memory, const void* registers", [copied, text]
    lines = [words.declared(False), *(f"  {line}" for line in body)]
    return "\n".join([f"{function} void {name}({head}) {{", *lines, "}"])


def _address(out: Writer, place: Place) -> str:
    return f"&{out.element(place.memory, place.indices)}"


def need_assembly(out: Writer, op: Operation) -> None:
    """Raises `CompileError` where the dialect has no inline assembly."""
    if not out.table.assembly:
        raise CompileError(f"the {out.table.name} emitter does not know the op {op.name}\n{where(op)}")


INSTRUCTIONS: Handlers = {MmaAtomOp: _product, CopyAtomOp: _copy}
