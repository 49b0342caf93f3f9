"""`tilewright demo swizzle`: a swizzle's bits, its tables, and what it saves a 16x16 tile of halves."""

from __future__ import annotations

import argparse
import json

from tilewright.cli.options import LIMIT, integer
from tilewright.cli.pictures import add_output, save
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError, shortened
from tilewright.layout.swizzle import Swizzle
from tilewright.numerals import integer as read

TILE = 256  # elements of the 16x16 tile, which a swizzle must not leave
MAX_BITS = 16
PICTURES = ("bits", "columns", "rows", "registers", "back")


def add_parser(demos: Subparsers) -> None:
    """Adds the demo."""
    words = "how a swizzle stages a 16x16 tile without bank conflicts"
    parser = demos.add_parser("swizzle", help=words, description=f"{words}.")
    add = parser.add_argument
    add("--swizzle", default="2,3,3", metavar="B,M,S", help="the swizzle, in elements of 16 bits (default: 2,3,3)")
    add("--lane", type=integer, metavar="N", help="show the address of this lane only (default: lanes 0 to 7)")
    add("--json", action="store_true", help="print JSON")
    add("--picture", choices=PICTURES, default="columns", help="which one: bits, or a movement (default: columns)")
    add_output(parser)


def show(args: argparse.Namespace) -> int:
    """Prints the tables, addresses and costs: 0, or 1 when a movement has conflicts or loses an element."""
    from tilewright.cli.demos.swizzle_text import report, text

    swizzle = parse_swizzle(args.swizzle)
    if args.lane is not None and not 0 <= args.lane < 32:
        raise UsageError(f"--lane {args.lane}: a warp has the lanes 0 to 31")
    found = report(swizzle)
    print(json.dumps(found.to_json(), indent=2) if args.json else text(found, args.lane))
    if args.output:
        path = save(found.picture(PICTURES.index(args.picture)), args)
        if not args.json:
            print(f"\npicture   {path}")
    return int(not found.fine)


def parse_swizzle(words: str) -> Swizzle:
    """`2,3,3` or `Sw<2,3,3>` as a swizzle.

    Raises:
        UsageError: no three numbers, or a swizzle that leaves the tile.
        LayoutError: no swizzle.

    >>> print(parse_swizzle("2,3,3"), parse_swizzle("S<3,3,3>"))
    Sw<2,3,3> Sw<3,3,3>
    """
    numbers = words.strip().removeprefix("Sw").removeprefix("S").strip("<>").split(",")
    values = [value for number in numbers if (value := read(number.strip(), LIMIT)) is not None]
    if len(values) != len(numbers) or len(values) != 3:
        raise UsageError(f"--swizzle {shortened(words)}: give three numbers B,M,S such as 2,3,3")
    swizzle = Swizzle(*values)
    if swizzle.zzz_mask >= TILE or swizzle.yyy_mask >= 1 << MAX_BITS:
        raise UsageError(
            f"--swizzle {shortened(words)}: it must change bits of a tile of {TILE} elements, 0 to "
            f"{TILE.bit_length() - 2}, by bits below {MAX_BITS}"
        )
    return swizzle
