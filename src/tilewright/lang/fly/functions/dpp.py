"""What lanes take from others by fixed patterns: data parallel primitives (DPP) and swaps of halves and rows.

Source: AMD, CDNA3 and RDNA3 instruction set architectures, "DPP" and V_PERMLANE*_SWAP.
"""

from __future__ import annotations

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric, numeric_type
from tilewright.lang.core.numerics.types import Boolean, Int32
from tilewright.lang.fly.functions.gpu import lane_id, shuffle_idx
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.values.base import expect

__all__ = ["permlane16_swap", "permlane32_swap", "update_dpp"]

ROW, BANK = 16, 4
Source = tuple[Numeric, Numeric | None]


def update_dpp(
    res: object,
    old: NumericLike,
    src: NumericLike,
    dpp_ctrl: int,
    row_mask: int = 0xF,
    bank_mask: int = 0xF,
    bound_ctrl: bool = False,
) -> Numeric:
    """What the lane has that a pattern names, for each lane; `old` where the masks leave a lane out.

    Args:
        res: the type, of 32 bits.
        dpp_ctrl: the pattern: four lanes permuted (0x00 to 0xFF), rows of 16 shifted (0x101 to 0x11F) or turned (0x121
            to 0x12F), mirrored (0x140, half rows 0x141), one lane of each row (0x150 to 0x15F), lanes that differ in
            bits (0x160 to 0x16F), and of waves of 64 one lane on or back (0x130, 0x134, 0x138, 0x13C) and the last lane
            of a row or half (0x142, 0x143).
        row_mask, bank_mask: which rows of 16 lanes, and which fours in each, take part.
        bound_ctrl: is it 0 that a lane takes from beyond its row? else `old`.

    Raises:
        KernelError: there is no such pattern.
    """
    kind = numeric_type(res)
    before, given = kind(as_numeric(old)), kind(as_numeric(src))
    lane = lane_id()
    source, inside = _source(int(dpp_ctrl), lane)
    lanes = current_kernel().lanes
    found = expect(shuffle_idx(given, as_numeric(source % lanes), lanes), Numeric, "a lane's number")
    if inside is not None:
        found = as_numeric(inside.select(found, kind(0) if bound_ctrl else before))
    for mask, number in ((row_mask, lane // ROW), (bank_mask, lane % ROW // BANK)):
        if mask & 0xF != 0xF:
            found = as_numeric(((as_numeric(Int32(mask) >> as_numeric(number)) & 1) == 1).select(found, before))
    return found


def _source(ctrl: int, lane: Int32) -> Source:
    """The lane that a pattern names, and whether there is one."""
    row, at = as_numeric(lane // ROW * ROW), as_numeric(lane % ROW)
    kind, count = ctrl & ~0xF, ctrl & 0xF
    if 0 <= ctrl <= 0xFF:
        chosen = as_numeric(Int32(ctrl) >> as_numeric(lane % BANK * 2)) & 3
        return as_numeric(lane // BANK * BANK + chosen), None
    if kind == 0x100 and count:
        return as_numeric(lane + count), as_numeric(at + count < ROW)
    if kind == 0x110 and count:
        return as_numeric(lane - count), as_numeric(at >= count)
    if kind == 0x120 and count:
        return as_numeric(row + (at + ROW - count) % ROW), None
    if ctrl in (0x140, 0x141):
        return as_numeric(lane ^ (0xF if ctrl == 0x140 else 0x7)), None
    if kind == 0x150:
        return as_numeric(row + count), None
    if kind == 0x160:
        return as_numeric(lane ^ count), None
    return _of_wave(ctrl, lane)


def _of_wave(ctrl: int, lane: Int32) -> Source:
    lanes = current_kernel().lanes
    ways = {0x130: 1, 0x134: 1, 0x138: -1, 0x13C: -1}
    if lanes == 64 and ctrl in ways:
        to = as_numeric(lane + ways[ctrl])
        turned = as_numeric((to + lanes) % lanes)
        return turned, None if ctrl in (0x134, 0x13C) else as_numeric(turned == to)
    if lanes == 64 and ctrl in (0x142, 0x143):
        group = ROW if ctrl == 0x142 else 2 * ROW
        return as_numeric(lane // group * group - 1), as_numeric(lane >= group)
    raise KernelError(f"dpp_ctrl {ctrl:#x} is no pattern of waves of {lanes} lanes")


def permlane32_swap(
    res: object, old: NumericLike, src: NumericLike, fi: bool = False, bound_control: bool = False
) -> tuple[Numeric, Numeric]:
    """Swaps the upper half wave of the first number with the lower half wave of the second; both as they are then."""
    return _swapped(old, src, 32)


def permlane16_swap(
    res: object, old: NumericLike, src: NumericLike, fi: bool = False, bound_control: bool = False
) -> tuple[Numeric, Numeric]:
    """Swaps the odd rows of 16 lanes of the first number with the even ones of the second; both as they are then."""
    return _swapped(old, src, 16)


def _swapped(old: NumericLike, src: NumericLike, group: int) -> tuple[Numeric, Numeric]:
    lanes = current_kernel().lanes
    if group >= lanes:
        raise KernelError(f"halves of {group} lanes are swapped in waves of 64 lanes, not {lanes}")
    one, two = as_numeric(old), as_numeric(src)
    lane = lane_id()
    odd = Boolean((lane // group) % 2 == 1)
    others = [expect(shuffle_idx(x, lane ^ group, lanes), Numeric, "a lane's number") for x in (one, two)]
    return as_numeric(odd.select(others[1], one)), as_numeric(odd.select(two, others[0]))
