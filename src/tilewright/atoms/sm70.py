"""Volta: the 8x8x4 quad-pair MMA. The only atoms whose threads are not neighbours in the warp."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.layout.layout import Layout

QUAD_PAIR = Layout((4, 2), (1, 16))
_ROW = Layout((8, 4), (1, 8))
_COLUMN = Layout(((4, 2), 4), ((8, 4), 1))
_C = {
    "F16": Layout((8, 8), (1, 8)),
    "F32": Layout(((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32))),
}
_MAJOR = {"T": "row", "N": "col"}


def _atom(accumulator: str, a: str, b: str) -> MmaAtom:
    letters = f"{accumulator}F16F16{accumulator}"
    # A is row-major ("T") when each thread holds a row of K; B is so when it is column-major ("N").
    return MmaAtom(
        f"SM70_8x8x4_{letters}_{a}{b}",
        (8, 8, 4),
        naming.types(letters),
        QUAD_PAIR,
        _ROW if a == "T" else _COLUMN,
        _ROW if b == "N" else _COLUMN,
        _C[accumulator],
        "sm_70",
        f"mma.sync.aligned.m8n8k4.{_MAJOR[a]}.{_MAJOR[b]}.{naming.suffixes(letters)}",
        "CuTe mma_traits_sm70",
    )


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for accumulator in _C:
        for a in "TN":
            for b in "NT":
                yield f"SM70_8x8x4_{accumulator}F16F16{accumulator}_{a}{b}", _atom, (accumulator, a, b)
