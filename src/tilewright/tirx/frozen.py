"""`Frozen`: values whose attributes are set once, when they are made."""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """Refuses to set or delete an attribute; makers write through `object.__setattr__`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen; cannot delete {name}")
