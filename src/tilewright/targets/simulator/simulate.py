"""`simulate`: runs any stage of a kernel on numpy arrays, and finds whatever the machine leaves undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tilewright.arch import get as get_arch
from tilewright.arch.spec import ArchSpec
from tilewright.errors import CompileError
from tilewright.ir.core.walk import only, operations
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import ORDERED, OrderedOp
from tilewright.ir.tile.polling import polls
from tilewright.ir.tile.printing import PRINTING
from tilewright.ir.tile.shared import SharedMemory, Union, unions
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.arguments import Array, bind
from tilewright.targets.launch import Launch, kernel_of, parameters_of, where
from tilewright.targets.simulator.admission import admit, needs
from tilewright.targets.simulator.agents.clusters import CLUSTER_HANDLERS
from tilewright.targets.simulator.agents.flatten import Compiled, can_wait, flatten
from tilewright.targets.simulator.agents.order import Order, kept_together
from tilewright.targets.simulator.agents.products import Facts
from tilewright.targets.simulator.agents.scheduler import execute
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.domains.moving import moving
from tilewright.targets.simulator.domains.origins import Origins, Tracing, asks_no_data
from tilewright.targets.simulator.domains.rerun import FirstRun, Found, Reruns
from tilewright.targets.simulator.domains.uniform import run_uniform
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Value
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.mapped import Mapped
from tilewright.targets.simulator.notes import Note, Notes
from tilewright.targets.simulator.observers.heard import Hearing
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.observers.touched import Moved, Touched
from tilewright.targets.simulator.observers.watch import Watch, watched
from tilewright.targets.simulator.ops.among import AMONG_HANDLERS
from tilewright.targets.simulator.ops.asynchronous import ASYNC_HANDLERS
from tilewright.targets.simulator.ops.atomic import ATOMIC_HANDLERS, is_for_some
from tilewright.targets.simulator.ops.atomic_vectors import VECTOR_HANDLERS
from tilewright.targets.simulator.ops.block_votes import BLOCK_VOTE_HANDLERS
from tilewright.targets.simulator.ops.control import CONTROL_HANDLERS
from tilewright.targets.simulator.ops.copies import ATOM_HANDLERS
from tilewright.targets.simulator.ops.printing import PRINT_HANDLERS
from tilewright.targets.simulator.ops.repeat import REPEAT_HANDLERS
from tilewright.targets.simulator.ops.scalar import SCALAR_HANDLERS
from tilewright.targets.simulator.ops.scaled import SCALED_HANDLERS
from tilewright.targets.simulator.ops.sparse import SPARSE_HANDLERS
from tilewright.targets.simulator.ops.tensor.handlers import TENSOR_HANDLERS
from tilewright.targets.simulator.ops.tile import TILE_HANDLERS
from tilewright.targets.simulator.ops.warp import WARP_HANDLERS
from tilewright.targets.simulator.ops.wgmma import WGMMA_HANDLERS
from tilewright.targets.simulator.options import SimOptions, Switches
from tilewright.targets.simulator.order.mbarriers import Engines
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.orders import waits_for_counts
from tilewright.targets.simulator.program import Handler, compile_kernel
from tilewright.targets.simulator.progress import Progress, shown
from tilewright.targets.simulator.proofs import Judge
from tilewright.targets.simulator.report import Interrupted, SimulationReport
from tilewright.targets.simulator.sites import Site
from tilewright.targets.tensor_map import TensorMap

# What tells lanes of other blocks something.
_TELLS = (*ORDERED, AtomicOp, AtomicVectorOp)

HANDLERS = {
    **SCALAR_HANDLERS,
    **CONTROL_HANDLERS,
    **REPEAT_HANDLERS,
    **TILE_HANDLERS,
    **WARP_HANDLERS,
    **AMONG_HANDLERS,
    **BLOCK_VOTE_HANDLERS,
    **CLUSTER_HANDLERS,
    **ATOMIC_HANDLERS,
    **VECTOR_HANDLERS,
    **ATOM_HANDLERS,
    **PRINT_HANDLERS,
    **ASYNC_HANDLERS,
    **SPARSE_HANDLERS,
    **SCALED_HANDLERS,
    **WGMMA_HANDLERS,
    **TENSOR_HANDLERS,
}
LOCKSTEP_LANES = 32768


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
    Where one block can be proved to stand for all, only one is checked (`proofs=False` checks each). With `check="off"`
    nobody looks for races and for reads of what nothing has written: that is 0; what leaves a buffer is still an error.

    Args:
        module: any stage of a kernel.
        arrays: numpy arrays or CPU tensors; in-place use gives one array twice.
        arch: by whose bank rule wavefronts are counted.
        limits: bounds on threads, steps and memory; the switch `steps` is one of them.
        switches: the fields of `SimOptions`, such as `check="strict"`.

    Raises:
        SimulationError: the kernel does something undefined; names the op, the thread and the element.
        UsageError: arrays that do not fit the parameters, or no such switch.
        CompileError: an op that the simulator does not know.
    """
    return Simulator(module).run(arrays, arch=arch, limits=limits, proofs=proofs, **switches)


class Simulator:
    """A kernel compiled for simulation, once; `run` as `simulate`.

    With other `handlers` than those of the dialect `tile`, lanes always execute: nothing is recorded and proved.
    """

    def __init__(self, module: ModuleOp, handlers: Mapping[type[Operation], Handler] = HANDLERS) -> None:
        self.handlers = handlers
        self.func = kernel_of(module)
        self.launch = Launch.of(self.func)
        self.needs = needs(self.func)
        parameters_of(self.func, maps=True)
        SharedMemory.of(self.func)  # refuses buffers that leave the pool
        ops = operations(self.func)
        self.polls = self.launch.cluster > 1 or any(map(polls, only(ops, scf.WhileOp)))
        edges = self.launch.cluster > 1 or bool(only(ops, *_TELLS))
        scoped = handlers is not HANDLERS or any(map(is_for_some, only(ops, AtomicOp, OrderedOp)))
        self.told = {"edges": edges, "scoped": scoped}
        self.engines, self.facts = Engines.of(self.func), Facts.of(self.func)
        # what prints is to print; what atoms do is not recorded
        self.unions = {one.op: union for union in unions(self.func) for one in union.members}
        _refuse_words(self.unions, self.engines)
        plain = handlers is HANDLERS and not self.unions  # a union's bytes are no names of elements
        self.recorded = plain and not only(ops, *PRINTING, AtomOp)
        self.asks_no_data, self.reruns = not self.unions and asks_no_data(self.func), Reruns()
        self.compiled = (
            flatten(self.func, handlers) if can_wait(self.func) else Compiled(compile_kernel(self.func, handlers))
        )

    @cached_property
    def apart(self) -> Compiled:
        """The kernel as one whose lanes run apart, whether they have to or not."""
        return self.compiled if self.compiled.code else flatten(self.func, self.handlers)

    @cached_property
    def waits(self) -> tuple[Note, ...]:
        """The loops for which another order may matter."""
        return waits_for_counts(self.func) if self.compiled.code else ()

    def run(
        self,
        arrays: Sequence[Any],
        *,
        arch: str | ArchSpec = "sm_90",
        limits: Limits | None = None,
        proofs: bool = True,
        options: SimOptions | None = None,
        watch: Watch | None = None,
        **switches: Unpack[Switches],
    ) -> SimulationReport:
        """As `simulate`; the switches change what `options` say, and `watch` is told of every op.

        Raises:
            Interrupted: by Ctrl-C; it has the report of what ran.
        """
        options = (options or SimOptions()).switched(**switches)
        limits = limits or Limits(steps=options.steps)
        notes = Notes.of(options.check == "strict")
        storage, spec = bind(self.func, arrays), get_arch(arch)
        limits.check(self.launch, spec.lanes)
        admit(self.needs, spec)
        order, counts, proved = Order.of(options), Tally(spec), False
        code = self._code(order, watch)
        touched = None if watch is None else Touched(spec.sector_bytes)
        try:
            with np.errstate(all="ignore"), shown(self.func.sym_name.data, self.launch.blocks) as progress:
                if proofs and self.recorded and not (code.code or watch):
                    found = run_uniform(code.program, self.launch, storage, Tally(spec), limits)
                    counts, proved = found or counts, found is not None
                if proofs and self.asks_no_data and not (code.code or watch):
                    key, fast = (spec, limits, options.check), options.mma == "fast"
                    named = self._named(code, spec, limits, order, options, arrays, progress)
                    firsts = self._moved(code, spec, limits, options), named
                    if (report := self.reruns.run(key, fast, storage, firsts)) is not None:
                        return report
                if not proved:
                    given = storage, counts, limits, notes, order, progress, options, arrays
                    self._lockstep(code, *given, touched=touched, watch=watch)
        except KeyboardInterrupt:
            left = self.launch.blocks - progress.done
            report = self._report(code, counts, notes, self._judge(storage, options))
            raise Interrupted(replace(report, unfinished=left, moved=self._moved_by(touched, storage))) from None
        report = self._report(code, counts, notes, self._judge(storage, options, proved=proved))
        report = replace(report, waits=()) if order.random else report
        return report if touched is None else replace(report, moved=self._moved_by(touched, storage))

    def _moved_by(self, touched: Touched | None, storage: Sequence[Array]) -> Moved | None:
        return None if touched is None else touched.moved(self.func.body.block.args, storage)

    def _code(self, order: Order, watch: Watch | None) -> Compiled:
        if watch is None:
            return self.apart if order.random else self.compiled
        handlers = watched(self.handlers, watch)
        if not (order.random or self.compiled.code):
            return Compiled(compile_kernel(self.func, handlers), watched=True)
        return flatten(self.func, handlers, watch)._replace(watched=True)

    def _report(self, code: Compiled, counts: Tally, notes: Notes, judge: Judge) -> SimulationReport:
        sites = [site for site in code.program.sites if site.counted and site.space != LOCAL]
        return SimulationReport(
            self.func.sym_name.data,
            self.launch,
            lambda: counts.reports(sites, judge),
            judge.proved,
            *notes.texts,
            repeated=judge.once,
            arch=counts.spec.name,
            waits=self.waits,
        )

    def _judge(
        self, storage: Sequence[Array], options: SimOptions, *, proved: bool = False, once: bool = False
    ) -> Judge:
        """Who knows how the sites of a run were checked."""
        written = self._written(storage)
        arguments = zip(self.func.body.block.args, storage, strict=True)
        roots = {argument for argument, data in arguments if id(data) in written}
        return Judge(proved, once, options.check != "off", roots)

    def _moved(self, code: Compiled, spec: ArchSpec, limits: Limits, options: SimOptions) -> FirstRun:
        """A run in closed form: of one block, and of one iteration of loops, for those like it."""

        def first(origins: Origins, storage: Sequence[Array]) -> Found:
            counts, checks = Tally(spec), options.check != "off"
            writes = moving(code.program, self.launch, storage, counts, limits, checks, origins)
            return writes, self._report(code, counts, Notes(), self._judge(storage, options, proved=checks, once=True))

        return first

    def _named(
        self,
        code: Compiled,
        spec: ArchSpec,
        limits: Limits,
        order: Order,
        options: SimOptions,
        given: Sequence[Any],
        progress: Progress,
    ) -> FirstRun:
        """A run of all blocks on names, which lie in arrays like the given ones."""

        def first(origins: Origins, storage: Sequence[Array]) -> Found:
            counts, notes = Tally(spec), Notes.of(options.check == "strict")
            names = origins.given(storage)
            self._lockstep(code, names, counts, limits, notes, order, progress, options, given, origins)
            return origins.changed(names), self._report(code, counts, notes, self._judge(names, options, once=True))

        return first

    def _lockstep(
        self,
        code: Compiled,
        storage: list[Array],
        counts: Tally,
        limits: Limits,
        notes: Notes,
        order: Order,
        progress: Progress,
        options: SimOptions,
        given: Sequence[Any],
        origins: Origins | None = None,
        touched: Touched | None = None,
        watch: Watch | None = None,
    ) -> None:
        checks = options.check != "off"
        fuel, shadows = Fuel(limits), self._shadows(storage, counts.spec.lanes) if checks else {}
        together = kept_together(self.func)
        chunks = order.chunks(self.launch.blocks, max(1, LOCKSTEP_LANES // self.launch.threads))
        told, mapped = None, {id(data) for data in storage}
        progress.done, progress.steps = 0, lambda: fuel.burnt
        for blocks in [np.arange(self.launch.blocks)] if self.polls else chunks:
            progress.together = len(blocks)
            made = Machine if origins is None else partial(Tracing, origins=origins)
            machine = made(
                self.launch, blocks, counts, fuel, notes, order, options.mma, self.engines, checks, self.facts
            )
            machine.unions = self.unions
            machine.hearing = None if touched is None else Hearing(touched, None if watch is None else watch.told)
            if told is not None:
                machine.clocks.beyond.goes_on(told, mapped)
            told = machine.clocks.beyond
            memories = [
                _held(data, shadows.get(id(data)), notes.agreed, array)
                for data, array in zip(storage, given, strict=True)
            ]
            lanes = machine.lanes()
            frame = code.program.frame(lanes, memories)
            if origins is not None:
                origins.enter(frame)
            if code.code:
                execute(code.code, lanes, frame.values, together)
            else:
                code.program.run(frame)
            machine.finish()
            progress.done += len(blocks)

    def _shadows(self, storage: list[Array], lanes: int) -> dict[int, Shadow]:
        """A race detector for each global array that the kernel writes."""
        sizes = {id(data): data.size for data in storage}
        width = (self.launch.warps(lanes) - -self.engines.count // lanes) * lanes
        written = self._written(storage)
        return {key: Shadow(sizes[key], width, reads=reads, **self.told) for key, reads in written.items()}

    def _written(self, storage: Sequence[Array]) -> dict[int, bool]:
        """The arrays that the kernel writes, and whether it reads them."""
        arguments: dict[SSAValue, Array] = dict(zip(self.func.body.block.args, storage, strict=True))
        used: dict[int, set[str]] = {}
        for site in self.compiled.program.sites:
            if site.root in arguments:
                used.setdefault(id(arguments[site.root]), set()).add(site.kind)
        return {key: "load" in kinds for key, kinds in used.items() if kinds & {"store", "atomic"}}


def _refuse_words(unions: Mapping[Operation, Union], engines: Engines) -> None:
    for op in unions.keys() & engines.first.keys():
        name = op.results[0].name_hint or "a buffer"
        text = f"{name} holds mbarriers, whose bytes no other buffer shares; place it beside the others in the pool"
        raise CompileError(f"{text}\n{where(op)}")


def _held(data: Array, shadow: Shadow | None, agreed: dict[Site, str] | None, given: object) -> Value:
    """What the slot of a parameter holds."""
    if not data.ndim:
        number: Array = data[()]
        return number
    memory = Memory(data, len(data), shadow, agreed=agreed)
    return Mapped(memory, given) if isinstance(given, TensorMap) else memory
