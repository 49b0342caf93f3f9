"""Questions to the analyses whose answers must not depend on numpy; run as a program it prints the answers as JSON."""

from __future__ import annotations

import json
import sys

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, Swizzle
from tilewright.analysis.banks.rule import wavefronts_at
from tilewright.analysis.permute.schedule import permute_schedule

TILE = Layout((64, 64), (64, 1))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, TILE)
ROWS = Layout((32, (8, 8, 2)), (1, (64, 512, 32)))
FLAT = Layout((16, 64), (64, 1))
LDMATRIX = Layout(((16, 2), (8, 4)), ((1, 512), (16, 128)))
RAGGED = Layout((12, 24), (24, 1))


def answers() -> dict[str, object]:
    """Every analysis, on layouts and raw addresses, on NVIDIA and AMD."""
    reports = {
        "plain": tw.bank_conflicts(TILE, ROWS, element_bits=16, instruction="ldmatrix.x4"),
        "swizzled": tw.bank_conflicts(SWIZZLED, ROWS, element_bits=16, instruction="ldmatrix.x4"),
        "scalars": tw.bank_conflicts(TILE, ROWS, element_bits=16, kind="store", active=range(5, 20)),
        "amd": tw.bank_conflicts(TILE, Layout((64, 64), (1, 64)), element_bits=16, vector_bits=128, arch="gfx950"),
        "pairs": tw.bank_conflicts_at([8 * (t // 2) for t in range(40)], 8),
        "holes": tw.bank_conflicts_at([[None, 4, 8], [128, None, 0]], 4, active=[0, 2]),
        "global": tw.coalescing(TILE, ROWS, element_bits=16, vector_bits=128),
        "ragged": tw.suggest_swizzle(RAGGED, [Access(Layout((12, 24), (1, 12)), 64)], element_bits=16),
        "permute": permute_schedule(range(128), [i // 32 + 4 * (i % 32) for i in range(128)], element_bytes=8),
        "whole": tw.suggest_swizzle(FLAT, [Access(LDMATRIX, instruction="ldmatrix")], element_bits=16),
        "descriptor": tw.suggest_swizzle(RAGGED, [Access(instruction="tma")], element_bits=16, arch="sm_100"),
        "canonical": tw.recognise(SWIZZLED, "f16"),
    }
    found: dict[str, object] = {name: report.to_json() for name, report in reports.items()}
    rows = [[128 * t + 4 * row for t in range(32)] for row in range(3)]
    return found | {"rows": list(wavefronts_at(rows, 4).tolist()), "too large": _too_large()}


def _too_large() -> str:
    try:
        report = tw.bank_conflicts(Layout((32, 256), (0, 0)), Layout((32, 256)), element_bits=8)
    except tw.UsageError as error:
        return f"UsageError: {error}"
    return f"{report.wavefronts} wavefronts"


if __name__ == "__main__":
    print(json.dumps(answers() | {"loaded": [name for name in sys.modules if name == "numpy" and sys.modules[name]]}))
