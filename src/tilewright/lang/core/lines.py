"""The lines of a function in its file or notebook cell, and the statement that they are; each text is read once."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from functools import lru_cache
from types import CodeType


def lines_of(code: CodeType) -> tuple[str, ...]:
    """The lines of a function's code, decorators too, as its file has them now.

    Raises:
        OSError: there is no such source.
    """
    linecache.checkcache(code.co_filename)
    found = linecache.getlines(code.co_filename) or inspect.findsource(code)[0]
    return _block(tuple(found[code.co_firstlineno - 1 :]))


@lru_cache(512)
def _block(lines: tuple[str, ...]) -> tuple[str, ...]:
    if not lines:
        raise OSError("its file has fewer lines")
    return tuple(inspect.getblock(lines))


@lru_cache(512)
def statement(lines: tuple[str, ...]) -> ast.stmt:
    """The statement that the lines are, its places counted from their first line and its indent; not to be changed.

    Raises:
        SyntaxError: they are none. IndexError: they are empty.
    """
    return ast.parse(textwrap.dedent("".join(lines))).body[0]
