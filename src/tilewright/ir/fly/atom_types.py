"""The types of what atoms do, as texts, and what FlyDSL demands of them: each demand with its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.errors import NotationError, shown
from tilewright.notation.fly_text import split
from tilewright.numerals import integer


@dataclass(frozen=True, slots=True)
class AtomType:
    """An operation of atoms as its type says it: items in order, and settings by name."""

    name: str
    parts: tuple[str, ...]

    @property
    def items(self) -> list[str]:
        """What has no name."""
        return [part for part in self.parts if "=" not in part]

    @property
    def settings(self) -> dict[str, str]:
        """What has a name."""
        named = (part.partition(" = ") for part in self.parts if "=" in part)
        return {name: value for name, _, value in named}

    @property
    def mnk(self) -> tuple[int, ...]:
        """The tile of an MMA."""
        sides = tuple(map(number, self.items[0].split("x")))
        if len(sides) != 3:
            raise NotationError(f"expected a tile MxNxK, got {shown(self.items[0])}", str(self))
        return sides

    @property
    def types(self) -> tuple[str, str, str]:
        """The element types of an MMA: A, B and the sum."""
        found = split(re.sub("[()]", "", self.items[1].replace("->", ",")), self.items[1])
        if len(found) != 3:
            raise NotationError(f"expected operand types (A, B) -> D, got {shown(self.items[1])}", str(self))
        return found[0], found[1], found[2]

    def setting(self, name: str) -> int:
        """A setting that is a number."""
        return number(self.settings[name])

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(self.parts)}>"


Demand: TypeAlias = "tuple[Callable[[AtomType], bool], Callable[[AtomType], str]]"
"""What holds of a type, and what is said where it does not."""


def number(text: str) -> int:
    """The integer of a text.

    Raises:
        NotationError: it is none.
    """
    found = integer(text.strip(), 2**31)
    if found is None:
        raise NotationError(f"expected a number, got {shown(text)}")
    return found


MFMA = "!fly_rocdl.cdna3.mfma"
SIGNS = ("signA", "signB", "clamp")
UNSIGNED = tuple((sign, "false") for sign in SIGNS)
SMALL = ("f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
MFMA_ELEMENTS = ("f16", "bf16", "f32", "f8E4M3FNUZ", "f8E5M2FNUZ")
_WMMA_120X = {("f16",) * 2, ("bf16",) * 2, *((a, b) for a in SMALL[:2] for b in SMALL[:2])}
Form: TypeAlias = "tuple[tuple[int, ...], tuple[str, str, str]]"
"""The tile of an MMA, and the element types of A, B and the sum."""
RDNA3: frozenset[Form] = frozenset(
    ((16, 16, 16), (a, a, d))
    for a, sums in (("f16", ("f32", "f16")), ("bf16", ("f32", "bf16")), ("i8", ("i32",)), ("i4", ("i32",)))
    for d in sums
)
SWMMAC: frozenset[Form] = frozenset(
    (
        *(((16, 16, 32), (*ab, "f32")) for ab in _WMMA_120X),
        *(((16, 16, k), (a, a, "i32")) for a, k in (("i8", 32), ("i4", 32), ("i4", 64))),
    )
)


def mfma_element(operand: int) -> Demand:
    """What MFMA multiplies; FlyDSL's sentence leaves one out that it takes."""
    told = element(operand, MFMA_ELEMENTS)[1]
    return (lambda o: o.types[operand] in (*MFMA_ELEMENTS, "f8E4M3FN", "i8"), told)


def is_integer(element: str) -> bool:
    """Is it an integer type?"""
    return element.lstrip("su").startswith("i")


def tile(atom: AtomType) -> str:
    """The tile of an MMA as text."""
    return "x".join(map(str, atom.mnk))


def signless(unit: str, words: str, sentence: str) -> Demand:
    """Only integers have signs to choose and sums to clamp."""

    def holds(o: AtomType) -> bool:
        return is_integer(o.types[0]) or all(o.settings[sign] == "false" for sign in SIGNS)

    def told(o: AtomType) -> str:
        found = ", ".join(f"{sign}={int(o.settings[sign] == 'true')}" for sign in SIGNS)
        return sentence.format(unit=unit, words=words, found=found, a=o.types[0])

    return holds, told


NO_SIGNS = (
    "{unit} WMMA {words} path does not accept signA/signB/clamp (the ROCDL fp WMMA intrinsics have no such operands); "
    "got {found}"
)


def shape(unit: str, sides: int, word: str = "WMMA") -> Demand:
    """So many sides of the tile are 16."""
    equal = "=".join("MNK"[:sides])
    return (
        lambda o: o.mnk[:sides] == (16,) * sides,
        lambda o: f"{unit} {word} requires {equal}=16, got {'x'.join(map(str, o.mnk[:sides]))}",
    )


def configuration(unit: str, known: Set[Form] = frozenset(), word: str = "WMMA") -> Demand:
    """Of those that no table of atoms has, only these MMAs exist."""

    def told(o: AtomType) -> str:
        a, b, c = o.types
        return f"unsupported {unit} {word} configuration: {tile(o)} with A='{a}', B='{b}', Acc='{c}'"

    return (lambda o: (o.mnk, o.types) in known, told)


def depth(kinds: Callable[[tuple[str, str, str]], bool], depths: tuple[int, ...], words: str) -> Demand:
    """MMAs of some types have these depths."""
    return (lambda o: not kinds(o.types) or o.mnk[2] in depths, lambda o: words.format(k=o.mnk[2], tile=tile(o)))


def element(operand: int, allowed: Sequence[str], one_of: str = "") -> Demand:
    """The elements of an operand are among these."""
    name = ("elemTyA", "elemTyB", "elemTyAcc")[operand]
    words = f"{name} must be {one_of}{', '.join(allowed)}, got "
    return (lambda o: o.types[operand] in allowed, lambda o: f"{words}'{o.types[operand]}'")


def within(setting: str, least: int, most: int, words: str = "") -> Demand:
    """A setting lies between two numbers."""
    told = words or f"{setting} must be in [{least}, {most}]"
    return (lambda o: least <= o.setting(setting) <= most, lambda o: f"{told}, got {o.setting(setting)}")


def one_of(setting: str, allowed: Sequence[int], words: str) -> Demand:
    """A setting is among these numbers."""
    return (lambda o: o.setting(setting) in allowed, lambda o: f"{words}, got {o.settings[setting]}")


def floats(types: tuple[str, str, str]) -> bool:
    """The floating-point types of GFX120X."""
    return types[:2] in _WMMA_120X and types[2] == "f32"


def of(element: str) -> Callable[[tuple[str, str, str]], bool]:
    """Are A and B of this integer type?"""
    return lambda types: types == (element, element, "i32")


def i8(atom: AtomType) -> list[bool]:
    """Which of A and B are bytes?"""
    return [operand == "i8" for operand in atom.types[:2]]


def trans(atom: AtomType) -> int:
    """The bits of what a transposing read transposes."""
    return number(atom.settings["trans"].removesuffix("b"))


def bits(unit: str, allowed: tuple[int, ...], words: str, note: str = "") -> Demand:
    """An access moves so many bits."""

    def told(o: AtomType) -> str:
        why = f"there is no 8-byte LDS DMA instruction{note}"
        return f"unsupported bitSize = {o.items[0]} for {unit}; expected {words} ({why})"

    return (lambda o: number(o.items[0]) in allowed, told)


SOME_BITS: Demand = (
    lambda o: number(o.items[0]) > 0,
    lambda o: f"{o.name.partition('.')[2]} moves at least one bit, got {o.items[0]}",
)
ATOMICS = ("add", "max", "min", "and", "or", "inc", "dec")
ATOMIC: Demand = (
    lambda o: o.items[0] in ATOMICS,
    lambda o: f"expected ::mlir::fly::AtomicOp to be one of: {', '.join(ATOMICS)}",
)
SCALED_ELEMENTS = (element(2, ("f32",)), *(element(i, SMALL, "one of ") for i in range(2)))


def _is_power(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


def _padding(atom: AtomType) -> tuple[int, int]:
    return atom.setting("pad"), number(atom.items[0])


TDM_FLAGS = (("barrier", "false"), ("timeout", "false"))
PADDING_DEMANDS: tuple[Demand, ...] = (
    (
        lambda o: len({bool(pad) for pad in _padding(o)}) == 1,
        lambda o: "padInterval and padAmount must both be zero or both non-zero",
    ),
    (
        lambda o: _padding(o)[0] == 0 or _is_power(_padding(o)[0]),
        lambda o: f"padInterval must be a power of two (in elements), got {_padding(o)[0]}",
    ),
)
TDM_DEMANDS: tuple[Demand, ...] = (
    (
        lambda o: _is_power(o.setting("warps")),
        lambda o: f"numWarps must be a positive power of two, got {o.setting('warps')}",
    ),
    *PADDING_DEMANDS,
)


def _extents(atom: AtomType) -> list[str]:
    return split(atom.settings["shape"].strip("[]"), str(atom))


TENSOR_MOVE = ("shape", "elem", "tensor2tdm")
TENSOR_MOVE_DEMANDS: tuple[Demand, ...] = (
    (
        lambda o: "iterCount" not in o.settings or len(_extents(o)) <= 2,
        lambda o: (
            "TDM descriptor iteration takes dim 2's stride for its own, so it needs a descriptor of at most "
            f"2 dims, got {len(_extents(o))}"
        ),
    ),
)
