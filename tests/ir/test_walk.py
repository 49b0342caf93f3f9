"""The ops of a module as a list are those that xDSL walks over, in its order."""

from __future__ import annotations

from tilewright.ir.core.walk import operations
from tilewright.ir.text import parse_module

TEXT = """
func.func @f(%n: index, %yes: i1) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    scf.if %yes {
      %two = arith.addi %i, %i : index
    } else {
      %three = arith.addi %i, %one : index
    }
  }
  func.return
}
"""


def test_the_list_is_the_walk() -> None:
    module = parse_module(TEXT)
    assert operations(module) == list(module.walk())
    assert len(operations(module)) == 11
