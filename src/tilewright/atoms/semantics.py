"""What an atom does, executed: the meaning that the simulator, the emitters and the tests share.

Fragments are numpy arrays of shape (threads, values); numpy is imported when they are used.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike


def distribute(tv_layout: Layout[int], matrix: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """The fragments (threads, values) of a matrix, read column by column through a thread-value layout.

    >>> import numpy
    >>> distribute(Layout((2, 2), (1, 2)), numpy.array([[1, 3], [2, 4]]))
    array([[1, 3],
           [2, 4]])
    """
    fragments: numpy.ndarray[Any, Any] = matrix.ravel(order="F")[table(tv_layout)]
    return fragments


def collect(
    tv_layout: Layout[int], fragments: numpy.ndarray[Any, Any], shape: tuple[int, ...]
) -> numpy.ndarray[Any, Any]:
    """The matrix that fragments hold; undoes `distribute`. Of several owners of an element the last one counts."""
    import numpy

    flat = numpy.zeros(prod(shape), fragments.dtype)
    flat[table(tv_layout)] = fragments
    return flat.reshape(shape, order="F")


def mma(atom: MmaAtom, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> numpy.ndarray[Any, Any]:
    """D = A B^T + C on fragments, block by block: what the instruction leaves in every thread's accumulators.

    Raises:
        UsageError: fragments of another shape than the atom's layouts.
    """
    import numpy

    m, n, k = atom.shape_mnk
    matrices = []
    for operand, fragment, shape in (("A", a, (m, k)), ("B", b, (n, k)), ("C", c, (m, n))):
        layout = atom.tv_layout(operand)
        found, expected = numpy.shape(fragment), (layout[0].size, layout[1].size)
        if found != expected:
            raise UsageError(f"{atom.name}: the fragment of {operand} has shape {found}, expected {expected}")
        matrices.append(collect(layout, numpy.asarray(fragment), (*shape, atom.blocks)))
    left, right, added = (numpy.moveaxis(matrix, 2, 0) for matrix in matrices)
    return distribute(atom.tv_layout_C, numpy.moveaxis(left @ right.swapaxes(1, 2) + added, 0, 2))


def copy(atom: CopyAtom, source: ArrayLike) -> numpy.ndarray[Any, Any]:
    """The values that every destination thread gets, from those that every source thread holds or addresses."""
    import numpy

    values = numpy.asarray(source)
    layout = atom.tv_layout_src
    expected = (layout[0].size, layout[1].size)
    if values.shape != expected:
        raise UsageError(f"{atom.name}: the source has shape {values.shape}, expected {expected}")
    held, wanted = table(layout), table(atom.tv_layout_dst)
    data = numpy.zeros(int(wanted.max()) + 1, values.dtype)
    data[held] = values
    if atom.broadcast > 1:
        period = len(data) // atom.broadcast
        data = numpy.tile(data[:period], atom.broadcast)
    moved: numpy.ndarray[Any, Any] = data[wanted]
    return moved


def table(tv_layout: Layout[int]) -> numpy.ndarray[Any, Any]:
    """The layout as an array of (thread, value)."""
    import numpy

    threads, values = (mode(numpy.arange(mode.size)) for mode in tv_layout)
    found: numpy.ndarray[Any, Any] = threads[:, None] + values[None, :]
    return found
