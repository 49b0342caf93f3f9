"""`tilewright opt FILE.mlir [--PASS[=OPTIONS] ...]`: reads IR text, verifies it, runs passes, prints it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tilewright.cli.output import complain
from tilewright.cli.sources import existing
from tilewright.errors import TilewrightError, UsageError, shown

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from tilewright.ir.diagnostics import Diagnostic
    from tilewright.ir.reader import Source

MOST_BYTES = 1 << 20
SEPARATOR = "// -----"
FLAGS = ("verify-diagnostics", "verify-each", "split-input-file", "mlir-print-op-generic", "help")
HELP = """parse, verify, run passes on and print MLIR (tile, builtin, func, arith, scf, cf, memref, gpu)

  FILE.mlir               the file, - for standard input (the default); at most 1 MiB
  --PASS[=OPTIONS]        run a pass, in the order written: --dispatch=lanes=64
  --pass-pipeline=TEXT    passes as MLIR writes them: builtin.module(simplify,cse)
  --verify-each           verify after each pass
  --verify-diagnostics    check the errors against comments: // expected-error @+1 {{words}}
  --split-input-file      the file holds several modules, between lines of // -----
  --mlir-print-op-generic print without custom syntax
  --help                  this text

One dash does as well as two. The exit status is 0; 1 where an expected error does not come, or another does; 2 where
the input is wrong."""


@dataclass(frozen=True)
class Request:
    """What a command line asks for."""

    file: str = "-"
    flags: frozenset[str] = frozenset()
    passes: tuple[ModulePass, ...] = field(default=())


def add_parser(subparsers: Any) -> None:
    """Adds the subcommand, whose words are read here: passes come in any number and order, with one dash or two."""
    parser = subparsers.add_parser(
        "opt",
        help="run passes on MLIR text",
        usage="tilewright opt [FILE.mlir] [--PASS[=OPTIONS] ...] [FLAG ...]",
        description=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prefix_chars="\x00",
        add_help=False,
    )
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.set_defaults(help_text=parser.format_help())


def run(args: argparse.Namespace) -> int:
    """Prints each module after its passes, and what is wrong with the others."""
    request = requested(args.words)
    if "help" in request.flags:
        print(args.help_text, end="")
        return 0
    expecting = "verify-diagnostics" in request.flags
    printed: list[str] = []
    wrong: list[Diagnostic] = []
    for source in _sources(request):
        text, told = processed(source, request)
        wrong += _unmet(source, told) if expecting else told
        printed += [text] if text else []
    print(f"\n{SEPARATOR}\n".join(printed), end="")
    for diagnostic in wrong:
        complain(str(diagnostic))
    return (1 if expecting else 2) if wrong else 0


def requested(words: Sequence[str]) -> Request:
    """The request of a command line's words.

    Raises:
        UsageError: a word is no flag and no pass, or there are two files.
    """
    files = [word for word in words if word == "-" or not word.startswith("-")]
    if len(files) > 1:
        raise UsageError(f"one file at a time, got {shown(files[0])} and {shown(files[1])}")
    request = Request(files[0] if files else "-")
    for word in words:
        if word not in files:
            request = _with(request, word)
    return request


def _with(request: Request, word: str) -> Request:
    name, equals, value = word.removeprefix("-").removeprefix("-").partition("=")
    if name in FLAGS or name == "h":
        if equals and value not in ("true", "1", "all", "false", "0"):
            raise UsageError(f"--{name} is true or false, got {shown(value)}")
        name = "help" if name == "h" else name
        return replace(request, flags=request.flags - {name} if value in ("false", "0") else request.flags | {name})
    from tilewright.passes.registry import ALIASES, FOREIGN, PASSES, pass_of, pipeline_of

    if name == "pass-pipeline":
        return replace(request, passes=(*request.passes, *pipeline_of(value)))
    if name not in (*PASSES, *ALIASES, *FOREIGN):
        known = ", ".join(f"--{known}" for known in (*PASSES, "pass-pipeline", *FLAGS))
        raise UsageError(f"{shown(word)} is no pass and no flag; there are {known}")
    return replace(request, passes=(*request.passes, pass_of(name, value)))


def processed(source: Source, request: Request) -> tuple[str, list[Diagnostic]]:
    """The text of a module after the passes, and what is wrong with it; one of the two is empty."""
    from tilewright.ir.diagnostics import DiagnosticError
    from tilewright.ir.reader import problems, read
    from tilewright.ir.text import print_module

    try:
        found = read(source)
        # Values of our own dialect keep the names that their kernel gave them; others have MLIR's own.
        numbered = not found.speaks_of("tile")
        wrong = problems(found) or _passed(found.module, source, request)
        if wrong:
            return "", wrong
        return print_module(found.module, "mlir-print-op-generic" in request.flags, numbered), []
    except DiagnosticError as error:
        return "", [error.diagnostic]


def _passed(module: Any, source: Source, request: Request) -> list[Diagnostic]:
    from tilewright.ir.diagnostics import of_message
    from tilewright.ir.dialects import context
    from tilewright.ir.text import verify

    last = request.passes[-1:]
    for step in request.passes:
        try:
            step.apply(context(), module)
            if "verify-each" in request.flags or (step,) == last:
                verify(module)
        except TilewrightError as error:
            return [of_message(source.file, source.text, f"{error}", source.first_line)]
    return []


def _unmet(source: Source, told: Sequence[Diagnostic]) -> list[Diagnostic]:
    from tilewright.ir.expectations import expectations, unmet

    found = unmet(expectations(source.text, source.first_line), told)
    return [replace(diagnostic, file=source.file) for diagnostic in found]


def _sources(request: Request) -> Iterator[Source]:
    from tilewright.ir.reader import Source

    name, text = (
        ("<stdin>", _decoded(sys.stdin.buffer.read(MOST_BYTES + 1))) if request.file == "-" else _file(request.file)
    )
    whole = Source(name, text)
    yield from _split(whole) if "split-input-file" in request.flags else [whole]


def _split(whole: Source) -> Iterator[Source]:
    lines, first = whole.text.split("\n"), 0
    cuts = [i for i, line in enumerate(lines) if line.strip() == SEPARATOR]
    for cut in [*cuts, len(lines)]:
        yield replace(whole, text="\n".join(lines[first:cut]), first_line=first + 1)
        first = cut + 1


def _standard_input() -> tuple[str, str]:
    return "<stdin>", _decoded(sys.stdin.buffer.read(MOST_BYTES + 1))


def _file(name: str) -> tuple[str, str]:
    try:
        with existing(name).open("rb") as file:
            return name, _decoded(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise UsageError(f"cannot read {name!r:.300}: {error.strerror}") from None


def _decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise UsageError(f"a file of at most {MOST_BYTES} bytes is read, this one is larger; split it")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"the file is not UTF-8: {error.reason} at byte {error.start}") from None
