"""What launches a function of fx without this package: its CUDA text, cubin and C header."""

from __future__ import annotations

from tilewright.passes.fly_flat.plain import plain_host
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.on_cuda import CudaText
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.cuda.function_header import function_header


def header(module: FlyModule, arch: str, file: str, version: str) -> str:
    """The header of a module's function, for the cubin of its kernels in `file`.

    Raises:
        CompileError: CUDA has no words for a kernel, or C for the function.
    """
    texts = CudaText.of(FlatKernels(module)).texts
    return function_header(plain_host(module.at("final").module), texts, arch, file, version)
