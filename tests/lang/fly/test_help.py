"""What `help()` says of public names of fx and flyc: what they do, their arguments, their errors, and an example."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx

# How many names other than those of fx.coop lack each; fewer is better.
LACKING = {"effect": 0, "arguments": 489, "errors": 488, "example": 458}


def public(module: ModuleType, path: str, seen: set[int]) -> Iterator[tuple[str, object]]:
    """Functions and classes of ours that users reach from a module, each once, under its first name."""
    seen.add(id(module))
    for word in sorted(getattr(module, "__all__", None) or (x for x in vars(module) if x[0] != "_")):
        found = getattr(module, word)
        if id(found) in seen:
            continue
        if isinstance(found, ModuleType):
            yield from public(found, f"{path}.{word}", seen) if found.__name__.startswith("tilewright.") else ()
        elif callable(found) and str(getattr(found, "__module__", "")).startswith("tilewright."):
            seen.add(id(found))
            yield f"{path}.{word}", found


def members(found: object) -> list[object]:
    """It, and of a class the methods of its own that users call."""
    if not inspect.isclass(found) or issubclass(found, Enum):
        return [found]
    called = ("__new__", "__init__", "__call__")
    own = [getattr(x, "__func__", x) for word, x in vars(found).items() if word[0] != "_" or word in called]
    return [found, *filter(inspect.isroutine, own)]


def parameters(member: object) -> set[str]:
    """The names of what a function takes."""
    if inspect.isclass(member) or not callable(member):
        return set()
    try:
        return set(inspect.signature(member).parameters) - {"self", "cls"}
    except (TypeError, ValueError):
        return set()


def lacking(found: object) -> set[str]:
    """What `help()` of it does not say."""
    parts = members(found)
    text = "\n".join(inspect.getdoc(x) or "" for x in parts)
    names = set().union(*map(parameters, parts))
    told = {
        "effect": bool(inspect.getdoc(found)),
        "arguments": "See `" in text or all(re.search(rf"\b{re.escape(name)}\b", text) for name in names),
        "errors": not names or "Raises:" in text,
        "example": ">>> " in text,
    }
    return {what for what, said in told.items() if not said}


@cache
def found() -> dict[str, set[str]]:
    for door in (fx, flyc):  # modules that only some programs import are public, too
        for module in walk_packages(door.__path__, f"{door.__name__}."):
            import_module(module.name)
    seen = set[int]()
    return {name: lacking(x) for module, path in ((fx, "fx"), (flyc, "flyc")) for name, x in public(module, path, seen)}


@pytest.mark.parametrize("what", ["effect", "arguments", "errors", "example"])
def test_what_lanes_do_together_is_told_whole(what: str) -> None:
    coop = {name: lacks for name, lacks in found().items() if name.startswith("fx.coop.")}
    assert len(coop) > 40
    assert [name for name, lacks in coop.items() if what in lacks] == []


def test_of_other_names_no_more_lacks_than_is_known() -> None:
    others = Counter(what for name, lacks in found().items() if not name.startswith("fx.coop.") for what in lacks)
    assert {what: n for what, n in others.items() if n > LACKING[what]} == {}, f"of {len(found())} names"
