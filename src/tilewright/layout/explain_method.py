"""`layout.explain(..)`: the function of that name with the layout put first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.layout.explain import explain as explain_function

if TYPE_CHECKING:
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.steps import Derivation


def explain(layout: LayoutBase, *what: object, **named: object) -> Derivation:
    """What a function does with this layout as its first argument, step by step; or its value at a coordinate.

    Raises:
        LayoutError: the function takes other arguments; a coordinate nested deeper than 64.

    >>> from tilewright.layout.layout import Layout
    >>> print(explain(Layout((8, 16), (16, 1)), 3, 5))
    evaluate((8,16):(16,1), 3, 5) = 53
      1. mode(8:16) = 3*16 = 48
      2. mode(16:1) = 5*1 = 5
      3. sum: 48 + 5 = 53
    """
    if what and callable(what[0]):
        return explain_function(what[0], layout, *what[1:], **named)
    return explain_function(layout, *what, **named)
