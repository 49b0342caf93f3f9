"""A variable that has no value on some way: whoever looks at it is told why."""

from __future__ import annotations

from typing import NoReturn

from tilewright.errors import KernelError

OPERATORS = (
    "add sub mul truediv floordiv mod pow and or xor lshift rshift radd rsub rmul rtruediv rfloordiv rmod rpow rand "
    "ror rxor rlshift rrshift lt le gt ge eq ne neg pos invert abs bool int float index len iter getitem setitem call"
)


class Undefined:
    """What stands for a variable without a value; every use of it raises `reason`."""

    reason: str

    def __init__(self, reason: str) -> None:
        self.__dict__["reason"] = reason

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise KernelError(self.reason)

    def __repr__(self) -> str:
        return f"<{self.reason}>"

    __hash__ = object.__hash__


def _refuse(self: Undefined, *given: object, **named: object) -> NoReturn:
    raise KernelError(self.reason)


for _name in OPERATORS.split():
    setattr(Undefined, f"__{_name}__", _refuse)
