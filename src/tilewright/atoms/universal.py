"""Atoms of every GPU: the fused multiply-add of one thread, and SM61's dot products."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.layout.layout import Layout

ONE_THREAD = Layout(1, 0)
_ONE = Layout((1, 1), (0, 0))
_SCALARS = ("float16", "bfloat16", "float32", "float64", "int32", "int64", "complex64", "complex128")


def universal_fma(element: str = "float32") -> MmaAtom:
    """d = a * b + c of one thread, on one element.

    >>> print(universal_fma("half").tv_layout_C)
    (1,1):(0,0)
    """
    name = dtype(element).name
    return MmaAtom(
        f"UniversalFMA<{name}>", (1, 1, 1), (name,) * 4, ONE_THREAD, _ONE, _ONE, _ONE, "any", "fma", "CuTe UniversalFMA"
    )


def _vector_fma(m: int, n: int) -> MmaAtom:
    a, b = (Layout((1, e), (0, 1)) if e > 1 else _ONE for e in (m, n))
    return MmaAtom(
        f"SM100_{m}x{n}x1_F32F32F32F32", (m, n, 1), ("float32",) * 4, ONE_THREAD, a, b, Layout((1, 2), (0, 1)),
        "sm_100", "fma.rn.f32x2", "CuTe mma_traits_sm100",
    )  # fmt: skip


def _dot(name: str, k: int, narrow: str, instruction: str) -> MmaAtom:
    ab = Layout((1, k), (0, 1))
    types = ("int32", narrow, narrow, "int32")
    return MmaAtom(name, (1, 1, k), types, ONE_THREAD, ab, ab, _ONE, "sm_61", instruction, "CuTe mma_traits_sm61")


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for element in _SCALARS:
        yield f"UniversalFMA<{element}>", universal_fma, (element,)
    yield "SM61_DP4A", _dot, ("SM61_DP4A", 4, "int8", "dp4a.s32.s32")
    yield "SM61_DP2A", _dot, ("SM61_DP2A", 2, "int16", "dp2a.lo.s32.s32")
    yield "SM100_2x1x1_F32F32F32F32", _vector_fma, (2, 1)
    yield "SM100_1x2x1_F32F32F32F32", _vector_fma, (1, 2)
