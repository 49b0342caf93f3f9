"""Modules of random ops of the `fly` dialect over random types: each op is one that inference takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import lru_cache

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import TilewrightError
from tilewright.ir.fly.dialect_attributes import MmaOperandAttr
from tilewright.ir.fly.dialect_types import (
    CoordTensorType,
    CopyAtomType,
    IntTupleType,
    LayoutType,
    MemRefType,
    PointerType,
    SwizzleType,
    TiledMmaType,
    TileType,
    from_text,
)
from tilewright.ir.fly.ops import FlyOp, make

Draw = Callable[[random.Random], str]

# ---- texts of types


def leaf(r: random.Random, most: int = 12) -> str:
    """A leaf of a tuple: mostly a number, sometimes one known at run time."""
    if r.random() < 0.85:
        return str(r.randint(1, most))
    facts = [*["i64"] * (r.random() < 0.3), *[f"div={r.choice((2, 4, 8))}"] * (r.random() < 0.4)]
    return "?{" + " ".join(facts) + "}" if facts else "?"


def tuple_of(r: random.Random, draw: Draw, depth: int = 2) -> str:
    """A nested tuple of leaves."""
    if depth == 0 or r.random() < 0.35:
        return draw(r)
    return f"({','.join(tuple_of(r, draw, depth - 1) for _ in range(r.randint(1, 3)))})"


def int_tuple(r: random.Random) -> str:
    """An int tuple."""
    return f"!fly.int_tuple<{tuple_of(r, leaf)}>"


def coordinate(r: random.Random) -> str:
    """A coordinate, perhaps with free modes."""
    return f"!fly.int_tuple<{tuple_of(r, lambda r: '*' if r.random() < 0.3 else leaf(r, 3))}>"


def _shape_and_stride(r: random.Random) -> tuple[str, str]:
    shape = tuple_of(r, leaf)
    step, parts, word = 1, list[str](), ""
    for character in f"{shape},":  # the same brackets around strides, most of them compact
        if character in "(),":
            if word:
                parts.append(str(step) if r.random() < 0.7 else leaf(r, 64))
                step *= int(word) if word.isdigit() else 8
                word = ""
            parts.append(character)
        else:
            word += character
    return shape, "".join(parts)[:-1]


def layout_body(r: random.Random) -> str:
    """Shape and stride."""
    return ":".join(_shape_and_stride(r))


def layout(r: random.Random) -> str:
    """A layout."""
    return f"!fly.layout<{layout_body(r)}>"


def swizzle(r: random.Random) -> str:
    """A swizzle."""
    bits = r.randint(1, 3)
    return f"S<{bits},{r.randint(0, 4)},{r.randint(bits, 4)}>"


def narrow(r: random.Random) -> str:
    """A layout, perhaps a swizzled one."""
    if r.random() < 0.8:
        return layout(r)
    return f"!fly.composed_layout<{swizzle(r)} o 0 o {layout_body(r)}>"


def tile(r: random.Random) -> str:
    """A tile of one or more modes."""
    mode = lambda: r.choice(["*", str(r.choice((2, 3, 4, 8))), f"{r.choice((2, 4))}:{r.choice((1, 2))}"])  # noqa: E731
    return f"!fly.tile<[{'|'.join(mode() for _ in range(r.randint(1, 3)))}]>"


def pointer_parts(r: random.Random) -> tuple[str, str, str]:
    """Element, space, and what else a pointer says."""
    element, size = r.choice((("f32", 4), ("f16", 2), ("i8", 1), ("bf16", 2), ("f64", 8)))
    facts = [*[f"align<{size * r.choice((2, 4, 8))}>"] * (r.random() < 0.4), *[swizzle(r)] * (r.random() < 0.2)]
    return element, r.choice(("global", "shared", "register", "generic")), "".join(f", {fact}" for fact in facts)


def pointer(r: random.Random) -> str:
    """A pointer."""
    return "!fly.ptr<{}, {}{}>".format(*pointer_parts(r))


def view(r: random.Random) -> str:
    """A view of memory or of coordinates."""
    element, space, facts = pointer_parts(r)
    if r.random() < 0.75:
        return f"!fly.memref<{element}, {space}, {layout_body(r)}{facts}>"
    rank = r.randint(1, 3)
    extents, ones = (",".join(str(r.randint(1, 9)) for _ in range(rank)), ",".join(f"1E{i}" for i in range(rank)))
    return f"!fly.coord_tensor<({','.join(['0'] * rank)}), ({extents}):({ones})>"


def anything(r: random.Random) -> str:
    """A tuple, a layout or a view."""
    return r.choice((int_tuple, layout, narrow, view))(r)


COPY = "!fly.copy_atom<!fly.universal_copy<64>, 32>"
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
TILED = f"!fly.tiled_mma<{MFMA}, !fly.layout<(2,2,1):(1,2,0)>>"
_KINDS: Mapping[str, tuple[Draw, tuple[type[Attribute], ...]]] = {
    "I": (int_tuple, (IntTupleType,)),
    "K": (coordinate, (IntTupleType,)),
    "L": (layout, (LayoutType,)),
    "N": (narrow, (LayoutType,)),
    "V": (view, (MemRefType, CoordTensorType)),
    "A": (anything, (IntTupleType, LayoutType, MemRefType)),
    "T": (tile, (TileType,)),
    "D": (lambda r: (tile if r.random() < 0.6 else layout)(r), (TileType,)),
    "P": (pointer, (PointerType,)),
    "S": (lambda r: f"!fly.swizzle<{swizzle(r)}>", (SwizzleType,)),
    "E": (lambda r: r.choice((narrow, view))(r), (LayoutType, MemRefType)),
    "C": (lambda r: COPY, (CopyAtomType,)),
    "M": (lambda r: TILED, (TiledMmaType,)),
    "f": (lambda r: f"!fly.memref<f16, shared, ({r.choice((32, 64))},{r.choice((16, 32))}):(64,1)>", ()),
    "i": (lambda r: r.choice(("i32", "i64")), ()),
}

# ---- ops

_OPERANDS: Mapping[str, str] = {
    **dict.fromkeys(("int_tuple_add", "int_tuple_sub", "int_tuple_mul", "int_tuple_div", "int_tuple_mod"), "II"),
    **dict.fromkeys(("int_tuple_product_like", "ceil_div", "shape_div", "elem_less", "equal"), "II"),
    **dict.fromkeys(("int_tuple_product", "int_tuple_product_each", "get_leaves", "get_scalar"), "I"),
    **dict.fromkeys(("size", "get_shape", "get", "select", "take", "group"), "A"),
    **dict.fromkeys(("cosize", "coshape", "coprofile", "get_stride"), "E"),
    **dict.fromkeys(("make_layout_like", "make_fragment_layout_like"), "L"),
    **dict.fromkeys(("coalesce", "right_inverse", "left_inverse", "complement", "recast_layout"), "N"),
    **dict.fromkeys(("logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "composition"), "ED"),
    **dict.fromkeys(("logical_product", "zipped_product", "tiled_product", "flat_product"), "LL"),
    **dict.fromkeys(("blocked_product", "raked_product", "append", "prepend"), "LL"),
    **dict.fromkeys(("crd2idx", "idx2crd", "get_flat_coord", "get_1d_coord"), "IL"),
    **dict.fromkeys(("slice", "dice"), "LK"),
    **dict.fromkeys(("get_layout", "get_iter"), "V"),
    "make_layout": "II",
    "make_ordered_layout": "II",
    "make_identity_layout": "I",
    "make_composed_layout": "SIL",
    "tile_to_shape": "LII",
    "make_view": "PN",
    "add_offset": "PI",
    "apply_swizzle": "PS",
    "make_fragment_like": "V",
    "ptrtoint": "P",
    "make_tiled_copy": "CLT",
    "tiled_mma.partition": "MfI",
    "mma.make_fragment": "Mf",
    "print": "iI",
}
_ATTRIBUTES: Mapping[str, Callable[[random.Random], dict[str, object]]] = {
    "get": lambda r: {"mode": tuple(r.randint(0, 1) for _ in range(r.randint(1, 2)))},
    "select": lambda r: {"indices": tuple(r.randint(0, 2) for _ in range(r.randint(1, 2)))},
    "take": lambda r: {"begin": 0, "end": r.randint(1, 2)},
    "group": lambda r: {"begin": 0, "end": r.randint(1, 2)},
    "append": lambda r: {"n": r.randint(3, 5)} if r.random() < 0.4 else {},
    "prepend": lambda r: {"n": r.randint(3, 5)} if r.random() < 0.4 else {},
    "recast_layout": lambda r: {"new_type_bits": 8 << r.randint(0, 2), "old_type_bits": 8 << r.randint(0, 2)},
    "get_leaves": lambda r: {"dynamicOnly": True} if r.random() < 0.5 else {},
    "make_fragment_like": lambda r: {"dtype": from_text("f16")} if r.random() < 0.5 else {},
    "tiled_mma.partition": lambda r: {"operand_id": MmaOperandAttr(r.choice("ab"))},
    "mma.make_fragment": lambda r: {"operand_id": MmaOperandAttr(r.choice("ab")), **_stages(r)},
    "print": lambda r: {"format": '{} of "{}"\\n'},
}


def _stages(r: random.Random) -> dict[str, object]:
    return {"stages": r.randint(1, 3)} if r.random() < 0.5 else {}


def module(r: random.Random, ops: int) -> ModuleOp:
    """A function of so many ops, whose arguments are what they are given from outside."""
    block = Block()
    values: list[SSAValue] = []
    while sum(1 for _ in block.ops) < ops:
        op = _op(r, block, values)
        if op is not None:
            values += op.results
    block.add_op(ReturnOp())
    arguments = [argument.type for argument in block.args]
    return ModuleOp([FuncOp("drawn", (arguments, []), Region(block))])


def alone(op: Operation) -> ModuleOp:
    """A module with that op alone: what it is given are the function's arguments."""
    block = Block(arg_types=op.operand_types)
    block.add_ops([op.clone(dict(zip(op.operands, block.args, strict=True))), ReturnOp()])
    return ModuleOp([FuncOp("alone", (list(op.operand_types), []), Region(block))])


def _op(r: random.Random, block: Block, values: list[SSAValue]) -> FlyOp | None:
    name = r.choice(list(_OPERANDS))
    known = [value for value in values if r.random() < 0.3]
    operands = [_operand(r, kind, known) for kind in _OPERANDS[name]]
    given = _ATTRIBUTES.get(name, lambda r: {})(r)
    types = [operand if isinstance(operand, Attribute) else operand.type for operand in operands]
    if None in types or not _is_admissible(name, tuple(types), tuple(sorted(given.items()))):
        return None
    made = make(name, [_argument(block, operand) for operand in operands], given)  # type: ignore[arg-type]  # drawn to fit the op
    if r.random() < 0.1:
        made.attributes["marked"] = UnitAttr()
    block.add_op(made)
    return made


def _operand(r: random.Random, kind: str, known: list[SSAValue]) -> SSAValue | Attribute:
    draw, kinds = _KINDS[kind]
    fitting = [value for value in known if isinstance(value.type, kinds)]
    if fitting and r.random() < 0.6:
        return r.choice(fitting)
    while True:
        try:
            return from_text(draw(r))
        except TilewrightError:
            continue


def _argument(block: Block, operand: SSAValue | Attribute) -> SSAValue:
    if isinstance(operand, SSAValue):
        return operand
    found: BlockArgument = block.insert_arg(operand, len(block.args))
    return found


@lru_cache(4096)
def _is_admissible(name: str, types: tuple[Attribute, ...], given: tuple[tuple[str, object], ...]) -> bool:
    block = Block(arg_types=types)
    try:
        make(name, block.args, dict(given))  # type: ignore[arg-type]  # drawn to fit the op
    except VerifyException:
        return False
    return True
