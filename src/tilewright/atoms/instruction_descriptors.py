"""Instruction descriptors: the 32 bits that tell a `tcgen05.mma` its shape, and the types and majors of operands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.sm100 import KINDS as TABLE
from tilewright.atoms.sm100 import tcgen05
from tilewright.errors import LayoutError, UsageError, shown

Codes = Mapping[str, int]
# The first bit of each field, and how many it has.
_COMMON = {
    "sparse": (2, 1), "a": (7, 3), "b": (10, 3), "negate_a": (13, 1), "negate_b": (14, 1), "mn_a": (15, 1),
    "mn_b": (16, 1), "n": (17, 6),
}  # fmt: skip
PLAIN = {**_COMMON, "selector": (0, 2), "saturate": (3, 1), "d": (4, 2), "m": (24, 5)}
SCALED = {**_COMMON, "sfb": (4, 2), "scale": (23, 1), "m": (27, 2), "sfa": (29, 2)}
K_96 = 31  # the bit that says so, of kinds that scale
STEP_N, STEP_M = 8, {True: 128, False: 16}  # of M where factors scale, and where none do


@dataclass(frozen=True)
class Kind:
    """A kind of tcgen05.mma: how the atom table calls it, and the codes of the types that operands may have.

    `factors` are how many scale factors a row of A may have; none where nothing is scaled. Operands of `mn` types may
    lie MN-major.
    """

    table: str
    types: Codes
    results: Codes
    scales: Codes = field(default_factory=dict)
    factors: tuple[int, ...] = ()
    mn: tuple[str, ...] = ()

    @property
    def scaled(self) -> bool:
        """Is it block-scaled?"""
        return bool(self.scales)


_E8M0, _E4M3, _E2M1 = "float8_e8m0fnu", "float8_e4m3fn", "float4_e2m1fn"
_NARROW = {_E4M3: 0, "float8_e5m2": 1, "float6_e2m3fn": 3, "float6_e3m2fn": 4, _E2M1: 5}
_EIGHT = (_E4M3, "float8_e5m2")
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "f16": Kind("F16BF16", {"float16": 0, "bfloat16": 1}, {"float16": 0, "float32": 1}, mn=("float16", "bfloat16")),
        "tf32": Kind("TF32", {"tfloat32": 2}, {"float32": 1}, mn=("tfloat32",)),
        "f8f6f4": Kind("F8F6F4", _NARROW, {"float16": 0, "float32": 1}, mn=_EIGHT),
        "i8": Kind("S8", {"uint8": 0, "int8": 1}, {"int32": 2}, mn=("uint8", "int8")),
        "mxf8f6f4": Kind("MXF8F6F4", _NARROW, {"float32": 0}, {_E8M0: 1}, (1,), _EIGHT),
        "mxf4": Kind("MXF4NVF4", {_E2M1: 1}, {"float32": 0}, {_E8M0: 1}, (2,)),
        "mxf4nvf4": Kind("MXF4NVF4", {_E2M1: 1}, {"float32": 0}, {_E4M3: 0, _E8M0: 1}, (2, 4)),
    }
)


@dataclass(frozen=True, slots=True)
class InstructionDescriptor:
    """What a `tcgen05.mma` is told beside its operands.

    Args:
        kind: of the instruction.
        d, a, b: types of elements.
        m, n: the shape, of all CTAs together.
        mn_a, mn_b: does the operand lie MN-major?
        saturate: do sums of integers stay at the type's limits?
        sparse: is A stored without half of its elements? `selector` says which part of its metadata is used.
        scale: the type of scale factors, of the kinds that have them.
        sfa, sfb: the byte of a word of tensor memory that has the first factor of a row of A, and of B.

    Source: PTX ISA, "Instruction descriptor" of tcgen05.

    >>> told = InstructionDescriptor("f16", "float32", "bfloat16", "bfloat16", 128, 64)
    >>> hex(told.encode()), InstructionDescriptor.decode(told.encode(), "f16") == told
    ('0x8100490', True)
    >>> hex(InstructionDescriptor("mxf4", "float32", _E2M1, _E2M1, 128, 64, scale=_E8M0, sfa=2).encode())
    '0x48900480'
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
    sparse: bool = False
    selector: int = 0
    scale: str = ""
    sfa: int = 0
    sfb: int = 0

    def __post_init__(self) -> None:
        kind = _kind(self.kind)
        for what, value, known in (("D", self.d, kind.results), ("A", self.a, kind.types), ("B", self.b, kind.types)):
            if value not in known:
                raise LayoutError(f"{what} of kind::{self.kind} has type {' or '.join(known)}, got {shown(value)}")
        for what, extent, step in (("M", self.m, STEP_M[kind.scaled]), ("N", self.n, STEP_N)):
            if type(extent) is not int or extent % step or not 0 < extent <= 256:
                raise LayoutError(f"{what} of a tcgen05.mma is a multiple of {step} up to 256, got {shown(extent)}")
        if (self.scale or None) not in (kind.scales or (None,)):
            has = f"scale factors of type {' or '.join(kind.scales)}" if kind.scaled else "no scale factors"
            raise LayoutError(f"kind::{self.kind} has {has}, got {shown(self.scale)}")
        self._check_flags(kind)

    def _check_flags(self, kind: Kind) -> None:
        if self.saturate and self.kind != "i8":
            raise LayoutError(f"only kind::i8 saturates, not kind::{self.kind}")
        if (self.negate_a or self.negate_b) and self.kind == "i8":
            raise LayoutError("kind::i8 negates no operand")
        for flag, value in ((self.mn_a, self.a), (self.mn_b, self.b)):
            if flag and value not in kind.mn:
                raise LayoutError(f"operands of {value} of kind::{self.kind} lie K-major")
        selectors = range(4 if self.sparse and self.kind in ("f16", "tf32") else 1)
        ids = range(4) if self.kind == "mxf8f6f4" else (0, 2) if kind.scaled else (0,)
        for what, number, known in (
            ("the sparsity selector", self.selector, selectors),
            ("the scale factor ID of A", self.sfa, ids),
            ("the scale factor ID of B", self.sfb, ids),
        ):
            if type(number) is not int or number not in known:
                raise LayoutError(f"{what} is one of {', '.join(map(str, known))} here, got {shown(number)}")

    def encode(self) -> int:
        """The 32 bits."""
        return sum(int(self._code(name)) << first for name, (first, _) in _fields(self.kind).items())

    def _code(self, name: str) -> int:
        kind, value = KINDS[self.kind], getattr(self, name)
        codes: Mapping[str, Codes] = {"a": kind.types, "b": kind.types, "d": kind.results, "scale": kind.scales}
        units = {"m": STEP_M[kind.scaled], "n": STEP_N}
        return codes[name][value] if name in codes else int(value) // units.get(name, 1)

    @staticmethod
    def decode(bits: int, kind: str) -> InstructionDescriptor:
        """What the 32 bits say to an instruction of that kind; undoes `encode`.

        Raises:
            LayoutError: they are no descriptor of it.
        """
        row, known = _kind(kind), _fields(kind)

        def part(name: str) -> int:
            first, count = known.get(name, (0, 0))
            return bits >> first & (1 << count) - 1

        def named(codes: Codes, name: str) -> str:
            found = [one for one, code in codes.items() if code == part(name)]
            if not found:
                raise LayoutError(f"{bits:#x} has the code {part(name)} of a type that kind::{kind} has not")
            return found[0]

        if row.scaled and bits >> K_96 & 1:
            raise LayoutError(f"{bits:#x} says K = 96, of which factors go on in another word: where is not known here")
        told = InstructionDescriptor(
            kind, named(row.results, "d"), named(row.types, "a"), named(row.types, "b"),
            part("m") * STEP_M[row.scaled], part("n") * STEP_N, bool(part("negate_a")), bool(part("negate_b")),
            bool(part("mn_a")), bool(part("mn_b")), bool(part("saturate")), bool(part("sparse")), part("selector"),
            named(row.scales, "scale") if row.scaled else "", part("sfa"), part("sfb"),
        )  # fmt: skip
        if told.encode() != bits:
            raise LayoutError(f"{bits:#x} is no instruction descriptor of kind::{kind}: {told} is {told.encode():#x}")
        return told

    def rows(self) -> tuple[tuple[str, str, int, str], ...]:
        """Of every field its bits, its name, the number in them, and what this means, from the lowest bit on.

        >>> InstructionDescriptor("f16", "float32", "bfloat16", "bfloat16", m=128, n=64).rows()[-1]
        ('24-28', 'm', 8, '128')
        """
        placed = sorted(_fields(self.kind).items(), key=lambda item: item[1])
        return tuple((_bits(*bits), name, int(self._code(name)), str(getattr(self, name))) for name, bits in placed)

    def __str__(self) -> str:
        lines = (f"{bits:<6} {name:<9} {code:<4}  {meaning}" for bits, name, code, meaning in self.rows())
        head = f"instruction descriptor of tcgen05.mma, kind::{self.kind}, {self.encode():#010x}"
        return "\n".join((head, "bits   field     code  meaning", *lines))

    @property
    def majors(self) -> tuple[Major, Major]:
        """How A and B lie in shared memory."""
        return "MN" if self.mn_a else "K", "MN" if self.mn_b else "K"

    def atom(self, source: str, ctas: int = 1, factors: int = 0, ws: bool = False) -> MmaAtom:
        """The instruction of one CTA or of a pair, with A in shared ("SS") or tensor ("TS") memory.

        Args:
            source: where A lies.
            ctas: how many work together.
            factors: of a row of A, where they scale.
            ws: of the weight-stationary instruction.

        Raises:
            UsageError: there is none of that shape.
        """
        kind = KINDS[self.kind]
        if factors not in (kind.factors or (0,)) or (factors == 2 and self.scale == _E4M3):
            raise UsageError(f"kind::{self.kind} has not {factors} scale factors of type {self.scale} for a row of A")
        if factors == 4 and (self.sfa or self.sfb):
            raise UsageError(f"four factors are a whole word, of which the ID is 0, got {self.sfa} and {self.sfb}")
        told = " ".join(f"{one.name}={getattr(self, one.name)}" for one in fields(self))
        types, sparse = (self.d, self.a, self.b), self.sparse
        scale = (self.scale, TABLE[kind.table].k * (1 + sparse) // factors) if factors else None
        found = tcgen05(
            kind.table, self.m, self.n, ctas=ctas, source=source, sparse=sparse, types=types, scale=scale,
            name=f"tcgen05{' ws' * ws} {told} {source}{ctas} {factors}", ws=ws,
        )  # fmt: skip
        return replace(found, instruction=f"{found.instruction}.satfinite") if self.saturate else found


def instruction_descriptors(bits: int) -> tuple[InstructionDescriptor, ...]:
    """What 32 bits say to each kind of `tcgen05.mma` whose descriptor they can be: the bits do not tell the kind.

    >>> [told.kind for told in instruction_descriptors(0x8100490)]
    ['f16', 'f8f6f4']
    """
    found = []
    for kind in KINDS:
        try:
            found.append(InstructionDescriptor.decode(bits, kind))
        except LayoutError:
            continue
    return tuple(found)


def _bits(first: int, count: int) -> str:
    return f"{first}-{first + count - 1}" if count > 1 else str(first)


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise LayoutError(f"a kind of tcgen05.mma is one of {', '.join(KINDS)}, got {shown(kind)}")
    return KINDS[kind]


def _fields(kind: str) -> Mapping[str, tuple[int, int]]:
    return SCALED if KINDS[kind].scaled else PLAIN
