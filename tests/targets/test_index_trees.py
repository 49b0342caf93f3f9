"""Random index expressions: simulated, proved or not, and emitted, they are what Python's integers say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st
from index_trees import Tree, kernel_of_trees, trees, values_of_trees
from translation import run_both

from tilewright.errors import CompileError
from tilewright.ir.text import parse_module
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.host.compiler import WARNINGS
from tilewright.targets.simulator.simulate import simulate

WIDEST = [
    Tree(op, (Tree(leaf), Tree("constant", (), number)))
    for op in ("ori", "xori", "andi")
    for leaf in ("tx", "bx", "s")
    for number in (2**62 - 1, 2**62, 2**63 - 1, -(2**63))
]


@pytest.mark.hypothesis
@given(st.lists(trees, min_size=1, max_size=6))
@example(WIDEST)
def test_simulated(made: list[Tree]) -> None:
    text, size = kernel_of_trees(made)
    for proofs in (True, False):
        array = np.zeros(size, np.int64)
        simulate(parse_module(text), [array], proofs=proofs)
        assert array.tolist() == values_of_trees(made)


# Of random expressions some are always true: that alone may be warned of.
SILLY = ("-Wno-tautological-compare", "-Wno-type-limits")


def emitted(tree: Tree) -> bool:
    """Is it certain to stay within 64 bits?"""
    try:
        emit(parse_module(kernel_of_trees([tree])[0]))
    except CompileError:
        return False
    return True


@pytest.mark.hypothesis
@given(st.lists(trees, min_size=20, max_size=30))
@settings(max_examples=6, phases=(Phase.generate,))  # each compiles; shrinking would take minutes
def test_emitted(made: list[Tree]) -> None:
    kept = [tree for tree in made if emitted(tree)]
    assume(kept)
    text, size = kernel_of_trees(kept)
    (got,) = run_both(text, [np.zeros(size, np.int64)], flags=(*WARNINGS, *SILLY))
    assert got.tolist() == values_of_trees(kept)
