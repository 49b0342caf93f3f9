"""`ArchSpec`: what the analyses must know of a GPU, as data. One value an architecture, one file a vendor.

A fact that no vendor states and no measurement confirms is marked `verified=False` and shows up in every report
that rests on it. Bank tables are kept apart per architecture, instruction and width, because AMD's differ in each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.errors import UsageError, shown, typed_fields

Groups: TypeAlias = tuple[tuple[int, ...], ...]

BANK_BYTES = 4


@dataclass(frozen=True, slots=True)
@typed_fields
class PhaseRule:
    """How one shared-memory instruction is served: the lanes of a group go together, group after group.

    A group costs as many wavefronts as the bank most in demand has distinct words wanted from it.
    `merged` holds the larger groups that form when lanes pair up (every active lane i has lane i^1, or every
    one has lane i^2, inactive or at the same address); it is empty where no merging is known. `doubt` says what else
    of the rule nothing confirms.

    Raises:
        UsageError: a field of another type, no banks, or lanes below 0.

    >>> from tilewright.arch.table import get
    >>> rule = get("gfx942").rules["load", 16]
    >>> rule.banks, rule.groups[0]
    (32, (0, 1, 2, 3, 20, 21, 22, 23))
    """

    groups: Groups
    banks: int
    source: str
    merged: Groups = ()
    verified: bool = True
    merging_verified: bool = False
    doubt: str = ""

    def __post_init__(self) -> None:
        if self.banks < 1 or min((lane for group in (*self.groups, *self.merged) for lane in group), default=0) < 0:
            raise UsageError(f"a rule has at least one bank, and lanes from 0 on; got {shown(self.banks)} banks")


@dataclass(frozen=True, eq=False, slots=True)
@typed_fields
class ArchSpec:
    """One architecture. Sizes are in bytes.

    `rules` maps (instruction, bytes per lane) to a `PhaseRule`; instructions are `load`, `store`, and where the
    architecture has them `ldmatrix` and `stmatrix`. `lanes` is the warp (wavefront) size, `global_widths` what one
    lane may move to or from global memory, `shared_per_block` what one block may ask for (opt-in included),
    `shared_per_unit` what the SM or CU has. Accesses are aligned to their width, at most to `max_alignment`.
    `conflict_note` is what to know of the figure when accesses of several banks conflict.

    Raises:
        UsageError: a field of another type, a size below 1, or no rule for loads of 4 bytes.

    >>> from tilewright.arch.table import get
    >>> get("sm_90").lanes, get("sm_90").sector_bytes, get("gfx950").lanes
    (32, 32, 64)
    """

    name: str
    vendor: str
    lanes: int
    rules: Mapping[tuple[str, int], PhaseRule]
    shared_per_block: int
    shared_per_unit: int
    sector_bytes: int
    line_bytes: int
    global_widths: tuple[int, ...]
    max_alignment: int
    unverified: tuple[str, ...] = ()
    conflict_note: str = ""

    def __post_init__(self) -> None:
        sizes = (self.lanes, self.shared_per_block, self.shared_per_unit, self.sector_bytes, self.line_bytes)
        if min(*sizes, self.max_alignment, *self.global_widths, len(self.global_widths)) < 1:
            raise UsageError(f"{shown(self.name)}: lanes, sizes and widths are at least 1, and there is a width")
        if ("load", BANK_BYTES) not in self.rules:
            raise UsageError(f"{shown(self.name)}: rules say at least how a load of {BANK_BYTES} bytes is served")

    @property
    def vector_bytes(self) -> int:
        """The widest access of one lane to global memory."""
        return max(self.global_widths)

    def alignment(self, width: int) -> int:
        """The bytes that the address of a `width`-byte access must be a multiple of.

        Raises:
            UsageError: no positive number of bytes.
        """
        if type(width) is not int or width < 1:
            raise UsageError(f"an access moves a positive number of bytes, got {shown(width)}")
        return min(width & -width, self.max_alignment)

    def rule(self, instruction: str, width: int) -> PhaseRule:
        """The rule of an instruction that moves `width` bytes a lane.

        Raises:
            UsageError: the architecture has no such instruction, or not in that width.
        """
        if not isinstance(instruction, str) or type(width) is not int:
            raise UsageError(
                f"a rule is of an instruction's name and a width, got {shown(instruction)}, {shown(width)}"
            )
        found = self.rules.get((instruction, width))
        if found is not None:
            return found
        widths = sorted(w for name, w in self.rules if name == instruction)
        if widths:
            raise UsageError(f"{self.name}: a {instruction} moves {_either(widths)} bytes per lane, not {shown(width)}")
        known = sorted({name for name, _ in self.rules})
        raise UsageError(f"{self.name} has no {instruction}; it has {', '.join(known)}")

    @property
    def banks(self) -> int:
        """The banks of shared memory, 4 bytes wide each."""
        return self.rules["load", 4].banks

    @property
    def machine(self) -> str:
        """What a kernel is simulated for, in a line.

        >>> from tilewright.arch import get
        >>> print(get("sm_90").machine)
        sm_90: warps of 32 lanes, 32 banks, sectors of 32 bytes, 227 KiB of shared memory a block of 228 KiB
        """
        block, unit = self.shared_per_block / 1024, self.shared_per_unit / 1024
        return (
            f"{self.name}: warps of {self.lanes} lanes, {self.banks} banks, sectors of {self.sector_bytes} bytes, "
            f"{block:g} KiB of shared memory a block of {unit:g} KiB"
        )

    def __repr__(self) -> str:
        return f"<ArchSpec {self.machine}>"


def consecutive(lanes: int, size: int) -> Groups:
    """`lanes` lanes in groups of `size` neighbours.

    >>> consecutive(8, 4)
    ((0, 1, 2, 3), (4, 5, 6, 7))
    """
    return tuple(tuple(range(start, min(start + size, lanes))) for start in range(0, lanes, size))


def _either(numbers: list[int]) -> str:
    *rest, last = map(str, numbers)
    return f"{', '.join(rest)} or {last}" if rest else last
