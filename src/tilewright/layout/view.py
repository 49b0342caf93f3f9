"""`View`: what is seen through a layout, as memory is through that of a tensor. Operations on it act on the layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, overload

from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.inttuple import IntTuple
    from tilewright.layout.methods import ViewMethods
else:

    class ViewMethods:
        """The operations that views have, as `operations` gives them."""

        __slots__ = ()


Seen = TypeVar("Seen", bound="View")
L = TypeVar("L", bound="LayoutBase")
R = TypeVar("R", bound="LayoutBase")
Change: TypeAlias = "Callable[..., LayoutBase]"


class View(ViewMethods, ABC):
    """Something that a layout addresses. What selects among the layout's values selects among what is seen."""

    __slots__ = ()

    @property
    @abstractmethod
    def layout(self) -> LayoutBase:
        """The layout through which it is seen."""

    @abstractmethod
    def over_layout(self: Seen, change: Change) -> Seen:
        """The same thing seen through what `change` makes of the layout."""

    @abstractmethod
    def afresh(self: Seen, change: Change, dtype: DTypeLike | None = None) -> Seen:
        """A new thing of its kind, or of other elements, seen through what `change` makes of the layout."""

    @property
    def shape(self) -> IntTuple:
        """The shape of the layout."""
        return self.layout.shape

    @property
    def placed(self) -> LayoutBase:
        """The layout, its offsets counted from where the memory that is seen begins."""
        return self.layout

    @property
    def element_bits(self) -> int | None:
        """The bits of an element of what is seen; None where that is not told."""
        return None


def changed(layout: LayoutBase, change: object) -> object:
    """What a function makes of a layout.

    Raises:
        UsageError: it is no function.
    """
    if not callable(change):
        raise UsageError(f"a layout is changed by a function, got {shown(change)}")
    found: object = change(layout)
    return found


class Way(Protocol):
    """What an operation gives of a view, once it is known what it makes of the view's layout."""

    def __call__(self, view: Seen, change: Change, *said: DTypeLike | None) -> Seen:
        """The view that comes of it; `said` is what the operation is told behind the view."""


def same(view: Seen, change: Change, *said: DTypeLike | None) -> Seen:
    """What operations that select give of a view."""
    return view.over_layout(change)


def new(view: Seen, change: Change, *said: DTypeLike | None) -> Seen:
    """What operations that make something alike give of a view, of the element type that is said, if one is."""
    return view.afresh(change, *said)


@overload
def through(value: Seen, change: Change, way: Way = same) -> Seen: ...
@overload
def through(value: L, change: Callable[[L], R], way: Way = same) -> R: ...
def through(value: Seen | L, change: Callable[[L], R], way: Way = same) -> Seen | R:
    """What `change` makes of a layout; of a view what is seen through what it makes of the view's layout."""
    return way(value, change) if isinstance(value, View) else change(value)
