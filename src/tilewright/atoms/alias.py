"""One attribute under several names: documents, releases and CuTe differ."""

from __future__ import annotations

from typing import Any


def alias(name: str, where: str) -> Any:
    """A property that is another attribute under the name that `where` uses."""
    return property(lambda self: getattr(self, name), doc=f"`{name}` under the name of {where}.")
