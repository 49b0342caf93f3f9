"""Kernels on a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.runtime.machine import require_machine
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.options import SimOptions


@dataclass(frozen=True)
class CudaExecutor:
    """Runs on the GPU; arrays that coincide take the text without `__restrict__`."""

    module: ModuleOp
    target: Target
    made: dict[bool, tuple[CText, bytes]] = field(default_factory=dict)

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch. What it needs is imported here: the text alone needs neither numpy nor the driver.

        Raises:
            CompileError: the kernel takes tensor maps, which are not made here.
        """
        from tilewright.targets.arguments import bind, roles
        from tilewright.targets.cuda.driver import driver
        from tilewright.targets.cuda.nvrtc import compile_cubin

        func = kernel_of(self.module)
        if any(parameter.map for parameter in parameters_of(func, maps=True)):
            raise CompileError("kernels with tensor maps are compiled, not launched; target='simulator' runs them")
        bound = bind(func, arrays)
        gpu, apart = driver(), len(set(roles(bound))) == len(bound)
        if apart not in self.made:
            require_machine(self.module, self.target)
            text = emit(self.module, restrict=apart)
            self.made[apart] = text, compile_cubin(text.source, self.target.arch.name)
        text, cubin = self.made[apart]
        gpu.launch(cubin, text.name, text.launch, bound, text.pool_bytes)

    @property
    def way(self) -> str:
        """There is one."""
        return ""
