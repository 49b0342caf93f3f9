"""The kernels of a function of `fx` as flat ones, each for the launches that it is made for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from xdsl.dialects import gpu
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Attribute, Block, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.fly.ops import FlyOp
from tilewright.passes.fly.pipeline import FLAT
from tilewright.passes.fly_flat.launching import kernel
from tilewright.runtime.fly.host_function import kernel_name
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.arguments import Array
from tilewright.targets.launch import Extents


@dataclass
class FlatKernels:
    """The kernels of a module, at stage `flat`.

    Args:
        module: the function's, at any stage.
    """

    module: FlyModule
    made: dict[tuple[str, Extents | None, int | None], ModuleOp] = field(default_factory=dict)

    @cached_property
    def flat(self) -> FlyModule:
        """The module at that stage.

        Raises:
            CompileError: a kernel says what only the simulator knows.
        """
        return self.module.at(FLAT)

    def kernel(self, name: str, block: Extents | None = None, shared: int | None = None) -> ModuleOp:
        """One of them, as kernels are at stage `final`, for such blocks with so many bytes of shared memory."""
        key = name, block, shared
        if key not in self.made:
            self.made[key] = kernel(self.flat.kernels[name], block, shared=shared)
        return self.made[key]

    def all(self) -> list[ModuleOp]:
        """All of them, in their order, for whatever launch."""
        return [self.kernel(name) for name in self.flat.kernels]

    def given(self, name: str, arguments: Sequence[Known]) -> list[Array]:
        """What a launch gives each parameter: memory from where its pointer points; of a number an array of rank 0."""
        return [_given(value, element) for value, element in zip(arguments, self._elements[name], strict=True)]

    @cached_property
    def _elements(self) -> dict[str, list[np.dtype[np.generic]]]:
        """Of each parameter of each kernel the type of its numbers."""
        return {name: [_element(x.type) for x in func.body.block.args] for name, func in self.flat.kernels.items()}

    @cached_property
    def apart(self) -> frozenset[str]:
        """The kernels whose memory is of different arguments of the function, each given once."""
        host = self.flat.host.function
        found = [op for op in host.walk() if isinstance(op, gpu.LaunchFuncOp)]
        mixed = {kernel_name(op) for op in found if not _lie_apart(op, host.body.block)}
        return frozenset(map(kernel_name, found)) - mixed


def _given(value: Known, element: np.dtype[np.generic]) -> Array:
    return value.array[value.distance :] if isinstance(value, Memory) else np.array(value, element)


def _element(kind: Attribute) -> np.dtype[np.generic]:
    return element_dtype(kind.element_type if isinstance(kind, MemRefType) else kind).numpy()


def _lie_apart(op: gpu.LaunchFuncOp, function: Block) -> bool:
    roots = [_root(x) for x in op.kernelOperands if isinstance(x.type, MemRefType)]
    return all(root.owner is function for root in roots) and len(set(roots)) == len(roots)


def _root(value: SSAValue) -> SSAValue:
    """What a pointer was made of: an argument of the function, but where it went through branches or loops."""
    while isinstance(value.owner, FlyOp | UnrealizedConversionCastOp) and value.owner.operands:
        value = value.owner.operands[0]
    return value
