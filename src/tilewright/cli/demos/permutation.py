"""`tilewright demo permutation`: the choices of R, who owns what, and what a guide gets wrong."""

from __future__ import annotations

import argparse
import json

from tilewright.analysis.model.slip import listed
from tilewright.analysis.permutation.choices import PermutationChoices, permutation_choices
from tilewright.analysis.permutation.explained import PermutationExplanation, compare_permutations
from tilewright.analysis.permutation.slips import SOURCE, cases, slips
from tilewright.cli.options import integer
from tilewright.cli.subparsers import Subparsers
from tilewright.dtypes import dtype


def add_parser(demos: Subparsers) -> None:
    """Adds the demo."""
    words = "how a permutation shares a tile among threads"
    parser = demos.add_parser("permutation", help=words, description=f"{words}.")
    parser.add_argument("--atoms", type=integer, default=16, metavar="F", help="atoms along the mode (default 16)")
    parser.add_argument("--block", type=integer, default=128, metavar="N", help="elements of the block (default 128)")
    parser.add_argument("--dtype", default="float32", help="element type of the block (default float32)")
    parser.add_argument("--arch", default="sm_90", help="architecture (default sm_90)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def show(args: argparse.Namespace) -> int:
    """Prints the derivation for the given numbers, then two cases of a tile of 128 x 128, compared."""
    choices = permutation_choices(args.atoms, args.block, dtype(args.dtype).bits, arch=args.arch)
    simt, tensor, grouped = cases()
    if args.json:
        print(
            json.dumps(
                {
                    "choices": choices.to_json(),
                    "cases": [c.to_json() for c in (simt, tensor, grouped)],
                    "slips": [s._asdict() for s in slips()],
                }
            )
        )
        return 0
    print("\n\n".join(_parts(args, choices, simt, tensor, grouped)))
    return 0


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
        listed(SOURCE, slips()),
    ]
