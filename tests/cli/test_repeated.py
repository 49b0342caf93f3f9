"""Texts of one construct repeated take time that grows as they do; all constructs are in `fuzz/fuzz_repeated.py`."""

from __future__ import annotations

import re
import time

import pytest
from repeated import Construct, grown
from repeated_fly import FLY, REFUSED
from repeated_mlir import MLIR
from repeated_ttgir import TTGIR

from tilewright.cli.banks_ir import analysed
from tilewright.cli.opt import processed
from tilewright.cli.opt_words import Request
from tilewright.ir.reader import Source
from tilewright.passes.registry import pass_of

SIZE = 16 * 1024
OPT = (
    "blocks",
    "calls of others",
    "a vector of many dimensions",
    "indices of one load",
    "arguments of a block",
    "values, then branches",
    "ops of one long type",
)
BANKS = (
    "chained addptr, loaded each",
    "pointers through scf.for, loaded each",
    "values carried by one loop, loaded each",
    "locations in a chain, of each",
)


def taken(construct: Construct, size: int, banks: bool) -> float:
    """CPU seconds, the least of two."""
    text, found = grown(construct, size), []
    for _ in range(2):
        began = time.process_time()
        if banks:
            analysed(text, None, "a.ttgir")
        else:
            processed(Source("a.mlir", text), Request(flags=frozenset({"allow-unregistered-dialect"})))
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.parametrize("name", [*OPT, *BANKS])
def test_four_times_the_text_takes_less_than_nine_times_as_long(name: str) -> None:
    """What grew with the square took sixteen times."""
    construct, banks = (TTGIR if name in BANKS else MLIR)[name], name in BANKS
    taken(construct, SIZE // 4, banks)
    assert taken(construct, 2 * SIZE, banks) < 9 * taken(construct, SIZE // 2, banks) + 0.1


@pytest.mark.parametrize(
    ("name", "count", "words"),
    [
        ("logical_divide of two, deep and run-time", 2, "more than [0-9]+ terms to work out"),
        (
            "crd2idx, lowered, one integer in run-time extents",
            512,
            "at most 1024 integers that run time alone knows, not 1025",
        ),
    ],
)
def test_many_run_time_integers_are_refused_with_numbers(name: str, count: int, words: str) -> None:
    text = FLY[name](count)
    printed, (told,) = processed(Source("a.mlir", text), Request(passes=(pass_of("fly-layout-lowering"),)))
    assert not printed
    assert re.search(words, str(told))


@pytest.mark.parametrize("name", FLY)
def test_constructs_are_valid_texts_unless_they_say_what_is_wrong(name: str) -> None:
    """Else what comes behind the diagnostic would not be measured."""
    _, told = processed(Source("a.mlir", FLY[name](2)), Request(passes=(pass_of("fly-layout-lowering"),)))
    assert [found for found in told if REFUSED.get(name, "nothing is wrong") not in str(found)] == []
    assert len(told) == (name in REFUSED)


@pytest.mark.parametrize("name", ["an affine sum", "an affine product"])
def test_what_cannot_be_printed_is_a_diagnostic(name: str) -> None:
    printed, (told,) = processed(Source("a.mlir", grown(MLIR[name], 6 * SIZE)), Request())
    assert not printed
    assert re.search("the module cannot be printed|nested too deeply", str(told))
