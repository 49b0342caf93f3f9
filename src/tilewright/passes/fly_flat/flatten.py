"""`fly-flatten`: every kernel becomes a function on flat memory and numbers, and its launches give it these.

A parameter that points into memory becomes that memory, of an extent known at run time only, and a number for each of
its type's run-time leaves; other parameters become their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import gpu
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, IndexType, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from tilewright.dtypes import dtype
from tilewright.ir.core.calls import inline
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.foreign import translate
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import is_shared, memories_of, pointer_of, space_of
from tilewright.ir.fly.types import MemRef
from tilewright.ir.tile.types import GLOBAL
from tilewright.layout.layout import Layout
from tilewright.passes.fly_flat.aligned import zeros_of
from tilewright.passes.fly_flat.carried import drop_unchanged
from tilewright.passes.fly_flat.flat import Flat, refused
from tilewright.passes.fly_flat.held import Held, places, types_of
from tilewright.passes.fly_flat.host import flatten_launches
from tilewright.passes.fly_flat.pointers import MOST_SHARED
from tilewright.passes.fly_flat.table import HANDLERS


@dataclass(frozen=True)
class FlattenFly(ModulePass):
    """Kernels of `fly` become flat; what a launch does stays the same.

    Raises:
        CompileError: a kernel has what flat code cannot say; names the op and its place.
    """

    name = "fly-flatten"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for func in [inner for inner in op.walk() if isinstance(inner, gpu.FuncOp)]:
            made = flattened(func)
            parent = func.parent_block()
            assert parent is not None
            parent.insert_op_after(made, func)
            parent.erase_op(func)
        flatten_launches(op)


def flattened(func: gpu.FuncOp) -> gpu.FuncOp:
    """The kernel, flat.

    Raises:
        CompileError: as of the pass.
    """
    work = func.clone()
    inline(work, func, is_shared)  # type: ignore[arg-type]  # a function with a name and a body
    translate(work)  # type: ignore[arg-type]  # likewise
    block = Block()
    out = Flat(block, memories_of(work), HANDLERS, MOST_SHARED)
    given = [parameter(out, argument, block, work) for argument in work.body.blocks[0].args]
    out.block(work.body.blocks[0], block, given)
    made = gpu.FuncOp(func.sym_name.data, FunctionType.from_lists([x.type for x in block.args], []), Region(block))
    made.properties.update({k: v for k, v in func.properties.items() if k not in ("function_type",)})
    made.attributes.update(func.attributes)
    made.location = func.location
    drop_unchanged(made)
    return made


def parameter_types(kind: Attribute) -> list[Attribute]:
    """The types of what a parameter becomes."""
    pointer = pointer_of(kind)
    if pointer is not None:
        memory = MemRefType(ir_type(dtype(pointer.element)), [DYNAMIC_INDEX])
        return [memory, *types_of(kind)[places(pointer) :]]
    return [i64 if isinstance(found, IndexType) else found for found in types_of(kind)]


def parameter(out: Flat, argument: SSAValue, block: Block, func: Operation) -> Held:
    """What a parameter is within: numbers, and the flat memory, that are parameters of the new function's block."""
    name, kind = argument.name_hint, argument.type
    made = [block.insert_arg(found, len(block.args)) for found in parameter_types(kind)]
    pointer = pointer_of(kind)
    if pointer is None:
        for number, value in enumerate(made):
            value.name_hint = name if len(made) == 1 or not name else f"{name}_{number}"
        return Held(tuple(out.as_index(x) if isinstance(kind, IndexType) else x for x in made))
    if space_of(pointer) != GLOBAL:
        raise refused(func, f"parameter {name} points into {pointer.space} memory, which a launch has none of")
    memory, *leaves = made
    memory.name_hint = name
    for value, hint in zip(leaves, _hints(kind), strict=True):
        value.name_hint = f"{name}_{hint}" if name else None
    out.memory[argument], out.aligned[memory] = memory, pointer.align
    out.zeros.given.update(zip(leaves, _zeros(kind), strict=True))
    return Held((out.index.value(0), *leaves), memory)


def _zeros(kind: Attribute) -> list[int]:
    """What a view's type says of its run-time leaves."""
    return [zeros_of(leaf.div) for leaf in run_time_leaves(kind.value)] if isinstance(kind, FlyType) else []


def _hints(kind: Attribute) -> list[str]:
    """What the run-time leaves of a pointer's or view's type are called."""
    value = kind.value if isinstance(kind, FlyType) else None
    leaves = len(types_of(kind)) - places(pointer) if (pointer := pointer_of(kind)) is not None else 0
    layout = value.layout if isinstance(value, MemRef) else None
    extents = len(run_time_leaves(layout.shape)) if isinstance(layout, Layout) else 0
    return [f"shape{i}" if i < extents else f"stride{i - extents}" for i in range(leaves)]
