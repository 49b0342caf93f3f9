"""`tilewright compile FILE.py:NAME --emit WHAT`: the text of a kernel at any stage."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tilewright.cli.options import file_name
from tilewright.cli.sources import find_kernel
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError

if TYPE_CHECKING:
    from tilewright.runtime.compile import KernelSource


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "compile",
        help=words,
        description=f"{words}. The file that defines the kernel is Python and is executed to find it.",
    )
    parser.add_argument("kernel", metavar="FILE.py:NAME", help="the file and the kernel in it")
    parser.add_argument(
        "--emit",
        required=True,
        metavar="WHAT",
        help="a stage (tile, dispatched, lowered, final) as MLIR text, script:STAGE as a Python-like script, or cuda",
    )
    parser.add_argument("--target", default=None, help="such as simulator or cuda:sm_90a (default: as --emit needs)")
    parser.add_argument("-o", "--output", type=file_name, metavar="FILE", help="write there instead of printing")
    parser.add_argument("--force", action="store_true", help="write over a file that is there already")


def run(args: argparse.Namespace) -> int:
    """Lowers as far as is asked, then prints or writes the text."""
    from tilewright.figures.files import write

    kernel = find_kernel(args.kernel)
    text = _cuda(kernel, args.target) if args.emit == "cuda" else _stage(kernel, args.emit, args.target)
    if args.output:
        write(args.output, text, force=args.force)
    else:
        print(text, end="" if text.endswith("\n") else "\n")
    return 0


def _cuda(kernel: KernelSource, target: str | None) -> str:
    from tilewright.runtime.compile import compile as compile_kernel

    return compile_kernel(kernel, target=target or "cuda").source


def _stage(kernel: KernelSource, what: str, target: str | None) -> str:
    from tilewright.ir.script.tirx import script
    from tilewright.ir.text import print_module
    from tilewright.passes.pipeline import STAGES, run
    from tilewright.runtime.compile import module_of
    from tilewright.runtime.executors import supported

    form, _, stage = what.rpartition(":")
    if form not in ("", "script") or stage not in STAGES:
        raise UsageError(f"cannot emit {what!r}; choose cuda, a stage ({', '.join(STAGES)}), or script:STAGE")
    lanes = supported(target or "simulator").arch.lanes
    module = run(module_of(kernel), stage, lanes=lanes).module
    return script(module) if form == "script" else print_module(module)
