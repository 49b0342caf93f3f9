"""The dialects that a module may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.cf import Cf
from xdsl.dialects.func import Func
from xdsl.dialects.gpu import GPU
from xdsl.dialects.memref import MemRef
from xdsl.dialects.scf import Scf
from xdsl.ir import Dialect

from tilewright.ir.tile.ops import TILE

DIALECTS = (Builtin, Func, Arith, Scf, Cf, MemRef, GPU, TILE)


@lru_cache(maxsize=1)
def context() -> Context:
    """The context with every dialect that a stage uses."""
    registered = Context()
    for dialect in DIALECTS:
        registered.load_dialect(dialect)
    for name, dialect_of in _ON_USE.items():
        registered.register_dialect(name, dialect_of)
    return registered


def _fly() -> Dialect:
    from tilewright.ir.fly.dialect import FLY

    return FLY


def _fly_rocdl() -> Dialect:
    from tilewright.ir.fly.dialect import FLY_ROCDL

    return FLY_ROCDL


def _llvm() -> Dialect:
    from xdsl.dialects.llvm import LLVM

    return LLVM


def _ub() -> Dialect:
    from xdsl.dialects.ub import UB

    return UB


def _vector() -> Dialect:
    from tilewright.ir.mlir.vector import VECTOR

    return VECTOR


# These are loaded only where a text uses them.
_ON_USE: Mapping[str, Callable[[], Dialect]] = MappingProxyType(
    {"fly": _fly, "fly_rocdl": _fly_rocdl, "llvm": _llvm, "ub": _ub, "vector": _vector}
)
