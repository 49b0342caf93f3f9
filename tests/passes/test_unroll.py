"""`unroll`: whatever the bounds and the factor, the iterations are the loop's, in its order."""

from __future__ import annotations

import numpy as np
import pytest
from final_kernels import kernel
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.text import parse_module, verify
from tilewright.passes.unroll import MOST, Unroll
from tilewright.targets.simulator.simulate import simulate

BOUNDS = [(0, 0, 1), (3, 1, 1), (0, 1, 1), (2, 7, 1), (1, 13, 3), (-4, 5, 2), (0, 6, 1), (5, 29, 4)]


def loops(module: ModuleOp) -> list[scf.ForOp]:
    return [op for op in module.walk() if isinstance(op, scf.ForOp)]


def at_line(line: int) -> FileLineColLoc:
    return FileLineColLoc(StringAttr("kernel.py"), IntAttr(line), IntAttr(1))


def looped(bounds: tuple[int, int, int], number: int, mark: str) -> str:
    """One loop: it carries three values, of which it swaps two, and gives a third that is not its own."""
    low, high, step = (f"%{name}{number}" for name in ("low", "high", "step"))
    return f"""
      {low} = arith.constant {bounds[0]} : index
      {high} = arith.constant {bounds[1]} : index
      {step} = arith.constant {bounds[2]} : index
      %at{number} = arith.constant {3 * number} : index
      %x{number}, %y{number}, %z{number} = scf.for %i = {low} to {high} step {step}
          iter_args(%p = %one, %q = %two, %r = %one) -> (i64, i64, i64) {{
        %s = arith.muli %p, %three : i64
        %n = arith.index_cast %i : index to i64
        %t = arith.addi %s, %n : i64
        scf.yield %q, %t, %two : i64, i64, i64
      }} {mark}
      memref.store %x{number}, %A[%at{number}] : memref<24xi64>
      %next{number} = arith.addi %at{number}, %c1 : index
      memref.store %y{number}, %A[%next{number}] : memref<24xi64>
      %last{number} = arith.addi %at{number}, %c2 : index
      memref.store %z{number}, %A[%last{number}] : memref<24xi64>"""


def module_of(mark: str) -> ModuleOp:
    numbers = "\n".join(f"%{name} = arith.constant {i} : i64" for i, name in enumerate(("one", "two", "three"), 1))
    body = "\n".join(looped(bounds, number, mark) for number, bounds in enumerate(BOUNDS))
    return parse_module(kernel(f"{numbers}\n{body}", "%A: memref<24xi64>", block=1))


def meant(bounds: tuple[int, int, int]) -> list[int]:
    a, b, c = 1, 2, 1
    for i in range(*bounds):
        a, b, c = b, 3 * a + i, 2
    return [a, b, c]


@pytest.mark.parametrize("factor", range(8))
@pytest.mark.parametrize(("mark", "all_"), [("{tile.unroll}", False), ("", True)])
def test_the_loop_and_its_iterations_are_the_same(mark: str, all_: bool, factor: int) -> None:
    """A loop that is left has two rounds and more, of `factor` iterations, and is not marked any more."""
    module = module_of(mark)
    Unroll(all_, factor).apply(Context(), module)
    verify(module)
    array = np.zeros(24, np.int64)
    simulate(module, [array])
    assert array.tolist() == [value for bounds in BOUNDS for value in meant(bounds)]
    left = loops(module)
    if factor != 1:
        assert len(left) == sum(len(range(*bounds)) >= 2 * factor > 0 for bounds in BOUNDS)
        assert not any(UNROLL in loop.attributes for loop in left)


def test_only_what_is_marked_is_unrolled_unless_all_is_asked_for() -> None:
    module = module_of("")
    Unroll().apply(Context(), module)
    assert len(loops(module)) == len(BOUNDS)


@pytest.mark.parametrize("step", ["%c0", "%minus", "%n"])
def test_a_loop_without_a_known_positive_step_stays(step: str) -> None:
    body = f"""%minus = arith.constant -1 : index
      scf.for %i = %c5 to %c1 step {step} {{
        memref.store %x, %A[%i] : memref<32xf32>
      }} {{tile.unroll}}"""
    module = parse_module(kernel(body, "%A: memref<32xf32>, %n: index, %x: f32"))
    Unroll().apply(Context(), module)
    assert len(loops(module)) == 1


def test_nested_loops_are_unrolled_together_and_keep_their_places() -> None:
    body = """scf.for %i = %c0 to %c3 step %c1 {
        scf.for %j = %c0 to %c2 step %c1 {
          %k = arith.addi %i, %j : index
          memref.store %x, %A[%k] : memref<32xf32>
        } {tile.unroll, other}
      } {tile.unroll, other}"""
    for factor, left in ((0, 0), (2, 0)):
        module = parse_module(kernel(body, "%A: memref<32xf32>, %x: f32"))
        for line, loop in enumerate(loops(module)):
            for op in loop.walk():
                op.location = at_line(line)
        Unroll(factor=factor).apply(Context(), module)
        assert len(loops(module)) == left
        stores = [op for op in module.walk() if op.name == "memref.store"]
        assert len(stores) == 6
        assert {op.location for op in stores} == {at_line(1)}


def test_a_loop_of_rounds_has_the_attributes_and_the_place_of_the_loop() -> None:
    body = """scf.for %i = %c0 to %c7 step %c1 {
        memref.store %x, %A[%i] : memref<32xf32>
      } {tile.unroll, other}"""
    module = parse_module(kernel(body, "%A: memref<32xf32>, %x: f32"))
    (loop,) = loops(module)
    loop.location = at_line(5)
    Unroll(factor=3).apply(Context(), module)
    (made,) = loops(module)
    assert (set(made.attributes), made.location) == ({"other"}, at_line(5))


@pytest.mark.parametrize(("trips", "factor"), [(MOST + 1, 0), (1 << 20, MOST + 1), (1 << 20, 1 << 20)])
def test_more_ops_than_a_loop_may_become_are_refused(trips: int, factor: int) -> None:
    body = f"%many = arith.constant {trips} : index\nscf.for %i = %c0 to %many step %c1 {{ }} {{tile.unroll}}"
    with pytest.raises(CompileError, match=f"would become .* ops, more than {MOST}; unroll it by a factor"):
        Unroll(factor=factor).apply(Context(), parse_module(kernel(body)))


def test_a_factor_beyond_the_iterations_is_all_of_them() -> None:
    module = parse_module(kernel("scf.for %i = %c0 to %c3 step %c1 { } {tile.unroll}"))
    Unroll(factor=1 << 30).apply(Context(), module)
    assert loops(module) == []
