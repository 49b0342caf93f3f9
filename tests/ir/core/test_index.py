"""Index arithmetic folds to equal expressions, and ranges hold every value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_world import World, run, value_of
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def

from tilewright.ir.core.facts import Binary
from tilewright.ir.core.index import IndexBuilder, linear
from tilewright.ir.core.ranges import Index, Ranges
from tilewright.ir.dialects import context
from tilewright.ir.script.expressions import Expressions
from tilewright.ir.text import parse_module
from tilewright.passes import pipeline
from tilewright.passes.simplify import Simplify
from tilewright.targets.simulator.simulate import simulate


@irdl_op_definition
class Keep(IRDLOperation):
    """Uses an index."""

    name = "test.keep"
    kept = operand_def(IndexType())


class Literal(IndexBuilder):
    """Folds nothing."""

    def fold(self, kind: Binary, x: Index, y: Index) -> Index | None:
        return None


LEAVES = st.sampled_from(["tx", "bx", "i", "n"]) | st.integers(-70, 70)
POSITIVE = st.sampled_from([1, 2, 3, 4, 8, 24, 32, 64])
SHIFTS = st.integers(0, 6)
HUGE = (4, -4, 1 << 31, 1 << 32, 1 << 61, 1 << 62, (1 << 63) - 1, -(1 << 62))


def larger(trees: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.tuples(st.sampled_from(["+", "-", "*", "&", "|", "^"]), trees, trees)
        | st.tuples(st.sampled_from(["//", "%"]), trees, POSITIVE)
        | st.tuples(st.sampled_from(["<<", ">>"]), trees, SHIFTS)
        | st.tuples(st.just("*"), trees, POSITIVE)
    )


TREES = st.recursive(LEAVES, larger, max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_building_computes_the_same_as_python(tree: Any) -> None:
    world = World()
    index = world.build(IndexBuilder(world.builder), tree)
    ranges = Ranges()
    low, high = ranges.of(index)
    for environment in world.environments():
        expected = value_of(tree, {name: environment[v] for name, v in world.variables.items()})
        assert run(index, environment) == expected
        assert low is None or low <= expected
        assert high is None or expected <= high


@settings(max_examples=150, deadline=None)
@given(TREES)
def test_simplify_keeps_every_value(tree: Any) -> None:
    world = World()
    # A builder that folds nothing leaves all the work to the pass.
    index = world.build(Literal(world.builder), tree)
    keeper = IndexBuilder(world.builder).value(index)
    use = world.builder.insert(Keep(operands=[keeper]))
    expected = [run(keeper, environment) for environment in world.environments()]
    Simplify().apply(context(), ModuleOp([world.function]))
    assert [run(use.operands[0], environment) for environment in world.environments()] == expected


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(LEAVES, st.integers(-40, 40)), max_size=6))
def test_a_total_is_the_sum_of_its_terms(terms: list[tuple[Any, int]]) -> None:
    world = World()
    builder = IndexBuilder(world.builder)
    built = [(world.build(builder, leaf), factor) for leaf, factor in terms]
    total = builder.total(built)
    for environment in world.environments():
        assert run(total, environment) == sum(run(leaf, environment) * factor for leaf, factor in built)
        assert run(total, environment) == sum(run(part, environment) * factor for part, factor in linear(total))


TX = "tx"
FOLDED = {
    "x + 0": (("+", TX, 0), TX),
    "x * 1": (("*", TX, 1), TX),
    "x * 0": (("*", TX, 0), 0),
    "x - 0": (("-", TX, 0), TX),
    "x // 1": (("//", TX, 1), TX),
    "x % 1": (("%", TX, 1), 0),
    "x ^ 0": (("^", TX, 0), TX),
    "x & 0": (("&", TX, 0), 0),
    "x << 0": (("<<", TX, 0), TX),
    "constants": (("%", ("*", 5, 7), 32), 3),
    "below the divisor": (("//", TX, 32), 0),
    "below the modulus": (("%", TX, 32), TX),
    "a multiple over its factor": (("//", ("+", ("*", "bx", 32), TX), 32), "bx"),
    "what is left of a multiple": (("%", ("+", ("*", "bx", 32), TX), 32), TX),
    "a multiple of the modulus": (("%", ("*", "n", 64), 32), 0),
    "nested moduli": (("%", ("%", TX, 24), 8), ("%", TX, 8)),
    "nested quotients": (("//", ("//", TX, 8), 4), 0),
    "digits of a digit": (("%", ("//", ("+", TX, ("*", "bx", 32)), 32), 4), "bx"),
    "constants are moved together": (("-", ("+", ("+", TX, 3), 5), 8), TX),
}


@pytest.mark.parametrize("name", FOLDED)
def test_rules_leave_nothing_behind(name: str) -> None:
    tree, expected = FOLDED[name]
    world = World()
    builder = IndexBuilder(world.builder)
    found, wanted = (builder.value(world.build(builder, each)) for each in (tree, expected))
    assert Expressions().of(found) == Expressions().of(wanted)


def test_ranges_remove_no_mask() -> None:
    """As in document 000's text: `(tx >> 3) & 3` and `(r ^ ...) % 4` stay, though both are below 4 anyway."""
    world = World()
    builder = IndexBuilder(world.builder)
    masked = builder.bits_and(builder.shift_right(world.variables["tx"], 3), 3)
    turned = builder.mod(builder.xor(world.variables["i"], masked), 4)
    assert masked.owner.name == "arith.andi"
    assert turned.owner.name == "arith.remui"


def test_a_doubled_sum_ends() -> None:
    world = World()
    builder = IndexBuilder(world.builder)
    doubled = world.variables["n"]
    for _ in range(200):
        doubled = builder.add(doubled, doubled)
    assert len(linear(doubled)) <= 32
    assert builder.mod(doubled, 8) is not None


def test_a_long_chain_ends() -> None:
    world = World()
    builder = IndexBuilder(world.builder)
    chain = world.variables["tx"]
    for _ in range(3000):
        chain = builder.xor(chain, world.variables["bx"])
    assert Ranges().of(chain) == (None, None)


_STEPS = st.tuples(st.sampled_from(("addi", "subi", "muli")), st.sampled_from(HUGE)) | st.tuples(
    st.sampled_from(("divui", "floordivsi", "remui")), st.sampled_from((3, 4, 1 << 32, 1 << 62))
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_STEPS, min_size=2, max_size=4))
def test_constants_that_wrap_are_the_same_at_the_first_stage_and_the_last(steps: list[tuple[str, int]]) -> None:
    lines = [
        f"%c{i} = arith.constant {c} : index\n%r{i + 1} = arith.{op} %r{i}, %c{i} : index"
        for i, (op, c) in enumerate(steps)
    ]
    text = f"""func.func @f(%A: memref<8xi64>) attributes {{
        tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 8, 1, 1>}} {{
      %r0 = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
      {chr(10).join(lines)}
      %v = arith.index_cast %r{len(steps)} : index to i64
      memref.store %v, %A[%r0] : memref<8xi64>
      func.return
    }}"""
    first, last = np.zeros(8, np.int64), np.zeros(8, np.int64)
    simulate(parse_module(text), [first])
    simulate(pipeline.run(parse_module(text)).module, [last])
    assert first.tolist() == last.tolist()
