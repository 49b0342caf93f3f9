"""`symbol-dce` keeps what public functions reach, and nothing else."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.context import Context
from xdsl.dialects.func import FuncOp

from tilewright.ir.text import parse_module
from tilewright.passes.symbol_dce import SymbolDce

NAMES = ("a", "b", "c")
PAIRS = (("a", "a"), *((a, b) for a in NAMES for b in NAMES if a != b))


def left(functions: dict[str, tuple[str, list[str]]]) -> set[str]:
    """The functions that stay, of some with a visibility and those that they call."""
    lines = []
    for name, (seen, called) in functions.items():
        calls = (f"func.call @{other}() : () -> ()" for other in called)
        lines += [f"func.func {seen} @{name}() {{", *calls, "func.return }"]
    module = parse_module("\n".join(lines))
    SymbolDce().apply(Context(), module)
    return {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)}


@pytest.mark.parametrize("public", [(), ("a",), ("b", "c")])
def test_what_public_functions_reach_stays(public: tuple[str, ...]) -> None:
    """Of three functions, whoever calls whom."""
    for calls in product((False, True), repeat=len(PAIRS)):
        chosen = [pair for pair, is_so in zip(PAIRS, calls, strict=True) if is_so]
        called = {name: [b for a, b in chosen if a == name] for name in NAMES}
        reached = set(public)
        for _ in NAMES:
            reached |= {other for name in reached for other in called[name]}
        seen = {name: "" if name in public else "private" for name in NAMES}
        assert left({name: (seen[name], called[name]) for name in NAMES}) == reached, (public, called)


def test_a_name_within_another_attribute_is_a_use() -> None:
    text = """
      func.func private @a() { func.return }
      func.func private @b() { func.return }
      func.func private @c() { func.return }
      func.func nested @d() { func.return }
      func.func @e() attributes {uses = [1 : i32, {first = @a}, [@b]]} { func.return }"""
    module = parse_module(text)
    SymbolDce().apply(Context(), module)
    assert {op.sym_name.data for op in module.ops if isinstance(op, FuncOp)} == {"a", "b", "d", "e"}
