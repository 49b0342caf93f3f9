"""What Triton's layout attributes mean: F2 maps (register, lane, warp, block) or (offset, block) -> (dim0, dim1, ...).

A distributed layout says which element a register of a thread holds; a shared layout, which one lies at an offset;
one of tensor memory, which lies at a row and a column of it.
Each kind is a pair: the smallest tensor that shows the whole attribute, and the layout of a tensor of any shape.
Source: the semantics of `toLinearLayout` in Triton 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute, value_text
from tilewright.notation.triton_cover import combine, cover, dim_names, fold, identity, product, sized
from tilewright.notation.triton_fields import Shape, bases_of, blocks_of, integer, integers, order_of
from tilewright.notation.triton_mma import KINDS, dot_layout, dot_tile, mma_layout, mma_tile
from tilewright.notation.triton_shared import nvmma_shared, nvmma_tile, swizzled_shared, swizzled_tile
from tilewright.notation.triton_tensor import scales, scales_tile, tensor_memory, tensor_memory_tile

Rule: TypeAlias = tuple[Callable[[Attribute], Shape], Callable[[Attribute, Shape], LinearLayout]]

_LEVELS = {"register": "sizePerThread", "lane": "threadsPerWarp", "warp": "warpsPerCTA"}


def attribute_layout(a: Attribute, shape: Sequence[int] | None = None) -> LinearLayout:
    """The layout of a tensor of that shape; without a shape, of the smallest tile that the attribute describes.

    Raises:
        LayoutError: a kind that is not read, missing or wrong fields, extents that are not powers of two.
    """
    tile, layout = _rule(a)
    natural = tile(a)
    full = natural if shape is None else tuple(shape)
    if len(full) != len(natural):
        raise LayoutError(f"a tensor {_cross(full)} of rank {len(full)} under {a} of rank {len(natural)}")
    if any(extent < 1 or extent & (extent - 1) for extent in full):
        raise LayoutError(f"a linear layout needs extents that are powers of two, got {_cross(full)}")
    return layout(a, full)


def _rule(a: Attribute) -> Rule:
    if a.kind not in RULES:
        raise LayoutError(f"#ttg.{a.kind} is not among the layout attributes read here: {', '.join(RULES)}")
    return RULES[a.kind]


def _cross(shape: Shape) -> str:
    return "x".join(map(str, shape))


# ---- blocked: a box of registers in a box of lanes in a box of warps


def _blocked_tile(a: Attribute) -> Shape:
    rank = len(order_of(a))
    boxes = [integers(a, key, rank) for key in _LEVELS.values()]
    return tuple(size * prod(box[d] for box in boxes) for d, (_, size) in enumerate(blocks_of(a, rank).out_dims))


def _blocked(a: Attribute, shape: Shape) -> LinearLayout:
    order = order_of(a)
    boxes = tuple((level, integers(a, key, len(order))) for level, key in _LEVELS.items())
    return combine(_box(boxes, order), blocks_of(a, len(order)), shape)


@lru_cache(1 << 10)
def _box(boxes: tuple[tuple[str, Shape], ...], order: Shape) -> LinearLayout:
    return product(identity(level, sizes, order) for level, sizes in boxes)


# ---- linear: the bases themselves

_DISTRIBUTED = ("register", "lane", "warp", "block")
_SHARED = ("offset", "block")


def _explicit(a: Attribute, levels: Sequence[str]) -> LinearLayout:
    fields = {level: a.get(level) for level in levels}
    first = next((images[0] for images in fields.values() if isinstance(images, tuple) and images), None)
    if not isinstance(first, tuple):
        raise LayoutError(f"#ttg.{a.kind} needs {', '.join(levels)} = lists of bases, not all empty")
    return bases_of(a, fields, len(first))


def _sizes(layout: LinearLayout) -> Shape:
    return tuple(size for _, size in layout.out_dims)


def _linear(a: Attribute, shape: Shape) -> LinearLayout:
    layout = _explicit(a, _DISTRIBUTED)
    names = dim_names(len(shape))
    wanted = dict(zip(names, shape, strict=True))
    covered = cover(layout.transpose_outs(_register_order(layout)), wanted)
    return fold(covered, wanted, drop_registers=True).transpose_outs(names)


def _register_order(layout: LinearLayout) -> list[str]:
    # Repetition goes along the dimensions in the order in which the registers walk them, then the innermost first.
    names = layout.get_out_dim_names()
    walked = [name for image in dict(layout.bases)["register"] for name, v in zip(names, image, strict=True) if v]
    return list(dict.fromkeys([*walked, *reversed(names)]))


def _shared_linear(a: Attribute, shape: Shape) -> LinearLayout:
    layout = _explicit(a, _SHARED)
    if _sizes(layout) != shape:
        raise LayoutError(f"{a} is a layout of {_cross(_sizes(layout))} elements, not of {_cross(shape)}")
    return layout


# ---- slice: the parent without one dimension


def _parent(a: Attribute) -> tuple[Attribute, int]:
    parent, dim = a.get("parent"), integer(a, "dim")
    if not isinstance(parent, Attribute):
        raise LayoutError(f"#ttg.slice needs parent = a layout attribute, got {value_text(parent)}")
    return parent, dim


def _slice_tile(a: Attribute) -> Shape:
    parent, dim = _parent(a)
    tile = _rule(parent)[0](parent)
    if dim >= len(tile):
        raise LayoutError(f"#ttg.slice: dim = {dim} is no dimension of {parent}")
    return tile[:dim] + tile[dim + 1 :]


def _slice(a: Attribute, shape: Shape) -> LinearLayout:
    parent, dim = _parent(a)
    whole = attribute_layout(parent, (*shape[:dim], 1, *shape[dim:]))
    bases = {level: [image[:dim] + image[dim + 1 :] for image in images] for level, images in whole.bases}
    bases["register"] = [image for image in bases.get("register", []) if any(image)]
    return sized(bases, list(zip(dim_names(len(shape)), shape, strict=True)))


RULES: dict[str, Rule] = {
    "blocked": (_blocked_tile, _blocked),
    "linear": (lambda a: _sizes(_explicit(a, _DISTRIBUTED)), _linear),
    "slice": (_slice_tile, _slice),
    **dict.fromkeys(KINDS, (mma_tile, mma_layout)),
    "dot_op": (dot_tile, dot_layout),
    "swizzled_shared": (swizzled_tile, swizzled_shared),
    "shared": (swizzled_tile, swizzled_shared),
    "amd_rotating_shared": (swizzled_tile, swizzled_shared),
    "nvmma_shared": (nvmma_tile, nvmma_shared),
    "tensor_memory_encoding": (tensor_memory_tile, tensor_memory),
    "tensor_memory_scales_encoding": (scales_tile, scales),
    "shared_linear": (lambda a: _sizes(_explicit(a, _SHARED)), _shared_linear),
}
