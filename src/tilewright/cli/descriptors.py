"""What `tilewright show 0x..` prints of a descriptor: its fields, and the operands that one of a matrix gives."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence

from tilewright.analysis.descriptor.operand import OperandDescriptor
from tilewright.analysis.descriptor.words import descriptor
from tilewright.atoms.descriptors import WORD
from tilewright.atoms.instruction_descriptors import InstructionDescriptor, instruction_descriptors
from tilewright.atoms.shared_atoms import SHARED_ATOMS, Major
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.numerals import hexadecimal, natural

DEFAULT = "f16"
TENSOR_MAP, INSTRUCTION = 1024, 32  # bits
FIELDS = ("bits", "field", "code", "meaning")
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
    told = instruction_descriptors(bits) if bits < 1 << INSTRUCTION else ()
    try:
        found = descriptor(bits)
    except LayoutError:
        if not told:
            raise
        found = None
    shape = _shape(args.shape)
    operands = {} if found is None else {major: _operand(found, args.element, shape, major) for major in MAJORS}
    if args.json:
        print(json.dumps(_json(found, told, args.element, operands), indent=2))
        return 0
    pages = [str(one) for one in told]
    if found is not None:
        pages.append("\n".join(_page(found, args.element, operands)))
    print("\n\n".join(pages))
    return 0


def _json(
    found: OperandDescriptor | None, told: Sequence[InstructionDescriptor], element: str, operands: Mapping[Major, str]
) -> dict[str, object]:
    own = {} if found is None else {**found.to_json(), "element": element, "operands": operands}
    instructions = [
        {"kind": one.kind, "fields": [dict(zip(FIELDS, row, strict=True)) for row in one.rows()]} for one in told
    ]
    return {**own, "instructions": instructions} if told else own


def _page(found: OperandDescriptor, element: str, operands: Mapping[Major, str]) -> Iterator[str]:
    yield str(found)
    yield f"operands in elements of {element}, (MN, K) -> element of shared memory:"
    for major, text in operands.items():
        yield f"{major}-major: {text}"
    yield "atoms: " + ", ".join(name for name, atom in SHARED_ATOMS.items() if atom.mode.name == found.fields.mode)


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
