"""Arrays in the memory of a device: where they lie and how, while nothing here touches what they hold.

Source: CUDA Array Interface, version 3; DLPack, `DLDeviceType`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from tilewright.errors import UsageError, shown

HERE = 1  # kDLCPU
DEVICES: Mapping[int, str] = MappingProxyType(
    {2: "cuda", 3: "cuda_host", 4: "opencl", 7: "vulkan", 8: "metal", 10: "rocm", 11: "rocm_host", 13: "cuda_managed"}
)
INTERFACE = "__cuda_array_interface__"


class DeviceArray(np.ndarray[Any, np.dtype[Any]]):
    """Memory of a device: its address, shape, strides and type are known here. Views of it are such too."""

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **options: object) -> object:
        return NotImplemented

    def __repr__(self) -> str:
        return f"<{self.dtype} of shape {self.shape} at {self.ctypes.data:#x} of a device>"

    __str__ = __repr__


def device_of(value: object) -> str:
    """The device in whose memory an array of another library lies; empty for this machine's own.

    >>> device_of(np.zeros(3))
    ''
    """
    if hasattr(value, "__dlpack_device__"):
        kind, number = (int(part) for part in value.__dlpack_device__())
        return "" if kind == HERE else f"{DEVICES.get(kind, f'device {kind}')}:{number}"
    return "cuda" if hasattr(value, INTERFACE) else ""


def on_device(value: object) -> DeviceArray:
    """An array with `__cuda_array_interface__`.

    Raises:
        UsageError: it has none, or one that says no plain memory.
    """
    try:
        said = getattr(value, INTERFACE)
        shape, kind = tuple(map(int, said["shape"])), np.dtype(said["typestr"])
        strides = said.get("strides")
        if said.get("mask") is not None:
            raise UsageError(f"{type(value).__name__} is a masked array; pass its data")
        found = _at(int(said["data"][0]), shape, kind, None if strides is None else tuple(map(int, strides)))
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        given = f"{type(value).__name__} in the memory of {device_of(value) or 'a device'}"
        raise UsageError(
            f"{given} tells no {INTERFACE} ({shown(str(error))}); pass a copy in this machine's memory"
        ) from None
    return found


def _at(address: int, shape: tuple[int, ...], kind: np.dtype[Any], strides: tuple[int, ...] | None) -> DeviceArray:
    if strides is not None and len(strides) != len(shape):
        raise ValueError("strides")
    steps = strides or tuple(kind.itemsize * prod(shape[i + 1 :]) for i in range(len(shape)))
    reach = kind.itemsize + sum((n - 1) * max(step, 0) for n, step in zip(shape, steps, strict=True))
    memory = (ctypes.c_char * (reach if all(shape) else 0)).from_address(address)
    found = np.ndarray(shape, kind, memoryview(memory), 0, steps) if all(shape) else np.empty(shape, kind)
    return found.view(DeviceArray)


def require_here(arrays: object, what: str) -> None:
    """Raises `UsageError` for an array in a device's memory; `what` would touch what it holds."""
    if isinstance(arrays, DeviceArray):
        raise UsageError(
            f"an argument lies in the memory of a device, and {what} works on this machine's; run it within "
            "`with Target('cuda'):`, or pass a copy (x.cpu() of torch, cupy.asnumpy(x))"
        )
