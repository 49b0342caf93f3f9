"""Arguments of a kernel: checked against its parameters, and seen as the flat memory that it works on."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_char
from itertools import pairwise
from operator import index
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp

from tilewright.dtypes import dtype
from tilewright.errors import UsageError, shown
from tilewright.targets.launch import Parameter, parameters_of
from tilewright.targets.tensor_map import TensorMap, masked

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def bind(func: FuncOp, arrays: Sequence[Any]) -> list[Array]:
    """The arrays as flat views, one for each parameter; an array given twice is one and the same view.

    A number becomes an array of rank 0, a tensor map the memory of its tensor.

    Raises:
        UsageError: another number of arguments, dtype or size than the kernel has; a strided, masked, misaligned or
            read-only array; arrays that share a part of their memory only; a number that its type cannot hold.
    """
    parameters = parameters_of(func, maps=True)
    name = func.sym_name.data
    if len(arrays) != len(parameters):
        raise UsageError(f"kernel {name!r} takes {len(parameters)} arrays, got {len(arrays)}")
    flat = [_memory(p, given) for p, given in zip(parameters, arrays, strict=True)]
    unique: list[Array] = []
    bound = []
    for parameter, array in zip(parameters, flat, strict=True):
        same = next((known for known in unique if _same(known, array)), None)
        if same is None:
            _refuse_overlap(array, unique, parameter.name)
            unique.append(array)
        bound.append(array if same is None else same)
    return bound


def roles(arrays: Sequence[Array]) -> tuple[int, ...]:
    """For each bound array the number of its memory, counted in order of appearance.

    >>> a, b = np.zeros(1), np.zeros(1)
    >>> roles([a, b, a])
    (0, 1, 0)
    """
    order = list(dict.fromkeys(map(id, arrays)))
    return tuple(order.index(id(array)) for array in arrays)


def _memory(parameter: Parameter, given: Any) -> Array:
    if not parameter.map:
        return _flat(parameter, given) if parameter.shape else _number(parameter, given)
    if not isinstance(given, TensorMap):
        raise UsageError(f"{parameter.name} takes a tilewright.TensorMap(array, box), got {type(given).__name__}")
    return given.flat()


def _number(parameter: Parameter, given: Any) -> Array:
    element = parameter.element
    if isinstance(given, str | bytes) or masked(given):
        raise UsageError(f"{parameter.name} takes a number of type {element}, got {shown(given)}")
    try:
        with np.errstate(over="raise"):
            return np.array(float(given) if element.is_float else index(given), element.numpy())
    except (TypeError, ValueError, ArithmeticError) as error:
        raise UsageError(f"{parameter.name} takes a number of type {element}, got {given!r}: {error}") from None


def _flat(parameter: Parameter, given: Any) -> Array:
    name, element, size = parameter.name, parameter.element, parameter.size
    array = _as_numpy(name, given)
    if element.lanes > 1:
        array = _as_vectors(parameter, array)
    if array.dtype != element.numpy():
        raise UsageError(f"{name} takes {element.name} elements, got an array of {array.dtype}")
    if array.size != size:
        raise UsageError(f"{name} takes {size} elements, got {array.size} (shape {array.shape})")
    if not array.flags.c_contiguous:
        raise UsageError(f"{name} needs a C-contiguous array; pass np.ascontiguousarray(...) of this one")
    if not array.flags.aligned:
        raise UsageError(f"{name} begins at an address that its {array.dtype} elements cannot have; pass a copy")
    if not array.flags.writeable:
        raise UsageError(f"{name} is a read-only array; pass a copy")
    return array.reshape(-1)


def _as_vectors(parameter: Parameter, array: Array) -> Array:
    # Vectors are given as an array of their scalars, neighbours each, or where these are packed into bytes, of bytes.
    element, size = parameter.element, parameter.size or 0
    scalar = (dtype("uint8") if element.scalar.bits % 8 else element.scalar).numpy()
    if array.dtype != scalar:
        return array
    count = size * element.bytes // scalar.itemsize
    if array.size != count or not array.flags.c_contiguous:
        raise UsageError(
            f"{parameter.name} takes {size} {element} vectors, {count} numbers of type {scalar} in a C-contiguous "
            f"array; got one of shape {array.shape}"
        )
    return array.reshape(-1).view(element.numpy())


def _as_numpy(name: str, given: Any) -> Array:
    if masked(given):
        raise UsageError(f"{name} takes a plain array, got a masked one, whose mask no kernel knows; pass its .data")
    if isinstance(given, np.ndarray):
        return given.view(np.ndarray)  # a matrix or a recarray is its memory
    try:
        return np.from_dlpack(given)
    except (AttributeError, TypeError, BufferError, RuntimeError) as error:
        raise UsageError(f"{name} takes a numpy array or a CPU tensor, got {type(given).__name__}: {error}") from None


def lie_apart(arrays: Sequence[Array]) -> bool:
    """Do no two arrays overlap? Numbers, arrays of rank 0, do not.

    >>> a = np.zeros(8)
    >>> lie_apart([a[:4], a[4:]]), lie_apart([a[:5], a[4:]]), lie_apart([a, a])
    (True, False, False)
    """
    spans = sorted(_span(array) for array in arrays if array.ndim and array.size)
    return all(stop <= start for (_, stop), (start, _) in pairwise(spans))


def memories(arrays: Sequence[Array]) -> tuple[list[Array], list[tuple[int, int]]]:
    """The memories that arrays lie in, as bytes, once where they overlap; of each the number, and its byte there.

    >>> a = np.arange(4, dtype=np.int16)
    >>> (one,), places = memories([a, a[1:]])
    >>> one.nbytes, places
    (8, [(0, 0), (0, 2)])
    """
    merged: list[tuple[int, int]] = []
    places = [(0, 0)] * len(arrays)
    for start, stop, number in sorted((*_span(array), number) for number, array in enumerate(arrays)):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], stop)
        else:
            merged.append((start, stop))
        places[number] = len(merged) - 1, start - merged[-1][0]
    return [_bytes(*span) for span in merged], places


def _bytes(start: int, stop: int) -> Array:
    """Those of arrays that are alive."""
    return np.frombuffer(memoryview((c_char * (stop - start)).from_address(start)), np.uint8)


def _span(array: Array) -> tuple[int, int]:
    start: int = array.__array_interface__["data"][0]
    return start, start + array.nbytes


def _same(a: Array, b: Array) -> bool:
    return _span(a) == _span(b) and a.dtype == b.dtype


def _refuse_overlap(array: Array, others: list[Array], name: str) -> None:
    start, stop = _span(array)
    for other in others:
        low, high = _span(other)
        if start < high and low < stop:
            raise UsageError(f"{name} and another argument overlap in part; pass one array twice, or separate ones")
