"""Attributes as MLIR writes them: `array<i32: 1, 2>`, `[0, 1]`, `3 : i32`, `true`."""

from __future__ import annotations

import re

from tilewright.numerals import integer

_ARRAY = re.compile(r"(?:array<\s*i[0-9]{1,2}\s*(?::(?P<array>[^<>]*))?>|\[(?P<list>[^\[\]]*)\])")
_TYPED = re.compile(r"(?P<number>[^\s:]+)(?:\s*:\s*(?:[su]?i[0-9]{1,2}|index))?")
_TRUTHS = {"true": True, "false": False}
_LIMIT = 1 << 63


def plain(value: object) -> object:
    """What an attribute's text says, integers, a list of them or a truth; any other value is itself.

    >>> plain("array<i32: 1, 2>"), plain("[3 : i64]"), plain("4 : i32"), plain("true"), plain("f16"), plain([5])
    ((1, 2), (3,), 4, True, 'f16', [5])
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    found = _ARRAY.fullmatch(text)
    if found is None:
        number = _number(text)
        return _TRUTHS.get(text, value) if number is None else number
    body = (found["array"] or found["list"] or "").strip()
    numbers = [_number(item.strip()) for item in body.split(",")] if body else []
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else value


def _number(text: str) -> int | None:
    found = _TYPED.fullmatch(text)
    return integer(found["number"], _LIMIT) if found else None
