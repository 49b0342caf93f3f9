"""The page that ships is the one that its source makes, and it is small."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src/tilewright/explorer/page"


def test_the_bundle_is_what_the_source_makes(tmp_path):
    built = subprocess.run(
        [sys.executable, ROOT / "scripts/page", tmp_path / "page"], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "page").iterdir()}
    kept = {path.name: path.read_bytes() for path in PAGE.iterdir()}
    assert made == kept, "run `make page`"


def test_the_bundle_is_at_most_200_kilobytes_packed():
    assert sum(len(gzip.compress(path.read_bytes())) for path in PAGE.iterdir()) <= 200_000


def test_nothing_in_it_asks_another_host():
    for path in PAGE.iterdir():
        assert b"://" not in path.read_bytes().replace(b"http://www.w3.org", b"")


def test_nothing_in_it_makes_code_or_markup_of_text():
    for path in PAGE.glob("*.js"):
        assert not re.search(
            rb"\b(eval|Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", path.read_bytes()
        )
