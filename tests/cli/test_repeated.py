"""Texts of one construct repeated take time that grows as they do; all constructs are in `fuzz/fuzz_repeated.py`."""

from __future__ import annotations

import re
import time

import pytest
from repeated import Construct, grown
from repeated_fly import FLY
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
    ("count", "words"),
    [(800, "more than [0-9]+ terms to work out"), (1500, "at most 2048 integers that run time alone knows, not 3001")],
)
def test_many_run_time_integers_are_refused_with_numbers(count: int, words: str) -> None:
    text = FLY["crd2idx, lowered, one integer in run-time extents"](count)
    printed, (told,) = processed(Source("a.mlir", text), Request(passes=(pass_of("fly-layout-lowering"),)))
    assert not printed
    assert re.search(words, str(told))


@pytest.mark.parametrize("name", ["an affine sum", "an affine product"])
def test_what_cannot_be_printed_is_a_diagnostic(name: str) -> None:
    printed, (told,) = processed(Source("a.mlir", grown(MLIR[name], 6 * SIZE)), Request())
    assert not printed
    assert re.search("the module cannot be printed|nested too deeply", str(told))
