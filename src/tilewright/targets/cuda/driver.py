"""The CUDA driver through ctypes: arrays to the GPU, a launch, arrays back.

Untested on a GPU so far: the calls are checked against NVIDIA's own `cuda.h` with a stand-in for the driver.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from tilewright.errors import CompileError, UsageError
from tilewright.targets.arguments import Array
from tilewright.targets.launch import Launch

# The value of a parameter: an address on the device, or the bytes of a number.
Value: TypeAlias = "ctypes.c_uint64 | ctypes.Array[Any]"

LIBRARY = "libcuda.so.1"
# After these the context is unusable: a kernel went wrong.
_STICKY = frozenset({700, 702, 710, 714, 715, 716, 717, 718, 719, 720})
_NO_DEVICE, _NO_BINARY = 100, 209
_CAPABILITY_MAJOR, _CAPABILITY_MINOR = 75, 76
_ELSEWHERE = "use the targets 'simulator' or 'host'"
_MAX_POOL = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def why_no_gpu() -> str | None:
    """Why no kernel can be launched here, in a sentence; None where one can."""
    try:
        driver()
    except UsageError as error:
        return str(error)
    return None


@lru_cache(maxsize=1)
def driver() -> Driver:
    """The driver with a context on device 0.

    Raises:
        UsageError: no driver, or no device.
    """
    return Driver.open(LIBRARY)


@dataclass
class Driver:
    """The driver's functions with checked results, on the primary context of one device.

    `launch` takes arrays and brings them back; `copies`, `start` and `fetch` are its parts, for arrays that stay there.
    """

    library: ctypes.CDLL
    device: ctypes.c_int
    context: ctypes.c_void_p
    modules: dict[tuple[bytes, str], tuple[ctypes.c_void_p, ctypes.c_void_p]] = field(default_factory=dict)
    dead: str = ""

    @staticmethod
    def open(path: str) -> Driver:
        """The driver in this library, on its first device.

        Raises:
            UsageError: no driver, or no device.
        """
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise UsageError(f"no CUDA driver: {error}; {_ELSEWHERE}") from None
        made, count = Driver(library, ctypes.c_int(), ctypes.c_void_p()), ctypes.c_int()
        code = library.cuInit(0)
        if code not in (0, _NO_DEVICE):
            raise UsageError(f"the CUDA driver does not start: {made._message(code)}; {_ELSEWHERE}")
        if code or library.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
            raise UsageError(f"the CUDA driver finds no GPU; {_ELSEWHERE}")
        made.call("cuDeviceGet", ctypes.byref(made.device), 0)
        made.call("cuDevicePrimaryCtxRetain", ctypes.byref(made.context), made.device)
        return made

    @property
    def capability(self) -> tuple[int, int]:
        """The device's compute capability."""
        found = []
        for attribute in (_CAPABILITY_MAJOR, _CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, self.device)
            found.append(value.value)
        return found[0], found[1]

    def launch(self, cubin: bytes, name: str, launch: Launch, arrays: Sequence[Array], pool_bytes: int = 0) -> None:
        """Runs a kernel of the cubin on the arrays, in place; an array given twice has one copy on the device.

        `pool_bytes` is the shared memory that a block gets besides the kernel's own arrays.

        Raises:
            CompileError: the driver refuses the cubin, or the kernel fails.
        """
        memories = list({id(array): array for array in arrays if array.ndim}.values())
        with self.copies(memories) as addresses:
            where = dict(zip(map(id, memories), addresses, strict=True))
            values = [where[id(array)] if array.ndim else _number(array) for array in arrays]
            self.start(cubin, name, launch, values, pool_bytes)
            self.call("cuCtxSynchronize")
            for array, address in zip(memories, addresses, strict=True):
                self.fetch(array, address)

    def start(self, cubin: bytes, name: str, launch: Launch, values: Sequence[Value], pool_bytes: int = 0) -> None:
        """Starts a kernel on values of its parameters, device addresses or numbers, and does not wait for its end.

        Raises:
            CompileError: the driver refuses the cubin or the launch.
        """
        self.call("cuCtxSetCurrent", self.context)
        function = self._function(cubin, name)
        if pool_bytes:
            self.call("cuFuncSetAttribute", function, _MAX_POOL, pool_bytes)
        # A parameter is given by where its value lies.
        pointers = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
        sizes = (ctypes.c_uint(extent) for extent in (*launch.grid, *launch.block, pool_bytes))
        self.call("cuLaunchKernel", function, *sizes, None, pointers, None)

    def fetch(self, array: Array, address: ctypes.c_uint64) -> None:
        """Fills the array from the device, after all that was started before.

        Raises:
            CompileError: the copy fails, or a kernel before it.
        """
        self.call("cuMemcpyDtoH_v2", _pointer(array), address, _bytes(array))

    @contextmanager
    def copies(self, arrays: Sequence[Array]) -> Iterator[list[ctypes.c_uint64]]:
        """Device addresses of copies of the arrays; freed at the end."""
        self.call("cuCtxSetCurrent", self.context)
        addresses: list[ctypes.c_uint64] = []
        try:
            for array in arrays:
                address = ctypes.c_uint64()
                self.call("cuMemAlloc_v2", ctypes.byref(address), _bytes(array))
                addresses.append(address)
                self.call("cuMemcpyHtoD_v2", address, _pointer(array), _bytes(array))
            yield addresses
        finally:
            for address in addresses:
                self.library.cuMemFree_v2(address)

    def _function(self, cubin: bytes, name: str) -> ctypes.c_void_p:
        if (cubin, name) not in self.modules:
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            self.call("cuModuleLoadData", ctypes.byref(module), cubin)
            self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
            self.modules[cubin, name] = module, function
        return self.modules[cubin, name][1]

    def call(self, name: str, *arguments: object) -> None:
        """A function of the driver.

        Raises:
            CompileError: it fails, or an earlier failure has made the context unusable.
        """
        if self.dead:
            raise CompileError(f"the GPU cannot be used any more in this process: {self.dead}")
        code = getattr(self.library, name)(*arguments)
        if code:
            message = f"{name} failed: {self._message(code)}"
            if code in _STICKY:
                self.dead = message
            raise CompileError(message)

    def _message(self, code: int) -> str:
        parts = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            getattr(self.library, function)(ctypes.c_int(code), ctypes.byref(text))
            parts.append((text.value or b"?").decode())
        device = f"; the device is sm_{''.join(map(str, self.capability))}" if code == _NO_BINARY else ""
        return f"{': '.join(parts)} ({code}){device}"


def _number(array: Array) -> Value:
    return (ctypes.c_char * array.nbytes).from_buffer_copy(array.tobytes())


def _pointer(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _bytes(array: Array) -> ctypes.c_size_t:
    return ctypes.c_size_t(array.nbytes)
