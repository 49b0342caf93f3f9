"""Trainium's two-dimensional scratchpads: partitions `P`, free bytes `F`, and the banks of PSUM."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iter, Iters, Parts, as_shape, make_iter, terms

PARTITIONS = 128
PSUM_BANK = 512
P, F, BANK = Axis.get("P"), Axis.get("F"), Axis.get("Bank")


def trainium(annotation: str, shape: Sequence[int]) -> Parts:
    """Row-major over the dimensions marked P and, apart from them, over those marked F.

    A single P dimension beyond 128 partitions puts its higher part on F, outermost there.

    Raises:
        LayoutError: marks other than P and F, or partitions that do not fit into 128.

    >>> trainium("PF", (256, 64)).shard
    (Iter(2, 64, F), Iter(128, 1, P), Iter(64, 1, F))
    """
    shape = as_shape(shape)
    if not isinstance(annotation, str) or len(annotation) != len(shape) or set(annotation) - {"P", "F"}:
        raise LayoutError(f"annotation {shown(annotation)} must mark each of the {len(shape)} dimensions P or F")
    dims = [(mark, extent) for mark, extent in zip(annotation, shape, strict=True)]
    free = prod(extent for mark, extent in dims if mark == "F")
    partitions = prod(extent for mark, extent in dims if mark == "P")
    spill = partitions // PARTITIONS if annotation.count("P") == 1 and partitions > PARTITIONS else 1
    if partitions > PARTITIONS * spill:
        raise LayoutError(
            f"the P dimensions hold {partitions} partitions; one P dimension must be at most 128 or a multiple of "
            "128, several must hold at most 128 together"
        )
    out: list[Iter] = []
    used = {"F": free, "P": min(partitions, PARTITIONS)}
    for mark, extent in dims:
        if mark == "P" and spill > 1:
            out.append(Iter(spill, free, F))
            extent = PARTITIONS
        used[mark] //= extent
        out.append(Iter(extent, used[mark], mark))
    return Parts(tuple(out))


def to_psum(parts: Parts) -> Parts:
    """The F axis cut into PSUM banks of 512 elements.

    Raises:
        LayoutError: an iter crosses the end of a bank.
    """
    return Parts(tuple(piece for it in parts.shard for piece in _banked(it)), parts.replica, parts.offset)


def is_trainium(parts: Parts) -> bool:
    """Does the shard use no memory axis but P, F and Bank?"""
    axes = {axis for it in parts.shard for axis, _ in terms(it.stride, it.axis) if axis.is_memory()}
    return axes <= {P, F, BANK}


def _banked(it: Iter) -> Iters:
    if it.axis is not F or (it.extent - 1) * it.stride < PSUM_BANK:
        return (it,)
    if it.stride % PSUM_BANK == 0:
        return (make_iter(it.extent, it.stride // PSUM_BANK, BANK),)
    inner = PSUM_BANK // it.stride
    if PSUM_BANK % it.stride == 0 and it.extent % inner == 0:
        return make_iter(it.extent // inner, 1, BANK), make_iter(inner, it.stride, F)
    raise LayoutError(f"{it} can not be converted to PSUM: it crosses the end of a bank of {PSUM_BANK} elements")
