"""The dialects that a module may use. Each is loaded where a text first names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.ir import Dialect

from tilewright.ir.mlir.foreign import ForeignContext


@lru_cache(maxsize=2)
def context(allow_unregistered: bool = False) -> Context:
    """The context of every dialect that a stage uses; it may take ops of others too, of which it knows nothing."""
    registered = ForeignContext(allow_unregistered)
    registered.load_dialect(Builtin)
    for name, load in _ON_USE.items():
        registered.register_dialect(name, load)
    return registered


def names() -> tuple[str, ...]:
    """The dialects that a module may use."""
    return ("builtin", *sorted(_ON_USE))


def _of_xdsl(name: str, dialect: str) -> Dialect:
    found = getattr(import_module(f"xdsl.dialects.{name}"), dialect)
    assert isinstance(found, Dialect)
    return found


def _tile() -> Dialect:
    from tilewright.ir.tile.ops import TILE

    return TILE


def _fly() -> Dialect:
    from tilewright.ir.fly.dialect import FLY

    return FLY


def _fly_rocdl() -> Dialect:
    from tilewright.ir.fly.dialect import FLY_ROCDL

    return FLY_ROCDL


def _arith() -> Dialect:
    from tilewright.ir.mlir.arith import ARITH

    return ARITH


def _fly_nvvm() -> Dialect:
    from tilewright.ir.fly.dialect import FLY_NVVM

    return FLY_NVVM


def _vector() -> Dialect:
    from tilewright.ir.mlir.vector import VECTOR

    return VECTOR


def _llvm() -> Dialect:
    from tilewright.ir.mlir.llvm import LLVM

    return LLVM


_OURS: Mapping[str, Callable[[], Dialect]] = {
    "arith": _arith,
    "fly": _fly,
    "fly_nvvm": _fly_nvvm,
    "fly_rocdl": _fly_rocdl,
    "llvm": _llvm,
    "tile": _tile,
    "vector": _vector,
}
_XDSLS = {
    "cf": "Cf",
    "func": "Func",
    "gpu": "GPU",
    "math": "Math",
    "memref": "MemRef",
    "scf": "Scf",
    "ub": "UB",
}
_ON_USE: Mapping[str, Callable[[], Dialect]] = MappingProxyType(
    {**_OURS, **{name: partial(_of_xdsl, name, dialect) for name, dialect in _XDSLS.items()}}
)
