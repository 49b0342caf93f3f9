"""`#ttg.amd_mfma` and `#ttg.amd_wmma`: fragments of MFMA on 64 lanes, and of WMMA on 32."""

from __future__ import annotations

from tilewright.atoms import cdna, rdna
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute, Field
from tilewright.notation.triton_fields import bases_of, flag, integer
from tilewright.notation.triton_fragment import Family, Fragment, instruction_shape, matrix_rank, row_major, spread

# ---- MFMA

WAVE = 64
_NEWEST = 4


def _mfma_size(a: Attribute) -> int:
    version = integer(a, "version" if a.get("version") is not None else "versionMajor", 0)
    own = tuple(integer(a, key) for key in ("mDim", "nDim", "kDim") if a.get(key) is not None)
    m, n = instruction_shape(a, 2, default=own)[:2]
    if version > _NEWEST or (m, n) not in ((16, 16), (32, 32)):
        raise LayoutError(
            f"#ttg.amd_mfma of version {version} with {m} x {n} tiles: read are 16 x 16 and 32 x 32 of the versions"
            f" up to {_NEWEST} (64 x 4 and 4 x 64 compute several products at once)"
        )
    return m


def _mfma_accumulator(a: Attribute) -> Fragment:
    m = _mfma_size(a)
    double = integer(a, "elementBitWidth", 32) == 64 or a.get("elementType") == "f64"
    if double and m != 16:
        raise LayoutError(f"the float64 MFMA is 16 x 16, not {m} x {m}")
    types = ("float64",) * 4 if double else ("float32",) * 4
    return Fragment(cdna.mfma(m, m, 4, types).tv_layout_C, m, m, m)


def _mfma_operand(a: Attribute, index: int, k_width: int) -> Fragment:
    m = _mfma_size(a)
    k = WAVE // m * k_width
    if k > 256:
        raise LayoutError(f"kWidth = {k_width}: no MFMA has {m} x {m} x {k} tiles")
    return Fragment(cdna.mfma(m, m, k, ("float32",) * 4).tv_layout_A, m, k, m)


AMD_MFMA = Family(
    matrix_rank, _mfma_accumulator, lambda a: flag(a, "isTransposed"), _mfma_operand, spread, rows_first=True
)

# ---- WMMA

_HALF = ("float32", "float16", "float16", "float32")
# version -> generation, a K of its float16 atoms, all K
_GENERATIONS = {1: ("RDNA3", 16, (16,)), 2: ("RDNA4", 16, (16, 32)), 3: ("GFX1250", 32, (4, 32, 64, 128))}
# kWidth -> the atom whose half waves hold so many neighbours along K, one half after the other
_RUNS = {
    2: ("GFX1250", 4, ("float32",) * 4),
    8: ("RDNA4", 16, _HALF),
    16: ("RDNA4", 32, ("int32", "int4", "int4", "int32")),
}


def _version(a: Attribute) -> int:
    version = integer(a, "version")
    if version not in _GENERATIONS:
        raise LayoutError(f"#ttg.amd_wmma of version {version}: read are 1 (RDNA3), 2 (RDNA4) and 3 (gfx1250)")
    return version


def _depth(a: Attribute) -> int:
    *_, known = _GENERATIONS[_version(a)]
    m, n, k = instruction_shape(a, 3, default=(16, 16, 16))
    if (m, n) != (16, 16) or k not in known:
        raise LayoutError(f"WMMA of version {_version(a)} is 16 x 16 x K with K in {known}, not {m} x {n} x {k}")
    return k


def _wmma_atom(version: int) -> MmaAtom:
    generation, k, _ = _GENERATIONS[version]
    return rdna.wmma(generation, k, _HALF)


def _wmma_accumulator(a: Attribute) -> Fragment:
    _depth(a)
    return Fragment(_wmma_atom(_version(a)).tv_layout_C, 16, 16, 16)


def _wmma_operand(a: Attribute, index: int, k_width: int) -> Fragment:
    version, depth = _version(a), _depth(a)
    if version == 1 and k_width in (8, 16):
        # Both halves of the wave hold all of K, whatever the width.
        return Fragment(_wmma_atom(1).tv_layout_A, 16, 16, 16)
    if version == 1 or k_width not in _RUNS:
        raise LayoutError(f"kWidth = {k_width} of WMMA version {version}: read are 2, 8 and 16, of version 1 8 and 16")
    generation, k, types = _RUNS[k_width]
    return Fragment(rdna.wmma(generation, k, types).tv_layout_A, 16, k, 16, depth)


def _wmma_rank(a: Attribute) -> int:
    if a.get("ctaLayout") is None:
        return matrix_rank(a)
    first = next((row for rows in _cta_layout(a).values() for row in rows), (0, 0))
    return len(first) if isinstance(first, tuple) and len(first) == 3 else 2


def _cta_layout(a: Attribute) -> dict[str, tuple[Field, ...]]:
    given = a.get("ctaLayout")
    listed = [(key, given.get(key, ())) for key in ("register", "warp")] if isinstance(given, Attribute) else []
    fields = {key: rows for key, rows in listed if isinstance(rows, tuple)}
    if not fields or len(fields) < len(listed):
        raise LayoutError("#ttg.amd_wmma needs ctaLayout = {register = [...], warp = [...]}, lists of bases")
    return fields


def _wmma_spread(a: Attribute, again: int) -> LinearLayout:
    if a.get("ctaLayout") is None:
        return spread(a, again)
    rank = _wmma_rank(a)
    return bases_of(a, _cta_layout(a), rank).transpose_outs([f"dim{d}" for d in row_major(rank)])


AMD_WMMA = Family(_wmma_rank, _wmma_accumulator, lambda a: flag(a, "isTranspose"), _wmma_operand, _wmma_spread)
