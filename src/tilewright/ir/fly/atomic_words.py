"""What atomic accesses by LLVM's names say: words, orders and scopes.

Source: LLVM Language Reference, `atomicrmw`, `cmpxchg`, `fence` and atomic memory ordering constraints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from tilewright.ir.fly.foreign import TEXT

ORDERS: Mapping[str, str] = MappingProxyType(
    {"acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "seq_cst": "acq_rel"}
)
"""Ours by LLVM's; those that are not here are `relaxed`."""
_WORDS = re.compile(r"[a-z_]+")
_SCOPE = re.compile(r'syncscope\("([a-z-]*)"\)')
_NARROW = ("workgroup", "wavefront", "singlethread")


def words_of(op: Operation) -> tuple[str, ...]:
    """The words of an op's text before its types, and its scope behind them."""
    said = op.attributes.get(TEXT)
    text = said.data if isinstance(said, StringAttr) else ""
    scope = _SCOPE.search(text)
    return (*_WORDS.findall(_SCOPE.sub("", text.partition(" : ")[0])), scope[1] if scope else "")


def scope_of(op: Operation) -> str:
    """Who sees the access in order: `cta` or `gpu`."""
    return "cta" if words_of(op)[-1].removesuffix("-one-as") in _NARROW else "gpu"
