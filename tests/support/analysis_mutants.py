"""Mutants of the analyses.

    python tests/support/analysis_mutants.py [WORDS]     run those whose file has one of the words, or all of them

Exit status 1 if one survives. Not part of `make test`: each takes seconds.
"""

from __future__ import annotations

import sys

from mutation import Mutant, run

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
    Mutant("swizzle/ranking.py", "max(_exponent(tile.length)", "min(_exponent(tile.length)", "swizzle"),
    Mutant("swizzle/ranking.py", "swizzle.s < 0, from_chunk", "swizzle.s > 0, from_chunk", "swizzle"),
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

if __name__ == "__main__":
    sys.exit(run(MUTANTS, sys.argv[1:], "analysis", "tests/analysis"))
