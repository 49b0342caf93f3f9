"""What a Triton GPU dump holds: operations with their operands, types, attributes, regions and places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tilewright.errors import LayoutError
from tilewright.numerals import integer

LIMIT = 2**63
# The name of what stands for the beginning of a block: an operation whose results are the block's arguments.
BLOCK = "^"


@dataclass(frozen=True)
class Op:
    """One operation.

    Attributes:
        name: with its dialect, such as `ttg.local_load`.
        line: of its first token in the dump, counted from 1.
        results, operands: SSA names with their `%`, in the order of the text; a result `%x:3` is `%x`, an operand may
            be one of several, `%x#2`.
        inputs, outputs: the texts of the types behind its last colon, before and after the arrow.
        attributes: the texts of the values of its dictionaries; a unit attribute is empty.
        words: what is written between the name and the types, without dictionaries and regions.
        bindings: loop-carried arguments, and those of a part of the warps -> what they begin with, or are.
        location: the text inside its `loc(...)`, or empty.
    """

    name: str
    line: int
    results: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    bindings: Mapping[str, str] = field(default_factory=dict)
    regions: tuple[tuple[Op, ...], ...] = ()
    location: tuple[str, ...] = ()

    def input(self, which: int) -> str:
        """The text of the type of an input, counted from the front.

        Raises:
            LayoutError: it names fewer types.
        """
        if not 0 <= which < len(self.inputs):
            raise LayoutError(f"{self.name} on line {self.line} names {len(self.inputs)} types of operands")
        return self.inputs[which]

    @property
    def output(self) -> str:
        """The text of its last type: the result's, or the one that stands for operands and result.

        Raises:
            LayoutError: it names no type.
        """
        named = self.outputs or self.inputs
        if not named:
            raise LayoutError(f"{self.name} on line {self.line} names no type")
        return named[-1]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Which result each name is, of several of one name the first."""
        return {name: i for i, name in reversed(list(enumerate(self.results)))}

    @cached_property
    def begins(self) -> tuple[str, ...]:
        """What the loop-carried arguments begin with, the induction variable's first."""
        return tuple(self.bindings.values())

    @cached_property
    def binding_places(self) -> Mapping[str, int]:
        """Which loop-carried argument each name is."""
        return {name: i for i, name in enumerate(self.bindings)}

    @cached_property
    def defined_inside(self) -> tuple[dict[str, Op], ...]:
        """For each region, which operation defines a name directly in it."""
        own = dict.fromkeys(self.bindings, self)
        return tuple(own | {name: inner for inner in region for name in inner.results} for region in self.regions)

    def integer(self, key: str) -> int | None:
        """An integer attribute, such as `{axis = 1 : i32}`; None where it is missing or none."""
        words = self.attributes.get(key, "").split(" ")
        return integer(words[0], LIMIT) if words[0] else None

    def integers(self, key: str) -> tuple[int, ...] | None:
        """An attribute `array<i32: 1, 0>`; None where it is missing or none."""
        inside = self.attributes.get(key, "").partition(":")[2].rstrip("> ")
        values = [integer(word.strip(), LIMIT) for word in inside.split(",")] if inside else [None]
        return None if None in values else tuple(value for value in values if value is not None)

    def walk(self) -> Iterator[Op]:
        """The operation, then those in its regions, in the order of the text; no beginnings of blocks."""
        waiting = [self]
        while waiting:
            op = waiting.pop()
            if op.name != BLOCK:
                yield op
            waiting += (inner for region in reversed(op.regions) for inner in reversed(region))


@dataclass(frozen=True, slots=True)
class Dump:
    """A dump: its top operations, and the texts of its aliases, by their names with `#`."""

    ops: tuple[Op, ...]
    aliases: Mapping[str, str]
    locations: Mapping[str, tuple[str, ...]]

    def walk(self) -> Iterator[Op]:
        """Every operation, in the order of the text."""
        for op in self.ops:
            yield from op.walk()

    @property
    def module(self) -> Mapping[str, str]:
        """The attributes of the module."""
        return next((op.attributes for op in self.ops if op.name in ("module", "builtin.module")), {})
