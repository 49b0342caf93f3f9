"""The state of a widget: what each of its traits takes.

What is refused is one of our errors, and one of those that traitlets knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

import traitlets

from tilewright.errors import TilewrightError, UsageError, close_names, shown
from tilewright.explorer.engine import Engine
from tilewright.notebook.held import Held

PLACE = 3  # numbers: of the scene, the panel, the cell
Value = TypeVar("Value")


class StateError(UsageError, traitlets.TraitError):
    """A widget cannot have this state; traitlets then goes back to the one before."""


class Answering(Protocol):
    """What has an engine."""

    engine: Engine


class Checked(traitlets.TraitType[Value, object], Generic[Value]):
    """A trait whose value is what the function makes of the one that is given."""

    def __init__(self, check: Callable[[Engine, object], Value], default: Value) -> None:
        super().__init__(default)
        self.check = check

    def validate(self, obj: Answering, value: object) -> Value:
        """The value that is kept.

        Raises:
            StateError: what the function refuses.
        """
        try:
            return self.check(obj.engine, value)
        except TilewrightError as error:
            raise StateError(str(error)) from None


def tab_of(engine: Engine, name: object) -> str:
    """The name of a tab that there is."""
    if isinstance(name, str) and name in engine.tabs:
        return name
    close = close_names(name, engine.tabs) if isinstance(name, str) else []
    meant = f"; did you mean {close[0]!r}?" if close else ""
    raise UsageError(f"there is no tab {shown(name)}; there are {', '.join(engine.tabs)}{meant}")


def inputs_of(engine: Engine, given: object) -> dict[str, str]:
    """Texts by names."""
    if not isinstance(given, Mapping) or not all(isinstance(x, str) for pair in given.items() for x in pair):
        raise UsageError(f"inputs are texts by the names of a tab's fields, got {shown(given)}")
    return dict(given)


def held_of(engine: Engine, given: object) -> Held | None:
    """A cell, or none."""
    if given is None or isinstance(given, Held):
        return given
    raise UsageError(f"held is a cell or None, got {shown(given)}; hold(offset=3) holds the cell of offset 3")


def place_of(engine: Engine, given: object) -> list[int] | None:
    """The numbers of a cell, or none."""
    numbers = list(given) if isinstance(given, list | tuple) else []
    if given is None:
        return None
    if len(numbers) == PLACE and all(type(number) is int and number >= 0 for number in numbers):
        return numbers
    raise UsageError(f"a cell is numbered by its scene, its panel and its place there, got {shown(given)}")
