"""What the documents show is true: their Python and console blocks run, their links lead somewhere, examples work."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tilewright.cli.main import main

pytestmark = pytest.mark.usefixtures("as_text")

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
GALLERY = ROOT / "docs" / "gallery.md"  # whose sections make pictures, and run where these are compared
RUN = [document for document in DOCUMENTS if document != GALLERY]
DOCUMENTED = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
EXAMPLES = sorted(x for x in (ROOT / "examples").glob("*.py") if f'run_path("examples/{x.name}")' not in DOCUMENTED)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)|(?:src|srcset)=\"(?!https?:)([^\"]+)\"")
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block of a document."""

    document: Path
    line: int
    language: str
    text: str


def blocks(language: str) -> Iterator[Block]:
    for document in RUN:
        text = document.read_text(encoding="utf-8")
        for found in FENCE.finditer(text):
            if found[1] == language:
                yield Block(document, text[: found.start()].count("\n") + 2, found[1], found[2])


def name(block: Block) -> str:
    return f"{block.document.name}:{block.line}"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents and examples may write files, and documents run examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("document", RUN, ids=lambda path: path.name)
def test_sessions_run(document: Path) -> None:
    """The `>>>` blocks of a document are one session."""
    text = "\n".join(b.text for b in blocks("python") if b.document == document and ">>>" in b.text)
    test = doctest.DocTestParser().get_doctest(text, {}, document.name, str(document), 0)
    runner = doctest.DocTestRunner(optionflags=LIKE)
    runner.run(test)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("block", [b for b in blocks("python") if ">>>" not in b.text], ids=name)
def test_programs_run(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "block.py"
    file.write_text(block.text, encoding="utf-8")
    runpy.run_path(str(file), run_name="__main__")


@pytest.mark.parametrize("block", list(blocks("console")), ids=name)
def test_console_blocks_print_what_they_show(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    for session in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, shown = session.partition("\n")
        program, *arguments = shlex.split(command, comments=True)
        if program == "make":
            assert re.search(rf"^{arguments[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        else:
            assert program == "tilewright"
            assert main(arguments) == 0
            printed = capsys.readouterr().out
            assert doctest.OutputChecker().check_output(shown, printed, LIKE) or not shown.strip(), printed


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_examples_run(example: Path) -> None:
    runpy.run_path(str(example), run_name="__main__")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    prose = FENCE.sub("", document.read_text(encoding="utf-8"))
    targets = [first or second for first, second in LINK.findall(prose)]
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_make_help_names_every_target() -> None:
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    assert re.findall(r"^([a-z]+):.*## \S", text, re.MULTILINE) == phony[1].split()


def test_pictures_are_what_make_docs_draws() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "draw.py"))
    for picture in drawn["PICTURES"]:
        assert picture().svg() == (ROOT / "docs" / f"{picture.__name__}.svg").read_text(encoding="utf-8")
