"""What tests of the language share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def every_text(as_text: None) -> None:
    """Whatever a test simulates first runs as text too."""
