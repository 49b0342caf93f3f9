"""`Target`: spellings, nesting, and one current target per thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tilewright.arch import Target
from tilewright.errors import UsageError


@pytest.mark.parametrize(
    "text",
    ["cuda:sm_90a", "cuda -arch=sm_90a", {"kind": "cuda", "arch": "sm_90a"}, "cuda", Target("cuda")],
    ids=str,
)
def test_spellings_of_one_target(text: object) -> None:
    assert Target(text) == Target("cuda:sm_90a")
    assert str(Target(text)) == "cuda:sm_90a"
    assert hash(Target(text)) == hash(Target("cuda:sm_90a"))


def test_targets_nest_and_end() -> None:
    with Target("cuda") as outer:
        with Target("hip:gfx950"):
            assert Target.current() == Target("hip:gfx950")
        assert Target.current() is outer
    assert Target.current() is None


def test_a_target_ends_when_its_block_raises() -> None:
    with pytest.raises(KeyError), Target("host"):
        raise KeyError
    assert Target.current() is None


def test_other_threads_have_their_own() -> None:
    with Target("cuda"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(Target.current).result() is None


def test_one_target_may_be_entered_twice() -> None:
    target = Target("simulator")
    with target, target:
        assert Target.current() is target
    assert Target.current() is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cudda", "did you mean 'cuda'"),
        ("cuda:gfx942", "does not run on gfx942"),
        ("hip:sm_90", "does not run on sm_90"),
        ("cuda:sm_91", "did you mean sm_90"),
        ("", "unknown target ''"),
        (3, "a target is a text"),
    ],
)
def test_refusals(text: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Target(text)


def test_none_is_an_error_only_when_asked() -> None:
    with pytest.raises(UsageError, match="no current target"):
        Target.current(allow_none=False)


def test_targets_are_frozen() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        Target("cuda").kind = "hip"
