"""What a code looks up when it runs: names in its scope and in modules, and modules that it imports itself."""

from __future__ import annotations

import dis
from functools import lru_cache
from importlib.util import resolve_name
from types import CodeType

WHOLE = frozenset(("getattr", "hasattr", "vars", "dir", "__dict__", "attrgetter"))
"""Names with which a code may ask a module for any member."""
SCOPE = frozenset(("globals", "eval", "exec"))
"""Names with which a code may ask for any global."""
ENVIRONMENT = frozenset(("environ", "getenv", "environb"))


@lru_cache(4096)
def names_of(code: CodeType) -> tuple[str, ...]:
    """The names that a code and the functions within it look up."""
    return tuple(name for one in _codes(code) for name in one.co_names)


@lru_cache(4096)
def imports_of(code: CodeType, package: str) -> tuple[str, ...]:
    """The modules that a code of a package, and the functions within it, import where they run.

    >>> imports_of(compile("import a.b; from .c import d", "", "exec"), "users")
    ('a.b', 'users.c')
    """
    return tuple(_resolved(*one, package) for inner in _codes(code) for one in _imports(inner))


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(one for x in code.co_consts if isinstance(x, CodeType) for one in _codes(x))]


def _imports(code: CodeType) -> list[tuple[int, str]]:
    """The level (how many dots) and name of each import: they are put on the stack as constants before it."""
    found = list(dis.get_instructions(code)) if code.co_names else []
    constants = [one for one in found if one.opname not in ("EXTENDED_ARG", "PRECALL", "CACHE")]
    return [
        (int(constants[i - 2].argval), str(one.argval))
        for i, one in enumerate(constants)
        if one.opname == "IMPORT_NAME"
    ]


def _resolved(level: int, name: str, package: str) -> str:
    try:
        return resolve_name("." * level + name, package) if level else name
    except ImportError:  # beyond the top: the import itself says so
        return name
