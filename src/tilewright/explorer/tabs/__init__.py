"""The tabs of the explorer, a file each."""

from __future__ import annotations

from tilewright.explorer.tabs import atoms, banks, layout, permutation, placement

TABS = (layout.TAB, placement.TAB, banks.TAB, atoms.TAB, permutation.TAB)
