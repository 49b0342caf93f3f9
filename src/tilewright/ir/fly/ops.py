"""The ops of the `fly` dialect, one class each, made from tables: what is inferred (`infer`) and how it is written.

Verification is inference: the declared type of a result is the one that `infer` gives, said in FlyDSL's sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, Self

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, Operation, OpTraits, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import TilewrightError
from tilewright.ir.fly import assembly
from tilewright.ir.fly.assembly import FORMS, PLAIN, Form
from tilewright.ir.fly.attrs import FlyType, Word, from_text
from tilewright.ir.fly.infer import InferenceError
from tilewright.ir.fly.infer import result_types as inferred_types
from tilewright.ir.fly.table import TABLE

Plain = int | str | tuple[int, ...] | bool


class FlyOp(Operation):
    """An op of the dialect; which one says its class, which is one of `OPS`."""

    form: ClassVar[Form]
    inherent: ClassVar[tuple[str, ...]]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """The text after the op's name."""
        found = assembly.parse(cls, cls.form, cls.inherent, parser)
        assert isinstance(found, cls)
        return found

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        assembly.print_op(self, self.form, printer)

    @property
    def short(self) -> str:
        """The name without its dialect, by which `infer` knows it."""
        return self.name.removeprefix("fly.")

    def group(self, name: str) -> Sequence[SSAValue]:
        """The operands of a group of the op's form."""
        return assembly.grouped(self, self.form)[name]

    def attribute(self, name: str) -> Plain | None:
        """An attribute as a plain value."""
        found = self.properties.get(name)
        return None if found is None else plain(found)

    def verify_(self) -> None:
        """The result's type is the one that follows from the operands'."""
        if self.form.segmented and sum(assembly.segment_sizes(self)) != len(self.operands):
            raise VerifyException(f"operand count ({len(self.operands)}) does not match with the total size "
                                  f"({sum(assembly.segment_sizes(self))}) specified in attribute "
                                  f"'{assembly.SEGMENTS}'")
        attributes: dict[str, object] = {name: plain(value) for name, value in self.properties.items()}
        if TABLE[self.short].written:
            attributes["result"] = [text_of(type) for type in self.result_types]
        expected = result_types(self.short, self.operand_types, attributes)
        if expected != tuple(self.result_types):
            raise VerifyException(
                f"inferred type(s) {_list(expected)} are incompatible with return type(s) of operation "
                f"{_list(self.result_types)}"
            )


def _list(types: Sequence[Attribute]) -> str:
    return ", ".join(f"'{found}'" for found in types)


def result_types(name: str, operands: Sequence[Attribute], attributes: Mapping[str, object]) -> tuple[Attribute, ...]:
    """What the op's results are.

    Raises:
        VerifyException: nothing follows from these operands; FlyDSL's sentence, then why.
    """
    texts = tuple(map(text_of, operands))
    try:
        return tuple(map(from_text, inferred_types(name, texts, attributes)))
    except InferenceError as error:
        raise VerifyException("\n".join((error.sentence, *error.notes))) from None
    except TilewrightError as error:
        raise VerifyException(str(error)) from None


def text_of(type: Attribute) -> str:
    """The text by which `infer` knows a type."""
    return type.data if isinstance(type, FlyType) else str(type)


def plain(value: Attribute) -> Plain:
    """An attribute as the plain value that `infer` takes."""
    match value:
        case IntegerAttr():
            return int(value.value.data)
        case DenseArrayBase():
            return tuple(int(item) for item in value.get_values())
        case ArrayAttr():
            return tuple(int(item.value.data) if isinstance(item, IntegerAttr) else 0 for item in value.data)
        case StringAttr() | Word():
            return value.data
    return text_of(value)


# ---- the table

_READS = ("memref.load", "memref.load_vec", "ptr.load", "copy", "gemm", "copy_atom_call", "copy_atom_call_ssa")
_WRITES = ("memref.store", "memref.store_vec", "ptr.store", "memref.alloca", "print", "copy", "gemm")
_CALLS = ("copy_atom_call", "copy_atom_call_ssa", "mma_atom_call", "mma_atom_call_ssa", "get_dyn_shared")


def _traits(name: str) -> OpTraits:
    reads, writes = name in (*_READS, *_CALLS), name in (*_WRITES, *_CALLS)
    effects: list[OpTrait] = [MemoryReadEffect()] * reads + [MemoryWriteEffect()] * writes
    return OpTraits(lambda: tuple(effects) or (Pure(),))


def _class(name: str) -> type[FlyOp]:
    members = {
        "name": f"fly.{name}",
        "form": FORMS.get(name, PLAIN),
        "inherent": tuple(attribute.names[0] for attribute in TABLE[name].attributes),
        "traits": _traits(name),
        "__doc__": f"`fly.{name}`.",
    }
    return type(f"{name.title().replace('_', '').replace('.', '')}Op", (FlyOp,), members)


OPS: Mapping[str, type[FlyOp]] = MappingProxyType(
    {name: _class(name) for name in TABLE if not name.startswith("fly_rocdl.")}
)


def make(
    name: str,
    operands: Sequence[SSAValue],
    attributes: Mapping[str, Plain | Attribute] | None = None,
    results: Sequence[Attribute] | None = None,
) -> FlyOp:
    """An op; without `results` they are inferred.

    Raises:
        VerifyException: nothing follows from these operands.
    """
    given = attributes or {}
    if results is None:
        values = {key: plain(value) if isinstance(value, Attribute) else value for key, value in given.items()}
        results = result_types(name, [operand.type for operand in operands], values)
    properties = {key: attribute_of(value) for key, value in sorted(given.items())}
    return OPS[name].create(operands=operands, result_types=results, properties=properties)


@lru_cache(1024)
def attribute_of(value: Plain | Attribute) -> Attribute:
    """A plain value as an attribute."""
    match value:
        case Attribute():
            return value
        case bool():
            return IntegerAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i32)
        case str():
            return StringAttr(value)
    return DenseArrayBase.from_list(i32, value)
