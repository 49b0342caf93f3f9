"""The stored answers of other layout libraries: reading them, and comparing as functions."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from answers import points

from tilewright import ComposedLayout, Layout

DATA = Path(__file__).parents[1] / "data"


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of tests/data/<name>, which may be compressed."""
    path = DATA / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    return [json.loads(line) for line in text.splitlines()]


def by_operation(table: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The rows of every operation."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table:
        found.setdefault(row["op"], []).append(row)
    return found


def same(a: Any, b: Any) -> bool:
    """Are two answers one: layouts as functions, tuples without regard to one-tuples?"""
    if isinstance(a, Layout | ComposedLayout) and isinstance(b, Layout | ComposedLayout):
        if a == b:
            return True  # equal layouts are equal functions
        where = points(a) if isinstance(a, Layout) else points(innermost(a))
        return a.size == b.size and all(a.at(i) == b.at(i) for i in where)
    return bool(unwrapped(a) == unwrapped(b))


def innermost(a: Any) -> Layout:
    while not isinstance(a, Layout):
        a = a.inner
    return a


def unwrapped(t: Any) -> Any:
    """The tuple without tuples of one."""
    if isinstance(t, tuple):
        return unwrapped(t[0]) if len(t) == 1 else tuple(map(unwrapped, t))
    return t
