"""The type letters in CUTLASS atom names, and the small tables that instruction mnemonics need."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilewright.errors import UsageError, shown

# CUTLASS letters -> (our element type, PTX suffix)
_LETTERS = {
    "F16": ("float16", "f16"),
    "BF16": ("bfloat16", "bf16"),
    "TF32": ("tfloat32", "tf32"),
    "F32": ("float32", "f32"),
    "F64": ("float64", "f64"),
    "C64": ("complex128", "f64"),
    "GC64": ("complex128", "f64"),
    "S32": ("int32", "s32"),
    "S16": ("int16", "s16"),
    "S8": ("int8", "s8"),
    "U8": ("uint8", "u8"),
    "S4": ("int4", "s4"),
    "U4": ("uint4", "u4"),
    "U1": ("uint1", "b1"),
    "E4M3": ("float8_e4m3fn", "e4m3"),
    "E5M2": ("float8_e5m2", "e5m2"),
    "E2M3": ("float6_e2m3fn", "e2m3"),
    "E3M2": ("float6_e3m2fn", "e3m2"),
    "E2M1": ("float4_e2m1fn", "e2m1"),
    "I32": ("int32", "i32"),
    "I8": ("int8", "i8"),
    "I4": ("int4", "i4"),
}
_SPLIT = re.compile("|".join(sorted(_LETTERS, key=len, reverse=True)))


def types(letters: str) -> tuple[str, str, str, str]:
    """The element types of D, A, B, C from a name's letters; C is D where only three are written.

    >>> types("F32F16F16F32")
    ('float32', 'float16', 'float16', 'float32')
    """
    found = [_LETTERS[item][0] for item in split(letters)]
    d, a, b, c = found if len(found) == 4 else [*found, found[0]]
    return d, a, b, c


def suffixes(letters: str) -> str:
    """PTX type suffixes in the order of the letters.

    >>> suffixes("S32S8U8S32")
    's32.s8.u8.s32'
    """
    return ".".join(_LETTERS[item][1] for item in split(letters))


def split(letters: str) -> list[str]:
    """The single types in a run of letters.

    >>> split("F32BF16BF16F32")
    ['F32', 'BF16', 'BF16', 'F32']
    """
    found = _SPLIT.findall(letters)
    if "".join(found) != letters or len(found) not in (3, 4):
        raise UsageError(f"{shown(letters)} does not name the types of D, A, B and C")
    return found


_FOREIGN = frozenset(("llvm", "amdgcn", "builtin", "nvvm", "rocdl", "amdgpu", "nvgpu", "v", "sync", "aligned", "w32"))
_PARTS, _BLOCKS = re.compile("[0-9a-z]+"), re.compile("[0-9]+b")


def foreign_words(name: str) -> tuple[list[str], str]:
    """What an intrinsic, a builtin or an operation of MLIR says of the instruction, none of a name of another form; and
    the machine that it names.

    >>> foreign_words("llvm.amdgcn.mfma.f32.32x32x8f16"), foreign_words("xyz")
    ((['mfma', 'f32', '32x32x8f16'], ''), ([], ''))
    >>> foreign_words("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12")
    (['wmma', 'f32', '16x16x16', 'f16'], 'gfx12')
    """
    parts = _PARTS.findall(name.lower())
    machine = next((part for part in parts if part.startswith("gfx")), "")
    own = [part for part in parts if part not in _FOREIGN and part != machine]
    return (own, machine) if _FOREIGN.intersection(parts) else ([], "")


def says(instruction: str, words: Sequence[str]) -> bool:
    """Does the instruction's name hold the words in their order? `32x32x8_f16` is `32x32x8f16` in LLVM.

    Nor do LLVM's names say how many blocks there are, as `4x4x4_16b_f16` does.

    >>> says("v_mfma_f32_32x32x8_f16", ["mfma", "32x32x8f16"]), says("v_mfma_f32_32x32x8_bf16", ["f16"])
    (True, False)
    """
    parts = [part for part in _PARTS.findall(instruction.lower()) if not _BLOCKS.fullmatch(part)]
    at = 0
    for word in words:
        ends = (at_end for i in range(at, len(parts)) for at_end in (i + 1, i + 2) if "".join(parts[i:at_end]) == word)
        at = next(ends, 0)
        if not at:
            return False
    return True
