"""Random calls of the ops of the `fly` dialect: an op's name, the texts of its operands' types, its attributes.

Most calls fit together; some do not. Leaves are small, and often known at run time only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategies import Chooser, int_tuple, layout, like, swizzle, tiler

from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import CoordTensor, MemRef, Pointer, Tile
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coprofile
from tilewright.layout.symbolic.symint import SymInt

Call = tuple[str, list[str], dict[str, Any]]

COPY = "!fly.copy_atom<!fly.universal_copy<64>, 32>"
MMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
TILED_COPY = f"!fly.tiled_copy<{COPY}, !fly.layout<((4,8),(2,2)):((64,1),(32,8))>, !fly.tile<[16|16]>>"
TILED_MMA = f"!fly.tiled_mma<{MMA}, !fly.layout<(2,2,1):(1,2,0)>>"


def forgotten(pick: Chooser, value: Any) -> Any:
    """The value with some of its leaves known at run time only."""
    if isinstance(value, Layout):
        return Layout(forgotten(pick, value.shape), forgotten(pick, value.stride))
    return like(value, [_leaf(pick, leaf) for leaf in flatten((value,))]) if not isinstance(value, Tile) else value


def _leaf(pick: Chooser, leaf: Any) -> Any:
    if type(leaf) is not int or pick.integer(0, 5):
        return leaf
    return SymInt(width=pick.one((32, 32, 64)), div=pick.one([d for d in (1, 2, 4, 8) if leaf % d == 0]))


def filled(pick: Chooser, text_value: Any) -> Any:
    """The value with small multiples of their divisors for run-time leaves."""
    return mapped(text_value, lambda leaf: leaf.div * pick.integer(1, 4))


def a_layout(pick: Chooser) -> Any:
    """A layout: static or not, of coordinates, or composed."""
    kind, plain = pick.integer(0, 9), layout(pick)
    if kind == 0:
        return make_identity_layout(plain.shape)
    if kind == 1:
        return ComposedLayout(swizzle(pick), pick.one((0, 0, 8)), Layout(plain.shape))
    return forgotten(pick, plain) if kind < 5 else plain


def a_view(pick: Chooser) -> Any:
    """A memref, or a coordinate tensor."""
    held = a_layout(pick)
    if isinstance(held, Layout) and held.on_axes:
        return CoordTensor(coprofile(held), held)
    space, bits = pick.one(("global", "shared", "register")), pick.one((8, 16, 32))
    return MemRef(Pointer(f"i{bits}", space, bits, bits // 8 * pick.one((1, 1, 4))), held)


def a_tuple(pick: Chooser) -> Any:
    """An int tuple."""
    return forgotten(pick, int_tuple(pick, 1, 12))


def a_coordinate(pick: Chooser) -> Any:
    """A coordinate, some modes of it kept."""
    return like(found := int_tuple(pick, 0, 3), [pick.one((leaf, None)) for leaf in flatten((found,))])


def a_tile(pick: Chooser) -> Any:
    """A tile, or a layout."""
    found = tiler(pick, layout(pick))
    return found if isinstance(found, Layout) else Tile(found)


DRAW: dict[str, Callable[[Chooser], Any]] = {
    "L": a_layout,
    "V": lambda pick: pick.one((a_layout, a_layout, a_view))(pick),
    "M": a_view,
    "I": a_tuple,
    "C": a_coordinate,
    "T": a_tile,
    "S": swizzle,
    "P": lambda pick: Pointer("f16", pick.one(("global", "shared")), 16, pick.one((2, 16))),
    "n": lambda pick: pick.integer(0, 40),
}

# The operands of each op, a letter each; what stands in braces is a type.
SIGNATURES = {
    **dict.fromkeys(("size", "cosize", "coshape", "coprofile", "get_shape", "get_stride", "is_static"), "V"),
    "coalesce": "V",
    **dict.fromkeys(("make_layout_like", "make_fragment_layout_like", "right_inverse", "left_inverse", "flatten"), "L"),
    **dict.fromkeys(("int_tuple_add", "int_tuple_sub", "int_tuple_mul", "int_tuple_div", "int_tuple_mod"), "II"),
    **dict.fromkeys(("ceil_div", "shape_div", "elem_less", "equal", "int_tuple_product_like", "make_layout"), "II"),
    **dict.fromkeys(("int_tuple_product", "int_tuple_product_each", "make_identity_layout", "get_leaves"), "I"),
    **dict.fromkeys(("composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide"), "VT"),
    **dict.fromkeys(("logical_product", "tiled_product", "flat_product", "raked_product", "blocked_product"), "LL"),
    **dict.fromkeys(("slice", "memref.load"), "MC"),
    **dict.fromkeys(("get_layout", "get_iter", "decomposition", "memref.load_vec"), "M"),
    **dict.fromkeys(("idx2crd", "get_flat_coord", "get_1d_coord", "crd2idx"), "nL"),
    "complement": "Ln",
    "dice": "LC",
    "make_ordered_layout": "II",
    "make_composed_layout": "SnL",
    "make_view": "PL",
    "add_offset": "Pn",
    "apply_swizzle": "PS",
    "zip": "LL",
    "tile_to_shape": "LII",
    "tiled_copy.partition_src": f"{{{TILED_COPY}}}Mn",
    "tiled_copy.partition_dst": f"{{{TILED_COPY}}}Mn",
    "tiled_copy.retile": f"{{{TILED_COPY}}}M",
    "get": "V",
    "select": "V",
    "take": "V",
    "group": "V",
    "append": "LL",
    "prepend": "LL",
    "recast_layout": "L",
    "make_fragment_like": "M",
    "tiled_mma.partition": f"{{{TILED_MMA}}}Mn",
    "tiled_mma.partition_shape": f"{{{TILED_MMA}}}I",
    "mma.make_fragment": f"{{{TILED_MMA}}}M",
}
ATTRIBUTES: dict[str, Callable[[Chooser], dict[str, Any]]] = {
    "get": lambda pick: {"mode": [pick.integer(0, 2) for _ in range(pick.integer(1, 2))]},
    "select": lambda pick: {"indices": [pick.integer(0, 2) for _ in range(pick.integer(1, 3))]},
    "take": lambda pick: {"begin": pick.integer(0, 1), "end": pick.integer(1, 3)},
    "group": lambda pick: {"begin": pick.integer(0, 1), "end": pick.integer(1, 3)},
    "append": lambda pick: pick.one(({}, {"n": pick.integer(-1, 4)})),
    "prepend": lambda pick: pick.one(({}, {"n": pick.integer(-1, 4)})),
    "recast_layout": lambda pick: {"old_type_bits": pick.one((8, 16, 32)), "new_type_bits": pick.one((4, 8, 16, 32))},
    "make_fragment_like": lambda pick: pick.one(({}, {"dtype": "f16"})),
    "tiled_mma.partition": lambda pick: {"operand_id": pick.one("abcd")},
    "tiled_mma.partition_shape": lambda pick: {"operand_id": pick.one("abcd")},
    "mma.make_fragment": lambda pick: {"operand_id": pick.one("abcd"), "stages": pick.integer(0, 2)},
    "get_leaves": lambda pick: {"dynamicOnly": bool(pick.integer(0, 1))},
}


def call(pick: Chooser) -> Call:
    """One call; now and then with operands of another op."""
    name = pick.one(sorted(SIGNATURES))
    signature = SIGNATURES[name if pick.integer(0, 19) else pick.one(sorted(SIGNATURES))]
    head, _, letters = signature.rpartition("}")
    types = [head[1:]] if head else []
    types += [write(DRAW[letter](pick)) for letter in letters]
    return name, types, ATTRIBUTES.get(name, lambda pick: {})(pick)
