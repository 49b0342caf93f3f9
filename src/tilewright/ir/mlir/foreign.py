"""Ops of dialects of which nothing is known here: read as their line stands, kept, and printed as they were.

What is understood of `rocdl.mfma %a, %b, %c, 0 : (T, T, U) -> U` are its operands, which are defined before, and the
types of its results: those behind the arrow or `to`, else the last one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import StringAttr, UnregisteredAttr, UnregisteredOp
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, OpTrait

from tilewright.numerals import integer

TEXT = "text__"
# Dialects that are not there at all, and those that xDSL has in part.
UNKNOWN = frozenset(("rocdl", "amdgpu", "nvvm", "nvgpu", "math", "index", "ROCDL", "fly_ktrace"))
PARTLY = frozenset(("llvm", "vector", "memref", "gpu"))

# Those that end a block; the others do not, so that what ends one need not be written behind them.
ENDS = frozenset(("llvm.br", "llvm.cond_br", "llvm.invoke", "llvm.resume", "llvm.return", "llvm.switch",
                  "llvm.unreachable"))  # fmt: skip

# Results whose types are not written.
_IMPLIED = {"gpu.shuffle": ("i1",)}

_LEFT = re.compile(r"(?P<names>(?:%[\w$.-]+(?::[0-9]+)?\s*,?\s*)+)=\s*$")
_OPERAND = re.compile(r"%[\w$.-]+(?:#[0-9]+)?")
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|[()\[\]{}<>\n]')
_OPEN, _CLOSE = frozenset("([{<"), frozenset(")]}>")


class ForeignContext(Context):
    """A context that also has what is foreign: ops, types and attributes that are kept as they stand."""

    def get_optional_op(self, name: str, **options: Any) -> type[Operation] | None:
        """The op's class; of a foreign dialect one that keeps its text."""
        found = super().get_optional_op(name, **options)
        unknown = found is None or issubclass(found, UnregisteredOp)
        return foreign(name) if unknown and _is_foreign(name) else found

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        """The type's class."""
        found = super().get_optional_type(name)
        if found is not None or not _is_foreign(name):
            return found
        kept = _attribute(name, True)
        assert issubclass(kept, TypeAttribute)
        return kept

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        """The attribute's class."""
        found = super().get_optional_attr(name)
        return _attribute(name, False) if found is None and _is_foreign(name) else found


def _is_foreign(name: str) -> bool:
    return name.partition(".")[0] in UNKNOWN | PARTLY


@lru_cache(1024)
def _attribute(name: str, is_type: bool) -> type[UnregisteredAttr]:
    return UnregisteredAttr.with_name_and_type(name, is_type)


@lru_cache(1024)
def foreign(name: str) -> type[Operation]:
    """The class of a foreign op of that name."""
    kept = UnregisteredOp.with_name(name)

    def has_trait(cls: type, trait: type[OpTrait] | OpTrait, *, value_if_unregistered: bool = True) -> bool:
        """Of what is not known anything may hold, but that it ends a block."""
        kind = trait if isinstance(trait, type) else type(trait)
        return value_if_unregistered and (name in ENDS or not issubclass(kind, IsTerminator))

    members = {
        "parse": classmethod(lambda cls, parser: read(parser, name, made)),
        "has_trait": classmethod(has_trait),
    }
    made = type(kept.__name__, (kept,), members)
    return made


def read(parser: Parser, name: str, kept: type[Operation]) -> Operation:
    """The op whose name has just been read, up to the end of its line."""
    content = parser._current_token.span.input.content  # what stands on a line is not asked for otherwise
    begin = content.rfind(name, 0, parser.pos)
    text = content[begin + len(name) : _end_of_line(content, begin + len(name))].rstrip()
    operands = [_operand(parser, found[0]) for found in _OPERAND.finditer(text)]
    count = _count(content[content.rfind("\n", 0, begin) + 1 : begin])
    types = _types(parser, name, text, count) if count else []
    parser._resume_from(begin + len(name) + len(text))
    return kept.create(operands=operands, result_types=types, attributes={TEXT: StringAttr(_OPERAND.sub("%", text))})


def _end_of_line(content: str, start: int) -> int:
    """The first end of a line, or closing bracket, outside the brackets that open behind the start."""
    depth = 0
    for found in _BRACKET.finditer(content, start):
        word = found[0]
        if depth == 0 and (word == "\n" or word in _CLOSE):
            return found.start()
        depth += (word in _OPEN) - (word in _CLOSE)
    return len(content)


def _operand(parser: Parser, text: str) -> SSAValue:
    name, _, index = text[1:].partition("#")
    values, which = parser.ssa_values.get(name, ()), integer(index, 1 << 20) if index else 0
    if which is None or which >= len(values):
        parser.raise_error(f"{text} is not defined before an op of a dialect that is not known here")
    return values[which]


def _count(left: str) -> int:
    """How many results stand before the op's name."""
    found = _LEFT.search(left)
    words = [word.strip() for word in found["names"].split(",")] if found else []
    return sum(integer(word.partition(":")[2], 1 << 20) or 1 for word in words if word)


def _types(parser: Parser, name: str, text: str, count: int) -> list[Attribute]:
    from tilewright.notation.ttgir_signature import signature  # only a reader of foreign ops needs the parsers
    from tilewright.notation.ttgir_tokens import tokenize_dump

    words = tokenize_dump(text).words[:-1]
    _, inputs, outputs = signature(words)
    if not inputs and "->" in words:  # `fly_ktrace.range_start "name" -> T` has no colon
        _, _, outputs = signature([":", *words[words.index("->") :]])
    written = (*(outputs or inputs[-1:]), *_IMPLIED.get(name, ()))
    if len(written) != count:
        parser.raise_error(f"{count} results, and the types {', '.join(written) or 'none'}")
    return [Parser(parser.ctx, f"!llvm.ptr{word}" if word[0] == "<" else word).parse_type() for word in written]


def show(op: Operation, printer: Printer) -> None:
    """The op as it stood, with its results."""
    text, name = op.attributes[TEXT], op.attributes["op_name__"]
    assert isinstance(text, StringAttr)
    assert isinstance(name, StringAttr)
    first, *rest = text.data.split("%")
    printer.print_string(f"{name.data}{first}")
    for operand, part in zip(op.operands, rest, strict=True):
        printer.print_ssa_value(operand)
        printer.print_string(part)


def is_foreign(op: Operation) -> bool:
    """Has the op its text with it?"""
    return isinstance(op, UnregisteredOp) and TEXT in op.attributes
