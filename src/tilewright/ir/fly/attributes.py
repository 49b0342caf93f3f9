"""The attributes of ops: their names, what they hold, and the one reader of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.errors import NotationError, shown
from tilewright.ir.fly.canonical import read
from tilewright.ir.fly.types import Value

Attributes = Mapping[str, object]

OPERANDS = ("a", "b", "c", "d")


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an op: its names, of which the first is the release's, and a key of `KINDS`."""

    names: tuple[str, ...]
    kind: str
    required: bool = True

    def read(self, op: str, given: Attributes) -> Any:
        """What a rule takes of the attributes given to an op; None for an optional one that is missing.

        Raises:
            NotationError: it is missing, or not of its kind.
        """
        value = next((given[name] for name in self.names if name in given), None)
        if value is None:
            if self.required:
                raise NotationError(f"'fly.{op}' op requires attribute '{self.names[0]}'")
            return None
        what, reader = KINDS[self.kind]
        try:
            return reader(value)
        except TypeError:
            found = shown(value)
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


def _of(*kinds: type) -> Callable[[object], object]:
    def reader(value: object) -> object:
        if type(value) not in kinds:
            raise TypeError
        return value

    return reader


def _integers(value: object) -> tuple[int, ...]:
    items = value if isinstance(value, list | tuple) else (value,)
    if not all(type(item) is int for item in items):
        raise TypeError
    return tuple(items)


def _truth(value: object) -> bool:
    if type(value) not in (bool, int) or value not in (-1, 0, 1):
        raise TypeError
    return bool(value)


def _operand(value: object) -> str:
    letter = value.removeprefix("#fly<mma_operand ").removesuffix(">").lower() if isinstance(value, str) else ""
    if letter not in OPERANDS:
        raise TypeError
    return letter


KINDS: dict[str, tuple[str, Callable[[object], object]]] = {
    "integer": ("an integer", _of(int)),
    "integers": ("made of integers", _integers),
    "text": ("a text", _of(str)),
    "type": ("the text of a type", _of(str)),
    "truth": ("true or false", _truth),
    "operand": ("one of a, b, c, d", _operand),
    "anything": ("an attribute", lambda value: value),
}

MODE = Attribute(("mode",), "integers")
INDICES = Attribute(("indices",), "integers")
BEGIN, END = Attribute(("begin",), "integer"), Attribute(("end",), "integer")
N = Attribute(("n",), "integer", required=False)
OLD_BITS = Attribute(("old_type_bits", "old"), "integer")
NEW_BITS = Attribute(("new_type_bits", "new"), "integer")
LEAF = Attribute(("leaf_idx", "index"), "integer")
DYNAMIC_ONLY = Attribute(("dynamicOnly",), "truth", required=False)
ELEMENT = Attribute(("dtype",), "type", required=False)
OPERAND = Attribute(("operand_id",), "operand")
STAGES = Attribute(("stages",), "integer", required=False)
VALUE_BITS = Attribute(("valBits",), "integer")
FIELD = Attribute(("field",), "text")
FORMAT = Attribute(("format",), "text")
ADDRESS_SPACE = Attribute(("llvm_address_space",), "integer")
ORDER = Attribute(("traversalOrder",), "anything", required=False)
DICTIONARY = Attribute(("dictAttrs",), "anything", required=False)
SEGMENTS = Attribute(("operandSegmentSizes",), "integers", required=False)
