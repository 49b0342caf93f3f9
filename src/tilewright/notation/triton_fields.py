"""The fields of Triton's layout attributes, checked, and the blocks that every attribute may carry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute, Field, value_text
from tilewright.notation.triton_cover import dim_names, product, sized

Shape: TypeAlias = tuple[int, ...]


def integer(a: Attribute, key: str, default: int | None = None) -> int:
    """A non-negative integer field."""
    value = a.get(key, default)
    if type(value) is not int or value < 0:
        raise LayoutError(f"#ttg.{a.kind} needs {key} = a non-negative integer, got {value_text(value)}")
    return value


def power(a: Attribute, key: str, default: int | None = None) -> int:
    """A field that is a power of two."""
    value = integer(a, key, default)
    if value < 1 or value & (value - 1):
        raise LayoutError(f"#ttg.{a.kind} needs {key} = a power of two, got {value_text(value)}")
    return value


def flag(a: Attribute, key: str) -> bool:
    """A truth value, false where it is missing."""
    value = a.get(key, False)
    if not isinstance(value, bool):
        raise LayoutError(f"#ttg.{a.kind} needs {key} = true or false, got {value_text(value)}")
    return value


def integers(a: Attribute, key: str, rank: int | None = None) -> Shape:
    """A list of non-negative integers, of the given length."""
    values = a.get(key)
    found = tuple(v for v in values if type(v) is int and v >= 0) if isinstance(values, tuple) else ()
    if not isinstance(values, tuple) or len(found) < len(values):
        raise LayoutError(f"#ttg.{a.kind} needs {key} = a list of integers, got {value_text(values)}")
    if rank is not None and len(found) != rank:
        raise LayoutError(f"#ttg.{a.kind}: {key} has {len(found)} entries instead of {rank}")
    return found


def order_of(a: Attribute, key: str = "order") -> Shape:
    """A permutation of the dimensions, the fastest first."""
    order = integers(a, key)
    if not order or sorted(order) != list(range(len(order))):
        raise LayoutError(f"#ttg.{a.kind}: {key} = {list(order)} is no permutation of the dimensions")
    return order


def bases_of(a: Attribute, levels: Mapping[str, Field], rank: int) -> LinearLayout:
    """The layout whose bases the fields list, with the smallest output sizes that hold them."""
    table = {level: _bases(a, images, rank) for level, images in levels.items()}
    sizes = [1 << max((row[d].bit_length() for rows in table.values() for row in rows), default=0) for d in range(rank)]
    return sized(table, list(zip(dim_names(rank), sizes, strict=True)))


def _bases(a: Attribute, images: Field, rank: int) -> list[list[int]]:
    rows = images if isinstance(images, tuple) else (None,)
    found = [[v for v in row if type(v) is int] for row in rows if isinstance(row, tuple) and len(row) == rank]
    if len(found) < len(rows) or any(len(row) < rank for row in found):
        raise LayoutError(f"#ttg.{a.kind}: a basis is a list of {rank} integers, one for each dimension")
    return found


def blocks_of(a: Attribute, rank: int) -> LinearLayout:
    """How the blocks of a cluster split or share the tensor; one block where the attribute says nothing."""
    if a.get("CGALayout") is not None:
        return bases_of(a, {"block": a.get("CGALayout")}, rank)
    if a.get("CTAsPerCGA") is None:
        return _one_block(rank)
    counts, splits = integers(a, "CTAsPerCGA", rank), integers(a, "CTASplitNum", rank)
    parts = product(_split(counts[d], splits[d], f"dim{d}") for d in order_of(a, "CTAOrder"))
    return parts.transpose_outs(dim_names(rank))


@lru_cache(64)
def _one_block(rank: int) -> LinearLayout:
    return sized({"block": []}, [(name, 1) for name in dim_names(rank)])


def _split(count: int, parts: int, name: str) -> LinearLayout:
    if parts < 1 or count % parts:
        raise LayoutError(f"{count} blocks along {name} cannot hold {parts} parts")
    return LinearLayout.identity_1d(parts, "block", name) * LinearLayout.zeros_1d(count // parts, "block", name)
