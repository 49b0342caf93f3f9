"""The items that each thread has for an operation of many threads: a number, or several in the order of the thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from types import FunctionType
from typing import ParamSpec, TypeAlias, TypeVar, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core import constructs
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import ReductionOp, Vector
from tilewright.lang.core.rewrite.functions import rewritten
from tilewright.lang.fly.functions import arith
from tilewright.lang.fly.functions.gpu import block_dim, shuffle_idx, thread_idx
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.values.base import expect

Items: TypeAlias = "NumericLike | Vector | Sequence[NumericLike]"
Tile: TypeAlias = "Numeric | Vector"
Join: TypeAlias = "ReductionOp | Callable[[Numeric, Numeric], object]"
State = TypeVar("State")
Given = ParamSpec("Given")
_JOINS: dict[ReductionOp, Callable[[Numeric, Numeric], object]] = {
    ReductionOp.ADD: lambda a, b: a + b,
    ReductionOp.MUL: lambda a, b: a * b,
    ReductionOp.MAX: lambda a, b: arith.max(a, b),
    ReductionOp.MIN: lambda a, b: arith.min(a, b),
}


def items_of(value: Items, dtype: type[Numeric] | None = None, count: int | None = None) -> list[Numeric]:
    """The numbers, of that type and as many as are said.

    Raises:
        KernelError: there are none, they differ in type, or another number of them.
    """
    given = list(value) if isinstance(value, Vector | list | tuple) else [value]
    found = [as_numeric(cast("NumericLike", x)) if dtype is None else _of_type(x, dtype) for x in given]
    if not found or (count is not None and len(found) != count):
        raise KernelError(
            f"a thread has {'at least one item' if count is None else f'{count} items'}, got {len(found)}"
        )
    if any(x.dtype is not found[0].dtype for x in found):
        raise KernelError(f"a thread's items are of one type, got {', '.join(str(x.dtype) for x in found)}")
    return found


def _of_type(value: object, dtype: type[Numeric]) -> Numeric:
    if isinstance(value, Numeric) and not value.is_static() and _loses(value.dtype, dtype):
        raise KernelError(f"items are {dtype}, got {value.dtype}; convert it with .to(fx.{dtype})")
    return dtype(value)


def _loses(given: type[Numeric], wanted: type[Numeric]) -> bool:
    return given.is_float != wanted.is_float or given.width > wanted.width


def is_tile(value: object) -> bool:
    """Several items, if only one of them."""
    return isinstance(value, Vector | list | tuple)


def as_given(items: Sequence[Numeric], like: object) -> Tile:
    """A vector of the items where `like` was several, else the one."""
    return Vector.from_elements(list(items)) if is_tile(like) else items[0]


def joined(op: Join, a: Numeric, b: Numeric) -> Numeric:
    """`a` and `b` by the operation, of their type.

    Raises:
        KernelError: `op` is none, or changes the type.
    """
    if isinstance(op, ReductionOp):
        return as_numeric(_JOINS[op](a, b))
    found = as_numeric(cast("NumericLike", called(op)(a, b)))
    if found.dtype is not a.dtype:
        raise KernelError(f"op gives {found.dtype} for two {a.dtype}s; convert it with .to(fx.{a.dtype})")
    return found


def folded(op: Join, items: Sequence[Numeric]) -> Numeric:
    """All items joined, from the first on."""
    return reduce(lambda a, b: joined(op, a, b), items)


def called(op: object) -> Callable[..., object]:
    """A user's function, with its branches and loops as a kernel's.

    Raises:
        KernelError: it is no function.
    """
    made = constructs.call(op)
    if not callable(made):
        raise KernelError(f"op is a fx.ReductionOp or a function of two numbers, got {shown(op)}")
    return cast("Callable[..., object]", made)


def selected(condition: object, yes: Numeric, no: Numeric) -> Numeric:
    """One of two numbers."""
    return as_numeric(as_numeric(cast("NumericLike", condition)).select(yes, no))


def chosen(at: Numeric, items: Sequence[Numeric]) -> Numeric:
    """The item of a number that run time knows."""
    found = items[-1]
    for number in range(len(items) - 2, -1, -1):
        found = selected(at == number, items[number], found)
    return found


def thread_number() -> Numeric:
    """The thread's number in its block."""
    (x, y, z), sizes = thread_idx, current_kernel().block
    if sizes is not None and sizes[1] * sizes[2] == 1:
        return x
    return as_numeric(x + block_dim.x * (y + block_dim.y * z))


def width_of(width: int | None) -> int:
    """Lanes of a group; those of a warp unless said.

    Raises:
        KernelError: no power of two up to the warp's lanes.
    """
    lanes = current_kernel().lanes
    if width is None:
        return lanes
    if isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= lanes or width & (width - 1):
        raise KernelError(f"a width is a power of two up to the warp's {lanes} lanes, got {shown(width)}")
    return width


def lane_of(width: int) -> Numeric:
    """The lane's number in its group."""
    return as_numeric(thread_number() % width)


def from_lane(value: Numeric, lane: NumericLike, width: int) -> Numeric:
    """What a lane of the group has."""
    return expect(shuffle_idx(value, lane, width), Numeric, "a lane's number")


def branched(function: Callable[Given, State]) -> Callable[Given, State]:
    """A function of ours with its branches and loops as a kernel's."""
    return cast("Callable[Given, State]", rewritten(cast(FunctionType, function), constructs))


def repeated(count: int, step: Callable[[State, Int32], State], state: State) -> State:
    """The state after that many steps, as a loop of run time."""
    return branched(_loop)(count, step, state)


def _loop(count: int, step: Callable[[State, Int32], State], state: State) -> State:
    for number in range(count):
        state = step(state, number)  # type: ignore[arg-type]  # a number of run time, once rewritten
    return state
