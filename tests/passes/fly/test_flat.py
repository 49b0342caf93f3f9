"""Flat kernels are T's at stage `final`: simulator, loops of the host and text of CUDA take them, and agree."""

from __future__ import annotations

from collections.abc import Callable

import fx_examples as examples
import numpy as np
import pytest
from xdsl.dialects import gpu, scf

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import CompileError, OutOfBoundsError
from tilewright.ir.stages import STAGES
from tilewright.ir.text import print_module
from tilewright.passes.fly_flat.launching import kernel
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.host.compiler import found_compiler
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.options import SimOptions

THREADS = 32


def flat_of(function: flyc.Jit, *args: object) -> tuple[FlyModule, list[Known]]:
    """The module of a call at stage `flat`, and what its host function is given."""
    module, given = function._specialised(args, {})
    return module.at("flat"), given


def on_host(function: flyc.Jit, *args: object) -> None:
    """A call whose launches run as loops."""
    module, given = flat_of(function, *args)

    def launch(name: str, arguments: list[Known], launch: Launch, shared: int | None) -> None:
        arrays = [x.array[x.distance :] if isinstance(x, Memory) else x for x in arguments]
        sizes = [x.size if isinstance(x, np.ndarray) else None for x in arrays]
        made = kernel(module.kernels[name], launch.block, launch.grid, sizes, shared)
        STAGES["final"].check(made)
        HostExecutor.of(made, Target("host"))(arrays, SimOptions())

    module.host(given, launch)


@flyc.kernel
def rotated_kernel(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    """Vectors, shared memory, shuffles, loops that carry, casts, and a buffer that is read outside."""
    tid = fx.thread_idx.x
    held = fx.SharedAllocator().allocate(fx.Array[fx.Float32, THREADS, 128]).peek().ptr
    whole = fx.rocdl.make_buffer_tensor(A)
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), fx.Float32)
    register = fx.make_rmem_tensor(1, fx.Float32)
    fx.copy(atom, fx.slice(fx.logical_divide(whole, fx.make_layout(1, 1)), (None, tid + 8)), register)
    held[tid] = register.load()[0]
    fx.barrier()
    total = fx.Float32(0.0)
    for i in range(n):
        total = total + held[(tid + i) % THREADS]
    B[tid] = total + fx.shuffle_xor(held[tid], 1, 32)


@flyc.jit
def rotated(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    rotated_kernel(A, B, n).launch(grid=1, block=THREADS)
