"""`@flyc.jit`: a function that launches kernels; called while tracing it is a part of what is traced."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import NamedTuple

from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from tilewright.arch import get
from tilewright.arch.target import Target
from tilewright.errors import KernelError, UsageError, shown
from tilewright.ir.core.uncollected import uncollected
from tilewright.ir.text import print_module
from tilewright.lang.core import constructs
from tilewright.lang.core.numerics.number import Number
from tilewright.lang.core.numerics.numeric import scalar
from tilewright.lang.core.pytree import Constant, Flat, flatten
from tilewright.lang.core.rewrite.functions import rewritten
from tilewright.lang.core.trace import Trace, current
from tilewright.lang.fly import modules
from tilewright.lang.fly.annotations import ConstexprOf, Stream, is_constant, resolved
from tilewright.lang.fly.arguments import Parameter, Runtime, parameter
from tilewright.lang.fly.compiled import CompiledFunction, Given, of_spec
from tilewright.lang.fly.content import content
from tilewright.lang.fly.errors import at_users_line
from tilewright.lang.fly.fingerprint import fingerprint
from tilewright.lang.fly.kernel import MODULE, call
from tilewright.lang.fly.modules import ModuleBeingTraced
from tilewright.lang.fly.options import tracing_options
from tilewright.lang.fly.values.base import FlyValue, value_of
from tilewright.runtime.device import of_environment
from tilewright.runtime.device import target as current_target
from tilewright.runtime.fly.programs import PROGRAMS, Program, require_program
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.simulator.options import SimOptions

__all__ = ["Jit"]


@dataclass(frozen=True)
class Bound:
    """An argument: its parameters in the module, or what is known while tracing."""

    name: str
    flat: Flat
    parameters: tuple[Parameter | None, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What the trace depends on."""
        return (
            self.flat.names,
            *[
                found.key if found is not None else _constant_key(leaf)
                for found, leaf in zip(self.parameters, self.flat.leaves, strict=True)
            ],
        )


def _constant_key(leaf: object) -> object:
    if isinstance(leaf, FlyValue):
        return leaf.type
    if isinstance(leaf, Constant):
        return Constant, _constant_key(leaf.value)
    return fingerprint(leaf)


class CacheInfo(NamedTuple):
    """How often a call found its trace, how often it had to be traced, and how many traces are kept, none on disk."""

    hits: int
    misses: int
    currsize: int
    disk_size: int = 0


class Jit:
    """A function that launches kernels.

    Called from Python it is traced for the types of its arguments, once, and its launches run on the enclosing target,
    in place: without one on the simulator, with every check. Called while a kernel or another jit is traced it is a
    function like others.

    Args:
        function: the function.

    Attributes:
        compile_hints: for FlyDSL's compiler, as of `flyc.compile[hints]`; whatever is put there changes nothing here.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.compile_hints: dict[str, object] = {}
        self.__name__, self.__doc__, self.__wrapped__ = function.__name__, function.__doc__, function
        self.signature = inspect.signature(function)
        self._names = _positional(self.signature)
        self._annotations: dict[str, object] = {}
        self._compiled: dict[tuple[object, ...], FlyModule] = {}
        self._programs: dict[tuple[object, ...], Program] = {}
        self._last: FlyModule | None = None
        self._calls = 0

    def __call__(self, *args: object, **named: object) -> object:
        """Runs it, or traces it as a part of what is traced.

        Raises:
            KernelError: its source is wrong, at its line. UsageError: an argument that no kernel can be given.
            SimulationError: a kernel does something undefined.
        """
        if current() is not None:
            return rewritten(self.function, constructs)(*args, **named)
        arguments, machine = self._arguments(args, named), current_target()
        key = self._key(arguments, machine)
        self._last = self._module(arguments, key, machine)
        made = self._programs.get((machine, key)) or self._program(key, machine, self._last)
        made.run(_runtime(arguments), SimOptions.current())
        return None

    def __get__(self, instance: object, owner: type | None = None) -> object:
        """As a method: bound to its object."""
        return self if instance is None else MethodType(self, instance)

    def compile(self, *args: object, **named: object) -> CompiledFunction:
        """Traces it for these arguments, without running it; gives what runs it, as `compiled` does."""
        return self.compiled(args, named=named)

    def compiled(
        self,
        specs: Sequence[object],
        target: Target | None = None,
        options: SimOptions | None = None,
        named: Mapping[str, object] | None = None,
    ) -> CompiledFunction:
        """It compiled for arguments of the types of these specs; what `tilewright.compile` asks of what is traced.

        Args:
            specs: arguments as a call takes them; `(shape, dtype)` stands for an array, a class for a number.
            target: what its launches run on, else the current simulator. options: how the simulator, or the host, runs.
            named: specs by the names of parameters.

        Raises:
            UsageError: a spec that is no argument. CompileError: another target, or a pass refuses.
            KernelError: its source is wrong.
        """
        machine = current_target() if target is None else of_environment(target)
        require_program(self.__name__, machine)
        args, words = [of_spec(x) for x in specs], {name: of_spec(x) for name, x in (named or {}).items()}
        with machine:
            arguments = self._arguments(args, words)
            key = self._key(arguments, machine)
        digest = content(*key)

        def trace() -> FlyModule:
            with machine:
                return self._module(arguments, key, machine)

        made = CompiledFunction(
            self.__name__, machine, options or SimOptions.current(), _given(arguments), digest, trace,
            lambda *args, **named: _given(self._arguments(args, named)),
        )  # fmt: skip
        made.check()
        return made

    def ir(self, stage: str = "fly") -> str:
        """The MLIR text of its last trace, at one of the stages `fly`, `lowered` and `final`.

        Raises:
            UsageError: it has not been traced, or there is no such stage. CompileError: a pass refuses.
        """
        if self._last is None:
            raise UsageError(f"{self.__name__} has not been traced; call it first")
        return print_module(self._last.at(stage).module)

    def cache_info(self) -> CacheInfo:
        """How many calls were traced, and how many had been before.

        >>> import numpy as np, tilewright.compiler as flyc
        >>> nothing = flyc.jit(lambda A: None)
        >>> nothing.cache_info()
        CacheInfo(hits=0, misses=0, currsize=0, disk_size=0)
        """
        traced = len(self._compiled)
        return CacheInfo(self._calls - traced, traced, traced)

    def simulate(self, stage: str, /, *args: object, **named: object) -> None:
        """Runs it with these arguments at a stage; each does the same.

        Raises:
            UsageError: no such stage. Other errors: as in a call.
        """
        module, given = self._specialised(args, named)
        module.at(stage).run(given, SimOptions.current())

    def _specialised(self, args: tuple[object, ...], named: Mapping[str, object]) -> tuple[FlyModule, list[Runtime]]:
        arguments = self._arguments(args, named)
        target = current_target()
        self._last = self._module(arguments, self._key(arguments, target), target)
        return self._last, _runtime(arguments)

    def _arguments(self, args: Sequence[object], named: Mapping[str, object]) -> list[Bound]:
        return [self._argument(name, value) for name, value in self._bound(args, named).items()]

    def _key(self, arguments: Sequence[Bound], target: Target) -> tuple[object, ...]:
        """All that the trace depends on."""
        said = tracing_options()
        told = fingerprint(self.function, *said.items()) if said else fingerprint(self.function)
        return (target.arch.name, told, *[one.key for one in arguments])

    def _module(self, arguments: list[Bound], key: tuple[object, ...], target: Target) -> FlyModule:
        """The module of a key, traced once."""
        whole = target, *key
        if whole not in self._compiled:
            with at_users_line(), uncollected():
                self._compiled[whole] = FlyModule(_traced(self, arguments, target), target)
        self._calls += 1
        return self._compiled[whole]

    def _program(self, key: tuple[object, ...], target: Target, module: FlyModule) -> Program:
        """What runs the module of a key on the target, made once."""
        require_program(self.__name__, target)
        self._programs[target, key] = made = PROGRAMS[target.kind](module, target)
        return made

    def _bound(self, args: Sequence[object], named: Mapping[str, object]) -> Mapping[str, object]:
        """The arguments by the names of parameters."""
        if not named and len(args) == len(self._names):
            return dict(zip(self._names, args, strict=True))
        try:
            bound = self.signature.bind(*args, **named)
        except TypeError as error:
            raise UsageError(f"{self.__name__}: {error}") from None
        bound.apply_defaults()
        return bound.arguments

    def _annotation(self, name: str) -> object:
        """What is annotated, looked up once where it is known."""
        found = self._annotations.get(name)
        if found is None:
            found = resolved(self.signature.parameters[name].annotation, self.function)
            self._annotations[name] = found
        return found

    def _argument(self, name: str, value: object) -> Bound:
        annotation = self._annotation(name)
        if is_constant(annotation):
            if isinstance(annotation, ConstexprOf):
                annotation.check(value, name)
            return Bound(name, Flat((name,), (value,), lambda leaves: leaves[0]), (None,))
        if annotation is Stream or isinstance(value, Stream) or hasattr(value, "cuda_stream"):
            held = value if isinstance(value, Stream) else Stream(value)
            return Bound(name, Flat((name,), (_STREAM,), lambda _: held), (None,))
        flat = flatten(value, name)
        found = tuple(parameter(leaf, annotation, path) for path, leaf in zip(flat.names, flat.leaves, strict=True))
        for leaf, path, one in zip(flat.leaves, flat.names, found, strict=True):
            if one is None and isinstance(leaf, str | bytes | type(None)):
                raise UsageError(f"{path} is {shown(leaf)}: a constant is annotated fx.Constexpr")
        if isinstance(annotation, type) and issubclass(annotation, FlyValue) and any(x and x.numeric for x in found):
            raise UsageError(f"{name} is {annotation.__name__}, got the number {shown(value)}")
        return Bound(name, flat, found)


def _runtime(arguments: Sequence[Bound]) -> list[Runtime]:
    """What a module is given."""
    return [found.given for one in arguments for found in one.parameters if found is not None]


def _given(arguments: Sequence[Bound]) -> Given:
    """What a compiled function is given, and what it was traced for."""
    pairs = [pair for one in arguments for pair in zip(one.parameters, one.flat.leaves, strict=True)]
    kinds = tuple(leaf if x is None else x.kind for x, leaf in pairs)
    return Given(tuple(one.key for one in arguments), kinds, _runtime(arguments))


_STREAM = Stream()  # what a trace depends on of every stream: there is one order here


def _positional(signature: inspect.Signature) -> tuple[str, ...]:
    """The names of the parameters of a function that takes them all by position; else none."""
    kinds = {one.kind for one in signature.parameters.values()}
    plain = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY}
    return tuple(signature.parameters) if plain else ()


def _traced(jit: Jit, arguments: list[Bound], target: Target) -> ModuleOp:
    """The module: its kernels, and the function that launches them."""
    body = Block()
    values: dict[str, object] = {}
    for one in arguments:
        parts = zip(one.flat.names, one.parameters, one.flat.leaves, strict=True)
        values[one.name] = one.flat.rebuild([_leaf(name, found, leaf, body) for name, found, leaf in parts])
    token = body.insert_arg(gpu.AsyncTokenType(), len(body.args))
    trace = Trace(body, jit.__name__)
    making = ModuleBeingTraced(target.arch.name, get(target.arch.name).lanes, token)
    with modules.entered(making), trace.entered():
        traced_from_here(jit, values)
        trace.emit(ReturnOp())
    if making.waiting:
        name, at = making.waiting[0]
        raise KernelError(f"{name}(..) is called and not launched; write {name}(..).launch(grid=.., block=..)", at)
    host = FuncOp(jit.__name__, ([x.type for x in body.args], []), Region(body))
    host.attributes["llvm.emit_c_interface"] = UnitAttr()
    inner = gpu.ModuleOp(StringAttr(MODULE), Region(Block(making.kernels)))  # type: ignore[arg-type]  # its name
    return ModuleOp([inner, host], {"gpu.container_module": UnitAttr()})


def traced_from_here(jit: Jit, values: Mapping[str, object]) -> None:
    """Runs the function, rewritten for run time."""
    call(rewritten(jit.function, constructs), jit.signature, values)


def _leaf(name: str, found: Parameter | None, leaf: object, body: Block) -> object:
    if found is None:
        return leaf
    kind = found.kind
    argument = body.insert_arg(kind, len(body.args))
    argument.name_hint = "".join(c if c.isalnum() else "_" for c in name).strip("_")
    if found.numeric is not None:
        return scalar(Number(found.numeric.element, argument))
    return value_of(kind, argument)
