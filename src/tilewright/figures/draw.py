"""`draw`: one name for every kind of picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any

from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.swizzle.half_tile import Movement
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import UsageError, shown
from tilewright.figures import banks, copy, layout_grid, memory_grid, mma, phases, staging, swizzle, thread_value
from tilewright.figures.figure import Figure

KINDS: Mapping[str, Callable[..., Figure]] = MappingProxyType(
    {
        "grid": layout_grid.picture,
        "tv": thread_value.picture,
        "banks": banks.picture,
        "phases": phases.picture,
        "memory": memory_grid.picture,
        "mma": mma.picture,
        "copy": copy.picture,
        "swizzle": swizzle.picture,
        "staging": staging.picture,
    }
)


def draw(obj: object, *, kind: str | None = None, **options: object) -> Figure:
    """A picture of a layout, an atom or a tiled operation, as a `Figure` to show, print or save.

    Args:
        obj: a layout of any kind, a `Tensor`, an MMA or copy atom, a tiled MMA or copy, a swizzle, a `Movement`, a
            `BankReport`.
        kind: `grid` (coordinates and what the layout answers), `tv` (the tile of a thread-value layout),
            `banks` (a tile in shared memory and what an access asks of the banks), `phases` (what a bank report
            says that it asks), `memory` (lines of banks and the elements in them), `mma` (the operands of an MMA),
            `copy` (both sides of a copy), `swizzle` (bits and numbers before and after) or `staging` (a movement
            through shared memory). None: the kind that the object has of its own, `grid` for a layout.
        options: those of the kind; each kind has a file with a function `picture` that explains them.

    Raises:
        UsageError: an unknown kind or option, an object that has no such picture, more than 65536 cells.

    >>> from tilewright.layout.layout import Layout
    >>> print(draw(Layout((2, 4), (4, 1))).text())
    (2,4):(4,1)
    <BLANKLINE>
    down: mode 0: 2:4
    right: mode 1: 4:1
      0 1 2 3
    0 0 1 2 3
    1 4 5 6 7
    <BLANKLINE>
    offset:  0   1   2   3   4   5   6   7
    <BLANKLINE>
    """
    kind = _kind(obj) if kind is None else kind
    if not isinstance(kind, str) or kind not in KINDS:
        raise UsageError(f"unknown kind of picture {shown(kind)}; choose {' or '.join(KINDS)}")
    _check(kind, options)
    return KINDS[kind](obj, **options)


def _kind(obj: object) -> str:
    if isinstance(obj, MmaAtom | TiledMma):
        return "mma"
    if isinstance(obj, Movement):
        return "staging"
    if isinstance(obj, BankReport):
        return "phases"
    return "copy" if isinstance(obj, CopyAtom | TiledCopy) else "grid"


def _check(kind: str, options: Mapping[str, Any]) -> None:
    known = dict(list(signature(KINDS[kind]).parameters.items())[1:])
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UsageError(f"a {kind} picture has no option {shown(unknown[0])}; it has {', '.join(known)}")
    missing = [name for name, option in known.items() if option.default is option.empty and name not in options]
    if missing:
        raise UsageError(f"a {kind} picture needs {missing[0]}")
