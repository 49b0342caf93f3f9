"""From an index back to a coordinate: not of composed layouts."""

from __future__ import annotations

from typing import NoReturn

from tilewright.errors import LayoutError
from tilewright.layout.base import LayoutBase, no_layout


def refuse(*args: object) -> NoReturn:
    """Refuses the composed layout among the arguments."""
    layout = next((arg for arg in args if isinstance(arg, LayoutBase)), None)
    if layout is None:
        raise LayoutError(f"expected a layout, got {', '.join(map(no_layout, args))}")
    raise LayoutError(f"idx2crd: {layout} is composed, and gives no coordinate of an index")
