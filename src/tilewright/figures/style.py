"""The style sheet of SVG pictures: one class for each role and tone, in the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tilewright.figures.palette import INK, PALETTES

MONO = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
LIGHT = {"page": "#ffffff", "case": "none", "text": "#1f2328", "soft": "#59636e", "rule": "#1f2328", "faint": "#e3e6ea"}
DARK = {
    "page": "#0d1117",
    "case": "#0d1117",
    "text": "#f0f6fc",
    "soft": "#9aa5b1",
    "rule": "#f0f6fc",
    "faint": "#262c34",
}
THEMES: Mapping[bool, dict[str, str]] = MappingProxyType({False: LIGHT, True: DARK})

# Everything is asked for within the picture, so that one within a page changes nothing around it.
_BASE = (
    f".tw text{{font-family:{MONO};pointer-events:none;white-space:pre}}.tw .tw-title{{font-weight:600}}"
    ".tw .tw-label text{pointer-events:all}.tw .tw-rule{pointer-events:none}"
    f".tw .tw-label{{fill:{INK};text-anchor:middle}}.tw .tw-end{{text-anchor:end}}.tw .tw-mid{{text-anchor:middle}}"
    ".tw .tw-blank,.tw .tw-rule,.tw .tw-case{fill:none}.tw .tw-case{pointer-events:none}"
)


def sheet(palette: str, dark: bool | None = None) -> str:
    """The classes of a picture with that palette; `dark` is None where the reader's own setting is to decide."""
    fills = "".join(f".tw-{palette}{tone}{{fill:{c};stroke:{c}}}" for tone, c in enumerate(PALETTES[palette]))
    setting = f"@media (prefers-color-scheme:dark){{{_theme(DARK)}}}" if dark is None else ""
    return f"{fills}{_BASE}{_theme(THEMES[bool(dark)])}{setting}"


def _theme(colours: Mapping[str, str]) -> str:
    return (
        f".tw .tw-page{{fill:{colours['page']}}}.tw .tw-case{{stroke:{colours['case']}}}"
        f".tw .tw-text,.tw .tw-label .tw-bare,.tw .tw-label.tw-bare{{fill:{colours['text']}}}"
        f".tw .tw-soft{{fill:{colours['soft']}}}.tw .tw-rule{{stroke:{colours['rule']}}}"
        f".tw .tw-blank,.tw rect.tw-swatch{{stroke:{colours['faint']}}}"
    )
