"""Parsers of every notation, printers of the foreign ones, conversions between views. Computes no layout."""

from tilewright.notation.parse import parse_linear, parse_triton

__all__ = ["parse_linear", "parse_triton"]
