"""Registers that a program names: the values are those of the program without the names."""

from __future__ import annotations

import re
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.mlir.slices import bits_of
from tilewright.ir.reader import Source, read
from tilewright.passes.cse import Cse
from tilewright.passes.registry import pass_of

LIT = (Path(__file__).parents[2] / "mlir" / "passes" / "fly" / "register_values.mlir").read_text()
MADE = re.compile(r"( *)(%\w+) = fly\.make_ptr\(\) \{dictAttrs = .* -> (!fly\.ptr<\w+, register>)\n")
NAME = r'\g<0>\1fly.set_register \2 {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = 4 : i64} : \3\n'


def promoted(text: str) -> ModuleOp:
    module = read(Source("a.mlir", text)).module
    pass_of("fly-promote-regmem-to-vectorssa").apply(Context(), module)
    return module


def found(module: ModuleOp, name: str) -> list[FlyOp]:
    return [op for op in module.walk() if isinstance(op, FlyOp) and op.short == name]


def test_names_of_registers_change_no_value() -> None:
    plain = "\n".join(line for line in LIT.splitlines() if "set_register" not in line and "CHECK" not in line) + "\n"
    named, count = MADE.subn(NAME, plain)
    assert count > 5
    module, wanted = promoted(named), promoted(plain)
    values = found(module, "register_value")
    assert len(values) > 10
    for op in values:
        first, storage = op.attribute("bitOffset"), op.attribute("storageBits")
        assert isinstance(first, int)
        assert isinstance(storage, int)
        assert 0 <= first <= first + bits_of(op.results[0].type) <= storage
        op.results[0].replace_all_uses_with(op.operands[0])
        op.detach()
        op.erase()
    for op in found(module, "set_register"):  # of what stays memory
        op.detach()
        op.erase()
    Cse().apply(Context(), module)
    Cse().apply(Context(), wanted)
    assert str(module) == str(wanted)
