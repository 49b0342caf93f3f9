"""One thing under several names: documents, releases and CuTe differ."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

T = TypeVar("T")


def alias(kind: type[T], name: str, where: str) -> T:
    """A property that is another attribute, of that kind, perhaps of an attribute, under the name that `where` uses."""
    found: object = property(attrgetter(name), doc=f"`{name}` under the name of {where}.")
    return cast("T", found)  # which it is on an instance


def fixed(build: Callable[..., T], *arguments: object) -> Callable[[], T]:
    """`build` with these arguments, as a function of none.

    >>> fixed(max, 3, 5)()
    5
    """

    def make() -> T:
        return build(*arguments)

    call = f"{build.__name__}({', '.join(map(repr, arguments))})"
    make.__doc__ = f"{call}: the atom of so many bits.\n\n{_example(build, call, '')}"
    return make


def first_fixed(build: Callable[..., T], argument: object) -> Callable[[DTypeLike], T]:
    """`build` with this first argument, as a function of the second.

    >>> first_fixed(max, "f16")("f32")
    'f32'
    """

    def make(val_type: DTypeLike) -> T:
        return build(argument, val_type)

    call = f"{build.__name__}({argument!r}, val_type)"
    like = _example(build, call, "val_type = 'float32'; ")
    raises = "Raises:\n        UsageError: there is no such type."
    make.__doc__ = f"{call}: on an element of that type, in bits.\n\n    {raises}\n\n{like}"
    return make


def _example(build: Callable[..., object], call: str, given: str) -> str:
    return (
        f"    >>> from {build.__module__} import {build.__name__}\n    >>> {given}{call}.thr_layout.size\n    1\n    "
    )
