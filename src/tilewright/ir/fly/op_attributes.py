"""The attributes of ops: their names, what they hold, and the one reader of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from tilewright.errors import NotationError, shown
from tilewright.ir.fly.attribute_text import plain
from tilewright.ir.fly.kinds import Parameter
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.types import Value

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Attributes = Mapping[str, object]

OPERANDS = ("a", "b", "c", "d")


@dataclass(frozen=True, slots=True)
class Content(Generic[T_co]):
    """What attributes hold: a word for it, how a message names it, and its reader, a `TypeError` for all else."""

    word: str
    what: str
    reader: Callable[[object], T_co]


@dataclass(frozen=True, slots=True)
class Attribute(Parameter[T_co]):
    """An attribute of an op: its names, of which the first is the release's, and what it holds."""

    names: tuple[str, ...]
    content: Content[T_co]
    required: bool = True

    def read(self, op: str, given: Attributes) -> T_co:
        """What a rule takes of the attributes given to an op; None for an optional one that is missing.

        Raises:
            NotationError: it is missing, or does not hold what it should.
        """
        value = next((given[name] for name in self.names if name in given), None)
        if value is None and self.required:
            raise NotationError(f"'fly.{op}' op requires attribute '{self.names[0]}'")
        try:
            return self.content.reader(value)
        except TypeError:
            what, found = self.content.what, shown(value)
            raise NotationError(f"'fly.{op}' op attribute '{self.names[0]}' is {what}, got {found}") from None


def declared(op: str, given: Attributes) -> tuple[Value, ...] | None:
    """The types under `result`, which some ops are given and do not infer.

    Raises:
        NotationError: they are no texts, or no types.
    """
    found = given.get("result")
    texts = found if isinstance(found, list | tuple) else [] if found is None else [found]
    if not all(isinstance(text, str) for text in texts):
        raise NotationError(f"'fly.{op}' op attribute 'result' is the text of a type, or a list, got {shown(found)}")
    return None if found is None else tuple(read(text) for text in texts)


def _integer(value: object) -> int:
    found = plain(value)
    if type(found) is not int:
        raise TypeError
    return found


def _of(kind: type[T]) -> Callable[[object], T]:
    def reader(value: object) -> T:
        if type(value) is not kind:
            raise TypeError
        return value

    return reader


def _integers(value: object) -> tuple[int, ...]:
    found = plain(value)
    items = found if isinstance(found, list | tuple) else (found,)
    if not all(type(item) is int for item in items):
        raise TypeError
    return tuple(items)


def _truth(value: object) -> bool:
    found = plain(value)
    if type(found) not in (bool, int) or found not in (-1, 0, 1):
        raise TypeError
    return bool(found)


def _operand(value: object) -> str:
    letter = value.removeprefix("#fly<mma_operand ").removesuffix(">").lower() if isinstance(value, str) else ""
    if letter not in OPERANDS:
        raise TypeError
    return letter


INTEGER = Content("integer", "an integer", _integer)
LONG = Content("long", "an integer", _integer)
REGISTERS: Content[object] = Content("registers", "a class of registers", lambda value: value)
INTEGERS = Content("integers", "made of integers", _integers)
TEXT = Content("text", "a text", _of(str))
TYPE = Content("type", "the text of a type", _of(str))
TRUTH = Content("truth", "true or false", _truth)
LETTER = Content("operand", "one of a, b, c, d", _operand)
ANYTHING: Content[object] = Content("anything", "an attribute", lambda value: value)


def _maybe(name: str, content: Content[T]) -> Attribute[T | None]:
    def reader(value: object) -> T | None:
        return None if value is None else content.reader(value)

    return Attribute((name,), Content(content.word, content.what, reader), required=False)


MODE = Attribute(("mode",), INTEGERS)
INDICES = Attribute(("indices",), INTEGERS)
BEGIN, END = Attribute(("begin",), INTEGER), Attribute(("end",), INTEGER)
N = _maybe("n", INTEGER)
OLD_BITS = Attribute(("old_type_bits", "old"), INTEGER)
NEW_BITS = Attribute(("new_type_bits", "new"), INTEGER)
LEAF = Attribute(("leaf_idx", "index"), INTEGER)
DYNAMIC_ONLY = _maybe("dynamicOnly", TRUTH)
ELEMENT = _maybe("dtype", TYPE)
OPERAND = Attribute(("operand_id",), LETTER)
STAGES = _maybe("stages", INTEGER)
VALUE_BITS = Attribute(("valBits",), INTEGER)
FIELD = Attribute(("field",), TEXT)
FORMAT = Attribute(("format",), TEXT)
ADDRESS_SPACE = Attribute(("llvm_address_space",), INTEGER)
ORDER = _maybe("traversalOrder", ANYTHING)
DICTIONARY = _maybe("dictAttrs", ANYTHING)
REGISTER_CLASS = Attribute(("regClass",), REGISTERS)
START, REGISTER_ALIGNMENT = _maybe("start", LONG), _maybe("registerAlignment", LONG)
BIT_OFFSET, STORAGE_BITS = Attribute(("bitOffset",), LONG), Attribute(("storageBits",), LONG)
SEGMENTS = _maybe("operandSegmentSizes", INTEGERS)
