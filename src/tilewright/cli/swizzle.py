"""`tilewright swizzle TILE ACCESS..`: the swizzle that frees all accesses of a tile of bank conflicts."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.demands import check_units, units_of
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.patterns import plane
from tilewright.analysis.swizzle.advice import SwizzleRanking
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.arch import ArchSpec
from tilewright.asked.accesses import EXAMPLES, ORIENTATION, Question, access
from tilewright.cli.accesses import add_options, question
from tilewright.cli.options import integer
from tilewright.cli.pictures import save
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError

if TYPE_CHECKING:
    pass

FINDING = 1
MATRIX_BITS = 16
DESCRIPTOR_EXAMPLE = "  tma, wgmma, tcgen05    a descriptor: the layout and mode that the hardware can use"


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "swizzle",
        help=words,
        description=f"{words}: ranked, with proof, in elements, bytes and bits. Status 1: no swizzle is conflict-free.",
        epilog=f"{EXAMPLES}\n{DESCRIPTOR_EXAMPLE}\n{ORIENTATION}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("layout", metavar="TILE", help="the tile: a layout in any notation, or the shape of a row-major one")
    words = "how the tile is accessed (default: vectors along memory and across it)"
    add("accesses", metavar="ACCESS", nargs="*", default=[], help=words)
    add("--access", action="append", default=[], metavar="ACCESS", help="the same; may be given several times")
    add("--top", type=integer, metavar="N", help="print the first N of the ranking in full")
    add_options(parser)
    parser.set_defaults(arch=None)


def run(args: argparse.Namespace) -> int:
    """Prints the ranking: 0, or 1 when the best one has conflicts."""
    asked = question(args)
    names = [*args.accesses, *args.access] or default_accesses(asked)
    accesses = [access(text, asked) for text in names]
    element = asked.element_bits if args.dtype is None else args.dtype
    ranking = suggest_swizzle(asked.layout, accesses, element_bits=element, arch=asked.spec)
    if args.output:
        from tilewright.figures import draw

        title = f"{asked.text}, elements of {asked.element_bits} bits"
        save(draw(ranking[0], tile=asked.layout, title=title), args)
    print(json.dumps(_data(asked, accesses, ranking, args.top), indent=2) if args.json else _text(asked, ranking, args))
    if args.output and not args.json:
        print(f"picture   {args.output}")
    return 0 if ranking[0].conflict_free else FINDING


def default_accesses(asked: Question) -> list[str]:
    """Stores along memory and loads across it; matrices where the architecture has them and elements are halves.

    >>> from tilewright.arch import get
    >>> from tilewright.asked.accesses import tile
    >>> default_accesses(Question(*tile("(8,64)"), 16, get("sm_90")))
    ['store rows', 'ldmatrix']
    >>> default_accesses(Question(*tile("(64,32):(1,64)"), 32, get("gfx942")))
    ['store columns', 'load rows']
    """
    way = plane(asked.layout)
    lines = way.rows if way.by_row else way.columns
    matrices = asked.element_bits == MATRIX_BITS and ("ldmatrix", 16) in asked.spec.rules and lines % 8 == 0
    fits = way.run * asked.element_bits % 128 == 0
    return [f"store {way.along}", "ldmatrix" if matrices and fits else f"load {way.across}"]


def _data(asked: Question, accesses: list[Access], ranking: SwizzleRanking, top: int | None) -> dict[str, object]:
    plain = [
        {"access": str(a), "thread_value": None if a.thread_value is None else str(a.thread_value)} for a in accesses
    ]
    shown = [advice.to_json() for advice in ranking[: _top(top, 5)]]
    return {"tile": asked.text, "element_bits": asked.element_bits, "accesses": plain, "ranking": shown}


def _text(asked: Question, ranking: SwizzleRanking, args: argparse.Namespace) -> str:
    head = [f"tile      {asked.text}, elements of {asked.element_bits} bits, {asked.spec.name}"]
    head += [f"access    {a}: {a.thread_value}" for a in ranking[0].accesses]
    head += [f"access    {a}, by a descriptor" for a in ranking[0].descriptors]
    if not args.access and ranking[0].mode is None and _has_descriptors(asked.spec):
        head += ["note      no mode of the hardware; where TMA, wgmma or tcgen05 reads the tile, say so: --access tma"]
    more = [str(advice) for advice in ranking[: _top(args.top, 0)]]
    return "\n\n".join(["\n".join(head), str(ranking), *more])


def _has_descriptors(spec: ArchSpec) -> bool:
    try:
        return check_units(units_of(["tma"]), spec) > 0
    except UsageError:
        return False


def _top(top: int | None, default: int) -> int:
    if top is not None and top < 1:
        raise UsageError(f"--top {top}: at least one")
    return default if top is None else top
