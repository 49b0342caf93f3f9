"""Finding MMA atoms by what they multiply, and by where they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tilewright.arch.spec import ArchSpec
from tilewright.arch.table import get
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.mma import MmaAtom, Space
from tilewright.dtypes import dtypes_of
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from tilewright.dtypes import DType, DTypeLike

_SPACES: tuple[Space, ...] = ("register", "shared", "tmem")


def find(
    m: int | None = None,
    n: int | None = None,
    k: int | None = None,
    *,
    a: DTypeLike | None = None,
    b: DTypeLike | None = None,
    c: DTypeLike | None = None,
    d: DTypeLike | None = None,
    arch: str | ArchSpec | None = None,
    threads: int | None = None,
    space: Space | None = None,
    sparse: bool | None = None,
    scaled: bool | None = None,
    blocks: int | None = None,
    words: str = "",
) -> tuple[MmaAtom, ...]:
    """The MMA atoms of which all that is given holds, in the catalog's order: older machines first.

    Args:
        m, n, k: the tile, in elements.
        a, b, c, d: the element types of the operands and of the result, by any of their names; `fp8` is any of 8 bits.
        arch: an architecture that executes them, such as "sm_80": it may be newer than the instruction.
        threads: how many threads execute one together.
        space: where A lies: "register", "shared" or "tmem".
        sparse: is half of A left out?
        scaled: do blocks of A and B have scale factors?
        blocks: how many products one does at once.
        words: all in the atom's name, or all in the name of its instruction in PTX, an ISA of AMD's, LLVM or MLIR.

    Raises:
        UsageError: an unknown type, architecture or space, or a size that is no integer.

    >>> [atom.name for atom in find(16, 8, 16, a="f16", c="f32", arch="sm_80", sparse=False)]
    ['SM80_16x8x16_F32F16F16F32_TN']
    >>> [atom.name for atom in find(a="e4m3fnuz", arch="gfx942", words="32x32")]
    ['CDNA3_32x32x16_F32E4M3E4M3F32', 'CDNA3_32x32x16_F32E4M3E5M2F32']
    >>> [atom.name for atom in find(a="f64", arch="gfx90a", blocks=4)][:1]
    ['CDNA2_4x4x4_4B_F64F64F64F64']
    """
    spec = None if arch is None else get(arch)
    wanted = (_numbers(m, n, k), [None if t is None else dtypes_of(t) for t in (d, a, b, c)])
    if space not in (None, *_SPACES):
        raise UsageError(f"A lies in one of {', '.join(_SPACES)}, not in {shown(space)}")
    count, several = _numbers(threads, blocks)
    tests: list[Callable[[MmaAtom], bool]] = [
        lambda atom: _fits(wanted[0], atom.shape_mnk) and _are_of(wanted[1], atom.dtypes),
        lambda atom: _fits((count, space, several), (atom.thr_layout.size, atom.spaces[0], atom.blocks)),
        lambda atom: _fits((sparse, scaled), (atom.sparsity > 1, atom.scale is not None)),
        lambda atom: spec is None or has_atom(spec, atom),
    ]
    atoms = map(catalog.mma, catalog.list(words, kind="mma"))
    return tuple(atom for atom in atoms if all(test(atom) for test in tests))


def _fits(wanted: Sequence[object], found: Sequence[object]) -> bool:
    """Is everything that is given there?"""
    return all(want is None or want == have for want, have in zip(wanted, found, strict=True))


def _are_of(wanted: Sequence[Sequence[DType] | None], found: Sequence[DType]) -> bool:
    """Is every type one of those that are given?"""
    return all(want is None or have in want for want, have in zip(wanted, found, strict=True))


def _numbers(*values: int | None) -> tuple[int | None, ...]:
    for value in values:
        if value is not None and type(value) is not int:
            words = f"; find atoms by words={shown(value)}, or by tw.atoms.list" if isinstance(value, str) else ""
            raise UsageError(f"a number of elements or threads is an integer, got {shown(value)}{words}")
    return values
