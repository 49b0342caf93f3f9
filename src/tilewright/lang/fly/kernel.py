"""`@flyc.kernel`: a function that a jit function launches, traced into a `gpu.func` of the module."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import FunctionType, MethodType
from typing import TypeAlias, cast

from xdsl.dialects import gpu
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, i32
from xdsl.ir import Attribute, Block, Region, SSAValue

from tilewright.errors import KernelError, shown
from tilewright.ir.core.conversions import INDEX
from tilewright.lang.core import constructs
from tilewright.lang.core.carried import constructed, extracted
from tilewright.lang.core.frames import here
from tilewright.lang.core.numerics.elements import INT32
from tilewright.lang.core.numerics.number import convert
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.pytree import flatten, is_leaf
from tilewright.lang.core.rewrite.functions import returning, rewritten
from tilewright.lang.core.trace import Trace, tracing
from tilewright.lang.fly import kernels
from tilewright.lang.fly.addresses import without_unused_addresses
from tilewright.lang.fly.annotations import ConstexprOf, Stream, is_constant, resolved
from tilewright.lang.fly.kernels import KernelBeingTraced, is_in_kernel, require_room
from tilewright.lang.fly.modules import Called, current_module
from tilewright.lang.fly.values.int_tuple import IntTuple
from tilewright.targets.launch import MAX_THREADS

__all__ = ["Kernel"]

Extents: TypeAlias = "NumericLike | IntTuple | Sequence[NumericLike | IntTuple]"
MODULE = "kernels"


class Kernel:
    """A kernel; called within a jit function it gives a `KernelCall`, which is launched.

    Args:
        function: its function.
        name: of its `gpu.func`, else the function's.
        known_block_size: the threads of a block.
    """

    def __init__(
        self, function: FunctionType, name: str | None = None, known_block_size: Sequence[int] | None = None
    ) -> None:
        self.function = function
        self.name = name or function.__name__
        self.known_block_size = None if known_block_size is None else _three(known_block_size, "known_block_size")
        self.__name__, self.__doc__, self.__wrapped__ = function.__name__, function.__doc__, function
        self.signature = inspect.signature(function)

    def __call__(self, *args: object, **named: object) -> KernelCall:
        """The kernel with its arguments.

        Raises:
            KernelError: no jit function is being traced, or the arguments are not the kernel's.
        """
        module = current_module()
        if is_in_kernel():
            raise KernelError("a kernel launches no kernel; a function with @flyc.jit launches one after the other")
        for word in ("unit_attrs", "value_attrs"):
            named.pop(word, None)
        try:
            bound = self.signature.bind(*args, **named)
        except TypeError as error:
            raise KernelError(f"{self.__name__}: {error}") from None
        bound.apply_defaults()
        called = self.__name__, here()
        module.waiting.append(called)
        return KernelCall(self, dict(bound.arguments), called)

    def __get__(self, instance: object, owner: type | None = None) -> object:
        """As a method: bound to its object."""
        return self if instance is None else MethodType(self, instance)


class KernelCall:
    """A kernel with its arguments, to be launched."""

    def __init__(self, kernel: Kernel, arguments: Mapping[str, object], called: Called) -> None:
        self.kernel, self.arguments, self.called = kernel, arguments, called

    def launch(
        self,
        *,
        grid: Extents = (1, 1, 1),
        block: Extents = (1, 1, 1),
        smem: NumericLike | None = None,
        stream: object = None,
        cluster: Extents | None = None,
        unit_attrs: object = None,
        value_attrs: object = None,
    ) -> None:
        """Launches blocks of threads.

        Args:
            grid: blocks along x, y, z.
            block: threads of a block along x, y, z.
            smem: bytes of shared memory that the launch sets aside for a block.
            stream: in whose order it runs; there is one order here.
            cluster: blocks of a cluster: one.
            unit_attrs, value_attrs: for a compiler; without effect here.

        Raises:
            KernelError: extents that are none, or less shared memory than the kernel allocates.
        """
        Stream.of(stream)
        if cluster is not None and [_known(x) for x in _three(cluster, "cluster")] != [1, 1, 1]:
            raise KernelError(f"clusters of {shown(cluster)} blocks: AMD's have one block, as (1, 1, 1)")
        blocks, threads = _three(grid, "grid"), _three(block, "block")
        known = self._block(threads)
        module = current_module()
        if self.called in module.waiting:
            module.waiting.remove(self.called)
        inside = KernelBeingTraced(self.kernel.name, known, module.lanes, module.arch)
        func, operands = _traced(self.kernel, self.arguments, inside, len(module.kernels))
        module.kernels.append(func)
        size = _shared(smem, inside)
        kernel = SymbolRefAttr(MODULE, [StringAttr(func.sym_name.data)])
        op = gpu.LaunchFuncOp(
            kernel,
            [_index(x) for x in blocks],
            [_index(x) for x in threads],
            None,
            operands,
            True,
            [module.token],
            None if size is None else convert(size.number, INT32).ssa(),
        )
        tracing().emit(op)

    def _block(self, threads: Sequence[Numeric]) -> tuple[int, int, int] | None:
        sizes = [_known(x) for x in threads]
        said = self.kernel.known_block_size
        x, y, z = sizes
        known = None if x is None or y is None or z is None else (x, y, z)
        if known is not None and prod(known) > MAX_THREADS:
            raise KernelError(f"a block of {known} is {prod(known)} threads; it has up to {MAX_THREADS}")
        if said is None:
            return known
        wanted = (int(said[0]), int(said[1]), int(said[2]))
        if known is not None and known != wanted:
            raise KernelError(f"{self.kernel.__name__} has known_block_size {wanted}, launched with blocks of {known}")
        return wanted


def _known(value: Numeric) -> int | None:
    return int(value) if value.is_static() else None


def _three(given: Extents, what: str) -> tuple[Numeric, Numeric, Numeric]:
    items = list(given) if isinstance(given, list | tuple) else [given]
    if not 1 <= len(items) <= 3:
        raise KernelError(f"{what} is one to three numbers, got {shown(given)}")
    numbers = [as_numeric(x) for x in items]
    if any(x.element.is_float for x in numbers) or any(x.is_static() and int(x) < 1 for x in numbers):
        raise KernelError(f"{what} is made of positive integers, got {shown(given)}")
    x, y, z = (*numbers, as_numeric(1), as_numeric(1))[:3]
    return x, y, z


def _index(value: Numeric) -> SSAValue:
    return convert(value.number, INDEX).ssa()


def _shared(smem: NumericLike | None, inside: KernelBeingTraced) -> Numeric | None:
    needed = inside.shared
    if smem is None:
        return as_numeric(needed) if needed else None
    size = as_numeric(smem)
    if size.element.is_float or (size.is_static() and int(size) < 0):
        raise KernelError(f"smem is a number of bytes, got {shown(smem)}")
    if size.is_static():
        require_room(int(size), inside)
    if needed and size.is_static() and int(size) < needed:
        raise KernelError(f"smem is {int(size)} bytes, but the kernel allocates {needed}")
    return size if not size.is_static() or int(size) else (as_numeric(needed) if needed else None)


# ---- tracing


def _traced(
    kernel: Kernel, arguments: Mapping[str, object], inside: KernelBeingTraced, number: int
) -> tuple[gpu.FuncOp, list[SSAValue]]:
    """The function, and what it is launched with."""
    body = Block()
    operands: list[SSAValue] = []
    values = {name: _parameter(kernel, name, value, body, operands) for name, value in arguments.items()}
    trace = Trace(body, kernel.name)
    with kernels.entered(inside), trace.entered():
        found = traced_from_here(kernel, values)
        if found is not None:
            why = f"a kernel gives nothing back, and nobody receives {shown(found)}; store it in memory"
            raise KernelError(why, returning(kernel.function))
        trace.emit(gpu.ReturnOp([]))
    without_unused_addresses(body)
    name = f"{kernel.name}_{number}"
    func = gpu.FuncOp(name, ([x.type for x in body.args], []), Region(body), True)
    if inside.block is not None:
        func.attributes["known_block_size"] = DenseArrayBase.from_list(i32, inside.block)
    return func, operands


def traced_from_here(kernel: Kernel, values: Mapping[str, object]) -> object:
    """Runs the kernel's function, rewritten for run time."""
    return call(rewritten(kernel.function, constructs), kernel.signature, values)


def call(function: Callable[..., object], signature: inspect.Signature, values: Mapping[str, object]) -> object:
    """Calls a function with values for its parameters by name."""
    args, named = list[object](), dict[str, object]()
    for name, kind in signature.parameters.items():
        if kind.kind is inspect.Parameter.VAR_POSITIONAL:
            args += cast("tuple[object, ...]", values.get(name, ()))
        elif kind.kind is inspect.Parameter.VAR_KEYWORD:
            named |= cast("dict[str, object]", values.get(name, {}))
        elif kind.kind is inspect.Parameter.KEYWORD_ONLY:
            named[name] = values[name]
        else:
            args.append(values[name])
    return function(*args, **named)


def _parameter(kernel: Kernel, name: str, value: object, body: Block, operands: list[SSAValue]) -> object:
    """An argument within the kernel: its leaves are parameters, of which what is known stays known."""
    annotation = resolved(kernel.signature.parameters[name].annotation, kernel.function)
    if is_constant(annotation):
        if isinstance(annotation, ConstexprOf):
            annotation.check(value, name)
        return value
    if isinstance(value, bool | int | float):
        if not (isinstance(annotation, type) and issubclass(annotation, Numeric)):
            said = f"{name} is Python's number {value!r}"
            raise KernelError(f"{said}: annotate it fx.Constexpr, or fx.Int32 for run time")
        if isinstance(value, float) and not annotation.is_float:
            raise KernelError(f"{name} is {annotation}, got the float {value}")
        value = annotation(value)
    elif isinstance(annotation, type) and issubclass(annotation, Numeric) and isinstance(value, Numeric):
        value = annotation(value)
    flat = flatten(value, name)
    return flat.rebuild([_leaf(path, leaf, body, operands) for path, leaf in zip(flat.names, flat.leaves, strict=True)])


def _leaf(name: str, leaf: object, body: Block, operands: list[SSAValue]) -> object:
    if not is_leaf(leaf):
        return leaf
    given = extracted(leaf)
    inner: list[SSAValue] = []
    for value in given:
        kind: Attribute = value.type
        argument = body.insert_arg(kind, len(body.args))
        argument.name_hint = _hint(name)
        inner.append(argument)
    operands += given
    return constructed(leaf, inner)


def _hint(name: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name).strip("_") or "arg"
