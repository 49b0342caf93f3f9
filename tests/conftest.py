"""What every test may use: hypothesis profiles, and golden files."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from real_mlir import flydsl_python

GOLDEN = Path(__file__).parent / "golden"
os.environ["TILEWRIGHT_CACHE"] = "off"  # what tests compile, they compile

collect_ignore_glob = ["data/*"]  # programs there are for type checkers to read
collect_ignore = [] if flydsl_python() else ["mlir/test_real_mlir.py"]


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """What tests share need not be imported to be collected, unless it has an example."""
    shared = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if shared and ">>>" not in collection_path.read_text(encoding="utf-8") else None


gc.disable()  # what is made while tests are collected stays, see `pytest_collection_finish`
EXAMPLES = 30  # of a property; `make fuzz` draws thousands
YOUNG = 20_000  # objects before garbage is looked for: what a kernel is compiled by is garbage when it is compiled
# A deadline would measure the neighbours of a busy machine, not us.
settings.register_profile("default", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, max_examples=EXAMPLES, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=int(os.environ.get("TILEWRIGHT_EXAMPLES", "2000")))
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_collection_finish() -> None:
    """What collecting made stays to the end: no collection of garbage need look at it, then or later."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden/ with what the tests get now")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is that of tests/golden/<name>, or becomes it under --update-golden."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no tests/golden/{name}; make it with --update-golden"
        assert text == path.read_text(encoding="utf-8"), (
            f"differs from tests/golden/{name} (--update-golden rewrites it)"
        )

    return check


@pytest.fixture(scope="session")
def texts() -> Iterator[Any]:
    """The first kernels that each test simulates, as CUDA text: at the end all run on the CPU, with the same bits."""
    from noted_texts import Notes

    notes = Notes(most=2)
    yield notes
    wrong = list(notes.differing())
    assert not wrong, wrong


@pytest.fixture
def as_text(texts: Any, request: pytest.FixtureRequest) -> Iterator[None]:
    """What the test simulates runs as text too."""
    with texts.taken(request.node.nodeid):
        yield


@pytest.fixture
def heeded() -> Iterator[None]:
    """Ctrl-C is heeded, also where whoever started the tests has it ignored, as shells do of what runs beside them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
