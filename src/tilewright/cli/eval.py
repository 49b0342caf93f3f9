"""`tilewright eval OBJECT COORD...`: the value of a layout at coordinates."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewright.cli.output import complain
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import contains, keeps
from tilewright.layout.inttuple import IntTuple, flatten, modes
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.operations import slice_and_offset
from tilewright.layout.slicing import zeros_for_none
from tilewright.layout.symbolic.conditions import UndecidedError
from tilewright.notation import parse, parse_coord, parse_int_tuple, text
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element
    from tilewright.layout.symbolic.symint import SymInt


class Slice(NamedTuple):
    """The modes that `_` keeps, and the value at their origin."""

    layout: LayoutBase
    offset: Element | SymInt


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser("eval", help=words, description=f"{words}, one line for each.")
    parser.add_argument("object", metavar="OBJECT", help="text in any notation, such as '(4,8):(8,1)' or 'S[8,64]'")
    parser.add_argument(
        "coords",
        metavar="COORD",
        nargs="+",
        help="'11', '3,5' or '(3,5)', '(3,(1,2))', '(_,2)' to keep a mode, or 'lane=3, warp=1' of a linear layout",
    )
    parser.add_argument("--shape", help="the shape of the coordinates of a TIRx layout, such as '(8,64)'")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the values; a note says which coordinates lie outside the domain."""
    x = parse(args.object)
    shape = None if args.shape is None else parse_int_tuple(args.shape)
    coords = {words: parse_coord(words) for words in args.coords}
    values = {words: _value(x, coord, shape) for words, coord in coords.items()}
    inside = {words: _in_domain(x, coord, shape) for words, coord in coords.items()}
    if args.json:
        found = {words: {"value": _data(value), "in_domain": inside[words]} for words, value in values.items()}
        print(json.dumps(found, indent=2, default=str))
    else:
        print("\n".join(f"{words} -> {_text(value)}" for words, value in values.items()))
    for words in (words for words, known in inside.items() if known is False):
        domain = text(getattr(x, "shape", None) if shape is None else shape)
        rounded = ", rounding down as CuTe's Python does (its C++: towards zero)" if _is_split(coords[words], x) else ""
        complain(f"tilewright eval: {words} lies outside the domain {domain}; the layout goes on beyond it{rounded}")
    return 0


def _is_split(coord: IntTuple | dict[str, int], x: object) -> bool:
    """Is a negative integer split over several modes, so that it matters how it is rounded?"""
    return isinstance(x, LayoutBase) and not isinstance(coord, dict) and _splits(coord, x.shape)


def _splits(coord: IntTuple, shape: IntTuple) -> bool:
    if isinstance(coord, tuple):
        return any(map(_splits, coord, modes(shape)))
    return coord is not None and coord < 0 and len(flatten(shape)) > 1


def _in_domain(x: object, coord: IntTuple | dict[str, int], shape: IntTuple | None) -> bool | None:
    """Is it a coordinate of the layout's own shape? None where that is known only at run time.

    A swizzle permutes all integers, and a linear layout has no value elsewhere.
    """
    try:
        if isinstance(x, TileLayout | ComposeLayout | SwizzleLayout):
            own = getattr(getattr(x, "tile_layout", x), "shape", None) if shape is None else shape
            return own is None or isinstance(coord, dict) or bool(contains(_flat_or_split(coord), own))
        if isinstance(x, LayoutBase) and not isinstance(coord, dict):
            return bool(contains(zeros_for_none(coord), x.shape))
        return True
    except UndecidedError:
        return None


def _flat_or_split(coord: IntTuple) -> IntTuple:
    return coord[0] if isinstance(coord, tuple) and len(coord) == 1 else coord


def _value(x: object, coord: Any, shape: Any) -> object:  # whatever stands there: the layouts refuse what does not fit
    if isinstance(x, TileLayout | ComposeLayout | SwizzleLayout):
        return x.apply(*(coord if isinstance(coord, tuple) else (coord,)), shape=shape)
    if shape is not None:
        raise UsageError("--shape is for TIRx layouts; the coordinates of other layouts have the layout's own shape")
    if not callable(x):
        raise UsageError(f"{text(x)} is no layout, and has no values")
    if isinstance(x, Layout | ComposedLayout) and keeps(coord):
        return Slice(*slice_and_offset(x, coord))
    if isinstance(x, LinearLayout) and isinstance(coord, tuple):
        names = ", ".join(f"{name}=0" for name, _ in x.ins)
        given = text(coord)
        raise UsageError(f"a linear layout has named inputs, no coordinate {given}: write '{names}', or one index")
    return x(coord)


def _text(value: object) -> str:
    if isinstance(value, CoordSet):
        return " and ".join(map(_text, value))
    if isinstance(value, Slice):
        return f"{value.layout} + {text(value.offset)}"
    if isinstance(value, Mapping):
        return ", ".join(f"{axis}={number}" for axis, number in value.items())
    return text(value)


def _data(value: object) -> object:
    if isinstance(value, CoordSet):
        return [dict(place) for place in value]
    if isinstance(value, Slice):
        return value._asdict()
    return value if isinstance(value, int | dict | tuple) else text(value)
