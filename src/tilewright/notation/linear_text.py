"""The texts of F2 linear layouts: ours, and the table that Triton prints.

    ours   = "{" [level "=" "[" {"[" 0 "," 1 "]"} "]" {"," ...}] "}" "->" "{" [dim "=" size {"," ...}] "}"
    table  = {"-" (level "=" 1 "->" "(" 0 "," 1 ")" {level "=" 2 "->" ...} | level "is a size 1 dimension")}
             "where out dims are:" "[" dim "(size" size ")" {"," ...} "]"

Dimensions are written in the order of the object, minor first.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.errors import LayoutError, shown
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token

Levels = list[tuple[str, list[list[int]]]]


def is_linear(r: Reader) -> bool:
    """Does the text begin as a linear layout does?"""
    return r.at("{") or r.at_name("where") or (r.at("-") and r.look().kind == "name")


def linear(r: Reader) -> LinearLayout:
    """A linear layout in either text."""
    return _table(r) if r.at("-") or r.at_name("where") else _ours(r)


def table_text(x: LinearLayout) -> str:
    """The table that Triton prints.

    Raises:
        LayoutError: no linear layout.

    >>> print(table_text(LinearLayout.identity_1d(4, "lane", "dim0") * LinearLayout.zeros_1d(1, "warp", "dim0")))
    - lane=1 -> (1)
      lane=2 -> (2)
    - warp is a size 1 dimension
    where out dims are: [dim0 (size 4)]
    """
    if not isinstance(x, LinearLayout):
        raise LayoutError(f"table_text takes a linear layout, got {shown(x)}")
    rows = [line for level, images in x.bases for line in _level_lines(level, images)]
    outs = ", ".join(f"{name} (size {size})" for name, size in x.out_dims)
    return "\n".join([*rows, f"where out dims are: [{outs}]"])


def _level_lines(level: str, images: Iterable[list[int]]) -> list[str]:
    rows = [f"{level}={1 << i} -> ({', '.join(map(str, image))})" for i, image in enumerate(images)]
    first, *rest = rows or [f"{level} is a size 1 dimension"]
    return [f"- {first}", *(f"  {row}" for row in rest)]


def _ours(r: Reader) -> LinearLayout:
    start = r.expect("{", "`{level = [[...], ...]} -> {dim = size}`")
    levels = r.sequence(_level, "}")
    r.expect("->")
    r.expect("{")
    return _build(r, levels, r.sequence(_size, "}"), start)


def _level(r: Reader) -> tuple[str, list[list[int]]]:
    name = r.expect_name()
    r.expect("=")
    r.expect("[")
    return name, r.sequence(_image, "]")


def _image(r: Reader) -> list[int]:
    r.expect("[")
    return r.sequence(_entry, "]")


def _entry(r: Reader) -> int:
    r.count_leaf()
    return r.integer()


def _size(r: Reader) -> tuple[str, int]:
    name = r.expect_name()
    r.expect("=")
    return name, _entry(r)


def _table(r: Reader) -> LinearLayout:
    start = r.token
    levels: Levels = []
    while r.accept("-"):
        name = r.expect_name()
        levels.append((name, _rows(r, name)))
    for word in ("where", "out", "dims", "are"):
        r.expect_text(word)
    r.expect(":")
    r.expect("[")
    return _build(r, levels, r.sequence(_sized_name, "]"), start)


def _rows(r: Reader, level: str) -> list[list[int]]:
    if r.accept_name("is"):
        for word in ("a", "size", "1", "dimension"):
            r.expect_text(word)
        return []
    rows = [_row(r, 1)]
    while r.at_name(level):
        r.take()
        rows.append(_row(r, 1 << len(rows)))
    return rows


def _row(r: Reader, power: int) -> list[int]:
    r.expect("=")
    if r.token.text != str(power):
        r.fail(f"{power}, the next power of two")
    r.take()
    r.expect("->")
    r.expect("(")
    return r.sequence(_entry, ")")


def _sized_name(r: Reader) -> tuple[str, int]:
    name = r.expect_name()
    r.expect("(")
    r.expect_name("size")
    size = _entry(r)
    r.expect(")")
    return name, size


def _build(r: Reader, levels: Levels, outs: list[tuple[str, int]], start: Token) -> LinearLayout:
    names, sizes = [name for name, _ in outs], [size for _, size in outs]
    return r.checked(lambda: LinearLayout.from_bases(levels, names, sizes, require_surjective=False), start)
