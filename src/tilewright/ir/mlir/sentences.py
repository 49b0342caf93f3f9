"""What MLIR says where xDSL's parser and verifier say it otherwise: one table, a pattern and the sentence a row."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xdsl.context import Context

from tilewright.errors import close_names

_OPERATION = "expected operation name in quotes"
_UNDECLARED = "use of undeclared SSA value name"
# `{0}` is what stands at the place of the error.
SENTENCES = tuple(
    (re.compile(pattern, re.DOTALL), sentence)
    for pattern, sentence in (
        (r"(?:.*\n)? in block definition", _OPERATION),
        (r"Could not parse entire input!", _OPERATION),
        (r"Expected suffix identifier after .*", "invalid SSA name"),
        (r"Operation \S+ terminates block in single-block region but .*", "block with no terminator"),
        (r"Operation \S+ contains empty block in single-block region .*", "empty block: expect at least a terminator"),
        (
            r"expected ([0-9]+) operand types but had ([0-9]+)",
            r"number of operands and types do not match: got \2 operands and \1 types",
        ),
        (
            r"operand is used with type (.*), but has been previously used or defined with type (.*)",
            r"use of value '{0}' expects different type than prior uses: '\1' vs '\2'",
        ),
        (r"SSA value (%\S+) is already defined", r"redefinition of SSA value '\1'"),
        (
            r"Operation has ([0-9]+) results, but was given ([0-9]+) to bind\.",
            r"operation defines \1 results but was provided \2 to bind",
        ),
        (r"region ends with missing block declarations for block\(s\) .*", "reference to an undefined block"),
        (r"type expected", "expected non-function type"),
        (r"undefined symbol alias '[!#](.*)'", r"undefined symbol alias id '\1'"),
        (r"SSA value used before assignment", _UNDECLARED),
        (r"values used but not defined: .*", _UNDECLARED),
        (r"expect symbol name", "expected valid '@'-identifier for symbol name"),
        (
            r"Expected arguments to have the same types as the function output types: expected \[(.*)\], got \[(.*)\]",
            r"returns (\2), which are not the function's result types (\1)",
        ),
        (r"Expected (.*)", r"expected \1"),
    )
)
_NAME = re.compile(r"[%@^!#]?[\w$.-]+")
_UNREGISTERED = re.compile(r"'(?P<dialect>\w+)\.(?P<name>[\w.]+)' is not registered")


def as_mlir_says(message: str, there: str = "") -> str:
    """The sentence for one of xDSL's; others stay.

    >>> as_mlir_says("Expected ':'"), as_mlir_says("SSA value %a is already defined")
    ("expected ':'", "redefinition of SSA value '%a'")
    """
    for pattern, sentence in SENTENCES:
        found = pattern.fullmatch(message)
        if found:
            name = _NAME.match(there)
            return found.expand(sentence).replace("{0}", name[0] if name else "")
    return message


def of_unknown_op(name: str, ctx: Context, generic: bool) -> str:
    """What is wrong with an op's name, and which one it may be."""
    dialect = name.partition(".")[0]
    known, closest = _loaded(ctx, dialect), perhaps(name, (op.name for op in ctx.loaded_ops))
    if known:
        return f"custom op {name!r} is unknown{closest}"
    if generic:
        sentence = f"operation {name!r} of an unregistered dialect"
        return f"{sentence}; if this is intended, use --allow-unregistered-dialect{closest}"
    dialects = {*(loaded.name for loaded in ctx.loaded_dialects), *ctx.registered_dialect_names}
    there = f"the dialects are {', '.join(sorted(dialects))}; others in generic form, by --allow-unregistered-dialect"
    return f"Dialect `{dialect}' not found for custom op {name!r}{closest}\n{there}"


def of_unknown_name(message: str, ctx: Context, text: str, position: int) -> tuple[str, int] | None:
    """The sentence and the place of a type or attribute that its dialect does not have; None for another message."""
    found = _UNREGISTERED.fullmatch(message)
    if not found:
        return None
    whole = f"{found['dialect']}.{found['name']}"
    start = text.rfind(whole, 0, position + len(whole))
    is_type = start > 0 and text[start - 1] == "!"
    _loaded(ctx, found["dialect"])
    names = (x.name for x in (ctx.loaded_types if is_type else ctx.loaded_attrs))
    kind = "type" if is_type else "attribute"
    sentence = f"unknown {kind} `{found['name']}` in dialect `{found['dialect']}`{perhaps(whole, names)}"
    return sentence, max(0, start) + len(found["dialect"]) + 1


def perhaps(name: str, names: Iterable[str]) -> str:
    """A line more: the known name that is most like this one, if one is.

    >>> perhaps("fly.mak_layout", ["fly.make_layout", "fly.size"])
    "\\ndid you mean 'fly.make_layout'?"
    """
    found = close_names(name, sorted(set(names)), 1, 0.75)
    return f"\ndid you mean '{found[0]}'?" if found else ""


def _loaded(ctx: Context, dialect: str) -> bool:
    """Is there such a dialect? The ones whose names are like it are loaded too."""
    for known in close_names(dialect, list(ctx.registered_dialect_names), 2, 0.5):
        if known not in (loaded.name for loaded in ctx.loaded_dialects):
            ctx.load_registered_dialect(known)
    return any(op.name.startswith(f"{dialect}.") for op in ctx.loaded_ops)
