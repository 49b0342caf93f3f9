"""`compile`: a kernel's source to a `CompiledKernel`, remembered by what it was made from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeVar, Unpack, overload, runtime_checkable

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import UsageError, shown
from tilewright.ir.core.location import place
from tilewright.ir.text import print_module
from tilewright.runtime.executors import supported
from tilewright.runtime.kernel import CompiledKernel
from tilewright.targets.simulator.options import SimOptions, Switches
from tilewright.variants.call import Variant

ENVIRONMENT = "TILEWRIGHT_TARGET"
Made = TypeVar("Made", covariant=True)


class KernelSource(Protocol):
    """What `T.prim_func` makes: a kernel with its module at stage `tile`."""

    @property
    def module(self) -> ModuleOp:
        """The module; never changed."""


@runtime_checkable
class TracedForSpecs(Protocol[Made]):
    """What `flyc.jit` makes: a function that is traced for arguments."""

    def compiled(self, specs: Sequence[object], target: Target | None, options: SimOptions) -> Made:
        """It compiled for arguments of the types of these specs."""


@overload
def compile(
    fn: TracedForSpecs[Made],
    *specs: object,
    target: str | Target | None = None,
    **switches: Unpack[Switches],
) -> Made: ...
@overload
def compile(
    fn: KernelSource | ModuleOp,
    *specs: object,
    target: str | Target | None = None,
    variants: Iterable[Variant] = (),
    contract: bool = False,
    **switches: Unpack[Switches],
) -> CompiledKernel: ...
def compile(
    fn: KernelSource | ModuleOp | TracedForSpecs[Made],
    *specs: object,
    target: str | Target | None = None,
    variants: Iterable[Variant] = (),
    contract: bool = False,
    **switches: Unpack[Switches],
) -> CompiledKernel | Made:
    """The kernel compiled for a target; the same arguments give the same object again.

    What has been compiled is kept on disk too, under a digest of all that it comes from: cubins, libraries of the
    target `host`, and what the stages of `fx` functions say (TILEWRIGHT_CACHE names the folder, or `off`).

    Args:
        fn: a `T.prim_func`, a module at stage `tile`, or a `flyc.jit`, which gives a `CompiledFunction`.
        specs: of the arguments; a `T.prim_func` has them in its source and takes none. A `flyc.jit` takes what a call
            takes, `((64, 32), "float16")` for an array, whose extents are told at run time, `fx.Int32` for a number.
        target: `simulator`, `host` or `cuda:sm_90a`; without it the one of an enclosing `with Target(..)`, else of
            the environment's TILEWRIGHT_TARGET, else the simulator. A `flyc.jit` is traced for the target's
            architecture, without a target for the simulator of the one that FLYDSL_GPU_ARCH or ARCH names.
        variants: the caller's own, beside the built-in ones.
        contract: is `a * b + c` rounded once, on every target alike? No compiler is ever left to choose.
        switches: how the simulator runs it, such as `check="strict"` (see `SimOptions`); a call can say otherwise.

    Raises:
        UsageError: no kernel, no such target, switch or value of it, or something else than a variant.
        DispatchError: no variant accepts a tile primitive.
        CompileError: the target cannot express the kernel.

    >>> import numpy
    >>> from tilewright.script import tirx as T
    >>> @T.prim_func
    ... def twice(A: T.Buffer((32,), "float32")):
    ...     T.device_entry()
    ...     T.cta_id([1])
    ...     t = T.thread_id([32])
    ...     A[t] = A[t] * 2.0
    >>> values = numpy.ones(32, numpy.float32)
    >>> compile(twice)(values)
    >>> values.sum().item()
    64.0
    """
    if isinstance(fn, TracedForSpecs):
        if variants or contract:
            raise UsageError("variants= and contract= are of T's kernels; a function of fx says itself what it does")
        machine = None if target is None else Target(target)
        return fn.compiled(specs, machine, SimOptions.current().switched(**switches))
    if specs:
        raise UsageError(f"a T.prim_func takes no specs, got {len(specs)}")
    module = module_of(fn)
    options = SimOptions.current().switched(**switches)
    found = supported(_default() if target is None else target)
    if not isinstance(contract, bool):
        raise UsageError(f"contract is True or False, got {shown(contract)}")
    request = _Request(_text(fn, module), found, _checked(variants), options, contract, module)
    return _compiled(request) if _hashable(request.variants) else _compiled.__wrapped__(request)


def module_of(fn: KernelSource | ModuleOp) -> ModuleOp:
    """The module at stage `tile` that a kernel is.

    Raises:
        UsageError: it is no kernel.
    """
    module = fn if isinstance(fn, ModuleOp) else getattr(fn, "module", None)
    if not isinstance(module, ModuleOp):
        hint = "; compile the flyc.jit that launches it" if type(fn).__name__ == "Kernel" else ""
        raise UsageError(f"compile takes a T.prim_func or a flyc.jit, got {type(fn).__name__}{hint}")
    return module


def _checked(variants: Iterable[Variant]) -> tuple[Variant, ...]:
    found = tuple(variants) if isinstance(variants, Iterable) else (variants,)
    for variant in found:
        if isinstance(variant, type) or not isinstance(variant, Variant):
            raise UsageError(f"a variant has a name, a primitive, a priority, plan and emit; got {variant!r:.80}")
    return found


@dataclass(frozen=True)
class _Request:
    text: str
    target: Target
    variants: tuple[Variant, ...]
    options: SimOptions
    contract: bool
    module: ModuleOp = field(compare=False)


@lru_cache(maxsize=256)
def _compiled(request: _Request) -> CompiledKernel:
    return CompiledKernel(request.module, request.target, request.variants, request.options, request.contract)


def _text(fn: Any, module: ModuleOp) -> str:
    # A module that is given as such can have changed since the last time.
    return _text_of(module) if fn is module or not _hashable(fn) else _known_text(fn)


@lru_cache(maxsize=256)
def _known_text(fn: Any) -> str:
    return _text_of(fn.module)


def _text_of(module: ModuleOp) -> str:
    """What the kernel is, and where its ops come from: errors name the source."""
    return "\n".join([print_module(module), *map(place, module.walk())])


def _default() -> Target | str:
    return Target.current() or os.environ.get(ENVIRONMENT) or "simulator"


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
