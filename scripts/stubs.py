"""Writes what type checkers and editors read of names that the package makes at run time: `make stubs`.

The table of operations and the annotations of the functions in it are the only source; `tests/test_stubs.py` checks
that the files are what this writes.

* `tilewright/__init__.pyi`, `analysis/__init__.pyi`: where every name of a front door lives.
* `layout/operations.pyi`: the operations as functions, with an overload for each kind of layout.
* `layout/methods.pyi`: the same as methods of plain and of composed layouts.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import tilewright
from tilewright import analysis
from tilewright.layout import operations
from tilewright.layout.dispatch import Form, Operation
from tilewright.layout.operation_table import TABLE

ROOT = Path(tilewright.__file__).parent
WIDTH = 120
HEAD = """\
# Written by `make stubs`; change the functions themselves, or scripts/stubs.py.
# ruff: noqa
# mypy: disable-error-code=overload-overlap"""
OWN = {"Layout", "LayoutBase"}
METHODS = (*TABLE, *(Operation(f, f, Form.METHOD, name) for name, f in operations.OF_EVERY_LAYOUT.items()))


@dataclass(frozen=True)
class Signature:
    """The parameters and the result of one overload, and the module in which their names mean something."""

    parameters: tuple[inspect.Parameter, ...]
    returns: str
    module: ModuleType
    named: ModuleType | None = None  # where the names of the result mean something, if elsewhere

    def names(self) -> Iterator[tuple[ModuleType, str]]:
        """Every name in an annotation, with the module in which it means something."""
        given = (p.annotation for p in self.parameters if p.annotation is not p.empty and p.name != "self")
        yield from ((self.module, name) for annotation in given for name in _names(annotation))
        yield from ((self.named or self.module, name) for name in _names(self.returns))

    def first(self) -> str:
        """The annotation of the first parameter."""
        return str(self.parameters[0].annotation) if self.parameters else ""

    def takes_any_number(self) -> bool:
        """Is the first parameter `*args`, which no kind of layout decides?"""
        return bool(self.parameters) and self.parameters[0].kind is inspect.Parameter.VAR_POSITIONAL

    def on(self, kind: str) -> Signature:
        """The same of another kind of layout: in the first parameter, and in the result."""
        first, *rest = self.parameters
        changed = first.replace(annotation=_of_kind(first.annotation, kind))
        return replace(self, parameters=(changed, *rest), returns=_of_kind(self.returns, kind))

    def of(self, kind: str) -> Signature:
        """The same with another kind of layout as first parameter only."""
        return replace(self.on(kind), returns=self.returns)

    def seen(self) -> Signature:
        """The same of a view, whose kind the result has."""
        first, *rest = self.parameters
        return replace(self, parameters=(first.replace(annotation="Seen"), *rest), returns="Seen")

    def read(self, reads: Callable[..., object]) -> Signature:
        """The same where views are among the arguments, which are those that `reads` takes."""
        returns = "Layout[int] | ComposedLayout[int]" if "V" in _names(self.returns) else self.returns
        return replace(_signature(reads), returns=returns, named=self.module)

    def head(self, name: str, indent: str = "") -> str:
        """The line, or the lines, from `def` to the colon."""
        parts = list(_parts(self.parameters))
        line = f"{indent}def {name}({', '.join(parts)}) -> {self.returns}:"
        if len(line) <= WIDTH:
            return line
        lines = (f"{indent}    {part}," for part in parts)
        return "\n".join([f"{indent}def {name}(", *lines, f"{indent}) -> {self.returns}:"])


def signatures(function: Callable[..., object]) -> list[Signature]:
    """The overloads of a function, or its one signature."""
    return [_signature(f) for f in typing.get_overloads(function) or [function]]


def of_plain(op: Operation) -> list[Signature]:
    """What the operation does to plain layouts, and to int tuples."""
    return signatures(op.plain)


def of_composed(op: Operation) -> list[Signature]:
    """What it does to composed layouts: as its own function says, or what it does to the inner layout."""
    on_layouts = [s for s in signatures(op.plain) if _names(s.first()) & OWN and not s.takes_any_number()]
    if op.composed is None:
        return [s.on("ComposedLayout") for s in on_layouts]
    if inspect.unwrap(op.composed) is op.plain and op.composed is not op.plain:
        return [s.of("ComposedLayout") for s in on_layouts]
    return [s for s in signatures(op.composed) if s.returns != "NoReturn"]  # a refusal is no way to call it


def of_view(op: Operation) -> list[Signature]:
    """What it does to what is seen through a layout: the same, or new, seen through another."""
    on_layouts = [s for s in signatures(op.plain) if _names(s.first()) & OWN and not s.takes_any_number()]
    if op.reads is not None:
        return [on_layouts[0].read(op.reads)]
    return [s.seen() for s in on_layouts if op.of_views]


def functions() -> str:
    """`layout/operations.pyi`."""
    body, used = [], []
    for op in TABLE:
        if op.form & Form.FUNCTION:
            found = _distinct([*of_plain(op), *of_composed(op), *of_view(op)])
            used += found
            body += _indexed(op, found) if op.by_mode else _definitions(op.public, found, op.plain)
    needs = ["from typing import Self", "from tilewright.layout.by_mode import Mode"]
    return _file(used, body, needs)


def methods() -> str:
    """`layout/methods.pyi`."""
    plain, used_there = _class("PlainMethods", OWN)
    composed, used_here = _class("ComposedMethods", {"ComposedLayout", "LayoutBase"})
    views, used_on_views = _views()
    needs = [
        "from typing import Any, Generic, Self",
        "from typing_extensions import TypeVar",
        _import("base", "LayoutBase"),
    ]
    needs += ["from typing import ClassVar", _import("axes", "Value"), _import("extent", "Extent")]
    variables = ['V = TypeVar("V", bound=Value, default=Any, covariant=True)', 'W = TypeVar("W", bound=Value)']
    return _file(
        [*used_there, *used_here, *used_on_views],
        [*variables, *plain, *composed, *views],
        needs,
        skip={"V", "W", "Self"},
    )


def front_door() -> str:
    """`tilewright/__init__.pyi`."""
    lines = [f"from {module} import {target} as {name}" for name, (module, target) in tilewright._WHERE.items()]
    for name, package in tilewright._PACKAGES.items():
        parent, _, leaf = f"tilewright.{package}".rpartition(".")
        lines.append(f"from {parent} import {leaf} as {name}")
    return _door(lines, "__version__: str", tilewright.__all__)


def analysis_door() -> str:
    """`tilewright/analysis/__init__.pyi`."""
    lines = [f"from tilewright.analysis.{m} import {name} as {name}" for name, m in analysis._WHERE.items()]
    return _door(lines, "NAMES: dict[str, str]", analysis.__all__)


STUBS: dict[Path, Callable[[], str]] = {
    ROOT / "__init__.pyi": front_door,
    ROOT / "analysis" / "__init__.pyi": analysis_door,
    ROOT / "layout" / "operations.pyi": functions,
    ROOT / "layout" / "methods.pyi": methods,
}


def _signature(function: Callable[..., object]) -> Signature:
    found = inspect.signature(function)
    return Signature(tuple(found.parameters.values()), str(found.return_annotation), sys.modules[function.__module__])


def _of_kind(annotation: str, kind: str) -> str:
    return re.sub(r"\bLayout\b", kind, annotation)


def _names(annotation: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(annotation, mode="eval")) if isinstance(node, ast.Name)}


def _parts(parameters: tuple[inspect.Parameter, ...]) -> Iterator[str]:
    """The parameters as text, with `/` and `*` where they belong."""
    before = None
    for p in parameters:
        if before is inspect.Parameter.POSITIONAL_ONLY and p.kind is not before:
            yield "/"
        if p.kind is inspect.Parameter.KEYWORD_ONLY and before not in (p.kind, inspect.Parameter.VAR_POSITIONAL):
            yield "*"
        yield _parameter(p)
        before = p.kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


def _parameter(p: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(p.kind, "")
    default = "" if p.default is p.empty else f" = {p.default!r}"
    annotation = "" if p.annotation is p.empty else f": {p.annotation}"
    return f"{stars}{p.name}{annotation}{default}"


def _distinct(found: Iterable[Signature]) -> list[Signature]:
    # The first of equal parameters: the plain function says it, the composed one may say it again.
    return list({tuple(_parts(signature.parameters)): signature for signature in reversed(list(found))}.values())[::-1]


def _definitions(name: str, found: list[Signature], function: Callable[..., object], indent: str = "") -> list[str]:
    """The overloads of one name, or its one definition, each with the function's words."""
    words = _words(function, f"{indent}    ")
    mark = [f"{indent}@overload"] if len(found) > 1 else []
    return [line for s in found for line in (*mark, s.head(name, indent), words)]


def _indexed(op: Operation, found: list[Signature]) -> list[str]:
    """An operation that is called, whole or on one mode: the same calls of both."""
    me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    calls = [replace(s, parameters=(me, *s.parameters)) for s in found]
    kind = f"_{op.public.title().replace('_', '')}"
    return [
        f"class {kind}:",
        _words(op.plain, "    "),
        "    __name__: str",
        "    def __getitem__(self, mode: Mode) -> Self: ...",
        *_definitions("__call__", calls, op.plain, "    "),
        f"{op.public}: {kind}",
    ]


def _class(name: str, own: set[str]) -> tuple[list[str], list[Signature]]:
    """The class of the methods of one kind of layout."""
    body, used = [f"class {name}(LayoutBase, Generic[V]):"], []
    for op in METHODS:
        found = _distinct(_method(s, name, own) for s in (*of_plain(op), *of_composed(op)) if _names(s.first()) & own)
        if op.form & Form.PROPERTY:
            body += [f"    {op.public}: ClassVar[Extent]", _words(op.plain, "    ")]  # a property has no overloads
        if op.form & Form.METHOD:
            used += found
            body += _definitions(op.public, found, op.plain, "    ")
    return body, used


def _views() -> tuple[list[str], list[Signature]]:
    """The class of the methods of views."""
    body, used = ["class ViewMethods:"], []
    me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    for op in TABLE:
        if op.form & Form.METHOD and op.of_views:
            found = _distinct(replace(s, parameters=(me, *s.parameters[1:]), returns="Self") for s in of_view(op))
            used += found
            body += _definitions(op.public, found, op.plain, "    ")
    return body, used


def _method(signature: Signature, name: str, own: set[str]) -> Signature:
    """The signature with `self` for the layout: any of its kind, or one with integers for values."""
    on_integers = any(f"{kind}[int]" in signature.first() for kind in own)
    annotation = f"{name}[int]" if on_integers else inspect.Parameter.empty
    me = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)
    return replace(signature, parameters=(me, *signature.parameters[1:]))


def _words(function: Callable[..., object], indent: str) -> str:
    """The docstring up to its example."""
    text = (inspect.getdoc(function) or "").split(">>>")[0].rstrip().replace("\\", "\\\\")
    lines = text.split("\n")
    end = '"""' if len(lines) == 1 else f'\n{indent}"""'
    return f'{indent}"""' + "\n".join([lines[0], *(indent + line if line else "" for line in lines[1:])]) + end


def _file(used: list[Signature], body: list[str], needs: Iterable[str] = (), skip: set[str] = frozenset()) -> str:
    wanted = {pair for s in used for pair in s.names()}
    lines = {_origin(module, name) for module, name in wanted if name not in skip} - {""}
    lines |= {*needs, *(["from typing import overload"] if any("@overload" in line for line in body) else [])}
    return "\n".join([HEAD, *sorted(lines), *body, ""])


def _door(lines: list[str], constant: str, public: list[str]) -> str:
    names = "".join(f"    {name!r},\n".replace("'", '"') for name in public)
    return "\n".join([HEAD, *sorted(lines), constant, f"__all__ = [\n{names}]", ""])


def _import(module: str, name: str) -> str:
    return f"from tilewright.layout.{module} import {name}"


def _origin(module: ModuleType, name: str) -> str:
    """The import that gives the name the meaning that it has in the module."""
    if name == "Seen":
        return _import("view", name)
    if name == "ComposedLayout":  # stands where the module has its inner layout
        return _import("composed", name)
    tree = ast.parse(Path(str(module.__file__)).read_text())
    for node in ast.walk(tree):
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == name:
                return f"from {node.module} import {alias.name}" + (f" as {name}" if alias.asname else "")
    if hasattr(builtins, name):
        return ""
    return f"from {module.__name__} import {name}"


def main() -> None:
    """Writes all stubs."""
    for path, write in STUBS.items():
        path.write_text(write())


if __name__ == "__main__":
    main()
