"""`Told`: values whose `repr` is short, so that lists of them can be read."""

from __future__ import annotations

from tilewright.layout.drawn import Drawn


class Told(Drawn):
    """Is shown by its picture in notebooks, elsewhere by the first line of its text; `print` gives all of it.

    >>> from tilewright.atoms.catalog import copy
    >>> from tilewright.atoms.find import find
    >>> find(8, 8, 4, a="f64")
    (<MmaAtom SM80_8x8x4_F64F64F64F64_TN 8x8x4 float64 = float64 x float64 + float64 (sm_80)>,)
    >>> copy("SM75_U32x4_LDSM_N")
    <CopyAtom SM75_U32x4_LDSM_N shared -> register (sm_75)>
    """

    __slots__ = ()

    def __repr__(self) -> str:
        kind, first = type(self).__name__, str(self).splitlines()[0]
        return f"<{kind} {' '.join(first.removeprefix(kind).split())}>"
