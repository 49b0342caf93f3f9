"""How a kernel is launched, and where in the source an op comes from."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.attributes import BLOCK, GRID
from tilewright.ir.location import place

MAX_THREADS = 1024
MAX_GRID = (2**31 - 1, 65535, 65535)
WARP = 32


@dataclass(frozen=True)
class Launch:
    """Blocks of a grid and threads of a block, (x, y, z) each; x counts fastest.

    >>> Launch((2, 3, 1), (32, 4, 1)).blocks, Launch((2, 3, 1), (32, 4, 1)).threads
    (6, 128)
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return prod(self.grid)

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return prod(self.block)

    @property
    def warps(self) -> int:
        """Warps of a block; the last one may be partly empty."""
        return -(-self.threads // WARP)

    @staticmethod
    def of(func: FuncOp) -> Launch:
        """What the function's attributes say.

        Raises:
            CompileError: an attribute is missing, or an extent is outside CUDA's limits.
        """
        launch = Launch(_extents(func, GRID), _extents(func, BLOCK))
        if launch.threads > MAX_THREADS:
            raise CompileError(f"{launch.block} makes {launch.threads} threads in a block; the limit is {MAX_THREADS}")
        if any(extent > limit for extent, limit in zip(launch.grid, MAX_GRID, strict=True)):
            raise CompileError(f"a grid of {launch.grid} blocks; the limits are {MAX_GRID}")
        return launch


def kernel_of(module: ModuleOp) -> FuncOp:
    """The one function of a module.

    Raises:
        CompileError: there is none, or there are several.
    """
    found = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    if len(found) != 1:
        raise CompileError(f"a kernel module holds one function, this one holds {len(found)}")
    return found[0]


def parameter_types(func: FuncOp) -> list[MemRefType[Any]]:
    """The flat memref types of the parameters.

    Raises:
        CompileError: a parameter of another type.
    """
    for argument in func.body.block.args:
        if not isinstance(argument.type, MemRefType) or len(argument.type.get_shape()) != 1:
            name = f"{parameter_name(argument)} of {func.sym_name.data!r}"
            raise CompileError(f"parameter {name} is a {argument.type}; a kernel takes flat memrefs")
    return [cast("MemRefType[Any]", argument.type) for argument in func.body.block.args]


def parameter_name(argument: SSAValue) -> str:
    """What a person calls a parameter."""
    return argument.name_hint or f"argument {getattr(argument, 'index', '')}"


def where(op: Operation) -> str:
    """The op's text and its place in the source, for the second line of a message."""
    text = " ".join(str(op).split("{", 1)[0].split()) if op.regions else str(op)
    return f"  in `{text}`{place(op)}"


def _extents(func: FuncOp, name: str) -> tuple[int, int, int]:
    found = func.attributes.get(name)
    values = tuple(found.get_values() if isinstance(found, DenseArrayBase) else ())
    if len(values) != 3 or min(values) < 1:
        raise CompileError(f"kernel {func.sym_name.data!r} needs an attribute {name} with three positive extents")
    return values[0], values[1], values[2]
