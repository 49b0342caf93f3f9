"""`tilewright demo permute`: scale factors of a matrix, permuted by TIRx's kernel, every element checked."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.options import file_name, integer
from tilewright.cli.pictures import add_output
from tilewright.cli.subparsers import Subparsers

if TYPE_CHECKING:
    from tilewright.cli.demos.permute_run import Run


def add_parser(subparsers: Subparsers) -> None:
    """Adds the demo."""
    words = "transpose the scale factors of a block-scaled matrix in a warp's registers"
    parser = subparsers.add_parser("permute", help=words, description=f"{words}.")
    add = parser.add_argument
    add(
        "--input",
        type=file_name,
        metavar="FILE.npy",
        help="a matrix of floats to quantise, or scale factors (default: a random matrix)",
    )
    add("--pipe", type=integer, metavar="N", help="stages (default: as many as the file has, else 2)")
    add("--blk", type=integer, default=128, metavar="N", help="scale factors of a stage: 128, 256, .. (default: 128)")
    add("--dtype", help="element type of the scale factors (default: that of the file, else float32)")
    add("--staging", choices=("global", "shared"), default="global", help="where the warp permutes (default: global)")
    add("--no-swizzle", action="store_true", help="keep the registers in order, to see the bank conflicts")
    add("--emit-cuda", type=file_name, metavar="FILE", help="write the CUDA text there")
    add_output(parser, " (default: an SVG whose name is made of the parameters)")


def show(args: argparse.Namespace) -> int:
    """Runs the demo and says what it found: 0, or 1 when an element is not where the definition puts it."""
    from tilewright.cli.demos.permute_run import Run
    from tilewright.cli.demos.permute_setup import prepare
    from tilewright.cli.demos.permute_text import text
    from tilewright.figures.files import write

    run = Run.of(prepare(args))
    lines = [text(run)]
    if args.emit_cuda:
        lines.append(f"CUDA      {write(args.emit_cuda, run.compiled.source, force=args.force)}")
    lines.append(f"picture   {_save(run, args)}")
    print("\n".join(lines))
    return run.status


def _save(run: Run, args: argparse.Namespace) -> Path:
    from tilewright.figures.files import holds

    picture, default = run.picture(), f"{run.setup.name}.svg"
    # Under its default name the picture of an earlier run may stay; a file that the user names is always a new one.
    again = args.output is None and holds(default, picture.svg())
    return picture.save(args.output or default, force=args.force or again)
