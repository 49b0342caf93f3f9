"""The lexer gives the tokens of xDSL's."""

from __future__ import annotations

import random
import re

from dump_cases import mutants
from repeated import MLIR_FILES
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from tilewright.ir.mlir.lexer import Lexer

ODD = (
    "// a b\n// c", "x1 4xf32 x", "0x1 0x 00 01 1.5 1e5 1.e5 0.5 1. 10x", "-1 -> - >", "#-} #-a {-# { %a.b-c % ^bb",
    "é 1é ٣ ...", "a//b c", "  \t\n", "/ //", "", "a /", "@a @ b", "x\x0cy\x0bz\x1c",
)  # fmt: skip


def tokens(lexer: MLIRLexer) -> list[tuple[object, ...]]:
    """What is read, and the error that ends it."""
    found: list[tuple[object, ...]] = []
    try:
        while not found or found[-1][0] is not MLIRTokenKind.EOF:
            token = lexer.lex()
            found.append((token.kind, token.span.start, token.span.end))
    except ParseError as error:
        found.append((error.msg, error.span.start, error.span.end))
    return found


def test_tokens_are_those_of_xdsl() -> None:
    """But within shapes, where its own runs to their end; without quotes, at which its own may never end."""
    texts = [path.read_text() for path in MLIR_FILES]
    for text in (*ODD, *texts, *mutants(random.Random(5), 150, texts, most=3)):
        plain = re.sub("(?<=[0-9])x(?=[0-9]+x)", " ", text.replace('"', ""))
        assert tokens(Lexer(Input(plain, "a"))) == tokens(MLIRLexer(Input(plain, "a")))


def test_a_shape_is_read_dimension_by_dimension() -> None:
    words = [Input("4x8x2xf32", "a").content[start:end] for _, start, end in tokens(Lexer(Input("4x8x2xf32", "a")))]
    assert words == ["4", "x", "8", "x", "2", "xf32", ""]
