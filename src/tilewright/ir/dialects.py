"""The dialects that a module may use."""

from __future__ import annotations

from functools import lru_cache

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
    registered.register_dialect("fly", _fly)
    return registered


def _fly() -> Dialect:
    from tilewright.ir.fly.dialect import FLY  # read only where a text uses it

    return FLY
