"""Parsers of every notation, printers of the foreign ones, conversions between views. Computes no layout."""

from tilewright.notation.bridges import to_cute, to_linear, to_tirx
from tilewright.notation.cpp import to_cpp
from tilewright.notation.linear_text import table_text
from tilewright.notation.parse import (
    parse,
    parse_coord,
    parse_fly,
    parse_int_tuple,
    parse_layout,
    parse_linear,
    parse_swizzle,
    parse_tiler,
    parse_tirx,
    parse_triton,
)
from tilewright.notation.placement import placement
from tilewright.notation.printers import text, to_fly
from tilewright.notation.triton_text import to_triton

__all__ = [
    "parse",
    "parse_coord",
    "parse_fly",
    "parse_int_tuple",
    "parse_layout",
    "parse_linear",
    "parse_swizzle",
    "parse_tiler",
    "parse_tirx",
    "parse_triton",
    "placement",
    "table_text",
    "text",
    "to_cpp",
    "to_cute",
    "to_fly",
    "to_linear",
    "to_tirx",
    "to_triton",
]
