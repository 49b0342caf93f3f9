"""Counters against the models: made-up counters that agree are no finding, and each one that does not is found."""

from __future__ import annotations

import csv
import io
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from tilewright.targets.cuda.nvrtc import compile_cubin

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import gpu_counters

    return gpu_counters


def log(counters: Any, wanted: Sequence[Any], values: Sequence[int]) -> str:
    """A file as ncu's: words of its own, a head, units, and a row for each launch; other counters are 0."""
    text = io.StringIO("==PROF== Connected to process 7\n")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(["ID", "Process ID", "Kernel Name", "CC", *counters.METRICS])
    writer.writerow(["", "", "", "", *("" for _ in counters.METRICS)])
    for i, (pattern, value) in enumerate(zip(wanted, values, strict=True)):
        own = counters.COMPARED[pattern.probe.space, pattern.probe.kind]
        figures = [f"{value:,}" if name == own else "0" for name in counters.METRICS]
        writer.writerow([str(i), "7", f"{pattern.probe.kernel}(Row, char *)", "9.0", *figures])
    return text.getvalue()


def test_each_difference_is_found(
    counters: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = list(counters.patterns(2))
    said = [counters.finding(pattern, {}, "sm_90").said for pattern in wanted]
    path = tmp_path / "log.csv"
    monkeypatch.setattr(sys, "argv", ["gpu_counters.py", "--each", "2", "--log", str(path)])
    path.write_text(log(counters, wanted, said))
    assert counters.main() == 0
    agreeing = capsys.readouterr().out
    assert "counted" not in agreeing
    wrong = random.Random(0).randrange(len(wanted))
    path.write_text(log(counters, wanted, [value + (i == wrong) * 5000 for i, value in enumerate(said)]))
    assert counters.main() == 1
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "counted" in line)
    figures = f"{wanted[wrong].probe.name} {wanted[wrong].family}: counted {said[wrong] + 5000}, said {said[wrong]} "
    assert line.startswith(figures)
    assert line.endswith(str(list(wanted[wrong].addresses)))


NCU = """#!{python}
import os, pathlib, sys
assert os.environ["LC_ALL"] == "C"
words = sys.argv[1:]
given = dict(zip(words, words[1:]))
own = words[words.index({python!r}) :]
assert own[1].endswith("gpu_counters.py") and own[2:] == ["--launch", "--each", "1", "--seed", "3"], own
assert given["--metrics"].split(",") == {metrics!r} and given["--page"] == "raw"
pathlib.Path(given["--log-file"]).write_text(pathlib.Path({log!r}).read_text())
raise SystemExit({status})
"""


class Hopper:
    capability = (9, 0)


@pytest.mark.parametrize("status", [0, 9])
def test_the_launches_run_under_ncu(
    counters: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    wanted = list(counters.patterns(1, 3))
    written, saved, ncu = tmp_path / "written", tmp_path / "saved", tmp_path / "ncu"
    written.write_text(log(counters, wanted, [counters.finding(pattern, {}, "sm_90").said for pattern in wanted]))
    ncu.write_text(NCU.format(python=sys.executable, metrics=list(counters.METRICS), log=str(written), status=status))
    ncu.chmod(0o700)
    monkeypatch.setattr(counters, "why_no_gpu", lambda: None)
    monkeypatch.setattr(counters, "driver", Hopper)
    monkeypatch.setattr(sys, "argv", ["gpu_counters.py", "--each", "1", "--seed", "3", "--save", str(saved)])
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"Nsight Compute \(ncu\) is not on the PATH"):
        counters.main()
    monkeypatch.setenv("PATH", str(tmp_path))
    if status:
        with pytest.raises(SystemExit, match=r"ncu failed \(9\)"):
            counters.main()
        return
    assert counters.main() == 0
    assert saved.read_text() == written.read_text()
    assert f"| ldmatrix.x4.trans | {len(wanted) // 32} | {len(wanted) // 32} |" in capsys.readouterr().out


def test_counters_of_other_launches_are_refused(counters: Any, tmp_path: Path) -> None:
    wanted = list(counters.patterns(1))
    path = tmp_path / "log.csv"
    path.write_text(log(counters, wanted[1:], [1] * (len(wanted) - 1)))
    with pytest.raises(SystemExit, match=f"{len(wanted)} launches were asked for, and ncu tells of {len(wanted) - 1}"):
        counters.counted(path, [pattern.probe.kernel for pattern in wanted])
    path.write_text("==ERROR== ERR_NVGPUCTRPERM\n")
    with pytest.raises(SystemExit, match="ERR_NVGPUCTRPERM"):
        counters.counted(path, [])


def test_patterns_are_accesses_and_tell_the_assumptions_apart(counters: Any) -> None:
    """Aligned, within the probe's memory, some lane active; merging changes what wide accesses cost."""
    wanted = list(counters.patterns(6))
    for pattern in wanted:
        active = [address for address in pattern.addresses if address >= 0]
        assert len(pattern.addresses) == 32
        assert active
        assert max(active) + pattern.probe.width <= pattern.probe.memory_bytes
        assert not any(address % pattern.probe.width for address in active)
    for name in ("ld.shared.8", "ld.shared.16", "st.shared.8", "st.shared.16"):
        found = [counters.finding(pattern, {}, "sm_90") for pattern in wanted if pattern.probe.name == name]
        assert len({row.said for row in found}) > 3
        assert any(row.apart != row.merged for row in found)
        assert any(row.apart == row.merged != row.pattern.probe.width // 4 for row in found)
    whole = [pattern for pattern in wanted if pattern.probe.rows]
    assert whole
    assert all(min(pattern.addresses) >= 0 for pattern in whole)


def test_only_the_rows_of_a_matrix_instruction_count(counters: Any) -> None:
    for pattern in counters.patterns(1):
        if pattern.probe.rows:
            rows = pattern.addresses[: pattern.probe.rows]
            said = tw.bank_conflicts_at(rows, 16, kind=pattern.probe.kind).unmerged
            assert counters.finding(pattern, {}, "sm_90").said == said


@pytest.mark.parametrize("arch", ["sm_90", "sm_100"])
def test_the_probes_compile(counters: Any, arch: str) -> None:
    cubin = compile_cubin(counters.source(), arch)
    assert all(pattern.probe.kernel.encode() in cubin for pattern in counters.patterns(1))
