"""`tilewright run FILE`: executes a Python file with kernels in it, or one kernel of a Python file or of MLIR text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from tilewright.cli.options import file_name, integer
from tilewright.cli.output import complain
from tilewright.cli.sources import run_file
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import SimulationError, UsageError

if TYPE_CHECKING:
    from tilewright.runtime.session import Session
    from tilewright.targets.simulator.options import SimOptions

INTERRUPTED = 130  # as shells say it of Ctrl-C
MLIR = ".mlir"
TRACING = ("--trace", "--trace-json")
DRAWING = ("-o", "--output", "--trace-steps")
DESCRIPTION = """{words}.

  FILE.py            Python, which runs with all your rights, as `python FILE.py` would; what follows is its sys.argv
  FILE.py:KERNEL     one kernel of it: the file is executed to find it, the kernel runs on the arrays of --arg
  FILE.mlir:KERNEL   a kernel of MLIR text on the simulator, of any stage (tile, dispatched, lowered, final), or of
                     FlyDSL's dialect fly before its conversion to LLVM; `:KERNEL` may be left out where there is one

Options stand before FILE, or after FILE:KERNEL; --profile and --trace also right after FILE.py, -o after --trace."""
EPILOG = """values of --arg: zeros (what is not given), ones, arange, random (0 to 1, integers 0 to 99); with a shape
and a type to be checked, arange(8x8,float32); FILE.npy; for a number, itself. Of fly, a shape says the run-time
extents, and zeros(8x16:1x8) strides too; a parameter without memory takes its integers, 8,16. The exit
status is 0; 1 where the kernel does something undefined; 2 where the input is wrong; 130 after Ctrl-C, with the report
of what ran."""


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "run",
        help=words,
        description=DESCRIPTION.format(words=words),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_options(parser)
    parser.add_argument("file", metavar="FILE", help="the file, and the kernel in it behind a colon")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of FILE.py: what it finds in sys.argv")


def _add_options(parser: argparse.ArgumentParser) -> None:
    _add_looks(parser)
    parser.add_argument("--target", default=None, help="the target of kernels that name none (default: simulator)")
    parser.add_argument("--check", choices=("on", "off", "strict"), default=None, help="what the simulator refuses")
    parser.add_argument(
        "--schedule", choices=("lockstep", "random"), default=None, help="the order of blocks and warps"
    )
    parser.add_argument("--seed", type=integer, default=None, metavar="N", help="of the order, and of random arrays")
    parser.add_argument("--mma", choices=("exact", "fast"), default=None, help="how matrices are multiplied")
    parser.add_argument("--steps", type=integer, default=None, metavar="N", help="at most so many simulated ops")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument of the kernel")
    parser.add_argument("--out", action="append", default=[], metavar="NAME=FILE.npy", help="write it there afterwards")
    parser.add_argument("--grid", default=None, metavar="X,Y,Z", help="blocks of a launch, where MLIR text has none")
    parser.add_argument("--block", default=None, metavar="X,Y,Z", help="threads of a block, likewise")
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    parser.add_argument("--force", action="store_true", help="write over files that are there already")


def _add_looks(parser: argparse.ArgumentParser) -> None:
    absent = argparse.SUPPRESS
    parser.add_argument("--profile", action="store_true", default=absent, help="count what runs, by the source's line")
    parser.add_argument("--trace", default=absent, metavar="LANES", help="show all they do, such as block=0,lane=0-3")
    parser.add_argument("--trace-json", type=file_name, default=absent, metavar="FILE", help="write it (docs/trace.md)")
    words = "draw moments of it: .svg, .html, .png, .pdf, .tex, .txt or .json"
    parser.add_argument("-o", "--output", type=file_name, default=absent, metavar="FILE", help=words)
    words = "the steps that -o draws, such as 2,18 (default: the first of each access to shared memory)"
    parser.add_argument("--trace-steps", default=absent, metavar="STEPS", help=words)


class _Behind(argparse.ArgumentParser):
    """Reads options behind the file; what is wrong with them is an error like others."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def run(args: argparse.Namespace) -> int:
    """Executes the file or the kernel, then shows what was asked for."""
    from tilewright.cli.looks import check_drawn, show, write_trace
    from tilewright.figures.files import refuse_existing
    from tilewright.runtime.session import Session
    from tilewright.targets.simulator.observers.selection import Selection
    from tilewright.targets.simulator.options import SimOptions

    name, _, kernel = args.file.rpartition(":")
    whole = args.file.endswith((".py", MLIR)) or not name
    name, kernel = (args.file, "") if whole else (name, kernel)
    alone = not whole or name.endswith(MLIR)
    _read_behind(args, alone)
    looks = {key: getattr(args, key, None) for key in ("profile", "trace", "trace_json")}
    selection = None if looks["trace"] is None else Selection.parse(looks["trace"])
    if looks["trace_json"] and selection is None:
        raise UsageError("--trace-json writes what --trace chooses; give both")
    if looks["trace_json"] is not None:
        refuse_existing(looks["trace_json"], force=args.force)
    check_drawn(args, selection is not None)
    session = Session(bool(looks["profile"]), selection)
    switches = {key: getattr(args, key) for key in ("check", "schedule", "seed", "mma", "steps")}
    options = SimOptions().switched(**{key: value for key, value in switches.items() if value is not None})
    try:
        status = _ended(args, name, kernel, alone, session, options)
    except SimulationError as error:
        write_trace(error.trace, args)
        raise
    show(session, name, args, alone)
    return status


def _read_behind(args: argparse.Namespace, alone: bool) -> None:
    """Options behind the file: all where a kernel is named, else those of `_add_looks` that come first."""
    behind = _Behind(add_help=False, allow_abbrev=False)
    (_add_options if alone else _add_looks)(behind)
    words: list[str] = args.arguments
    count = len(words) if alone else _looks(words)
    _, rest = behind.parse_known_args(words[:count], args)
    if alone and rest:
        raise UsageError(f"{rest[0]!r:.100} is no option of a kernel's run (see tilewright run --help)")
    args.arguments = [*rest, *words[count:]]


def _looks(words: Sequence[str]) -> int:
    """How many of the first words are options of `_add_looks` with their values; -o is one behind --trace alone."""
    at, known = 0, set(TRACING)
    while at < len(words):
        name, joined, _ = words[at].partition("=")
        if name == "--profile" and not joined:
            at += 1
        elif name in known:
            at += 1 if joined else 2
            known |= set(DRAWING)
        else:
            break
    return min(at, len(words))


def _ended(args: argparse.Namespace, name: str, kernel: str, alone: bool, session: Session, options: SimOptions) -> int:
    from tilewright.cli.run_kernel import run_kernel

    try:
        if alone:
            run_kernel(name, kernel, args, session, options)
        else:
            _refuse_unused(args)
            _run_file(name, args, session, options)
    except KeyboardInterrupt:
        complain("tilewright run: interrupted")
        return INTERRUPTED
    return 0


def _refuse_unused(args: argparse.Namespace) -> None:
    """Raises `UsageError` for options that only a named kernel takes."""
    for option in ("arg", "out", "grid", "block"):
        if getattr(args, option):
            raise UsageError(f"--{option} is for one kernel: tilewright run FILE.py:KERNEL --{option} ..")


def _run_file(name: str, args: argparse.Namespace, session: Session, options: SimOptions) -> None:
    from contextlib import ExitStack

    from tilewright.arch import Target

    before = sys.argv
    sys.argv = [name, *args.arguments]
    looks = session.profile or session.selection is not None or args.json
    try:
        with ExitStack() as around:
            around.enter_context(options)
            if args.target is not None:
                around.enter_context(Target(args.target))
            if looks:
                around.enter_context(session)
            run_file(name)
    finally:
        sys.argv = before
