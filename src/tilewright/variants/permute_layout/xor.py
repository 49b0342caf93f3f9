"""The XOR swizzle of a permute: which element a lane moves in its r-th step.

Lane l moves element l + 32 * (r ^ ((l >> shift) & mask)) in step r, for r < P. For every lane that is a permutation of
its elements, so the swizzle changes the order of the accesses only, and with it the banks that meet.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.analysis.banks.rule import distinct_start_banks
from tilewright.ir.core.dependence import WARP
from tilewright.variants.permute_layout.align import offsets

LANE_BITS = 5


def shift_and_mask(bits: int) -> tuple[int, int]:
    """The shift and mask of a swizzle by `bits` bits: the highest lane bits turn the order of the steps."""
    return LANE_BITS - bits, (1 << bits) - 1


def element(lane: int, step: int, shift: int, mask: int) -> int:
    """The row-major number of the element that a lane moves in a step.

    >>> [element(9, step, 3, 3) for step in range(4)]
    [41, 9, 105, 73]
    """
    return lane + WARP * (step ^ ((lane >> shift) & mask))


def bank_free(table: Sequence[int], width: int, steps: int, bits: int) -> bool:
    """Do the 32 lanes start in 32 different banks in every step?

    Args:
        table: the element offset of every element, in row-major order. width: bytes of an element.
    """
    shift, mask = shift_and_mask(bits)
    return all(
        distinct_start_banks(width * table[element(lane, step, shift, mask)] for lane in range(WARP))
        for step in range(steps)
    )


def choose_xor_bits(
    extent: Sequence[int], src_strides: Sequence[int], dst_strides: Sequence[int], width: int, steps: int
) -> int | None:
    """The smallest k in 0..log2(steps) whose swizzle is bank-free on both sides, or None.

    Source: `_choose_xor_k` of TIRx: shift = 5 - k, mask = 2^k - 1.

    >>> choose_xor_bits((4, 32), (32, 1), (1, 4), width=4, steps=4)
    2
    """
    tables = offsets(extent, src_strides), offsets(extent, dst_strides)
    candidates = range(min(steps.bit_length(), LANE_BITS + 1))
    return next((k for k in candidates if all(bank_free(table, width, steps, k) for table in tables)), None)
