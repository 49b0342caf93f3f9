"""The option that every command has which draws: `-o FILE`, in the form that the file's ending names."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.options import file_name

if TYPE_CHECKING:
    from tilewright.figures import Figure

ENDINGS = ".svg, .html, .png, .pdf, .tex, .txt or .json"


def add_output(parser: argparse.ArgumentParser, default: str = "") -> None:
    """Adds `-o` and `--force`; `--svg` is an older name of `-o`."""
    words = f"write the picture there: {ENDINGS}{default}"
    parser.add_argument("-o", "--output", "--svg", dest="output", type=file_name, metavar="FILE", help=words)
    parser.add_argument("--force", action="store_true", help="write over files that are there already")


def save(figure: Figure, args: argparse.Namespace) -> Path:
    """Writes the picture where `-o` says, and gives the path back."""
    return figure.save(args.output, force=args.force)
