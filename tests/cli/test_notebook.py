"""The cell magic, in IPython without a browser: what it runs, what it shows, what it refuses."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Iterator
from html.parser import HTMLParser
from traceback import extract_tb

import numpy as np
import pytest

from tilewright.cli.notebook import CellReport, run_cell
from tilewright.errors import RaceError, TilewrightError, UsageError

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the packages that it stands on
    from IPython.core.interactiveshell import InteractiveShell

IMPORTS = "import numpy as np\nfrom tilewright.script import tirx as T\n"
KERNEL = """
@T.prim_func
def turn(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    tile = T.alloc_shared((32, 32), "float32")
    for i in T.serial(32):
        tile[i, t] = A[i, t]
    T.cuda.cta_sync()
    for i in T.serial(32):
        B[i, t] = tile[t, i]  # "<&>"
"""
HASTY = KERNEL.replace("    T.cuda.cta_sync()\n", "").replace("turn", "hasty")


@pytest.fixture(scope="module")
def shell() -> Iterator[InteractiveShell]:
    """A shell of its own. It would leave `_` to a doctest that has run before: these set that of all modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(builtins, "_", raising=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = InteractiveShell()
            made.history_manager.enabled = False
            made.run_line_magic("load_ext", "tilewright")
            made.run_cell(IMPORTS)
        yield made
    InteractiveShell.clear_instance()


class Table(HTMLParser):
    """The cells of the rows of a table."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = True

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.rows[-1][-1] += data


def shown(shell: InteractiveShell, line: str, cell: str = KERNEL) -> CellReport:
    """What a notebook shows below the cell."""
    done = shell.run_cell(f"%%tilewright {line}\n{cell}")
    done.raise_error()
    found = shell.user_ns["_"]  # the last that was shown
    assert isinstance(found, CellReport)
    return found


def test_a_cell_is_run_and_its_lines_are_told(shell: InteractiveShell) -> None:
    found = shown(shell, "--arg A=arange")
    table = Table(found._repr_html_()).rows
    (row,) = (row for row in table if "tile[t, i]" in row[-1])
    assert row[-1] == '        B[i, t] = tile[t, i]  # "<&>"'
    assert table[1][-1].startswith("def turn(")
    line = next(line for line in found.report.lines if line.excess)
    assert row[:-1] == [str(line.line), *map(str, (line.instructions, line.accesses, line.wavefronts, line.excess)),
                        str(line.sectors), "", str(line.bytes)]  # fmt: skip
    assert line.wavefronts == 32 * 32
    assert found.report.table() in str(found)
    assert found.report.simulation.kernel == "turn"


def test_variables_are_arguments_and_are_changed(shell: InteractiveShell) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((32, 32)).astype(np.float32) for _ in range(2))
    shell.user_ns |= {"source": a, "B": b}
    shown(shell, "turn --arg A=source")
    assert (b == a.T).all()
    shell.user_ns |= {"A": b, "B": a}
    shown(shell, "--check off --seed 3")
    assert (a == b.T).all()
    del shell.user_ns["A"], shell.user_ns["B"]


def test_a_kernel_of_another_cell_and_a_choice_among_some(shell: InteractiveShell) -> None:
    shown(shell, "")
    assert shown(shell, "turn", "x = 1").report.simulation.kernel == "turn"
    both = KERNEL + KERNEL.replace("turn", "other")
    assert shown(shell, "other", both).report.simulation.kernel == "other"
    with pytest.raises(UsageError, match="the cell defines turn, other"):
        run_cell(shell, "", both)


@pytest.mark.parametrize(
    ("line", "cell", "error", "words"),
    [
        ("", "x = 2", UsageError, "the cell defines none"),
        ("trun", KERNEL, UsageError, "no kernel 'trun'; did you mean turn"),
        ("--arg C=zeros", KERNEL, UsageError, "C"),
        ("--arg A=nothing", KERNEL, UsageError, "nothing"),
        ("--arg A", KERNEL, UsageError, "takes name="),
        ("--wrong", KERNEL, UsageError, "unrecognized arguments: --wrong"),
        ("'", KERNEL, UsageError, "No closing quotation"),
        ("--check maybe", KERNEL, UsageError, "check is one of"),
        ("--target cuda:gfx942", KERNEL, UsageError, "gfx942"),
        ("hasty", HASTY, RaceError, "reads element"),
    ],
)
def test_refusals(shell: InteractiveShell, line: str, cell: str, error: type[TilewrightError], words: str) -> None:
    with pytest.raises(error, match=words):
        run_cell(shell, line, cell)


def test_a_cell_that_fails_shows_its_own_error(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cell(shell, "", "1 / 0") is None
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_of_a_fault_the_cell_shows_the_message_and_the_line(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is raised keeps its frames, for a debugger and for programs."""
    ran = shell.run_cell(f"%%tilewright hasty\n{HASTY}")
    assert isinstance(ran.error_in_exec, RaceError)
    assert "run_cell" in [frame.name for frame in extract_tb(ran.error_in_exec.__traceback__)]
    assert capsys.readouterr().out.rstrip("\n") == f"RaceError: {ran.error_in_exec}"
    assert "^" in str(ran.error_in_exec)
