"""The ops of the `fly` dialect, one class each, made from `table`, which says what they infer, and `assembly`.

Verification is inference: the declared type of a result is the one that `infer` gives, said in FlyDSL's sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, Self, TypeGuard

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i1, i32, i64
from xdsl.ir import Attribute, IRNode, Operation, OpTraits, SSAValue, TypeAttribute
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import TilewrightError
from tilewright.ir.core.created import created
from tilewright.ir.fly import assembly, op_attributes
from tilewright.ir.fly.assembly import FORMS, PLAIN, SEGMENTS, Form
from tilewright.ir.fly.dialect_attributes import MmaOperandAttr, RegisterClassAttr, Word
from tilewright.ir.fly.dialect_types import CopyAtomType, NoType, from_text, is_fly_type
from tilewright.ir.fly.infer import InferenceError
from tilewright.ir.fly.infer import result_types as inferred_types
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.table_row import Op
from tilewright.notation.fly_atoms import element_bits
from tilewright.notation.fly_text import type_parts

Plain = int | str | tuple[int, ...] | bool


def is_fly(op: object) -> TypeGuard[FlyOp]:
    """Is it an op of the dialect? `isinstance` asks xDSL's metaclasses."""
    return FlyOp in type(op).__mro__


class FlyOp(Operation):
    """An op of the dialect; which one says its class, which is one of `OPS`."""

    def is_ancestor(self, op: IRNode) -> bool:
        """Is it around the other, or that? Where it has no regions nobody around that need be asked."""
        return op is self or (bool(self.regions) and super().is_ancestor(op))

    short: ClassVar[str]
    """The name by which `infer` knows it: without `fly.`."""
    row: ClassVar[Op]
    form: ClassVar[Form]
    inherent: ClassVar[frozenset[str]]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """The text after the op's name."""
        found = assembly.parse(cls.form, cls.row, parser)
        return cls.create(operands=found.operands, result_types=found.results, attributes=found.attributes)

    def __post_init__(self) -> None:
        """What belongs to the op is a property, also where the text has it among the other attributes."""
        for name in sorted(self.attributes.keys() & self.inherent) if self.attributes else ():
            self.properties.setdefault(name, self.attributes.pop(name))

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        assembly.print_op(self, self.form, self.row, printer)

    @property
    def groups(self) -> dict[str, Sequence[SSAValue]]:
        """The operands of each group of the op's row."""
        return assembly.grouped(self, self.row)

    def group(self, name: str) -> Sequence[SSAValue]:
        """Those of one."""
        return self.groups[name]

    def attribute(self, name: str) -> Plain | None:
        """An attribute as a plain value."""
        found = self.properties.get(name)
        return None if found is None else plain(found)

    @property
    def parameters(self) -> tuple[object, ...]:
        """The attributes that the op's rule takes, in its order."""
        given = {name: plain(value) for name, value in self.properties.items()}
        return tuple(attribute.read(self.short, given) for attribute in self.row.attributes)

    def emit_error(self, message: str, underlying_error: Exception) -> NoReturn:
        """The error alone: xDSL would print the whole module into it."""
        raise underlying_error

    def verify_(self) -> None:
        """The result's type is the one that follows from the operands'."""
        if self.regions or self.successors:
            raise VerifyException("requires zero regions and successors")
        for attribute in self.row.attributes:
            _check_kind(attribute, self.properties.get(attribute.names[0]))
        if self.row.segmented:
            self._check_segments()
        given: dict[str, object] = {name: plain(value) for name, value in self.properties.items()}
        if self.row.written:
            given["result"] = [text_of(type) for type in self.result_types]
        expected = _inferred(self.short, self.operand_types, given)
        found = tuple(map(text_of, self.result_types))
        if len(expected) != len(found):
            raise VerifyException(f"requires {_counted(len(expected))}, but has {len(found)}")
        prefix, words = _RESULTS.get(self.short, ("", ""))
        if found and not found[0].startswith(prefix):
            raise VerifyException(f"result #0 must be {words}, but got '{found[0]}'")
        if expected != found:
            words = f"inferred type(s) {_quoted(expected)} are incompatible with return type(s) of operation"
            why = [f"'{kind.data}' is none: {kind.why}" for kind in self.result_types if isinstance(kind, NoType)]
            raise VerifyException("\n".join((f"{words} {_quoted(found)}", *why, _FAILED.format(self.name))))

    def _check_segments(self) -> None:
        total, count = sum(assembly.segment_sizes(self)), len(self.operands)
        if total != count:
            raise VerifyException(
                f"operand count ({count}) does not match with the total size ({total}) specified in attribute "
                f"'{SEGMENTS}'"
            )


# What a result must be before it is inferred, by how its text begins, and in MLIR's words.
_RESULTS = {"to_llvm_ptr": ("!llvm.ptr", "LLVM pointer type")}


def _counted(results: int) -> str:
    return {0: "zero results", 1: "one result"}.get(results, f"{results} results")


def _quoted(types: Sequence[str]) -> str:
    return ", ".join(f"'{found}'" for found in types)


def _check_kind(attribute: op_attributes.Attribute[object], value: Attribute | None) -> None:
    holds, words = _CONSTRAINTS[attribute.content.word]
    if value is not None and not holds(value):
        raise VerifyException(f"attribute '{attribute.names[0]}' failed to satisfy constraint: {words}")


_CONSTRAINTS: Mapping[str, tuple[Callable[[Attribute], bool], str]] = MappingProxyType(
    {
        "integer": (lambda a: isinstance(a, IntegerAttr) and a.type == i32, "32-bit signless integer attribute"),
        "long": (lambda a: isinstance(a, IntegerAttr) and a.type == i64, "64-bit signless integer attribute"),
        "registers": (lambda a: isinstance(a, RegisterClassAttr), "a class of registers"),
        "integers": (lambda a: isinstance(a, DenseArrayBase) and a.elt_type == i32, "i32 dense array attribute"),
        "text": (lambda a: isinstance(a, StringAttr), "string attribute"),
        "type": (lambda a: isinstance(a, TypeAttribute), "any type attribute"),
        "truth": (lambda a: isinstance(a, IntegerAttr) and a.type == i1, "bool attribute"),
        "operand": (lambda a: isinstance(a, MmaOperandAttr), "which operand of an MMA, #fly<mma_operand a>"),
        "anything": (lambda a: True, ""),
    }
)
_FAILED = "'{}' op failed to infer returned types"


def _inferred(name: str, operands: Sequence[Attribute], given: Mapping[str, object]) -> tuple[str, ...]:
    try:
        return inferred_types(name, tuple(map(text_of, operands)), given)
    except InferenceError as error:
        failed = _FAILED.format(OPS[name].name)
        also = () if error.sentence == failed else (failed,)
        raise VerifyException("\n".join((error.sentence, *error.notes, *also))) from None
    except TilewrightError as error:
        raise VerifyException(str(error)) from None


def result_types(name: str, operands: Sequence[Attribute], given: Mapping[str, Hashable]) -> tuple[Attribute, ...]:
    """What the op's results are.

    Raises:
        VerifyException: nothing follows from these operands; FlyDSL's sentence, then why.
    """
    # Of equal values of several types, `1` and `true`, an attribute may hold one and not the other.
    return _result_types(name, tuple(operands), tuple([(key, type(value), value) for key, value in given.items()]))


@lru_cache(8192)
def _result_types(
    name: str, operands: tuple[Attribute, ...], given: tuple[tuple[str, type, Hashable], ...]
) -> tuple[Attribute, ...]:
    return tuple(map(from_text, _inferred(name, operands, {key: value for key, _, value in given})))


def text_of(type: Attribute) -> str:
    """The text by which `infer` knows a type."""
    return type.data if is_fly_type(type) else str(type)


def plain(value: Attribute) -> Plain:
    """An attribute as the plain value that `infer` takes."""
    match value:
        case IntegerAttr():
            return bool(value.value.data) if value.type == i1 else value.value.data
        case DenseArrayBase():
            return tuple(int(item) for item in value.get_values())
        case StringAttr() | Word():
            return value.data
    return text_of(value)


# ---- the table

_WORK: tuple[OpTrait, ...] = (MemoryReadEffect(), MemoryWriteEffect())
_EFFECTS: Mapping[str, tuple[OpTrait, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("memref.load", "memref.load_vec", "ptr.load"), (MemoryReadEffect(),)),
        **dict.fromkeys(("memref.store", "memref.store_vec", "ptr.store"), (MemoryWriteEffect(),)),
        **dict.fromkeys(("memref.alloca", "make_ptr"), (MemoryAllocEffect(),)),
        "set_register": (MemoryWriteEffect(),),
        **dict.fromkeys(("copy", "copy_atom_call", "copy_atom_call_ssa"), _WORK),
        **dict.fromkeys(("gemm", "mma_atom_call", "mma_atom_call_ssa", "print"), _WORK),
    }
)


def _class(short: str) -> type[FlyOp]:
    effects = _EFFECTS.get(short, (Pure(),))
    name = short if short.startswith("fly_rocdl.") else f"fly.{short}"
    members = {
        "name": name,
        "short": short,
        "row": TABLE[short],
        "form": FORMS.get(short, PLAIN),
        "inherent": frozenset({SEGMENTS, *(attribute.names[0] for attribute in TABLE[short].attributes)}),
        "traits": OpTraits(lambda: effects),
        "__doc__": f"`{name}`.",
    }
    return type(f"{short.title().replace('_', '').replace('.', '')}Op", (FlyOp,), members)


_OLDER = {"block_product": "blocked_product", "make_atom": "make_mma_atom"}
OPS: Mapping[str, type[FlyOp]] = MappingProxyType({short: _class(short) for short in TABLE if short not in _OLDER})


def _renamed(older: str, short: str) -> type[FlyOp]:
    create = classmethod(lambda cls, **given: _released(short, given))
    return type(f"Older{OPS[short].__name__}", (OPS[short],), {"name": f"fly.{older}", "create": create})


def _released(short: str, given: dict[str, Any]) -> FlyOp:
    """The op, or of a copy's atom the one that says the bits of its values."""
    kind = next(iter(given.get("result_types", ())), None)
    if short != "make_mma_atom" or not isinstance(kind, CopyAtomType):
        return OPS[short].create(**given)
    _, parts = type_parts(kind.data, kind.data)
    bits = IntegerAttr(element_bits(parts[1], kind.data), i32)
    return OPS["make_copy_atom"].create(**given | {"properties": {"valBits": bits}})


OLDER: Mapping[str, type[FlyOp]] = MappingProxyType({older: _renamed(older, short) for older, short in _OLDER.items()})
"""Names of FlyDSL's page on layouts, and older ones, that are read as the release's ops."""


def make(
    name: str,
    operands: Sequence[SSAValue],
    given: Mapping[str, Plain | Attribute] | None = None,
    results: Sequence[Attribute] | None = None,
) -> FlyOp:
    """An op; without `results` they are inferred.

    Raises:
        VerifyException: nothing follows from these operands.
    """
    properties = {key: attribute_of(value) for key, value in sorted((given or {}).items())}
    if results is None:
        values = {key: plain(value) for key, value in properties.items()}
        results = result_types(name, [operand.type for operand in operands], values)
    return created(OPS[name], operands, results, properties)


def attribute_of(value: Plain | Attribute) -> Attribute:
    """A plain value as an attribute."""
    return value if isinstance(value, Attribute) else _attribute_of(value)


@lru_cache(1024, typed=True)
def _attribute_of(value: Plain) -> Attribute:
    match value:
        case bool():
            return IntegerAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i32)
        case str():
            return StringAttr(value)
    return DenseArrayBase.from_list(i32, value)
