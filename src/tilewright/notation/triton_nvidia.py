"""`#ttg.nvidia_mma`: fragments of mma.sync (version 2) and wgmma (version 3)."""

from __future__ import annotations

from tilewright.atoms import sm90, warp_mma
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.operations import composition
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_fields import integer
from tilewright.notation.triton_fragment import Family, Fragment, instruction_shape, matrix_rank, row_major, spread

LANES = 32
REGISTER_BITS = 32
_WARPGROUP_ROWS = 64
_WGMMA_N = (8, 16, 32, 64, 128, 256)


def _is_wgmma(a: Attribute) -> bool:
    major = integer(a, "versionMajor")
    if major not in (2, 3):
        raise LayoutError(
            f"#ttg.{a.kind} of version {major}: read are 2 (mma.sync) and 3 (wgmma); Triton has given up version 1"
            " (Volta), and tcgen05 has its accumulators in tensor memory"
        )
    return major == 3


def _rank(a: Attribute) -> int:
    rank = matrix_rank(a)
    if _is_wgmma(a) and rank != 2:
        raise LayoutError(f"#ttg.{a.kind} of version 3 (wgmma) has no batch: warpsPerCTA has {rank} entries, not 2")
    return rank


def _shape(a: Attribute) -> tuple[int, int]:
    """M and N of one warp's part of the instruction."""
    if _is_wgmma(a):
        m, n = instruction_shape(a, 2)[:2]
        if m != 16 or n not in _WGMMA_N:
            raise LayoutError(f"wgmma in Triton is 16 x N a warp, N a power of two in 8 .. 256, not {m} x {n}")
        return m, n
    *batch, m, n = instruction_shape(a, 2, default=(16, 8))
    if (m, n) not in ((16, 8), (8, 8)) or set(batch) - {1}:
        raise LayoutError(f"mma.sync in Triton is 16 x 8, or 8 x 8 for float64, not {(*batch, m, n)}")
    return m, n


def _first_warp(tv: Layout[int]) -> Layout[int]:
    found: Layout[int] = composition(tv, (Layout(LANES), None))
    return found


def _accumulator(a: Attribute) -> Fragment:
    m, n = _shape(a)
    if _is_wgmma(a):
        return Fragment(_first_warp(sm90.accumulator(n)), m, n, _WARPGROUP_ROWS)
    return Fragment(warp_mma.accumulator(m), m, n, m)


def _operand(a: Attribute, index: int, k_width: int) -> Fragment:
    m, _ = _shape(a)
    if k_width > REGISTER_BITS:
        raise LayoutError(
            f"kWidth = {k_width}: a register has {REGISTER_BITS} bits, so a lane holds no more neighbours"
        )
    if _is_wgmma(a) and index:
        raise LayoutError("wgmma reads operand 1 from shared memory: #ttg.dot_op of version 3 has opIdx = 0")
    # Of the instruction whose elements have so many bits a register holds kWidth neighbours.
    bits, k = REGISTER_BITS // k_width, k_width * (4 if m == 8 else 8)
    if _is_wgmma(a):
        return Fragment(_first_warp(sm90.register_operand(bits)), m, k, _WARPGROUP_ROWS)
    rows = 8 if index else m
    return Fragment(warp_mma.operand(rows, k, bits), rows, k, rows)


def _spread(a: Attribute, again: int) -> LinearLayout:
    if not _is_wgmma(a):
        return spread(a, again)
    # The warps of a warpgroup go down M.
    return spread(a, again, (0, 1)).transpose_outs([f"dim{d}" for d in row_major(2)])


NVIDIA_MMA = Family(_rank, _accumulator, lambda a: False, _operand, _spread)
