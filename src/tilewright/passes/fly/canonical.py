"""`fly-canonicalize`: one op makes int tuples, parts of what was made are those parts, static results are values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from tilewright.ir.core.dead import remove_dead
from tilewright.ir.fly.dialect_types import ComposedLayoutType, FlyType, IntTupleType, LayoutType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.passes.fly.certain import is_certain
from tilewright.passes.fly.emission import Emission, Seen
from tilewright.passes.fly.held import Held, fly_type
from tilewright.passes.fly.lowered import BY_RULE
from tilewright.passes.fly.opened import Roots
from tilewright.passes.fly.sweep import sweep

_MADE = ("make_shape", "make_stride", "make_coord")
# Which operand of which op is what an op reads.
_PARTS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "get_shape": ("make_layout", 0),
        "get_stride": ("make_layout", 1),
        "get_iter": ("make_view", 0),
        "get_layout": ("make_view", 1),
        "composed_get_inner": ("make_composed_layout", 0),
        "composed_get_offset": ("make_composed_layout", 1),
        "composed_get_outer": ("make_composed_layout", 2),
    }
)
_MAKERS = frozenset(maker for maker, _ in _PARTS.values())


@dataclass(frozen=True)
class Canonicalize(ModulePass):
    """Folds what is known without run-time integers, and what has just been made."""

    name = "fly-canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        certain: dict[SSAValue, bool] = {}
        sweep(op, lambda inner, seen: _folded(inner, seen, certain))
        remove_dead(op)


def _folded(op: FlyOp, seen: Seen, certain: dict[SSAValue, bool]) -> bool:
    if len(op.results) != 1 or not isinstance(op.results[0].type, FlyType):
        return False
    sure = certain[op.results[0]] = all(certain.get(x, True) for x in op.operands) and is_certain(op)
    found = _remade(op, seen) if not sure else _part(op) or _remade(op, seen) or _value(op, seen)
    if found is not None:
        op.results[0].replace_all_uses_with(found)
        certain[found] = sure
    return found is not None


def _part(op: FlyOp) -> SSAValue | None:
    maker, place = _PARTS.get(op.short, ("", 0))
    made = op.operands[0].owner if maker else None
    if not isinstance(made, FlyOp) or made.short != maker or place >= len(made.operands):
        return None
    part = made.operands[place]
    return part if part.type == op.results[0].type else None


def _remade(op: FlyOp, seen: Seen) -> SSAValue | None:
    if op.short not in _MADE or not op.operands:
        return None
    emission = Emission(op, Roots(), seen)
    return emission.add(make("make_int_tuple", op.operands, results=op.result_types)).results[0]


def _value(op: FlyOp, seen: Seen) -> SSAValue | None:
    """The result built of integers, where its type tells them all."""
    kind = fly_type(op.results[0])
    if not isinstance(kind, IntTupleType | LayoutType | ComposedLayoutType) or run_time_leaves(kind.value):
        return None
    if op.short == "make_int_tuple":
        seen.values.setdefault(Held(kind).key, op.results[0])
        return None
    if op.short in (*_MADE, "static") or (op.short in BY_RULE and op.short not in _MAKERS):
        return Emission(op, Roots(), seen).built(Held(kind))
    return None
