"""From an index back to a coordinate: not of composed layouts."""

from __future__ import annotations

from typing import Any, NoReturn

from tilewright.errors import LayoutError, shown
from tilewright.layout.base import LayoutBase


def refuse(*args: Any) -> NoReturn:
    """Refuses the composed layout among the arguments."""
    layout = next((arg for arg in args if isinstance(arg, LayoutBase)), None)
    if layout is None:
        raise LayoutError(f"expected a layout, got {', '.join(map(shown, args))}")
    raise LayoutError(f"idx2crd: {layout} is composed, and gives no coordinate of an index")
