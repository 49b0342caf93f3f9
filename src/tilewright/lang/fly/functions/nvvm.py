"""`fx.nvvm`: NVIDIA's operations: matrix products of a warp, `ldmatrix`, and copies that go on by themselves."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr

from tilewright.errors import KernelError, shown
from tilewright.ir.mlir.foreign import TEXT, foreign
from tilewright.lang.core.numerics.numeric import DTypeOf
from tilewright.lang.core.numerics.types import Float32
from tilewright.lang.core.trace import tracing
from tilewright.lang.fly.functions.operations import Operation, number_of_bits, type_name

__all__ = [
    "CpAsync",
    "CpAsync128b",
    "CpAsync32b",
    "CpAsync64b",
    "LdMatrix",
    "LdMatrixX1",
    "LdMatrixX2",
    "LdMatrixX4",
    "MmaSync",
    "commit_group",
    "cp_async_commit_group",
    "cp_async_wait_group",
    "wait_group",
]


def MmaSync(m: int, n: int, k: int, elem_ty_ab: DTypeOf, elem_ty_acc: DTypeOf | None = None) -> Operation:
    """A matrix product of a warp, of sm_80 and later: 16x8x16 of halves, summed in float32.

    Raises:
        LayoutError: there is no such instruction.
    """
    kind, total = type_name(elem_ty_ab), type_name(Float32 if elem_ty_acc is None else elem_ty_acc)
    return Operation(f"!fly_nvvm.sm80.mma.sync<{m}x{n}x{k}, ({kind}, {kind}) -> {total}>")


def CpAsync(bit_size: int) -> Operation:
    """A copy of global into shared memory that goes on by itself: of 32, 64 or 128 bits a lane."""
    return Operation(f"!fly_nvvm.sm80.cp.async<{number_of_bits(bit_size)}>")


def CpAsync32b() -> Operation:
    """Of 32 bits a lane."""
    return CpAsync(32)


def CpAsync64b() -> Operation:
    """Of 64 bits a lane."""
    return CpAsync(64)


def CpAsync128b() -> Operation:
    """Of 128 bits a lane."""
    return CpAsync(128)


def LdMatrix(num: int, trans: bool = False) -> Operation:
    """A read of shared memory by a warp: 1, 2 or 4 tiles of 8x8 elements of 16 bits, each transposed with `trans`."""
    return Operation(f"!fly_nvvm.sm75.ldmatrix<num = {number_of_bits(num)}, trans = {str(bool(trans)).lower()}>")


def LdMatrixX1(trans: bool = False) -> Operation:
    """Of one tile."""
    return LdMatrix(1, trans)


def LdMatrixX2(trans: bool = False) -> Operation:
    """Of two tiles."""
    return LdMatrix(2, trans)


def LdMatrixX4(trans: bool = False) -> Operation:
    """Of four tiles."""
    return LdMatrix(4, trans)


def commit_group() -> None:
    """The copies so far are a group."""
    tracing().emit(foreign("nvvm.cp.async.commit.group").create(attributes={TEXT: StringAttr("")}))


def wait_group(n: int) -> None:
    """Waits until at most so many groups are on their way.

    Raises:
        KernelError: it is no number that is known while tracing.
    """
    if not isinstance(n, int) or n < 0:
        raise KernelError(f"a number of groups is known while tracing, got {shown(n)}")
    tracing().emit(foreign("nvvm.cp.async.wait.group").create(attributes={TEXT: StringAttr(f" {n}")}))


cp_async_commit_group, cp_async_wait_group = commit_group, wait_group
