"""The catalog: every atom by name, `mma(name)` and `copy(name)`, and searching among them and those of shared memory.

Names are CUTLASS's where CUTLASS has the atom (with or without its template arguments), and of the same form
elsewhere (`CDNA3_16x16x16_F32F16F16F32`). An atom is built, and so proved, when it is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TypeAlias, TypeVar

from tilewright.arch.products import sold_as
from tilewright.atoms import (
    cdna,
    copy_amd,
    copy_sm75,
    copy_sm100,
    copy_universal,
    cutlass,
    rdna,
    sm70,
    sm80,
    sm80_sparse,
    sm90,
    sm100,
    sm120,
    universal,
)
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.naming import foreign_words, says
from tilewright.atoms.registry import Row
from tilewright.atoms.shared_atoms import ALL_SHARED, SharedAtom, shared_atom
from tilewright.dtypes import FAMILIES
from tilewright.errors import UsageError, close_names, shown

T = TypeVar("T")
Known: TypeAlias = MmaAtom | CopyAtom | SharedAtom

_MMA_FILES = (universal, sm70, sm80, sm80_sparse, sm90, sm100, sm120, cdna, rdna)
_COPY_FILES = (copy_universal, copy_sm75, copy_sm100, copy_amd)


def mma(name: str) -> MmaAtom:
    """The MMA atom of that name.

    Raises:
        UsageError: there is none; the message suggests names.

    >>> mma("SM80_16x8x16_F32F16F16F32_TN").shape_mnk
    (16, 8, 16)
    >>> mma("SM90_64x16x16_F16F16F16_SS<GMMA::Major::K,GMMA::Major::K>").threads
    128
    """
    return _mma(_text(name, "an atom's name"))


def has_mma(name: str) -> bool:
    """Is it the name of an MMA atom, with or without its template arguments, or one made as theirs are?

    Raises:
        UsageError: no text.

    >>> has_mma("SM80_16x8x16_F32F16F16F32_TN"), has_mma("SM75_U32x4_LDSM_N"), has_mma("SM80_16x8x17_F32")
    (True, False, True)
    """
    text = _text(name, "an atom's name")
    plain = cutlass.plain_name(text)
    return cutlass.names_mma(text) or plain in _mma_rows() or bool(_OF_MMAS.search(plain))


def named(name: str) -> bool:
    """Has an MMA or copy atom exactly this name?

    Raises:
        UsageError: no text.

    >>> named("SM75_U32x4_LDSM_N"), named("SM75_U32x3_LDSM_N")
    (True, False)
    """
    text = _text(name, "an atom's name")
    return text in _mma_rows() or text in _copy_rows()


@cache
def _mma(name: str) -> MmaAtom:
    found = cutlass.mma_template(name)
    if found is not None:
        return found
    return _build(_mma_rows(), cutlass.plain_name(name), name, "MMA")


def copy(name: str) -> CopyAtom:
    """The copy atom of that name.

    Raises:
        UsageError: there is none; the message suggests names.

    >>> print(copy("SM75_U32x4_LDSM_N").dst_bits)
    (32,(32,4)):(32,(1,1024))
    """
    return _copy(_text(name, "an atom's name"))


@cache
def _copy(name: str) -> CopyAtom:
    found = cutlass.copy_template(name, copy)
    if found is not None:
        return found
    return _build(_copy_rows(), cutlass.plain_name(name), name, "copy")


def copy_atom(given: CopyAtom | str, what: str) -> CopyAtom:
    """A copy atom, or the one of that name.

    Args:
        what: how a message begins that says what is a copy atom: "copy is".

    Raises:
        UsageError: neither, or there is none of that name.

    >>> copy_atom("SM75_U32x4_LDSM_N", "copy is") is copy("SM75_U32x4_LDSM_N")
    True
    """
    found = copy(given) if isinstance(given, str) else given
    if not isinstance(found, CopyAtom):
        raise UsageError(f"{_text(what, 'what')} a copy atom or the name of one, got {shown(given)}")
    return found


def list(search: str = "", *, kind: str = "", arch: str = "") -> tuple[str, ...]:
    """The names of the atoms that hold every word of `search`; where none does, of those whose instruction holds them.

    Instructions are found by their names in PTX, in AMD's ISAs, and as intrinsics of LLVM, builtins of clang and
    operations of MLIR. `fp8` and `f8` are the floats of 8 bits that A or B may have, and so on for `fp6` and `fp4`.

    Args:
        kind: "mma", "copy", or "smem" for the layouts of operands in shared memory; empty for all.
        arch: the architecture that brought the instruction, or how its name starts: "sm_80", "gfx9"; empty for all.

    Raises:
        UsageError: another kind, or an architecture that brought none.

    >>> list("16x8x8 TF32", kind="mma")
    ('SM80_16x8x8_F32TF32TF32F32_TN', 'SM80_SPARSE_16x8x8_F32TF32TF32F32_TN')
    >>> list("K SW _Atom", kind="smem")
    ('Layout_K_SW32_Atom', 'Layout_K_SW64_Atom', 'Layout_K_SW128_Atom')
    >>> list("ldmatrix x4 trans", arch="sm_75")
    ('SM75_U16x8_LDSM_T',)
    >>> list("ldmatrix.x4.trans", arch="sm_75")
    ('SM75_U16x8_LDSM_T',)
    >>> list("llvm.amdgcn.mfma.f32.32x32x16.fp8.bf8", arch="gfx942")
    ('CDNA3_32x32x16_F32E4M3E5M2F32',)
    """
    words = _text(search, "what is searched").lower().split()
    if _text(kind, "kind") not in ("", *_KINDS):
        raise UsageError(f"kind is one of {', '.join(_KINDS)}, or empty for all, not {shown(kind)}")
    if _text(arch, "arch") and not any(own.startswith(arch) for own in _architectures().values()):
        known = sold_as(arch) or f"there are atoms of {', '.join(sorted(set(_architectures().values())))}"
        raise UsageError(f"no atom is of architecture {shown(arch)}; {known}")
    names = tuple(chain.from_iterable(rows() for own, rows in _KINDS.items() if kind in ("", own)))

    def holding(text: Callable[[str], str], words: Sequence[str]) -> tuple[str, ...]:
        return tuple(n for n in names if all(word in text(n) or _multiplies(n, word) for word in words))

    instruction = _instructions().__getitem__
    found = (
        holding(str.lower, words) or holding(instruction, words) or holding(instruction, _DOTS.split(search.lower()))
    )
    foreign, machine = foreign_words(search)
    if not found and foreign:
        found = tuple(n for n in names if says(instruction(n), foreign) and _architectures()[n].startswith(machine))
    return tuple(n for n in found if not arch or _architectures()[n].startswith(arch))


_DOTS, _OF_MMAS = re.compile(r"[.\s]+"), re.compile(r"_MMA_|_[0-9]+x[0-9]+x[0-9]+_")


def _multiplies(name: str, word: str) -> bool:
    """Is the word the name of several types, one of which A or B has?"""
    family = FAMILIES.get(word, ())
    atom = mma(name) if family and name in _mma_rows() else None
    return atom is not None and not {*family}.isdisjoint(atom.dtypes[1:3])


@cache
def _architectures() -> Mapping[str, str]:
    return {name: atom.arch for name, atom in _atoms()}


@cache
def _instructions() -> Mapping[str, str]:
    return {name: getattr(atom, "instruction", "").lower() for name, atom in _atoms()}


def _atoms() -> Iterator[tuple[str, Known]]:
    finders: Mapping[str, Callable[[str], Known]] = {"mma": mma, "copy": copy, "smem": shared_atom}
    return ((name, find(name)) for kind, find in finders.items() for name in _KINDS[kind]())


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{what} is a text, got {shown(value)}")
    return value


def _build(rows: Mapping[str, Row[T]], name: str, given: str, kind: str) -> T:
    row = rows.get(name)
    if row is None:
        raise UsageError(f"there is no {kind} atom {shown(given)}; {_hint(rows, name, kind)}")
    _, build, arguments = row
    return build(*arguments)


def _hint(rows: Mapping[str, Row[T]], name: str, kind: str) -> str:
    close = close_names(name, rows, 3)
    if close:
        return f"close names: {', '.join(close)}"
    named = list(name, kind=kind.lower()) if name.strip() else ()
    more = f" and {len(named) - 3} more, which tw.atoms.list has" if len(named) > 3 else ""
    return f"atoms of that instruction: {', '.join(named[:3])}{more}" if named else "`tilewright atoms` lists them"


@cache
def _mma_rows() -> Mapping[str, Row[MmaAtom]]:
    return {row[0]: row for file in _MMA_FILES for row in file.mma_rows()}


@cache
def _copy_rows() -> Mapping[str, Row[CopyAtom]]:
    return {row[0]: row for file in _COPY_FILES for row in file.copy_rows()}


def _smem_rows() -> Mapping[str, SharedAtom]:
    return ALL_SHARED


_KINDS: Mapping[str, Callable[[], Mapping[str, object]]] = {"mma": _mma_rows, "copy": _copy_rows, "smem": _smem_rows}
