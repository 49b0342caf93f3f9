"""Calls: of functions of the language by their table, of tile primitives, and of Python's few that make sense here."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar, cast

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.tile import ops as tile
from tilewright.lang.addresses import PointerTo, VectorLoad, VectorStore, ViewOf, pointer_to
from tilewright.lang.buffers import match_buffer
from tilewright.lang.conversions import on_constants
from tilewright.lang.expressions import spread
from tilewright.lang.functions import BY_NAME
from tilewright.lang.instructions import instruction, spelled
from tilewright.lang.known import is_known, on_known
from tilewright.lang.loops import LOOPS, Loop
from tilewright.lang.machines import FUNCTIONS as MACHINES
from tilewright.lang.machines import require, require_words
from tilewright.lang.methods import METHODS
from tilewright.lang.names import Instruction, Name, Primitive
from tilewright.lang.regions import as_region
from tilewright.lang.rows import bound
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import ON_CONSTANTS, Handle, Value, show

Of = TypeVar("Of")
# The types of numbers that a kernel can take.
NUMBERS = ("int32", "int64", "float32", "float64")


def called(t: Tracer, function: Value, node: ast.Call) -> Value:
    """The value of a call: a function of the language, a layout, or one of Python's few that make sense here."""
    if isinstance(function, Primitive):
        _primitive(t, function, node)
        return None
    if isinstance(function, PointerTo):
        return pointer_to(t, function, node)
    if isinstance(function, VectorLoad | VectorStore | ViewOf):
        given, method = _given(node), METHODS[type(function)]
        return bound(method.build, method.name, t, [function, *given.positional], given.named)
    if isinstance(function, Instruction):
        require_words(t, spelled(function.path))
        return bound(instruction(function.path), f"T.{function.path}", t, *evaluated(t, node))
    if isinstance(function, Name):
        return _function(t, function, node)
    if is_known(function):
        arguments = evaluated(t, node)
        return on_known(cast("Callable[..., object]", function), *arguments.positional, **arguments.named)
    known = next((known for known in ON_CONSTANTS if function is known), None)
    if known is not None:
        arguments = evaluated(t, node)
        return on_constants(known, *arguments.positional, **arguments.named)
    raise KernelError(f"{show(function)} cannot be called in a kernel; T and Tx functions can")


def _function(t: Tracer, name: Name, node: ast.Call) -> Value:
    row = BY_NAME.get(name.path)
    if row is None:
        raise KernelError(f"T.{name.path} cannot be called here")
    if row.name in MACHINES:
        require(t, *MACHINES[row.name])
    positional, named = _given(node) if row.lazy else evaluated(t, node)
    return bound(row.build, f"T.{row.name}", t, positional, named)


class Arguments(NamedTuple, Generic[Of]):
    """The arguments of a call, as syntax or as values."""

    positional: list[Of]
    named: dict[str, Of]


def evaluated(t: Tracer, node: ast.Call) -> Arguments[Value]:
    """The arguments of a call, evaluated."""
    given = _given(node)
    positional = [value for item in given.positional for value in spread(t, item)]
    return Arguments(positional, {k: t.visit(v) for k, v in given.named.items()})


def _given(node: ast.Call) -> Arguments[ast.expr]:
    if any(keyword.arg is None for keyword in node.keywords):
        raise KernelError("write the arguments out; `**` is not part of the kernel language")
    return Arguments(list(node.args), {str(keyword.arg): keyword.value for keyword in node.keywords})


def loop_over(t: Tracer, node: ast.expr) -> Loop:
    """What a `for` runs over: `range`, `T.serial`, `T.unroll` or `T.grid`.

    Raises:
        KernelError: something else.
    """
    if isinstance(node, ast.Call):
        function = t.visit(node.func)
        key = "range" if function is range else function.path if isinstance(function, Name) else ""
        if key in LOOPS:
            given = evaluated(t, node)
            return bound(LOOPS[key], key if function is range else f"T.{key}", t, *given)
    raise KernelError("a loop runs over range(..), T.serial(..), T.unroll(..) or T.grid(..)")


def view(t: Tracer, handle: Handle, annotation: ast.Call) -> SSAValue:
    """The buffer of a parameter that is annotated with `T.Buffer(shape, dtype, layout=..)`."""
    given = evaluated(t, annotation)
    made = bound(match_buffer, "T.Buffer", t, [handle, *given.positional], given.named)
    made.name_hint = handle.name
    return made


def number(t: Tracer, handle: Handle, element: str) -> SSAValue:
    """The value of a parameter that is annotated with the type of a number; an integer is an index."""
    value = t.argument(handle, ir_type(dtype(element)))
    return t.elements.as_index(value) if dtype(element).is_integer else value


def _primitive(t: Tracer, name: Primitive, node: ast.Call) -> None:
    given = _given(node)
    variant = t.visit(given.named.pop("dispatch")) if "dispatch" in given.named else None
    if not isinstance(variant, str | None):
        raise KernelError(f"dispatch names a variant, got {show(variant)}")
    function = name.path.rpartition(".")[2]
    operands = bound(_OPERANDS[function], f"T.{name.path}", t, *given)
    regions = [as_region(t, operand) for operand in operands]
    boxes = [t.insert(tile.RegionOp(r.buffer, r.starts, r.extents)).results[0] for r in regions]
    t.insert(tile.PRIMITIVES[function](name.scope, *boxes, variant=variant))


def _dst_src(t: Tracer, dst: ast.expr, src: ast.expr) -> list[ast.expr]:
    return [dst, src]


_OPERANDS: Mapping[str, Callable[..., list[ast.expr]]] = {"permute_layout": _dst_src}
