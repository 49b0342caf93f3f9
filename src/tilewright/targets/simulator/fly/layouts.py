"""Handlers of ops on layouts, coordinates, int tuples, and on the layouts of views: by the rule that infers them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.fly.argument import ArgumentOp
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import cell_bits, pointer_of
from tilewright.ir.fly.ops import OPS, FlyOp, text_of
from tilewright.ir.fly.reference import SOURCES
from tilewright.ir.fly.types import Asked, MemRef, Pointer
from tilewright.ir.fly.types import Value as FlyValue
from tilewright.ir.fly.worked import in_form, worked
from tilewright.layout.inttuple import leaves as tree_leaves
from tilewright.layout.symbolic.comparison import divides
from tilewright.layout.symbolic.conditions import Truth
from tilewright.layout.symbolic.polynomial import Variable
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.numbers import Leaves
from tilewright.targets.simulator.fly.values import NOTHING, Held, Place, filled, held, integer
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


@dataclass(frozen=True, eq=False)
class Rule:
    """What an op gives, as expressions of its operands' leaves: by the rule of its inference."""

    op: FlyOp
    slots: tuple[int, ...]
    leaves: tuple[Variable, ...]
    conditions: tuple[Truth, ...]
    numbers: tuple[Integer, ...]
    truth: Truth | None
    distance: Integer | None  # of the result's pointer from the first operand's, in elements

    @staticmethod
    def of(compiler: Compiler, op: FlyOp) -> Rule:
        """The rule of an op.

        Raises:
            CompileError: the op is not defined for its operands.
        """
        slots = tuple(map(compiler.slot, op.operands))
        try:
            done = worked(op.short, tuple(map(text_of, op.operand_types)), op.parameters)
            if isinstance(done.value, bool | Asked):
                truth = done.value.truth if isinstance(done.value, Asked) else done.value
                return Rule(op, slots, done.leaves, done.conditions, (), truth, None)
            numbers, told = in_form(done.value, value_of(op.results[0].type))
        except LayoutError as error:
            raise CompileError(f"{op.name}: {error}\n{where(op)}") from None
        pointer = done.value.pointer if isinstance(done.value, MemRef) else done.value
        distance = pointer.distance if isinstance(pointer, Pointer) else None
        return Rule(op, slots, done.leaves, (*done.conditions, *told), numbers, None, distance)

    def leaves_of(self, frame: Frame) -> Leaves:
        """The leaves of the operands, of which the op's conditions hold."""
        given = [number for slot in self.slots for number in held(frame.values, slot).numbers]
        leaves = Leaves(self.op, frame, self.leaves, given)
        leaves.require(self.conditions)
        return leaves

    def found(self, frame: Frame) -> Held:
        """The result."""
        leaves = self.leaves_of(frame)
        numbers = tuple(map(leaves.leaf, self.numbers))
        place = None
        if self.distance is not None:
            start = next(place for slot in self.slots if (place := held(frame.values, slot).place) is not None)
            pointer = pointer_of(self.op.results[0].type)
            assert pointer is not None
            by = self.distance if isinstance(self.distance, int) else leaves.of(self.distance.polynomial)
            place = start.moved(by * cell_bits(pointer))
        return Held(numbers, place)


def value_of(kind: object) -> FlyValue:
    """What a type of fly says."""
    assert isinstance(kind, FlyType)
    found: FlyValue = kind.value
    return found


def by_rule(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of what follows from the leaves of the operands."""
    rule, result = Rule.of(compiler, op), compiler.slot(op.results[0])

    def truth(frame: Frame) -> None:
        assert rule.truth is not None
        found = rule.leaves_of(frame).truth(rule.truth)
        frame.values[result] = np.asarray(found).astype(bool)[()]

    def step(frame: Frame) -> None:
        frame.values[result] = rule.found(frame)

    return step if rule.truth is None else truth


def source(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of int tuples made of integers, whose divisors and widths their type promises."""
    slots, result = [compiler.slot(operand) for operand in op.operands], compiler.slot(op.results[0])
    wanted = run_time_leaves(value_of(op.results[0].type))

    def step(frame: Frame) -> None:
        numbers = [integer(frame.values[slot]) for slot in slots]
        check = Leaves(op, frame, (), ())
        for number, leaf in zip(numbers, wanted, strict=True):
            top = 1 << leaf.width - 1
            if leaf.div > 1:
                check.claim(number % leaf.div == 0, f"{op.name}: {divides(leaf.div, SymInt('a number'))}")
            check.claim((number >= -top) & (number < top), f"{op.name}: a number leaves {leaf.width} bits")
        frame.values[result] = Held(tuple(numbers))

    return step


def constant(compiler: Compiler, op: FlyOp) -> None:
    """The handler of what its type tells whole."""
    compiler.constants[compiler.slot(op.results[0])] = NOTHING


def same(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of what holds what its first operand holds: atoms repeated, and taken out again."""
    given, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])
    return lambda frame: frame.values.__setitem__(result, frame.values[given])


def nothing(_compiler: Compiler, _op: FlyOp) -> Step:
    """The handler of what only says where registers lie."""
    return lambda frame: None


def set_value(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of an atom with a field of its state set."""
    atom, value = map(compiler.slot, op.operands)
    result, field = compiler.slot(op.results[0]), str(op.attribute("field"))

    def step(frame: Frame) -> None:
        before = held(frame.values, atom)
        state = {**before.state, field: integer(frame.values[value])}
        frame.values[result] = Held(before.numbers, before.place, state)

    return step


def leaves(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of `get_scalar` and `get_leaves`: integers of the leaves."""
    given, kind = compiler.slot(op.operands[0]), value_of(op.operands[0].type)
    results = [(compiler.slot(result), cast("IntegerType", result.type)) for result in op.results]
    dynamic = bool(op.attribute("dynamicOnly")) if op.short == "get_leaves" else False

    def step(frame: Frame) -> None:
        numbers = held(frame.values, given).numbers
        found = numbers if dynamic else tuple(tree_leaves(filled(kind, numbers)))  # type: ignore[arg-type]  # a tree
        for number, (slot, type) in zip(found, results, strict=True):
            frame.values[slot] = _as(number, type)

    return step


def _as(number: Number, kind: IntegerType) -> Number:
    found = np.asarray(number).astype(numpy_type(kind))
    return found[()] if found.ndim == 0 else found


def argument(compiler: Compiler, op: ArgumentOp) -> Step:
    """The handler of a kernel's argument."""
    memory = None if op.memory is None else compiler.slot(op.memory)
    result, root, numbers = compiler.slot(op.result), op.result, op.leaves

    def step(frame: Frame) -> None:
        place = None if memory is None else Place(cast("Memory", frame.values[memory]), root, 0)
        frame.values[result] = Held(numbers, place)

    return step


# fmt: off
_BY_RULE = (
    "make_layout", "make_ordered_layout", "make_layout_like", "make_fragment_layout_like", "make_identity_layout",
    "make_identity_tensor", "make_composed_layout", "make_tile", "size", "cosize", "coshape", "coprofile", "rank",
    "depth", "get_shape", "get_stride", "is_static", "get", "get_leaf", "composed_get_inner", "composed_get_offset",
    "composed_get_outer", "crd2idx", "idx2crd", "get_flat_coord", "get_1d_coord", "crd2crd", "get_hier_coord",
    "composition", "complement", "right_inverse", "left_inverse", "coalesce", "recast_layout", "logical_divide",
    "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product", "tiled_product",
    "flat_product", "blocked_product", "raked_product", "tile_to_shape", "select", "take", "group", "append",
    "prepend", "slice", "dice", "zip", "flatten", "int_tuple_add", "int_tuple_sub", "int_tuple_mul", "int_tuple_div",
    "int_tuple_mod", "int_tuple_product", "int_tuple_product_each", "int_tuple_product_like", "ceil_div", "shape_div",
    "elem_less", "equal", "get_layout", "get_iter", "make_view", "add_offset", "apply_swizzle", "decomposition",
    "tiled_copy.partition_src", "tiled_copy.partition_dst", "tiled_copy.retile", "tiled_mma.partition",
    "tiled_mma.partition_shape",
)
# fmt: on
_SAME = (
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_mma",
    "get_copy_atom",
    "get_mma_atom",
    "assume",
    "register_value",
)

LAYOUT_HANDLERS: Mapping[type[Operation], Handler] = {
    **{OPS[name]: by_rule for name in _BY_RULE},
    **{OPS[name]: source for name in SOURCES if name != "static"},
    **{OPS[name]: constant for name in ("static", "make_copy_atom", "make_mma_atom")},
    **{OPS[name]: same for name in _SAME},
    **{OPS[name]: leaves for name in ("get_scalar", "get_leaves")},
    OPS["atom.set_value"]: set_value,
    OPS["set_register"]: nothing,
    ArgumentOp: argument,
}
