"""From the types of operands to the type of an op's result: one table, op -> rule, and FlyDSL's sentences.

Static operands give the text of what the algebra of `layout/` gives; run-time leaves are named, run through the same
algebra, and erased by fly's lattice (`lattice`). Texts are remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tilewright.errors import LayoutError, NotationError, shown
from tilewright.ir.fly import memory, rules, tiled
from tilewright.ir.fly.canonical import read, write
from tilewright.ir.fly.lattice import named, settled
from tilewright.ir.fly.types import Tile, Value
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import arithmetic, construct, coordinates, query

Attributes = Mapping[str, object]


class InferenceError(LayoutError):
    """No type of a result follows; `sentence` is FlyDSL's, `notes` are ours."""

    def __init__(self, sentence: str, *notes: str) -> None:
        super().__init__("\n  note: ".join((sentence, *notes)))
        self.sentence = sentence
        self.notes = notes


@dataclass(frozen=True, slots=True)
class Op:
    """How an op infers: its rule, how many operands it takes, and its attributes in the order of the rule.

    An attribute may have several names, the first being the release's; `optional` ones may be missing.
    """

    rule: Callable[..., Any]
    operands: tuple[int, int]
    attributes: tuple[tuple[str, ...], ...] = ()
    optional: bool = False


def _op(rule: Callable[..., Any], least: int, most: int | None = None, *attributes: str, optional: bool = False) -> Op:
    names = tuple(tuple(name.split("|")) for name in attributes)
    return Op(rule, (least, least if most is None else most), names, optional)


def _view(rule: Callable[..., Any], least: int, most: int | None = None, *attributes: str) -> Op:
    names = tuple(tuple(name.split("|")) for name in attributes)
    return Op(memory.of_view(rule), (least, least if most is None else most), names)


MANY = 64
_LONG = re.compile(r"[0-9]{19}")

TABLE: dict[str, Op] = {
    # construction
    "make_int_tuple": _op(construct.make_int_tuple, 1),
    "make_shape": _op(construct.make_shape, 0, MANY),
    "make_stride": _op(construct.make_stride, 0, MANY),
    "make_coord": _op(construct.make_coord, 0, MANY),
    "make_tile": _op(lambda *modes: Tile(construct.make_tile(*map(rules.tiler_of, modes))), 1, MANY),
    "make_layout": _op(rules.make_layout, 2),
    "make_ordered_layout": _op(rules.make_ordered_layout, 2),
    "make_layout_like": _op(rules.make_layout_like, 1),
    "make_fragment_layout_like": _op(rules.make_fragment_layout_like, 1),
    "make_identity_layout": _op(construct.make_identity_layout, 1),
    "make_composed_layout": _op(rules.make_composed_layout, 2, 3),
    # queries
    "size": _view(query.size, 1),
    "cosize": _view(rules.cosize, 1),
    "coshape": _view(algebra.coshape, 1),
    "coprofile": _view(algebra.coprofile, 1),
    "rank": _view(query.rank, 1),
    "depth": _view(query.depth, 1),
    "get_shape": _view(query.get_shape, 1),
    "get_stride": _view(rules.get_stride, 1),
    "get": _op(rules.get, 1, 1, "mode"),
    "get_scalar": _op(query.get_scalar, 1),
    "composed_get_inner": _op(lambda layout: rules.composed(layout).outer, 1),
    "composed_get_offset": _op(lambda layout: rules.composed(layout).offset, 1),
    "composed_get_outer": _op(lambda layout: rules.composed(layout).inner, 1),
    # coordinates
    "crd2idx": _op(rules.crd2idx, 2),
    "idx2crd": _op(algebra.idx2crd, 2),
    "get_flat_coord": _op(rules.get_flat_coord, 2),
    "get_1d_coord": _op(algebra.get_1d_coord, 2),
    "crd2crd": _op(coordinates.crd2crd, 3),
    "get_hier_coord": _op(algebra.get_hier_coord, 2),
    "apply_swizzle": _op(rules.crd2idx, 2),
    # algebra
    "composition": _view(rules.composition, 2),
    "complement": _op(rules.complement, 1, 2),
    "right_inverse": _op(rules.right_inverse, 1),
    "left_inverse": _op(rules.left_inverse, 1),
    "coalesce": _view(rules.coalesce, 1, 2),
    "recast_layout": _op(rules.recast_layout, 1, 1, "old_type_bits|old", "new_type_bits|new"),
    "logical_divide": _view(rules.logical_divide, 2),
    "zipped_divide": _view(rules.zipped_divide, 2),
    "tiled_divide": _view(rules.tiled_divide, 2),
    "flat_divide": _view(rules.flat_divide, 2),
    "logical_product": _op(rules.logical_product, 2),
    "zipped_product": _op(rules.logical_product, 2),
    "tiled_product": _op(rules.tiled_product, 2),
    "flat_product": _op(rules.flat_product, 2),
    "blocked_product": _op(rules.blocked_product, 2),
    "block_product": _op(rules.blocked_product, 2),
    "raked_product": _op(rules.raked_product, 2),
    "tile_to_shape": _op(rules.tile_to_shape, 3),
    # structure
    "select": _view(rules.select, 1, 1, "indices"),
    "take": _view(rules.take, 1, 1, "begin", "end"),
    "group": _view(rules.group, 1, 1, "begin", "end"),
    "append": _op(rules.append, 2, 2, "n", optional=True),
    "prepend": _op(rules.prepend, 2, 2, "n", optional=True),
    "slice": _op(memory.slice_, 2),
    "dice": _op(rules.dice, 2),
    "zip": _op(algebra.zip, 2),
    "flatten": _op(algebra.flatten, 1),
    # arithmetic
    "int_tuple_add": _op(arithmetic.int_tuple_add, 2),
    "int_tuple_sub": _op(arithmetic.int_tuple_sub, 2),
    "int_tuple_mul": _op(arithmetic.int_tuple_mul, 2),
    "int_tuple_div": _op(arithmetic.int_tuple_div, 2),
    "int_tuple_mod": _op(arithmetic.int_tuple_mod, 2),
    "int_tuple_product": _op(arithmetic.int_tuple_product, 1),
    "int_tuple_product_each": _op(arithmetic.int_tuple_product_each, 1),
    "int_tuple_product_like": _op(arithmetic.int_tuple_product_like, 2),
    "ceil_div": _op(arithmetic.ceil_div, 2),
    "shape_div": _op(arithmetic.shape_div, 2),
    "elem_less": _op(rules.elem_less, 2),
    "equal": _op(rules.equal, 2),
    # views
    "get_layout": _op(memory.get_layout, 1),
    "get_iter": _op(memory.get_iter, 1),
    "make_view": _op(memory.make_view, 2),
    "add_offset": _op(memory.add_offset, 2),
    # atoms
    "make_tiled_copy": _op(tiled.make_tiled_copy, 3),
    "make_tiled_mma": _op(tiled.make_tiled_mma, 2, 3),
}


def infer(op_name: str, operand_type_texts: Sequence[str], attrs: Attributes | None = None) -> str:
    """The type of an op's result, from the types of its operands.

    Args:
        op_name: `fly.crd2idx`, or without its dialect.
        operand_type_texts: types such as `!fly.layout<(4,8):(1,4)>`, in the document's or the release's spelling.
        attrs: the attributes by name: `mode`, `indices`, `begin`, `end`, `n`, `old_type_bits`, `new_type_bits`.

    Raises:
        LayoutError: the op has no result here (an `InferenceError`), or a type's numbers are no layout.
        NotationError: an op or a type that the dialect does not have.

    >>> infer("fly.composition", ["!fly.layout<(4,(2,8)):(1,(16,4))>", "!fly.layout<(2,4):(1,2)>"])
    '!fly.layout<(2,(2,2)):(1,(2,16))>'
    >>> infer("size", ["!fly.layout<(?{div=4},8):(1,?{i64})>"])
    '!fly.int_tuple<?{div=32}>'
    """
    name, op = _found(op_name)
    texts = _texts(name, op, operand_type_texts)
    return _inferred(name, texts, _attributes(name, op, attrs or {}))


def infer_value(name: str, operands: Sequence[Value], attributes: tuple[object, ...] = ()) -> Value:
    """The value of the result's type, from those of the operands' types; leaves are named by their operand.

    Raises:
        InferenceError: the op has no result here.
    """
    rule = TABLE[name].rule
    values = [named(value, i) for i, value in enumerate(operands)]
    try:
        found: Value = settled(lambda: rule(*values, *attributes))
        return found
    except InferenceError:
        raise
    except LayoutError as refusal:
        sentence, *notes = _told(name, refusal)
        raise InferenceError(sentence, *notes) from None
    except (AttributeError, TypeError, ValueError, KeyError, IndexError, RecursionError):
        raise InferenceError(_FAILED.format(name), f"{name} is not defined for these operands") from None


@lru_cache(8192)
def _inferred(name: str, texts: tuple[str, ...], attributes: tuple[object, ...]) -> str:
    found = write(infer_value(name, [read(text) for text in texts], attributes))
    if _LONG.search(found):  # perhaps beyond the integers of a type, which reading refuses
        read(found)
    return found


def _found(op_name: object) -> tuple[str, Op]:
    name = op_name.removeprefix("fly.").removeprefix("fx.") if isinstance(op_name, str) else ""
    if name not in TABLE:
        raise NotationError(f"no result type is inferred for the op {shown(op_name)}; known: {', '.join(TABLE)}")
    return name, TABLE[name]


def _texts(name: str, op: Op, texts: object) -> tuple[str, ...]:
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise NotationError(f"{name}: the operand types are a list of texts, got {shown(texts)}")
    least, most = op.operands
    if not least <= len(texts) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise NotationError(f"'fly.{name}' op expected {wanted} operands, but found {len(texts)}")
    return tuple(texts)


def _attributes(name: str, op: Op, given: object) -> tuple[object, ...]:
    if not isinstance(given, Mapping):
        raise NotationError(f"{name}: attributes are a mapping of names, got {shown(given)}")
    values: list[object] = []
    for names in op.attributes:
        found = next((given[n] for n in names if n in given), None)
        if found is None and not op.optional:
            raise NotationError(f"'fly.{name}' op requires attribute '{names[0]}'")
        values.append(_integers(name, names[0], found))
    return tuple(values)


def _integers(name: str, attribute: str, value: object) -> object:
    listed = attribute in ("mode", "indices")
    items = value if isinstance(value, list | tuple) else [value]
    if listed and all(type(item) is int for item in items):
        return tuple(items)
    if not listed and (value is None or type(value) is int):
        return value
    raise NotationError(f"'fly.{name}' op attribute '{attribute}' is made of integers, got {shown(value)}")


_FAILED = "'fly.{}' op failed to infer returned types"


def _told(name: str, refusal: LayoutError) -> list[str]:
    """FlyDSL's sentence, which some rules say themselves, and the lines of ours."""
    lines = str(refusal).split("\n")
    known = lines[0].startswith(("GetOp", "GetStrideOp", "profile mismatch"))
    return lines if known else [_FAILED.format(name), *lines]
