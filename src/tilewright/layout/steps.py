"""Derivations: the steps of a result, recorded by the algebra itself while it computes. `explain` asks for them.

A function of the algebra that is a step of derivations is marked `@explained("name")`, or `@noted` where its refusals
are none; within it, `record` notes a smaller move. All only look at one context variable as long as nobody listens,
which is what `LOG.get()` tells.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import wraps
from typing import TypeVar, cast

from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import MAX_INT, to_text
from tilewright.layout.view import View

Function = TypeVar("Function", bound=Callable[..., object])

LOG: ContextVar[list[Derivation] | None] = ContextVar("derivation", default=None)


@dataclass(frozen=True, slots=True)
class Derivation:
    """One step: a rule, its inputs and its result, and the steps within it. `refusal` says why there is no result.

    `str()` is for reading, `to_json()` for programs.
    """

    rule: str
    inputs: tuple[object, ...]
    result: object
    steps: tuple[Derivation, ...] = ()
    refusal: str = ""

    def to_dict(self) -> dict[str, object]:
        """The derivation in lists, dictionaries and texts."""
        data: dict[str, object] = {"rule": self.rule, "inputs": [show(x) for x in self.inputs]}
        data |= {"refusal": self.refusal} if self.refusal else {"result": show(self.result)}
        return data | {"steps": [inner.to_dict() for inner in self.steps]}

    def to_json(self, indent: int | None = None) -> str:
        """The derivation as JSON text."""
        import json

        return json.dumps(self.to_dict(), indent=indent)

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))

    def __repr__(self) -> str:
        return f"<Derivation {self._lines('', '')[0]}>"

    def _lines(self, number: str, indent: str) -> list[str]:
        call = f"{self.rule}({', '.join(map(show, self.inputs))})" if self.inputs else self.rule
        equals = " = " if self.inputs else ": "
        lines = [indent + number + call + (f" refused: {self.refusal}" if self.refusal else equals + show(self.result))]
        for i, inner in enumerate(self.steps, 1):
            lines += inner._lines(f"{i}. ", indent + " " * (len(number) or 2))
        return lines


def explained(rule: str, part: int | None = None) -> Callable[[Function], Function]:
    """Marks a function of positional arguments as a step of derivations; its result is what it gives, or that part."""

    def mark(function: Function) -> Function:
        @wraps(function)
        def run(*args: object) -> object:
            log = LOG.get()
            if log is None:
                return function(*args)
            found, error = listen(rule, function, args, {})
            whole = found.result
            log.append(found if part is None or not isinstance(whole, tuple) else replace(found, result=whole[part]))
            if error is not None:
                raise error
            return whole

        return cast(Function, run)

    return mark


def noted(rule: str, moves: Callable[..., tuple[Derivation, ...]]) -> Callable[[Function], Function]:
    """Marks a function of positional arguments whose results are steps of derivations; `moves` gives those within.

    Both take the same arguments. Refusals are no steps: whoever asked may know another way.
    """

    def mark(function: Function) -> Function:
        @wraps(function)
        def run(*args: object) -> object:
            result = function(*args)
            log = LOG.get()
            if log is not None:
                log.append(Derivation(rule, args, result, moves(*args)))
            return result

        return cast(Function, run)

    return mark


def record(rule: str, inputs: tuple[object, ...], result: object, steps: tuple[Derivation, ...] = ()) -> None:
    """Notes a move within the step that is under way, if anybody listens."""
    log = LOG.get()
    if log is not None:
        log.append(Derivation(rule, inputs, result, steps))


def show(value: object) -> str:
    """A layout, int tuple, tiler or coordinate as text; of a tensor the line above its elements."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(show, value))})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, int) and abs(value) > MAX_INT:
        return shown(value)
    if isinstance(value, View):
        return str(value).partition("\n")[0]
    return to_text(value) if isinstance(value, int) else "_" if value is None else str(value)


def listen(
    rule: str, function: Callable[..., object], args: tuple[object, ...], options: dict[str, object]
) -> tuple[Derivation, LayoutError | None]:
    """What `function(*args)` does, as a derivation, and why it refused."""
    inner: list[Derivation] = []
    inputs = (*args, *options.values())
    token = LOG.set(inner)
    try:
        result = function(*args, **options)
    except LayoutError as error:
        return Derivation(rule, inputs, None, tuple(inner), str(error)), error
    finally:
        LOG.reset(token)
    return Derivation(rule, inputs, result, tuple(inner)), None
