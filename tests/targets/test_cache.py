"""What is kept on disk: found again under the same parts, and read from nobody else's files."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tilewright.targets import cache
from tilewright.targets.cache import cache_folder, contents, kept, kept_as, uncached
from tilewright.targets.host import loops


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "kept"))
    return tmp_path / "kept"


def never() -> bytes:
    raise AssertionError("it is kept")


def test_the_same_parts_are_made_once(folder: Path) -> None:
    assert kept(("a", "b"), lambda: b"first") == b"first"
    assert kept(("a", "b"), never) == b"first"
    assert kept(("ab", ""), lambda: b"second") == b"second"
    assert kept(("a\0b",), lambda: b"third") == b"third"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in folder.iterdir())


@pytest.mark.parametrize("change", [lambda content: content[:-1], lambda content: b"x" + content[1:], lambda _: b""])
def test_a_file_that_is_not_whole_is_made_again(folder: Path, change: object) -> None:
    kept(("a",), lambda: b"content")
    (file,) = folder.iterdir()
    assert callable(change)
    file.write_bytes(change(file.read_bytes()))
    assert kept(("a",), lambda: b"again") == b"again"
    assert kept(("a",), never) == b"again"


def test_a_file_under_anothers_name_is_made_again(folder: Path) -> None:
    kept(("a",), lambda: b"content")
    (first,) = folder.iterdir()
    kept(("b",), lambda: b"other")
    (second,) = set(folder.iterdir()) - {first}
    second.write_bytes(first.read_bytes())
    assert kept(("b",), lambda: b"again") == b"again"
    assert kept(("a",), never) == b"content"


@pytest.mark.parametrize("use", [bytes.decode, loops.opened])
def test_what_its_reader_cannot_use_is_made_again(folder: Path, use: Callable[[bytes], object]) -> None:
    broken = b"\xff no text, and no library"
    kept(("a",), lambda: broken)
    with pytest.raises((OSError, ValueError)):
        use(broken)
    asked = []

    def make() -> bytes:
        asked.append("made")
        return b"again"

    def usable(content: bytes) -> object:
        return content if content == b"again" else use(content)

    assert [kept_as(("a",), make, usable) for _ in range(2)] == [b"again"] * 2
    assert asked == ["made"]
    assert kept(("a",), never) == b"again"


def test_parts_may_be_any_text(folder: Path) -> None:
    for text in ("\udcff", "\ud800", "\0"):
        assert kept((text,), text.encode("utf-8", "surrogatepass").__bytes__) == kept((text,), never)


def test_what_others_can_write_is_not_read(folder: Path) -> None:
    kept(("a",), lambda: b"mine")
    (file,) = folder.iterdir()
    file.chmod(0o666)
    assert kept(("a",), lambda: b"made") == b"made"
    folder.chmod(0o777)
    assert cache_folder() is None
    assert kept(("a",), lambda: b"unkept") == b"unkept"


def test_a_link_is_not_read(folder: Path, tmp_path: Path) -> None:
    kept(("a",), lambda: b"mine")
    (file,) = folder.iterdir()
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert kept(("a",), lambda: b"made") == b"made"


def test_what_has_not_been_used_for_longest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for number in range(3):
        kept((str(number),), lambda: b"old")
        for file in folder.iterdir():
            os.utime(file, (0, file.stat().st_mtime - 10))
    kept(("0",), never)  # it is used, so that it stays
    kept(("3",), lambda: b"new")
    assert len(list(folder.iterdir())) == 3
    for name in ("0", "2", "3"):
        kept((name,), never)


def test_no_folder_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for place in ("off", str(tmp_path / "file"), str(tmp_path / "file" / "below")):
        monkeypatch.setenv(cache.ENVIRONMENT, place)
        assert cache_folder() is None
        assert kept(("a",), lambda: b"made") == b"made"


def test_bytes_are_bounded_and_no_file_of_others_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700)
    (folder / "mine.txt").write_bytes(b"x" * 1000)
    os.utime(folder / "mine.txt", (0, 0))
    monkeypatch.setattr(cache, "MOST_BYTES", 200)
    for number in range(8):
        kept((str(number),), lambda: b"x" * 60)
    kept(("long",), lambda: b"x" * 200)
    assert (folder / "mine.txt").exists()
    assert contents(folder) == (2, 2 * (60 + cache.DIGEST))


def test_flydsls_variables_name_the_folder_where_ours_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.ENVIRONMENT)
    monkeypatch.setenv(cache.FLYDSL_FOLDER, str(tmp_path))
    assert cache_folder() == tmp_path / "tilewright"
    with uncached():
        assert cache_folder() is None
    monkeypatch.setenv(cache.FLYDSL_SWITCH, "0")
    assert cache_folder() is None


def test_processes_write_the_same_at_once(folder: Path) -> None:
    def work() -> bytes:
        return kept(("shared",), lambda: b"same" * 1000)

    with ThreadPoolExecutor(8) as pool:
        assert {future.result() for future in [pool.submit(work) for _ in range(64)]} == {b"same" * 1000}
    assert len(list(folder.iterdir())) == 1
