"""The explorer's views in a notebook: `explore` gives an `Explorer`, whose held cell is a `Held`.

`Explorer` needs anywidget, of the extra `notebook`, so that it is loaded when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.notebook.door import explore, explorer_class
from tilewright.notebook.held import Held

if TYPE_CHECKING:
    from tilewright.notebook.widget import Explorer

__all__ = ["explore", "Explorer", "Held"]


def __getattr__(name: str) -> type:
    if name != "Explorer":
        raise AttributeError(f"module 'tilewright.notebook' has no attribute {name!r}")
    return explorer_class()
