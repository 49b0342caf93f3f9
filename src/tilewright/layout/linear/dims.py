"""Named dimensions of an F2 map, and where their bits lie.

Dimensions are (name, size) pairs with sizes that are powers of two, minor first: the bits of the first dimension
are the lowest of the flat index. Everything that renames, reorders or splits dimensions is bit arithmetic here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tilewright.errors import LayoutError, shown
from tilewright.layout.indexing import is_array

Dims: TypeAlias = tuple[tuple[str, int], ...]

if TYPE_CHECKING:
    from numpy import int64, integer
    from numpy.typing import NDArray

    Given: TypeAlias = "Mapping[str, T] | Iterable[tuple[str, T]]"

T = TypeVar("T")

MAX_BITS = 1024


def as_dims(dims: Given[int]) -> Dims:
    """The pairs, checked: identifiers without repetition, sizes powers of two below 2^63, at most 1024 bits together.

    >>> as_dims([("lane", 32), ("warp", 4)])
    (('lane', 32), ('warp', 4))
    """
    if dims.__class__ is tuple:
        try:
            return _remembered(dims, tuple([size.__class__ for _, size in dims]))
        except (TypeError, ValueError):  # not hashable, or no pairs: said below
            pass
    return _checked(dims)


@lru_cache(4096)
def _remembered(dims: Dims, _: tuple[type, ...]) -> Dims:
    """Memory of what was checked; 32.0 is no size though it equals 32, so that classes belong to the key."""
    return _checked(dims)


def _checked(dims: Given[int]) -> Dims:
    checked = tuple((as_name(name), as_size(size, str(name))) for name, size in items(dims))
    names = [name for name, _ in checked]
    if len(set(names)) != len(names):
        raise LayoutError(f"a dimension is named twice in [{', '.join(names)}]")
    total = bits(checked)
    if total > MAX_BITS:
        raise LayoutError(f"{total} bits of index are more than {MAX_BITS}")
    return checked


def as_name(name: object) -> str:
    """The name of a dimension: an identifier of at most 256 characters."""
    if not isinstance(name, str) or not name.isidentifier() or len(name) > 256:
        raise LayoutError(f"a dimension's name is an identifier, got {shown(name)}")
    return name


def as_size(size: object, name: str) -> int:
    """A power of two below 2^63."""
    number = as_integer(size, f"the size of dimension {name}")
    if number < 1 or number & (number - 1) or number >= 1 << 63:
        raise LayoutError(f"the size of dimension {name} is {shown(number)}, not a power of two in [1, 2^62]")
    return number


def as_names(names: object) -> tuple[str, ...]:
    """The names of dimensions, checked to be identifiers."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise LayoutError(f"expected the names of dimensions, got {shown(names)}")
    return tuple(map(as_name, names))


def as_columns(columns: object) -> tuple[int, ...]:
    """The columns of a matrix, checked to be integers."""
    if not isinstance(columns, Iterable) or getattr(columns, "shape", None) == ():
        raise LayoutError(f"expected the columns of a matrix, got {shown(columns)}")
    if columns.__class__ is tuple and {*map(type, columns)} <= {int}:
        return columns
    return tuple(as_integer(column, "a column") for column in columns)


def as_integer(value: object, what: str) -> int:
    """`value` as an `int`; anything that is not an integer is refused."""
    try:
        return index(value)  # type: ignore[arg-type]  # what is no index is a TypeError
    except TypeError:
        raise LayoutError(f"{what} is {shown(value)}, not an integer") from None


def log2(size: int) -> int:
    """The number of bits of a power of two's index."""
    return size.bit_length() - 1


@lru_cache(4096)
def bits(dims: Dims) -> int:
    """The number of bits of the flat index."""
    return sum(log2(size) for _, size in dims)


def offsets(dims: Dims) -> dict[str, int]:
    """The position of each dimension's lowest bit in the flat index.

    >>> offsets((("lane", 32), ("warp", 4)))
    {'lane': 0, 'warp': 5}
    """
    found, position = {}, 0
    for name, size in dims:
        found[name], position = position, position + log2(size)
    return found


@lru_cache(4096)
def bit_positions(dims: Dims, into: Dims, below: Dims = ()) -> tuple[int, ...]:
    """For each bit of `dims`, its position in the flat index of `into`, above the bits that `below` takes of its name.

    >>> bit_positions((("a", 2), ("b", 4)), (("b", 8), ("a", 2)), below=(("b", 2),))
    (3, 1, 2)
    """
    base, taken = offsets(into), {name: log2(size) for name, size in below}
    return tuple(base[name] + taken.get(name, 0) + i for name, size in dims for i in range(log2(size)))


def pack(values: Sequence[int], dims: Dims) -> int:
    """The flat index of one value a dimension.

    >>> pack((3, 1), (("a", 4), ("b", 4))), unpack(7, (("a", 4), ("b", 4)))
    (7, (3, 1))
    """
    flat, position = 0, 0
    for value, (_, size) in zip(values, dims, strict=True):
        flat, position = flat | value << position, position + log2(size)
    return flat


def unpack(flat: int, dims: Dims) -> tuple[int, ...]:
    """The values of a flat index, one a dimension; the inverse of `pack`."""
    values = []
    for _, size in dims:
        values.append(flat & (size - 1))
        flat >>= log2(size)
    return tuple(values)


def permuted(dims: Dims, names: Iterable[str]) -> Dims:
    """The same dimensions in the order of `names`."""
    order = as_names(names)
    if sorted(order) != sorted(name for name, _ in dims):
        raise LayoutError(f"[{', '.join(order)}] is no permutation of the dimensions {to_text(dims)}")
    sizes = dict(dims)
    return tuple((name, sizes[name]) for name in order)


def same_bits(old: Dims, new: Dims) -> Dims:
    """`new`, checked to have as many bits as `old`."""
    if bits(old) != bits(new):
        raise LayoutError(
            f"cannot reshape {to_text(old)}, {1 << bits(old)} values, to {to_text(new)}, {1 << bits(new)} values"
        )
    return new


@lru_cache(4096)
def supremum(a: Dims, b: Dims) -> Dims:
    """Both lists merged in an order that each respects, sizes of shared names multiplied; ties go to `a`.

    Raises:
        LayoutError: two names stand in opposite orders.

    >>> supremum((("a", 2), ("b", 4)), (("b", 2), ("c", 2)))
    (('a', 2), ('b', 8), ('c', 2))
    """
    first, second = dict(a), dict(b)
    left, right = list(first), list(second)
    order: list[str] = []
    while left or right:
        if left and (left[0] not in second or left[0] in right[:1]):
            order.append(left[0])
        elif right and right[0] not in first:
            order.append(right[0])
        else:
            raise LayoutError(f"{to_text(a)} and {to_text(b)} order {left[0]} and {right[0]} in opposite ways")
        left, right = ([name for name in names if name != order[-1]] for names in (left, right))
    return tuple((name, first.get(name, 1) * second.get(name, 1)) for name in order)


def to_text(dims: Dims) -> str:
    """`{lane = 32, warp = 4}`."""
    return "{" + ", ".join(f"{name} = {size}" for name, size in dims) + "}"


def size_of(name: object, dims: Dims) -> int:
    """The size of the dimension of that name."""
    found = [size for other, size in dims if other == as_name(name)]
    if not found:
        raise LayoutError(f"no dimension {shown(name)} in {to_text(dims)}")
    return found[0]


def kept(dims: Dims, names: Iterable[str]) -> Dims:
    """The dimensions of those names, in their own order."""
    wanted = as_names(names)
    for name in wanted:
        size_of(name, dims)
    return tuple((name, size) for name, size in dims if name in wanted)


def gather(flat: int, positions: Sequence[int]) -> int:
    """The bits of `flat` at the positions, packed.

    >>> gather(0b1010, (1, 3))
    3
    """
    return sum((flat >> p & 1) << i for i, p in enumerate(positions))


def quotient(dims: Dims, divisor: Dims) -> Dims | None:
    """`dims` with the sizes divided by the divisor's; None where one is larger. Dimensions of size 1 come and go.

    >>> quotient((("a", 8), ("b", 2)), (("a", 2),)), quotient((("a", 2),), (("b", 2),))
    ((('a', 4), ('b', 2)), None)
    """
    sizes, given = dict(dims), dict(divisor)
    if any(size > sizes.get(name, 1) for name, size in divisor):
        return None
    return tuple((name, size // given.get(name, 1)) for name, size in dims)


def items(given: Given[T]) -> list[tuple[str, T]]:
    """The pairs of a mapping, or of an iterable of pairs."""
    try:
        pairs = given.items() if isinstance(given, Mapping) else given
        return [(name, value) for name, value in pairs]
    except (TypeError, ValueError):
        raise LayoutError(f"expected a mapping or (name, value) pairs, got {shown(given)}") from None


def as_vectors(rows: Iterable[Iterable[int]], length: int, name: str) -> list[tuple[int, ...]]:
    """The basis vectors of one input dimension, checked to be `length` integers each."""
    try:
        vectors = [tuple(as_integer(value, f"a basis value of {name}") for value in row) for row in rows]
    except TypeError:
        raise LayoutError(f"the bases of {name} are a list of lists of integers, got {shown(rows)}") from None
    for vector in vectors:
        if len(vector) != length or min(vector, default=0) < 0:
            raise LayoutError(f"basis {vector} of {name} must be {length} integers of at least 0")
    return vectors


def out_dims(names: Sequence[str], sizes: Sequence[int] | None, vectors: Sequence[Sequence[int]]) -> Dims:
    """Output dimensions that hold every vector; without sizes, the smallest such powers of two."""
    if sizes is not None and not isinstance(sizes, Sequence):
        raise LayoutError(f"expected the sizes of output dimensions, got {shown(sizes)}")
    if sizes is None:
        sizes = [1 << max((v[i].bit_length() for v in vectors), default=0) for i in range(len(names))]
    if len(sizes) != len(names):
        raise LayoutError(f"{len(names)} output names but {len(sizes)} sizes")
    outs = as_dims(zip(names, sizes, strict=True))
    for vector in vectors:
        for value, (name, size) in zip(vector, outs, strict=True):
            if value >= size:
                raise LayoutError(f"basis value {value} does not fit output dimension {name} of size {size}")
    return outs


def inside(value: int | integer | NDArray[integer], name: str, size: int) -> int | NDArray[int64]:
    """`value` as an `int` or an int64 array, checked to lie in [0, size)."""
    if is_array(value):
        return _array_inside(value, name, size)
    number = as_integer(value, f"input {name}")
    if not 0 <= number < size:
        raise LayoutError(f"input {name} = {number} lies outside [0, {size})")
    return number


def _array_inside(value: NDArray[int64], name: str, size: int) -> NDArray[int64]:
    import numpy as np

    if value.dtype.kind not in "iu":
        raise LayoutError(f"input {name} is an array of {value.dtype}, not of integers")
    if value.size and not (value.min() >= 0 and value.max() < size):
        raise LayoutError(f"input {name} reaches {value.min()} .. {value.max()}, outside [0, {size})")
    return value.astype(np.int64)
