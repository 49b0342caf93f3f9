"""`tilewright show OBJECT`: one object in every notation in which it exists, its sizes, and its values."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from math import prod
from shutil import get_terminal_size
from typing import Any

from tilewright.analysis.descriptor.recognise import recognise
from tilewright.cli import descriptors, show_picture
from tilewright.cli.show_atom import ATOMS, show_atom
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import LayoutError, TilewrightError, UsageError
from tilewright.figures import draw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation import parse, placement, text, to_cpp, to_cute, to_fly, to_linear, to_tirx, to_triton
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

FINDING = 1
MAX_TABLE = 512
ELEMENT_BITS = (16, 8, 32, 4)
REVERSED = "  (modes in reverse order: TIRx counts the last one fastest, CuTe the first)"
MAX_ENUMERATED = 2**16

# How an object reads in each notation; a refusal, of what has no such view too, is a LayoutError.
VIEWS: dict[str, Callable[[Any], str]] = {
    "cute": lambda x: text(x if _is_tuple(x) else to_cute(x)),
    "tirx": lambda x: str(to_tirx(x)),
    "linear": lambda x: str(to_linear(x)),
    "fly": lambda x: to_fly(x if _is_tuple(x) else to_cute(x)),
    "cpp": lambda x: to_cpp(x if _is_tuple(x) else to_cute(x)),
    "triton": lambda x: to_triton(x if isinstance(x, Layout | ComposedLayout) else to_linear(x)),
    "places": lambda x: str(placement(to_linear(x))),
}
# These need dimensions that are named as hardware, which only a linear layout has.
HARDWARE = ("triton", "places")


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "show",
        help=words,
        description=f"{words}. Status 1: it does not exist in the notation asked for.",
    )
    parser.add_argument(
        "object",
        metavar="OBJECT",
        help="text in any notation, such as '(4,8):(8,1)' or 'S[8,64]', an atom's name; or 0x.., a descriptor",
    )
    parser.add_argument(
        "--as", dest="view", choices=[*VIEWS, "all"], default="all", help="print this notation alone (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    descriptors.add_options(parser)
    show_picture.add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Prints the object in one notation or in all; of a descriptor its fields and its operands."""
    if descriptors.is_word(args.object):
        if args.output:
            raise UsageError("-o draws a layout; give one of those that the descriptor stands for")
        return descriptors.show(args)
    x = parse(args.object)
    if isinstance(x, ATOMS):
        return show_atom(x, args)
    texts, refusals = _views(x, args.view)
    path = show_picture.picture(x, args)
    if args.json:
        print(json.dumps(_report(x, texts, refusals), indent=2, default=str))
    elif args.view == "all":
        print("\n".join(_page(x, texts, refusals)))
    else:
        print(texts.get(args.view) or _refusal(args.view, refusals))
    if path and not args.json:
        print(f"picture   {path}{show_picture.arranged(x)}")
    return FINDING if args.view in refusals else 0


def _views(x: object, view: str) -> tuple[dict[str, str], dict[str, str]]:
    texts, refusals = {}, {}
    every = [name for name in VIEWS if isinstance(x, LinearLayout) or name not in HARDWARE]
    for name in every if view == "all" else [view]:
        try:
            texts[name] = VIEWS[name](x)
        except LayoutError as error:
            refusals[name] = str(error).splitlines()[0]
    return texts, refusals


def _refusal(view: str, refusals: dict[str, str]) -> str:
    return f"{view}: no — {refusals[view]}"


def _report(x: object, texts: dict[str, str], refusals: dict[str, str]) -> dict[str, object]:
    canonical = {"canonical": found} if (found := _canonical(x)) else {}
    facts = {**_facts(x), **canonical}
    return {"object": text(x), "kind": type(x).__name__, **facts, "notations": texts, "refusals": refusals}


def _page(x: object, texts: dict[str, str], refusals: dict[str, str]) -> Iterator[str]:
    for view in VIEWS:
        if view in texts:
            yield f"{view}: {texts[view]}{REVERSED if _is_reversed(x, view) else ''}"
        if view in refusals:
            yield _refusal(view, refusals)
    if canonical := _canonical(x):
        yield f"canonical: {canonical.splitlines()[0]}"
    facts = _facts(x)
    if facts:
        yield ", ".join(f"{name} {value}" for name, value in facts.items())
    size = facts.get("size")
    values = size * _copies(x) if type(size) is int else 0
    if values > MAX_TABLE:
        yield f"no picture of {values} values, of at most {MAX_TABLE}: `tilewright eval` gives some, -o FILE draws all"
    elif values:
        yield from _table(show_picture.pictured(x))


def _is_reversed(x: object, view: str) -> bool:
    if isinstance(x, Layout | ComposedLayout):
        return view == "tirx" and x.rank != 1
    return isinstance(x, TileLayout | ComposeLayout) and view in ("cute", "fly") and _fact(to_cute(x), "rank") != 1


def _canonical(x: object) -> str:
    """A swizzled tile as the shared-memory layout atom that it repeats, in elements of the only bits that fit it."""
    if not isinstance(x, ComposedLayout | ComposeLayout):
        return ""
    for bits in ELEMENT_BITS:
        try:
            return str(recognise(x, bits))
        except TilewrightError:
            continue
    return ""


def _table(x: object) -> Iterator[str]:
    try:
        yield f"\n{draw(x).text(width=get_terminal_size((120, 0)).columns)}".rstrip()
    except (LayoutError, UsageError):  # no picture: run-time values, or a kind of object that has none
        return


def _facts(x: object) -> dict[str, object]:
    """The size, the reach, the rank and the depth, as far as the object has them."""
    found = {name: _fact(x, name) for name in ("size", "cosize", "rank", "depth") if not _is_slow(x, name)}
    return {name: value for name, value in found.items() if value is not None}


def _fact(x: object, name: str) -> int | None:
    try:
        value = getattr(x, name, None)
        return value() if callable(value) else value
    except LayoutError:  # a swizzle of coordinates has no reach, a table beyond 64 bits none that is found
        return None


def _is_slow(x: object, name: str) -> bool:
    # The reach of a swizzled layout is found by looking at every value.
    size = _fact(x, "size") if name == "cosize" and isinstance(x, ComposedLayout | ComposeLayout) else None
    return size is not None and size > MAX_ENUMERATED


def _copies(x: object) -> int:
    return prod(it.extent for it in getattr(getattr(x, "tile_layout", x), "replica", ()))


def _is_tuple(x: object) -> bool:
    return x is None or isinstance(x, int | tuple) or getattr(x, "is_layout_leaf", False)
