"""The tab of layouts: one of any notation, or an operation of the algebra on two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from tilewright.explorer.answer import Answer, Step
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Preset, Tab
from tilewright.figures import layout_grid
from tilewright.figures.draw import draw
from tilewright.layout import operations
from tilewright.layout.explain import explain
from tilewright.layout.steps import Derivation, show
from tilewright.notation import parse

ALONE = "(none)"
UNARY = ("coalesce", "complement", "right_inverse", "left_inverse")
BINARY = (
    "composition",
    "complement in",
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_product",
    "blocked_product",
    "raked_product",
    "zipped_product",
    "tiled_product",
)
OPERATIONS: Mapping[str, Callable[..., object]] = MappingProxyType(
    {name: getattr(operations, name.split()[0]) for name in (*UNARY, *BINARY)}
)
COLOURS = ("(own)", "offset", "bank", "row", "column", "index")
FIELDS = (
    Field(
        "a",
        "Layout",
        default="(4,8):(8,1)",
        help="in any notation: (4,8):(8,1), S[(8,64):(64@m,1@m)], Swizzle<3,4,3> ..",
    ),
    Field("operation", "Operation", "choice", ALONE, options=(ALONE, *UNARY, *BINARY)),
    Field("b", "with", default="(2,2):(1,8)", help="the second operand", wanted=("operation", BINARY)),
    Field("colour", "Colour by", "choice", COLOURS[0], options=COLOURS),
    Field("bits", "Bits of an element", "number", "16", least=1, most=128, wanted=("colour", ("bank",))),
)
PRESETS = (
    Preset("row-major 4x8", {}, "the right mode has stride 1: offsets run along the rows"),
    Preset("column-major 4x8", {"a": "(4,8):(1,4)"}, "the left mode has stride 1: offsets run down the columns"),
    Preset("blocks of 2x2", {"a": "((2,2),(2,4)):((1,4),(2,8))"}, "modes within modes: heavy rules separate them"),
    Preset(
        "a swizzled tile", {"a": "Swizzle<3,3,3> o 0 o (8,64):(64,1)", "colour": "bank"}, "a column meets all banks"
    ),
    Preset("composition", {"a": "(6,2):(8,2)", "operation": "composition", "b": "(4,3):(3,1)"}, "R(c) = A(B(c))"),
    Preset("tiles of a matrix", {"a": "(8,8):(8,1)", "operation": "zipped_divide", "b": "(2,4)"}, "((tile), (rest))"),
    Preset("complement", {"a": "(2,2):(1,6)", "operation": "complement in", "b": "24"}, "what is left of 24"),
    Preset("right inverse", {"a": "(4,8):(8,1)", "operation": "right_inverse"}, "A(R(i)) = i"),
)


def answer(inputs: Inputs) -> Answer:
    """The layout, or the operands and the result of an operation."""
    name = inputs.text("operation")
    a = inputs.read("a", parse)
    if name == ALONE:
        return _one(a, inputs)
    operands = (a, inputs.read("b", parse)) if name in BINARY else (a,)
    with blaming("operation"):
        derivation = explain(OPERATIONS[name], *operands)
    if derivation.refusal:
        raise FieldError("b" if name in BINARY else "a", derivation.refusal)
    return _worked(name.split()[0], derivation, inputs)


def _one(layout: object, inputs: Inputs) -> Answer:
    colour = inputs.text("colour")
    own = None if colour == COLOURS[0] else colour
    bits = inputs.number("bits") if colour == "bank" else None
    with blaming("a"):
        scene = layout_grid.picture(layout, color=own, element_bits=bits).scene
    return Answer((scene,), _facts(layout), python=_python(f"layout = tw.parse({inputs.text('a')!r})", "layout"))


def _worked(name: str, derivation: Derivation, inputs: Inputs) -> Answer:
    with blaming("a"):
        scene = replace(draw(derivation).scene, notes=())  # the steps stand below
    given = [f"tw.parse({inputs.text(field)!r})" for field in ("a", "b")[: len(derivation.inputs)]]
    call = f"tw.explain({', '.join((f'tw.{name}', *given))})"
    python = _python(f"steps = {call}", "steps")
    return Answer((scene,), _facts(derivation.result), steps=(step(derivation),), python=python)


def step(derivation: Derivation) -> Step:
    """A derivation as the steps that a page shows."""
    head = str(Derivation(derivation.rule, derivation.inputs, derivation.result, (), derivation.refusal))
    return Step(head, tuple(map(step, derivation.steps)))


def _facts(layout: object) -> tuple[tuple[str, str], ...]:
    names = ("shape", "stride", "size", "cosize", "rank", "depth")
    found = ((name, getattr(layout, name, None)) for name in names)
    return tuple((name, show(value)) for name, value in found if value is not None and not callable(value))


def _python(line: str, name: str) -> str:
    return f"import tilewright as tw\n\n{line}\nprint({name})\ntw.draw({name})\n"


TAB = Tab("layout", "Layout", "A layout of any notation, and the algebra of two.", FIELDS, PRESETS, answer)
