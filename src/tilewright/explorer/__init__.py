"""The explorer: a local page that shows layouts, threads, phases, counts and the fix; it draws what is answered here.

`engine` answers a tab's inputs with scenes, facts, tables and steps; `server`, which is imported by itself, since a
browser's Python has no sockets, serves it to a browser on this machine. The engine is loaded when it is asked for: a
page is served before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.explorer.engine import Engine

__all__ = ["Engine"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'tilewright.explorer' has no attribute {name!r}")
    return getattr(import_module("tilewright.explorer.engine"), name)
