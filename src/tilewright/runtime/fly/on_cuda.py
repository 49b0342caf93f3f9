"""Launches on a GPU: the CUDA text of all kernels of a function, its cubin, and the arrays on the device meanwhile."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.arguments import Array
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import CUDA
from tilewright.targets.c_emitter.writer import CText, together
from tilewright.targets.device_arrays import DeviceArray
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.options import SimOptions

if TYPE_CHECKING:
    from tilewright.targets.cuda.driver import Value


@dataclass(frozen=True)
class CudaText:
    """The texts of the kernels by name, in their order; `source` is the file that they make."""

    texts: dict[str, CText]

    @staticmethod
    def of(kernels: FlatKernels, restrict: bool = True) -> CudaText:
        """The text of a function's kernels; with `restrict` it is for arguments that do not overlap.

        Raises:
            CompileError: CUDA has no words for a kernel.
        """
        texts: dict[str, CText] = {}
        for name in kernels.flat.kernels:
            taken = tuple(word for text in texts.values() for word in text.taken)
            apart = restrict and name in kernels.apart
            texts[name] = emit(kernels.kernel(name), CUDA, apart, suffix="", taken=taken)
        return CudaText(texts)

    @property
    def source(self) -> str:
        """The CUDA text."""
        return together(list(self.texts.values())) if self.texts else ""


def require_cuda(name: str, target: Target) -> None:
    """Raises `CompileError` for a target of another vendor's architecture, for which a function was traced."""
    if target.arch.vendor != Target("cuda").arch.vendor:
        raise CompileError(
            f"{name} was traced for {target}, whose waves have {target.arch.lanes} lanes; "
            "for CUDA text compile it with target='cuda:sm_90a'"
        )


@dataclass(frozen=True)
class CudaProgram:
    """A function whose launches run on the GPU; arguments that overlap take the text without `__restrict__`."""

    kernels: FlatKernels
    target: Target
    made: dict[bool, CudaText] = field(default_factory=dict)

    @staticmethod
    def of(module: FlyModule, target: Target) -> CudaProgram:
        """The program of a module."""
        return CudaProgram(FlatKernels(module), target)

    def text(self, restrict: bool = True) -> CudaText:
        """The text, written once."""
        if restrict not in self.made:
            self.made[restrict] = CudaText.of(self.kernels, restrict)
        return self.made[restrict]

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        """One call, with arrays changed in place: they are copied to the device before, and back behind.

        Those of the device's own memory stay there.

        Raises:
            CompileError: CUDA has no words for a kernel, NVRTC or the driver refuses, or a kernel fails.
            UsageError: there is no GPU.
        """
        from tilewright.targets.cuda.driver import driver
        from tilewright.targets.cuda.nvrtc import compile_cubin

        gpu, regions = driver(), Regions.of([x.array for x in arguments if isinstance(x, Memory)])
        text = self.text(regions.apart)
        cubin = compile_cubin(text.source, self.target.arch.name) if text.texts else b""

        def launch(name: str, given: Sequence[Known], launch: Launch, shared: int | None, /) -> None:
            values = [regions.value(array, addresses) for array in self.kernels.given(name, given)]
            gpu.start(cubin, name, launch.checked(), values, shared or 0)

        with gpu.copies(regions.memory) as addresses:
            self.kernels.flat.host(arguments, launch)
            gpu.call("cuCtxSynchronize")
            for array, address in zip(regions.memory, addresses, strict=True):
                gpu.fetch(array, address)


@dataclass(frozen=True)
class Regions:
    """The memory of arrays of this machine: of those that overlap one piece of bytes; are all arrays apart?"""

    memory: tuple[Array, ...]
    apart: bool

    @staticmethod
    def of(arrays: Sequence[Array]) -> Regions:
        """The pieces of these arrays.

        >>> a = np.zeros(8, np.int32)
        >>> found = Regions.of([a[4:], a[:6], np.zeros(3, np.int8)])
        >>> sorted(piece.nbytes for piece in found.memory), found.apart
        ([3, 32], False)
        """
        filled = [array for array in arrays if array.nbytes]
        here = _pieces([array for array in filled if not isinstance(array, DeviceArray)])
        there = _pieces([array for array in filled if isinstance(array, DeviceArray)])
        return Regions(tuple(_bytes(*piece) for piece in here), len(here) + len(there) == len(filled))

    @cached_property
    def starts(self) -> list[int]:
        """Where they begin on the host."""
        return [array.ctypes.data for array in self.memory]

    def value(self, array: Array, addresses: Sequence[ctypes.c_uint64]) -> Value:
        """What the driver is given for a number, or an array in them: they lie at these addresses of the device.

        An array of the device's own memory is given as it is.
        """
        if not array.ndim:
            return (ctypes.c_char * array.nbytes).from_buffer_copy(array.tobytes())
        here = array.ctypes.data
        if isinstance(array, DeviceArray):
            return ctypes.c_uint64(here)
        found = [i for i, start in enumerate(self.starts) if start <= here < start + self.memory[i].nbytes]
        return ctypes.c_uint64(addresses[found[0]].value + here - self.starts[found[0]] if found else 0)


def _pieces(arrays: Sequence[Array]) -> list[tuple[int, int]]:
    """Where arrays begin and end, those that overlap as one."""
    pieces: list[tuple[int, int]] = []
    for start, stop in sorted((array.ctypes.data, array.ctypes.data + array.nbytes) for array in arrays):
        if pieces and start < pieces[-1][1]:
            pieces[-1] = pieces[-1][0], max(pieces[-1][1], stop)
        else:
            pieces.append((start, stop))
    return pieces


def _bytes(start: int, stop: int) -> Array:
    """The bytes that lie there, which their array keeps."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * (stop - start)).from_address(start))
