"""`asm` statements of CUDA's C++: found in a text, read into instructions with the expressions of their operands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tilewright.errors import CompileError

_BEGIN = re.compile(r"\basm(?: volatile)?\s*\(")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_OPEN, _CLOSE = "([{", ")]}"
_DECLARED = re.compile(r"\.reg\s+\.(\w+)\s+([\w\s,]+)")
_TYPES = {"pred": "bool", "b8": "unsigned char", "b32": "unsigned int", "b64": "unsigned long long"}


@dataclass(frozen=True)
class Value:
    """An operand: an expression of C++; a register, an immediate or an address, `in_memory` where in brackets."""

    text: str
    in_memory: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Values:
    """Operands in braces."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Instruction:
    """An instruction of PTX, `[a, {b}]` as two operands."""

    name: str
    operands: tuple[Value | Values, ...]


@dataclass(frozen=True)
class Assembly:
    """A statement: the registers that it declares, by their types in C++, and its instructions."""

    registers: tuple[tuple[str, str], ...]
    instructions: tuple[Instruction, ...]

    @staticmethod
    def of(statement: str) -> Assembly:
        """What stands between the parentheses of `asm`.

        >>> made = Assembly.of('"mapa.u64 %0, %1, 2;" : "=l"(there) : "l"(at)')
        >>> made.instructions[0].name, [one.text for one in made.instructions[0].operands]
        ('mapa.u64', ['there', 'at', '2'])
        """
        template, outs, ins, *_ = (*split(statement, ":"), "", "", "")
        text = "".join(found[1:-1] for found in _STRING.findall(template)).replace("\\n", " ").strip()
        given = [_expression(part) for part in (*split(outs, ","), *split(ins, ",")) if part.strip()]
        if text.startswith("{") and text.endswith("}"):
            text = text[1:-1]
        lines = [line.strip() for line in text.split(";") if line.strip()]
        declared = [found for found in map(_DECLARED.fullmatch, lines) if found]
        made = tuple((name.strip(), _TYPES[found[1]]) for found in declared for name in found[2].split(","))
        return Assembly(made, tuple(_instruction(line, given) for line in lines if not line.startswith(".reg")))


def statements(source: str) -> Iterator[tuple[int, int, Assembly]]:
    """Where the `asm` statements of a text begin and end, and what they are."""
    for found in _BEGIN.finditer(source):
        end = _closing(source, found.end())
        yield found.start(), end + 1, Assembly.of(source[found.end() : end])


def split(text: str, sign: str) -> list[str]:
    """The parts between signs that are in no string and no parentheses.

    >>> split('"a:b"(x ? y : z) : c', ":")
    ['"a:b"(x ? y : z) ', ' c']
    """
    parts, depth, start = [], 0, 0
    for at, letter in _letters(text):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == sign and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _letters(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """The letters that are in no string."""
    at = start
    while at < len(text):
        string = _STRING.match(text, at) if text[at] == '"' else None
        if string:
            at = string.end()
            continue
        yield at, text[at]
        at += 1


def _closing(text: str, start: int) -> int:
    depth = 1
    for at, letter in _letters(text, start):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if not depth:
            return at
    raise CompileError("an asm statement has no end")


def _expression(operand: str) -> str:
    """What is in the parentheses behind the constraint."""
    return operand[operand.index("(") + 1 : operand.rindex(")")]


def _instruction(line: str, given: list[str]) -> Instruction:
    name, _, rest = line.partition(" ")
    operands = [one for part in split(rest, ",") if part.strip() for one in _operands(part.strip(), given)]
    return Instruction(name, tuple(operands))


def _operands(text: str, given: list[str]) -> Iterator[Value | Values]:
    if text.startswith("["):
        for part in split(text[1:-1], ","):
            found = next(_operands(part.strip(), given))
            yield Value(found.text, True) if isinstance(found, Value) else found
    elif text.startswith("{"):
        yield Values(tuple(_named(part.strip(), given) for part in split(text[1:-1], ",")))
    else:
        yield Value(_named(text, given))


def _named(text: str, given: list[str]) -> str:
    return given[int(text[1:])] if text.startswith("%") else text
