"""`op[mode]`: an operation on one mode of a layout, whatever the operation does with the whole.

What users call is a `functools.partial` without arguments, which Python calls at C's speed and which can have an index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import getitem
from types import MethodType
from typing import TypeAlias

from tilewright.errors import LayoutError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.dispatch import Function
from tilewright.layout.view import View

Mode: TypeAlias = int | Sequence[int]
Path: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Parts:
    """How a mode is taken out of a layout, and how another one is put in its place."""

    get: Function
    replace: Function


class ByMode(partial[object]):
    """An operation as users call it; `op[mode](layout, ..)` is `layout` whose `mode` is `op(layout[mode], ..)`.

    A mode is a position, or the path to one within a mode: `op[0, 1]` is `op[0][1]`. All other modes stay as they are.

    Raises:
        LayoutError: a mode that is none; when it is called, one that the layout has not.

    >>> from tilewright.layout.layout import Layout
    >>> from tilewright.layout.operations import coalesce, logical_divide
    >>> print(coalesce[1](Layout((3, (2, 6)), (1, (3, 6)))), logical_divide[0, 1](Layout(((3, 8), 5)), Layout(4, 2)))
    (3,12):(1,3) ((3,(4,2)),5):((1,(6,3)),24)
    """

    __name__: str
    origin: Origin

    def __getitem__(self, mode: Mode) -> ByMode:
        """The operation on that mode."""
        run, parts, path = self.origin.run, self.origin.parts, (*self.origin.path, *_path(mode))
        made = ByMode(_on_mode(run, parts, path))
        words = f"`{run.__name__}` of mode {shown(path)} of a layout, whose other modes stay as they are."
        names = {"__name__": _name(run, path), "__qualname__": _name(run, path), "__module__": run.__module__}
        vars(made).update(names, origin=Origin(run, parts, path, self.origin.whole or (self,)), __doc__=words)
        return made

    def __get__(self, instance: object, owner: type | None = None) -> object:
        """Of an object, the method; for `help` it is a routine by this."""
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> str | tuple[object, ...]:
        whole, path = self.origin.whole, self.origin.path
        return (getitem, (whole[0], path)) if whole else self.__name__

    def __repr__(self) -> str:
        return f"<operation {self.__name__}>"


@dataclass(frozen=True)
class Origin:
    """The operation on whole layouts, the path of the mode, and where that is one the operation's own object."""

    run: Function
    parts: Parts
    path: Path = ()
    whole: tuple[ByMode, ...] = ()


def by_mode(run: Function, parts: Parts) -> ByMode:
    """The operation `run` as users call it."""
    made = ByMode(run)
    vars(made).update({name: getattr(run, name) for name in ("__name__", "__qualname__", "__module__", "__doc__")})
    vars(made).update(origin=Origin(run, parts), __wrapped__=run)
    return made


def _on_mode(run: Function, parts: Parts, path: Path) -> Function:
    def on_mode(layout: object, *args: object, **options: object) -> object:
        deeper: Function = on_mode
        if isinstance(layout, View):
            return layout.over_layout(lambda seen: deeper(seen, *args, **options))
        if isinstance(layout, ComposedLayout):
            return layout.over_inner(lambda inner: deeper(inner, *args, **options))
        return _replaced(layout, path, lambda part: run(part, *args, **options), parts)

    on_mode.__name__ = on_mode.__qualname__ = _name(run, path)
    return on_mode


def _replaced(layout: object, path: Path, change: Function, parts: Parts) -> object:
    if not path:
        return change(layout)
    part = _replaced(parts.get(layout, path[0]), path[1:], change, parts)
    return parts.replace(layout, path[0], part)


def _name(run: Function, path: Path) -> str:
    return f"{run.__name__}[{', '.join(map(shown, path))}]"


def _path(mode: object) -> Path:
    found = tuple(mode) if isinstance(mode, tuple | list) else (mode,)
    path = tuple(position for position in found if type(position) is int)
    if len(path) != len(found):
        raise LayoutError(f"a mode is a position or a path of positions, got {shown(mode)}")
    return path
