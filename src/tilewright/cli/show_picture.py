"""What `tilewright show OBJECT -o FILE` draws: the object, slices of it in colour, another one beside it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tilewright.asked.accesses import is_shape, row_major, told_width
from tilewright.cli.options import integer
from tilewright.cli.pictures import add_output, save
from tilewright.errors import LayoutError, UsageError
from tilewright.figures import Figure, draw
from tilewright.figures.draw import KINDS
from tilewright.layout.linear.clash import OFFSET
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation import parse, placement
from tilewright.notation.slices import parse_slice

OF_BANKS = ("banks", "memory", "shared_tile")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds `-o` and what it draws."""
    add_output(parser)
    add = parser.add_argument
    add("--kind", choices=[*KINDS], metavar="KIND", help=f"draw it as {', '.join(KINDS)} (default: its own kind)")
    words = "colour this slice alone, such as '(_,3)' or '0:4,3'; may be given several times"
    add("--highlight", action="append", default=[], metavar="COORD", help=words)
    add("--compare", metavar="OBJECT", help="draw this one beside it, and frame where they differ")
    add("--element-bits", type=integer, metavar="N", help="bits of an element, for pictures of banks and memory")


def picture(x: object, args: argparse.Namespace) -> Path | None:
    """Writes the picture that the options ask for, if they name a file.

    Raises:
        UsageError: options of pictures without a file.
    """
    bits = args.element_bits or (_width(args) if args.output else None)
    options = {"kind": args.kind, "element_bits": bits, "to": args.compare, "highlight": args.highlight}
    asked = {name: value for name, value in options.items() if value}
    if not args.output:
        if asked:
            names = {"to": "compare", "element_bits": "element-bits"}
            raise UsageError(f"--{names.get(first := next(iter(asked)), first)} is for pictures; give -o FILE")
        return None
    return save(_drawn(pictured(x), asked), args)


def _width(args: argparse.Namespace) -> int | None:
    """The bits of an element in pictures of banks, as a printed pointer or a type says them.

    Raises:
        UsageError: it does not.
    """
    if args.kind not in OF_BANKS:
        return None
    found = told_width(args.object)
    if found is None:
        raise UsageError(f"a {args.kind} picture needs the width of an element: --element-bits N")
    return found


def _drawn(x: object, asked: dict[str, Any]) -> Figure:
    if "to" in asked:
        asked |= {"to": pictured(parse(asked["to"])), "kind": "compare"}
    if "highlight" in asked:
        asked["highlight"] = [parse_slice(text) for text in asked["highlight"]]
    return draw(x, **asked)


def arranged(x: object) -> str:
    """What is said of a shape that is drawn as a tile."""
    return f"  (the shape as a row-major tile, {row_major(x)})" if is_shape(x) else ""


def pictured(x: object) -> object:
    """Of memory its tile, with the offset of every element; a shape row-major; else the object itself."""
    if is_shape(x):
        return row_major(x)
    try:
        return placement(x) if isinstance(x, LinearLayout) and OFFSET in x.get_in_dim_names() else x
    except LayoutError:
        return x
