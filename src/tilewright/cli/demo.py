"""`tilewright demo NAME`: shows what the package does, with checked results."""

from __future__ import annotations

import argparse

from tilewright.cli.demos import permutation, permute, swizzle
from tilewright.cli.subparsers import Subparsers

DEMOS = {"permute": permute, "permutation": permutation, "swizzle": swizzle}


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand, with one of its own for each demo."""
    parser = subparsers.add_parser("demo", help=words, description=f"{words}.")
    demos = parser.add_subparsers(dest="demo", required=True, metavar="NAME", title="demos")
    for name, demo in DEMOS.items():
        demo.add_parser(demos)
        demos.choices[name].set_defaults(show=demo.show)


def run(args: argparse.Namespace) -> int:
    """Runs the demo."""
    return int(args.show(args))
