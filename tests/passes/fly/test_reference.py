"""Every pass of fly keeps what the reference functions say that a function computes."""

from __future__ import annotations

import pytest
from fly_functions import judged
from xdsl.dialects.builtin import i32
from xdsl.ir import Block

from tilewright.errors import LayoutError
from tilewright.ir.fly import reference
from tilewright.ir.fly.dialect_types import from_text
from tilewright.ir.fly.ops import make


@pytest.mark.parametrize("seeds", [range(10 * i, 10 * i + 10) for i in range(3)], ids=str)
def test_passes_keep_the_function(seeds: range) -> None:
    outcomes = [outcome for seed in seeds for outcome in judged(seed)]
    assert [outcome for outcome in outcomes if outcome.startswith("wrong")] == []
    assert outcomes.count("same") > len(outcomes) // 2


@pytest.mark.parametrize("name", ["make_int_tuple", "make_shape", "make_stride", "make_coord"])
@pytest.mark.parametrize("div", [1, 2, 3, 8, 48])
def test_a_leaf_is_every_multiple_of_its_divisor_that_its_width_holds_and_nothing_else(name: str, div: int) -> None:
    leaf = f"?{{div={div}}}" if div > 1 else "?"
    (number,) = Block(arg_types=[i32]).args
    op = make(name, [number], results=[from_text(f"!fly.int_tuple<({leaf},4)>")])
    for n in (*range(-100, 101), *range(2**31 - 60, 2**31 + 60), *range(-(2**31) - 60, -(2**31) + 60)):
        if n % div or not -(2**31) <= n < 2**31:
            with pytest.raises(LayoutError, match=f"{n} is no"):
                reference.results(op, [n])
        else:
            assert reference.results(op, [n]) == ((n, 4),)
