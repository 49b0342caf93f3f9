"""Every name of `T` as an inert value, made from the tables: namespaces from the dots in the names of functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilewright.dtypes import DTYPES
from tilewright.lang.functions import FUNCTIONS
from tilewright.lang.loops import LOOP_ROWS
from tilewright.lang.names import (
    FAMILIES,
    PRIMITIVES,
    SCOPES,
    SHORT,
    Buffer,
    Instruction,
    Name,
    Namespace,
    Primitive,
    TensorMap,
    handle,
    inline,
    let,
)
from tilewright.lang.rows import Function


def _scoped(scope: str, prefix: str = "") -> Namespace:
    path = f"{prefix}{scope}"
    return Namespace(path, {op: Primitive(f"{path}.{op}", scope) for op in PRIMITIVES})


def _tree(rows: Iterable[Function], prefix: str = "") -> dict[str, object]:
    """The names of functions, those with a common first word in one namespace."""
    groups: dict[str, list[Function]] = {}
    for row in rows:
        groups.setdefault(row.name.removeprefix(prefix).partition(".")[0], []).append(row)
    return {name: _value(prefix + name, group) for name, group in groups.items()}


def _value(path: str, rows: list[Function]) -> Name | Namespace:
    if rows[0].name == path:
        return Name(path, words=f"{rows[0].signature}\n\n{rows[0].summary}")
    families = {name: Instruction(f"ptx.{name}") for name in FAMILIES} if path == "ptx" else {}
    return Namespace(path, {**_tree(rows, f"{path}."), **families})


_BARE = {op: Primitive(op) for op in PRIMITIVES}
_SCOPED = {scope: _scoped(scope) for scope in SCOPES}
_TILE = {**{op: Primitive(f"tile.{op}") for op in PRIMITIVES}, **{scope: _scoped(scope, "tile.") for scope in SCOPES}}

_LONG: Mapping[str, object] = {
    **{name: Name(name) for name in DTYPES},
    **_tree(row for row in (*LOOP_ROWS, *FUNCTIONS) if not row.name.startswith(("SMEMPool.", "TMEMPool."))),
    **_BARE,
    **_SCOPED,
    "tile": Namespace("tile", {**_TILE, "tile": Namespace("tile", _TILE)}),
    "handle": handle,
    "Buffer": Buffer,
    "TensorMap": TensorMap,
    "inline": inline,
    "let": let,
}
# Every name of T but prim_func and the layout classes.
NAMES: Mapping[str, object] = {**_LONG, **{short: _LONG[name] for short, name in SHORT.items()}}
