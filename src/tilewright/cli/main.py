"""The command `tilewright`: finds the subcommand, and turns our errors into one clear message and an exit status.

0: all is well; 1: a finding (a conflict, a race, a mismatch); 2: bad input, or an answer that cannot be written.
Any other exception is a bug and shows.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import NoReturn

from tilewright import __version__
from tilewright.cli.output import complain, deliver
from tilewright.cli.uncollected import uncollected_to_the_end
from tilewright.errors import SimulationError, TilewrightError

# A subcommand is a module of this folder, and a line of the help, whose order this is.
COMMANDS = {
    "demo": "take one kernel from its source to its checked result",
    "show": "show a layout in every notation, with its sizes and values",
    "eval": "evaluate a layout at coordinates",
    "banks": "count the bank conflicts of accesses to shared memory",
    "swizzle": "find the swizzle that frees a tile of bank conflicts",
    "atoms": "list the MMA, copy and shared-memory layout atoms, or show one with its layouts",
    "explore": "open a page of this machine that shows layouts, owners, banks and kernels live",
    "run": "execute a Python file that defines and calls kernels, or one kernel",
    "compile": "print a kernel's text at a stage, or write cubin and C header",
    "opt": "run passes on MLIR text",
    "bench": "list the benchmarks of this checkout, or run some",
    "doctor": "say what was found: Python, libraries, compilers, GPU",
}

# These print as they go: files of the user's that they execute, the address of a page that they serve.
STREAMED = ("run", "bench", "explore")
# These read one text and answer.
BRIEF = (["opt"], ["banks"])

FINDING, BAD_INPUT = 1, 2

NEGATIVE = re.compile("-[0-9]")  # what starts so is a value, such as the addresses -4,0: argparse knows only numbers


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (default: that of the process) and gives the exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if argv is None and words[:1] in BRIEF:
        uncollected_to_the_end()
    if words and words[0] in STREAMED:
        return _ended(words, _status(words), "")
    answer = StringIO()
    with redirect_stdout(answer):
        status = _status(words)
    return _ended(words, status, answer.getvalue())


def _status(words: list[str]) -> int:
    """The status of a command, whose answer is printed."""
    try:
        args = _parsed(parser(words), words)
    except SystemExit as stop:  # argparse has said what is wrong, or printed its help
        return int(stop.code or 0)
    try:
        return int(args.run(args))
    except TilewrightError as error:
        complain(f"tilewright {args.command}: {error}")
        return FINDING if isinstance(error, SimulationError) else BAD_INPUT
    except BrokenPipeError:
        if args.command not in STREAMED:
            raise
        return 0  # the reader, such as `head`, has seen enough of what the file prints


def _parsed(top: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """The arguments; accesses may stand behind options, too: argparse itself gives a list one run of words alone."""
    args, rest = top.parse_known_args(words)
    if rest and (not hasattr(args, "accesses") or any(word.startswith("-") for word in rest)):
        top.error(f"unrecognized arguments: {' '.join(rest)}")
    return args if not rest else argparse.Namespace(**{**vars(args), "accesses": [*args.accesses, *rest]})


def _ended(words: list[str], status: int, answer: str) -> int:
    """The status, or that of bad input where the answer reaches nobody."""
    refused = deliver(answer)
    if refused is None:
        return status
    complain(f"{' '.join(['tilewright', *words[:1]])}: {refused}")
    return BAD_INPUT


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of a command line: of the subcommand named there, which alone is loaded, and a line of each other."""
    top = _Parser(prog="tilewright", description="GPU tile layouts: compute, see and run them.")
    top.add_argument("--version", action="version", version=f"tilewright {__version__}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    chosen = next((word for word in words if word in COMMANDS), None)
    for name, line in COMMANDS.items():
        if name == chosen:
            module = import_module(f"tilewright.cli.{name}")
            module.add_parser(subparsers, line)
            subparsers.choices[name].set_defaults(run=module.run)
            subparsers.choices[name]._negative_number_matcher = NEGATIVE
        else:
            subparsers.add_parser(name, help=line)
    return top


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; `--` is no value of an option, where argparse would make it an empty list."""

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        values = super()._get_values(action, arg_strings)
        if action.option_strings and values == [] and action.nargs is None:
            raise argparse.ArgumentError(action, "expected one argument")
        return values

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


if __name__ == "__main__":
    sys.exit(main())
