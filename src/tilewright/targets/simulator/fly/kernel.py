"""A `fly` kernel for a launch: the function of a module, with its memory flat and its layouts' integers known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.dtypes import dtype
from tilewright.errors import CompileError, UsageError
from tilewright.ir.core.attributes import BLOCK, DYNAMIC, GRID
from tilewright.ir.core.calls import inline
from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import erase
from tilewright.ir.fly.argument import ArgumentOp
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.foreign import translate
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import is_declared, is_shared, pointer_of, space_of
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.types import Pointer
from tilewright.ir.mlir.gpu import ATTRIBUTIONS, attributed
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.simulator.agents.waits import WAITS
from tilewright.targets.simulator.fly.arithmetic import ARITHMETIC_HANDLERS
from tilewright.targets.simulator.fly.copies import COPY_HANDLERS
from tilewright.targets.simulator.fly.elements import ELEMENT_HANDLERS
from tilewright.targets.simulator.fly.functions import FUNCTION_HANDLERS
from tilewright.targets.simulator.fly.ids import ID_HANDLERS
from tilewright.targets.simulator.fly.layouts import LAYOUT_HANDLERS
from tilewright.targets.simulator.fly.memrefs import MEMREF_HANDLERS
from tilewright.targets.simulator.fly.named import NAMED_HANDLERS, name_known
from tilewright.targets.simulator.fly.parts import PART_HANDLERS
from tilewright.targets.simulator.fly.pointers import POINTER_HANDLERS
from tilewright.targets.simulator.fly.printing import PRINT_HANDLERS
from tilewright.targets.simulator.fly.products import PRODUCT_HANDLERS
from tilewright.targets.simulator.program import Handler
from tilewright.targets.simulator.simulate import HANDLERS

Function: TypeAlias = "FuncOp | gpu.FuncOp"
STRUCTURE = "llvm.struct"  # the type by its name: its dialect is loaded where a text speaks of it

_PLAIN: Mapping[type[Operation], Handler] = MappingProxyType(
    {
        **HANDLERS,
        **ARITHMETIC_HANDLERS,
        **PART_HANDLERS,
        **FUNCTION_HANDLERS,
        **ID_HANDLERS,
        **NAMED_HANDLERS,
        **LAYOUT_HANDLERS,
        **POINTER_HANDLERS,
        **ELEMENT_HANDLERS,
        **COPY_HANDLERS,
        **PRODUCT_HANDLERS,
        **PRINT_HANDLERS,
        **MEMREF_HANDLERS,
    }
)


class _Handlers(Mapping[type[Operation], Handler]):
    """Those of each op; of structures once one is asked for, as their dialect takes a sixth of all that is imported."""

    def __getitem__(self, kind: type[Operation]) -> Handler:
        return (_of_structures() if kind.name.startswith("llvm.") else _PLAIN)[kind]

    def __iter__(self) -> Iterator[type[Operation]]:
        return chain(_PLAIN, _of_structures())

    def __len__(self) -> int:
        return len(_PLAIN) + len(_of_structures())


def _of_structures() -> Mapping[type[Operation], Handler]:
    from tilewright.targets.simulator.fly.structures import STRUCTURE_HANDLERS

    return STRUCTURE_HANDLERS


FLY_HANDLERS: Mapping[type[Operation], Handler] = _Handlers()
"""How each op runs."""


@dataclass(frozen=True)
class Given:
    """What a parameter is given before it runs: the elements of its memory, the integers of its run-time leaves."""

    size: int | None = None
    numbers: tuple[int, ...] = ()


def parameter_leaves(kind: Attribute) -> int:
    """How many integers a parameter of the type needs beside its memory."""
    if kind.name == STRUCTURE:
        from tilewright.targets.simulator.fly.structures import fields_of

        return fields_of(kind)
    return len(run_time_leaves(kind.value)) if isinstance(kind, FlyType) else 0


def is_fly(func: Function) -> bool:
    """Is it a kernel of fly, or of `gpu`, which the simulator takes as such?"""
    if isinstance(func, gpu.FuncOp):
        return True
    values = [value for op in func.walk() for value in (*op.operands, *op.results)]
    return any(isinstance(value.type, FlyType) for value in (*func.body.block.args, *values))


def launched(
    func: Function,
    given: Sequence[Given],
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared: int | None = None,
) -> ModuleOp:
    """The module that the simulator runs, with `FLY_HANDLERS`: the function alone, for these arguments.

    Its parameters are those with memory, as flat memory, and numbers; the others are known. Ops on layouts that
    nobody needs are gone.

    Args:
        given: for each parameter of the function.
        shared: the bytes of shared memory that the launch sets aside.

    Raises:
        CompileError: a parameter that no argument can be given for, or a function that calls itself.
        UsageError: an argument that does not fit.
    """
    body = func.body.clone()
    made = FuncOp(func.sym_name.data, ((), ()), body)
    made.location = func.location
    inline(made, func, is_shared)
    _own_memory(func, body)
    builder = Builder(InsertPoint.at_start(body.blocks[0]))
    kept: list[Attribute] = []
    for number, (argument, one) in enumerate(zip(list(body.blocks[0].args), given, strict=True)):
        name = argument.name_hint or f"arg{number}"
        new, value = _parameter(argument, name, one, builder, len(kept), body, func)
        if new is not None:
            new.name_hint = name
            kept.append(new.type)
        if value is not argument:
            value.name_hint = name
            argument.replace_all_uses_with(value)
            body.blocks[0].erase_arg(argument)
    made.properties["function_type"] = FunctionType.from_lists(kept, [])
    for key, extents in ((GRID, grid), (BLOCK, block)):
        made.attributes[key] = DenseArrayBase.from_list(i64, extents)
    if shared is not None:
        made.attributes[DYNAMIC] = IntegerAttr(shared, i64)
    translate(made)
    name_known(made)
    _drop_unused(body.blocks)
    _name(made)
    return ModuleOp([made])


def _own_memory(func: Function, body: Region) -> None:
    """What a function has for itself (`workgroup`, `private`) is allocated where it begins."""
    block = body.blocks[0]
    for argument in block.args[inputs(func) :]:
        if not isinstance(argument.type, MemRefType) or not is_declared(argument.type):
            text = f"memory of a function's own needs the address space workgroup or private, not {argument.type}"
            raise CompileError(f"{text}\n{place(func)}")
        made = memref.AllocaOp.get(argument.type.element_type, None, argument.type.get_shape())
        made.results[0]._type = argument.type
        made.location, made.memref.name_hint = func.location, argument.name_hint
        block.insert_ops_before([made], first) if (first := block.first_op) is not None else block.add_op(made)
        argument.replace_all_uses_with(made.memref)
        block.erase_arg(argument)


def inputs(func: Function) -> int:
    """How many parameters the function has, without the memory of its own."""
    own = 0 if isinstance(func, FuncOp) else sum(attributed(func, word) for word in ATTRIBUTIONS)
    return len(func.body.blocks[0].args) - own


def _name(func: FuncOp) -> None:
    """Memory without a name is called by where it lies."""
    for op in func.walk():
        if isinstance(op, memref.GetGlobalOp):
            op.memref.name_hint = op.memref.name_hint or op.name_.root_reference.data
        pointer = pointer_of(op.results[0].type) if isinstance(op, FlyOp) and op.results else None
        if pointer is not None and op.results[0].name_hint is None:
            op.results[0].name_hint = {"register": "registers", "shared": "shared_memory"}.get(pointer.space)


def _drop_unused(blocks: Iterable[Block]) -> None:
    """Removes what only works out layouts and numbers for nobody."""
    for block in blocks:
        for op in reversed(list(block.ops)):
            for region in op.regions:
                _drop_unused(region.blocks)
            if isinstance(op, FlyOp | ArgumentOp) and is_pure(op) and not any(r.first_use for r in op.results):
                erase(op)


def _parameter(
    argument: SSAValue, name: str, given: Given, builder: Builder, at: int, body: Region, func: Function
) -> tuple[SSAValue | None, SSAValue]:
    """The new parameter, where there is one, and the value that the kernel has."""
    kind, block = argument.type, body.blocks[0]
    if isinstance(kind, IndexType):
        new = block.insert_arg(i64, at)
        return new, builder.insert(arith.IndexCastOp(new, kind)).result
    if not isinstance(kind, FlyType) and kind.name != STRUCTURE:
        return argument, argument
    wanted = parameter_leaves(kind)
    if len(given.numbers) != wanted:
        raise UsageError(f"parameter {name} is a {kind}: it needs {wanted} integers, got {len(given.numbers)}")
    pointer = pointer_of(kind)
    if pointer is None:
        return None, builder.insert(ArgumentOp.of(None, given.numbers, kind)).result
    require_global(name, pointer, func)
    if given.size is None:
        raise UsageError(f"parameter {name} is a {kind}: say how many elements it points at")
    new = block.insert_arg(MemRefType(ir_type(dtype(pointer.element)), [given.size]), at)
    return new, builder.insert(ArgumentOp.of(new, given.numbers, kind)).result


def require_global(name: str, pointer: Pointer, func: Function) -> None:
    """Raises `CompileError` for a parameter that points elsewhere than into global memory."""
    if space_of(pointer) != GLOBAL:
        text = f"parameter {name} points into {pointer.space} memory, which a launch has none of"
        raise CompileError(f"{text}\n{place(func)}")


def unknown(ops: Iterable[Operation]) -> list[Operation]:
    """The ops that the simulator has no meaning for."""
    return [op for op in ops if type(op) not in FLY_HANDLERS and type(op) not in WAITS]
