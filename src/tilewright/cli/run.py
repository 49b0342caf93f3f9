"""`tilewright run FILE.py`: executes a Python file with kernels in it."""

from __future__ import annotations

import argparse
import sys

from tilewright.cli.sources import run_file
from tilewright.cli.subparsers import Subparsers


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "run",
        help=words,
        description=f"{words}. The file is Python and runs with all your rights, as `python FILE.py` would.",
    )
    parser.add_argument("file", metavar="FILE.py", help="the Python file; it is executed")
    parser.add_argument("--target", default=None, help="the target of kernels that name none (default: simulator)")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the file finds in sys.argv")


def run(args: argparse.Namespace) -> int:
    """Executes the file with the target as the current one."""
    from tilewright.arch import Target

    before = sys.argv
    sys.argv = [args.file, *args.arguments]
    try:
        if args.target is None:
            run_file(args.file)
        else:
            with Target(args.target):
                run_file(args.file)
    finally:
        sys.argv = before
    return 0
