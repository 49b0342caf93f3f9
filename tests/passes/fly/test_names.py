"""FlyDSL's command lines: its passes by their names, and a reason where one has no meaning here."""

from __future__ import annotations

import pytest

from tilewright.errors import UsageError
from tilewright.passes.registry import FOREIGN, pass_of, pipeline_of

PIPELINE = (
    "builtin.module(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,"
    "canonicalize,gpu.module(cse))"
)


def test_a_pipeline_of_flydsl() -> None:
    assert [step.name for step in pipeline_of(PIPELINE)] == [
        "fly-rewrite-func-signature",
        "fly-canonicalize",
        "fly-layout-lowering",
        "fly-int-swizzle-simplify",
        "simplify",
        "cse",
    ]


@pytest.mark.parametrize("name", FOREIGN)
def test_a_pass_without_a_meaning_here_says_so(name: str) -> None:
    with pytest.raises(UsageError, match=f"the pass {name} has no meaning here: "):
        pass_of(name)
