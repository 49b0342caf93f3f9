"""Scale factors of a warp's block-scaled product: which lane has those of a row or a column, and in which bytes.

A lane gives a word of factors for A and one for B. Of each four lanes a thread-id says which give theirs, a byte-id
from which byte of the word on.

Source: PTX ISA, "Block scaling for mma.sync"; CuTe, mma_traits_sm120.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.atoms.mma import MmaAtom
from tilewright.errors import UsageError

QUAD, HALF = 4, 8  # lanes that share rows; rows of half a tile
_BYTES: Mapping[int, tuple[int, ...]] = {1: (0, 1, 2, 3), 2: (0, 2), 4: (0,)}  # by factors of a row
_THREADS = (2, 4)  # thread-ids of A and of B


def factors_of(atom: MmaAtom) -> int:
    """How many scale factors a row of A, or a column of B, has.

    >>> from tilewright.atoms.catalog import mma
    >>> factors_of(mma("SM120_16x8x64_F32E2M1E2M1F32_TN_VS16"))
    4
    """
    assert atom.scale is not None, "a scaled product"
    return int(atom.shape_mnk[2]) // atom.scale[1]


@dataclass(frozen=True)
class ScaleSelect:
    """Which bytes of which lanes' words are the factors: PTX's byte-id and thread-id of A, and of B."""

    byte_a: int = 0
    thread_a: int = 0
    byte_b: int = 0
    thread_b: int = 0

    @property
    def ids(self) -> tuple[int, int, int, int]:
        """All four."""
        return self.byte_a, self.thread_a, self.byte_b, self.thread_b

    def check(self, atom: MmaAtom) -> None:
        """Raises `UsageError` unless the instruction has these."""
        known = _BYTES[factors_of(atom)]
        for letter, byte, thread, count in zip("AB", self.ids[::2], self.ids[1::2], _THREADS, strict=True):
            if byte not in known:
                wanted = " or ".join(map(str, known))
                raise UsageError(f"the byte-id of {letter} of {atom.name} is {wanted}, got {byte}")
            if not 0 <= thread < count:
                raise UsageError(f"the thread-id of {letter} of {atom.name} is 0 to {count - 1}, got {thread}")

    def byte(self, letter: str) -> int:
        """The first byte of the factors of A, or of B."""
        return self.byte_a if letter == "A" else self.byte_b

    def lanes(self, letter: str, rows: int) -> tuple[int, ...]:
        """The lane that has the factors of each row of A, or of each column of B.

        >>> ScaleSelect(thread_a=1).lanes("A", 16)[:10]
        (2, 6, 10, 14, 18, 22, 26, 30, 3, 7)
        """
        if letter == "A":
            return tuple(QUAD * (row % HALF) + 2 * self.thread_a + row // HALF for row in range(rows))
        return tuple(QUAD * column + self.thread_b for column in range(rows))
