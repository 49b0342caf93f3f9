"""What the functions of the language do, by name: the table `CALLS`, loops, and tile primitives."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from inspect import signature
from math import isfinite
from typing import Any, NamedTuple

from xdsl.ir import SSAValue

from tilewright.dtypes import DTYPES, DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile import together
from tilewright.lang import buffers
from tilewright.lang.addresses import PointerTo, address_of, pointer_to
from tilewright.lang.atomics import ATOMIC_CALLS
from tilewright.lang.expressions import as_condition, is_element, same_type, select
from tilewright.lang.instructions import instruction
from tilewright.lang.names import Instruction, Name, Primitive
from tilewright.lang.regions import as_region
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import ON_CONSTANTS, Handle, Value, admit, int_tuple, is_constant, is_index, show
from tilewright.lang.warps import WARPS


def call(t: Tracer, node: ast.Call) -> Value:
    """The value of a call: a function of the language, a layout, or one of Python's few that make sense here."""
    function = t.visit(node.func)
    if isinstance(function, Primitive):
        return _primitive(t, function, node)
    if isinstance(function, Name) and function.path == "address_of":
        return address_of(t, node)
    if isinstance(function, PointerTo):
        return pointer_to(t, function, node)
    arguments = _evaluated(t, node)
    if isinstance(function, Instruction):
        return _bind(instruction(function.path), f"T.{function.path}", t, arguments)
    if isinstance(function, Name):
        handler = CALLS.get(function.path)
        if handler is None:
            raise KernelError(f"T.{function.path} cannot be called here")
        return _bind(handler, f"T.{function.path}", t, arguments)
    if any(function is known for known in ON_CONSTANTS):
        return _on_constants(function, arguments)
    raise KernelError(f"{show(function)} cannot be called in a kernel; T and Tx functions can")


NOT_FINITE = ("inf", "-inf", "nan")  # T.float32("inf")
# The types of numbers that a kernel can take.
NUMBERS = ("int32", "int64", "float32", "float64")


class Arguments(NamedTuple):
    """The arguments of a call."""

    positional: list[Any]
    named: dict[str, Any]


def _evaluated(t: Tracer, node: ast.Call) -> Arguments:
    given = _given(node)
    return Arguments([t.visit(item) for item in given.positional], {k: t.visit(v) for k, v in given.named.items()})


def _given(node: ast.Call) -> Arguments:
    if any(keyword.arg is None for keyword in node.keywords):
        raise KernelError("write the arguments out; `**` is not part of the kernel language")
    return Arguments(list(node.args), {str(keyword.arg): keyword.value for keyword in node.keywords})


def _bind(handler: Callable[..., Any], name: str, t: Tracer, arguments: Arguments) -> Any:
    try:
        bound = signature(handler).bind(t, *arguments.positional, **arguments.named)
    except TypeError as error:
        raise KernelError(f"{name}: {error}") from None
    return handler(*bound.args, **bound.kwargs)


def _on_constants(function: Callable[..., Any], arguments: Arguments) -> Value:
    values = (*arguments.positional, *arguments.named.values())
    if not all(map(is_constant, values)):
        raise KernelError(
            f"{function.__name__} takes constants; T.{function.__name__} takes run-time values, where it exists"
        )
    try:
        return admit(function(*arguments.positional, **arguments.named), function.__name__)
    except (TypeError, ValueError) as error:
        raise KernelError(str(error)) from error


class Loop(NamedTuple):
    """The (start, stop, step) of each variable of a `for`, and whether it is to be written out."""

    ranges: list[tuple[Index, Index, Index]]
    unroll: bool = False


def loop_over(t: Tracer, node: ast.expr) -> Loop:
    """What a `for` runs over: `range`, `T.serial`, `T.unroll` or `T.grid`.

    Raises:
        KernelError: something else.
    """
    if isinstance(node, ast.Call):
        function = t.visit(node.func)
        key = "range" if function is range else function.path if isinstance(function, Name) else ""
        if key in _LOOPS:
            made: Loop = _bind(_LOOPS[key], key if function is range else f"T.{key}", t, _evaluated(t, node))
            return made
    raise KernelError("a loop runs over range(..), T.serial(..), T.unroll(..) or T.grid(..)")


def view(t: Tracer, handle: Handle, annotation: ast.Call) -> SSAValue:
    """The buffer of a parameter that is annotated with `T.Buffer(shape, dtype, layout=..)`."""
    arguments = _evaluated(t, annotation)
    arguments.positional.insert(0, handle)
    made: SSAValue = _bind(buffers.match_buffer, "T.Buffer", t, arguments)
    made.name_hint = handle.name
    return made


def number(t: Tracer, handle: Handle, element: str) -> SSAValue:
    """The value of a parameter that is annotated with the type of a number; an integer is an index."""
    value = t.argument(handle, ir_type(dtype(element)))
    return t.elements.as_index(value) if dtype(element).is_integer else value


# ---- the launch


def _device_entry(t: Tracer) -> None:
    return None


def _cta_id(t: Tracer, extents: Value) -> Value:
    return _ids(t, extents, GRID, t.block, "b")


def _thread_id(t: Tracer, extents: Value) -> Value:
    return _ids(t, extents, BLOCK, t.thread, "t")


def _ids(t: Tracer, extents: Value, attribute: str, make: Callable[[str], SSAValue], letter: str) -> Value:
    counts = int_tuple(extents, "a launch extent")
    if not 1 <= len(counts) <= 3 or min(counts) < 1:
        raise KernelError(f"a launch has one to three extents of at least 1, got {list(counts)}")
    t.launch(attribute, counts)
    made = tuple(make(axis) for axis in "xyz"[: len(counts)])
    return made[0] if len(made) == 1 else made


def _warp_id(t: Tracer, extents: Value) -> Value:
    count, *more = int_tuple(extents, "the number of warps") or (0,)
    if more or count < 1:
        raise KernelError(f"T.warp_id takes one extent of at least 1, got {show(extents)}")
    t.launch(BLOCK, (count * WARP,))
    return t.index.div(t.thread("x"), WARP)


def _lane_id(t: Tracer, extents: Value = (WARP,)) -> Value:
    if int_tuple(extents, "the number of lanes") != (WARP,):
        raise KernelError(f"a warp has {WARP} lanes, got {show(extents)}")
    return t.index.mod(t.thread("x"), WARP)


# ---- loops


def _serial(t: Tracer, start: Value, stop: Value = None, step: Value = 1) -> Loop:
    lower, upper = (0, start) if stop is None else (start, stop)
    if not (is_index(lower) and is_index(upper)):
        raise KernelError(f"loop bounds are integers, got {show(lower)} and {show(upper)}")
    if type(step) is not int or step < 1:
        raise KernelError(f"a loop's step is a constant of at least 1, got {show(step)}")
    return Loop([(lower, upper, step)])


def _unroll(t: Tracer, start: Value, stop: Value = None, step: Value = 1) -> Loop:
    loop = _serial(t, start, stop, step)
    if not all(map(is_constant, loop.ranges[0])):
        raise KernelError("T.unroll needs constant bounds; T.serial takes run-time ones")
    return Loop(loop.ranges, unroll=True)


def _grid(t: Tracer, *extents: Value) -> Loop:
    return Loop([_serial(t, extent).ranges[0] for extent in extents])


_LOOPS: Mapping[str, Callable[..., Loop]] = {"range": _serial, "serial": _serial, "unroll": _unroll, "grid": _grid}


# ---- values


def _meta_var(t: Tracer, value: Value) -> Value:
    return value


def _cast(t: Tracer, value: Value, element: Value) -> SSAValue:
    if type(value) in (int, float, bool) or (isinstance(value, str) and value in NOT_FINITE):
        return t.elements.constant(_rounded(value, dtype(element)), dtype(element))
    if not (is_element(value) or is_index(value)):
        raise KernelError(f"cannot cast {show(value)}")
    return t.elements.as_index(value) if element == "index" else t.elements.cast(value, dtype(element))


def _rounded(value: Any, element: DType) -> Any:
    number = float(value) if isinstance(value, str) else value
    return int(number) if isinstance(number, float) and element.is_integer and isfinite(number) else number


def _if_then_else(t: Tracer, condition: Value, yes: Value, no: Value) -> Value:
    decided = as_condition(t, condition)
    return (yes if decided else no) if isinstance(decided, bool) else select(t, decided, yes, no)


def _extreme(sign: str, on_constants: Callable[..., Any]) -> Callable[..., Value]:
    def extreme(t: Tracer, left: Value, right: Value) -> Value:
        if is_constant(left) and is_constant(right):
            return _on_constants(on_constants, Arguments([left, right], {}))
        if is_index(left) and is_index(right):
            return t.elements.binary(sign, t.index.value(left), t.index.value(right))
        return t.elements.binary(sign, *same_type(t, left, right))

    return extreme


def _caster(name: str) -> Callable[..., SSAValue]:
    return lambda t, value: _cast(t, value, name)


# ---- synchronisation and primitives


def _warp_sync(t: Tracer) -> None:
    t.insert(together.SyncOp("warp"))


def _cta_sync(t: Tracer) -> None:
    t.insert(together.SyncOp("cta"))


def _bar(kind: str) -> Callable[..., None]:
    def handler(t: Tracer, barrier: Value, threads: Value) -> None:
        if not is_index(barrier) and type(barrier) is not int:
            raise KernelError(f"T.ptx.bar.{kind} takes the number of a barrier, got {show(barrier)}")
        if type(barrier) is int and not 0 <= barrier < together.BARRIERS:
            raise KernelError(f"a block has the barriers 0 to {together.BARRIERS - 1}, got {barrier}")
        if type(threads) is not int or threads < 1:
            raise KernelError(f"T.ptx.bar.{kind} takes a constant number of threads, got {show(threads)}")
        t.insert(together.BarOp(kind, t.index.value(barrier), threads))

    return handler


def _primitive(t: Tracer, name: Primitive, node: ast.Call) -> None:
    given = _given(node)
    variant = t.visit(given.named.pop("dispatch")) if "dispatch" in given.named else None
    if not isinstance(variant, str | None):
        raise KernelError(f"dispatch names a variant, got {show(variant)}")
    function = name.path.rpartition(".")[2]
    operands: list[ast.expr] = _bind(_OPERANDS[function], f"T.{name.path}", t, given)
    regions = [as_region(t, operand) for operand in operands]
    boxes = [t.insert(tile.RegionOp(r.buffer, r.starts, r.extents)).results[0] for r in regions]
    t.insert(tile.PRIMITIVES[function](name.scope, *boxes, variant=variant))


def _dst_src(t: Tracer, dst: ast.expr, src: ast.expr) -> list[ast.expr]:
    return [dst, src]


_OPERANDS: Mapping[str, Callable[..., list[ast.expr]]] = {"permute_layout": _dst_src}

CALLS: Mapping[str, Callable[..., Value]] = {
    "match_buffer": buffers.match_buffer,
    "alloc_buffer": buffers.alloc_buffer,
    "alloc_local": buffers.alloc_local,
    "alloc_shared": buffers.alloc_shared,
    "decl_buffer": buffers.decl_buffer,
    "SMEMPool": buffers.smem_pool,
    "SMEMPool.alloc": buffers.pool_alloc,
    "SMEMPool.alloc_mma": buffers.pool_alloc_mma,
    "SMEMPool.alloc_tcgen05_mma_AB": buffers.pool_alloc_mma,
    "SMEMPool.move_base_to": buffers.pool_move_base_to,
    "SMEMPool.commit": buffers.pool_commit,
    "device_entry": _device_entry,
    "cta_id": _cta_id,
    "thread_id": _thread_id,
    "warp_id": _warp_id,
    "lane_id": _lane_id,
    "meta_var": _meta_var,
    "cast": _cast,
    "if_then_else": _if_then_else,
    "min": _extreme("min", min),
    "max": _extreme("max", max),
    "cuda.warp_sync": _warp_sync,
    "cuda.cta_sync": _cta_sync,
    **WARPS,
    **ATOMIC_CALLS,
    **{f"ptx.bar.{kind}": _bar(kind) for kind in together.BAR_KINDS},
    **{name: _caster(name) for name in DTYPES},
}
