"""Where an element offset lies in shared memory: byte, bank and line, in the units a picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tilewright.analysis.banks.report import BankReport
from tilewright.arch import ArchSpec, get
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.palette import TONES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Memory:
    """Shared memory of `banks` banks of 4 bytes, holding elements of `element_bits` bits from byte `base` on.

    >>> halves = Memory(16, 32)
    >>> halves.byte(72), halves.bank(72), halves.line(72)
    (144, 4, 1)
    """

    element_bits: int
    banks: int
    base: int = 0

    @property
    def caption(self) -> str:
        """What its words and elements are, for the reader of a picture."""
        return f"{self.banks} banks of {BANK_BYTES}-byte words, elements of {counted(self.element_bits, 'bit')}"

    def byte(self, offset: int) -> int:
        """The byte in which the element begins."""
        return self.base + offset * self.element_bits // 8

    def word(self, offset: int) -> int:
        """The 4-byte word in which the element begins."""
        return self.byte(offset) // BANK_BYTES

    def words(self, offset: int) -> range:
        """All words in which the element has a bit."""
        last = (self.byte(offset + 1) + (self.element_bits % 8 != 0) - 1) // BANK_BYTES
        return range(self.word(offset), max(last, self.word(offset)) + 1)

    def bank(self, offset: int) -> int:
        """The bank of the word in which the element begins."""
        return self.word(offset) % self.banks

    def line(self, offset: int) -> int:
        """The line of that word: one word of each bank."""
        return self.word(offset) // self.banks

    def where(self, offset: int) -> tuple[int, int, int]:
        """Byte, bank and line in which the element begins."""
        byte = self.byte(offset)
        line, bank = divmod(byte // BANK_BYTES, self.banks)
        return byte, bank, line

    @property
    def group_banks(self) -> int:
        """How many neighbouring banks share a colour: 16 bytes of 128."""
        return max(1, self.banks // TONES)

    def group(self, bank: int) -> int:
        """The first bank of the group."""
        return bank - bank % self.group_banks

    def group_name(self, first: int) -> str:
        """The banks of a group, as a legend names them."""
        return f"{first}-{first + self.group_banks - 1}" if self.group_banks > 1 else str(first)

    def columns(self, offsets: Iterable[int]) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Byte, bank and line of each, as columns."""
        byte = [self.base + offset * self.element_bits // 8 for offset in offsets]
        words = [at // BANK_BYTES for at in byte]
        return byte, [word % self.banks for word in words], [word // self.banks for word in words]

    def groups(self, banks: Iterable[int]) -> Sequence[int]:
        """The first bank of each one's group."""
        first = list(map(self.group, range(self.banks)))
        return list(map(first.__getitem__, banks))

    def told(
        self, offset: Sequence[int], byte: Sequence[int], bank: Sequence[int], line: Sequence[int]
    ) -> tuple[str | Sequence[int], ...]:
        """Offsets in all units, as parts of texts."""
        return offset, " = byte ", byte, ", bank ", bank, ", line ", line


def elements_by_word(offsets: Sequence[int], there: Iterable[T], store: Memory) -> dict[int, list[T]]:
    """What lies in each word, where this lies at these offsets."""
    found: dict[int, list[T]] = {}
    if BANK_BYTES * 8 % store.element_bits == 0 and store.base % BANK_BYTES == 0:
        byte, _, _ = store.columns(offsets)
        for at, element in zip(byte, there, strict=True):
            found.setdefault(at // BANK_BYTES, []).append(element)
        return found  # none lies in two words
    for offset, element in zip(offsets, there, strict=True):
        for word in store.words(offset):
            found.setdefault(word, []).append(element)
    return found


def memory(element_bits: int, arch: str | ArchSpec = "sm_90", base: int = 0) -> Memory:
    """The shared memory of an architecture, with elements from byte `base` on.

    Raises:
        UsageError: an element width that is not a positive number of bits, or an unknown architecture.
    """
    if type(element_bits) is not int or not 1 <= element_bits <= 1024:
        raise UsageError(f"element_bits must be between 1 and 1024, got {shown(element_bits)}")
    return Memory(element_bits, get(arch).rule("load", BANK_BYTES).banks, base)


def serving(report: BankReport, store: Memory) -> Memory:
    """The memory as the report's access finds it: in as many banks as serve its instruction.

    >>> from tilewright.analysis.banks.conflicts import bank_conflicts_at
    >>> [
    ...     serving(bank_conflicts_at(range(0, 256, 4), 4, kind=kind, arch="gfx950"), memory(32, "gfx950")).banks
    ...     for kind in ("load", "store")
    ... ]
    [64, 32]
    """
    return replace(store, banks=report.phases[0].banks) if len(report.phases) else store
