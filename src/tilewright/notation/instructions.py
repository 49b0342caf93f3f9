"""The name of an instruction is no object; which atoms stand for it is said instead."""

from __future__ import annotations

import re
from typing import NoReturn

from tilewright.atoms import catalog
from tilewright.notation.reader import Reader

# Of PTX, of AMD's ISAs, and of what LLVM, MLIR and clang call them: other words are not searched for.
_NAME = re.compile(
    r"(m[0-9]+n[0-9]+k[0-9]+|(mma|wgmma|tcgen05|ldmatrix|stmatrix)(?=\.|$)|(cp|llvm|nvvm|rocdl|amdgpu)\."
    r"|(v|ds|buffer|global|__builtin)_)[\w.:]{0,99}"
)
_SAID = 3
_LEAST = 2  # parts between dots that say an instruction


def is_instruction(r: Reader) -> bool:
    """Is the text a word, such as `m16n8k16` or `v_mfma_f32_32x32x8_f16`, by which atoms are found?"""
    return bool(_atoms(r)[1])


def refuse_instruction(r: Reader) -> NoReturn:
    """Says the atoms by name, any of which can be read."""
    word, names = _atoms(r)
    it = "it" if word == r.text.strip() else word
    more = f" and {len(names) - _SAID} more, which tw.atoms.list has" if len(names) > _SAID else ""
    r.refuse(f"an instruction is no layout; write an atom of {it}: {', '.join(names[:_SAID])}{more}", r.token)


def _atoms(r: Reader) -> tuple[str, tuple[str, ...]]:
    """What the text says, as far as atoms are known by it, and these: hints of caches and the like come last."""
    whole = r.text.strip()
    parts = whole.split(".") if _NAME.fullmatch(whole) else []
    words = (".".join(parts[:n]) for n in range(len(parts), min(_LEAST, len(parts)) - 1, -1) if n)
    found = ((word, _named(word)) for word in words)
    return next((pair for pair in found if pair[1]), (whole, ()))


def _named(word: str) -> tuple[str, ...]:
    return (*catalog.list(word, kind="mma"), *catalog.list(word, kind="copy"))
