"""`Explorer`: the widget. Its page is the explorer's own, and asks the engine in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.resources import files

import anywidget
import traitlets

from tilewright.errors import TilewrightError, UsageError, shown
from tilewright.explorer.answer import Answer
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Scene
from tilewright.notebook.held import Held, cell_at, find, held_inputs
from tilewright.notebook.replies import Buffer, replied
from tilewright.notebook.state import Checked, held_of, inputs_of, place_of, tab_of
from tilewright.notebook.tabs import engine_of

KERNEL = "kernel"  # the tab of traces


class Explorer(anywidget.AnyWidget):
    """A widget of the explorer's tabs, or of one figure, for Jupyter and marimo; `tilewright.explore` makes one.

    `tab`, `inputs` and `held` are traits: each may be read and set, and `observe(function, "held")` calls a function
    with each change.

    Attributes:
        tab: the name of the tab that is shown.
        inputs: texts of its fields by their names, where they are not the default; what is wrong is kept, too.
        held: the cell that is held, as what it stands for, or None. A new answer has it anew; a refused one leaves it.
        engine: what answers.

    Raises:
        UsageError: there is no such tab, inputs are no texts, what is held is no cell.

    >>> widget = Explorer(inputs={"a": "(4,4):(4,1)"})
    >>> widget.tab, widget.answer.facts[0]
    ('layout', ('shape', '(4,4)'))
    >>> widget.hold(offset=6)
    Held(coordinate=(1, 2), index=9, offset=6)
    >>> widget.inputs = {"a": "(4,4):(1,4)"}
    >>> widget.held
    Held(coordinate=(1, 2), index=9, offset=9)
    >>> widget.inputs = None
    Traceback (most recent call last):
        ...
    tilewright.notebook.state.StateError: inputs are texts by the names of a tab's fields, got None
    """

    _esm = files("tilewright.explorer").joinpath("page", "widget.js").read_text(encoding="utf-8")

    tab = Checked(tab_of, "").tag(sync=True)
    inputs = Checked(inputs_of, dict[str, str]()).tag(sync=True)
    held = Checked(held_of, None)
    _at = Checked(place_of, None).tag(sync=True)

    def __init__(self, figure: Figure | None = None, *, tab: str = "", inputs: Mapping[str, str] | None = None) -> None:
        self.engine = engine_of(figure)
        self._scenes: Sequence[Scene] = ()
        first = next(iter(self.engine.tabs))
        super().__init__(
            tab=first if isinstance(tab, str) and not tab else tab, inputs={} if inputs is None else inputs
        )
        self.on_msg(self._heard)

    @property
    def answer(self) -> Answer:
        """What the tab answers to its inputs: scenes, facts, tables, steps.

        Raises:
            UsageError: an input is wrong; a `FieldError` names its field and the place in it.
        """
        return self.engine.answer(self.tab, self.inputs)

    def hold(self, **wanted: object) -> Held:
        """Holds the first cell that stands for all of this, such as `offset=13`, `thread=3` or `coordinate=(1, 5)`.

        As with a click, a tab that explains a held cell takes its coordinate, or its thread, as an input.
        `self.held = None` lets it go.

        Args:
            wanted: any of `element`, `coordinate`, `offset`, `place`, `owner`, `thread`, `byte`, `bank`, `line`,
                `phase`, `group`, and where the cell is: `scene`, `panel`, `row`, `column`.

        Raises:
            UsageError: there is no such cell, or another name; and what `answer` raises.
        """
        found = find(self.answer.scenes, wanted)
        self.inputs = {**self.inputs, **held_inputs(self.engine.tabs[self.tab], found)}
        self.held = found
        return found

    def drop(self, trace: str | bytes) -> None:
        """Keeps a trace, as `tilewright run --trace-json` or `trace.json()` writes it, and shows it on its tab.

        Raises:
            UsageError: it is no trace, or the widget has no such tab, as it shows a figure.
        """
        tab = tab_of(self.engine, KERNEL)
        if not isinstance(trace, str | bytes):
            raise UsageError(f"a trace is JSON as text or bytes, such as trace.json() gives, got {shown(trace)}")
        data = trace.encode(errors="replace") if isinstance(trace, str) else trace
        with self.hold_trait_notifications():
            self.tab, self.inputs = tab, {"trace": self.engine.traces.drop(data)}

    def __repr__(self) -> str:
        return f"<Explorer: tab {self.tab!r}, inputs {self.inputs}, held {self.held}>"

    @traitlets.observe("tab", "inputs", "_at")
    def _moved(self, change: object) -> None:
        self.held = None if self._at is None else cell_at(self._shown(), self._at)
        self._taken(change)

    @traitlets.observe("held")
    def _taken(self, change: object) -> None:
        self._at = list(self.held.at) if self.held else None

    def _shown(self) -> Sequence[Scene]:
        """The scenes of the last answer; its page shows them still where one is refused."""
        with suppress(TilewrightError):
            self._scenes = self.answer.scenes
        return self._scenes

    def _heard(self, widget: object, content: object, buffers: Sequence[Buffer]) -> None:
        message, reply = replied(self.engine, content, buffers)
        self.send(message, [reply])
