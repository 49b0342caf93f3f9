"""The words of `tilewright opt`: a file, passes and flags in any order, with MLIR's one dash or two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tilewright.errors import UsageError, close_names, shown

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

FLAGS = (
    "verify-diagnostics",
    "verify-each",
    "split-input-file",
    "allow-unregistered-dialect",
    "mlir-print-op-generic",
    "mlir-print-debuginfo",
    "mlir-print-ir-before-all",
    "mlir-print-ir-after-all",
    "show-dialects",
    "version",
    "force",
    "help",
)
# MLIR's flags for what is so here anyway.
GIVEN = ("mlir-disable-threading", "mlir-print-local-scope")
SHORT = {"h": "help"}
TRUTHS = {"": True, "true": True, "1": True, "false": False, "0": False}
SEPARATOR = "// -----"


@dataclass(frozen=True)
class Request:
    """What a command line asks for; `-` is standard input, or output."""

    file: str = "-"
    output: str = "-"
    flags: frozenset[str] = frozenset()
    passes: tuple[ModulePass, ...] = field(default=())
    separator: str = SEPARATOR


def requested(words: Sequence[str]) -> Request:
    """The request of a command line's words.

    Raises:
        UsageError: a word is no flag and no pass, has no value that it needs, or there are two files.

    >>> found = requested(["-verify-each", "a.mlir", "-o", "b.mlir", "--verify-each=false"])
    >>> found.file, found.output, found.flags
    ('a.mlir', 'b.mlir', frozenset())
    """
    request, files, rest = Request(), list[str](), iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            files.append(word)
        else:
            request = _with(request, word, rest)
    if len(files) > 1:
        raise UsageError(f"one file at a time, got {shown(files[0])} and {shown(files[1])}")
    return replace(request, file=files[0]) if files else request


def _with(request: Request, word: str, rest: Iterator[str]) -> Request:
    name, equals, value = word.removeprefix("-").removeprefix("-").partition("=")
    name = SHORT.get(name, name)
    if name in _VALUED:
        return _VALUED[name](request, value if equals else _next(word, rest))
    if name in _PERHAPS_VALUED and value not in TRUTHS:
        return _PERHAPS_VALUED[name](replace(request, flags=request.flags | {name}), value)
    if name in FLAGS or name in GIVEN:
        if value not in TRUTHS:
            raise UsageError(f"--{name} is true or false, got {shown(value)}")
        return replace(request, flags=request.flags | {name} if TRUTHS[value] else request.flags - {name})
    return _with_pass(request, word, name, value)


def _next(word: str, rest: Iterator[str]) -> str:
    found = next(rest, None)
    if found is None:
        raise UsageError(f"{word} needs a value after it")
    return found


def _with_pass(request: Request, word: str, name: str, options: str) -> Request:
    from tilewright.passes.registry import ALIASES, FOREIGN, PASSES, among, pass_of

    if name not in (*PASSES, *ALIASES, *FOREIGN):
        flags = [f"--{known}" if len(known) > 1 else f"-{known}" for known in (*_VALUED, *FLAGS)]
        close = close_names(f"--{name}", [*(f"--{known}" for known in (*PASSES, *ALIASES)), *flags])
        told = among(f"{shown(word)} is no pass and no flag", close, "passes", [f"--{known}" for known in PASSES])
        raise UsageError(among(told, [], "flags", flags))
    return replace(request, passes=(*request.passes, pass_of(name, options)))


def _with_pipeline(request: Request, text: str) -> Request:
    from tilewright.passes.registry import pipeline_of

    return replace(request, passes=(*request.passes, *pipeline_of(text)))


def _with_checks(request: Request, which: str) -> Request:
    if which not in ("all", "only-expected"):
        raise UsageError(f"--verify-diagnostics is all or only-expected, or true or false, got {shown(which)}")
    others = request.flags - {"only-expected"}
    return replace(request, flags=others | {which} if which == "only-expected" else others)


def _with_separator(request: Request, line: str) -> Request:
    if not line.strip() or "\n" in line:
        raise UsageError(
            f"--split-input-file takes the line between two modules, such as {SEPARATOR}, got {shown(line)}"
        )
    return replace(request, separator=line.strip())


_PERHAPS_VALUED: Mapping[str, Callable[[Request, str], Request]] = {
    "verify-diagnostics": _with_checks,
    "split-input-file": _with_separator,
}
_VALUED: Mapping[str, Callable[[Request, str], Request]] = {
    "pass-pipeline": _with_pipeline,
    "o": lambda request, name: replace(request, output=name),
}
