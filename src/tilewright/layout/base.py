"""`LayoutBase`: what layouts of every kind share. The algebra becomes methods of it in `operations`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.drawn import Drawn
from tilewright.layout.inttuple import IntTuple


class LayoutBase(Drawn):
    """A function from coordinates of `shape`; every operation of the algebra is a method too."""

    __slots__ = ()
    shape: IntTuple
    inner: Any
    size: Any
    cosize: Any
    spans: Any
    at: Callable[[Any], Any]
    __call__: Callable[..., Any]
    contains: Callable[..., Any]
    over_inner: Callable[..., Any]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def as_layout(value: Any) -> Any:
    """The layout itself, of whichever kind.

    Raises:
        LayoutError: the value is no layout.
    """
    if isinstance(value, LayoutBase):
        return value
    raise LayoutError(f"expected a layout, got {shown(value)}")
