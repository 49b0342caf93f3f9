"""When a swizzled layout is a plain one, and which bits of an offset vary.

A swizzle XORs bits that it reads (Y) into bits that it changes (Z). In a slice some of them are fixed. Where the Y
bit of a pair is fixed, its Z bit is kept or flipped: a stride of 2^z becomes -2^z. Where the Z bit is fixed, the Y bit
moves the value by 2^y and by 2^z up or down. Only where both bits of a pair vary is the slice no layout.
"""

from __future__ import annotations

from tilewright.layout.algebra.modes import coalesced, from_modes, rebuild
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle


def unswizzled(swizzle: Swizzle, offset: int, layout: Layout) -> Layout | None:
    """The plain layout P with P(x) == Sw(offset + L(x)) - Sw(offset), where the bits show it; else None."""
    if swizzle.b == 0:
        return layout
    changes = _changes(swizzle, offset, layout)
    if changes is None:
        return None
    flat = [leaf for s, d in layout.flat if (leaf := _leaf(s, d, changes)) is not None]
    return None if len(flat) < len(layout.flat) else rebuild(layout.shape, flat)


def _changes(swizzle: Swizzle, offset: int, layout: Layout) -> dict[int, int] | None:
    """Bit -> the stride that a varying bit gets, for bits whose stride is not their own value."""
    varying = varying_bits(offset, layout)
    if varying is None:
        return None
    changes: dict[int, int] = {}
    for j in range(swizzle.b):
        y = swizzle.m + j + max(0, swizzle.s)
        z = swizzle.m + j - min(0, swizzle.s)
        if varying >> y & 1 and varying >> z & 1:
            return None
        if varying >> y & 1:
            changes[y] = (1 << y) + (-(1 << z) if offset >> z & 1 else 1 << z)
        elif varying >> z & 1 and offset >> y & 1:
            changes[z] = -(1 << z)
    return changes


def varying_bits(offset: int, layout: Layout) -> int | None:
    """The bits in which offset + L(x) varies, if every leaf moves bits of its own and never carries; else None."""
    varying = 0
    for s, d in layout.flat:
        if s == 1 or d == 0:
            continue
        if type(s) is not int or type(d) is not int or d < 0:
            return None
        low = d & -d
        bits = (1 << (d * (s - 1)).bit_length()) - low
        if varying & bits or offset & bits:
            return None
        varying |= bits
    return varying


def _leaf(extent: int, step: int, changes: dict[int, int]) -> Layout | None:
    """One leaf with the strides of its changed bits."""
    if extent == 1 or step == 0:
        return trusted(extent, step)
    reach = (step * (extent - 1)).bit_length()
    if not any(step & -step <= 1 << bit < 1 << reach for bit in changes):
        return trusted(extent, step)
    if step & (step - 1):
        return None
    extents: list[int] = []
    steps: list[int] = []
    bit = step.bit_length() - 1
    while extent > 1:
        changed = min((other for other in changes if other >= bit), default=reach)
        take = min(1 << max(1, changed - bit), extent) if changed > bit else 2
        if extent % take:
            return None
        extents.append(take)
        steps.append(changes.get(bit, 1 << bit))
        extent //= take
        bit += take.bit_length() - 1
    return from_modes(*coalesced(tuple(extents), tuple(steps)))
