"""`FlyValue`: a value by its type, with its place in the IR where run time has a part in it; and how ops give them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Self, TypeAlias, TypeVar

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import KernelError, LayoutError, shown
from tilewright.ir.fly.dialect_types import FlyType, from_text
from tilewright.ir.fly.infer import infer
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.op_attributes import SEGMENTS
from tilewright.ir.fly.ops import OPS, FlyOp, Plain, make, plain, result_types, text_of
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.lang.core.numerics.elements import ir_type
from tilewright.lang.core.numerics.number import of_ssa
from tilewright.lang.core.numerics.numeric import Numeric, scalar
from tilewright.lang.core.numerics.types import Boolean
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.trace import result, tracing

Operand: TypeAlias = "FlyValue | Numeric | Vector"
Made = TypeVar("Made")
ANSWERS = ("equal", "elem_less", "is_static")


class FlyValue:
    """A value of a type of the dialect.

    Args:
        type: its type.
        ssa: the value in the IR; None where the type tells all of it.
    """

    named: ClassVar[str] = ""
    classes: ClassVar[dict[str, type[FlyValue]]] = {}
    __slots__ = ("_ssa", "type")
    type: FlyType[Value]
    _ssa: SSAValue | None

    def __new__(cls, value: object = None) -> Self:
        """A value of the class as it is: `fx.Tensor(view)`."""
        return object.__new__(cls) if value is None else expect(value, cls, f"what {cls.__name__} is made of")

    def __init_subclass__(cls, **given: object) -> None:
        super().__init_subclass__(**given)
        if "named" in cls.__dict__:
            FlyValue.classes[cls.named] = cls

    @classmethod
    def of(cls, type: FlyType[Value], ssa: SSAValue | None) -> Self:
        """The value; of one that its type tells whole, without a place in the IR."""
        found = cls.__new__(cls)
        found.type = type
        found._ssa = None if is_whole(type) else ssa
        return found

    @property
    def kind(self) -> Value:
        """What the type says, with nameless run-time leaves."""
        found: Value = self.type.value
        return found

    @property
    def text(self) -> str:
        """What stands in the type's brackets."""
        return self.type.parameter_text[1:-1]

    @property
    def is_static(self) -> bool:
        """Does the type tell all of it?"""
        return is_whole(self.type)

    def ssa(self) -> SSAValue:
        """The value in the IR; of one that its type tells whole, made at the beginning of the function."""
        return tracing().once(self.type, self._as_op) if self._ssa is None else self._ssa

    def ir_value(self) -> Self:
        """The value itself."""
        return self

    def _as_op(self) -> FlyOp:
        """The op that makes a value which its type tells whole."""
        return make("static", (), {}, [self.type])

    def __eq__(self, other: object) -> bool:
        """Are they one value? What only run time knows is compared by `fx.equal`.

        Raises:
            KernelError: run time alone knows it.
        """
        if not isinstance(other, FlyValue):
            return NotImplemented
        if self is other or (self.type == other.type and self._ssa is other._ssa):
            return True
        if self.is_static and other.is_static:
            return False
        raise KernelError(f"whether {self} is {other} is known at run time alone; write fx.equal(a, b)")

    def __hash__(self) -> int:
        return hash((self.type, self._ssa))

    def __str__(self) -> str:
        return f"{type(self).__name__}<{self.text}>"

    __repr__ = __str__

    # ---- carried through control flow

    @property
    def __kind__(self) -> str:
        """Its type in words."""
        return str(self)

    def __is_same__(self, other: object) -> bool:
        """Are they one value?"""
        if not isinstance(other, FlyValue) or self.type != other.type:
            return False
        return self._ssa is other._ssa

    def __extract_to_ir_values__(self) -> list[SSAValue]:
        """The one value."""
        return [self.ssa()]

    @classmethod
    def __construct_from_ir_values__(cls, values: list[SSAValue], exemplar: object = None) -> FlyValue:
        """The value of the one in the IR."""
        return wrapped(values[0].type, values[0])


@lru_cache(4096)
def is_whole(type: FlyType[Value]) -> bool:
    """Does the type tell all of a value?"""
    value = type.value
    return not isinstance(value, Pointer | MemRef) and not run_time_leaves(value)


def wrapped(type: Attribute, ssa: SSAValue | None) -> FlyValue:
    """The value of a type of the dialect."""
    if not isinstance(type, FlyType) or type.name not in FlyValue.classes:
        raise KernelError(f"{type} is no type of a value here")
    return FlyValue.classes[type.name].of(type, ssa)


def of_text(text: str, ssa: SSAValue | None = None) -> FlyValue:
    """The value of a type's text."""
    return wrapped(from_text(text), ssa)


def value_of(type: Attribute, ssa: SSAValue) -> FlyValue | Numeric | Vector:
    """Any value of the IR."""
    if isinstance(type, FlyType):
        return wrapped(type, ssa)
    return Vector(ssa) if isinstance(type, VectorType) else scalar(of_ssa(ssa))


# ---- ops


def apply(
    name: str,
    *operands: Operand,
    result: str | None = None,
    attributes: Mapping[str, Plain | Attribute] | None = None,
    **given: Plain | Attribute,
) -> FlyValue | Numeric | Vector:
    """The one result of an op: at once where its type tells it whole, else of the op in the trace.

    Args:
        name: the op, a key of `ir.fly.table`.
        operands: what it is given.
        result: the text of the result's type, where the op does not infer it.
        attributes, given: its attributes.

    Raises:
        LayoutError: nothing follows from these operands; FlyDSL's sentence, then why.
    """
    given = {**given, **(attributes or {})}
    kinds = _result_types(name, operands, result, given)
    if name in ANSWERS and (known := _answer(name, operands)) is not None:
        return Boolean(known)
    kind = kinds[0]
    if isinstance(kind, FlyType) and is_whole(kind) and name not in STATEFUL:
        return wrapped(kind, None)
    return value_of(kind, _emitted(name, operands, kinds, given)[0])


def perform(name: str, *operands: Operand, sizes: Sequence[int] | None = None, **given: Plain | Attribute) -> None:
    """An op without results.

    Args:
        sizes: how many operands each group has, where the op has groups.

    Raises:
        LayoutError: its operands do not fit together.
    """
    if sizes is not None and OPS[name].row.segmented:
        given = {**given, SEGMENTS.names[0]: tuple(sizes)}
    kinds = _result_types(name, operands, None, given)
    _emitted(name, operands, kinds, given)


STATEFUL = ("atom.set_value",)


def _result_types(
    name: str, operands: Sequence[Operand], result: str | None, given: Mapping[str, Plain | Attribute]
) -> tuple[Attribute, ...]:
    said: dict[str, Hashable] = {key: plain(x) if isinstance(x, Attribute) else x for key, x in given.items()}
    if result is not None:
        said["result"] = (result,)
    try:
        return result_types(name, [type_of(operand) for operand in operands], said)
    except VerifyException as error:
        raise LayoutError(_for_users(name, str(error))) from None


def _for_users(name: str, refusal: str) -> str:
    """The dialect's sentence without its types' and its ops' own words."""
    lines = [line for line in refusal.splitlines() if not line.endswith("op failed to infer returned types")]
    said = re.sub(r"!fly\.(?:int_tuple|layout|tile)<([^!]*?)>(?=[,) ]|$)", r"\1", "\n".join(lines), flags=re.MULTILINE)
    said = re.sub(r"^[A-Z][A-Za-z]*Op: ", "", said.removeprefix(f"{name}: "))
    for kind, word in (("memref", "Tensor"), ("ptr", "Pointer"), ("copy_atom", "CopyAtom"), ("mma_atom", "MmaAtom")):
        said = said.replace(f"!fly.{kind}<", f"{word}<")
    return f"{name}: {said}" if lines else refusal


def type_of(operand: Operand) -> Attribute:
    """The operand's type in the IR."""
    if isinstance(operand, FlyValue):
        return operand.type
    return ir_type(operand.number.element, operand.number.shape)


def ssa_of(operand: Operand) -> SSAValue:
    """The operand in the IR."""
    return operand.ssa() if isinstance(operand, FlyValue) else operand.number.ssa()


def _answer(name: str, operands: Sequence[Operand]) -> bool | None:
    found = infer(name, [text_of(type_of(operand)) for operand in operands])
    return {"true": True, "false": False}.get(found)


def _emitted(
    name: str, operands: Sequence[Operand], kinds: Sequence[Attribute], given: Mapping[str, Plain | Attribute]
) -> Sequence[SSAValue]:
    values = [ssa_of(operand) for operand in operands]
    return tracing().emit(make(name, values, given, kinds)).results


def expect(value: object, wanted: type[Made], what: str) -> Made:
    """The value, of that class.

    Raises:
        KernelError: it is of another one.
    """
    if not isinstance(value, wanted):
        raise KernelError(f"{what} is of type {wanted.__name__}, got {shown(value)}")
    return value


def integer_width(type: Attribute) -> int:
    """The bits of an integer type."""
    return type.width.data if isinstance(type, IntegerType) else 64


__all__ = ["FlyValue", "Operand", "apply", "expect", "of_text", "perform", "result", "ssa_of", "value_of", "wrapped"]
