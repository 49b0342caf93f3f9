"""Mutants of the analyses: small wrong edits that the tests must notice.

    python tests/support/analysis_mutants.py [WORDS]     run those whose file has one of the words, or all of them

Each mutant replaces a piece of text that occurs once in its file, in a copy of the package, and runs the tests named
beside it. A mutant that these tests pass has survived; exit status 1 if one does. Not part of `make test`: each takes
seconds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tilewright"


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in `file` of `analysis/`; `tests` are folders of `tests/analysis/`."""

    file: str
    old: str
    new: str
    tests: str


MUTANTS = (
    Mutant("banks/raw.py", "threads > 2", "threads > 1", "banks"),
    Mutant("banks/raw.py", "active >> threads", "active >> threads + 1", "banks"),
    Mutant("banks/raw.py", "flat + base_bytes", "flat", "banks"),
    Mutant("banks/rule.py", "(addresses + (width - 1)) // unit", "(addresses + width) // unit", "banks"),
    Mutant("banks/rule.py", "return paired(1) | paired(2)", "return paired(1)", "banks"),
    Mutant("banks/rule.py", "(addresses < 0) | (partner < 0) | (addresses", "(addresses < 0) | (addresses", "banks"),
    Mutant("banks/rule.py", "lowest // BANK_BYTES * BANK_BYTES", "lowest", "banks"),
    Mutant("banks/rank.py", "return words, banks - 1", "return words, banks", "banks"),
    Mutant("banks/phases.py", "divmod(row, self.requests.warps)", "divmod(row, self.requests.rows)", "banks"),
    Mutant("banks/instructions.py", "lanes=8 * int(counts[0][1])", "lanes=16 * int(counts[0][1])", "banks"),
    Mutant("banks/conflicts.py", "if merged != unmerged else ()", "if merged == unmerged else ()", "banks"),
    Mutant(
        "global_memory/sectors.py",
        "quantum = spec.alignment(requests.width)",
        "quantum = requests.width",
        "global_memory",
    ),
    Mutant("global_memory/sectors.py", "found >= 0", "found >= -1", "global_memory"),
    Mutant("global_memory/sectors.py", "if a < far]", "if a <= far]", "global_memory"),
    Mutant("global_memory/sectors.py", "for a in lowest if a)", "for a in lowest)", "global_memory"),
    Mutant("model/access.py", "Move(width, bits // element_bits)", "Move(width, 1)", "model banks"),
    Mutant("model/access.py", "move.length > 1 and bool((bits", "move.length > 9 and bool((bits", "model banks"),
    Mutant("model/access.py", "warps = -(-threads // lanes)", "warps = threads // lanes + 1", "model banks"),
    Mutant("model/access.py", "min(lane, threads - 1)", "min(lane, 0)", "model banks"),
    Mutant("model/memory.py", "max(0, last + 1 - layout.size)", "max(0, last - layout.size)", "model banks"),
    Mutant("model/patterns.py", "if order == ROWS else (row, column)", "if order != ROWS else (row, column)", "model"),
    Mutant("model/vector_width.py", "found.values % length or", "found.values < length or", "global_memory"),
    Mutant("model/vector_width.py", "min(width_bits, 8 * alignment)", "min(width_bits, 8)", "global_memory"),
    Mutant(
        "swizzle/space.py", "self.word <= target < line <= source", "self.word <= target <= line <= source", "swizzle"
    ),
    Mutant("swizzle/space.py", "source < self.word <= target", "source < self.word < target", "swizzle"),
    Mutant("swizzle/space.py", "range(1, distance + 1)", "range(1, distance)", "swizzle"),
    Mutant("swizzle/search.py", "max(_exponent(tile.length)", "min(_exponent(tile.length)", "swizzle"),
    Mutant("swizzle/search.py", "swizzle.s < 0, from_chunk", "swizzle.s > 0, from_chunk", "swizzle"),
    Mutant("swizzle/search.py", "needed > most_bits", "needed >= most_bits", "swizzle"),
    Mutant(
        "swizzle/costs.py",
        "(1 << missing_rank(self._words(c, moved), banks)) - 1",
        "missing_rank(self._words(c, moved), banks)",
        "swizzle",
    ),
    Mutant("swizzle/costs.py", "- self.ideal", "- self.ideal + 1", "swizzle"),
    Mutant("swizzle/padding.py", "within < row and", "within <= row and", "swizzle"),
    Mutant("swizzle/padding.py", "range(vector, line + 1, vector)", "range(vector, line, vector)", "swizzle"),
)


def survives(mutant: Mutant) -> bool:
    """Do its tests pass? A text that does not occur exactly once is an error in the list."""
    text = (SOURCE / "analysis" / mutant.file).read_text()
    if text.count(mutant.old) != 1:
        raise SystemExit(f"{mutant.file}: {mutant.old!r} occurs {text.count(mutant.old)} times")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder) / "tilewright", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / "tilewright" / "analysis" / mutant.file).write_text(text.replace(mutant.old, mutant.new))
        tests = [f"tests/analysis/{name}" for name in mutant.tests.split()]
        command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *tests]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False).returncode == 0


def main(words: list[str]) -> int:
    """Run them and print the score."""
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.file for word in words)]
    left = 0
    for mutant in chosen:
        if survives(mutant):
            print(f"survives: {mutant.file}: {mutant.old!r} -> {mutant.new!r}", flush=True)
            left += 1
    print(f"{len(chosen) - left} of {len(chosen)} mutants are noticed")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
