"""Long chains of ops that read one another: each is lowered, and what comes of it grows as the chain does."""

from __future__ import annotations

import pytest

from tilewright.cli.opt import processed
from tilewright.cli.opt_words import requested
from tilewright.ir.reader import Source

TUPLE, LAYOUT, POINTER = "!fly.int_tuple<?>", "!fly.layout<(?,?):(?,1)>", "!fly.ptr<f32, global>"
LOWERING = requested(["chain.mlir", "--fly-layout-lowering"])


def lowered(arguments: str, links: list[str], result: str) -> str:
    text = "\n".join([f"func.func @chain({arguments}) -> {result} {{", *links, "}"])
    printed, told = processed(Source("chain.mlir", text), LOWERING)
    assert not told, str(told[0])
    return printed


def of_integers(op: str, length: int, other: str = TUPLE) -> str:
    start = [f"%o = fly.make_int_tuple(%b) : (i32) -> {TUPLE}", f"%t0 = fly.make_int_tuple(%a) : (i32) -> {TUPLE}"]
    second = "%o" if other == TUPLE else "%l"
    links = [f"%t{i + 1} = fly.{op}(%t{i}, {second}) : ({TUPLE}, {other}) -> {TUPLE}" for i in range(length)]
    end = [f"%r = fly.get_scalar(%t{length}) : ({TUPLE}) -> i32", "func.return %r : i32"]
    return lowered(f"%a: i32, %b: i32, %l: {LAYOUT}", [*start, *links, *end], "i32")


@pytest.mark.parametrize("op", ["int_tuple_add", "int_tuple_mul"])
def test_a_chain_longer_than_calls_may_nest_is_lowered(op: str) -> None:
    """Sums and powers are one expression however long they are, of which the ops are shared."""
    assert of_integers(op, 1_200).count("arith.") < 150


def test_a_pointer_may_move_more_often_than_calls_may_nest() -> None:
    by = f"%o = fly.make_int_tuple(%a) : (i32) -> {TUPLE}"
    moves = [f"%p{i + 1} = fly.add_offset(%p{i}, %o) : ({POINTER}, {TUPLE}) -> {POINTER}" for i in range(1_200)]
    text = lowered(f"%a: i32, %p0: {POINTER}", [by, *moves, f"func.return %p1200 : {POINTER}"], POINTER)
    assert text.count("fly.add_offset") == 1_200


@pytest.mark.parametrize(("op", "other"), [("int_tuple_mod", TUPLE), ("ceil_div", TUPLE), ("crd2idx", LAYOUT)])
def test_what_is_divided_again_and_again_takes_as_many_ops_a_link(op: str, other: str) -> None:
    short, long = (of_integers(op, length, other).count("arith.") for length in (20, 60))
    assert long <= 3 * short
