"""How each op is lowered: by the rule of its inference, by its leaves, or as an access to memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.core.location import place
from tilewright.ir.fly.dialect_types import is_fly_type
from tilewright.ir.fly.kinds import INTEGERS
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, is_fly
from tilewright.ir.fly.types import Asked, CoordTensor, Pointer
from tilewright.layout.inttuple import leaves
from tilewright.layout.symbolic.comparison import divides
from tilewright.layout.symbolic.symint import Integer
from tilewright.passes.fly import accesses
from tilewright.passes.fly.emission import Emission, at_least
from tilewright.passes.fly.held import Held, fly_type
from tilewright.passes.fly.worked_out import Function, result, worked_out

# What says which integers it is made of.
SOURCES = ("static", "make_int_tuple", "make_shape", "make_stride", "make_coord")
# Emits what stands for the op; True if the op has no place any more.
Rule: TypeAlias = Callable[[FlyOp, Function, Emission], bool]


def rule_of(op: Operation) -> Rule | None:
    """How the op is lowered; None if it stays as it is."""
    if not is_fly(op):
        return None
    if op.short == "apply_swizzle" and isinstance(fly_type(op.operands[0]).value, Pointer):
        return None
    if op.short == "memref.load" and isinstance(fly_type(op.operands[0]).value, CoordTensor):
        return _by_rule
    return RULES.get(op.short)


def _source(op: FlyOp, function: Function, emission: Emission) -> bool:
    """Stays, and says which integers it is made of; its type may promise their divisors, and that they are narrow."""
    kind = fly_type(op.results[0])
    wanted = run_time_leaves(kind.value)
    for operand, leaf in zip(op.operands, wanted, strict=True):
        number, top = function.roots.of(operand), 1 << leaf.width - 1
        emission.claim(divides(leaf.div, number))
        emission.claim(at_least(number, -top))
        emission.claim(at_least(top - 1, number))
    numbers = tuple(function.roots.of(x, leaf.div) for x, leaf in zip(op.operands, wanted, strict=True))
    held = Held(kind, numbers)
    function.note(op.results[0], held)
    emission.seen.values.setdefault(held.key, op.results[0])
    return False


def _by_rule(op: FlyOp, function: Function, emission: Emission) -> bool:
    operands = [function.of(operand) for operand in op.operands]
    if is_fly_type(op.results[0].type):
        function.put(op.results[0], result(op, operands, emission), emission)
        return True
    done, numbers = worked_out(op.short, operands, emission, op.parameters)
    truth = numbers.truth(done.value.truth) if isinstance(done.value, Asked) else bool(done.value)
    op.results[0].replace_all_uses_with(emission.truth(truth))
    return True


def _scalar(op: FlyOp, function: Function, emission: Emission) -> bool:
    _integers(_all_leaves(op, function.of(op.operands[0])), op, function, emission)
    return True


def _leaves(op: FlyOp, function: Function, emission: Emission) -> bool:
    held = function.of(op.operands[0])
    _integers(held.numbers if op.attribute("dynamicOnly") else _all_leaves(op, held), op, function, emission)
    return True


def _all_leaves(op: FlyOp, held: Held) -> Sequence[Integer]:
    value = held.value
    if not INTEGERS.admits(value):
        raise CompileError(f"'{op.name}' op: a value of type {held.type} has leaves that are no integers\n{place(op)}")
    return list(leaves(value))


def _integers(numbers: Sequence[Integer], op: FlyOp, function: Function, emission: Emission) -> None:
    for number, given in zip(numbers, op.results, strict=True):
        assert isinstance(given.type, IntegerType)
        if given.first_use is not None:
            value = emission.integer(number, given.type.width.data)
            function.roots.note(value, number)
            given.replace_all_uses_with(value)


# fmt: off
BY_RULE = (
    "make_layout", "make_ordered_layout", "make_layout_like", "make_fragment_layout_like", "make_identity_layout",
    "make_identity_tensor", "make_composed_layout", "make_view", "size", "cosize", "coshape", "coprofile", "rank",
    "depth", "get_shape", "get_stride", "get", "get_leaf", "composed_get_inner", "composed_get_offset",
    "composed_get_outer", "crd2idx", "idx2crd", "get_flat_coord", "get_1d_coord", "crd2crd", "get_hier_coord",
    "composition", "complement", "right_inverse", "left_inverse", "coalesce", "recast_layout", "logical_divide",
    "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product", "tiled_product",
    "flat_product", "blocked_product", "block_product", "raked_product", "tile_to_shape", "select", "take", "group",
    "append", "prepend", "slice", "dice", "zip", "flatten", "int_tuple_add", "int_tuple_sub", "int_tuple_mul",
    "int_tuple_div", "int_tuple_mod", "int_tuple_product", "int_tuple_product_each", "int_tuple_product_like",
    "ceil_div", "shape_div", "elem_less", "equal", "get_layout", "get_iter", "add_offset", "apply_swizzle",
    "decomposition", "tiled_copy.partition_src", "tiled_copy.partition_dst", "tiled_copy.retile",
    "tiled_mma.partition", "tiled_mma.partition_shape",
)
# fmt: on
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **dict.fromkeys(BY_RULE, _by_rule),
        **dict.fromkeys(SOURCES, _source),
        **dict.fromkeys(("memref.alloca", "make_fragment_like", "mma.make_fragment"), accesses.allocate),
        "get_scalar": _scalar,
        "get_leaves": _leaves,
        "memref.load": accesses.load,
        "memref.store": accesses.store,
    }
)
