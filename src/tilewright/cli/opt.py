"""`tilewright opt FILE.mlir [--PASS[=OPTIONS] ...]`: reads IR text, verifies it, runs passes, prints it."""

from __future__ import annotations

import argparse
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.opt_words import SEPARATOR, Request, requested
from tilewright.cli.output import complain
from tilewright.cli.sources import existing
from tilewright.cli.subparsers import Subparsers
from tilewright.cli.uncollected import uncollected
from tilewright.errors import CompileError, TilewrightError, UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from tilewright.ir.diagnostics import Diagnostic
    from tilewright.ir.reader import Source

MOST_BYTES = 1 << 20
MOST_MODULES = 1 << 11
# Terms of the run-time integers of a module, and how many more of each character of its text: kernels have some ten
# thousands, long chains of ops a third of what their text allows.
MOST_TERMS, TERMS_OF_A_CHARACTER = 200_000, 6
HELP = """parse, verify, run passes on and print MLIR (tile, fly, builtin, func, arith, scf, cf, memref, vector, gpu)

  FILE.mlir                     the file, - for standard input (the default); at most 1 MiB
  --PASS[=OPTIONS]              run a pass, in the order written: --dispatch=lanes=64; --unroll takes loops marked
                                `tile.unroll`, --unroll=all=true every loop of constant bounds
  --pass-pipeline=TEXT          passes as MLIR writes them: builtin.module(simplify,cse)
  -o FILE                       write there instead of printing, over a file that is there; never over the input
  --split-input-file[=LINE]     the file holds several modules, between lines of // -----, or of LINE
  --allow-unregistered-dialect  take ops of other dialects too, in generic form
  --verify-each                 verify after each pass
  --verify-diagnostics          check the errors against comments: // expected-error @+1 {{words}}; all that come, or
                                with =only-expected those that the comments name
  --mlir-print-op-generic       print without custom syntax
  --mlir-print-debuginfo        print the place of each op in the source
  --mlir-print-ir-before-all    print the module before each pass, to standard error; -after-all: after each
  --show-dialects, --version    print these, and no more
  --help                        this text

What a pass leaves though it was asked for is remarked on, on standard error.
One dash does as well as two. The exit status is 0; 1 where an expected error does not come, or another does; 2 where
the input is wrong."""


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand, whose words are read here: passes come in any number and order, with one dash or two."""
    parser = subparsers.add_parser(
        "opt",
        help=words,
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
    if request.flags & {"version", "show-dialects"}:
        print(_about(request.flags))
        return 0
    _keep_input(request)
    expecting = "verify-diagnostics" in request.flags
    printed: list[str] = []
    told: list[Diagnostic] = []
    for source in _sources(request):
        text, found = processed(source, request)
        told += _unmet(source, found, "only-expected" in request.flags) if expecting else found
        printed += [text] if text else []
    wrong = any(diagnostic.kind == "error" for diagnostic in told)
    if not wrong or request.output == "-":
        _give(f"\n{SEPARATOR}\n".join(printed), request)
    for diagnostic in told:
        complain(str(diagnostic))
    return (1 if expecting else 2) if wrong else 0


def _give(text: str, request: Request) -> None:
    if request.output == "-":
        print(text, end="")
        return
    from tilewright.figures.files import write

    write(request.output, text, force=True)


def _keep_input(request: Request) -> None:
    """Refuses the input as output."""
    names = (request.file, request.output)
    if "-" not in names and Path(request.output).exists() and Path(request.output).samefile(existing(request.file)):
        raise UsageError(f"{request.output!r:.300} is the input; write the answer to another file")


def _about(flags: frozenset[str]) -> str:
    from tilewright import __version__
    from tilewright.ir.dialects import names

    return f"tilewright {__version__}" if "version" in flags else "dialects: " + ", ".join(names())


def processed(source: Source, request: Request) -> tuple[str, list[Diagnostic]]:
    """The text of a module after the passes, empty where there is an error, and what is to be said of it."""
    from tilewright.layout.symbolic.work import bounded

    with bounded(MOST_TERMS + TERMS_OF_A_CHARACTER * len(source.text)), uncollected():
        return _processed(source, request)


def _processed(source: Source, request: Request) -> tuple[str, list[Diagnostic]]:
    from tilewright.ir.diagnostics import DiagnosticError, of_message
    from tilewright.ir.reader import problems, read

    try:
        found = read(source, "allow-unregistered-dialect" in request.flags)
        # Values of our own dialect keep the names that their kernel gave them; others have MLIR's own.
        numbered = not found.speaks_of("tile")
        told = problems(found) or list(_passed(found.module, source, request, numbered))
        if any(diagnostic.kind == "error" for diagnostic in told):
            return "", told
        return _printed(found.module, source, request, numbered), told
    except DiagnosticError as error:
        return "", [error.diagnostic]
    except CompileError as error:  # where it is printed
        return "", [of_message(source.file, source.text, f"{error}", source.first_line)]


def _printed(module: ModuleOp, source: Source, request: Request, numbered: bool) -> str:
    from tilewright.ir.fly.wording import wording
    from tilewright.ir.text import print_module

    flags = request.flags
    return print_module(
        module,
        "mlir-print-op-generic" in flags,
        numbered,
        places="mlir-print-debuginfo" in flags,
        words=wording(source.text),
    )


def _passed(module: ModuleOp, source: Source, request: Request, numbered: bool) -> Iterator[Diagnostic]:
    from tilewright.ir.diagnostics import of_message
    from tilewright.ir.dialects import context
    from tilewright.ir.text import verify
    from tilewright.passes.remarks import remarks

    last = request.passes[-1:]
    for step in request.passes:
        try:
            if "mlir-print-ir-before-all" in request.flags:
                _dump("Before", step, _printed(module, source, request, numbered))
            for words in remarks(step, module):
                yield of_message(source.file, source.text, words, source.first_line, "remark")
            step.apply(context(), module)
            if "verify-each" in request.flags or (step,) == last:
                verify(module)
            if "mlir-print-ir-after-all" in request.flags:
                _dump("After", step, _printed(module, source, request, numbered))
        except TilewrightError as error:
            yield of_message(source.file, source.text, f"{error}", source.first_line)
            return
        except RecursionError:
            words = f"the pass {step.name} meets something that is nested too deeply"
            yield of_message(source.file, source.text, words, source.first_line)
            return


def _dump(when: str, step: ModulePass, text: str) -> None:
    complain(f"// -----// IR Dump {when} {step.name} //----- //\n{text}")


def _unmet(source: Source, told: Sequence[Diagnostic], only_expected: bool) -> list[Diagnostic]:
    from tilewright.ir.expectations import expectations, unmet

    found = unmet(expectations(source.text, source.first_line), told, only_expected)
    return [replace(diagnostic, file=source.file) for diagnostic in found]


def _sources(request: Request) -> Iterator[Source]:
    from tilewright.ir.reader import Source

    name, text = (
        ("<stdin>", _decoded(sys.stdin.buffer.read(MOST_BYTES + 1))) if request.file == "-" else text_of(request.file)
    )
    whole = Source(name, text)
    yield from _split(whole, request.separator) if "split-input-file" in request.flags else [whole]


def _split(whole: Source, separator: str) -> Iterator[Source]:
    lines, first = whole.text.split("\n"), 0
    cuts = [i for i, line in enumerate(lines) if line.strip() == separator]
    if len(cuts) >= MOST_MODULES:
        raise UsageError(f"a file of at most {MOST_MODULES} modules is split, this one has {len(cuts) + 1}")
    for cut in [*cuts, len(lines)]:
        yield replace(whole, text="\n".join(lines[first:cut]), first_line=first + 1)
        first = cut + 1


def _standard_input() -> tuple[str, str]:
    return "<stdin>", _decoded(sys.stdin.buffer.read(MOST_BYTES + 1))


def text_of(name: str) -> tuple[str, str]:
    """The name and the text of a file of MLIR.

    Raises:
        UsageError: there is none, it is too large, or no UTF-8.
    """
    try:
        with existing(name).open("rb") as file:
            return name, _decoded(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise UsageError(f"cannot read {name!r:.300}: {error.strerror}") from None


def _decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise UsageError(f"a file of at most {MOST_BYTES} bytes is read, this one is larger; split it")
    if data.startswith(BOM_UTF8):
        raise UsageError("the file begins with a byte order mark (EF BB BF), which MLIR does not take; save it without")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"the file is not UTF-8: {error.reason} at byte {error.start}") from None
