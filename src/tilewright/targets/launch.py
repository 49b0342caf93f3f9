"""How a kernel is launched, and where in the source an op comes from."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    i1,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BLOCK, CLUSTER, GRID
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import BINARY, SIGNED, predicate_of
from tilewright.ir.core.location import place, shown
from tilewright.ir.tile.bulk import TensorMapType

Extents: TypeAlias = "tuple[int, int, int]"

MAX_THREADS = 1024
MAX_CLUSTER = 16
ANY_SIZE = DYNAMIC_INDEX
MAX_GRID = (2**31 - 1, 65535, 65535)
_LOGIC = tuple(row.op for row in BINARY if "bool" in row.kinds)


@dataclass(frozen=True)
class Launch:
    """Blocks of a grid and threads of a block, (x, y, z) each; x counts fastest. So many blocks along x are a cluster.

    >>> Launch((2, 3, 1), (32, 4, 1)).blocks, Launch((2, 3, 1), (32, 4, 1)).threads
    (6, 128)
    """

    grid: Extents
    block: Extents
    cluster: int = 1

    @property
    def blocks(self) -> int:
        """Blocks of the grid."""
        return prod(self.grid)

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return prod(self.block)

    def warps(self, lanes: int) -> int:
        """Warps of so many lanes in a block; the last one may be partly empty."""
        return -(-self.threads // lanes)

    @staticmethod
    def of(func: FuncOp) -> Launch:
        """What the function's attributes say.

        Raises:
            CompileError: an attribute is missing, or an extent is outside CUDA's limits.
        """
        return Launch(_extents(func, GRID), _extents(func, BLOCK), cluster_of(func)).checked()

    def checked(self) -> Launch:
        """The same.

        Raises:
            CompileError: an extent is outside CUDA's limits.
        """
        if not 1 <= self.cluster <= MAX_CLUSTER or self.grid[0] % self.cluster:
            text = f"clusters of {self.cluster} blocks in a grid of {self.grid}"
            raise CompileError(f"{text}; they have up to {MAX_CLUSTER}")
        if self.threads > MAX_THREADS:
            raise CompileError(f"{self.block} makes {self.threads} threads in a block; the limit is {MAX_THREADS}")
        if any(extent > limit for extent, limit in zip(self.grid, MAX_GRID, strict=True)):
            raise CompileError(f"a grid of {self.grid} blocks; the limits are {MAX_GRID}")
        return self


def cluster_of(func: FuncOp) -> int:
    """Blocks of a cluster."""
    found = func.attributes.get(CLUSTER)
    return found.value.data if isinstance(found, IntegerAttr) else 1


def shape_of(func: FuncOp) -> Launch:
    """As `Launch.of`; a grid that the launch says is one block here, such a block as many threads as there may be."""
    grid = _extents(func, GRID) if GRID in func.attributes else (cluster_of(func), 1, 1)
    block = _extents(func, BLOCK) if BLOCK in func.attributes else (MAX_THREADS, 1, 1)
    return Launch(grid, block, cluster_of(func)).checked()


def kernel_of(module: ModuleOp) -> FuncOp:
    """The one function of a module.

    Raises:
        CompileError: there is none, or there are several.
    """
    found = [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]
    if len(found) != 1:
        raise CompileError(f"a kernel module holds one function, this one holds {len(found)}")
    return found[0]


@dataclass(frozen=True)
class Parameter:
    """What a kernel takes: `size` elements of memory, or one number, of which `size` is None, or a tensor `map`.

    Of memory whose size only an argument tells it is `ANY_SIZE`.
    """

    name: str
    element: DType
    size: int | None
    map: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array that it is bound to."""
        return () if self.size is None else (self.size,)

    @property
    def c_type(self) -> str:
        """Its type in C."""
        return self.element.c_name + "*" * (self.size is not None)


def parameters_of(func: FuncOp, maps: bool = False) -> list[Parameter]:
    """The parameters of a kernel.

    Raises:
        CompileError: one that is neither flat memory nor a number, nor, where they are taken, a tensor map.
    """
    return [_parameter(func, argument, maps) for argument in func.body.block.args]


def _parameter(func: FuncOp, argument: SSAValue, maps: bool) -> Parameter:
    name, kind = parameter_name(argument), argument.type
    if isinstance(kind, TensorMapType) and maps:
        return Parameter(name, dtype("uint8"), None, map=True)
    if isinstance(kind, MemRefType) and len(kind.get_shape()) == 1:
        return Parameter(name, element_dtype(kind.element_type), kind.get_shape()[0])
    if isinstance(kind, IntegerType | AnyFloat):
        return Parameter(name, element_dtype(kind), None)
    raise CompileError(
        f"parameter {name} of {func.sym_name.data!r} is a {kind}; a kernel takes flat memrefs and numbers"
    )


def parameter_name(argument: SSAValue) -> str:
    """What a person calls a parameter."""
    return argument.name_hint or f"argument {getattr(argument, 'index', '')}"


def refuse_bool_arithmetic(op: Operation) -> None:
    """Raises `CompileError` for arithmetic on `i1`, where MLIR's `true` is -1 and C's is 1.

    Logic, choices, casts, equality and unsigned comparisons read it alike.
    """
    if any(operand.type == i1 for operand in op.operands) and not _reads_bools(op):
        raise CompileError(f"{op.name} is not defined on bool; cast to an integer first\n{where(op)}")


def _reads_bools(op: Operation) -> bool:
    if isinstance(op, arith.CmpiOp):
        return predicate_of(op).reads != SIGNED
    return not isinstance(op, arith.SignlessIntegerBinaryOperation) or isinstance(op, _LOGIC)


def where(op: Operation) -> str:
    """Its place with the line of the source, for the lines of a message behind the first; else the op's own text."""
    return shown(op) or described(op)


def described(op: Operation) -> str:
    """The op's own text and its place."""
    text = " ".join(str(op).split("{", 1)[0].split()) if op.regions else str(op)
    return f"  in `{text}`{place(op)}"


def _extents(func: FuncOp, name: str) -> Extents:
    found = func.attributes.get(name)
    values = tuple(found.get_values() if isinstance(found, DenseArrayBase) else ())
    if len(values) != 3 or min(values) < 1:
        raise CompileError(f"kernel {func.sym_name.data!r} needs an attribute {name} with three positive extents")
    return values[0], values[1], values[2]
