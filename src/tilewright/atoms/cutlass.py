"""CUTLASS's spellings of atom names: namespaces, template arguments, and `/type` for a copy's element type."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypedDict, TypeVar

from tilewright.atoms import copy_universal, sm100, sm120, universal
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import cpp_dtype
from tilewright.errors import UsageError, shown
from tilewright.numerals import is_digits, natural

Key = TypeVar("Key")

MAX_ARGUMENT = 2**31
_TCGEN05 = re.compile(
    r"SM10[03]_(?:MMA_)?(TF32|F16BF16|S8|F8F6F4|MXF8F6F4|MXF4_ULTRA|MXF4NVF4|MXF4)"
    r"(_2x1SM)?_(SS|TS)(_SPARSE|_SCALED|_VS|_INTERLEAVED_\w+)*"
)
_CP_ASYNC = re.compile(r"SM80_CP_ASYNC_CACHE(ALWAYS|GLOBAL)(_ZFILL)?")
_NAMESPACES = re.compile(r"\b(?:cute|cutlass|detail|SM[0-9]+|BLOCKSCALED|SPARSE)::")
_WIDE = {"uint128_t": 128, "uint256_t": 256}  # bits of what no element has
_SM120 = re.compile(r"SM120(_SPARSE)?_16x8x([0-9]{1,4})_TN(_VS)?")


# the first word of a name within its namespace -> the first words of ours
_WITHIN = {"MMA": "SM90", "GMMA": "SM90_SPARSE", "AutoVectorizingCopy": "DefaultCopy"}


def plain_name(name: str) -> str:
    """The name without namespaces, template arguments and element type.

    >>> plain_name("SM120::SPARSE::SM120_SPARSE_16x8x64_TN<A,B,float>")
    'SM120_SPARSE_16x8x64_TN'
    >>> plain_name("SM90::GMMA::SPARSE::GMMA_64x8x64_F32E4M3E4M3_SS_TN<>")
    'SM90_SPARSE_64x8x64_F32E4M3E4M3_SS_TN'
    """
    base = name.split("<", 1)[0].split("/", 1)[0]
    first, *rest = base.rsplit("::", 1)[-1].strip().removesuffix("WithAssumedAlignment").split("_")
    return "_".join([_WITHIN.get(first, first), *rest]) + (_kept_argument(name) if _keeps_arguments(base) else "")


def template_arguments(name: str) -> tuple[str, ...]:
    """The top-level template arguments of a name.

    >>> template_arguments("F<complex<half_t>,128,UMMA::Major::K>")
    ('complex<half_t>', '128', 'UMMA::Major::K')
    """
    start, end = name.find("<"), name.rfind(">")
    if start < 0 or end < start:
        return ()
    found, level = [""], 0
    for character in name[start + 1 : end]:
        level += (character == "<") - (character == ">")
        if character == "," and level == 0:
            found.append("")
        else:
            found[-1] += character
    return tuple(item.strip() for item in found)


def _spelled(name: str) -> str:
    """One spelling of a name with template arguments, whoever wrote it: no blanks, none of the namespaces.

    >>> _spelled("cute::SM100_MMA_TF32_SS<cutlass::tfloat32_t, float, 128>")
    'SM100_MMA_TF32_SS<tfloat32_t,float,128>'
    """
    return _NAMESPACES.sub("", name).replace(", ", ",").strip()


def names_mma(name: str) -> bool:
    """Is it the name of an MMA operation whose template arguments say its shape or types?"""
    base = name.split("<", 1)[0].rsplit("::", 1)[-1]
    return base == "UniversalFMA" or bool(_TCGEN05.fullmatch(base) or _SM120.fullmatch(base))


def mma_template(name: str) -> MmaAtom | None:
    """The MMA atom of a CUTLASS name whose template arguments say its shape or types; None for other names."""
    name = _spelled(name)
    base, arguments = name.split("<", 1)[0].rsplit("::", 1)[-1], template_arguments(name)
    if base == "UniversalFMA" and arguments:
        return universal.universal_fma(_element(arguments[0]))
    found = _TCGEN05.fullmatch(base)
    if found and len(arguments) > 2:
        return _tcgen05(name, found, arguments)
    found = _SM120.fullmatch(base)
    if found and len(arguments) > 2:
        return _sm120(name, found, arguments)
    return None


def copy_template(name: str, plain: Callable[[str], CopyAtom]) -> CopyAtom | None:
    """The copy atom of a CUTLASS name with template arguments or element type, else None; `plain` knows the others."""
    base, _, element = _spelled(name).partition("/")
    arguments = template_arguments(base)
    found = _CP_ASYNC.fullmatch(base.split("<", 1)[0])
    if base.startswith("UniversalCopy<") and arguments:
        bits = _bits(arguments[0])
        atom = copy_universal.universal_copy(bits).with_element(bits)
    elif found and arguments:
        atom = copy_universal.cp_async(found[1], found[2] or "", _bits(arguments[0]))
    elif element or any(base.startswith(f"{tma}<") for tma in copy_universal.TMA):
        atom = _plain_copy(base, arguments, plain)
    else:
        return None
    return atom.with_element(_bits(element)) if element else atom


def _plain_copy(base: str, arguments: tuple[str, ...], plain: Callable[[str], CopyAtom]) -> CopyAtom:
    tma, template, _ = base.partition("<")
    if not template or tma not in copy_universal.TMA:
        return plain(base)
    if not arguments or not is_digits(arguments[0]):
        raise UsageError(f"{base:.60}: the template argument is the number of bits that are moved")
    return copy_universal.tma(tma, _number(arguments[0]))


class _Told(TypedDict, total=False):
    """What the arguments say beside M and N."""

    types: tuple[str, str, str]
    k: int
    scale: tuple[str, int]


def _tcgen05(name: str, found: re.Match[str], arguments: tuple[str, ...]) -> MmaAtom:
    kind, ctas = found[1], 2 if found[2] else 1
    types, numbers = _split_arguments(arguments)
    if len(numbers) < 2:
        raise UsageError(f"{shown(name)}: expected the template arguments to hold M and N")
    more: _Told = {}
    if "INTERLEAVED" in name:
        more = {"types": ("float32", "complex64", "complex64"), "k": 4}
    elif len(types) > 2:
        a, b, d = (_element(t) for t in types[:3])
        row = sm100.KINDS[kind]
        more = {"types": (d, a, b), "k": row.k // 2 if a.startswith("complex") else row.k}
        if len(types) > 3 and row.scale:
            block = numbers[2] if len(numbers) > 2 else row.scale[1] * (2 if "_SPARSE" in name else 1)
            more["scale"] = (_element(types[3]), block)
    sparse = "_SPARSE" in name
    return sm100.tcgen05(kind, numbers[0], numbers[1], ctas=ctas, source=found[3], sparse=sparse, name=name, **more)


def _sm120(name: str, found: re.Match[str], arguments: tuple[str, ...]) -> MmaAtom:
    sparse, k = bool(found[1]), int(found[2])
    types, numbers = _split_arguments(arguments)
    if len(types) < 2:
        raise UsageError(f"{shown(name)}: expected the template arguments to hold the types of A and B")
    a, b = (_one(_LETTERS, _element(t), t) for t in types[:2])
    packed = k == (128 if sparse else 64)
    scale = _element(types[3]) if numbers and len(types) > 3 else ""
    return sm120.narrow_mma(
        a, b, scaled=numbers[0] if numbers else 0, sparse=sparse, packed=packed, name=name, scale_type=scale
    )


_LETTERS = {
    "float8_e4m3fn": "E4M3",
    "float8_e5m2": "E5M2",
    "float6_e2m3fn": "E2M3",
    "float6_e3m2fn": "E3M2",
    "float4_e2m1fn": "E2M1",
}


def _split_arguments(arguments: tuple[str, ...]) -> tuple[list[str], list[int]]:
    """Template arguments as leading types and the integers that follow (enumerators are passed over)."""
    first = next((i for i, item in enumerate(arguments) if is_digits(item)), len(arguments))
    return list(arguments[:first]), [_number(item) for item in arguments[first:] if is_digits(item)]


def _number(digits: str) -> int:
    value = natural(digits, MAX_ARGUMENT)
    if value is None:
        raise UsageError(f"the template argument {digits[:20]}.. is a number of at least {MAX_ARGUMENT}")
    return value


_COMPLEX = {16: "complex32", 32: "complex64", 64: "complex128"}


def _element(text: str) -> str:
    inner = template_arguments(text)
    if "complex" in text and inner:
        return _one(_COMPLEX, cpp_dtype(_local(inner[0])).bits, text)
    # Unsigned e4m3 has the exponents and mantissas of the signed type.
    return cpp_dtype(_local(text).replace("ue4m3", "e4m3")).name


def _local(text: str) -> str:
    return text.rsplit("::", 1)[-1].strip()


def _one(table: Mapping[Key, str], key: Key, text: str) -> str:
    if key not in table:
        raise UsageError(f"{shown(text)} is none of {', '.join(map(str, table))}")
    return table[key]


def _bits(text: str) -> int:
    return _WIDE.get(_local(text)) or cpp_dtype(_element(text)).bits


def _keeps_arguments(base: str) -> bool:
    return base.startswith(("SM90_TMA", "SM90_BULK", "SM100_TMA", "UniversalFMA", "SM100_MMA"))


def _kept_argument(name: str) -> str:
    start, end = name.find("<"), name.rfind(">")
    return name[start : end + 1] if 0 <= start < end else ""
