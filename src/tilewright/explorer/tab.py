"""A tab: its fields, its presets, and the function that answers them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tilewright.explorer.answer import Answer
from tilewright.explorer.fields import Field, Inputs


@dataclass(frozen=True, slots=True)
class Preset:
    """Inputs with a name; fields that it does not name have their defaults. `note` is what there is to see."""

    name: str
    inputs: Mapping[str, str]
    note: str = ""

    def to_json(self, defaults: Mapping[str, str]) -> dict[str, object]:
        """As a page reads it: without inputs that are defaults, as its own are, so that it knows a preset again."""
        inputs = {name: text for name, text in self.inputs.items() if defaults.get(name) != text}
        return {"name": self.name, "inputs": inputs, "note": self.note}


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the explorer; `answer` raises `FieldError` for inputs of which nothing can be shown.

    `held` is the field that takes what a clicked cell `holds`, its `coordinate` or the `thread` that owns it; empty:
    none does. `link` is what links the cells at first; empty: their elements.
    """

    name: str
    title: str
    words: str
    fields: tuple[Field, ...]
    presets: tuple[Preset, ...]
    answer: Callable[[Inputs], Answer]
    held: str = ""
    holds: str = "coordinate"
    link: str = ""

    def to_json(self) -> dict[str, object]:
        """As a page reads it."""
        defaults = {field.name: field.default for field in self.fields}
        return {
            "name": self.name,
            "title": self.title,
            "words": self.words,
            "fields": [field.to_json() for field in self.fields],
            "held": self.held,
            "holds": self.holds,
            "link": self.link,
            "presets": [preset.to_json(defaults) for preset in self.presets],
        }

    def inputs(self, given: Mapping[str, str]) -> Inputs:
        """The inputs of the fields, of which the given ones are not the default; others are ignored."""
        return Inputs({field.name: field for field in self.fields}, given)
