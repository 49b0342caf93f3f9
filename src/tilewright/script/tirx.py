"""The script language of TIRx kernels: `T`, and its `tile`, which programs call `Tx`.

from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
"""

from typing import Any

from tilewright.lang.absent import refused
from tilewright.lang.namespaces import NAMES
from tilewright.lang.primfunc import PrimFunc, prim_func
from tilewright.lang.scripts import from_source
from tilewright.tirx.layout import ComposeLayout, R, S, TileLayout

__all__ = ["ComposeLayout", "from_source", "prim_func", "PrimFunc", "R", "S", "TileLayout"]


def __getattr__(name: str) -> Any:
    # Every other name of the language is an inert value of one table.
    try:
        return NAMES[name]
    except KeyError:
        reason = refused(name)
        raise AttributeError(f"the kernel language has no T.{name}{f'; {reason}' if reason else ''}") from None


def __dir__() -> list[str]:
    return [*__all__, *NAMES]
