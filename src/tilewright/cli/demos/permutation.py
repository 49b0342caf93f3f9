"""`tilewright demo permutation`: document 004, computed: the choices of R, who owns what, and what was a slip."""

from __future__ import annotations

import argparse
import json

from tilewright.analysis.permutation.choices import PermutationChoices, permutation_choices
from tilewright.analysis.permutation.explained import PermutationExplanation, compare_permutations, explain_permutation
from tilewright.atoms import catalog
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.cli.options import integer
from tilewright.cli.subparsers import Subparsers
from tilewright.dtypes import dtype
from tilewright.layout.layout import Layout


def add_parser(demos: Subparsers) -> None:
    """Adds the demo."""
    words = "how a permutation shares a tile among threads (document 004)"
    parser = demos.add_parser("permutation", help=words, description=f"{words}.")
    parser.add_argument("--atoms", type=integer, default=16, metavar="F", help="atoms along the mode (default 16)")
    parser.add_argument("--block", type=integer, default=128, metavar="N", help="elements of the block (default 128)")
    parser.add_argument("--dtype", default="float32", help="element type of the block (default float32)")
    parser.add_argument("--arch", default="sm_90", help="architecture (default sm_90)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def show(args: argparse.Namespace) -> int:
    """Prints the derivation for the given numbers, then document 004's two cases and its comparison."""
    choices = permutation_choices(args.atoms, args.block, dtype(args.dtype).bits, arch=args.arch)
    simt, tensor, grouped = document_cases()
    if args.json:
        print(json.dumps({"choices": choices.to_json(), "cases": [c.to_json() for c in (simt, tensor, grouped)]}))
        return 0
    print("\n\n".join(_parts(args, choices, simt, tensor, grouped)))
    return 0


def document_cases() -> tuple[PermutationExplanation, PermutationExplanation, PermutationExplanation]:
    """Document 004's scalar case, its tensor-core case, and the latter with a layout in place of the integer.

    >>> [case.accumulators for case in document_cases()]
    [64, 128, 128]
    """
    r4 = Layout((16, 4), (4, 1))
    simt = make_tiled_mma(universal_fma(), Layout((16, 16, 1)), (r4, r4, None))
    atom = catalog.mma("SM80_16x8x16_F32F16F16F32_TN")
    tensor = make_tiled_mma(atom, Layout((2, 2, 1)), (32, 32, 16))
    grouped = make_tiled_mma(atom, Layout((2, 2, 1)), (32, Layout((8, 2, 2), (1, 16, 8)), 16))
    tiles = ((128, 128, 8), (128, 128, 32), (128, 128, 32))
    a, b, c = (explain_permutation(t, tile) for t, tile in zip((simt, tensor, grouped), tiles, strict=True))
    return a, b, c


def _parts(
    args: argparse.Namespace,
    choices: PermutationChoices,
    simt: PermutationExplanation,
    tensor: PermutationExplanation,
    grouped: PermutationExplanation,
) -> list[str]:
    bits = dtype(args.dtype).bits
    best = choices.best
    return [
        f"{args.atoms} atoms along a mode of {args.block} elements of {bits} bits: R must divide"
        f" {args.block} / {args.atoms} = {args.block // args.atoms}.\n{choices}\n"
        f"permutation: {best.permutation}; thread 0 gets {best.shape[0]} neighbours {best.shape[1]} times.",
        f"SIMT: the permutation makes the pattern.\n{simt}",
        f"Tensor cores: the atom makes the pattern, the integer a size.\n{tensor}",
        f"The steps over the tile:\n{tensor.step_picture()}",
        f"Tensor cores with a layout: the grouping is a choice after all.\n{grouped}",
        f"Compared:\n{compare_permutations(simt, tensor, grouped)}",
        _corrections(choices, tensor, grouped),
    ]


def _corrections(choices: PermutationChoices, tensor: PermutationExplanation, grouped: PermutationExplanation) -> str:
    """Where document 004 slips, with the computed numbers."""
    n, regrouped = tensor.modes[1], grouped.modes[1]
    owned, together = (" and ".join(f"{a}-{b - 1}" for a, b in mode.runs()[:2]) for mode in (n, regrouped))
    first = choices[0]
    return "\n".join(
        [
            "Where document 004 slips:",
            f"  - R = {first.group} is coalesced: each store uses {100 * first.report.efficiency:.0f} % of its sectors."
            f" Thread 0 has {list(sum(first.elements(), ()))}; what is lost is vector width.",
            f"  - A thread of the tensor-core case has {tensor.accumulators} accumulators {tensor.fragment}, not 64:"
            " the repetition along N counts too.",
            f"  - It issues {tensor.mma_per_k_step} MMAs per K step and {tensor.mma_per_k_tile} per tile;"
            f" {tensor.steps[0] * tensor.steps[1]} is the number of steps.",
            f"  - An integer never changes who owns what: the first atom along N keeps columns {owned}, which are not"
            f" adjacent. With {regrouped.permutation} it owns {together}.",
        ]
    )
