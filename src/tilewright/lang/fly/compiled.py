"""`CompiledFunction`: a function that launches kernels, compiled for arguments of certain types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

import numpy as np
from xdsl.ir import Attribute

from tilewright.arch.target import Target
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError, UsageError, shown
from tilewright.ir.text import print_module
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.fly.arguments import Runtime
from tilewright.passes.fly.pipeline import FLAT, STAGES
from tilewright.runtime.fly.ahead import header
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.known import Memory
from tilewright.runtime.fly.on_cuda import CudaText, require_cuda
from tilewright.runtime.fly.programs import PROGRAMS, Program
from tilewright.runtime.kernel import Cubin
from tilewright.runtime.on_fly import FlyModule
from tilewright.runtime.report import KernelReport
from tilewright.runtime.session import Session
from tilewright.targets.cache import kept_as
from tilewright.targets.simulator.options import SimOptions

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


class Given(NamedTuple):
    """Arguments: what a trace depends on of them, their types or, where these are known, values, and what runs."""

    key: tuple[object, ...]
    kinds: tuple[object, ...]
    values: Sequence[Runtime]

    @property
    def types(self) -> str:
        """The kinds, for a person."""
        return ", ".join(str(x) if isinstance(x, Attribute) else shown(x) for x in self.kinds)


@dataclass(frozen=True, eq=False)
class CompiledFunction:
    """A jit function compiled for arguments of the types of its specs. Call it with such arguments.

    `stages` names what `ir` and `simulate` take. What a stage says is kept on disk where `content` says what it comes
    from: of a function that has been compiled before, nothing is traced until it runs.

    Attributes:
        name: the function's. target: what its launches run on. options: how the simulator, or the host, runs them.
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
        self._program.run(self._checked(self.bound(*args, **named)), self.options)

    def simulate(self, *args: object, stage: str = "final", **named: object) -> tuple[KernelReport, ...]:
        """Runs a stage on the simulator, with arrays changed in place, and reports each launch; each does the same.

        Raises:
            UsageError: no such stage, or as a call.
        """
        return self._simulated(self._checked(self.bound(*args, **named)), stage)

    def ir(self, stage: str = "final") -> str:
        """A stage as MLIR text.

        Raises:
            UsageError: no such stage. CompileError: a pass refuses.
        """
        return self._kept(stage, lambda: print_module(self._module.at(stage).module))

    def script(self, stage: str = FLAT) -> str:
        """Each launch of a call with arguments like the specs as a kernel of `T` at its stage `final`, in their order.

        `tilewright.script.tirx.from_source(text, "final")` reads one of them back. Parameters are flat memory of the
        specs' sizes, and the numbers that the kernel is given, such as its arrays' extents and strides; blocks and
        threads are as many as the specs' numbers make them.

        Raises:
            CompileError: another stage than `flat`, whose text is `ir`; or a kernel does what `T` has no words for.
        """
        if stage != FLAT:
            raise CompileError(
                f"{self.name} is a function of fx: scripts are of stage {FLAT!r}, ir({stage!r}) is MLIR text"
            )
        from tilewright.lang.fly.scripts import script_of

        return script_of(self.name, self._module, self.given.values)

    @cached_property
    def source(self) -> str:
        """The CUDA text of all its kernels, in the order of their launches; their names are the user's, with a number.

        Raises:
            CompileError: CUDA has no words for a kernel, or it was traced for another vendor's machine.
        """
        require_cuda(self.name, self.target)
        return self._kept("cuda", lambda: CudaText.of(FlatKernels(self._module)).source)

    @property
    def cubin(self) -> Cubin:
        """The cubin of `source` for the target's architecture; `cubin("sm_80")` that for another.

        Raises:
            CompileError: as `source`; NVRTC is missing, or refuses.
        """
        return Cubin.of(self.source, self.target.arch.name)

    def header(self, version: str) -> str:
        """A C header that loads `cubin` and launches as the function does; `version` is this package's, for the reader.

        Raises:
            CompileError: as `source`; C has no words for what it computes between its launches.
        """
        require_cuda(self.name, self.target)
        return header(self._module, self.target.arch.name, self.name, version)

    @cached_property
    def reports(self) -> tuple[KernelReport, ...]:
        """What each launch costs, in order, counted by simulating it once on zeros; numbers are those of the specs."""
        return self._simulated([_zeros(value) for value in self.given.values], STAGES[0])

    @property
    def report(self) -> KernelReport:
        """What its launch costs.

        Raises:
            UsageError: it launches nothing, or more than one kernel.
        """
        if len(self.reports) != 1:
            raise UsageError(f"{self.name} launches {len(self.reports)} kernels; reports[i] tells of each")
        return self.reports[0]

    def max_blocks_per_cu(self) -> int:
        """How many blocks of its launch a compute unit, or multiprocessor, holds at once: the estimate of `report`.

        Raises:
            UsageError: as `report`. CompileError: of the architecture no such limits are known.
        """
        found = self.report.occupancy
        if found is None:
            raise CompileError(f"of {self.target.arch.name} it is not known how many blocks a compute unit holds")
        return found.blocks

    def export_to_c(self, file_path: str, file_name: str, function_prefix: str = "") -> NoReturn:
        """Refuses: object files with a host function are FlyDSL's; `tilewright compile` writes a cubin and a header."""
        raise CompileError(
            f"{self.name} is not exported as an object file; `tilewright compile FILE.py:{self.name} --target "
            "cuda:sm_90a -o DIR` writes the cubin and a C header that launches it (.cubin and .header here)"
        )

    @cached_property
    def _module(self) -> FlyModule:
        return self.trace()

    @cached_property
    def _program(self) -> Program:
        return PROGRAMS[self.target.kind](self._module, self.target)

    def check(self) -> None:
        """Raises now what making a text for the target raises."""
        if self.target.kind == "cuda":
            _ = self.source
        else:
            self.ir(*[FLAT] * (self.target.kind == "host"))

    def _kept(self, what: str, make: Callable[[], str]) -> str:
        """A text, which is kept on disk where it is known what it comes from."""
        return kept_as((self.content, what), lambda: make().encode(), bytes.decode) if self.content else make()

    def _checked(self, given: Given) -> Sequence[Runtime]:
        if given.key != self.given.key:
            raise UsageError(
                f"{self.name} is compiled for ({self.given.types}), got ({given.types}); compile it for these "
                "arguments too"
            )
        return given.values

    def _simulated(self, values: Sequence[Runtime], stage: str) -> tuple[KernelReport, ...]:
        with Session() as session:
            self._module.at(stage).run(values, self.options)
        return tuple(one.report for one in session.launches)


def _zeros(value: Runtime) -> Runtime:
    return Memory(np.zeros_like(value.array, subok=False), value.value) if isinstance(value, Memory) else value


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
