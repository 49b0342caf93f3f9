"""From the types of operands to the type of an op's result, through the rules of `table`, in FlyDSL's sentences.

Static operands give the text of what the algebra of `layout/` gives; run-time leaves are named, run through the same
algebra, and erased by fly's lattice (`lattice`). Texts are remembered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from tilewright.errors import LayoutError, NotationError, TilewrightError, shown
from tilewright.ir.fly.leaves import named, run_time_leaves
from tilewright.ir.fly.op_attributes import SEGMENTS, Attributes, declared
from tilewright.ir.fly.settled import settled
from tilewright.ir.fly.table import NOT_INFERRED, TABLE
from tilewright.ir.fly.table_row import Op
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Results, Value


class InferenceError(LayoutError):
    """No type of a result follows; `sentence` is FlyDSL's, `notes` are ours."""

    def __init__(self, sentence: str, *notes: str) -> None:
        super().__init__("\n  note: ".join((sentence, *notes)))
        self.sentence = sentence
        self.notes = notes


MOST_LEAVES = 1 << 10
_LONG = re.compile(r"[0-9]{10}")
_DIGITS = 18  # extents that are written with no more of them have a product below 2^63


def infer(op_name: str, operand_type_texts: Sequence[str], attrs: Attributes | None = None) -> str:
    """The type of an op's result, from the types of its operands.

    Of ops without results it is the empty text, of several types their list. Ops whose result is written, and not
    inferred (`static`, `make_ptr`, `memref.alloca`, ..), are given it as attribute `result` and give it back.
    Comparisons (`equal`, `elem_less`, `is_static`) of static operands give their answer, `true` or `false`, in place
    of its type `i1`, which `result_types` gives.

    Args:
        op_name: `fly.crd2idx`, or without its dialect.
        operand_type_texts: types such as `!fly.layout<(4,8):(1,4)>`, in a spelling of FlyDSL's pages or release.
        attrs: the attributes by name: `mode`, `indices`, `begin`, `end`, `n`, `old_type_bits`, `operand_id`, ..;
            numbers, lists, or MLIR's text of them, `array<i32: 1>`.

    Raises:
        LayoutError: the op has no result here (an `InferenceError`), or a type's numbers are no layout.
        NotationError: an op or a type that the dialect does not have.

    >>> infer("fly.composition", ["!fly.layout<(4,(2,8)):(1,(16,4))>", "!fly.layout<(2,4):(1,2)>"])
    '!fly.layout<(2,(2,2)):(1,(2,16))>'
    >>> infer("size", ["!fly.layout<(?{div=4},8):(1,?{i64})>"])
    '!fly.int_tuple<?{div=32}>'
    """
    return ", ".join(_texts_of(op_name, operand_type_texts, attrs or {}))


def result_types(op_name: str, operand_type_texts: Sequence[str], attrs: Attributes | None = None) -> tuple[str, ...]:
    """The types of all results; a comparison of static operands, whose answer `infer` tells, is an `i1`.

    >>> result_types("get_leaves", ["!fly.int_tuple<(4,?{i64})>"]), result_types("equal", ["!fly.int_tuple<4>"] * 2)
    (('i32', 'i64'), ('i1',))
    """
    found = _texts_of(op_name, operand_type_texts, attrs or {})
    return tuple("i1" if text in ("true", "false") else text for text in found)


def infer_value(
    name: str,
    operands: Sequence[Value],
    attributes: tuple[object, ...] = (),
    written: tuple[Value, ...] | None = None,
    sizes: tuple[int, ...] | None = None,
) -> Value:
    """The value of the result's type, from those of the operands' types; leaves are named by their operand.

    Args:
        name: the op, a key of `TABLE`.
        operands: the values of their types.
        attributes: in the order of the op's row.
        written: the types written for the results, where the row says that they are.
        sizes: how many operands each group has, where the row has groups.

    Raises:
        InferenceError: the op has no result here.
    """
    op = TABLE[name]
    try:
        _check_leaves(operands)
        values = op.grouped([named(value, i) for i, value in enumerate(operands)], sizes)
        given = [written, *values] if op.written else values
        found: Value = settled(lambda: op.rule(*given, *attributes))
        _check_leaves(found.types if isinstance(found, Results) else [found])
        return found
    except InferenceError:
        raise
    except TilewrightError as refusal:
        sentence, *notes = _told(name, refusal)
        raise InferenceError(sentence, *notes) from None


def _check_leaves(operands: Sequence[Value]) -> None:
    count = sum(len(run_time_leaves(value)) for value in operands)
    if count > MOST_LEAVES:
        known = "integers that run time alone knows"
        raise LayoutError(f"an op takes and gives at most {MOST_LEAVES} {known}, not {count}")


def _texts_of(op_name: object, texts: object, attrs: object) -> tuple[str, ...]:
    name, op = _found(op_name)
    operands = _texts(name, op, texts)
    if not isinstance(attrs, Mapping):
        raise NotationError(f"{name}: attributes are a mapping of names, got {shown(attrs)}")
    attributes = tuple(attribute.read(name, attrs) for attribute in op.attributes)
    written = declared(name, attrs) if op.written else None
    sizes = SEGMENTS.read(name, attrs) if op.groups else None
    if written is None and all(map(_is_hashable, attributes)):
        return _inferred(name, operands, attributes, sizes)
    return _written(infer_value(name, [read(text) for text in operands], attributes, written, sizes))


def _is_hashable(value: object) -> bool:
    return type(value) in (int, str, tuple, bool, type(None))


@lru_cache(8192)
def _inferred(
    name: str, texts: tuple[str, ...], attributes: tuple[object, ...], sizes: tuple[int, ...] | None
) -> tuple[str, ...]:
    return _written(inferred(name, texts, attributes, sizes))


@lru_cache(8192)
def inferred(name: str, texts: tuple[str, ...], attributes: tuple[object, ...], sizes: tuple[int, ...] | None) -> Value:
    """The value of the result's type, from the texts of the operands' types."""
    return infer_value(name, [read(text) for text in texts], attributes, None, sizes)


def _written(found: Value) -> tuple[str, ...]:
    texts = tuple(map(write, found.types if isinstance(found, Results) else (found,)))
    for text in texts:
        if "an integer of" in text:
            raise LayoutError(f"the result has an integer that no type holds: {shown(text)}")
        if _LONG.search(text) or (len(text) > _DIGITS and sum(map(str.isdigit, text)) > _DIGITS):
            read(text)  # which refuses integers that no leaf holds, and layouts whose coordinates cannot be numbered
    return texts


def _found(op_name: object) -> tuple[str, Op]:
    name = op_name.removeprefix("fly.").removeprefix("fx.") if isinstance(op_name, str) else ""
    if name in NOT_INFERRED:
        raise NotationError(f"no result type is inferred for the op {name}: {NOT_INFERRED[name]}")
    if name not in TABLE:
        raise NotationError(f"no result type is inferred for the op {shown(op_name)}; known: {', '.join(TABLE)}")
    return name, TABLE[name]


def _texts(name: str, op: Op, texts: object) -> tuple[str, ...]:
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise NotationError(f"{name}: the operand types are a list of texts, got {shown(texts)}")
    least, most = op.operands
    if not least <= len(texts) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise NotationError(f"'fly.{name}' op expected {wanted} operands, but found {len(texts)}")
    return tuple(texts)


_SENTENCE = re.compile("[A-Za-z0-9]+Op: ")
_FAILED = "'fly.{}' op failed to infer returned types"


def _told(name: str, refusal: TilewrightError) -> list[str]:
    """FlyDSL's sentence, which some rules say themselves, and the lines of ours."""
    lines = str(refusal).split("\n")
    return lines if _SENTENCE.match(lines[0]) else [_FAILED.format(name), *lines]
