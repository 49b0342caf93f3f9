"""Arrays as what kernels are given: numpy's, and whatever has `__dlpack__`; their elements one after the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from xdsl.ir import Attribute

from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.ir.fly.dialect_types import FlyType, from_text
from tilewright.ir.fly.types import Value
from tilewright.lang.core.numerics.elements import ir_type
from tilewright.targets.arguments import Array
from tilewright.targets.device_arrays import INTERFACE, DeviceArray, device_of, on_device
from tilewright.targets.simulator.fly.values import filled

if TYPE_CHECKING:
    from typing_extensions import CapsuleType


class _Exporter(Protocol):
    """What gives its memory to other libraries."""

    def __dlpack__(self, *, stream: None = None) -> CapsuleType:
        """The memory."""


class _Torch(Protocol):
    """A tensor of torch."""

    def detach(self) -> _Torch:
        """The tensor, without what its gradient needs."""

    def view(self, kind: object) -> _Torch:
        """Its bytes as elements of another type."""


UNITS = {"torch.bfloat16": "bfloat16", "torch.float8_e4m3fn": "float8_e4m3fn", "torch.float8_e5m2": "float8_e5m2",
         "torch.float8_e4m3fnuz": "float8_e4m3fnuz", "torch.float8_e5m2fnuz": "float8_e5m2fnuz"}  # fmt: skip


@lru_cache(1024)
def known(text: str, leaves: tuple[int, ...]) -> tuple[Attribute, Value]:
    """A type, and the value of it with these integers."""
    kind = from_text(text)
    assert isinstance(kind, FlyType)
    return kind, filled(kind.value, leaves)


@lru_cache(256)
def element_name(kind: np.dtype[np.generic]) -> str:
    """The name of elements in MLIR, integers without a sign."""
    return str(ir_type(dtype(kind)))


def flat(array: Array) -> Array:
    """All memory that the array reaches, as elements one after the other."""
    if any(step < 0 for step in array.strides):
        raise UsageError("an argument has no negative strides; pass a copy")
    if array.flags.c_contiguous:
        found = array.reshape(-1)
    else:
        reach = 1 + sum((n - 1) * (step // array.itemsize) for n, step in zip(array.shape, array.strides, strict=True))
        found = np.lib.stride_tricks.as_strided(array, (reach if array.size else 0,), (array.itemsize,), subok=True)
    signless = _signless(array.dtype)
    return found if signless is None else found.view(signless)


@lru_cache(256)
def _signless(kind: np.dtype[np.generic]) -> np.dtype[np.generic] | None:
    """As what unsigned integers are seen, which have no sign in the dialect."""
    return np.dtype(f"i{kind.itemsize}") if dtype(kind).kind == "uint" else None


def as_array(value: object) -> Array | None:
    """An array, or a tensor of another library, in this machine's memory or a device's; None for anything else.

    Raises:
        UsageError: one of another library that cannot be seen as elements.
    """
    if isinstance(value, np.ndarray):
        return value if type(value) in (np.ndarray, DeviceArray) else value.view(np.ndarray)
    if not hasattr(value, "__dlpack__") and not hasattr(value, INTERFACE):
        return None
    name = UNITS.get(str(getattr(value, "dtype", "")))
    try:
        if name is not None:
            import sys

            bits = dtype(name).bits
            torch = sys.modules["torch"]
            words = cast("_Torch", value).detach().view(getattr(torch, f"int{bits}"))
            return _elements(words).view(dtype(name).numpy())
        return _elements(value)
    except (TypeError, BufferError, RuntimeError) as error:
        given = type(value).__name__
        raise UsageError(f"an argument is an array in this machine's memory, got {given}: {error}") from None


def _elements(value: object) -> Array:
    return on_device(value) if device_of(value) else cast(Array, np.from_dlpack(cast("_Exporter", value)))
