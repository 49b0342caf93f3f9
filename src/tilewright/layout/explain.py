"""`explain`: the derivation of a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from inspect import signature, unwrap
from types import MethodType

from tilewright.errors import LayoutError, TilewrightError, shown
from tilewright.layout.base import LayoutBase
from tilewright.layout.dispatch import numbered
from tilewright.layout.evaluations import EVALUATIONS, evaluate
from tilewright.layout.inttuple import check_depth
from tilewright.layout.reading import recast
from tilewright.layout.steps import Derivation, listen, show
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.guards import depends_on_run_time, under_guards
from tilewright.layout.view import View


def explain(function: Callable[..., object] | View, *args: object, **options: object) -> Derivation:
    """What `function(*args)` does, step by step: every step that the algebra takes, with its inputs and its result.

    A refusal is explained too: the derivation then ends with the reason. Works for functions and for methods, of which
    `layout.explain(function, ..)` is one, and for the value of a layout or a swizzle: `explain(layout, 3, 5)`. Of a
    tensor, or a `TypedLayout`, recasts know the old width: `explain(tw.recast_layout, tensor, "f32")`.

    Raises:
        LayoutError: `function` is none, or takes other arguments; arguments nested deeper than 64.
        UsageError: no element type for a recast.

    >>> from tilewright.layout.algebra.coalesce import coalesce
    >>> from tilewright.layout.layout import Layout
    >>> derivation = explain(coalesce, Layout((2, (1, 6)), (1, (6, 2))))
    >>> derivation.rule, str(derivation.result)
    ('coalesce', '12:1')
    """
    for part in (function, *args, *options.values()):
        check_depth(part)
    bound: object = function
    while isinstance(bound, partial):
        args, options = (*bound.args, *args), {**bound.keywords, **options}
        bound = bound.func
    if isinstance(bound, MethodType):
        args = (bound.__self__, *args)
        bound = bound.__func__
    bound = bound.layout if isinstance(bound, View) else bound  # a tensor's value is where the element lies
    if not callable(bound):
        raise LayoutError(f"explain takes a function of the algebra and its arguments, got {shown(bound)}")
    args, options = _read(bound, args, options)
    if isinstance(bound, LayoutBase | Swizzle):  # its value at a coordinate
        args, bound = (bound, *args), evaluate
    name = getattr(bound, "__name__", type(bound).__name__).strip("_")
    rule, evaluation = "evaluate" if name == "call" else name, EVALUATIONS.get(unwrap(bound))
    try:
        root = _observed(rule, getattr(bound, "__wrapped__", bound), args, options)
    except Exception as error:
        if _is_own(bound) or isinstance(error, TilewrightError):
            raise
        raise LayoutError(f"explain: {shown(bound)} is no function of the algebra, and says: {error}") from error
    only = root.steps[0] if len(root.steps) == 1 else None
    same = only is not None and only.rule == rule and show(only.result) == show(root.result)
    root = replace(root, steps=only.steps) if only is not None and same else root
    if evaluation and not root.steps and not root.refusal:
        root = replace(root, steps=evaluation(*args, **options))
    return _numbered(root)


def _read(
    function: Callable[..., object], args: tuple[object, ...], options: dict[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """The arguments, if it can be called so: of views that it only reads their layouts and widths."""
    reads: Callable[..., tuple[object, ...]] | None = getattr(function, "__reads__", None)
    try:
        if reads and any(isinstance(arg, View) for arg in (*args, *options.values())):
            args, options = reads(*args, **options), {}
        signature(function).bind(*args, **options)
    except (TypeError, ValueError) as error:
        if isinstance(error, TilewrightError):
            raise
        told = "; a tensor, or a tw.TypedLayout, tells the width of its elements" if reads is recast else ""
        raise LayoutError(f"explain: {shown(function)} cannot be called so: {error}{told}") from None
    return args, options


def _is_own(function: object) -> bool:
    """Is it of this package, where another exception than its own is a bug?"""
    return str(getattr(function, "__module__", "")).partition(".")[0] == __name__.partition(".")[0]


def _numbered(root: Derivation) -> Derivation:
    """A result that 64 bits do not hold is refused."""
    try:
        numbered(root.result)
    except LayoutError as refusal:
        return replace(root, result=None, refusal=str(refusal))
    return root


def _observed(
    rule: str, function: Callable[..., object], args: tuple[object, ...], options: dict[str, object]
) -> Derivation:
    """One derivation; where run-time values leave a condition open, that of the way on which guards were found."""
    found, error = listen(rule, function, args, options)
    if error is None or not depends_on_run_time(found.inputs):
        return found
    ways: list[Derivation] = []

    def attempt(*plain: object, **named: object) -> object:
        way, refusal = listen(rule, function, plain, named)
        ways.append(way)
        if refusal is not None:
            raise refusal
        return way.result

    try:
        result = under_guards(attempt, args, options)
    except LayoutError as refusal:
        return replace(found, refusal=str(refusal))
    return replace(ways[-1], inputs=found.inputs, result=result)
