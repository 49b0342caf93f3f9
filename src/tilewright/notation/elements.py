"""Leaves and int tuples: integers, `_`, run-time values, and sums of `value@axis`.

    tree    = leaf | "(" [tree {"," tree}] ")"
    leaf    = "_" | "*" | "None" | element                        `_`, fly's `*` and Python's None are None
    element = term {("+" | "-") term}
    term    = ["-"] (value [basis] | basis)
    value   = 4 | static | "?" ["{" ["i32" | "i64"] ["div=" 8] "}"]
    static  = _4 | constant                                        CuTe's compile-time 4, `Int<4>`; `constants` reads it
    basis   = "@" 0 {"@" 0} | "@" ["Axis."] name | E0E1 | "E<" 0 "," 1 ">"     `1@0@1` is `1E1E0` is `E<1,0>`

Whitespace between tokens means nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tilewright.layout.axes import MEMORY, Axis, AxisKey, from_terms
from tilewright.layout.inttuple import MAX_DEPTH, MAX_LEAVES, IntTuple, as_int_tuple
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.constants import at_constant, constant
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token
from tilewright.numerals import is_digits

if TYPE_CHECKING:
    from tilewright.layout.axes import AxisSum, Term, Value
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.coord_swizzle import CoordSwizzle
    from tilewright.layout.inttuple import Element, Leaf
    from tilewright.layout.inttuple import Tree as Integers
    from tilewright.layout.layout import Layout
    from tilewright.layout.swizzle import Swizzle

Item = TypeVar("Item")

# What a text of CuTe or fly is: a layout, or a tuple of integers, None and layouts; or a swizzle.
Tree: TypeAlias = "int | SymInt | AxisSum | Layout[Value] | ComposedLayout[Value] | tuple[Tree, ...] | None"
Operand: TypeAlias = "Tree | Swizzle | CoordSwizzle"

KEPT = ("_", "*", "None")  # how None is written
VALUE = "an integer, `_`, `?` or a `value@axis`"


def int_tuple(r: Reader) -> IntTuple:
    """An int tuple with a count of leaves of its own."""
    r.restart_leaves()
    return as_int_tuple(_node(r))


def _node(r: Reader) -> Integers:
    return tree(r, _node)


def tree(r: Reader, item: Callable[[Reader], Item]) -> Leaf | tuple[Item, ...]:
    """A bracketed tuple of items, or one leaf."""
    opened = r.token
    if not r.accept("("):
        return leaf(r)
    items = r.sequence(item, ")")
    if not items:
        r.count_leaf(opened)
    return tuple(items)


def leaf(r: Reader) -> Leaf:
    """One leaf: None for `_`, `*` and `None`, else a module element."""
    r.count_leaf()
    if r.token.text in KEPT and not _is_static_negative(r):
        r.take()
        return None
    return element(r)


def element(r: Reader) -> Element:
    """A sum of terms as one element of the stride module."""
    start = r.token
    terms = [term(r)]
    while r.at("+", "-"):
        r.accept("+")
        terms.append(term(r))
        if len(terms) > MAX_LEAVES:
            r.refuse(f"a sum has more than {MAX_LEAVES} terms", start)
    return r.checked(lambda: from_terms(terms), start)


def term(r: Reader) -> Term:
    """One `value@axis` as (axis, value); a plain value lies on the memory axis."""
    negative = r.accept("-")
    count = 1 if _is_basis(r) else value(r)
    return _axis(r), -count if negative else count


def value(r: Reader) -> int:
    """One integer or run-time value."""
    if r.accept("?"):
        return _symbol(r)
    if r.token.kind == "name" and r.token.text[0] == "_":
        return _static(r)
    if at_constant(r):
        return constant(r)
    return r.plain(r.integer(VALUE))


def _symbol(r: Reader) -> int:
    width, div = 32, 1
    start = r.token
    if r.accept("{"):
        if r.at_name("i32", "i64"):
            width = int(r.take().text[1:])
        if r.accept_name("div"):
            r.expect("=")
            div = r.integer("a divisor")
        r.expect("}")
    return r.checked(lambda: as_int(SymInt(width=width, div=div)), start)


def _static(r: Reader) -> int:
    token = r.take()
    if token.text == "_" and r.accept("-"):
        return -r.integer()
    return r.number(token.text[1:], token, VALUE)


def _is_static_negative(r: Reader) -> bool:
    minus, number = r.look(), r.look(2)
    return (
        r.at_name("_")
        and minus.kind == "-"
        and number.kind == "int"
        and (minus.at, number.at) == (r.token.end, minus.end)
    )


def _axis(r: Reader) -> AxisKey:
    if _is_basis(r):
        return _bracketed(r) if r.token.text == "E" else _fly_path(r)
    if not r.at("@"):
        return MEMORY
    return _named(r) if r.look().kind == "name" else _at_path(r)


def _is_basis(r: Reader) -> bool:
    token = r.token
    if token.kind != "name" or token.text[0] != "E":
        return False
    return r.look().kind == "<" if token.text == "E" else is_digits(token.text[1:2])


def _bracketed(r: Reader) -> AxisKey:
    start = r.take()
    r.expect("<")
    return _path(r, r.sequence(Reader.integer, ">"), start)


def _fly_path(r: Reader) -> AxisKey:
    token = r.take()
    return _path(r, [r.number(digits, token, "positions such as E0E1") for digits in token.text[1:].split("E")], token)


def _at_path(r: Reader) -> AxisKey:
    start = r.token
    inside_out: list[int] = []
    while r.accept("@"):
        inside_out.append(r.integer("a position or the name of an axis"))
    return _path(r, inside_out[::-1], start)


def _path(r: Reader, path: list[int], start: Token) -> AxisKey:
    if not 0 < len(path) <= MAX_DEPTH or not all(0 <= position < MAX_LEAVES for position in path):
        r.refuse(f"a basis has 1 to {MAX_DEPTH} positions, each in [0, {MAX_LEAVES})", start)
    return tuple(path)


def _named(r: Reader) -> AxisKey:
    r.take()
    token = r.take()
    if token.text == "Axis" and r.accept("."):
        token = r.expect("name", "the name of an axis")
    return r.checked(lambda: Axis.get(token.text), token).name
