"""Random calls of every operation with run-time leaves, and the judgement of their results at given values.

The law: what an operation gives for run-time leaves is, at given values, what it gives for the values, or its guards
fail there. `CASES` has the operands of every operation, `judged` one call at one substitution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import oracle
from strategies import Chooser, like

from tilewright.errors import LayoutError
from tilewright.layout import operations
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.conditions import Condition
from tilewright.layout.symbolic.guards import GuardedLayout
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

MOST = 4000
Values = Mapping[str, int]


class World:
    """The run-time integers of one case, of varied divisors and bounds; `values` draws what they may be."""

    def __init__(self, pick: Chooser) -> None:
        self.pick = pick
        self.symbols = [self._symbol(name) for name in ("k", "m", "n")[: pick.integer(1, 3)]]
        # A stride may be 0 or negative too.
        self.stride = SymInt("d", lower=pick.one((0, 0, -4)), upper=12, div=pick.one((1, 1, 4)))

    def _symbol(self, name: str) -> SymInt:
        div = self.pick.one((1, 1, 1, 2, 4))
        lower = self.pick.one((1, 1, 1, 2))
        return SymInt(name, div=div, lower=lower, upper=4 * div + 4, width=self.pick.one((32, 32, 64)))

    def values(self, pick: Chooser) -> Values:
        """A value for every symbol: often the least one, which is 1 where that is possible."""
        return {str(symbol.expression): _value(pick, symbol) for symbol in (*self.symbols, self.stride)}

    def extent(self) -> Any:
        """An extent, known or not."""
        return self.pick.one(self.symbols) if self.pick.integer(0, 1) else self.pick.one((1, 1, 2, 2, 3, 4, 6, 8))

    def step(self) -> Any:
        """A stride, known or not, sometimes a product."""
        kind = self.pick.integer(0, 9)
        if kind < 5:
            return self.pick.one((0, 0, 1, 1, 1, 2, 3, 4, 6, 8, 9, 12, 16))
        symbol = self.pick.one(self.symbols)
        if kind < 8:
            return symbol if self.pick.integer(0, 7) else self.stride
        return symbol * (self.pick.one(self.symbols) if kind == 8 else self.pick.one((2, 3, 4)))

    def shape(self, most: int = 3) -> Any:
        """A shape of at most that many leaves."""
        count = self.pick.integer(0, most)
        if count == 0:
            return self.extent()
        flat = tuple(self.extent() for _ in range(count))
        if count > 1 and self.pick.integer(0, 3) == 0:
            return (flat[0], flat[1:])
        return flat

    def layout(self, most: int = 3, compact: bool = False) -> Layout:
        """A layout: compact in some order, with gaps, or with any strides."""
        shape = self.shape(most)
        flat = flatten(shape)
        kind = 0 if compact else self.pick.integer(0, 3)
        if kind > 1:
            return Layout(shape, like(shape, [self.step() for _ in flat]))
        order = list(range(len(flat)))
        reach, strides = 1, [0] * len(flat)
        while order:
            at = order.pop(self.pick.integer(0, len(order) - 1))
            strides[at] = reach
            reach = reach * flat[at] * (self.pick.one((1, 2, 3)) if kind else 1)
        return Layout(shape, like(shape, strides))

    def any_layout(self) -> Any:
        """A layout, sometimes swizzled or of coordinates."""
        kind = self.pick.integer(0, 9)
        if kind == 0:
            return ComposedLayout(Swizzle(self.pick.integer(0, 2), self.pick.integer(0, 1), 2), 0, self.layout(2))
        if kind == 1:
            return make_identity_layout(self.shape(2))
        return self.layout()

    def tile(self) -> Any:
        """A tile of one mode."""
        kind = self.pick.integer(0, 5)
        if kind == 0:
            return None
        if kind < 3:
            return self.extent()
        return Layout(self.extent(), self.pick.one((1, 1, 2, self.step()))) if kind < 5 else self.layout(2)

    def tiler(self, layout: Any) -> Any:
        """A tiler of the layout."""
        if self.pick.integer(0, 1):
            return self.layout(2)
        if not isinstance(layout.shape, tuple):
            return self.tile() or 2
        return tuple(self.tile() for _ in range(self.pick.integer(1, layout.rank)))

    def index(self) -> Any:
        """An index or offset."""
        return self.pick.one(self.symbols) if self.pick.integer(0, 3) == 0 else self.pick.integer(0, 20)

    def coordinate(self, shape: Any) -> Any:
        """A coordinate of a shape or of a coarser profile; not always inside."""
        if isinstance(shape, tuple) and self.pick.integer(0, 3):
            return tuple(self.coordinate(item) for item in shape)
        return self.index()

    def with_none(self, shape: Any) -> Any:
        """A coordinate that keeps some modes."""
        if not isinstance(shape, tuple):
            return None
        kept = self.pick.integer(0, len(shape) - 1)
        return tuple(None if i == kept or self.pick.integer(0, 1) else self.coordinate(s) for i, s in enumerate(shape))

    def mode(self, layout: Any) -> int:
        """A position of a mode."""
        return self.pick.integer(0, layout.rank - 1)


def _value(pick: Chooser, symbol: SymInt) -> int:
    low, high = (symbol.lower or 0) // symbol.div, (symbol.upper or 0) // symbol.div
    return symbol.div * (low if pick.integer(0, 2) == 0 else pick.integer(low, high))


Arguments = Callable[[World], tuple[Any, ...]]


def _one(world: World) -> tuple[Any, ...]:
    return (world.any_layout(),)


def _divide(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return layout, world.tiler(layout)


def _two(world: World) -> tuple[Any, ...]:
    return world.layout(), world.layout(2)


def _at_mode(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return layout, world.mode(layout)


def _range(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    begin = world.mode(layout)
    return layout, begin, world.pick.integer(begin + 1, layout.rank)


def _slice(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return world.with_none(layout.shape), layout


def _dice(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return world.with_none(layout.shape), layout


def _at_coordinate(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return world.coordinate(layout.shape), layout


def _of_value(world: World) -> tuple[Any, ...]:
    return world.layout(), world.index()


def _recast(world: World) -> tuple[Any, ...]:
    return world.any_layout(), world.pick.one((1, 2, 3, 4, 8))


def _complement(world: World) -> tuple[Any, ...]:
    target = world.pick.one((None, None, 4, 24, 60, world.extent(), world.extent() * world.extent(), world.shape()))
    return world.layout(), target


def _ordered(world: World) -> tuple[Any, ...]:
    shape = world.shape()
    flat = flatten(shape)
    order = [world.step() for _ in flat] if world.pick.integer(0, 3) == 0 else list(range(len(flat)))
    if world.pick.integer(0, 1):
        order.reverse()
    return shape, like(shape, order)


def _with_item(world: World) -> tuple[Any, ...]:
    return world.any_layout(), world.layout(1)


def _replaced(world: World) -> tuple[Any, ...]:
    layout = world.any_layout()
    return layout, world.mode(layout), world.layout(2)


def _composed(world: World) -> tuple[Any, ...]:
    outer = world.pick.one((Swizzle(1, 0, 2), Swizzle(2, 1, 3), world.layout(2)))
    return outer, world.pick.one((0, world.index())), world.layout(2)


def _partition(world: World) -> tuple[Any, ...]:
    layout = world.layout()
    tile = world.layout(2, compact=True)
    return layout, tile, world.pick.integer(0, 3)


def _tile(world: World) -> tuple[Any, ...]:
    # At least two tiles a mode: a coordinate beyond the tiles means nothing where there is one tile.
    tiler = tuple(world.extent() for _ in range(world.pick.integer(1, 2)))
    layout = Layout(tuple(world.pick.integer(2, 4) * t for t in tiler), tuple(world.step() for _ in tiler))
    return layout, tiler, tuple(world.pick.one((None, 0, 1)) for _ in tiler)


def _zip(world: World) -> tuple[Any, ...]:
    a, b = world.shape(), world.shape()
    size = min(len(flatten(a)), len(flatten(b)))
    return tuple(Layout(t, tuple(world.step() for _ in t)) for t in (flatten(a)[:size], flatten(b)[:size]))


_DIVIDES = ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")
_PRODUCTS = ("logical_product", "zipped_product", "tiled_product", "flat_product")
_WHOLE = (
    "coalesce filter filter_zeros simplify flatten nullspace right_inverse left_inverse make_layout make_layout_like "
    "make_fragment_like make_fragment_layout_like max_alignment cosize coshape coprofile"
)

CASES: dict[str, Arguments] = {
    **dict.fromkeys(_WHOLE.split(), _one),
    **dict.fromkeys((*_DIVIDES, *_PRODUCTS), _divide),
    **dict.fromkeys(("raked_product", "blocked_product", "block_product", "max_common_layout"), _two),
    **dict.fromkeys(("max_common_vector", "make_layout_tv"), _two),
    **dict.fromkeys(("upcast", "downcast"), _recast),
    **dict.fromkeys(("get_1d_coord", "get_flat_coord", "get_hier_coord"), _of_value),
    **dict.fromkeys(("append", "prepend"), _with_item),
    **dict.fromkeys(("get", "select"), _at_mode),
    **dict.fromkeys(("take", "group"), _range),
    **dict.fromkeys(("slice", "slice_and_offset"), _slice),
    **dict.fromkeys(("crd2idx", "domain_offset"), _at_coordinate),
    "dice": _dice,
    "composition": lambda world: (world.any_layout(), world.tiler(world.layout())),
    "complement": _complement,
    "ceil_div": lambda world: (world.shape(), world.pick.one((world.shape(), world.layout(2)))),
    "recast_layout": lambda world: (world.any_layout(), world.pick.one((8, 16, 32)), world.pick.one((8, 16, 24, 32))),
    "make_ordered_layout": _ordered,
    "crd2crd": lambda world: (world.index(), world.shape(), world.shape()),
    "idx2crd": lambda world: (world.index(), world.pick.one((world.shape(), world.layout()))),
    "replace": _replaced,
    "unflatten": lambda world: (Layout((2, 3, world.extent()), (1, world.step(), 2)), (0, (0, 0))),
    "with_coprofile": lambda world: (world.any_layout(), 0),
    "with_shape": lambda world: (world.any_layout(), world.shape()),
    "zip": _zip,
    "make_composed_layout": _composed,
    "local_partition": _partition,
    "local_tile": _tile,
    "tile_to_shape": lambda world: (world.layout(2, compact=True), (world.extent() * 2, world.extent())),
}


# ---- judgement


def answered(function: Callable[..., Any], *args: Any) -> Any:
    """The result, or the refusal."""
    try:
        return function(*args)
    except LayoutError as refusal:
        return refusal


def judged(name: str, args: tuple[Any, ...], found: Any, values: Values) -> str:
    """How the result for run-time leaves stands at the values: what outcome, or `wrong: ..`."""
    function = getattr(operations, name)
    static = answered(lambda: function(*substitute(args, values)))
    refused = isinstance(static, LayoutError)
    if isinstance(found, LayoutError):
        return "both refuse" if refused else "refused"
    at = answered(substitute, found, values)
    if isinstance(at, LayoutError):
        return "both refuse" if refused else "guard fails"
    law = LAWS.get(name, agree)
    if refused and law not in PROVED:
        return f"wrong: {text(at)}, but for the values it is refused: {static}"
    if contains_guards(at):
        return f"wrong: guards stay open: {at!r}"
    if law(substitute(args, values), at, static):
        return "same"
    return f"wrong: {text(at)}, but for the values it is {text(static)}"


def agree(_: tuple[Any, ...], at: Any, static: Any) -> bool:
    """Equal, layouts as functions."""
    return same(at, static)


def is_right_inverse(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """A right inverse, no shorter than the static one: which of several modes of one stride it takes is free."""
    (a,) = args
    if at.size > MOST or not isinstance(a, Layout) or a.on_axes:
        return same(at, static)
    return at.size >= static.size and [a(x) for x in oracle.table(at)] == list(range(at.size))


def is_left_inverse(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """A left inverse: what it does beside the image of A is free."""
    (a,) = args
    if a.size > MOST or not isinstance(a, Layout) or a.on_axes:
        return same(at, static)
    image = oracle.table(a)
    if len(set(image)) == len(image):
        return [at(v) for v in image] == list(range(a.size))
    return [a(at(v)) for v in image] == image


def is_common(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """Contiguous in both, as far as that is proved: the start of the static one."""
    points = oracle.table(at)
    contiguous = all(oracle.value(a, x) - oracle.value(a, points[0]) == i for a in args for i, x in enumerate(points))
    return contiguous and (isinstance(static, LayoutError) or points == oracle.table(static)[: at.size])


def is_proved_part(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """What holds for all run-time values: at most what holds for these."""
    return bool(1 <= at <= (1 if isinstance(static, LayoutError) else static))


def divides_static(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """What holds for all run-time values: a divisor of what holds for these."""
    return bool(static % at == 0)


def is_same_slice(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """The same values, slice and offset together: an offset may stay inside of a swizzle, or stand alone."""
    (sliced, offset), (other, start) = at, static
    if isinstance(sliced, ComposedLayout) or isinstance(other, ComposedLayout):
        return all(sliced(i) + offset == other(i) + start for i in range(min(other.size, MOST)))
    return same(at, static)


def is_same_whole(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """The same tile and rests: how many modes these have depends on what merges, or is 1, at the values."""
    return is_same_function(args, at, static) and same(at[0], static[0])


def is_same_function(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """The same function of an integer: how many modes tile and rests have depends on the values."""
    return same_values(at, static) if isinstance(at, Layout) and isinstance(static, Layout) else same(at, static)


def is_same_tv(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """Equal where threads and values fill the tile; where they do not, the values beyond the inverse mean nothing."""
    thr, val = args
    return same(at, static) or operations.right_inverse(operations.raked_product(thr, val)).size < thr.size * val.size


def has_as_many(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """The same count; modes of the complement that merge at the values do not merge before."""
    return same(at, static) if not isinstance(args[1], Layout) else oracle.size(at) == oracle.size(static)


def finds_index(args: tuple[Any, ...], at: Any, static: Any) -> bool:
    """The same coordinate; where a stride of 0 determines none, one whose value is the index."""
    if not isinstance(static, LayoutError):
        return same(at, static)
    layout, index = args if isinstance(args[0], Layout) else args[::-1]
    return isinstance(layout, Layout) and 0 in flatten(layout.stride) and bool(layout(at) == index)


LAWS: dict[str, Callable[[tuple[Any, ...], Any, Any], bool]] = {
    "right_inverse": is_right_inverse,
    "left_inverse": is_left_inverse,
    "max_common_layout": is_common,
    "max_common_vector": is_proved_part,
    "max_alignment": divides_static,
    "ceil_div": has_as_many,
    "make_layout_tv": is_same_tv,
    "slice_and_offset": is_same_slice,
    "tiled_divide": is_same_whole,
    "flat_divide": is_same_function,
    **dict.fromkeys(("idx2crd", "get_1d_coord", "get_flat_coord", "get_hier_coord"), finds_index),
}
PROVED = (is_common, is_proved_part, finds_index)  # they say what holds where the static operation refuses


def same(at: Any, static: Any) -> bool:
    """Equal, layouts as functions: mode by mode where both have as many."""
    if isinstance(at, tuple):
        return isinstance(static, tuple) and len(at) == len(static) and all(map(same, at, static))
    if isinstance(at, Layout) and isinstance(static, Layout):
        return same_function(at, static)
    if isinstance(at, ComposedLayout) or isinstance(static, ComposedLayout):
        return bool(at.size == static.size) and all(at(i) == static(i) for i in range(min(at.size, MOST)))
    return bool(at == static)


def same_function(a: Layout, b: Layout) -> bool:
    """Are both layouts of one size and equal everywhere, and mode by mode where their ranks agree?"""
    if isinstance(a.shape, tuple) and isinstance(b.shape, tuple) and a.rank == b.rank:
        return all(map(same_values, a, b))
    return same_values(a, b)


def same_values(a: Layout, b: Layout) -> bool:
    """Are both layouts of one size and equal everywhere?"""
    return a == b or (bool(a.size == b.size) and oracle.table(a) == oracle.table(b))


def contains_guards(value: Any) -> bool:
    """Is a layout with open guards, or an open condition, in it?"""
    if isinstance(value, tuple):
        return any(map(contains_guards, value))
    return isinstance(value, GuardedLayout | Condition | SymInt)


def text(value: Any) -> str:
    """A result for a person."""
    return f"({', '.join(map(text, value))})" if isinstance(value, tuple) else str(value)


REASONS = (
    "the cosize of",
    "an integer is needed",
    "undecided before run time",
    "do not divide each other",
    "neither fits",
    "starts below",
    "do not chain",
    "hold only a part",
    "has a mode of stride 0",
    "no layout has this function",
    "negative",
)


def reason(refusal: LayoutError) -> str:
    """The class of a refusal: what its sentence says of all such cases."""
    return next((part for part in REASONS if part in str(refusal)), str(refusal)[:60])
