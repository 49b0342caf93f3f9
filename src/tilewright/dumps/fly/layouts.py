"""Ops of the `fly` dialect on the values that the threads of a block have: the rules of the inference, on numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tilewright.dumps.fly.addresses import number_of, place_at
from tilewright.dumps.fly.operands import MANY, takes
from tilewright.dumps.fly.values import (
    Leaves,
    Missing,
    Place,
    Struct,
    Value,
    are_numbers,
    is_number,
    located,
    place_of,
)
from tilewright.errors import LayoutError
from tilewright.ir.fly import types
from tilewright.ir.fly.kinds import ANY_LAYOUT
from tilewright.ir.fly.leaves import is_run_time, mapped, run_time_leaves
from tilewright.ir.fly.op_attributes import Attribute
from tilewright.ir.fly.rules import memory
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.types import MemRef, Pointer, Results
from tilewright.layout.inttuple import leaves
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Truth, assuming
from tilewright.layout.symbolic.operators import as_int
from tilewright.notation.ttgir_op import Op
from tilewright.numerals import integer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.layout.inttuple import Tree

    Bits = NDArray[np.bool_]

_A = TypeVar("_A")
_B = TypeVar("_B")
LIMIT = 1 << 63
FLY, ROCDL = "fly.", "fly_rocdl."
DYNAMIC = "dynamic shared memory"


def result(op: Op, given: list[Value], known: Leaves) -> Value:
    """The value of a fly op's result; of several results a tuple.

    Raises:
        TilewrightError: the algebra has none.
    """
    missing = next((value for value in given if isinstance(value, Missing)), None)
    if missing is not None:
        return missing
    name = key(op.name)
    if name in _OWN:
        return _OWN[name](op, given, known)
    row = TABLE[name]
    attributes = [_attribute(op, attribute) for attribute in row.attributes]
    values = row.grouped([_operand(value, known) for value in given], op.integers("operandSegmentSizes"))
    written = [tuple(map(read, op.outputs or op.inputs))] if row.written else []
    with assuming(_Truth(known)):
        found = row.rule(*written, *values, *attributes)
    return Struct(found.types) if isinstance(found, Results) else found


def _operand(value: Value, known: Leaves) -> types.Value:
    """The value as rules take it: numbers as leaves of int tuples."""
    if is_number(value):
        return as_int(known.leaf(value))
    if isinstance(value, Missing | Struct | np.ndarray):
        raise LayoutError("a structure is no value of fly")
    return value


def key(name: str) -> str:
    """The name under which the table has the op."""
    return name.removeprefix(FLY)


def is_fly(name: str) -> bool:
    """Is it an op of the dialect whose result follows from its operands?"""
    return key(name) in TABLE and name.startswith((FLY, ROCDL))


_RELATIONS: Mapping[str, np.ufunc] = {">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}


class _Truth(Mapping[Condition, bool]):
    """Every condition on the numbers of all threads, with its truth."""

    def __init__(self, known: Leaves) -> None:
        self._known = known

    def __getitem__(self, condition: Condition) -> bool:
        truths = np.unique(self._of(condition))
        if len(truths) > 1:
            raise LayoutError(f"{condition} holds for some threads only")
        return bool(truths[0])

    def _of(self, condition: Truth) -> Bits:
        if isinstance(condition, Compound):
            join = np.logical_or if condition.word == "or" else np.logical_and
            return np.asarray(join.reduce([self._of(part) for part in condition.parts]), np.bool_)
        if isinstance(condition, Comparison):
            found = _RELATIONS[condition.relation](self._known.polynomial(condition.polynomial), 0)
            return np.asarray(found, np.bool_)
        return np.array(bool(condition))

    def __contains__(self, condition: object) -> bool:
        return isinstance(condition, Condition)

    def __iter__(self) -> Iterator[Condition]:
        return iter(())

    def __len__(self) -> int:
        return 0


# ---- attributes, in dictionaries and in brackets


def _attribute(op: Op, attribute: Attribute[object]) -> object:
    texts = {name: op.attributes[name] for name in attribute.names if name in op.attributes}
    given = {name: _parsed(text) for name, text in texts.items()} or dict(_bracketed(op, attribute))
    return attribute.read(key(op.name), given)


def _parsed(text: str) -> object:
    """`8 : i32`, `array < i32 : 0 , 1 >`, a text, or anything else as it stands."""
    head, _, inside = text.partition(" < ")
    if head == "array":
        values = [integer(word.strip(" >"), LIMIT) for word in inside.partition(":")[2].split(",")]
        return tuple(value for value in values if value is not None)
    if text.startswith('"'):
        return text.strip('"')
    number = integer(text.partition(" ")[0], LIMIT)
    return {"true": True, "false": False}.get(text, text) if number is None else number


def _bracketed(op: Op, attribute: Attribute[object]) -> Iterator[tuple[str, object]]:
    words, name = op.words, attribute.names[0]
    after = [b for a, b in pairwise(words) if a == "="] if name in words else []
    if after:
        yield name, _parsed(after[0])
    elif name == "operand_id" and len(words) > 1:
        yield name, words[1]
    elif name == "n" and words[:1] == ("<",):
        yield name, _parsed(words[1])
    elif name == "field":
        yield from ((name, word.strip('"')) for word in words if word.startswith('"'))


# ---- ops whose values the rules of types do not tell: numbers in and out, and places


def _int_tuple(op: Op, given: list[Value], known: Leaves) -> Value:
    wanted = read(op.output)
    widths = [leaf.width for leaf in run_time_leaves(wanted)]
    if len(widths) != len(given) or not are_numbers(given):
        raise LayoutError(f"{op.name} has {len(given)} operands for {len(widths)} run-time leaves")
    filling = iter([known.leaf(number, width) for number, width in zip(given, widths, strict=True)])
    return mapped(wanted, lambda _: next(filling))


@takes(1)
def _scalar(op: Op, given: list[Value], known: Leaves) -> Value:
    found = list(leaves(_tuple(given[0])))
    if len(found) != 1:
        raise LayoutError(f"{op.name} of an int tuple with {len(found)} leaves")
    return known.number(found[0])


@takes(1)
def _scalars(op: Op, given: list[Value], known: Leaves) -> Value:
    typed = list(leaves(_tuple(read(op.inputs[0])))) if op.inputs else []
    found = [(known.number(leaf), kind) for leaf, kind in _paired(op, list(leaves(_tuple(given[0]))), typed)]
    return Struct(number for number, kind in found if len(op.outputs) == len(found) or is_run_time(kind))


def _paired(op: Op, one: Sequence[_A], other: Sequence[_B]) -> list[tuple[_A, _B]]:
    if len(one) != len(other):
        raise LayoutError(f"{op.name} of int tuples with {len(one)} and {len(other)} leaves")
    return list(zip(one, other, strict=True))


def _tuple(value: Value) -> Tree:
    if not types.is_tree(value):
        raise LayoutError("expected an int tuple")
    return value


@takes(2)
def _compared(op: Op, given: list[Value], known: Leaves) -> Value:
    sides = [[known.number(leaf) for leaf in leaves(_tuple(value))] for value in given]
    compare = np.less if op.name.endswith("less") else np.equal
    found = np.logical_and.reduce([compare(a, b) for a, b in _paired(op, *sides)])
    return found.astype(np.int64) if np.ndim(found) else int(found)


@takes(1)
def _recast(op: Op, given: list[Value], known: Leaves) -> Value:
    found = read(op.output)
    if not isinstance(found, Pointer) or not isinstance(given[0], Place):
        raise LayoutError(f"{op.name} of a pointer that points nowhere known")
    return given[0].of(found)


def _made(op: Op, given: list[Value], known: Leaves) -> Place:
    """A pointer into a buffer of global memory, or to a new piece of shared memory or registers."""
    found = read(op.output)
    if not isinstance(found, Pointer):
        raise LayoutError(f"{op.name} gives {op.output}")
    if given and isinstance(given[0], Place):
        return given[0].of(found)
    return fresh(found, op)


def _alloca(op: Op, given: list[Value], known: Leaves) -> Value:
    found = read(op.output)
    if not isinstance(found, MemRef):
        raise LayoutError(f"{op.name} gives {op.output}")
    return replace(found, pointer=fresh(found.pointer, op))


@takes(2)
def _view(op: Op, given: list[Value], known: Leaves) -> Value:
    """A view at one place of shared memory is a buffer of its own."""
    iterator, layout = given
    if not (isinstance(iterator, Pointer) or types.is_tree(iterator)) or not ANY_LAYOUT.admits(layout):
        raise LayoutError(f"{op.name} takes a pointer or a coordinate, and a layout")
    found = memory.make_view(iterator, layout)
    place = found.pointer if isinstance(found, MemRef) else None
    if not isinstance(place, Place) or place.space != "shared" or not isinstance(place.at, int):
        return found
    return MemRef(replace(place, origin=place.at), found.layout)


def _place(value: Value) -> Place:
    """Where it points.

    Raises:
        LayoutError: that is not known.
    """
    place = place_of(value)
    if place is None:
        raise LayoutError("it points nowhere known")
    return place


@takes(1)
def _address_of(op: Op, given: list[Value], known: Leaves) -> Value:
    """The address of a pointer or view; as a pointer of LLVM the place itself."""
    pointer = op.output.startswith("!llvm.ptr")
    return _place(given[0]) if pointer else number_of(_place(given[0]), known)


@takes(1)
def _pointer_of(op: Op, given: list[Value], known: Leaves) -> Value:
    found = read(op.output)
    if not isinstance(found, Pointer) or not is_number(given[0]):
        raise LayoutError("a pointer made of a number that is not known is not followed")
    return place_at(given[0], located(found, ""), known)


def fresh(pointer: Pointer, op: Op) -> Place:
    """The beginning of memory that the op sets aside."""
    return located(pointer, f"{op.results[0] if op.results else op.name} of line {op.line}")


_OWN: Mapping[str, Callable[[Op, list[Value], Leaves], Value]] = {
    **dict.fromkeys(("make_int_tuple", "make_shape", "make_stride", "make_coord"), _int_tuple),
    "get_scalar": _scalar,
    "get_leaves": _scalars,
    "elem_less": _compared,
    "equal": _compared,
    "recast_iter": _recast,
    "make_ptr": _made,
    "make_view": _view,
    "get_dyn_shared": lambda op, given, known: replace(_made(op, [], known), base=DYNAMIC),
    "memref.alloca": _alloca,
    "inttoptr": _pointer_of,
    "ptrtoint": _address_of,
    "extract_aligned_pointer_as_index": _address_of,
    "to_llvm_ptr": takes(1)(lambda op, given, known: _place(given[0])),
    "register_value": takes(1)(lambda op, given, known: given[0]),
    "set_register": takes(1)(lambda op, given, known: Struct(())),
    "assume": takes(1, MANY)(lambda op, given, known: given[0]),
}
