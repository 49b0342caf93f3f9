"""What the lanes of a warp do together: shuffles, votes, reductions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.together import ShuffleOp, VoteOp
from tilewright.lang.expressions import as_condition, is_element
from tilewright.lang.names import REDUCTIONS, SHUFFLE_NAMES, VOTE_NAMES
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show

ALL = 0xFFFFFFFF


def _whole(mask: Value, name: str) -> None:
    if mask not in (ALL, -1):
        raise KernelError(f"{name} is for all lanes of a warp, with the mask 0xFFFFFFFF, got {show(mask)}")


def _movable(value: Value, name: str) -> SSAValue:
    if not is_element(value) or element_dtype(cast(SSAValue, value).type).bits not in (32, 64):
        raise KernelError(f"{name} moves an element of 32 or 64 bits, got {show(value)}")
    return cast(SSAValue, value)


def _width(width: Value, name: str) -> int:
    if type(width) is not int or not 1 <= width <= WARP or width & (width - 1):
        raise KernelError(f"the width of {name} is a power of two up to {WARP}, got {show(width)}")
    return width


def _shuffle(kind: str, name: str) -> Callable[..., SSAValue]:
    def handler(t: Tracer, mask: Value, var: Value, by: Value, width: Value = WARP) -> SSAValue:
        _whole(mask, name)
        return _shuffled(t, kind, _movable(var, name), _by(t, by, name), _width(width, name))

    return handler


def _by(t: Tracer, by: Value, name: str) -> SSAValue:
    if type(by) is int or is_index(by):
        return t.index.value(by)
    if is_element(by) and element_dtype(by.type).is_integer:
        return t.elements.as_index(by)
    raise KernelError(f"{name} takes the number of a lane, or a distance, got {show(by)}")


def _shuffled(t: Tracer, kind: str, value: SSAValue, by: SSAValue, width: int) -> SSAValue:
    return t.insert(ShuffleOp(kind, value, by, width)).results[0]


def _vote(kind: str, name: str) -> Callable[..., SSAValue]:
    def handler(t: Tracer, mask: Value, pred: Value) -> SSAValue:
        _whole(mask, name)
        condition = as_condition(t, pred)
        if isinstance(condition, bool):
            condition = t.elements.constant(condition, dtype("bool"))
        return t.insert(VoteOp(kind, condition)).results[0]

    return handler


def _reduction(sign: str, name: str) -> Callable[..., SSAValue]:
    def handler(t: Tracer, value: Value, width: Value = WARP) -> SSAValue:
        found, distance = _movable(value, name), _width(width, name) // 2
        while distance:
            other = _shuffled(t, "xor", found, t.index.value(distance), WARP)
            found, distance = t.elements.binary(sign, found, other), distance // 2
        return found

    return handler


WARPS: Mapping[str, Callable[..., SSAValue]] = {
    **{f"cuda.{name}": _shuffle(kind, f"T.cuda.{name}") for name, kind in SHUFFLE_NAMES.items()},
    **{f"cuda.{name}": _vote(kind, f"T.cuda.{name}") for name, kind in VOTE_NAMES.items()},
    **{f"cuda.{name}": _reduction(sign, f"T.cuda.{name}") for name, sign in REDUCTIONS.items()},
}
