"""`simulate`: runs any stage of a kernel on numpy arrays, and finds whatever the machine leaves undefined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tilewright.arch import get as get_arch
from tilewright.arch.spec import ArchSpec
from tilewright.ir.tile.printing import PRINTING
from tilewright.ir.tile.shared import SharedMemory
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.arguments import Array, bind
from tilewright.targets.launch import Launch, kernel_of, parameters_of
from tilewright.targets.simulator.agents.flatten import can_wait, flatten
from tilewright.targets.simulator.agents.flow import Instruction
from tilewright.targets.simulator.agents.scheduler import execute
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.domains.uniform import run_uniform
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.ops.atomic import ATOMIC_HANDLERS
from tilewright.targets.simulator.ops.control import CONTROL_HANDLERS
from tilewright.targets.simulator.ops.printing import PRINT_HANDLERS
from tilewright.targets.simulator.ops.scalar import SCALAR_HANDLERS
from tilewright.targets.simulator.ops.tile import TILE_HANDLERS
from tilewright.targets.simulator.ops.warp import WARP_HANDLERS
from tilewright.targets.simulator.options import SimOptions, Switches
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.program import compile_kernel
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.sites import Site

HANDLERS = {
    **SCALAR_HANDLERS,
    **CONTROL_HANDLERS,
    **TILE_HANDLERS,
    **WARP_HANDLERS,
    **ATOMIC_HANDLERS,
    **PRINT_HANDLERS,
}
LOCKSTEP_LANES = 16384


def simulate(
    module: ModuleOp,
    arrays: Sequence[Any],
    *,
    arch: str | ArchSpec = "sm_90",
    limits: Limits | None = None,
    proofs: bool = True,
    **switches: Unpack[Switches],
) -> SimulationReport:
    """Runs the kernel in place on the arrays, one for each parameter, each as raw memory.

    All lanes of a block go in lockstep. An access outside its buffer, a read of what nothing has written, a race,
    and a barrier that some of its threads miss are errors, wherever in the launch they are.
    Where one block can be proved to stand for all, only one is checked (`proofs=False` checks each).

    Args:
        module: any stage of a kernel.
        arrays: numpy arrays or CPU tensors; in-place use gives one array twice.
        arch: by whose bank rule wavefronts are counted.
        limits: bounds on threads, steps and memory.
        switches: the fields of `SimOptions`, such as `check="strict"`.

    Raises:
        SimulationError: the kernel does something undefined; names the op, the thread and the element.
        UsageError: arrays that do not fit the parameters, or no such switch.
        CompileError: an op that the simulator does not know.
    """
    return Simulator(module).run(arrays, arch=arch, limits=limits, proofs=proofs, **switches)


class Simulator:
    """A kernel compiled for simulation, once; `run` as `simulate`."""

    def __init__(self, module: ModuleOp) -> None:
        self.func = kernel_of(module)
        self.launch = Launch.of(self.func)
        parameters_of(self.func)
        SharedMemory.of(self.func)  # refuses a pool whose buffers overlap: here each is a memory of its own
        self.prints = any(isinstance(op, PRINTING) for op in self.func.walk())
        self.code: tuple[Instruction, ...] = ()
        if can_wait(self.func):
            self.program, self.code = flatten(self.func, HANDLERS)
        else:
            self.program = compile_kernel(self.func, HANDLERS)

    def run(
        self,
        arrays: Sequence[Any],
        *,
        arch: str | ArchSpec = "sm_90",
        limits: Limits | None = None,
        proofs: bool = True,
        options: SimOptions | None = None,
        **switches: Unpack[Switches],
    ) -> SimulationReport:
        """As `simulate`; the switches change what `options` say."""
        options = (options or SimOptions()).switched(**switches)
        limits = limits or Limits()
        agreed: dict[Site, str] | None = None if options.check == "strict" else {}
        storage, spec = bind(self.func, arrays), get_arch(arch)
        limits.check(self.launch, spec.lanes)
        with np.errstate(all="ignore"):
            provable = proofs and not self.code and not self.prints
            counts = run_uniform(self.program, self.launch, storage, Tally(spec), limits) if provable else None
            proved = counts is not None
            if counts is None:
                counts = self._lockstep(storage, Tally(spec), limits, agreed)
        sites = (site for site in self.program.sites if site.counted and site.space != LOCAL)
        return SimulationReport(
            self.func.sym_name.data, self.launch, counts.reports(sites), proved, tuple((agreed or {}).values())
        )

    def _lockstep(self, storage: list[Array], counts: Tally, limits: Limits, agreed: dict[Site, str] | None) -> Tally:
        fuel, shadows = Fuel(limits), self._shadows(storage, counts.spec.lanes)
        chunk = max(1, LOCKSTEP_LANES // self.launch.threads)
        for start in range(0, self.launch.blocks, chunk):
            blocks = np.arange(start, min(start + chunk, self.launch.blocks), dtype=np.int64)
            machine = Machine(self.launch, blocks, counts, fuel, agreed)
            memories = [
                Memory(data, len(data), shadows.get(id(data)), agreed=agreed) if data.ndim else data[()]
                for data in storage
            ]
            lanes = machine.lanes()
            frame = self.program.frame(lanes, memories)
            if self.code:
                execute(self.code, lanes, frame.values)
            else:
                self.program.run(frame)
        return counts

    def _shadows(self, storage: list[Array], lanes: int) -> dict[int, Shadow]:
        """A race detector for each global array that the kernel writes."""
        arguments: dict[SSAValue, Array] = dict(zip(self.func.body.block.args, storage, strict=True))
        used: dict[int, set[str]] = {}
        for site in self.program.sites:
            if site.root in arguments:
                used.setdefault(id(arguments[site.root]), set()).add(site.kind)
        sizes = {id(data): data.size for data in storage}
        width = self.launch.warps(lanes) * lanes
        written = {key: "load" in kinds for key, kinds in used.items() if kinds & {"store", "atomic"}}
        return {key: Shadow(sizes[key], width, reads=reads) for key, reads in written.items()}
