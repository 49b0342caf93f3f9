"""The launches of a function of fx as kernels of `T`, as a script writes these."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.script.tirx import script
from tilewright.passes.fly.pipeline import FLAT
from tilewright.passes.fly_flat.launching import kernel
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.launch import Launch


def scripted(module: FlyModule, arguments: Sequence[Known]) -> list[str]:
    """Each launch of one call as a `T.prim_func`, in their order; of those alike one.

    Its parameters are flat memory of so many elements, and the numbers that the kernel is given, by value.

    Raises:
        CompileError: a kernel is not flat, or does what scripts have no words for.
    """
    flat, found = module.at(FLAT), dict[str, None]()

    def launch(name: str, given: Sequence[Known], launch: Launch, shared: int | None, /) -> None:
        sizes = [x.array[x.distance :].size if isinstance(x, Memory) else None for x in given]
        found[script(kernel(flat.kernels[name], launch.block, launch.grid, sizes, shared))] = None

    flat.host(arguments, launch)
    return list(found)
