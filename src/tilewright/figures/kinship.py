"""Which cells of an operation's operands and result belong together: what gives them one colour.

Of a composition the operand b has the colours of A(B(c)); of a divide the tiles have one each, of a product the copies,
of a complement the places that it repeats to; of an inverse an index has the colour of the value that it takes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from tilewright.errors import TilewrightError
from tilewright.figures.elements import Element, Elements
from tilewright.figures.listing import listing
from tilewright.figures.scene import Legend
from tilewright.figures.tones import hues, steps
from tilewright.figures.values import places
from tilewright.layout import operations
from tilewright.layout.base import LayoutBase
from tilewright.layout.construct import make_layout
from tilewright.layout.layout import Layout
from tilewright.layout.steps import Derivation

Kind: TypeAlias = Callable[[Element], int]  # what the element's colour stands for
RESULT = "result"
OPERANDS = "abcdefgh"


@dataclass(frozen=True)
class Kinship:
    """What the colours stand for, and of each operand (`a`, `b`, ..) and the result what gives an element its own.

    `more` are layouts to be drawn besides, by their names.
    """

    title: str
    kinds: Mapping[str, Kind]
    more: Mapping[str, tuple[LayoutBase, Kind]]
    tones: Callable[[Iterable[int], str], tuple[Mapping[int, int], Legend]] = hues

    def keys(self, name: str, items: Elements) -> list[int]:
        """What the colours of a panel's elements stand for."""
        kind = self.more[name][1] if name in self.more else self.kinds.get(name)
        return list(map(kind, items) if kind else map(number, items.answers))


def kinship(derivation: Derivation) -> Kinship:
    """How the operands and the result of an operation are coloured; by their values where no rule tells more."""
    rule = RULES.get(derivation.rule)
    try:
        found = rule(derivation) if rule and derivation.result is not None else None
    except TilewrightError:  # operands for which the algebra has no such answer, as those of run time
        found = None
    return found or Kinship("value", {}, {}, steps)


def number(found: object) -> int:
    """One number for a value of any kind: of a coordinate, or of places, the first."""
    return found if isinstance(found, int) else next(iter(places(found)[0].values()), 0)


def _composed(derivation: Derivation) -> Kinship | None:
    outer, inner = derivation.inputs[:2]
    if not isinstance(outer, Layout) or not isinstance(inner, LayoutBase):
        return None
    return Kinship("value of A(B(c))", {"b": lambda item: number(outer(item.value))}, {}, steps)


def _divided(derivation: Derivation) -> Kinship | None:
    whole, tiler = derivation.inputs[:2]
    shape = getattr(whole, "shape", None)
    if not isinstance(whole, LayoutBase) or shape is None:
        return None
    numbered = Layout(shape)
    tiles, shadow = (_layout(name, numbered, tiler) for name in ("zipped_divide", derivation.rule))
    size, there = tiles[0].size, listing(shadow)
    tile_of = {value: index // size for index, value in enumerate(listing(tiles))}
    kinds: Mapping[str, Kind] = {
        "a": lambda item: tile_of.get(item.point.flat, 0),
        "b": lambda _: 0,
        RESULT: lambda item: tile_of.get(there[item.point.flat], 0),
    }
    return Kinship("tile", kinds, {})


def _multiplied(derivation: Derivation) -> Kinship | None:
    block, tiler = derivation.inputs[:2]
    if not isinstance(block, Layout) or not isinstance(tiler, Layout):
        return None
    copies = operations.zipped_product(block, tiler)
    copy_of = {value: index // block.size for index, value in enumerate(listing(copies))}
    if len(copy_of) < copies.size:  # of values that several copies have no colour tells the copy
        return None
    kinds: Mapping[str, Kind] = {
        "a": lambda item: copy_of.get(item.value, 0),
        "b": lambda item: item.point.flat,
        RESULT: lambda item: copy_of.get(item.value, 0),
    }
    return Kinship("copy", kinds, {})


def _completed(derivation: Derivation) -> Kinship | None:
    layout, rest = derivation.inputs[0], derivation.result
    if not isinstance(layout, Layout) or not isinstance(rest, Layout):
        return None
    kinds: Mapping[str, Kind] = {"a": lambda _: 0, RESULT: lambda item: item.point.flat}
    both = make_layout(layout, rest)
    return Kinship("repetition", kinds, {f"(a, result) = {both}": (both, lambda item: item.point.flat // layout.size)})


def _inverted(_: Derivation) -> Kinship:
    return Kinship("value of a, index of the result", {RESULT: lambda item: item.point.flat}, {}, steps)


def _layout(name: str, *operands: object) -> Layout:
    found: Callable[..., Layout] = getattr(operations, name)
    return found(*operands)


DIVIDES = ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")
PRODUCTS = tuple(f"{kind}_product" for kind in ("logical", "zipped", "tiled", "flat", "blocked", "raked"))
RULES: Mapping[str, Callable[[Derivation], Kinship | None]] = MappingProxyType(
    {
        "composition": _composed,
        "complement": _completed,
        "right_inverse": _inverted,
        "left_inverse": _inverted,
        **dict.fromkeys(DIVIDES, _divided),
        **dict.fromkeys(PRODUCTS, _multiplied),
    }
)
