"""Second opinions on run-time leaves: FlyDSL 0.4.2 (leaves `?`), C++ CuTe of CUTLASS 4.7.0 (leaves `n` beside `_n`)."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from tilewright.errors import LayoutError
from tilewright.layout import arithmetic, query
from tilewright.layout import operations as tw
from tilewright.layout.inttuple import congruent, flatten
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation import parse

ROWS = json.loads(gzip.decompress((Path(__file__).parents[2] / "data" / "run_time_leaves.json.gz").read_bytes()))

FLY = {
    "ceil_div": tw.ceil_div,
    "coalesce": tw.coalesce,
    "complement": tw.complement,
    "coprofile": tw.coprofile,
    "coshape": tw.coshape,
    "cosize": tw.cosize,
    "crd2idx": tw.crd2idx,
    "idx2crd": tw.idx2crd,
    "int_tuple_add": arithmetic.int_tuple_add,
    "int_tuple_div": arithmetic.int_tuple_div,
    "int_tuple_mod": arithmetic.int_tuple_mod,
    "int_tuple_mul": arithmetic.int_tuple_mul,
    "int_tuple_product": arithmetic.int_tuple_product,
    "int_tuple_sub": arithmetic.int_tuple_sub,
    "size": query.size,
}
KNOWS_MORE = {"ceil_div", "crd2idx", "int_tuple_div", "int_tuple_mod"}

LEAF = re.compile(r"_?\d+")
SYMBOL = re.compile(r"v\d+")


def fly_rows():
    rows = [row for row in ROWS["flydsl"] if row["op"] in FLY]
    return [pytest.param(row, id=f"{row['op']} {' '.join(row['args'])}") for row in rows]


def leaves_of(value):
    parts = (value.shape, value.stride) if isinstance(value, Layout) else (value,)
    return [leaf for part in parts for leaf in flatten(part)]


def profile_of(value):
    return (value.shape, value.stride) if isinstance(value, Layout) else value


def tells_as_much(ours, theirs):
    """Is our leaf the same static integer, or as wide and divisible by what theirs is?"""
    if not isinstance(theirs, SymInt):
        return ours == theirs
    if isinstance(ours, SymInt):
        return ours.width == theirs.width and ours.div % theirs.div == 0
    return ours % theirs.div == 0


@pytest.mark.parametrize("row", fly_rows())
def test_fly_tells_no_more_of_its_run_time_leaves(row):
    found, expected = FLY[row["op"]](*map(parse, row["args"])), parse(row["expected"])
    assert congruent(profile_of(found), profile_of(expected))
    assert all(map(tells_as_much, leaves_of(found), leaves_of(expected)))
    if row["op"] not in KNOWS_MORE:
        assert [str(leaf) for leaf in leaves_of(found)] == [str(leaf) for leaf in leaves_of(expected)]


def test_slices_of_fly_are_ours():
    for row in ROWS["flydsl"]:
        if row["op"] == "fx.slice":
            found, expected = tw.slice(*map(parse, reversed(row["args"]))), parse(row["expected"])
            assert all(map(tells_as_much, leaves_of(found), leaves_of(expected))), row


# ---- C++ CuTe


def mixed(text):
    """The object of a text in which plain integers are run-time values, and what they are."""
    values = {}

    def leaf(match):
        if match[0].startswith("_"):
            return match[0][1:]
        name = f"v{len(values)}"
        values[SymInt(name, lower=min(1, int(match[0])))] = int(match[0])
        return name

    named = LEAF.sub(leaf, text)
    symbols = {symbol.expression: symbol for symbol in values}

    def build(part):
        if part.startswith("("):
            return tuple(build(item) for item in split(part[1:-1]))
        return symbols[part] if part in symbols else int(part)

    shape, _, stride = named.partition(":")
    return (Layout(build(shape), build(stride)) if stride else build(shape)), values


def split(text):
    depth, start, parts = 0, 0, []
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def static(text):
    return parse(text.replace("_", ""))


@pytest.mark.parametrize("row", ROWS["cute"], ids=lambda row: f"{row['op']} {' '.join(row['args'])}")
def test_cute_agrees_at_the_values(row):
    (first, values), rest = mixed(row["args"][0]), [static(text) for text in row["args"][1:]]
    found, expected = at_values(row["op"], (first, *rest), values), static(row["expected"])
    if found is None:
        # CuTe does not ask what is so at the values only, our guards do: a tile may straddle modes that merge there,
        # and a stride may be 0 there, or follow from the modes before it.
        assert row["op"] in {"logical_divide", "right_inverse", "filter"}
        return
    both = min(found.size, expected.size)
    assert [found(i) for i in range(both)] == [expected(i) for i in range(both)]
    if row["op"] not in {"right_inverse", "complement", "logical_divide"}:
        assert found.size == expected.size


def at_values(op, args, values):
    try:
        return substitute(getattr(tw, op)(*args), values)
    except LayoutError:
        return None
