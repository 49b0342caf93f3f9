"""The tabs of a widget: the explorer's, or one that shows a figure.

Each keeps its last answer, for which both the page and Python ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tilewright.explorer.answer import Answer
from tilewright.explorer.engine import Engine
from tilewright.explorer.tab import Tab
from tilewright.figures.figure import Figure

PICTURE = "picture"


def engine_of(figure: Figure | None) -> Engine:
    """An engine of its own for a widget.

    >>> from tilewright import Layout, draw
    >>> list(engine_of(draw(Layout((4, 8)))).tabs)
    ['picture']
    """
    every = Engine()
    return Engine(every.traces, _named(map(_kept, every.tabs.values()) if figure is None else [_picture(figure)]))


def _named(tabs: Iterable[Tab]) -> dict[str, Tab]:
    return {tab.name: tab for tab in tabs}


def _picture(figure: Figure) -> Tab:
    answer = Answer(scenes=(figure.scene,))
    return Tab(PICTURE, "Picture", "", fields=(), presets=(), answer=lambda inputs: answer)


def _kept(tab: Tab) -> Tab:
    @lru_cache(maxsize=1)
    def answer(given: tuple[tuple[str, str], ...]) -> Answer:
        return tab.answer(tab.inputs(dict(given)))

    return replace(tab, answer=lambda inputs: answer(tuple(sorted(inputs.given.items()))))
