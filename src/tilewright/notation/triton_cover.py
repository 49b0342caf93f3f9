"""Fitting an F2 tile to a tensor: repeat it where it is too small, fold it where it is too large, split it over blocks.

Dimensions of the tensor are dim0, dim1, ... Source: the rules of Triton 3 for tensors and layouts of unequal size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from math import prod
from operator import mul

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout

Bases = dict[str, list[list[int]]]


def dim_names(rank: int) -> list[str]:
    """The names of a tensor's dimensions, outermost first.

    >>> dim_names(2)
    ['dim0', 'dim1']
    """
    return [f"dim{i}" for i in range(rank)]


def identity(level: str, sizes: Sequence[int], order: Sequence[int]) -> LinearLayout:
    """The level counts through a box of those sizes, dimension order[0] fastest.

    >>> print(identity("lane", [2, 4], [1, 0]))
    {lane = [[1, 0], [2, 0], [0, 1]]} -> {dim1 = 4, dim0 = 2}
    """
    outs = tuple((f"dim{d}", sizes[d]) for d in order)
    size = prod(sizes[d] for d in order)
    return LinearLayout(((level, size),), outs, tuple(1 << i for i in range(size.bit_length() - 1)))


def product(factors: Iterable[LinearLayout]) -> LinearLayout:
    """The direct sum of all factors, of at least one, the first one on the lowest bits."""
    return reduce(mul, factors)


def cover(layout: LinearLayout, shape: Mapping[str, int]) -> LinearLayout:
    """The layout repeated along its first input dimension until it is no smaller than the shape.

    >>> print(cover(LinearLayout.identity_1d(2, "register", "dim0"), {"dim0": 8}))
    {register = [[1], [2], [4]]} -> {dim0 = 8}
    """
    level = layout.get_in_dim_names()[0]
    missing = [(name, shape[name] // size) for name, size in layout.out_dims if size < shape[name]]
    return reduce(mul, (LinearLayout.identity_1d(count, level, name) for name, count in missing), layout)


def fold(layout: LinearLayout, shape: Mapping[str, int], drop_registers: bool = False) -> LinearLayout:
    """The layout no larger than the shape: inputs with the largest images along a dimension become broadcasts.

    With `drop_registers` such registers vanish instead.

    >>> print(fold(LinearLayout.identity_1d(8, "lane", "dim0"), {"dim0": 2}))
    {lane = [[1], [0], [0]]} -> {dim0 = 2}
    """
    if all(size <= shape[name] for name, size in layout.outs):
        return layout
    bases = dict(layout.bases)
    dropped: set[tuple[str, int]] = set()
    for d, (name, size) in enumerate(layout.out_dims):
        excess = max(0, size.bit_length() - shape[name].bit_length())
        for level, i in _largest_first(bases, d)[:excess] if excess else ():
            bases[level][i][d] = 0
            dropped |= {(level, i)} if drop_registers and level == "register" else set()
    kept = {
        level: [image for i, image in enumerate(images) if (level, i) not in dropped] for level, images in bases.items()
    }
    return sized(kept, [(name, min(size, shape[name])) for name, size in layout.out_dims])


def _largest_first(bases: Bases, d: int) -> list[tuple[str, int]]:
    images = [(image[d], level, i) for level, rows in bases.items() for i, image in enumerate(rows) if image[d]]
    if any(value & (value - 1) for value, _, _ in images):
        raise LayoutError(f"a swizzled layout cannot be folded along dim{d}; the tensor is smaller than the layout")
    return [(level, i) for _, level, i in sorted(images, reverse=True)]


def sized(bases: Bases, outs: Sequence[tuple[str, int]]) -> LinearLayout:
    """The layout of those bases and output sizes, onto or not."""
    return LinearLayout.from_bases(bases, [n for n, _ in outs], [s for _, s in outs], require_surjective=False)


def per_block(blocks: LinearLayout, shape: Sequence[int]) -> tuple[int, ...]:
    """The part of the shape that one block holds."""
    return tuple(max(1, extent // blocks.get_out_dim_size(f"dim{d}")) for d, extent in enumerate(shape))


def combine(tile: LinearLayout, blocks: LinearLayout, shape: Sequence[int]) -> LinearLayout:
    """The tile fitted to what one block holds, then the blocks, onto a tensor of exactly that shape."""
    names = dim_names(len(shape))
    blocks = _ordered(fold(blocks, dict(zip(names, shape, strict=True))), tuple(tile.get_out_dim_names()))
    part = dict(zip(names, per_block(blocks, shape), strict=True))
    return (fold(cover(tile, part), part) * blocks).transpose_outs(names)


@lru_cache(1 << 8)
def _ordered(blocks: LinearLayout, names: tuple[str, ...]) -> LinearLayout:
    return blocks.transpose_outs(names)
