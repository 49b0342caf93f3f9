"""Block scale factors of a matrix, as block-scaled fp8 quantisation makes them, and the files they come from."""

from __future__ import annotations

from math import frexp
from typing import TYPE_CHECKING, Any

from tilewright.cli.sources import existing
from tilewright.dtypes import DType, dtype
from tilewright.errors import UsageError

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

BLOCK = 32  # neighbours of a row that share one scale factor
FP8_MAX = 448.0  # largest float8_e4m3fn
MAX_FACTORS = 2**20


def read(path: str) -> Array:
    """The array of a .npy file; nothing in the file is executed.

    Raises:
        UsageError: no such file, not a .npy file of numbers, damaged.
    """
    import numpy as np

    existing(path)
    try:
        with open(path, "rb") as file:
            np.lib.format.read_magic(file)
        array: Array = np.load(path, allow_pickle=False, mmap_mode="r")
    except (ValueError, OSError, EOFError, SyntaxError, MemoryError, OverflowError, TypeError) as error:
        raise UsageError(f"{path!r} is not a whole .npy file of numbers: {str(error).splitlines()[0]:.120}") from None
    if array.dtype.kind not in "fiu":
        raise UsageError(f"{path!r} holds {array.dtype}; a matrix of floats, or scale factors, are needed")
    return array


def synthetic(rows: int, columns: int) -> Array:
    """A matrix of random numbers, always the same, whose blocks differ in size by orders of magnitude."""
    import numpy as np

    random = np.random.default_rng(2026)
    sizes = np.exp2(random.integers(-6, 7, (rows, columns // BLOCK))).repeat(BLOCK, axis=1)
    return (random.standard_normal((rows, columns)) * sizes).astype(np.float32)


def factors(matrix: Array, kind: DType) -> Array:
    """The scale factor of every block of 32 neighbours of a row, by column block and row: shape (columns / 32, rows).

    For a floating type it is absmax / 448, which maps the block onto the range of float8_e4m3fn; for an integer
    type the biased exponent of the smallest power of two that does so (the UE8M0 of the OCP microscaling formats).

    Raises:
        UsageError: a matrix with columns that are no multiple of 32, with NaN or infinity.
    """
    import numpy as np

    rows, columns = matrix.shape
    if columns % BLOCK or not matrix.size:
        raise UsageError(f"the matrix is {rows} x {columns}; its columns must be a multiple of {BLOCK}, one block")
    blocks = np.abs(np.asarray(matrix, dtype=np.float64)).reshape(rows, columns // BLOCK, BLOCK)
    largest = blocks.max(axis=2).T
    if not np.isfinite(largest).all():
        block, row = np.argwhere(~np.isfinite(largest))[0]
        raise UsageError(
            f"the matrix holds NaN or infinity in row {row}, columns {block * BLOCK} to {block * BLOCK + 31}"
        )
    if kind.is_float:
        return np.ascontiguousarray((largest / FP8_MAX).astype(kind.numpy()))
    (mantissas, powers), (top, power) = np.frexp(largest), frexp(FP8_MAX)
    exponents = powers - power + (mantissas > top) + 127
    return np.ascontiguousarray(np.where(largest > 0, exponents, 0).clip(0, 254).astype(kind.numpy()))


def stages(array: Array, kind: DType, blk: int) -> Array:
    """Scale factors in stages of `blk`: those of a matrix (two dimensions, floats), or the ones that the array holds.

    A stage holds the factors of `blk` rows and one block of 32 columns.

    Raises:
        UsageError: a shape that has no whole number of stages, more than 2^20 factors, another element type.
    """
    if is_matrix(array):
        if array.shape[0] % blk:
            raise UsageError(f"the matrix has {array.shape[0]} rows, no multiple of --blk {blk}, the rows of a stage")
        _check_count(array.size // BLOCK, array)
        return factors(array, kind).reshape(-1, blk)
    if array.dtype.newbyteorder("=") != kind.numpy():
        raise UsageError(f"the file holds scale factors of type {array.dtype}, not {kind}; say --dtype {array.dtype}")
    _check_count(array.size, array)
    if array.size % blk:
        raise UsageError(f"the file holds {array.size} scale factors, no multiple of --blk {blk}, those of a stage")
    return array.reshape(-1, blk)


def is_matrix(array: Array) -> bool:
    """Two dimensions of floats are a matrix to quantise; anything else holds scale factors."""
    return array.ndim == 2 and array.dtype.kind == "f"


def _check_count(count: int, array: Array) -> None:
    if not 0 < count <= MAX_FACTORS:
        raise UsageError(f"an array of shape {array.shape} has {count} scale factors; between 1 and {MAX_FACTORS} fit")


def kind_of(array: Array, name: str | None) -> DType:
    """The element type asked for, else that of the scale factors in the array, else float32."""
    if name is not None:
        return dtype(name)
    return dtype("float32") if is_matrix(array) else dtype(array.dtype.name)
