"""What the target does to thread axes: under a GPU target they are fused, with the warp size of its architecture."""

from __future__ import annotations

from typing import TypeAlias

from tilewright.arch import Target
from tilewright.tirx.canonical import tidy
from tilewright.tirx.iters import Parts
from tilewright.tirx.scope import fuse_axes, get_scope, split_axes

TargetLike: TypeAlias = Target | str | None

_GPUS = ("cuda", "hip")


def lanes_of(target: TargetLike) -> int | None:
    """The warp size of a target, by default of the enclosing `with Target(..)`; None where no GPU is meant."""
    current = Target.current() if target is None else Target(target)
    return current.arch.lanes if current is not None and current.kind in _GPUS else None


def fused(parts: Parts, target: TargetLike = None) -> Parts:
    """The parts, with thread axes fused where the target is a GPU."""
    lanes = lanes_of(target)
    return parts if lanes is None else fuse_axes(tidy(parts), lanes)


def same_level(factor: Parts, tiled: Parts, end: int) -> tuple[Parts, Parts]:
    """Both with thread axes fused, those of the tiled layout split at the level where the factor's begin or end.

    `end` is 0 for the smallest level of the factor, 1 for its largest.
    """
    part, whole, lanes = fused(factor), fused(tiled), lanes_of(None)
    if lanes is not None:
        own, other = get_scope(part), get_scope(whole)
        if own and other and own[end] != other[end]:
            return part, split_axes(whole, own[end], lanes) or whole
    return part, whole
