"""What `tilewright show 0x..` prints of a matrix descriptor: its fields, and the operands that it gives."""

from __future__ import annotations

import argparse
import json

from tilewright.analysis.descriptor.operand import OperandDescriptor
from tilewright.analysis.descriptor.words import descriptor
from tilewright.atoms.descriptors import WORD
from tilewright.atoms.shared_atoms import SHARED_ATOMS, Major
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.numerals import hexadecimal, natural

DEFAULT = "f16"
TENSOR_MAP = 1024  # bits
MAX_EXTENT = 1 << 16
MAJORS: tuple[Major, Major] = ("K", "MN")


def add_options(parser: argparse.ArgumentParser) -> None:
    """What a descriptor does not say itself."""
    parser.add_argument("--element", default=DEFAULT, metavar="TYPE", help="of a descriptor's operand (default: f16)")
    parser.add_argument("--shape", default="", metavar="MNxK", help="of a descriptor's operand, such as 64x16")


def is_word(text: str) -> bool:
    """Is it a number in hexadecimal?

    >>> is_word("0x4000004000010040"), is_word("(4,8)")
    (True, False)
    """
    return text.strip()[:2] in ("0x", "0X")


def show(args: argparse.Namespace) -> int:
    """Prints the descriptor."""
    bits = hexadecimal(args.object.strip(), 1 << WORD)
    if bits is None and hexadecimal(args.object.strip(), 1 << TENSOR_MAP) is not None:
        raise UsageError(
            f"more than the {WORD} bits of a matrix descriptor; where the fields of a tensor map's {TENSOR_MAP} lie is "
            "the driver's secret; tw.tensor_map(tensor, tile, dtype) gives the arguments that it makes one of"
        )
    if bits is None:
        raise UsageError(f"a descriptor is 0x and at most {WORD // 4} hexadecimal digits, got {shown(args.object)}")
    found, shape = descriptor(bits), _shape(args.shape)
    operands = {major: _operand(found, args.element, shape, major) for major in MAJORS}
    if args.json:
        print(json.dumps({**found.to_json(), "element": args.element, "operands": operands}, indent=2))
        return 0
    print(found)
    print(f"operands in elements of {args.element}, (MN, K) -> element of shared memory:")
    for major, text in operands.items():
        print(f"{major}-major: {text}")
    print("atoms: " + ", ".join(name for name, atom in SHARED_ATOMS.items() if atom.mode.name == found.fields.mode))
    return 0


def _operand(found: OperandDescriptor, element: str, shape: tuple[int, int] | None, major: Major) -> str:
    try:
        return str(found.layout(element, shape, major))
    except LayoutError as error:
        return f"no: {error}"


def _shape(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    first, _, second = text.partition("x")
    mn, k = (natural(part, MAX_EXTENT) for part in (first, second))
    if not mn or not k:
        raise UsageError(f"a shape is MNxK, such as 64x16, got {shown(text)}")
    return mn, k
