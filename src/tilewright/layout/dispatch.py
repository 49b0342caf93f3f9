"""`Operation`: one function of the algebra as users call it, whatever kind of layout it is given.

The kinds are told apart here and nowhere in the algebra: plain layouts go to `plain`; where an argument is a composed
layout or a swizzle, `composed` answers; and a condition on run-time values that the algebra cannot decide becomes a
guard of the result. What plain layouts of integers give is remembered, up to a bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache, lru_cache, partial, wraps
from inspect import BoundArguments, Signature, signature
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.codomain import kept
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import in_64_bits
from tilewright.layout.layout import Layout
from tilewright.layout.parts import require_64_bits
from tilewright.layout.steps import LOG
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.conditions import UndecidedError
from tilewright.layout.symbolic.guards import GuardedLayout, depends_on_run_time, under_guards
from tilewright.layout.symbolic.sources import made_of
from tilewright.layout.view import View, Way

Args = tuple[object, ...]
Function = Callable[..., Any]  # what comes out differs from row to row; the stubs say it for each

REMEMBERED = 4096
PLACE = "tilewright.layout.operations"
FIRST, ALL, NONE = 1, None, 0  # so many of the first arguments
ORDINARY = frozenset({Layout, int, tuple, type(None)})  # what leaves nothing to decide beside a layout of integers


class Form(Flag):
    """How users call an operation: `tw.name(layout, ..)`, `layout.name(..)`, `layout.name`."""

    FUNCTION = auto()
    METHOD = auto()
    PROPERTY = auto()
    BOTH = FUNCTION | METHOD


@dataclass(frozen=True)
class Operation:
    """A row of the table: what an operation does to each kind of layout, and how it is called.

    Args:
        plain: the operation on plain layouts (and on int tuples, where it takes them).
        composed: the same for a composed layout; without it, the operation on the inner layout under the same
            outer function.
        form: function, method, property.
        name: the public name, where it is not that of `plain`.
        of_layout: is the first argument a layout, whose kind decides? Else any argument may be one, or a swizzle.
        values_of: the arguments in whose codomain the values of the result lie, where they are layouts.
        of_views: what it gives of views: `same` where the result selects among the values of the first layout.
        reads: where it gives no views: the function that makes of its arguments, views among them, those of layouts.
        by_mode: does it make layouts of layouts, so that `op[mode]` may do it to one mode?
    """

    plain: Function
    composed: Function | None = None
    form: Form = Form.BOTH
    name: str = ""
    of_layout: bool = True
    values_of: int | None = FIRST
    of_views: Way | None = None
    reads: Function | None = None
    by_mode: bool = False

    @property
    def public(self) -> str:
        """The public name."""
        return self.name or self.plain.__name__.rstrip("_")

    def unguarded(self) -> Function:
        """The function without memory or guards: an undecided condition is the business of whoever calls.

        Nor does it keep the codomain: what its results have for values is what their strides tell.
        """
        return _by_kind(self.plain, self.composed or over_inner(self.plain), self.of_layout, NONE)

    def build(self) -> Function:
        """The function that users call."""
        plain = self.plain
        by_kind = _by_kind(plain, self.composed or over_inner(plain), self.of_layout, self.values_of)
        by_kind = _of_views(by_kind, plain, self.of_views) if self.of_views else by_kind
        by_kind = _reading(by_kind, self.reads) if self.reads else by_kind

        @lru_cache(REMEMBERED)
        def remembered(*args: object) -> object:
            return numbered(plain(*args))

        @wraps(plain)
        def run(*args: object, **options: object) -> object:
            try:
                for arg in args:
                    if not arg.is_static if arg.__class__ is Layout else not _is_key(arg):
                        return settled(by_kind(*args, **options), args, options)
                if options or LOG.get() is not None:
                    return settled(by_kind(*args, **options), args, options)
                return remembered(*args) if args and args[0].__class__ is Layout else numbered(by_kind(*args))
            except LayoutError:
                if not depends_on_run_time((args, tuple(options.values()))):
                    raise
            return settled(under_guards(by_kind, args, options), args, options)

        run.__name__ = run.__qualname__ = self.public
        run.__module__ = PLACE  # where pickles find it
        run.__wrapped__ = by_kind  # what `explain` observes
        run.__dict__["__reads__"] = self.reads  # and what makes of views what it is given
        return run


def settled(found: object, args: tuple[object, ...], options: dict[str, object]) -> object:
    """What was found: within 64 bits, and beside it what it was made of and does not show."""
    operands = (*args, *options.values())
    return made_of(numbered(found), operands) if depends_on_run_time(operands) else numbered(found)


def numbered(found: object) -> object:
    """What was found: its coordinates, values and integers must lie in (-2^63, 2^63)."""
    if isinstance(found, Layout):
        require_64_bits(found.shape, found.stride)
    elif isinstance(found, GuardedLayout):
        numbered(found.layout)
    elif isinstance(found, ComposedLayout):
        for part in (found.outer, found.offset, found.inner):
            numbered(part)
    elif isinstance(found, tuple):
        for part in found:
            numbered(part)
    elif found.__class__ is int or isinstance(found, AxisSum):
        in_64_bits(found)
    return found


def over_inner(function: Function) -> Function:
    """The operation on the innermost layout, under the same outer functions and offsets."""

    @wraps(function)
    def run(layout: object, *args: object, **options: object) -> object:
        if isinstance(layout, ComposedLayout):
            deeper: Function = run
            return layout.over_inner(lambda inner: deeper(inner, *args, **options))
        return function(layout, *args, **options)

    return run


def of_inner(function: Function) -> Function:
    """The operation on the innermost layout alone: what the outer functions do does not matter to it."""

    @wraps(function)
    def run(layout: object, *args: object, **options: object) -> object:
        while isinstance(layout, ComposedLayout):
            layout = layout.inner
        return function(layout, *args, **options)

    return run


def _of_views(function: Function, plain: Function, way: Function) -> Function:
    """The operation on views as well: the first layout, or view, among the arguments is what is operated on."""

    @wraps(plain)
    def run(*args: object, **options: object) -> object:
        if options:
            bound = _bound(plain, args, options)
            args, options = bound.args, bound.kwargs
        for i, arg in enumerate(args):
            if isinstance(arg, View):
                return way(arg, partial(_between, function, args[:i], args[i + 1 :], options), *args[i + 1 :])
            if isinstance(arg, LayoutBase):
                break
        return function(*args, **options)

    return run


def _reading(function: Function, reads: Function) -> Function:
    """The operation on views as well: on what `reads` makes of its arguments."""

    @wraps(function)
    def run(*args: object, **options: object) -> object:
        if any(isinstance(arg, View) for arg in (*args, *options.values())):
            return function(*reads(*args, **options))
        return function(*args, **options)

    return run


def _between(
    function: Function, before: Args, after: Args, options: dict[str, object], layout: LayoutBase
) -> LayoutBase:
    found: LayoutBase = function(*before, layout, *after, **options)
    return found


def _by_kind(plain: Function, composed: Function, of_layout: bool, values_of: int | None) -> Function:
    @wraps(plain)
    def run(*args: object, **options: object) -> object:
        if options:
            bound = _bound(plain, args, options)
            args, options = bound.args, bound.kwargs
        elif values_of is not ALL and args and isinstance(args[0], Layout) and args[0].is_static:
            for arg in args:
                if arg.__class__ not in ORDINARY:
                    break
            else:
                return plain(*args)
        deciding: LayoutBase | Swizzle | None = as_layout(args[0]) if of_layout and args else None
        for value in (*args, *options.values()):
            if isinstance(value, GuardedLayout):
                raise UndecidedError(value.guards[0])
            if not of_layout and isinstance(value, ComposedLayout | Swizzle):
                deciding = value
        found = (composed if isinstance(deciding, ComposedLayout | Swizzle) else plain)(*args, **options)
        return kept(found, args[:values_of])

    return run


def _bound(function: Function, args: tuple[object, ...], options: dict[str, object]) -> BoundArguments:
    """The arguments by parameter; a keyword that is none is named before what is missing."""
    known = _signature(function)
    for name in options:
        if name not in known.parameters:
            parameters = ", ".join(known.parameters)
            raise TypeError(f"{function.__name__.rstrip('_')}() has no parameter {name!r}; it has {parameters}")
    return known.bind(*args, **options)


_signature: Callable[[Function], Signature] = cache(signature)


def _is_key(value: object, levels: int = 8) -> bool:
    """Is the argument told from all others by equality? (True == 1, so types count.)"""
    if value.__class__ is tuple:
        return levels > 0 and all(_is_key(item, levels - 1) for item in value)
    return value.__class__ is int or value is None or (value.__class__ is Layout and value.is_static)
