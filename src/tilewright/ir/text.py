"""Modules as MLIR text, and back."""

from __future__ import annotations

from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from tilewright.errors import CompileError, NotationError
from tilewright.ir.dialects import context
from tilewright.ir.mlir.text import MlirParser, MlirPrinter, NumberedPrinter
from tilewright.ir.verified import Verifier


def print_module(
    op: Operation,
    generic: bool = False,
    numbered: bool = False,
    places: bool = False,
    words: frozenset[str] = frozenset(),
) -> str:
    """The MLIR text of a module or op; `parse_module` reads it back.

    Args:
        generic: without custom syntax. numbered: with MLIR's own names of values, `%arg0`, not those they were given.
        places: with the place of every op in its source, `loc("a.mlir":3:7)`.
        words: the spellings to use that are not the usual ones, as `ir.fly.wording` finds them in a text.

    Raises:
        CompileError: it holds what has no text: expressions nested too deeply, numbers of thousands of digits.
    """
    out = StringIO()
    kind = NumberedPrinter if numbered else MlirPrinter
    printer = kind(stream=out, print_generic_format=generic, print_debuginfo=places)
    printer.words = words
    try:
        printer.print_numbered(op) if isinstance(printer, NumberedPrinter) else printer.print_op(op)
    except RecursionError:
        raise CompileError("the module cannot be printed: something in it is nested too deeply") from None
    except Exception as error:  # xDSL's own printers raise whatever they like
        raise CompileError(f"the module cannot be printed: {error}") from error
    return out.getvalue() + "\n"


def parse_module(text: str) -> ModuleOp:
    """The module of an MLIR text, verified.

    Raises:
        NotationError: the text is not MLIR of the dialects in use; carries the parser's place.
        CompileError: an op breaks its rules.
    """
    try:
        module = MlirParser(context(), text).parse_module()
        Verifier().module(module)
    except ParseError as error:
        raise NotationError(f"cannot read this MLIR text: {error}") from error
    except Exception as error:  # xDSL's own checks raise whatever they like, ours are VerifyExceptions
        raise CompileError(f"invalid IR: {error}") from error
    return module


def verify(module: ModuleOp) -> None:
    """Raises `CompileError` where an op breaks its rules."""
    try:
        Verifier().module(module)
    except Exception as error:  # as in `parse_module`
        raise CompileError(f"invalid IR: {error}") from error
