"""Bounds: that a coordinate lies within its dimension, as an assertion beside the access that needs it.

A `cf.assert` with the attribute `tile.bounds` states one; the attribute says what the access does, `reads` or `writes`.
Where the extent is known its condition is `arith.cmpi ult` of the coordinate and the extent, so that a negative
coordinate fails too, and its message names the dimension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import MisalignedError, OutOfBoundsError, SimulationError
from tilewright.ir.core.attributes import ALIGNED, BOUNDS, TRAP
from tilewright.ir.core.dead import remove_dead
from tilewright.ir.core.effects import ACCESSES, verb
from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index, constant_of
from tilewright.ir.core.rewrite import erase

PARTED = "threads that wait for each other part at a barrier"  # the message of what asserts that they do not


@dataclass(frozen=True)
class Claim:
    """What an assertion says: low <= value < high, of a coordinate (`bounds`) or of a condition, which is 1.

    `access` says of a condition that it is about where an access may be; `verb` what that does. `aligned`: the value is
    how many bytes an address lies past a multiple of what its access asks for.
    """

    value: SSAValue
    low: int
    high: int
    message: str
    bounds: bool
    access: bool = False
    verb: str = ACCESSES
    aligned: bool = False

    @property
    def worded(self) -> bool:
        """Does its message have words for the value, rather than for a condition?"""
        return self.bounds or self.aligned

    def error(self, found: int, thread: str, where: str) -> SimulationError:
        """What is raised where it does not hold."""
        if self.aligned:
            return MisalignedError(f"{thread} {self.verb} {self.message}, {found} past one\n{where}".rstrip())
        if self.bounds:
            return _out_of_bounds(found, thread, self.message, where, self.verb)
        kind = OutOfBoundsError if self.access else SimulationError
        return kind(f"{thread}: {self.message}\n{where}".rstrip())


@dataclass(frozen=True)
class Row:
    """Elements that one instruction accesses in a memory of `size` (-1: nobody knows), from a multiple of `step` on."""

    memory: str
    size: int
    element_bytes: int
    count: int
    step: int
    verb: str


def dimension(buffer: SSAValue, axis: int, extent: int) -> str:
    """What the message of a bound names."""
    return f"dimension {axis} of {buffer.name_hint or 'a buffer'}, which has extent {extent}"


def out_of_dimension(
    found: int, thread: str, buffer: SSAValue, axis: int, extent: int, where: str, verb: str
) -> OutOfBoundsError:
    """The error for a coordinate outside its dimension, at which an access of that verb was to be."""
    return _out_of_bounds(found, thread, dimension(buffer, axis, extent), where, verb)


def _out_of_bounds(found: int, thread: str, message: str, where: str, verb: str) -> OutOfBoundsError:
    return OutOfBoundsError(f"{thread} {verb} coordinate {found} in {message}\n{where}".rstrip())


def assert_within(
    index: IndexBuilder, coordinate: Index, buffer: SSAValue, axis: int, extent: int, of: Operation
) -> None:
    """Emits the bound of a coordinate on behalf of the op `of`, unless the range of the coordinate proves it."""
    if index.ranges.within(coordinate, 0, extent):
        return
    claim(index, coordinate, extent, dimension(buffer, axis, extent), verb(of), of)


def assert_begins(index: IndexBuilder, offset: Index, memory: str, places: int, of: Operation) -> None:
    """Emits on behalf of the op `of` that a view begins at one of the first so many elements of a memory."""
    if not index.ranges.within(offset, 0, places):
        message = f"the places of {memory} where the view may begin, which are {places}"
        claim(index, offset, places, message, verb(of), of)


def assert_row(index: IndexBuilder, offset: Index, row: Row, of: Operation) -> None:
    """Emits on behalf of the op `of` that a row of elements from an offset on lies in its memory, and is aligned."""
    past = index.mul(index.mod(offset, row.step), row.element_bytes)
    if past != 0:
        message = f"{row.memory} at no multiple of {row.step * row.element_bytes} bytes"
        _insert(index, past, 1, message, of, {ALIGNED: StringAttr(row.verb)})
    places = max(0, row.size - row.count + 1)
    if row.size >= 0 and not index.ranges.within(offset, 0, places):
        message = f"the places of {row.memory} where {row.count} elements may begin, which are {places}"
        claim(index, offset, places, message, row.verb, of)


def claim(index: IndexBuilder, value: Index, extent: int, message: str, said: str, of: Operation | None = None) -> None:
    """Emits that 0 <= value < extent, on behalf of the op `of`; `said` is what that does with the coordinate."""
    _insert(index, value, extent, message, of, {BOUNDS: UnitAttr() if said == ACCESSES else StringAttr(said)})


def _insert(
    index: IndexBuilder,
    value: Index,
    extent: int,
    message: str,
    of: Operation | None,
    kind: Mapping[str, Attribute],
) -> None:
    compared = arith.CmpiOp(index.value(value), index.value(extent), "ult")
    index.builder.insert(compared)
    made = AssertOp(compared.result, message)
    made.attributes.update(kind)
    if of is not None:
        made.location = of.location
    index.builder.insert(made)


def claim_of(op: AssertOp) -> Claim:
    """What the assertion says."""
    compared, message = op.arg.owner, op.msg.data
    if ALIGNED in op.attributes and isinstance(compared, arith.CmpiOp):
        return Claim(compared.lhs, 0, 1, message, False, verb=_said(op.attributes[ALIGNED]), aligned=True)
    if BOUNDS in op.attributes and isinstance(compared, arith.CmpiOp):
        extent = constant_of(compared.rhs)
        if extent is not None and extent >= 0 and predicate_of(compared).name == "ult":
            return Claim(compared.lhs, 0, extent, message, True, verb=_said(op.attributes[BOUNDS]))
    return Claim(op.arg, 1, 2, message, False, BOUNDS in op.attributes)


def _said(bounds: Attribute) -> str:
    return bounds.data if isinstance(bounds, StringAttr) else ACCESSES


def only_asserted(op: Operation) -> bool:
    """Is the comparison there for bounds alone? Whoever executes these looks at the coordinate itself."""
    return op.results[0].first_use is not None and all(
        isinstance(use.operation, AssertOp) and claim_of(use.operation).worded for use in op.results[0].uses
    )


def without_assertions(module: ModuleOp) -> ModuleOp:
    """The module, or a copy without the assertions that are not the kernel's own, and what only they need."""
    if not any(map(_made, module.walk())):
        return module
    copy = module.clone()
    for op in filter(_made, list(copy.walk())):
        erase(op)
    remove_dead(copy)
    return copy


def _made(op: Operation) -> bool:
    return isinstance(op, AssertOp) and TRAP not in op.attributes
