"""The engine behind the page: a request in, plain values out. The same for a server, a static site and a notebook."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tilewright.errors import TilewrightError, UsageError, shown
from tilewright.explorer.answer import Answer
from tilewright.explorer.fields import FieldError
from tilewright.explorer.limits import MOST
from tilewright.explorer.tab import Tab
from tilewright.explorer.tabs import TABS, kernel
from tilewright.explorer.trace.store import Traces
from tilewright.figures.links import BY
from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.svg import svg

SCHEMA = "tilewright.explorer/1"
Json = dict[str, object]


@dataclass(frozen=True)
class Engine:
    """Answers requests, each an object with `ask`.

    `{"ask": "tabs"}` gives the tabs, their fields and presets; `{"ask": "answer", "tab": NAME, "inputs": {..}}` what
    one shows; `{"ask": "svg", "tab": NAME, "inputs": {..}, "scene": 0}` one of its scenes as SVG. A refusal is
    `{"problems": [..]}`, each with the message and, where it is one field's, the field and the position in it.

    >>> engine = Engine()
    >>> engine.reply({"ask": "answer", "tab": "layout", "inputs": {"a": "(4,8):(8,1"}})["problems"][0]["position"]
    10
    """

    traces: Traces = field(default_factory=Traces)
    tabs: Mapping[str, Tab] = field(default_factory=dict)  # by their names; empty: all that there are

    def __post_init__(self) -> None:
        tabs = self.tabs.values() or (*TABS, kernel.tab(self.traces))
        object.__setattr__(self, "tabs", MappingProxyType({tab.name: tab for tab in tabs}))

    def text(self, request: str | bytes) -> str:
        """The reply to a request, both as JSON text; what is no request gets a problem."""
        try:
            if len(request) > MOST:
                raise UsageError(f"a request of {len(request)} bytes is too long, the limit is {MOST}")
            asked = _read(request)
        except TilewrightError as error:
            return _written({"problems": [_problem(error)]})
        return _written(self.reply(asked))

    def drop(self, trace: bytes) -> str:
        """Keeps a trace, the JSON of a file; the reply, as JSON text, has the name that the field `trace` takes."""
        try:
            return _written({"trace": self.traces.drop(trace)})
        except TilewrightError as error:
            return _written({"problems": [FieldError("trace", str(error)).to_json()]})

    def reply(self, request: object) -> Json:
        """The reply to a request, both as plain values."""
        try:
            return self._reply(request)
        except TilewrightError as error:
            return {"problems": [_problem(error)]}

    def _reply(self, request: object) -> Json:
        if not isinstance(request, dict):
            raise UsageError(f"a request is an object, got {shown(request)}")
        asked = request.get("ask")
        answers: Mapping[object, Callable[[Json], Json]] = {
            "tabs": self._tabs,
            "answer": self._answer,
            "svg": self._svg,
        }
        if not isinstance(asked, str) or asked not in answers:
            raise UsageError(f"ask for {', '.join(map(str, answers))}, not {shown(asked)}")
        return answers[asked](request)

    def _tabs(self, request: Json) -> Json:
        links = {name: everywhere for name, (_, everywhere) in BY.items()}
        palettes = {name: list(colours) for name, colours in PALETTES.items()}
        tabs = [tab.to_json() for tab in self.tabs.values()]
        return {"schema": SCHEMA, "tabs": tabs, "palettes": palettes, "ink": INK, "links": links}

    def _answer(self, request: Json) -> Json:
        return self._answered(request).to_json()

    def _answered(self, request: Json) -> Answer:
        return self.answer(request.get("tab"), request.get("inputs", {}))

    def answer(self, name: object, given: object) -> Answer:
        """What a tab answers to inputs.

        Raises:
            UsageError: there is no such tab, or what is given are no texts by names; FieldError: of one input.

        >>> Engine().answer("layout", {"a": "(4,8):(8,1)"}).facts[0]
        ('shape', '(4,8)')
        """
        if not isinstance(name, str) or name not in self.tabs:
            raise UsageError(f"there is no tab {shown(name)}; there are {', '.join(self.tabs)}")
        if not isinstance(given, dict) or not all(isinstance(x, str) for pair in given.items() for x in pair):
            raise UsageError("inputs are an object of texts")
        tab = self.tabs[name]
        return tab.answer(tab.inputs(given))

    def _svg(self, request: Json) -> Json:
        scenes, number = self._answered(request).scenes, request.get("scene", 0)
        if type(number) is not int or not 0 <= number < len(scenes):
            raise UsageError(f"there is no scene {shown(number)}, but {len(scenes)} from 0 on")
        return {"svg": svg(scenes[number])}


def _read(request: str | bytes) -> object:
    try:
        return json.loads(request)
    except (ValueError, RecursionError):
        raise UsageError("a request is JSON text in UTF-8") from None


def _written(reply: Json) -> str:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"), check_circular=False)


def _problem(error: TilewrightError) -> Json:
    return error.to_json() if isinstance(error, FieldError) else {"field": "", "message": str(error), "position": -1}
