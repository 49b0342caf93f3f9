"""AMD: CDNA (gfx90a, gfx942, gfx950; wave64) and RDNA (gfx11, gfx12; wave32). LDS banks are 4 bytes wide.

Sources: AMD's kernel optimisation guide of the shark project and the ROCm article on LDS bank conflicts (CDNA3),
Triton pull request 11365 (both b128 tables), HipKittens' pairwise measurements on MI355X (b64, b96, b128 reads and
b64 writes).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tilewright.arch.spec import ArchSpec, Groups, PhaseRule, consecutive

KIB = 1024
WIDTHS = (1, 2, 4, 8, 12, 16)

_GUIDE = "AMD kernel optimization guide; ROCm article on LDS bank conflicts"
_TRITON = "Triton pull request 11365; HipKittens phase measurements"
_HIPKITTENS = "HipKittens phase measurements on MI355X"
_WRITES = "Composable Kernel documentation, LDS bank conflicts"
_ASSUMED = "assumed: consecutive lanes that fill one pass over the banks"

_REPLAY = (
    "a replay serves the first lanes without a conflict, so the count is a lower bound for accesses of several banks"
)


def _quads(*pattern: tuple[int, ...]) -> Groups:
    """Groups from the numbers of their quads (4 neighbouring lanes), given for the lower 32 lanes of 64."""
    both = [tuple(quad + half for quad in group) for group in pattern for half in (0, 8)]
    return tuple(tuple(lane for quad in group for lane in range(4 * quad, 4 * quad + 4)) for group in both)


_READ_B128_CDNA3 = _quads((0, 5), (1, 4), (2, 7), (3, 6))
_READ_B128_CDNA4 = _quads((0, 3, 5, 6), (1, 2, 4, 7))


def _assumed(lanes: int, banks: int) -> dict[tuple[str, int], PhaseRule]:
    def rule(width: int) -> PhaseRule:
        size = min(32, 1 << (banks * 4 // max(width, 4)).bit_length() - 1)
        return PhaseRule(consecutive(lanes, size), banks, _ASSUMED, verified=False)

    return {(kind, width): rule(width) for kind in ("load", "store") for width in WIDTHS}


def _cdna3() -> dict[tuple[str, int], PhaseRule]:
    table = _assumed(64, 32)
    narrow = PhaseRule(consecutive(64, 32), 32, _GUIDE)
    return table | {
        **{("load", width): narrow for width in (1, 2, 4)},
        ("load", 8): PhaseRule(consecutive(64, 16), 32, _GUIDE),
        ("load", 16): PhaseRule(_READ_B128_CDNA3, 32, _TRITON),
        ("store", 16): PhaseRule(consecutive(64, 8), 32, _WRITES),
    }


def _cdna4() -> dict[tuple[str, int], PhaseRule]:
    table = {key: rule for key, rule in _assumed(64, 64).items() if key[0] == "load"}
    table |= {key: rule for key, rule in _assumed(64, 32).items() if key[0] == "store"}
    return table | {
        ("load", 8): PhaseRule(consecutive(64, 32), 64, _HIPKITTENS),
        ("load", 12): PhaseRule(_READ_B128_CDNA3, 32, _HIPKITTENS, verified=False),
        ("load", 16): PhaseRule(_READ_B128_CDNA4, 64, _TRITON),
        ("store", 8): PhaseRule(consecutive(64, 16), 32, _HIPKITTENS),
    }


def _spec(
    name: str, lanes: int, rules: Mapping[tuple[str, int], PhaseRule], block: int, unit: int, line: int, sector: int
) -> ArchSpec:
    unverified = ("sector and line sizes of the vector cache", "accesses aligned to 4 bytes only")
    table = MappingProxyType(dict(rules))
    sizes = (block * KIB, unit * KIB, sector, line)
    return ArchSpec(name, "amd", lanes, table, *sizes, WIDTHS, 4, unverified, _REPLAY)


def _cdna() -> tuple[ArchSpec, ...]:
    older = _spec("gfx90a", 64, _cdna3() | _unconfirmed(_cdna3()), 64, 64, 128, 64)
    mi300 = tuple(_spec(name, 64, _cdna3(), 64, 64, 128, 64) for name in ("gfx940", "gfx941", "gfx942"))
    return (older, *mi300, _spec("gfx950", 64, _cdna4(), 160, 160, 128, 64))


def _unconfirmed(table: Mapping[tuple[str, int], PhaseRule]) -> dict[tuple[str, int], PhaseRule]:
    # MI200's tables were never published apart; MI300's are the nearest.
    return {key: PhaseRule(r.groups, r.banks, f"{r.source} (of gfx942)", verified=False) for key, r in table.items()}


_RDNA = ("gfx11", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx12", "gfx1200", "gfx1201")

SPECS = (*_cdna(), *(_spec(name, 32, _assumed(32, 32), 64, 128, 128, 32) for name in _RDNA))
