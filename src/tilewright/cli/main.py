"""The command `tilewright`: finds the subcommand, and turns our errors into one clear message and an exit status.

0: all is well; 1: a finding (a conflict, a race, a mismatch); 2: bad input, or an answer that cannot be written.
Any other exception is a bug and shows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import NoReturn

from tilewright import __version__
from tilewright.cli.output import complain, deliver
from tilewright.errors import SimulationError, TilewrightError

# A subcommand is a module of this folder; the order is that of the help.
COMMANDS = ("demo", "show", "eval", "banks", "swizzle", "atoms", "run", "compile", "opt", "bench", "doctor")

# These execute files of the user's, whose output is theirs and comes as they print it.
STREAMED = ("run", "bench")

FINDING, BAD_INPUT = 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line (default: that of the process) and gives the exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words and words[0] in STREAMED:
        return _ended(words, _status(words), "")
    answer = StringIO()
    with redirect_stdout(answer):
        status = _status(words)
    return _ended(words, status, answer.getvalue())


def _status(words: list[str]) -> int:
    """The status of a command, whose answer is printed."""
    try:
        args = parser(words[0] if words else "").parse_args(words)
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


def _ended(words: list[str], status: int, answer: str) -> int:
    """The status, or that of bad input where the answer reaches nobody."""
    refused = deliver(answer)
    if refused is None:
        return status
    complain(f"{' '.join(['tilewright', *words[:1]])}: {refused}")
    return BAD_INPUT


def parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of one subcommand, which alone is loaded; of all of them where there is no such one."""
    top = _Parser(prog="tilewright", description="GPU tile layouts: compute, see and run them.")
    top.add_argument("--version", action="version", version=f"tilewright {__version__}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for name in [command] if command in COMMANDS else COMMANDS:
        module = import_module(f"tilewright.cli.{name}")
        module.add_parser(subparsers)
        subparsers.choices[name].set_defaults(run=module.run)
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
