"""Negative coordinates: ops of fly split them as C divides, whether known or at run time, before and after lowering."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product as pairs
from typing import Any

import pytest
from fly_functions import outcome, shown
from xdsl.context import Context
from xdsl.dialects import func

from tilewright.ir.fly import infer
from tilewright.ir.fly.type_reader import read as read_type
from tilewright.ir.reader import Source, read
from tilewright.layout.inttuple import flatten, product
from tilewright.layout.swizzle import Swizzle
from tilewright.passes.registry import pass_of

NUMBERS = (*range(-19, 20), -64, -1000, 1000)
SHAPES: tuple[Any, ...] = (4, (4, 8), ((2, 4), 8), (3, (2, 2), 5))
STRIDES: dict[Any, tuple[Any, ...]] = {
    4: (3,),
    (4, 8): ((8, 1), ("1E0", "1E1"), (0, 4)),
    ((2, 4), 8): (((8, 1), 16), (("1E0E0", "1E0E1"), "1E1")),
    (3, (2, 2), 5): ((1, (12, 24), 3), ("1E0", ("1E1E0", "1E1E1"), "1E2")),
}
OUTER = ("", "S<2,0,3> o 64 o ", "S<1,2,1> o 0 o ", "7:2 o 3 o ", "(4,8):(8,1) o -3 o ")


def text(value: Any) -> str:
    return f"({','.join(map(text, value))})" if isinstance(value, tuple) else str(value)


def layouts() -> Iterator[tuple[str, Any]]:
    """The type of every layout, and its shape."""
    for shape, strides in STRIDES.items():
        for stride in strides:
            for outer in OUTER:
                if outer and "E" in text(stride):
                    continue
                kind = "composed_layout" if outer else "layout"
                yield f"!fly.{kind}<{outer}{text(shape)}:{text(stride)}>", shape


# ---- C's way, written down again


def digits(n: int, shape: Any) -> Any:
    """The coordinate of an index: every mode but the last is what is left, with the sign of the index."""
    if not isinstance(shape, tuple):
        return n
    sign, left, found = (1 if n >= 0 else -1), abs(n), []
    for part in shape[:-1]:
        found.append(digits(sign * (left % product(part)), part))
        left //= product(part)
    return (*found, digits(sign * left, shape[-1]))


def value(n: Any, layout: Any) -> Any:
    """What a layout gives at an index; a coordinate as its text."""
    if hasattr(layout, "inner"):
        place = layout.offset + value(n, layout.inner)
        return layout.outer(place) if isinstance(layout.outer, Swizzle) else value(place, layout.outer)
    steps = zip(flatten(digits(n, layout.shape)), flatten(layout.stride), strict=True)
    return sum((c * d for c, d in steps), 0)


def lowered(body: str, result: str) -> Iterator[func.FuncOp]:
    """A function of one integer, as it stands and behind the lowering."""
    for name in ("", "fly-layout-lowering", "fly-canonicalize"):
        source = f"func.func @f(%n: i32) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
        module = read(Source("a.mlir", source)).module
        if name:
            pass_of(name).apply(Context(), module)
        yield next(op for op in module.ops if isinstance(op, func.FuncOp))


COORD = "%c = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>\n"


@pytest.mark.parametrize(("kind", "shape"), list(layouts()))
def test_the_value_at_an_index_is_that_of_the_digits_that_c_gives(kind: str, shape: Any) -> None:
    layout = read_type(kind)
    result = infer("crd2idx", ["!fly.int_tuple<?>", kind])
    body = f"""{COORD}%l = fly.static : {kind}
%r = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, {kind}) -> {result}"""
    functions = list(lowered(body, result))
    for n in NUMBERS:
        known = read_type(infer("crd2idx", [f"!fly.int_tuple<{n}>", kind]))
        if "E" not in kind:
            assert known == value(n, layout)
        elif isinstance(known, tuple):
            assert flatten(known) == flatten(digits(n, shape))  # whose strides are the positions
        assert {str(shown(outcome(function, [n])[0])) for function in functions} == {str(shown(known))}


@pytest.mark.parametrize("target", SHAPES)
@pytest.mark.parametrize("source", SHAPES)
def test_a_coordinate_of_another_shape_has_the_digits_that_c_gives(source: Any, target: Any) -> None:
    kinds = [f"!fly.int_tuple<{text(shape)}>" for shape in (source, target)]
    result = infer("crd2crd", ["!fly.int_tuple<?>", *kinds])
    body = f"""{COORD}%s = fly.static : {kinds[0]}
%t = fly.static : {kinds[1]}
%r = fly.crd2crd(%c, %s, %t) : (!fly.int_tuple<?>, {kinds[0]}, {kinds[1]}) -> {result}"""
    functions = list(lowered(body, result))
    for n in NUMBERS:
        known = read_type(infer("crd2crd", [f"!fly.int_tuple<{n}>", *kinds]))
        assert known == digits(n, target)
        assert {str(shown(outcome(function, [n])[0])) for function in functions} == {str(shown(known))}


@pytest.mark.parametrize("outer", [*OUTER, "S<2,0,3> o 64 o S<1,2,2> o 5 o ", "7:2 o 3 o S<1,2,2> o 0 o "])
@pytest.mark.parametrize("inner", ["((2,4),8):((8,1),16)", "((2,(2,2)),3):((1,(12,24)),3)"])
def test_a_slice_has_the_values_of_the_whole(inner: str, outer: str) -> None:
    """Also of what the slice keeps where a mode is fixed by a negative number; a view moves there."""
    kind = f"!fly.{'composed_layout' if outer else 'layout'}<{outer}{inner}>"
    view = f"!fly.coord_tensor<0, {outer}{inner}>"
    for n, j in pairs(NUMBERS, range(4)):
        fixed = f"!fly.int_tuple<({n},*)>"
        whole = infer("crd2idx", [f"!fly.int_tuple<({n},{j})>", kind])
        part = infer("slice", [view, fixed])
        base, kept = infer("get_iter", [part]), infer("get_layout", [part])
        inside = infer("crd2idx", [f"!fly.int_tuple<{j}>", kept])
        assert infer("int_tuple_add", [base, inside]) == whole
        if outer:
            for op, operands in (("slice", [kind, fixed]), ("crd2idx", [fixed, kind])):
                assert infer("crd2idx", [f"!fly.int_tuple<{j}>", infer(op, operands)]) == whole
