"""From a function to the one that is traced: its source rewritten, compiled, and given the same globals and cells."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from types import CellType, CodeType, FunctionType, ModuleType

from tilewright.errors import KernelError, SourceLocation
from tilewright.lang.core.lines import lines_of
from tilewright.lang.core.rewrite.names import OWN_SCOPE
from tilewright.lang.core.rewrite.nodes import RUNTIME, name
from tilewright.lang.core.rewrite.refused import place_of, require_known
from tilewright.lang.core.rewrite.rewriter import Rewriter

GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_MADE = "__fx_made__"
_FACTORY = "__factory__"


def rewritten(function: FunctionType, runtime: ModuleType, required: bool = True) -> FunctionType:
    """The function with control flow for run time; itself where it has been rewritten already.

    Args:
        function: a function of a file or a notebook cell.
        runtime: what its source calls under the name `__fx__`.
        required: without it a function whose source is not there stays as it is.

    Raises:
        KernelError: its source cannot be read.
    """
    code = _code(function.__code__, function.__code__.co_filename, required)
    if code is None:
        return function
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells[RUNTIME] = CellType(runtime)
    closure = tuple(cells[word] if word in cells else CellType() for word in code.co_freevars)
    made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__dict__.update(function.__dict__)
    return made


def returning(function: FunctionType) -> SourceLocation | None:
    """The first `return` of a value in a function itself."""
    tree = _tree(function.__code__, False)
    found = None if tree is None else next(_returns(tree), None)
    return None if found is None else place_of(found, function.__code__.co_filename)


def _returns(node: ast.AST) -> Iterator[ast.Return]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return) and child.value is not None:
            yield child
        if not isinstance(child, OWN_SCOPE):
            yield from _returns(child)


@lru_cache(1024)
def _code(code: CodeType, file: str, required: bool) -> CodeType | None:
    """The rewritten code; None for what is rewritten, or is no plain function of a file.

    The file is a part of what is remembered: equal code of two files is one to Python.
    """
    if RUNTIME in code.co_freevars:
        return None
    tree = _tree(code, required) if code.co_name != "<lambda>" else None
    generates = bool(code.co_flags & GENERATOR)
    if tree is None or (generates and not required and not _has_init(tree)):
        return None
    require_known(tree, file, required)
    tree.decorator_list = []
    made = Rewriter().visit(tree)
    made.name = _MADE  # its own name within it stays that of outside
    cells = [ast.arg(word) for word in (*code.co_freevars, RUNTIME)]
    none = ast.arguments([], cells, None, [], [], None, [])
    factory = ast.FunctionDef(_FACTORY, none, [made, ast.Return(name(made.name))], [], None, None)
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(factory, tree)], []))
    compiled = compile(module, file, "exec", dont_inherit=True, flags=_future(code))
    found = next(x for x in _codes(compiled) if x.co_name == _MADE)
    return found.replace(co_name=code.co_name, co_qualname=code.co_qualname)


def _future(code: CodeType) -> int:
    import __future__

    return code.co_flags & __future__.annotations.compiler_flag


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _has_init(tree: ast.FunctionDef) -> bool:
    return any(isinstance(x, ast.keyword) and x.arg == "init" for x in ast.walk(tree))


def _tree(code: CodeType, required: bool) -> ast.FunctionDef | None:
    try:
        lines, first = lines_of(code), code.co_firstlineno
        indented = lines[0][:1].isspace()
        # Lines above it, so that its own have their numbers.
        above = "\n" * max(0, first - 1 - indented) + ("if 1:\n" if indented else "")
        parsed = ast.parse(above + "".join(lines)).body[0]
        found = parsed.body[0] if indented and isinstance(parsed, ast.If) else parsed
    except (OSError, SyntaxError, IndexError, TypeError) as error:
        if not required:
            return None
        raise KernelError(f"the source of {code.co_name} cannot be read ({error}); define it in a file") from error
    if not isinstance(found, ast.FunctionDef):
        if not required:
            return None
        raise KernelError(f"a kernel is written with `def`, got the source {lines[0].strip()!r}")
    return found
