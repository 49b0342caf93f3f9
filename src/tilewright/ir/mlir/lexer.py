"""The tokens of MLIR text: xDSL's, those that texts are made of found by one pattern each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import KIND_BY_PUNCTUATION_SPELLING as PUNCTUATION
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken
from xdsl.utils.mlir_lexer import MLIRTokenKind as Kind

# Blanks and comments, and a token that ends where no other one could go on. Strings, other numbers, what begins with a
# dot, `@` or `{`, letters that are not ASCII, the end, and what is no token are left to xDSL. In `4x8x2xf32` the first
# `x` is one token: xDSL reads on from each to the end of the dimensions.
_TOKEN = re.compile(
    r"(?:\s++|//[^\n]*+)*+(?:"
    r"((?<=[0-9])x(?=[0-9]+x)|[A-Za-z_][A-Za-z0-9_$.]*+)|([:,()}\[\]<>=+*?|]|->)"
    r"|([%!^]|#(?!-\}))(?:[0-9]+|[A-Za-z$._-][\w$.-]*+)|([1-9][0-9]*+(?!\.)|0(?![x.0-9])))",
    re.ASCII,
)
_PREFIXED: Mapping[str, Kind] = MappingProxyType(
    {"%": Kind.PERCENT_IDENT, "!": Kind.EXCLAMATION_IDENT, "^": Kind.CARET_IDENT, "#": Kind.HASH_IDENT}
)
_KINDS = (None, Kind.BARE_IDENT, None, None, Kind.INTEGER_LIT)


class Lexer(MLIRLexer):
    """Gives the tokens that xDSL's lexer gives."""

    def lex(self) -> MLIRToken:
        """The next token."""
        found = _TOKEN.match(self.input.content, self.pos)
        if found is None:
            return super().lex()
        self.pos = found.end()
        group = found.lastindex or 0
        kind = _KINDS[group] or (PUNCTUATION if group == 2 else _PREFIXED)[found[group]]
        return MLIRToken(kind, Span(found.start(group), self.pos, self.input))
