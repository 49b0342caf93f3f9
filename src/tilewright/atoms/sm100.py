"""Blackwell data-centre: tcgen05 MMA. One CTA or a pair; accumulators in tensor memory.

The "threads" of these atoms are CTAs: a pair splits M of A and C, and N of B.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tilewright.atoms.mma import MmaAtom, Space
from tilewright.atoms.registry import Row
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout


@dataclass(frozen=True)
class Kind:
    """A kind of tcgen05 MMA.

    `ptx` is its qualifier, `k` K of a dense tile, `types` the default types of D, A and B, `scale` the type of a scale
    factor and the elements of K that share one. `rows` are the values of M, of one CTA and of a pair. N is a multiple
    of `steps`: of one CTA, and of a pair when A is dense and when it is sparse.
    """

    ptx: str
    k: int
    types: tuple[str, str, str]
    arch: str = "sm_100a"
    scale: tuple[str, int] | None = None
    rows: tuple[tuple[int, ...], tuple[int, ...]] = ((64, 128), (128, 256))
    steps: tuple[int, int, int] = (8, 16, 16)
    sparse: bool = True


_E4M3, _E2M1, _UE8M0 = "float8_e4m3fn", "float4_e2m1fn", "float8_e8m0fnu"
_FP4 = ("float32", _E2M1, _E2M1)
KINDS = {
    "TF32": Kind("tf32", 8, ("float32", "tfloat32", "tfloat32")),
    "F16BF16": Kind("f16", 16, ("float32", "float16", "float16")),
    "S8": Kind("i8", 32, ("int32", "int8", "int8"), steps=(16, 32, 32)),
    "F8F6F4": Kind("f8f6f4", 32, ("float32", _E4M3, _E4M3), steps=(8, 16, 32)),
    "MXF8F6F4": Kind("mxf8f6f4", 32, ("float32", _E4M3, _E4M3), scale=(_UE8M0, 32), rows=((128,), (256,))),
    "MXF4": Kind("mxf4", 64, _FP4, scale=(_UE8M0, 32), rows=((128,), (128, 256)), sparse=False),
    "MXF4NVF4": Kind("mxf4nvf4", 64, _FP4, scale=(_E4M3, 16), rows=((128,), (128, 256))),
    "MXF4_ULTRA": Kind(
        "mxf4nvf4", 96, _FP4, "sm_103a", (_UE8M0, 32), ((128,), (128, 256)), steps=(16, 16, 16), sparse=False
    ),
}
_A_SPACE: dict[str, Space] = {"SS": "shared", "TS": "tmem"}


def operand(ctas: int, rows: int, columns: int) -> Layout[int]:
    """A rows x columns tile whose rows are split over the CTAs.

    >>> print(operand(1, 128, 16), operand(2, 256, 16))
    (1,(128,16)):(0,(1,128)) (2,(128,16)):(128,(1,256))
    """
    part = rows // ctas
    return Layout((ctas, (part, columns)), (part if ctas > 1 else 0, (1, rows)))


def extents_of_n(kind: str, m: int, ctas: int = 1, source: str = "SS", sparse: bool = False) -> tuple[int, ...]:
    """The values of N that go with an M.

    >>> extents_of_n("S8", 128)[:3], extents_of_n("F16BF16", 256, 2)[:2], extents_of_n("F16BF16", 128, 1, "TS")[:2]
    ((8, 16, 32), (16, 32), (16, 32))
    """
    row = KINDS[kind]
    step = row.steps[0] if ctas == 1 else 32 if source == "TS" else row.steps[2 if sparse else 1]
    if ctas == 1 and m == 128 and not row.scale and (source == "TS" or sparse):
        step = 16
    found = range(step, 257, step)
    return (8, *found) if kind == "S8" and ctas == 1 else tuple(found)


def tcgen05(
    kind: str, m: int, n: int, *, ctas: int = 1, source: str = "SS", sparse: bool = False, name: str = "",
    types: tuple[str, str, str] | None = None, k: int | None = None, scale: tuple[str, int] | None = None,
    ws: bool = False,
) -> MmaAtom:  # fmt: skip
    """The tcgen05 MMA of a kind, of one CTA or of a pair.

    Args:
        source: where A lies: "SS" shared memory, "TS" tensor memory.
        types: element types of D, A and B; k: K of the dense tile, where they change it (complex elements).
        scale: type of a scale factor, and how many elements of K share one.
        ws: the weight-stationary form, of one CTA, with M and N of its own.

    Raises:
        UsageError: a shape that the instruction does not have.

    Source: the static assertions of CuTe's `mma_sm100_umma`.

    >>> print(tcgen05("F16BF16", 128, 128).tv_layout_C)
    (1,(128,128)):(0,(1,128))
    """
    row = _stationary(kind, m, n) if ws else _checked(kind, m, n, ctas, source, sparse)
    halved = 2 if sparse else 1
    k = (k or row.k) * halved
    d, a, b = types or row.types
    scale = scale or (row.scale and (row.scale[0], row.scale[1] * halved))
    return MmaAtom(
        name or _name(kind, m, n, ctas, source, sparse),
        (m, n, k),
        (d, a, b, d),
        Layout(ctas, 1 if ctas > 1 else 0),
        operand(ctas, m, k),
        operand(ctas, n, k),
        operand(ctas, m, n),
        row.arch,
        f"tcgen05.mma{'.ws' * ws}{'.sp' if sparse else ''}.cta_group::{ctas}.kind::{_qualifiers(row, scale, halved)}",
        "CuTe mma_traits_sm100; PTX ISA, tcgen05.mma",
        spaces=(_A_SPACE[source], "shared", "tmem"),
        sparsity=halved,
        scale=scale,
    )


def _qualifiers(row: Kind, scale: tuple[str, int] | None, halved: int) -> str:
    if not scale:
        return row.ptx
    if row.ptx == "mxf8f6f4":
        return "mxf8f6f4.block_scale"
    block = scale[1] // halved
    return f"{'mxf4' if block == 32 and row.k == 64 else 'mxf4nvf4'}.block_scale.block{block}"


def _checked(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> Kind:
    row = KINDS.get(kind)
    if row is None or ctas not in (1, 2) or source not in _A_SPACE or (sparse and not row.sparse):
        raise UsageError(
            f"there is no{' sparse' if sparse else ''} tcgen05 {kind} {source} of {ctas} CTAs; kinds are"
            f" {', '.join(KINDS)}, with A in SS or TS, of 1 or 2 CTAs"
        )
    if m not in row.rows[ctas - 1]:
        raise UsageError(f"tcgen05 {kind} with {ctas} CTAs has M in {row.rows[ctas - 1]}, not {m}")
    found = extents_of_n(kind, m, ctas, source, sparse)
    if n not in found:
        raise UsageError(f"tcgen05 {kind} {source} with M = {m} has N in {', '.join(map(str, found))}, not {n}")
    return row


STATIONARY = (32, 64, 128), (64, 128, 256)  # M and N


def _stationary(kind: str, m: int, n: int) -> Kind:
    """Source: the static assertions of CuTe's mma_sm100_umma, of `SM100_MMA_.._WS_SS`."""
    for what, extent, known in zip("MN", (m, n), STATIONARY, strict=True):
        if extent not in known:
            raise UsageError(f"tcgen05.mma.ws has {what} in {known}, not {extent}")
    return KINDS[kind]


def _name(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> str:
    pair, tail = ("_2x1SM" if ctas == 2 else ""), ("_SPARSE" if sparse else "")
    return f"SM100_MMA_{kind}{pair}_{source}{tail}<{m},{n}>"


def _sources(kind: str) -> tuple[str, ...]:
    """Of the rows of the catalog, which are CuTe's; PTX lets a scaled A lie in tensor memory, too."""
    return ("SS",) if KINDS[kind].scale else ("SS", "TS")


def _build(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> MmaAtom:
    return tcgen05(kind, m, n, ctas=ctas, source=source, sparse=sparse)


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog: the usual tile sizes; `tcgen05` builds any other."""
    for kind, row in KINDS.items():
        for ctas, source, sparse in product((1, 2), _sources(kind), (False, True)):
            if not sparse or (row.sparse and source == "SS"):
                for m, n in product(row.rows[ctas - 1], (64, 128, 256)):
                    args = (kind, m, n, ctas, source, sparse)
                    yield _name(*args), _build, args
