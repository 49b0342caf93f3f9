"""Handlers of expressions, one for each kind of syntax node."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TypeAlias, TypeGuard, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.elements import BOOL, integer_limits
from tilewright.ir.core.facts import COMPARED, MEANINGS
from tilewright.ir.core.index import KIND_OF_SIGN, SUB, XOR
from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.addresses import PointerTo, VectorLoad, VectorStore, ViewOf
from tilewright.lang.known import method as known_method
from tilewright.lang.names import COLUMN_METHODS, POOL_METHODS, Instruction, Name, Namespace
from tilewright.lang.pool import POOL_NUMBERS, Pool
from tilewright.lang.regions import coordinate, flat_place, memory_of, region_of
from tilewright.lang.tensor_address import attribute
from tilewright.lang.tensor_pool import TensorBuffer, TensorPool
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import (
    MAX_ITEMS,
    Pointer,
    Value,
    admit,
    buffer_type,
    checked,
    is_buffer,
    is_constant,
    is_index,
    is_object,
    number_of,
    part_of,
    show,
)
from tilewright.tirx.spec import SpecBuilder

Condition: TypeAlias = bool | SSAValue
"""A condition, known or of type bool."""
_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
    ast.Pow: "**",
}
_ON_CONSTANTS: Mapping[str, Callable[..., object]] = {**MEANINGS, "**": operator.pow, "@": operator.matmul}
_ORDER: Mapping[str, Callable[..., object]] = COMPARED
_UNARY: Mapping[type[ast.unaryop], Callable[..., object]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_BUFFER_ATTRIBUTES: Mapping[str, Callable[[SSAValue], Value]] = {
    "shape": lambda buffer: buffer_type(buffer).shape,
    "dtype": lambda buffer: buffer_type(buffer).dtype,
    "layout": lambda buffer: buffer_type(buffer).layout,
    "data": Pointer,
    "ptr_to": PointerTo,
    "vload": VectorLoad,
    "vstore": VectorStore,
    "view": ViewOf,
}


def binary(t: Tracer, sign: str, left: Value, right: Value) -> Value:
    """left sign right: on constants at once, on indices folded, on elements as ops."""
    if is_constant(left) and is_constant(right):
        return constant_binary(sign, left, right)
    if is_index(left) and is_index(right):
        if sign not in KIND_OF_SIGN:
            raise KernelError(
                f"{sign!r} is not defined on an index" + ("; `//` divides indices" if sign == "/" else "")
            )
        return t.index.binary(KIND_OF_SIGN[sign], left, right)
    return t.elements.binary(sign, *same_type(t, left, right))


def constant_binary(sign: str, left: Value, right: Value) -> Value:
    """left sign right on constants: numbers, tuples to be joined, layouts to be summed."""
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    joined = sign in "+@" and not (isinstance(left, str | Name) or is_object(left) or is_object(right))
    if sign == "*" and isinstance(left, tuple | str) and type(right) is int and len(left) * right <= MAX_ITEMS:
        return left * right
    too_far = sign in ("<<", "**") and not (isinstance(right, int) and 0 <= right <= 64)
    if sign not in _ON_CONSTANTS or not (numbers or joined) or too_far:
        raise KernelError(f"cannot compute {show(left)} {sign} {show(right)} in a kernel")
    try:
        return checked(_ON_CONSTANTS[sign](left, right))
    except (TypeError, ValueError, ArithmeticError) as error:
        raise KernelError(f"cannot compute {show(left)} {sign} {show(right)}: {error}") from error


def same_type(t: Tracer, left: Value, right: Value) -> tuple[SSAValue, SSAValue]:
    """Both operands as elements of one type; a number or an index takes the other side's.

    Raises:
        KernelError: two different element types, or something that is no element.
    """
    for value in (left, right):
        if not (isinstance(value, SSAValue) and not is_buffer(value)) and type(value) not in (int, float, bool):
            raise KernelError(f"cannot compute with {show(value)}")
    if is_element(left) and not is_element(right):
        return left, as_element(t, right, element_dtype(left.type))
    if is_element(right) and not is_element(left):
        return as_element(t, left, element_dtype(right.type)), right
    if not (is_element(left) and is_element(right)):
        raise KernelError(f"cannot compute with {show(left)} and {show(right)}; T.cast makes an element of an index")
    if left.type != right.type:
        a, b = element_dtype(left.type), element_dtype(right.type)
        raise KernelError(f"operands of types {a} and {b}; write T.cast(value, {str(a)!r}) around one of them")
    return left, right


def is_element(value: Value) -> TypeGuard[SSAValue]:
    """Is it an element value (not an index, not a buffer)?"""
    return isinstance(value, SSAValue) and not is_index(value) and not is_buffer(value)


def as_element(t: Tracer, value: Value, element: DType) -> SSAValue:
    """A constant or an index as an element."""
    if isinstance(value, SSAValue):
        if not element.is_integer:
            raise KernelError(f"an index meets a {element}; write T.cast(index, {str(element)!r})")
        return t.elements.cast(value, element)
    return t.elements.constant(number_of(value), element)


def as_condition(t: Tracer, value: Value) -> Condition:
    """A constant truth value, or a value of type bool.

    Raises:
        KernelError: a number that is no comparison.
    """
    if value is None or (is_constant(value) and isinstance(value, int | float | str | tuple)):
        return bool(value)
    if isinstance(value, SSAValue) and value.type == i1:
        return value
    raise KernelError(f"a condition is a comparison, got {show(value)}")


def _constant(t: Tracer, node: ast.Constant) -> Value:
    return admit(node.value, f"the constant {node.value!r}")


def _attribute(t: Tracer, node: ast.Attribute) -> Value:
    owner = t.visit(node.value)
    if is_buffer(owner) and node.attr in _BUFFER_ATTRIBUTES:
        return _BUFFER_ATTRIBUTES[node.attr](owner)
    if isinstance(owner, Pool) and node.attr in (*POOL_METHODS, *POOL_NUMBERS):
        return POOL_METHODS.get(node.attr) or getattr(owner, node.attr)
    if isinstance(owner, TensorPool | TensorBuffer):
        method = COLUMN_METHODS.get(node.attr) if isinstance(owner, TensorPool) else None
        return method or attribute(t, owner, node.attr)
    if isinstance(owner, Namespace | Instruction) or (isinstance(owner, ModuleType) and not node.attr.startswith("_")):
        try:
            return admit(getattr(owner, node.attr), f"{ast.unparse(node)}")
        except AttributeError as error:
            raise KernelError(f"{ast.unparse(node)} is unknown: {error}") from None
    if (known := known_method(owner, node.attr)) is not None:
        return known
    if (is_object(owner) or isinstance(owner, tuple)) and not node.attr.startswith("_"):
        return part_of(lambda: getattr(owner, node.attr), ast.unparse(node))
    raise KernelError(f"{show(owner)} has no attribute {node.attr!r} in a kernel")


def _binop(t: Tracer, node: ast.BinOp) -> Value:
    left, right = t.visit(node.left), t.visit(node.right)
    if isinstance(node.op, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    return binary(t, _SIGNS[type(node.op)], left, right)


def _unary(t: Tracer, node: ast.UnaryOp) -> Value:
    value = t.visit(node.operand)
    if isinstance(node.op, ast.Not):
        return negated(t, as_condition(t, value))
    if is_constant(value) and isinstance(value, int | float):
        return _constant_unary(node.op, value)
    if isinstance(node.op, ast.UAdd):
        return value
    if isinstance(node.op, ast.Invert):
        return t.index.binary(XOR, value, -1) if is_index(value) else binary(t, "^", value, _ones(value))
    if is_index(value):
        return t.index.binary(SUB, 0, value)
    if not is_element(value):
        raise KernelError(f"cannot negate {show(value)}")
    return t.elements.negate(value)


def _ones(value: Value) -> int:
    """The number that has every bit of the value's type."""
    lowest, highest = integer_limits(element_dtype(value.type)) if is_element(value) else (-1, 0)
    return highest if lowest == 0 else -1


def _constant_unary(sign: ast.unaryop, value: Value) -> Value:
    try:
        return _UNARY[type(sign)](value)
    except TypeError as error:
        raise KernelError(str(error)) from None


def negated(t: Tracer, condition: Condition) -> Condition:
    """not condition."""
    if isinstance(condition, bool):
        return not condition
    return t.elements.binary("^", condition, t.elements.constant(True, BOOL))


def compare(t: Tracer, sign: str, left: Value, right: Value) -> Condition:
    """Does it hold that left sign right?"""
    if is_constant(left) and is_constant(right):
        try:
            return bool(_ORDER[sign](left, right))
        except Exception as error:  # what a user's class does
            raise KernelError(f"cannot compare {show(left)} with {show(right)}") from error
    if is_index(left) and is_index(right):
        return t.elements.compare(sign, t.index.value(left), t.index.value(right))
    return t.elements.compare(sign, *same_type(t, left, right))


def logic(t: Tracer, left: Condition, right: Condition, sign: str = "&") -> Condition:
    """left & right, or left | right, of conditions."""
    neutral = sign == "&"
    if isinstance(left, bool):
        return right if left == neutral else left
    if isinstance(right, bool):
        return left if right == neutral else right
    return t.elements.binary(sign, left, right)


def select(t: Tracer, condition: SSAValue, yes: Value, no: Value) -> SSAValue:
    """yes where the condition holds, else no."""
    if is_index(yes) and is_index(no):
        return t.elements.select(condition, t.index.value(yes), t.index.value(no))
    return t.elements.select(condition, *same_type(t, yes, no))


def _subscript(t: Tracer, node: ast.Subscript) -> Value:
    owner = memory_of(t, node, t.visit(node.value))
    if is_buffer(owner):
        return _element(t, node, owner)
    if isinstance(owner, Pointer):
        return t.insert(memref.LoadOp.get(*flat_place(t, owner, node.slice))).results[0]
    key = t.visit(node.slice)
    if isinstance(owner, tuple) and owner and isinstance(key, SSAValue) and all(type(item) is int for item in owner):
        return t.index.lookup(owner, t.elements.as_index(key))
    if isinstance(owner, Namespace) and owner.path == "ptx" and isinstance(key, str):
        return Instruction(f"ptx.{key}")
    if is_constant(key) and is_object(owner):
        return part_of(lambda: operator.getitem(cast("Mapping[object, object]", owner), key), ast.unparse(node))
    if isinstance(owner, tuple | str | SpecBuilder):
        try:
            return operator.getitem(cast("Mapping[object, object]", owner), key)
        except (IndexError, TypeError):
            length = f" of {len(owner)}" if isinstance(owner, tuple | str) else ""
            raise KernelError(f"{show(owner)}{length} cannot be indexed with {show(key)}") from None
    raise KernelError(f"{show(owner)} cannot be indexed")


def _element(t: Tracer, node: ast.Subscript, buffer: SSAValue) -> Value:
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(item, ast.Slice) for item in items):
        return region_of(t, node, buffer)
    return t.insert(LoadOp(buffer, coordinate(t, buffer, items))).results[0]


def _slice(t: Tracer, node: ast.Slice) -> Value:
    parts = (node.lower, node.upper, node.step)
    return slice(*(None if part is None else t.visit(part) for part in parts))


def _tuple(t: Tracer, node: ast.Tuple | ast.List) -> Value:
    return tuple(value for item in node.elts for value in spread(t, item))


def _dict(t: Tracer, node: ast.Dict) -> Value:
    """Of what is known while the kernel is read."""
    if None in node.keys:
        raise KernelError("write the items of a dict out; `**` is not part of the kernel language")
    found = {t.visit(key): t.visit(value) for key, value in zip(node.keys, node.values, strict=True) if key is not None}
    if not all(map(is_constant, [*found, *found.values()])):
        raise KernelError("the items of a dict are known while the kernel is read; values of run time go into tuples")
    return found


def spread(t: Tracer, item: ast.expr) -> tuple[Value, ...]:
    """The value of an item, or with `*` before it those of the tuple that it is."""
    if not isinstance(item, ast.Starred):
        return (t.visit(item),)
    value = t.visit(item.value)
    if not isinstance(value, tuple):
        raise KernelError(f"`*` spreads a tuple, got {show(value)}")
    return value


EXPRESSIONS: Handlers = {
    ast.Constant: _constant,
    ast.Attribute: _attribute,
    ast.BinOp: _binop,
    ast.UnaryOp: _unary,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.List: _tuple,
}
