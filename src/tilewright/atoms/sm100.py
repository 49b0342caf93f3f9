"""Blackwell data-centre: tcgen05 MMA. One CTA or a pair; accumulators in tensor memory.

The "threads" of these atoms are CTAs: a pair splits M of A and C, and N of B.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.atoms.mma import MmaAtom, Space
from tilewright.atoms.registry import Row
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout


@dataclass(frozen=True)
class Kind:
    """A kind of tcgen05 MMA: its PTX qualifier, K of a dense tile, default types (D, A, B) and scale."""

    ptx: str
    k: int
    types: tuple[str, str, str]
    arch: str = "sm_100a"
    scale: tuple[str, int] | None = None


_E4M3, _E2M1, _UE8M0 = "float8_e4m3fn", "float4_e2m1fn", "float8_e8m0fnu"
KINDS = {
    "TF32": Kind("tf32", 8, ("float32", "tfloat32", "tfloat32")),
    "F16BF16": Kind("f16", 16, ("float32", "float16", "float16")),
    "S8": Kind("i8", 32, ("int32", "int8", "int8")),
    "F8F6F4": Kind("f8f6f4", 32, ("float32", _E4M3, _E4M3)),
    "MXF8F6F4": Kind("mxf8f6f4", 32, ("float32", _E4M3, _E4M3), scale=(_UE8M0, 32)),
    "MXF4": Kind("mxf4", 64, ("float32", _E2M1, _E2M1), scale=(_UE8M0, 32)),
    "MXF4NVF4": Kind("mxf4nvf4", 64, ("float32", _E2M1, _E2M1), scale=(_UE8M0, 16)),
    "MXF4_ULTRA": Kind("mxf4", 96, ("float32", _E2M1, _E2M1), "sm_103a", (_UE8M0, 32)),
}
_A_SPACE: dict[str, Space] = {"SS": "shared", "TS": "tmem"}


def operand(ctas: int, rows: int, columns: int) -> Layout:
    """A rows x columns tile whose rows are split over the CTAs.

    >>> print(operand(1, 128, 16), operand(2, 256, 16))
    (1,(128,16)):(0,(1,128)) (2,(128,16)):(128,(1,256))
    """
    part = rows // ctas
    return Layout((ctas, (part, columns)), (part if ctas > 1 else 0, (1, rows)))


def tcgen05(
    kind: str, m: int, n: int, *, ctas: int = 1, source: str = "SS", sparse: bool = False, name: str = "",
    types: tuple[str, str, str] | None = None, k: int | None = None, scale: tuple[str, int] | None = None,
) -> MmaAtom:  # fmt: skip
    """The tcgen05 MMA of a kind, of one CTA (M 64 or 128) or of a pair (M 128 or 256).

    Args:
        source: where A lies: "SS" shared memory, "TS" tensor memory.
        types: element types of D, A and B; k: K of the dense tile, where they change it (complex elements).

    Raises:
        UsageError: a shape that the instruction does not have.

    >>> print(tcgen05("F16BF16", 128, 128).tv_layout_C)
    (1,(128,128)):(0,(1,128))
    """
    row = KINDS[kind]
    step = 8 if m == 64 * ctas else 16 * ctas
    if m not in (64 * ctas, 128 * ctas) or not 8 <= n <= 256 or n % step:
        raise UsageError(
            f"tcgen05 with {ctas} CTA has M in ({64 * ctas}, {128 * ctas}) and N a multiple of {step} up to 256,"
            f" not {m} x {n}"
        )
    k = (k or row.k) * (2 if sparse else 1)
    d, a, b = types or row.types
    scale = scale or row.scale
    block = ".block_scale" if scale else ""
    return MmaAtom(
        name or _name(kind, m, n, ctas, source, sparse),
        (m, n, k),
        (d, a, b, d),
        Layout(ctas, 1 if ctas > 1 else 0),
        operand(ctas, m, k),
        operand(ctas, n, k),
        operand(ctas, m, n),
        row.arch,
        f"tcgen05.mma{'.sp' if sparse else ''}.cta_group::{ctas}.kind::{row.ptx}{block}",
        "CuTe mma_traits_sm100; PTX ISA, tcgen05.mma",
        spaces=(_A_SPACE[source], "shared", "tmem"),
        sparsity=2 if sparse else 1,
        scale=scale,
    )


def _name(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> str:
    pair, tail = ("_2x1SM" if ctas == 2 else ""), ("_SPARSE" if sparse else "")
    return f"SM100_MMA_{kind}{pair}_{source}{tail}<{m},{n}>"


def _sources(kind: str) -> tuple[str, ...]:
    return ("SS",) if KINDS[kind].scale else ("SS", "TS")


def _build(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> MmaAtom:
    return tcgen05(kind, m, n, ctas=ctas, source=source, sparse=sparse)


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog: the usual tile sizes; `tcgen05` builds any other."""
    for kind in KINDS:
        for ctas in (1, 2):
            for source in _sources(kind):
                for sparse in (False, True) if source == "SS" else (False,):
                    for m in (64 * ctas, 128 * ctas):
                        for n in (64, 128, 256):
                            args = (kind, m, n, ctas, source, sparse)
                            yield _name(*args), _build, args
