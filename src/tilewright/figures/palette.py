"""Colours: two palettes of eight fills that dark text can be read on, also by colour-blind eyes.

`hues` are Paul Tol's "light" scheme, made for labelled cells; `steps` grow darker from yellow to blue, so that
their order survives in grey.
"""

from __future__ import annotations

from collections.abc import Mapping

TONES = 8

PALETTES: Mapping[str, tuple[str, ...]] = {
    "hues": ("#77aadd", "#ffaabb", "#44bb99", "#eedd88", "#99ddff", "#ee8866", "#bbcc33", "#dddddd"),
    "steps": ("#fffbd1", "#e9f5bf", "#cbebba", "#a9dfbe", "#8ad1c6", "#72c0cf", "#66abd1", "#6795cb"),
}
INK = "#16191d"  # the text on every fill
