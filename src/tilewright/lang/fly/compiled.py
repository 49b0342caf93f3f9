"""`CompiledFunction`: a function that launches kernels, compiled for arguments of certain types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from tilewright.arch.target import Target
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError, UsageError, shown
from tilewright.ir.text import print_module
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.fly.arguments import Runtime
from tilewright.passes.fly.pipeline import STAGES
from tilewright.runtime.fly.known import Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.runtime.report import KernelReport
from tilewright.runtime.session import Session
from tilewright.targets.cache import found, keep
from tilewright.targets.simulator.options import SimOptions

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


class Given(NamedTuple):
    """Arguments: what a trace depends on of them, the same for a person, and what the module is given."""

    key: tuple[object, ...]
    types: str
    values: Sequence[Runtime]


@dataclass(frozen=True, eq=False)
class CompiledFunction:
    """A jit function compiled for arguments of the types of its specs. Call it with such arguments.

    `stages` names what `ir` and `simulate` take. What a stage says is kept on disk where `content` says what it comes
    from: of a function that has been compiled before, nothing is traced until it runs.

    Attributes:
        name: the function's. target: the simulator of an architecture. options: how it runs.
        given: the specs. content: the digest of all that the texts depend on, or None. trace: traces it.
        bound: takes the arguments of a call.
    """

    name: str
    target: Target
    options: SimOptions
    given: Given
    content: str | None
    trace: Callable[[], FlyModule] = field(repr=False)
    bound: Callable[..., Given] = field(repr=False)

    stages = STAGES

    def __call__(self, *args: object, **named: object) -> None:
        """Runs it, with arrays changed in place.

        Raises:
            UsageError: arguments of other types than it was compiled for. SimulationError: a kernel does something
                undefined.
        """
        self._run(self.bound(*args, **named), STAGES[0])

    def simulate(self, *args: object, stage: str = "final", **named: object) -> tuple[KernelReport, ...]:
        """Runs a stage, with arrays changed in place, and reports each launch; every stage does the same.

        Raises:
            UsageError: no such stage, or as a call.
        """
        with Session() as session:
            self._run(self.bound(*args, **named), stage)
        return tuple(one.report for one in session.launches)

    def ir(self, stage: str = "final") -> str:
        """A stage as MLIR text.

        Raises:
            UsageError: no such stage. CompileError: a pass refuses.
        """
        parts = (self.content or "", stage)
        known = found(parts) if self.content else None
        if known is not None:
            return known.decode()
        made = print_module(self._module.at(stage).module)
        if self.content:
            keep(parts, made.encode())
        return made

    def script(self, stage: str = "final") -> str:
        """Refuses: scripts are those of T's kernels; `ir` gives the text of a stage."""
        raise CompileError(f"{self.name} is a function of fx, whose stages are MLIR text: ir({stage!r})")

    @property
    def source(self) -> str:
        """Refuses: functions of fx run on the simulator; CUDA text is written of T's kernels."""
        raise CompileError(
            f"{self.name} is a function of fx, which runs on {self.target}; CUDA text is written of kernels of "
            "T.prim_func only"
        )

    @property
    def cubin(self) -> bytes:
        """Refuses, as `source` does."""
        return self.source.encode()

    @cached_property
    def reports(self) -> tuple[KernelReport, ...]:
        """What each launch costs, in order, counted by running it once on zeros; numbers are those of the specs."""
        with Session() as session:
            self._run(Given(self.given.key, "", [_zeros(value) for value in self.given.values]), STAGES[0])
        return tuple(one.report for one in session.launches)

    @property
    def report(self) -> KernelReport:
        """What its launch costs.

        Raises:
            UsageError: it launches nothing, or more than one kernel.
        """
        if len(self.reports) != 1:
            raise UsageError(f"{self.name} launches {len(self.reports)} kernels; reports[i] tells of each")
        return self.reports[0]

    @cached_property
    def _module(self) -> FlyModule:
        return self.trace()

    def _run(self, given: Given, stage: str) -> None:
        if given.key != self.given.key:
            raise UsageError(
                f"{self.name} is compiled for ({self.given.types}), got ({given.types}); compile it for these "
                "arguments too"
            )
        self._module.at(stage).run(given.values, self.options)


def _zeros(value: Runtime) -> Runtime:
    return Memory(np.zeros_like(value.array), value.value) if isinstance(value, Memory) else value


def of_spec(spec: object) -> object:
    """The argument that a spec stands for: `(shape, dtype)` an array, a class of numbers its 0, others themselves."""
    match spec:
        case type() if issubclass(spec, Numeric):
            return spec(0)
        case ((*shape,), str() | DType() | np.dtype() | type() as kind) if all(type(x) is int for x in shape):
            return _array(shape, kind)
    return spec


def _array(shape: Sequence[object], kind: DTypeLike) -> object:
    element = dtype(kind).numpy()
    try:
        return np.empty(cast("Sequence[int]", shape), element)  # of which nothing is touched
    except (ValueError, MemoryError):
        raise UsageError(f"a spec of shape {shown(shape)} is an array of {element} that cannot be") from None
