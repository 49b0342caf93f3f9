"""What `help()` says of every public name: law or effect, shapes, units, errors, an example (doctest runs those)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

import tilewright as tw
from tilewright import TilewrightError
from tilewright.atoms import list as list_atoms

DOORS = ("", ".analysis", ".arch", ".atoms", ".figures", ".notation", ".tirx.layout")
SPATIAL = re.compile(r"Layout|Tensor|IntTuple|Ints|Coord|Tiler|shape", re.IGNORECASE)
SHAPES = re.compile(
    r"\b(shapes?|sizes?|modes?|profiles?|rank|tiles?|leaf|leaves|domain|extents?|coordinates?|layouts?|index|indices|axis|axes|"
    r"strides?|codomain|positions?|rows?|columns?|dimensions?)\b"
)
QUANTITY = re.compile(
    r"(^|_)(offset|width|alignment|line|lines|sectors|address|addresses|moved|ideal|wavefronts|datapath)$"
)
UNITS = re.compile(r"\b(bits?|bytes?|elements?|words?|lanes?|wavefronts?|sectors?|columns?|rows?|coordinates?|line)\b")
NONSENSE: tuple[object, ...] = (object(), "no such", -1, 1.5, (), [1], None, {}, b"", (1, (2, "z")))


def public() -> Iterator[tuple[str, object]]:
    """Every function and class of a door, once, under its first name; ordinary values have the help of their class."""
    seen = set[int]()
    for door in DOORS:
        module = import_module(f"tilewright{door}")
        extra = {"": ("compile", "filter", "slice", "zip")}.get(door, ())
        for name in (*module.__all__, *extra):
            found = getattr(module, name)
            if id(found) not in seen and (inspect.isclass(found) or inspect.isroutine(found)):
                seen.add(id(found))
                yield f"tilewright{door}.{name}", found


NAMES = {**dict(public()), "tilewright.atoms.list": list_atoms}


def text(found: object) -> str:
    return inspect.getdoc(found) or ""


def parameters(found: object) -> list[inspect.Parameter]:
    return list(inspect.signature(found).parameters.values()) if callable(found) else []


def is_error(found: object) -> bool:
    return inspect.isclass(found) and issubclass(found, BaseException)


def takes(found: object) -> bool:
    """Is it a function or class that users give something, and could give nonsense?"""
    return bool(parameters(found)) and not is_error(found)


def raised(found: object) -> Iterator[BaseException]:
    """What it raises when all that it must be given is nonsense."""
    needed = [p for p in parameters(found) if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    for value in NONSENSE:
        given = [value for p in needed if p.kind is not p.KEYWORD_ONLY]
        named = {p.name: value for p in needed if p.kind is p.KEYWORD_ONLY}
        try:
            assert callable(found)
            found(*given, **named)
        except Exception as error:  # whatever it is, the test looks at it
            yield error


def lacking(found: object) -> set[str]:
    """What its help does not say."""
    told = text(found)
    effect = told.split("\n\n")[0].strip()
    signature = "" if is_error(found) else str(inspect.signature(found)) if callable(found) else ""
    quantities = [p.name for p in parameters(found) if QUANTITY.search(p.name)] if takes(found) else []
    said = {
        "effect": bool(effect) and effect[-1] in ".?:",
        "shapes": not SPATIAL.search(signature) or bool(SHAPES.search(told)),
        "units": not quantities or bool(UNITS.search(told)),
        "errors": not takes(found) or "Raises:" in told or not list(raised(found)),
        "example": ">>> " in told,
    }
    return {what for what, there in said.items() if not there}


@pytest.mark.parametrize("what", ["effect", "shapes", "units", "errors", "example"])
def test_none_is_missing(what: str) -> None:
    assert len(NAMES) > 240
    assert [name for name, found in NAMES.items() if what in lacking(found)] == []


def test_nonsense_raises_what_help_names() -> None:
    """Errors of ours alone, and each of a class that stands under `Raises:`."""
    untold = {
        (name, type(error).__name__)
        for name, found in NAMES.items()
        if takes(found)
        for error in raised(found)
        if not isinstance(error, TilewrightError) or not _named(error, text(found))
    }
    assert untold == set()


def _named(error: BaseException, told: str) -> bool:
    listed = told.partition("Raises:")[2]
    return any(f"{kind.__name__}:" in listed for kind in type(error).__mro__ if issubclass(kind, TilewrightError))


def test_a_name_without_help_is_counted() -> None:
    def untold(layout: tw.Layout, offset: int) -> None:
        raise TypeError(layout, offset)

    assert lacking(untold) == {"effect", "shapes", "units", "errors", "example"}
