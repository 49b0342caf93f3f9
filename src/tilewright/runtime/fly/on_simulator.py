"""Launches on the simulator: a kernel as it stands at a stage of `fly`, made for the arguments of a launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.memories import pointer_of
from tilewright.ir.stages import STAGES
from tilewright.passes.fly_flat.launching import kernel
from tilewright.runtime.fly.known import Known, Memory, numbers_of
from tilewright.runtime.session import Session
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.fly.kernel import FLY_HANDLERS, Given, launched, parameter_leaves, unknown
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import Simulator


@dataclass
class SimulatorLaunches:
    """Carries out launches on the simulator; what a launch was compiled to is kept. `flat`: are the kernels flat?"""

    kernels: Mapping[str, gpu.FuncOp]
    target: Target
    flat: bool = False
    made: dict[tuple[object, ...], tuple[ModuleOp, Simulator]] = field(default_factory=dict)

    def launch(
        self, name: str, arguments: Sequence[Known], launch: Launch, shared: int | None, options: SimOptions
    ) -> None:
        """One launch; an enclosing `Session` looks on."""
        func = self.kernels[name]
        given, arrays = list[Given](), list[object]()
        for argument, kind in zip(arguments, (x.type for x in func.body.block.args), strict=True):
            one, array = _given(argument, kind)
            given.append(one)
            arrays += array
        module, simulator = self._compiled(func, given, launch, shared)
        session = Session.current() or Session()
        session.run(simulator, module, arrays, self.target, options)

    def _compiled(
        self, func: gpu.FuncOp, given: Sequence[Given], launch: Launch, shared: int | None
    ) -> tuple[ModuleOp, Simulator]:
        key = (func.sym_name.data, tuple(given), launch, shared)
        if key not in self.made:
            made = self._for_launch(func, given, launch, shared)
            refused = unknown(op for x in made.ops if isinstance(x, FuncOp) for op in x.body.walk())
            if refused:
                raise CompileError(f"the simulator has no meaning for {refused[0].name}\n{where(refused[0])}")
            self.made[key] = made, Simulator(made, FLY_HANDLERS)
        return self.made[key]

    def _for_launch(self, func: gpu.FuncOp, given: Sequence[Given], launch: Launch, shared: int | None) -> ModuleOp:
        if not self.flat:
            return launched(func, given, launch.grid, launch.block, shared)
        made = kernel(func, launch.block, launch.grid, [one.size for one in given], shared)
        STAGES["final"].check(made)
        return made


def _given(argument: Known, kind: Attribute) -> tuple[Given, list[object]]:
    """What the simulator is told of a parameter, and the array or number that it is given."""
    if isinstance(argument, Memory):
        array = argument.array[argument.distance :]
        return Given(array.size, numbers_of(argument, kind)), [array]
    if pointer_of(kind) is not None or not isinstance(kind, FlyType):
        return Given(), [argument]
    return Given(None, numbers_of(argument, kind) if parameter_leaves(kind) else ()), []
