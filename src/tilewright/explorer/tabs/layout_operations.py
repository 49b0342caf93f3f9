"""The operations that the tab of layouts offers, by name; each may be done to one mode alone, where the algebra may."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tilewright.asked.accesses import shape_or_layout
from tilewright.errors import UsageError
from tilewright.explorer.fields import FieldError, Inputs, blaming
from tilewright.layout import operations
from tilewright.layout.by_mode import ByMode
from tilewright.layout.layout import Layout
from tilewright.notation import parse

ALONE = "(none)"
UNARY = ("coalesce", "complement", "right_inverse", "left_inverse", "flatten", "filter", "nullspace")
DIVIDES = ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")
PRODUCTS = (
    *("logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product"),
    "tile_to_shape",
)
WIDTHS = "recast_layout"  # whose operand is two numbers
RECASTS = ("upcast", "downcast", WIDTHS)
COMPLEMENT_IN = "complement in"
BINARY = ("composition", COMPLEMENT_IN, *DIVIDES, *PRODUCTS, *RECASTS, "max_common_layout")
HELP = "a layout; of divides a tile such as (2,4), of upcast a factor, of recast_layout bits such as (16,8)"
FUNCTIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {name: getattr(operations, name.split()[0]) for name in (*UNARY, *BINARY)}
)
BY_MODE = tuple(name for name, function in FUNCTIONS.items() if isinstance(function, ByMode))


def function(inputs: Inputs, a: object) -> Callable[..., object]:
    """The operation that is chosen, on the mode of the operand that is given, if one is.

    Raises:
        FieldError: the operand has no such mode.
    """
    chosen, mode = FUNCTIONS[inputs.text("operation")], _mode(inputs)
    if not mode or not isinstance(chosen, ByMode):
        return chosen
    with blaming("mode"):
        if isinstance(a, Layout):
            operations.get(a, *mode)
        return chosen[mode]


def operands(inputs: Inputs) -> tuple[object, ...]:
    """What it takes, as the texts say."""
    name = inputs.text("operation")
    a = inputs.read("a", shape_or_layout)
    if name not in BINARY:
        return (a,)
    b = inputs.read("b", parse)
    if name != WIDTHS:
        return (a, b)
    if not isinstance(b, tuple) or len(b) != 2:
        raise FieldError("b", "recast_layout takes the bits of an element before and after, such as (16,8)")
    return (a, *b)


def in_python(inputs: Inputs) -> str:
    """The operation and its operands as the arguments of `explain`."""
    name, mode = inputs.text("operation"), _mode(inputs)
    index = f"[{', '.join(map(str, mode))}]" if mode and name in BY_MODE else ""
    given = [f"tw.parse({inputs.text('a')!r})"]
    if name in BINARY:
        given.append(f"{'*' * (name == WIDTHS)}tw.parse({inputs.text('b')!r})")
    return ", ".join((f"tw.{name.split()[0]}{index}", *given))


def _mode(inputs: Inputs) -> tuple[int, ...]:
    """The path to the mode; empty: the whole layout."""
    if not inputs.text("mode").strip():
        return ()
    return inputs.read("mode", _path)


def _path(text: str) -> tuple[int, ...]:
    found = parse(f"({text})")
    path = found if isinstance(found, tuple) else (found,)
    plain = tuple(part for part in path if type(part) is int)
    if len(plain) < len(path):
        raise UsageError("a mode is its number, such as 1, or the path to one within: 1,0")
    return plain
