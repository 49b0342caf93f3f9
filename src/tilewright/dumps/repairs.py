"""Repairs: the swizzle of a buffer that serves all its accesses together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from tilewright.analysis.swizzle.joint import Served, serve
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding, Unknown, Use


def repaired(
    found: Iterable[Finding | Unknown], spec: ArchSpec, described: Collection[str] = ()
) -> list[Finding | Unknown]:
    """The same findings, each with the swizzle that lessens its wavefronts and those of its whole buffer.

    A buffer has one where all that accesses it is known, and sees it as one tile. For buffers that are `described`,
    which descriptors reach, only the hardware's modes are proposed.
    """
    found = list(found)
    unsure = {one.buffer for one in found if isinstance(one, Unknown) and one.shared}
    sharing: dict[str, list[Finding]] = {}
    for one in found:
        if isinstance(one, Finding) and one.use is not None and one.buffer not in unsure:
            sharing.setdefault(one.buffer, []).append(one)
    known: dict[tuple[object, ...], Served | None] = {}
    mended: dict[int, Finding] = {}
    for buffer, accesses in sharing.items():
        uses = [one.use for one in accesses if one.use is not None]
        if any(one.excess for one in accesses) and len({use.tile for use in uses}) == 1:
            key = (tuple(uses), buffer in described)
            if key not in known:
                known[key] = serve([use.asked for use in uses], uses[0].tile.bits, spec, buffer in described)
            mended |= _mended(accesses, uses, known[key])
    return [mended.get(id(one), one) if isinstance(one, Finding) else one for one in found]


def _mended(accesses: list[Finding], uses: list[Use], served: Served | None) -> dict[int, Finding]:
    before = sum(one.wavefronts or 0 for one in accesses)
    if served is None or sum(served.wavefronts) >= before:
        return {}
    what = uses[0].tile.words(served.swizzle)
    what += f" (which reaches {served.grows} elements further)" if served.grows else ""
    rest = f"; all {len(accesses)} accesses of the buffer {sum(served.wavefronts)} instead of {before}"
    return {
        id(one): replace(one, repair=f"{what}: {after} wavefronts{rest if len(accesses) > 1 else ''}")
        for one, after in zip(accesses, served.wavefronts, strict=True)
        if after < (one.wavefronts or 0)
    }
