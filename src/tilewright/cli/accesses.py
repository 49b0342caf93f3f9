"""The options that `banks` and `swizzle` share: elements, architecture and output."""

from __future__ import annotations

import argparse

from tilewright.analysis.descriptor.demands import DESCRIPTORS, default_arch
from tilewright.analysis.held.said import TOLD, agreed
from tilewright.analysis.model.access import check_element_bits
from tilewright.arch import get as get_arch
from tilewright.asked.accesses import Question, instruction_of, tile, told_width
from tilewright.asked.by_atoms import named
from tilewright.cli.options import integer
from tilewright.cli.pictures import add_output
from tilewright.dtypes import dtype
from tilewright.errors import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of elements, architecture and output."""
    add = parser.add_argument
    add("--element-bits", type=integer, metavar="N", help="bits of an element, where neither tile nor atoms say")
    add("--dtype", metavar="NAME", help="type of an element instead, such as f16 or float8_e4m3fn")
    words = "architecture, such as sm_80, sm_100a, gfx942 (default: sm_90, for tcgen05 sm_100)"
    add("--arch", default="sm_90", help=words)
    add("--json", action="store_true", help="print JSON")
    add_output(parser)


def question(args: argparse.Namespace) -> Question:
    """The tile and its elements as the options give them.

    Raises:
        UsageError: no element width, or two; a text that is no layout.
    """
    texts = [text.split() for name in ("accesses", "access") for text in getattr(args, name, None) or ()]
    units = [word for words in texts for word in words[:1] if word in DESCRIPTORS]
    atoms = [found for words in texts if (found := named(" ".join(words)))]
    spec = get_arch(args.arch or ([found.arch for found in atoms] or [default_arch(units)])[0])
    for words in texts:
        if words and words[0] not in DESCRIPTORS and not named(" ".join(words)):
            instruction_of(words, spec)  # an unknown name is said before a width is asked for
    asked = tile(args.layout)
    said = [(TOLD, element_bits(args)), ("the tile", told_width(args.layout)), *(s for one in atoms for s in one.said)]
    bits = agreed(said)
    if bits is None:
        raise UsageError("say how wide an element is: --element-bits N or --dtype NAME")
    return Question(*asked, bits, spec)


def element_bits(args: argparse.Namespace) -> int | None:
    """The bits of an element, if an option says them.

    Raises:
        UsageError: two say them, or what they say is no width.
    """
    if args.element_bits is not None and args.dtype is not None:
        raise UsageError("say how wide an element is once: --element-bits N or --dtype NAME, one of the two")
    if args.element_bits is None and args.dtype is None:
        return None
    return check_element_bits(dtype(args.dtype).bits if args.dtype is not None else args.element_bits)
