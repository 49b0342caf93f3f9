"""Texts of one construct repeated: wide, deep, chained, all different. Each is a function of how often.

`grown(construct, size)` is the longest of at most `size` characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

Construct = Callable[[int], str]

MLIR_FILES = sorted((Path(__file__).parents[1] / "mlir").rglob("*.mlir"))


def grown(construct: Construct, size: int) -> str:
    """The construct about as often as `size` characters hold."""
    few, more = len(construct(32)), len(construct(64))
    count = max(1, 32 + 32 * (size - few) // max(1, more - few))
    while count > 1 and len(text := construct(count)) > size:
        count = min(count - 1, count * size // len(text))
    return construct(count)


def joined(sign: str, part: str) -> Construct:
    """Within one construct: `{i}` is the number of a part, `{j}` the one after."""
    return lambda n: sign.join(at(part, i) for i in range(n))


def at(part: str, i: int) -> str:
    """The part of that number."""
    return part.replace("{i}", str(i)).replace("{j}", str(i + 1))


def whole(begin: str, part: str, end: str, sign: str = "\n") -> Construct:
    """Between a beginning and an end, which may name the number of parts."""
    return lambda n: f"{begin}{joined(sign, part)(n)}{at(end, n)}"


def function(arguments: str, part: str, before: str = "") -> Construct:
    """In a function."""
    return whole(f"func.func @f({arguments}) {{\n{before}\n", part, "\n  func.return\n}\n")


def nested(begin: str, opening: str, inside: str, closing: str, end: str) -> Construct:
    """Each part inside the one before."""
    return lambda n: begin + joined("", opening)(n) + inside + closing * n + end


def typed(kind: Construct) -> Construct:
    """The type of an argument."""
    return lambda n: f"func.func @f(%a: {kind(n)}) {{\n  func.return\n}}\n"


def attributed(value: Construct) -> Construct:
    """The value of an attribute."""
    return lambda n: f"func.func @f() attributes {{x = {value(n)}}} {{\n  func.return\n}}\n"


_FUNCTION = re.compile(r"^  ?func\.func .*?^  ?\}|^func\.func .*?^\}", re.DOTALL | re.MULTILINE)


def functions_of_tests() -> Iterator[tuple[str, Construct]]:
    """Each function of the lit tests, repeated under other names."""
    for path in MLIR_FILES:
        for number, found in enumerate(_FUNCTION.findall(path.read_text())):
            text = "\n".join(line for line in found.split("\n") if not line.strip().startswith("//"))
            name = re.search(r"@([\w$.-]+)", text)
            if name:
                renamed = text.replace(name[0], f"@{name[1]}_{{i}}")
                yield f"{path.parent.name}/{path.name} {number} @{name[1]}", joined("\n", renamed)
