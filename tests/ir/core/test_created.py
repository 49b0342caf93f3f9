"""An op that is `created` is the op that xDSL's `create` makes, known to its operands likewise."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.core.created import created
from tilewright.ir.fly.dialect_types import from_text
from tilewright.ir.fly.ops import OPS, attribute_of

LAYOUT = from_text("!fly.layout<(4,8):(1,4)>")
CASES: list[tuple[type[Operation], list[Attribute], list[Attribute], dict[str, Attribute]]] = [
    (arith.ConstantOp, [], [i32], {"value": IntegerAttr(7, i32)}),
    (arith.AddiOp, [i32, i32], [i32], {}),  # whose overflow flags have a default
    (OPS["static"], [], [LAYOUT], {}),
    (OPS["get"], [LAYOUT], [from_text("!fly.layout<8:4>")], {"mode": attribute_of((1,))}),
    (OPS["ptr.store"], [i32, from_text("!fly.ptr<i32, register>")], [], {}),
]


def uses(values: Sequence[SSAValue]) -> list[list[tuple[Operation, int]]]:
    return [[(use.operation, use.index) for use in value.uses] for value in values]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].name)
def test_an_op_is_created_as_xdsl_creates_it(
    case: tuple[type[Operation], list[Attribute], list[Attribute], dict[str, Attribute]],
) -> None:
    kind, operands, results, properties = case
    given = list(Block(arg_types=operands).args)
    theirs = kind.create(operands=given, result_types=results, properties=properties)
    before = uses(given)
    ours = created(kind, given, results, properties)
    assert ours.is_structurally_equivalent(theirs, {})
    assert (ours.properties, ours.attributes, ours.location) == (theirs.properties, theirs.attributes, theirs.location)
    assert [(r.type, r.op, r.index, r.first_use) for r in ours.results] == [
        (t, ours, i, None) for i, t in enumerate(results)
    ]
    assert uses(given) == [[(ours, i), *rest] for i, rest in enumerate(before)]
    ours.drop_all_references()
    assert uses(given) == before
