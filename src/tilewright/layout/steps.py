"""`explain`: the derivation of a result, recorded by the algebra itself while it computes.

A function of the algebra that is a step of derivations is marked `@explained("name")`; within it, `record` notes a
smaller move. Both only look at one context variable as long as nobody listens, which is what `LOG.get()` tells.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any, TypeVar, cast

from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import to_text

Function = TypeVar("Function", bound=Callable[..., Any])

LOG: ContextVar[list[Derivation] | None] = ContextVar("derivation", default=None)


@dataclass(frozen=True, slots=True)
class Derivation:
    """One step: a rule, its inputs and its result, and the steps within it. `refusal` says why there is no result.

    `str()` is for reading, `to_json()` for programs.
    """

    rule: str
    inputs: tuple[Any, ...]
    result: Any
    steps: tuple[Derivation, ...] = ()
    refusal: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The derivation in lists, dictionaries and texts."""
        data: dict[str, Any] = {"rule": self.rule, "inputs": [show(x) for x in self.inputs]}
        data |= {"refusal": self.refusal} if self.refusal else {"result": show(self.result)}
        return data | {"steps": [inner.to_dict() for inner in self.steps]}

    def to_json(self, indent: int | None = None) -> str:
        """The derivation as JSON text."""
        import json

        return json.dumps(self.to_dict(), indent=indent)

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))

    def _lines(self, number: str, indent: str) -> list[str]:
        call = f"{self.rule}({', '.join(map(show, self.inputs))})" if self.inputs else self.rule
        equals = " = " if self.inputs else ": "
        lines = [indent + number + call + (f" refused: {self.refusal}" if self.refusal else equals + show(self.result))]
        for i, inner in enumerate(self.steps, 1):
            lines += inner._lines(f"{i}. ", indent + " " * (len(number) or 2))
        return lines


def explain(function: Callable[..., Any], *args: Any, **options: Any) -> Derivation:
    """What `function(*args)` does, step by step: every step that the algebra takes, with its inputs and its result.

    A refusal is explained too: the derivation then ends with the reason. Works for functions and for methods.

    Raises:
        LayoutError: `function` is none.

    >>> from tilewright.layout.algebra.coalesce import coalesce
    >>> from tilewright.layout.layout import Layout
    >>> derivation = explain(coalesce, Layout((2, (1, 6)), (1, (6, 2))))
    >>> derivation.rule, str(derivation.result)
    ('coalesce', '12:1')
    """
    bound: Any = function
    while isinstance(bound, partial):
        args, options = (*bound.args, *args), {**bound.keywords, **options}
        bound = bound.func
    if not callable(bound):
        raise LayoutError(f"explain takes a function of the algebra and its arguments, got {shown(bound)}")
    rule = getattr(bound, "__name__", type(bound).__name__).strip("_")
    root = _observed(rule, getattr(bound, "__wrapped__", bound), args, options)
    only = root.steps[0] if len(root.steps) == 1 else None
    same = only is not None and only.rule == rule and show(only.result) == show(root.result)
    return replace(root, steps=only.steps) if only is not None and same else root


def explained(rule: str, result: Callable[[Any], Any] | None = None) -> Callable[[Function], Function]:
    """Marks a function of positional arguments as a step of derivations, whose result is `result` of what it gives."""

    def mark(function: Function) -> Function:
        @wraps(function)
        def run(*args: Any) -> Any:
            log = LOG.get()
            if log is None:
                return function(*args)
            found, error = _listen(rule, function, args, {})
            shown = found.result if result is None or error else result(found.result)
            log.append(replace(found, result=shown))
            if error is not None:
                raise error
            return found.result

        return cast(Function, run)

    return mark


def record(rule: str, inputs: tuple[Any, ...], result: Any, steps: tuple[Derivation, ...] = ()) -> None:
    """Notes a move within the step that is under way, if anybody listens."""
    log = LOG.get()
    if log is not None:
        log.append(Derivation(rule, inputs, result, steps))


def show(value: Any) -> str:
    """A layout, int tuple, tiler or coordinate as text."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(show, value))})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    return to_text(value) if isinstance(value, int) else "_" if value is None else str(value)


def _observed(rule: str, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Derivation:
    """One derivation; where run-time values leave a condition open, that of the way on which guards were found."""
    from tilewright.layout.symbolic.guards import depends_on_run_time, under_guards

    found, error = _listen(rule, function, args, options)
    if error is None or not depends_on_run_time(found.inputs):
        return found
    ways: list[Derivation] = []

    def attempt(*plain: Any, **named: Any) -> Any:
        way, refusal = _listen(rule, function, plain, named)
        ways.append(way)
        if refusal is not None:
            raise refusal
        return way.result

    try:
        result = under_guards(attempt, args, options)
    except LayoutError as refusal:
        return replace(found, refusal=str(refusal))
    return replace(ways[-1], inputs=found.inputs, result=result)


def _listen(
    rule: str, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> tuple[Derivation, LayoutError | None]:
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
