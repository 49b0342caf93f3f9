"""Ops that show what a kernel is doing: `printf` in each thread, and the elements of a buffer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, IndexType, IntegerType, MemRefType, StringAttr, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import UsageError
from tilewright.ir.tile.types import BufferType

SIGNED, UNSIGNED, FLOATS, TRUTHS = "di", "uxX", "fFeEgG", "s"
MAX_FORMAT, MAX_WIDTH = 4096, 999
_CONVERSION = re.compile(
    r"%(?:(?P<percent>%)|(?P<flags>[-+ 0]*)(?P<width>[0-9]{0,3})(?P<precision>\.[0-9]{0,2})?(?:hh?|ll?|[zjt])?"
    rf"(?P<kind>[{SIGNED}{UNSIGNED}{FLOATS}{TRUTHS}]))"
)


@dataclass(frozen=True)
class Conversion:
    """`%-8.3f`: how one value is written; `style` is what stands between `%` and the letter `kind`."""

    style: str
    kind: str

    def accepts(self, kind: Attribute) -> bool:
        """Is a value of this type written so?"""
        if self.kind in TRUTHS:
            return kind == i1
        return isinstance(kind, AnyFloat if self.kind in FLOATS else IntegerType | IndexType)


def pieces(text: str) -> list[str | Conversion]:
    """The words and the conversions of a format of C's `printf`; `%%` is a word.

    A length (`%lld`) is read and has no meaning: what a value is, its type says.

    Raises:
        UsageError: a `%` that begins no conversion, or a format of more than 4096 characters.

    >>> pieces("at %3d: %.2f %%")
    ['at ', Conversion(style='3', kind='d'), ': ', Conversion(style='.2', kind='f'), ' %']
    """
    if len(text) > MAX_FORMAT or "\0" in text:
        raise UsageError(f"a format has at most {MAX_FORMAT} characters, none of them 0; got {len(text)}")
    found: list[str | Conversion] = []
    end = 0
    for match in _CONVERSION.finditer(text):
        _add(found, _plain(text[end : match.start()]))
        end = match.end()
        if match["percent"]:
            _add(found, "%")
        else:
            found.append(_conversion(match))
    _add(found, _plain(text[end:]))
    return found


def _plain(words: str) -> str:
    if "%" in words:
        raise UsageError(
            f"no conversion of printf: {words[words.index('%') :][:8]!r}; there are %d %u %x %f %e %g %s and %%"
        )
    return words


def _add(found: list[str | Conversion], words: str) -> None:
    if found and isinstance(found[-1], str):
        found[-1] += words
    elif words:
        found.append(words)


def _conversion(match: re.Match[str]) -> Conversion:
    flags, precision, kind = match["flags"], match["precision"] or "", match["kind"]
    if kind not in FLOATS and precision:
        what = "a truth" if kind in TRUTHS else "an integer"
        raise UsageError(f"{what} is written without a precision, got {match[0]!r}")
    without = {**dict.fromkeys(UNSIGNED, "+ "), **dict.fromkeys(TRUTHS, "+ 0")}.get(kind, "")
    signs = "".join(flag for flag in "-+ 0" if flag in flags and flag not in without)
    return Conversion(signs + match["width"] + precision, kind)


@irdl_op_definition
class PrintOp(IRDLOperation):
    """Each active thread writes a text, as C's `printf`: the order of threads is no part of its meaning.

    Integers are written as the numbers that they are; `%u` and `%x` modulo 2 to their bits; `%s` writes a truth as
    `True` or `False`.
    """

    name = "tile.print"
    format = prop_def(StringAttr)
    values = var_operand_def(AnyAttr())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$format `(` $values `)` attr-dict `:` `(` type($values) `)`"

    def __init__(self, text: str, values: Sequence[SSAValue]) -> None:
        super().__init__(operands=[values], properties={"format": StringAttr(text)})

    @property
    def pieces(self) -> list[str | Conversion]:
        """The format, read."""
        return pieces(self.format.data)

    def verify_(self) -> None:
        """The format is one, with a conversion for each value that fits its type."""
        try:
            conversions = [piece for piece in self.pieces if isinstance(piece, Conversion)]
        except UsageError as error:
            raise VerifyException(str(error)) from None
        if len(conversions) != len(self.values):
            raise VerifyException(f"a format of {len(conversions)} conversions for {len(self.values)} values")
        for conversion, value in zip(conversions, self.values, strict=True):
            if not conversion.accepts(value.type):
                raise VerifyException(f"%{conversion.style}{conversion.kind} writes no {value.type}")


@irdl_op_definition
class InspectOp(IRDLOperation):
    """The simulator prints a buffer's elements as they are now; other targets leave it out.

    `view` is the buffer, by whose layout flat memory is read. It is printed once in each of the `blocks`, registers for
    each of the `threads`, as far as these are active.
    """

    name = "tile.inspect"
    memory = operand_def(AnyAttr())
    view = prop_def(BufferType)
    label = prop_def(StringAttr)
    blocks = prop_def(DenseArrayBase.constr(i64))
    threads = prop_def(DenseArrayBase.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$memory attr-dict `:` type($memory)"

    def __init__(
        self, memory: SSAValue, view: BufferType, label: str, blocks: Sequence[int], threads: Sequence[int]
    ) -> None:
        chosen = {"blocks": blocks, "threads": threads}
        super().__init__(
            operands=[memory],
            properties={
                "view": view,
                "label": StringAttr(label),
                **{name: DenseArrayBase.from_list(i64, numbers) for name, numbers in chosen.items()},
            },
        )

    def verify_(self) -> None:
        """The memory is the view itself, or flat memory of its elements that is large enough."""
        kind = self.memory.type
        if isinstance(kind, MemRefType):
            flat = cast("MemRefType[Attribute]", kind)
            if len(flat.get_shape()) != 1 or flat != self.view.storage_type(flat.get_shape()[0]):
                raise VerifyException(f"tile.inspect of {kind} as {self.view}")
        elif kind != self.view:
            raise VerifyException(f"tile.inspect of {kind} as {self.view}")
        if min((*self.blocks.get_values(), *self.threads.get_values()), default=0) < 0:
            raise VerifyException("blocks and threads are numbers from 0")


PRINTING = (PrintOp, InspectOp)
