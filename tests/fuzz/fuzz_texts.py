"""Kernels that tests simulate, whatever test it is, as text: their CUDA text does on the CPU what the simulator did.

    python tests/fuzz/fuzz_texts.py [PATHS]     tests of these paths, all without; exit status 1 if a text differs

Runs the tests in this process, notes what they simulate, and then runs the texts (`tests/support/noted_texts.py`).
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import pytest
from noted_texts import Notes


class Named(Notes):
    """What has been simulated, by whatever test."""

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test begins."""
        self.test = item.nodeid


def main() -> int:
    """Runs the tests, then the texts."""
    notes, paths = Named(), sys.argv[1:] or [str(Path(__file__).parents[1])]
    with notes.taken():
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths], plugins=[notes])
    wrong = list(notes.differing())
    for what, count in notes.refused.most_common():
        print(f"| {what} | {count} |")
    print(f"{len(notes.runs)} texts of {len(notes.tests)} tests")
    print("\n".join(wrong) or "all the same")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
