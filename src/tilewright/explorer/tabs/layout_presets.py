"""The presets of the tab of layouts: layouts, slices, and each family of the algebra."""

from __future__ import annotations

from tilewright.explorer.tab import Preset
from tilewright.explorer.tabs.layout_operations import COMPLEMENT_IN, WIDTHS


def _of(name: str, operation: str, a: str, b: str = "", note: str = "", **more: str) -> Preset:
    return Preset(name, {"a": a, "operation": operation} | ({"b": b} if b else {}) | more, note)


PRESETS = (
    Preset("row-major 4x8", {}, "the right mode has stride 1: offsets run along the rows"),
    Preset("column-major 4x8", {"a": "(4,8):(1,4)"}, "the left mode has stride 1: offsets run down the columns"),
    Preset("padded rows", {"a": "(4,8):(9,1)"}, "a row of 8 takes 9: the cosize is larger than the size"),
    Preset("one value for many", {"a": "(4,8):(0,1)"}, "stride 0: every row is the same"),
    Preset("blocks of 2x2", {"a": "((2,2),(2,4)):((1,4),(2,8))"}, "modes within modes: heavy rules separate them"),
    Preset("a slice: one row", {"slice": "(2,_)"}, "_ is free: what is fixed adds its offset"),
    Preset(
        "a slice through blocks",
        {"a": "((2,2),(2,4)):((1,4),(2,8))", "slice": "((0,_),(_,1))"},
        "a coordinate has the layout's own brackets",
    ),
    Preset(
        "a swizzled tile", {"a": "Swizzle<3,3,3> o 0 o (8,64):(64,1)", "colour": "bank"}, "a column meets all banks"
    ),
    _of("composition", "composition", "(6,2):(8,2)", "(4,3):(3,1)", "R(c) = A(B(c)): click a cell of the result"),
    _of("complement", COMPLEMENT_IN, "(2,2):(1,6)", "24", "what is left of 24"),
    _of("coalesce", "coalesce", "(2,(1,6)):(1,(6,2))", note="the same function in fewer modes"),
    _of("right inverse", "right_inverse", "(4,8):(8,1)", note="A(R(i)) = i"),
    _of("left inverse", "left_inverse", "(4,8):(9,1)", note="L(A(i)) = i, of padded rows too"),
    _of("tiles of a matrix", "zipped_divide", "(8,8):(8,1)", "(2,4)", "((tile), (rest)): a column is a tile"),
    _of("the same, mode by mode", "logical_divide", "(8,8):(8,1)", "(2,4)", "each mode: (within a tile, which tile)"),
    _of("blocks of a tile", "blocked_product", "(2,4):(4,1)", "(2,2):(1,2)", "copies of the tile side by side"),
    _of("the same, raked", "raked_product", "(2,4):(4,1)", "(2,2):(1,2)", "the copies' elements take turns"),
    _of("one mode alone", "logical_divide", "(8,8):(8,1)", "4", "only mode 1 is divided", mode="1"),
    _of("halves seen as words", WIDTHS, "(8,16):(16,1)", "(16,32)", "two of 16 bits make one of 32"),
)
