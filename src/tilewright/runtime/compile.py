"""`compile`: a kernel's source to a `CompiledKernel`, remembered by what it was made from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, Unpack

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


class KernelSource(Protocol):
    """What `T.prim_func` makes: a kernel with its module at stage `tile`."""

    @property
    def module(self) -> ModuleOp:
        """The module; never changed."""


def compile(
    fn: KernelSource | ModuleOp,
    *specs: Any,
    target: str | Target | None = None,
    variants: Iterable[Variant] = (),
    contract: bool = False,
    **switches: Unpack[Switches],
) -> CompiledKernel:
    """The kernel compiled for a target; the same arguments give the same object again.

    Args:
        fn: a `T.prim_func`, or a module at stage `tile`.
        specs: of the arguments; a `T.prim_func` has them in its source and takes none.
        target: `simulator`, `host` or `cuda:sm_90a`; without it the one of an enclosing `with Target(..)`, else of
            the environment's TILEWRIGHT_TARGET, else the simulator.
        variants: the caller's own, beside the built-in ones.
        contract: is `a * b + c` rounded once, on every target alike? No compiler is ever left to choose.
        switches: how the simulator runs it, such as `check="strict"` (see `SimOptions`); a call can say otherwise.

    Raises:
        UsageError: no kernel, no such target, switch or value of it, or something else than a variant.
        DispatchError: no variant accepts a tile primitive.
        CompileError: the target cannot express the kernel.
    """
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
        raise UsageError(f"compile takes a T.prim_func, got {type(fn).__name__}")
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
