"""Which element a lane moves through which register: the three forms that a permute schedule may have.

In all of them register r of lane l holds element `element(l, r)` from the read to the write, so that registers are
numbered by constants in the code that moves them. A number beyond the last element is that of an idle lane.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from tilewright.layout.linear.f2 import apply

MAX_REGISTERS = 4096  # of a lane
Rows: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class XorForm:
    """Lane l moves element l + lanes * (r ^ ((l >> shift) & mask)): a permutation of each lane's own elements.

    Source: TIRx's `permute_layout`.

    >>> [XorForm(32, 3, 3).element(9, r) for r in range(4)], str(XorForm(32, 3, 3))
    ([41, 9, 105, 73], 'lane + 32 * (r ^ ((lane >> 3) & 3))')
    """

    kind: ClassVar[str] = "xor"
    lanes: int
    shift: int
    mask: int

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register."""
        return lane + self.lanes * (register ^ (lane >> self.shift & self.mask))

    def to_json(self) -> dict[str, object]:
        """The form as plain values."""
        return {"kind": self.kind, "shift": self.shift, "mask": self.mask}

    def __str__(self) -> str:
        bits = f"(lane >> {self.shift})" if self.shift else "lane"
        turn = f"(r ^ ({bits} & {self.mask}))" if self.mask else "r"
        return f"lane + {self.lanes} * {turn}"


@dataclass(frozen=True, slots=True)
class F2Form:
    """Lane l moves element A l ^ B r: bit i of the lane flips the bits `lane[i]`, bit i of the register `register[i]`.

    >>> form = F2Form((1, 2, 4, 8 ^ 32, 16 ^ 64), (32, 64))
    >>> [form.element(9, r) for r in range(4)], str(form)
    ([41, 9, 105, 73], '(lane & 31) ^ (lane & 24) << 2 ^ r << 5')
    """

    kind: ClassVar[str] = "f2"
    lane: tuple[int, ...]
    register: tuple[int, ...]

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register."""
        return apply(self.lane, lane) ^ apply(self.register, register)

    def to_json(self) -> dict[str, object]:
        """The form as plain values."""
        return {"kind": self.kind, "lane": list(self.lane), "register": list(self.register)}

    def __str__(self) -> str:
        return " ^ ".join([*_terms("lane", self.lane), *_terms("r", self.register)]) or "0"


@dataclass(frozen=True, slots=True)
class TableForm:
    """Lane l moves element rows[r][l].

    >>> TableForm(((0, 3), (2, 1))).element(1, 0)
    3
    """

    kind: ClassVar[str] = "table"
    rows: Rows

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register."""
        return self.rows[register][lane]

    def to_json(self) -> dict[str, object]:
        """The form as plain values."""
        return {"kind": self.kind, "rows": [list(row) for row in self.rows]}

    def __str__(self) -> str:
        return "table[r][lane]"


Form: TypeAlias = XorForm | F2Form | TableForm


def rows_of(form: Form, lanes: int, registers: int) -> Rows:
    """The elements of all lanes, a row a register.

    >>> rows_of(XorForm(4, 1, 1), 4, 2)
    ((0, 1, 6, 7), (4, 5, 2, 3))
    """
    if isinstance(form, TableForm):
        return form.rows
    return tuple(tuple(form.element(lane, r) for lane in range(lanes)) for r in range(registers))


def masked_shifts(columns: Sequence[int]) -> list[tuple[int, int]]:
    """The map as XOR of masked shifts: (mask, distance) for each distance between a bit and the bit it flips.

    >>> masked_shifts((1, 2, 4, 8 ^ 32))
    [(15, 0), (8, 2)]
    """
    masks: dict[int, int] = defaultdict(int)
    for i, column in enumerate(columns):
        for bit in range(column.bit_length()):
            masks[bit - i] |= (column >> bit & 1) << i
    return [(masks[distance], distance) for distance in sorted(masks, key=abs) if masks[distance]]


def _terms(name: str, columns: Sequence[int]) -> list[str]:
    whole = (1 << len(columns)) - 1
    return [_term(name, mask, whole, distance) for mask, distance in masked_shifts(columns)]


def _term(name: str, mask: int, whole: int, distance: int) -> str:
    moved = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance < 0 else ""
    return f"{name}{moved}" if mask == whole and name == "r" else f"({name} & {mask}){moved}"
