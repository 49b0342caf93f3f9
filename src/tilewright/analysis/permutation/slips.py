"""Where the guide to permutations that `tilewright demo permutation` follows is wrong, with the computed values.

The guide's two cases are a tile of 128 x 128 shared among 16 x 16 threads of one multiply-add each, with groups of R
neighbours, and the same tile for four warps of `mma.sync` m16n8k16 with the permutation (32, 32, 16).

Source: "Permutation: the bridge between atom and tile".
"""

from __future__ import annotations

from typing import NamedTuple

from tilewright.analysis.model.slip import Slip
from tilewright.analysis.permutation.choices import PermutationChoice, permutation_choices
from tilewright.analysis.permutation.explained import PermutationExplanation, explain_permutation
from tilewright.atoms import catalog
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.layout.layout import Layout

SOURCE = "the guide to permutations"
WARPS = Layout((2, 2, 1))
ATOM = "SM80_16x8x16_F32F16F16F32_TN"


class Cases(NamedTuple):
    """The scalar case, the tensor-core case, and the latter with a layout in place of the integer."""

    simt: PermutationExplanation
    tensor: PermutationExplanation
    grouped: PermutationExplanation


def cases() -> Cases:
    """The guide's two cases, and the second with a layout.

    >>> [case.accumulators for case in cases()]
    [64, 128, 128]
    """
    r4 = Layout((16, 4), (4, 1))
    simt = make_tiled_mma(universal_fma(), Layout((16, 16, 1)), (r4, r4, None))
    tensor = make_tiled_mma(catalog.mma(ATOM), WARPS, (32, 32, 16))
    grouped = make_tiled_mma(catalog.mma(ATOM), WARPS, (32, Layout((8, 2, 2), (1, 16, 8)), 16))
    return Cases(
        explain_permutation(simt, (128, 128, 8)),
        explain_permutation(tensor, (128, 128, 32)),
        explain_permutation(grouped, (128, 128, 32)),
    )


def slips() -> tuple[Slip, ...]:
    """The guide's errors, with the computed values.

    >>> [slip.right for slip in slips()][5]
    '128 accumulators ((2, 2), 4, 8), 512 bytes'
    """
    found = cases()
    choices = permutation_choices(16, 128, 32)
    return (*_scalar(choices[0], choices[2], choices[3], found.simt), *_tensor(found.tensor), *_chosen(found))


def _scalar(
    one: PermutationChoice, four: PermutationChoice, eight: PermutationChoice, simt: PermutationExplanation
) -> tuple[Slip, ...]:
    owned = list(sum(one.elements(), ()))
    shapes = [_shape(choice) for choice in (one, eight)]
    return (
        Slip("permutation for R = 4", "(16, 4):(/4, 1)", str(four.permutation), "(F,R):(R,1) with F = 16 and R = 4."),
        Slip(
            "elements of thread 0 for R = 1",
            "0, 8, 16, .. 56",
            ", ".join(map(str, owned)),
            f"the period is F R = {one.period}; its own table of the choices has this row right.",
        ),
        Slip(
            "shapes of a thread for R = 1 and R = 8",
            f"{one.shape} and {eight.shape}",
            " and ".join(shapes),
            "CuTe leaves out modes of extent 1, in a partition of the tile as everywhere.",
        ),
        Slip(
            "coalescing for R = 1",
            "scattered over many cache lines",
            f"coalesced: each store uses {100 * one.report.efficiency:.0f} % of its sectors",
            f"for one value 16 threads touch 16 neighbours; what is lost is the width of the vectors, {one.vector_bits}"
            f" bits in place of {four.vector_bits}.",
        ),
        Slip(
            "stores for R = 8",
            "256-bit stores, as good as R = 4",
            f"{eight.instructions} stores of {eight.vector_bits} bits, each using {100 * eight.report.efficiency:.0f} %"
            " of its sectors",
            "8 x 32 bits are two vectors, and each store leaves out every other one.",
        ),
    )


def _shape(choice: PermutationChoice) -> str:
    mma = make_tiled_mma(universal_fma(), Layout((16, 16, 1)), (choice.permutation, choice.permutation, None))
    return str(mma.partition_shape("C", (128, 128))[1])


def _tensor(tensor: PermutationExplanation) -> tuple[Slip, ...]:
    m, n = tensor.modes[:2]
    warps = tensor.atoms
    return (
        Slip(
            "accumulators of a thread",
            "4 x 4 x 4 = 64, 256 bytes",
            f"{tensor.accumulators} accumulators {tensor.fragment}, {tensor.accumulator_bytes} bytes",
            f"the repetition along N counts, too: {n.steps} steps of {n.expansion} atoms.",
        ),
        Slip(
            "MMA calls per K step",
            "16, and 32 per tile of K",
            f"{tensor.mma_per_k_step} of each warp, {tensor.mma_per_k_tile} per tile of K",
            f"{m.steps * n.steps} is the number of steps; all {warps} warps together issue"
            f" {warps * tensor.mma_per_k_step} per K step.",
        ),
        Slip(
            "whose responsibility 32 x 32 is",
            "one thread's",
            f"that of all {tensor.tiled_mma.size} threads",
            f"{m.size} x {n.size} is the tile of the tiled MMA.",
        ),
    )


def _chosen(found: Cases) -> tuple[Slip, ...]:
    sizes, regrouped = found.tensor.modes[1], found.grouped.modes[1]
    apart, together = (_runs(mode.runs()[:2]) for mode in (sizes, regrouped))
    return (
        Slip(
            "columns of a warp",
            "2 adjacent blocks of 8 columns",
            f"columns {apart}",
            "an integer never changes who owns what, it only enlarges the tile that tiled copies see.",
        ),
        Slip(
            "choice of the grouping",
            "none: with tensor cores a permutation is integers",
            f"{regrouped.permutation} is a permutation, too",
            f"with it the first warp has columns {together}: its two blocks of a step are neighbours.",
        ),
        Slip(
            "picture of the warps",
            "warp 1 to the right of warp 0",
            "warp 1 below warp 0",
            f"the atoms lie as {found.tensor.tiled_mma.atom_layout}; to the right it would take (2,2,1):(2,1,0).",
        ),
        Slip(
            "neighbouring threads",
            "thread 1 has the next columns of a row",
            "thread 1 has the next rows of a column",
            f"the threads lie as {found.simt.tiled_mma.atom_layout}; along a row they go with (16,16,1):(16,1,0).",
        ),
    )


def _runs(runs: tuple[tuple[int, int], ...]) -> str:
    return " and ".join(f"{begin}-{end - 1}" for begin, end in runs)
