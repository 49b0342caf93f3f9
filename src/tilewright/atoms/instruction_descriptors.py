"""Instruction descriptors: the 32 bits that tell a `tcgen05.mma` its shape, and the types and majors of operands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.sm100 import tcgen05
from tilewright.errors import LayoutError, UsageError, shown

# Kinds of tcgen05.mma: how the atom table calls them, and the codes of the types of A and B, of which D may have these.
KINDS: Mapping[str, tuple[str, Mapping[str, int]]] = MappingProxyType(
    {
        "f16": ("F16BF16", {"float16": 0, "bfloat16": 1}),
        "tf32": ("TF32", {"tfloat32": 2}),
        "f8f6f4": ("F8F6F4", {"float8_e4m3fn": 0, "float8_e5m2": 1}),
        "i8": ("S8", {"uint8": 0, "int8": 1}),
    }
)
RESULTS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "f16": {"float16": 0, "float32": 1},
        "tf32": {"float32": 1},
        "f8f6f4": {"float16": 0, "float32": 1},
        "i8": {"int32": 2},
    }
)
# The first bit of each field, and how many it has.
SATURATE, D, A, B = (3, 1), (4, 2), (7, 3), (10, 3)
NEGATE_A, NEGATE_B, MN_A, MN_B = (13, 1), (14, 1), (15, 1), (16, 1)
COLUMNS, ROWS = (17, 6), (24, 5)
STEP_N, STEP_M = 8, 16


@dataclass(frozen=True, slots=True)
class InstructionDescriptor:
    """What a dense `tcgen05.mma` is told beside its operands.

    Source: PTX ISA, "Instruction descriptor" of tcgen05, kinds tf32, f16, f8f6f4 and i8.

    >>> told = InstructionDescriptor("f16", "float32", "bfloat16", "bfloat16", 128, 64)
    >>> hex(told.encode()), InstructionDescriptor.decode(told.encode(), "f16") == told
    ('0x8100490', True)
    """

    kind: str
    d: str
    a: str
    b: str
    m: int
    n: int
    negate_a: bool = False
    negate_b: bool = False
    mn_a: bool = False
    mn_b: bool = False
    saturate: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LayoutError(f"a kind of tcgen05.mma is one of {', '.join(KINDS)}, got {shown(self.kind)}")
        types = KINDS[self.kind][1]
        for what, value, known in (("D", self.d, RESULTS[self.kind]), ("A", self.a, types), ("B", self.b, types)):
            if value not in known:
                raise LayoutError(f"{what} of kind::{self.kind} has type {' or '.join(known)}, got {shown(value)}")
        for what, extent, step in (("M", self.m, STEP_M), ("N", self.n, STEP_N)):
            if type(extent) is not int or extent % step or not 0 < extent <= 256:
                raise LayoutError(f"{what} of a tcgen05.mma is a multiple of {step} up to 256, got {shown(extent)}")
        if self.saturate and self.kind != "i8":
            raise LayoutError(f"only kind::i8 saturates, not kind::{self.kind}")
        if (self.negate_a or self.negate_b) and self.kind == "i8":
            raise LayoutError("kind::i8 negates no operand")

    def encode(self) -> int:
        """The 32 bits."""
        types = KINDS[self.kind][1]
        parts = (
            (SATURATE, self.saturate),
            (D, RESULTS[self.kind][self.d]),
            (A, types[self.a]),
            (B, types[self.b]),
            (NEGATE_A, self.negate_a),
            (NEGATE_B, self.negate_b),
            (MN_A, self.mn_a),
            (MN_B, self.mn_b),
            (COLUMNS, self.n // STEP_N),
            (ROWS, self.m // STEP_M),
        )
        return sum(int(value) << first for (first, _), value in parts)

    @staticmethod
    def decode(bits: int, kind: str) -> InstructionDescriptor:
        """What the 32 bits say to an instruction of that kind; undoes `encode`.

        Raises:
            LayoutError: they are no descriptor of it.
        """

        def part(where: tuple[int, int]) -> int:
            return bits >> where[0] & (1 << where[1]) - 1

        def named(known: Mapping[str, int], where: tuple[int, int]) -> str:
            found = [name for name, code in known.items() if code == part(where)]
            if not found:
                raise LayoutError(f"{bits:#x} has the code {part(where)} of a type that kind::{kind} has not")
            return found[0]

        if kind not in KINDS:
            raise LayoutError(f"a kind of tcgen05.mma is one of {', '.join(KINDS)}, got {shown(kind)}")
        types = KINDS[kind][1]
        flags = [bool(part(x)) for x in (NEGATE_A, NEGATE_B, MN_A, MN_B, SATURATE)]
        told = InstructionDescriptor(
            kind, named(RESULTS[kind], D), named(types, A), named(types, B), part(ROWS) * STEP_M,
            part(COLUMNS) * STEP_N, *flags,
        )  # fmt: skip
        if told.encode() != bits:
            raise LayoutError(f"{bits:#x} is no instruction descriptor of kind::{kind}: {told} is {told.encode():#x}")
        return told

    @property
    def majors(self) -> tuple[Major, Major]:
        """How A and B lie in shared memory."""
        return "MN" if self.mn_a else "K", "MN" if self.mn_b else "K"

    def atom(self, source: str, ctas: int = 1) -> MmaAtom:
        """The instruction of one CTA or of a pair, with A in shared ("SS") or tensor ("TS") memory.

        Raises:
            UsageError: there is none of that shape.
        """
        table, _ = KINDS[self.kind]
        types = f"{self.d} {self.a} {self.b}{' sat' * self.saturate}"
        name = f"tcgen05 {self.kind} {self.m}x{self.n} {types} {source}{ctas}"
        if source == "TS" and self.m < 128:
            raise UsageError(
                f"where A of {self.m} rows lies in tensor memory is not known here; 128 rows are its lanes"
            )
        found = tcgen05(table, self.m, self.n, ctas=ctas, source=source, name=name, types=(self.d, self.a, self.b))
        return replace(found, instruction=f"{found.instruction}.satfinite") if self.saturate else found
