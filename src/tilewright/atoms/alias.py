"""One thing under several names: documents, releases and CuTe differ."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

T = TypeVar("T")


def alias(name: str, where: str) -> Any:
    """A property that is another attribute, perhaps of an attribute, under the name that `where` uses."""
    return property(attrgetter(name), doc=f"`{name}` under the name of {where}.")


def fixed(build: Callable[..., T], *arguments: Any) -> Callable[[], T]:
    """`build` with these arguments, as a function of none.

    >>> fixed(max, 3, 5)()
    5
    """

    def make() -> T:
        return build(*arguments)

    make.__doc__ = f"{build.__name__}({', '.join(map(repr, arguments))})."
    return make


def first_fixed(build: Callable[..., T], argument: Any) -> Callable[[Any], T]:
    """`build` with this first argument, as a function of the second.

    >>> first_fixed(pow, 2)(5)
    32
    """

    def make(second: Any) -> T:
        return build(argument, second)

    make.__doc__ = f"{build.__name__}({argument!r}, ..)."
    return make
