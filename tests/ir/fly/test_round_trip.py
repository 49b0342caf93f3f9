"""Drawn modules of the dialect: what is printed reads back as it was, in both forms, and verifies."""

from __future__ import annotations

import random

import pytest
from fly_modules import module

from tilewright.ir.text import parse_module, print_module


@pytest.mark.parametrize("seed", range(24))
def test_print_parse_print_is_stable(seed: int) -> None:
    drawn = module(random.Random(seed), 12)
    text = print_module(drawn)
    read = parse_module(text)
    assert print_module(read) == text
    assert read.is_structurally_equivalent(drawn)
    assert print_module(parse_module(print_module(drawn, generic=True))) == text
