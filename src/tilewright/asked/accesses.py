"""Tiles and accesses as people name them in a line of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import memory_layout
from tilewright.analysis.model.patterns import COLUMNS, ROWS, by_matrices, plane, walking
from tilewright.arch import ArchSpec
from tilewright.asked.by_atoms import named
from tilewright.errors import LayoutError, NotationError, UsageError, shortened
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import as_int_tuple, leaves, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation import parse
from tilewright.notation.parse import element_width, leaf_place

SIZE = re.compile(r"(?P<count>[0-9]{1,4})(?P<unit>B|b|bytes|bits)")
VECTOR_BYTES = 16
MAX_VALUES = 1 << 19  # 228 KiB hold fewer, even of 4 bits
EXAMPLES = """an ACCESS names a kind or an instruction, a pattern, and a size; each part may be left out:
  rows 16B               neighbouring lanes take neighbouring vectors of 16 bytes along a row, row after row
  store columns 4B       down a column first, as stores
  ldmatrix.x4            the whole tile by ldmatrix; also ldmatrix.x2.trans, stmatrix.x4, ..
  ds_read_b128 columns   any instruction of the architecture with a pattern
  SM75_U32x4_LDSM_N      the whole tile by a copy atom, on its side S or D where that is to say
  "A of SM80_16x8x16_F32F16F16F32_TN by SM75_U32x4_LDSM_N"   an operand of an MMA; without a copy by the widest
                         loads that fit, of wgmma and tcgen05 by its descriptor
  "load (32,8):(8,1) 128b"   a thread-value layout: (thread, value) -> index of the tile's coordinate"""
ORIENTATION = (
    "vectors lie the way memory runs; rows and columns are those of the tile, its first mode counting the rows"
)


@dataclass(frozen=True)
class Question:
    """What is asked about: a tile in shared memory, its elements, and the machine."""

    layout: Any
    text: str
    element_bits: int
    spec: ArchSpec


def tile(text: str) -> tuple[Any, str]:
    """The layout of that text, and how it reads; a shape alone is a row-major tile.

    >>> print(*tile("(8,64)"))
    (8,64):(64,1) (8,64):(64,1)
    """
    found = parsed(text)
    if isinstance(found, int | tuple):
        found = row_major(found)
    if not callable(memory_layout(found)) or not hasattr(found, "size"):
        raise UsageError(f"{text!r} is no layout of a tile; write one such as (8,64):(64,1), or its shape (8,64)")
    return found, str(found)


def told_width(text: str) -> int | None:
    """The bits of an element where the text of a tile tells them, in a pointer or a type.

    >>> told_width("smem_ptr[16b](0x400) o (8,64):(64,1)"), told_width("(8,64)")
    (16, None)
    """
    try:
        return element_width(text)
    except (NotationError, LayoutError):
        return None


def parsed(text: str) -> Any:
    """The object of a text; a refusal is one line.

    Raises:
        UsageError: text in no notation.
    """
    try:
        return parse(text)
    except (NotationError, LayoutError) as error:
        raise UsageError(f"cannot read {shortened(text)!r}: {str(error).splitlines()[0]}") from None


def access(text: str, asked: Question) -> Access:
    """The access that a text names.

    Raises:
        UsageError: words that name none, or a pattern that the tile does not have.

    >>> from tilewright.arch import get
    >>> q = Question(*tile("(8,64)"), 16, get("sm_90"))
    >>> print(access("store rows 16B", q).thread_value, access("ldmatrix.x4", q).instruction)
    ((8,4),(8,2)):((64,1),(8,4)) ldmatrix.x4
    """
    words, by_atoms = text.split(), named(text)
    if by_atoms:
        return replace(by_atoms.access(asked.layout, asked.element_bits, asked.spec), name=text)
    if words and words[0] in DESCRIPTORS:
        return replace(_descriptor(words), name=text)
    kind, instruction, rest = instruction_of(words, asked.spec)
    width, pattern = _width(rest)
    found = _pattern(" ".join(pattern), kind, instruction, width, asked)
    size = getattr(found.thread_value, "size", 0)
    if type(size) is int and size > MAX_VALUES:
        raise UsageError(
            f"{shortened(text)!r} moves {size} values, more than the {MAX_VALUES} that shared memory has at most; "
            "give a part of the tile"
        )
    return replace(found, name=text)


def instruction_of(words: Sequence[str], spec: ArchSpec) -> tuple[str, str, Sequence[str]]:
    """(kind, instruction, the words after them)."""
    if words and words[0] in ("load", "store"):
        return words[0], "auto", words[1:]
    if not words or not re.fullmatch(r"[a-z_]+[a-z0-9_.]*", words[0]) or words[0] in (ROWS, COLUMNS):
        return "load", "auto", words
    try:
        known = parse_instruction(words[0], "load", spec)
    except UsageError as error:
        raise UsageError(f"{error}; a pattern is rows, columns, or a layout") from None
    return known.kind, words[0], words[1:]


def _width(words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    found = SIZE.fullmatch(words[-1]) if words else None
    if found is None:
        return None, words
    bits = int(found["count"]) * (1 if found["unit"] in ("b", "bits") else 8)
    if bits % 8 or not bits:
        raise UsageError(f"a vector of {words[-1]}: give whole bytes, such as 16B or 128b")
    return bits // 8, words[:-1]


def _pattern(text: str, kind: str, instruction: str, width: int | None, asked: Question) -> Access:
    if text in (ROWS, COLUMNS):
        return _walk(text, kind, instruction, width, asked)
    if not text and "matrix" in instruction:
        return by_matrices(asked.layout, instruction, asked.spec, element_bits=asked.element_bits)
    if not text:
        raise UsageError(f"{instruction if instruction != 'auto' else kind} of what? Say rows, columns, or a layout")
    return Access(_thread_value(text), None if width is None else 8 * width, kind, instruction)


def _walk(order: str, kind: str, instruction: str, width: int | None, asked: Question) -> Access:
    own = parse_instruction(instruction, kind, asked.spec)
    size = width or own.width or _longest(asked)
    return walking(
        asked.layout,
        order,
        size,
        element_bits=asked.element_bits,
        threads=own.lanes or asked.spec.lanes,
        kind=kind,
        instruction=instruction,
    )


def _longest(asked: Question) -> int:
    """The bytes of a vector where none are said: 16, or as many as fill runs of memory and whole instructions.

    >>> from tilewright.arch import get
    >>> [_longest(Question(*tile(text), 16, get("sm_90"))) for text in ("(64,192)", "(64,100)", "(64,3)", "(8,60)")]
    [16, 8, 2, 2]
    """
    way = plane(asked.layout)
    run, lines = way.run * asked.element_bits // 8, way.rows * way.columns // way.run
    widths = [width for width in (VECTOR_BYTES, 8, 4, 2, 1) if run and run % width == 0]
    return next((n for n in widths if _is_whole(run // n * lines, asked.spec.lanes)), max(widths, default=1))


def _is_whole(vectors: int, lanes: int) -> bool:
    return vectors % min(vectors, lanes) == 0


def _thread_value(text: str) -> Any:
    try:
        found = parsed(text)
    except UsageError as error:
        raise UsageError(
            f"{error}; an access is such as 'rows 16B', 'store columns 4B', ldmatrix.x4, (32,8):(8,1)"
        ) from None
    if not callable(found):
        raise UsageError(f"{text!r} is no thread-value layout; write one such as (32,8):(8,1), or rows, or columns")
    return found


def _descriptor(words: Sequence[str]) -> Access:
    if len(words) > 1:
        raise UsageError(f"{words[0]} takes the tile as it is; leave out {' '.join(words[1:])!r}")
    return Access(instruction=words[0])


def is_shape(x: object) -> TypeGuard[int | tuple[object, ...]]:
    """Is it a number or a tuple of numbers that may be extents?"""
    if isinstance(x, tuple):
        return bool(x) and all(map(is_shape, x))
    return type(x) is int and x > 0


def shape_or_layout(text: str) -> object:
    """What a text says; a number or a tuple is a shape, the extents of a tile.

    Raises:
        NotationError: a number or a tuple that is no shape, with a caret under its first extent that is none; or text
            that cannot be read.
        LayoutError: text whose numbers are no object.

    >>> shape_or_layout("(4, (2, 8))")
    (4, (2, 8))
    """
    found = parse(text)
    if not isinstance(found, int | tuple | SymInt | AxisSum | None) or is_shape(found):
        return found
    what = "a tile is a shape of positive integers, or a layout such as (4,8):(8,1)"
    raise NotationError(what, text, leaf_place(text, is_shape))


def row_major(shape: int | tuple[object, ...]) -> Layout:
    """The tile of a shape alone, its last mode contiguous.

    Raises:
        UsageError: extents that only run time knows.

    >>> print(row_major((8, 64)))
    (8,64):(64,1)
    """
    from tilewright.layout.construct import make_layout_right

    extents = as_int_tuple(shape if isinstance(shape, tuple) else (shape,))
    if any(type(leaf) is not int for leaf in leaves(extents)):
        raise UsageError(f"a tile needs static extents, got {to_text(extents)}")
    return make_layout_right(extents)
