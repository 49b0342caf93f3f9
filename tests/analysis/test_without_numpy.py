"""The same functions without numpy: equal reports up to 4,096 elements, a clear refusal above."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

QUESTIONS = Path(__file__).parents[1] / "support" / "bank_questions.py"


def answers(without_numpy: bool) -> dict[str, object]:
    """What a fresh interpreter answers; with numpy hidden, importing it raises as if it were not installed."""
    hide = "import sys; sys.modules['numpy'] = None; " if without_numpy else ""
    code = f"{hide}import runpy; runpy.run_path({str(QUESTIONS)!r}, run_name='__main__')"
    return dict(json.loads(subprocess.check_output([sys.executable, "-c", code], text=True)))


@pytest.fixture(scope="module")
def plain() -> dict[str, object]:
    return answers(without_numpy=True)


def test_the_answers_are_the_same(plain: dict[str, object]) -> None:
    assert "numpy" not in str(plain.pop("loaded"))
    too_large = plain.pop("too large")
    with_numpy = answers(without_numpy=False)
    assert "numpy" in str(with_numpy.pop("loaded"))
    assert with_numpy.pop("too large") == "256 wavefronts"
    assert plain == with_numpy
    assert too_large == "UsageError: 8192 elements need numpy; without it the limit is 4096"
