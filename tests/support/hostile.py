"""Arguments that nobody means: every public function of the layout algebra must give a value or our own error, soon."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from inspect import isfunction
from typing import Any

import strategies as draw
from strategies import Dice

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle, SymInt, TilewrightError
from tilewright.errors import shown

NAMES = tuple(
    name
    for name, (module, _) in tw._WHERE.items()
    if module.startswith("tilewright.layout.") and isfunction(getattr(tw, name)) and name != "explain"
)
CLASSES = {"Layout": Layout, "Swizzle": Swizzle, "ComposedLayout": ComposedLayout, "SymInt": SymInt}
# Values that something in a tree may be and few think of; every operation is tried on every pair.
DEGENERATE: tuple[Any, ...] = ((), ((),), (None,), ((), None), None, 0, -1, (0,), (1, None), 4, Layout(()), Layout(4))
METHODS = ("__call__", "__getitem__", "contains", "table", "at", "slice", "idx2crd", "with_shape", "composition")
LARGE = (2**31, 2**62, 2**63, -(2**63), 10**30, 10**5000)
ODD = (0, -1, *LARGE, None, 1.5, float("nan"), True, "8", b"8", {}, (), SymInt("n", div=4))
SECONDS = 1.0


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = (value,)
    return value


def leaf(pick: Dice) -> Any:
    """An integer, most often; sometimes a huge one, sometimes no integer at all."""
    kind = pick.integer(0, 19)
    if kind < 12:
        return pick.integer(-2, 17)
    return pick.one(ODD)


def tree(pick: Dice, levels: int = 3) -> Any:
    """A tuple or list of leaves."""
    if levels == 0 or pick.integer(0, 2) == 0:
        return leaf(pick)
    items = [tree(pick, levels - 1) for _ in range(pick.integer(0, 4))]
    return items if pick.integer(0, 4) == 0 else tuple(items)


def extent(pick: Dice) -> int:
    return pick.one((1, 2, 3, 4, 7, 8, 60, 2**20, 2**31, 2**62))


def layout(pick: Dice) -> Any:
    """A well formed layout of any size that 64 bits hold, and any kind of strides."""
    while True:
        try:
            return _layout(pick)
        except tw.LayoutError:
            continue


def _layout(pick: Dice) -> Any:
    kind = pick.integer(0, 6)
    if kind == 0:
        return draw.layout(pick)
    if kind == 1:
        return draw.swizzled(pick)
    if kind == 2:
        return tw.make_identity_layout(draw.shape(pick))
    shape = tuple(extent(pick) for _ in range(pick.integer(1, 4)))
    stride = tuple(pick.one((0, 1, -1, 3, extent(pick), -extent(pick))) for _ in shape)
    if kind == 3:
        stride = tuple(tw.term(d, pick.one(("laneid", "m", (0,), (1, 0)))) for d in stride)
    if kind == 4:
        return ComposedLayout(pick.one((draw.swizzle(pick), Layout(7, 3))), pick.integer(-3, 90), Layout(shape, stride))
    if kind == 5:
        return Layout((SymInt("n", div=4), *shape), (1, *stride))
    return Layout(shape, stride)


def argument(pick: Dice) -> Any:
    """Anything."""
    kind = pick.integer(0, 11)
    if kind < 5:
        return layout(pick)
    if kind < 8:
        return tree(pick)
    if kind == 8:
        return leaf(pick)
    if kind == 9:
        return tuple(pick.one((None, 2, 3, layout(pick), tree(pick, 1))) for _ in range(pick.integer(0, 3)))
    return pick.one((draw.swizzle(pick), nested(pick.integer(60, 900)), (1,) * pick.integer(1, 6000), array(pick), len))


def array(pick: Dice) -> Any:
    import numpy

    kinds = (numpy.arange(5), numpy.zeros((2, 3)), numpy.array([]), numpy.array(3), numpy.arange(4, dtype=numpy.uint8))
    return pick.one(kinds)


def call(pick: Dice) -> tuple[str, Callable[..., Any], list[Any]]:
    """A public function or method and arguments for it."""
    arguments = [argument(pick) for _ in range(pick.integer(1, 3))]
    if pick.integer(0, 9) == 0:
        name = pick.one(tuple(CLASSES))
        return name, CLASSES[name], arguments
    if pick.integer(0, 4) == 0:
        name = pick.one(METHODS)
        return name, getattr(layout(pick), name), arguments[pick.integer(0, 1) :]
    name = pick.one(NAMES)
    return name, getattr(tw, name), arguments


def trouble(pick: Dice) -> str:
    """What is wrong with one call: another exception than ours, or more than a second; else nothing."""
    try:
        name, function, arguments = call(pick)
    except TilewrightError:
        return ""
    return complaint(name, function, arguments)


def degenerate_calls() -> Iterator[tuple[str, Callable[..., Any], list[Any]]]:
    """Every operation on every degenerate value, and on every pair of them."""
    for name in NAMES:
        for a in DEGENERATE:
            yield name, getattr(tw, name), [a]
            for b in DEGENERATE:
                yield name, getattr(tw, name), [a, b]


def complaint(
    name: str, function: Callable[..., Any], arguments: list[Any], named: Mapping[str, Any] | None = None
) -> str:
    """What is wrong with this call, or nothing. What the tests before it left to collect is not its time."""
    gc.disable()
    try:
        return _complaint(name, function, arguments, named or {})
    finally:
        gc.enable()


def _complaint(name: str, function: Callable[..., Any], arguments: list[Any], named: Mapping[str, Any]) -> str:
    start = time.process_time()
    shown = [*arguments, *named.items()]
    try:
        answer = function(*arguments, **named)
        if not isinstance(answer, int | tuple):  # an index beyond the domain is as long as its coordinate
            repr(answer)
    except TilewrightError as error:
        str(error)
    except TypeError as error:
        if not _is_a_wrong_count(error):
            return _report(name, shown, error)
    except Exception as error:
        return _report(name, shown, error)
    seconds = time.process_time() - start
    return f"{name} took {seconds:.1f} s: {_shown(shown)}" if seconds > SECONDS else ""


def _is_a_wrong_count(error: TypeError) -> bool:
    """Python's own complaint about the number of arguments."""
    return "positional argument" in str(error) or "takes no" in str(error)


def _report(name: str, arguments: list[Any], error: Exception) -> str:
    return f"{name}: {type(error).__name__} {str(error)[:120]}: {_shown(arguments)}"


def _shown(arguments: list[Any]) -> str:
    return "; ".join(map(shown, arguments))
