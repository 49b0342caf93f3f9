"""What a kernel prints, as a call of C's `printf`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Attribute

from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.printing import FLOATS, TRUTHS, UNSIGNED, Conversion, InspectOp, PrintOp
from tilewright.targets.c_emitter.values import WIDE, Expr

_ESCAPES = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "?": "\\?"}
_NATURAL = "unsigned long long"
_OF_BITS = {1: "bool", 8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: _NATURAL}


def printf(op: PrintOp, values: Sequence[Expr]) -> str:
    """The statement. Integers go as 64 bits, floats as doubles: what each is, its type said before.

    A new line ends the text; CUDA shows it when the host next waits for the device.
    """
    given = iter(zip(values, (value.type for value in op.values), strict=True))
    text, arguments = "", []
    for piece in op.pieces:
        if isinstance(piece, Conversion):
            text += f"%{piece.style}{'' if piece.kind in FLOATS + TRUTHS else 'll'}{piece.kind}"
            arguments.append(_argument(piece, *next(given)))
        else:
            text += piece.replace("%", "%%")
    return f"printf({', '.join([literal(text), *arguments])});"


def _argument(conversion: Conversion, value: Expr, kind: Attribute) -> str:
    if conversion.kind in TRUTHS:
        return f'{value.operand} ? "True" : "False"'
    if conversion.kind in FLOATS:
        return value.cast("float").cast("double").text if value.ctype.startswith("__") else value.cast("double").text
    if conversion.kind not in UNSIGNED:
        return value.cast(WIDE).text
    if isinstance(kind, IntegerType):
        return value.cast(_OF_BITS[kind.width.data]).cast(_NATURAL).text
    return value.cast(WIDE).cast(_NATURAL).text


def literal(text: str) -> str:
    r"""The text as a literal of C: ASCII, other characters as their bytes in UTF-8.

    >>> print(literal('a "µ"\n'))
    "a \"\302\265\"\n"
    """
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isascii() and character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "replace"))


def without_inspection(module: ModuleOp) -> ModuleOp:
    """The module without what only the simulator does; a copy where there is any."""
    if not any(isinstance(op, InspectOp) for op in module.walk()):
        return module
    work = module.clone()
    for op in list(work.walk()):
        if isinstance(op, InspectOp):
            erase(op)
    return work
