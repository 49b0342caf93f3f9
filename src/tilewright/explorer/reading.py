"""Fields that several tabs have: layouts, and the permutations of a tiled MMA's modes."""

from __future__ import annotations

from tilewright.explorer.fields import FieldError, Inputs, blaming
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout
from tilewright.notation import parse

MODES = ("M", "N", "K")  # fields with a permutation each


def layout(inputs: Inputs, name: str) -> Layout:
    """The layout of the text, a compact one of a shape.

    Raises:
        FieldError: it is neither.
    """
    found = inputs.read(name, parse)
    with blaming(name):
        if isinstance(found, Layout):
            return found
        if isinstance(found, int | tuple):
            return Layout(as_int_tuple(found))
    raise FieldError(name, "give a shape or a layout, such as (2,2,1)")


def permutation(inputs: Inputs, name: str) -> int | Layout | None:
    """The permutation of a mode; None where the text is empty.

    Raises:
        FieldError: neither a number nor a layout.
    """
    if not inputs.text(name).strip():
        return None
    found = inputs.read(name, parse)
    if type(found) is int or isinstance(found, Layout):
        return found
    raise FieldError(name, "a permutation is a number or a layout, such as (16,4):(4,1)")


def permutations(inputs: Inputs) -> tuple[int | Layout | None, ...]:
    """Those of M, N and K."""
    return tuple(permutation(inputs, name) for name in MODES)


def permutations_in_python(inputs: Inputs) -> str:
    """The same as a line of Python has them.

    >>> from tilewright.explorer.fields import Field, Inputs
    >>> permutations_in_python(Inputs({name: Field(name, name) for name in MODES}, {"N": "(8,2):(1,8)"}))
    "(None, tw.parse('(8,2):(1,8)'), None)"
    """
    given = (inputs.text(name).strip() for name in MODES)
    return f"({', '.join(f'tw.parse({text!r})' if text else 'None' for text in given)})"
