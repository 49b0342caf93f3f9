"""`Extent`: what type checkers read of `size` and `cosize`, which overloads tell and properties cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.layout import Layout
    from tilewright.layout.symbolic.symint import SymInt

    class Extent:
        """A number of coordinates or of places: an int of a layout whose leaves are known, else perhaps a `SymInt`."""

        @overload
        def __get__(self, layout: Layout[Known] | ComposedLayout[Known], owner: object = None) -> int: ...
        @overload
        def __get__(self, layout: Layout[Value] | ComposedLayout[Value], owner: object = None) -> int | SymInt: ...
        @overload
        def __get__(self, layout: LayoutBase, owner: object = None) -> int | SymInt: ...
        def __get__(self, layout: LayoutBase, owner: object = None) -> int | SymInt: ...
