"""Repairs: the layout of a buffer that serves all its accesses together, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tilewright.dumps.finding import Finding, Repair, Unknown


@dataclass(frozen=True, slots=True)
class Mended:
    """Another layout of a buffer, in the words of its language, and what its accesses cost under it, one by one."""

    words: str
    wavefronts: tuple[int, ...]
    instructions: tuple[str, ...]


# All accesses of one buffer -> a better layout of it, or why there is none.
Mend: TypeAlias = Callable[[Sequence[Finding]], Mended | str]


def repaired(found: Iterable[Finding | Unknown], mend: Mend) -> list[Finding | Unknown]:
    """The same findings; accesses of a buffer with conflicts each with the layout that lessens those of the buffer.

    A buffer has one where all that accesses it is known; else its accesses say why not.
    """
    found = list(found)
    unsure = {one.buffer: one.line for one in reversed(found) if _leaves_open(one)}
    sharing: dict[str, list[Finding]] = {}
    for one in found:
        if isinstance(one, Finding) and (one.buffer or one.use) and one.wavefronts is not None:
            sharing.setdefault(one.buffer, []).append(one)
    mended: dict[int, Finding] = {}
    for buffer, accesses in sharing.items():
        if any(one.excess for one in accesses):
            line = unsure.get(buffer, unsure.get(""))
            told = mend(accesses) if line is None else f"what line {line} accesses of it is not known"
            mended |= _told(accesses, told)
    return [mended.get(id(one), one) if isinstance(one, Finding) else one for one in found]


def _leaves_open(one: Finding | Unknown) -> bool:
    """Is it not known what it accesses, or where?"""
    return one.shared if isinstance(one, Unknown) else one.use is not None and not one.buffer


def _told(accesses: Sequence[Finding], mended: Mended | str) -> dict[int, Finding]:
    if isinstance(mended, str):
        return {id(one): replace(one, unrepaired=mended) for one in accesses if one.excess}
    before, after = sum(one.wavefronts or 0 for one in accesses), sum(mended.wavefronts)
    told = zip(accesses, mended.wavefronts, mended.instructions, strict=True)
    return {
        id(one): _with(one, Repair(mended.words, spent, how, len(accesses), before, after)) for one, spent, how in told
    }


def _with(one: Finding, repair: Repair) -> Finding:
    if repair.wavefronts < (one.wavefronts or 0):
        return replace(one, repair=repair)
    left = f"the repair of its buffer leaves it at {repair.wavefronts} wavefronts" if one.excess else ""
    return replace(one, unrepaired=left)
