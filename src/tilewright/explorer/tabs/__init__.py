"""The tabs of the explorer, a file each."""

from __future__ import annotations

from tilewright.explorer.tabs import layout, placement

TABS = (layout.TAB, placement.TAB)
