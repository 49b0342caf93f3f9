"""`fx.rocdl`: AMD's operations and hints. Those that move or multiply run on the simulator; hints have no effect."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import StringAttr

from tilewright.errors import KernelError
from tilewright.ir.mlir.foreign import TEXT, foreign
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, numeric_type
from tilewright.lang.core.numerics.types import Float32, Int32
from tilewright.lang.core.trace import tracing
from tilewright.lang.fly.functions.operations import Operation, number_of_bits, type_name
from tilewright.lang.fly.values.enums import AtomicOp
from tilewright.runtime.device import get_rocm_arch

__all__ = [
    "BufferAtomic",
    "BufferAtomicAdd",
    "BufferAtomicMax",
    "BufferAtomicMin",
    "BufferAtomicPkAdd",
    "BufferCopy",
    "BufferCopy128b",
    "BufferCopy16b",
    "BufferCopy32b",
    "BufferCopy64b",
    "BufferCopy8b",
    "BufferCopyLDS",
    "BufferCopyLDS128b",
    "BufferCopyLDS32b",
    "BufferCopyLDS64b",
    "MFMA",
    "WMMA",
    "asyncmark",
    "disable_xdl_arb_stall",
    "iglp_opt",
    "mask_dsrd",
    "mask_dswr",
    "mask_mfma",
    "mask_vmem_rd",
    "require_lds_dma_support",
    "s_barrier",
    "s_nop",
    "s_setprio",
    "s_sleep",
    "s_wait_asynccnt",
    "s_wait_dscnt",
    "s_wait_loadcnt",
    "s_wait_storecnt",
    "s_waitcnt",
    "sched_agpr",
    "sched_bank",
    "sched_barrier",
    "sched_dsrd",
    "sched_dswr",
    "sched_group_barrier",
    "sched_mfma",
    "sched_sgpr",
    "sched_vgpr",
    "sched_vmem",
    "wait_asyncmark",
]

mask_mfma, mask_vmem_rd, mask_dsrd, mask_dswr = 0x8, 0x20, 0x100, 0x200


def BufferCopy(bit_size: int, cache_modifier: int = 0) -> Operation:
    """A copy of so many bits by each thread, from or to a buffer."""
    cache = f", cache = {cache_modifier}" if cache_modifier else ""
    return Operation(f"!fly_rocdl.cdna3.buffer_copy<{number_of_bits(bit_size)}{cache}>")


def BufferCopy8b(cache_modifier: int = 0) -> Operation:
    """A copy of 8 bits, from or to a buffer."""
    return BufferCopy(8, cache_modifier)


def BufferCopy16b(cache_modifier: int = 0) -> Operation:
    """A copy of 16 bits, from or to a buffer."""
    return BufferCopy(16, cache_modifier)


def BufferCopy32b(cache_modifier: int = 0) -> Operation:
    """A copy of 32 bits, from or to a buffer."""
    return BufferCopy(32, cache_modifier)


def BufferCopy64b(cache_modifier: int = 0) -> Operation:
    """A copy of 64 bits, from or to a buffer."""
    return BufferCopy(64, cache_modifier)


def BufferCopy128b(cache_modifier: int = 0) -> Operation:
    """A copy of 128 bits, from or to a buffer."""
    return BufferCopy(128, cache_modifier)


def BufferCopyLDS(bit_size: int) -> Operation:
    """A copy of a buffer into shared memory, without registers: the wave's lanes one after the other."""
    return Operation(f"!fly_rocdl.cdna3.buffer_copy_lds<{number_of_bits(bit_size)}>")


def BufferCopyLDS32b() -> Operation:
    """A copy of 32 bits a lane of a buffer into shared memory."""
    return BufferCopyLDS(32)


def BufferCopyLDS128b() -> Operation:
    """A copy of 128 bits a lane of a buffer into shared memory."""
    return BufferCopyLDS(128)


def BufferAtomic(atomic_op: AtomicOp | str, val_type: DTypeOf) -> Operation:
    """An atomic operation on a buffer."""
    word = atomic_op.value if isinstance(atomic_op, AtomicOp) else str(atomic_op)
    return Operation(f"!fly_rocdl.cdna3.buffer_atomic<{word}, {type_name(val_type)}>")


def BufferAtomicAdd(val_type: DTypeOf) -> Operation:
    """An atomic sum into a buffer."""
    return BufferAtomic(AtomicOp.Add, val_type)


def BufferAtomicMax(val_type: DTypeOf) -> Operation:
    """An atomic maximum in a buffer."""
    return BufferAtomic(AtomicOp.Max, val_type)


def BufferAtomicMin(val_type: DTypeOf) -> Operation:
    """An atomic minimum in a buffer."""
    return BufferAtomic(AtomicOp.Min, val_type)


def BufferAtomicPkAdd(val_type: DTypeOf) -> Operation:
    """An atomic sum of pairs of 16-bit floats into a buffer."""
    return Operation(f"!fly_rocdl.cdna3.buffer_atomic<add, vector<2x{type_name(val_type)}>>")


def WMMA(
    m: int,
    n: int,
    k: int,
    elem_ty_ab: DTypeOf,
    elem_ty_acc: DTypeOf | None = None,
    *,
    elem_ty_b: DTypeOf | None = None,
    sign_a: bool | None = None,
    sign_b: bool | None = None,
    clamp: bool | None = None,
    mod_c: int = 0,
) -> Operation:
    """A matrix product of a wave of 32 lanes, of RDNA.

    Args:
        sign_a, sign_b: are integers read with a sign?
        clamp: does an integer sum stay within its type?
        mod_c: what is done to the sum before; nothing.

    Raises:
        KernelError: the target is no RDNA. LayoutError: there is no such instruction.
    """
    arch = get_rocm_arch()
    family = next((name for start, name in _WMMA.items() if arch.startswith(start)), None)
    if family is None:
        raise KernelError(f"WMMA is of gfx11 and gfx12, and the target is {arch}; MFMA is CDNA's")
    if mod_c:
        raise KernelError(f"mod_c is 0 on {arch}, got {mod_c}")
    a, b = type_name(elem_ty_ab), type_name(elem_ty_b if elem_ty_b is not None else elem_ty_ab)
    acc = type_name(elem_ty_acc if elem_ty_acc is not None else Float32 if numeric_type(elem_ty_ab).is_float else Int32)
    said = {"signA": sign_a, "signB": sign_b, "clamp": clamp}
    more = "".join(f", {name} = {str(value).lower()}" for name, value in said.items() if value is not None)
    return Operation(f"!fly_rocdl.{family}.wmma<{m}x{n}x{k}, ({a}, {b}) -> {acc}{more}>")


_WMMA = {"gfx11": "gfx11", "gfx12": "gfx120x"}


def MFMA(m: int, n: int, k: int, elem_ty_ab: DTypeOf, elem_ty_acc: DTypeOf | None = None) -> Operation:
    """A matrix product of a wave of 64 lanes: (m, k) by (k, n), with an accumulator of f32, of i32 for i8.

    Raises:
        LayoutError: there is no such instruction.
    """
    kind = numeric_type(elem_ty_ab)
    acc = type_name(elem_ty_acc if elem_ty_acc is not None else Float32 if kind.is_float else Int32)
    return Operation(f"!fly_rocdl.cdna3.mfma<{m}x{n}x{k}, ({type_name(kind)}, {type_name(kind)}) -> {acc}>")


# ---- hints and waits


def hint(name: str, *numbers: int) -> None:
    """An op of AMD's that orders or waits, which the simulator does by itself."""
    text = f" {', '.join(map(str, numbers))}" if numbers else ""
    tracing().emit(foreign(f"rocdl.{name}").create(attributes={TEXT: StringAttr(text)}))


def s_waitcnt(
    bitfield: int | None = None, *, vmcnt: int | None = None, lgkmcnt: int | None = None, expcnt: int | None = None
) -> None:
    """Waits for accesses that are on their way; here they are done at once."""
    if bitfield is not None and (vmcnt, lgkmcnt, expcnt) != (None, None, None):
        raise KernelError("s_waitcnt takes a bit field, or counts")
    hint("s.waitcnt", 0 if bitfield is None else bitfield)


def asyncmark() -> None:
    """Marks the copies that are on their way."""
    hint("asyncmark")


def wait_asyncmark(count: int = 0) -> None:
    """Waits until so many marks are left."""
    hint("wait.asyncmark", count)


def sched_barrier(mask: int) -> None:
    """A hint to a scheduler."""
    hint("sched.barrier", mask)


def sched_group_barrier(mask: int, size: int, group_id: int) -> None:
    """A hint to a scheduler."""
    hint("sched.group.barrier", mask, size, group_id)


def sched_mfma(cnt: int) -> None:
    """A hint to a scheduler: so many matrix instructions."""
    sched_group_barrier(mask_mfma, cnt, 0)


def sched_vmem(cnt: int) -> None:
    """A hint to a scheduler: so many reads of global memory."""
    sched_group_barrier(mask_vmem_rd, cnt, 0)


def sched_dsrd(cnt: int) -> None:
    """A hint to a scheduler: so many reads of shared memory."""
    sched_group_barrier(mask_dsrd, cnt, 0)


def sched_dswr(cnt: int) -> None:
    """A hint to a scheduler: so many writes of shared memory."""
    sched_group_barrier(mask_dswr, cnt, 0)


def s_barrier() -> None:
    """All threads of a block meet."""
    hint("s.barrier")


def s_setprio(n: int) -> None:
    """The wave's priority."""
    hint("s.setprio", n)


def s_nop(n: int) -> None:
    """Nothing, for so many cycles."""
    hint("s.nop", n)


def iglp_opt(n: int) -> None:
    """A hint to a scheduler."""
    hint("iglp.opt", n)


def s_wait_dscnt(count: int = 0) -> None:
    """Waits for accesses of shared memory; here they are done at once."""
    hint("s.wait.dscnt", count)


def s_wait_loadcnt(count: int = 0) -> None:
    """Waits for loads; here they are done at once."""
    hint("s.wait.loadcnt", count)


def s_wait_storecnt(count: int = 0) -> None:
    """Waits for stores; here they are done at once."""
    hint("s.wait.storecnt", count)


def s_wait_asynccnt(count: int = 0) -> None:
    """Waits for copies that go on by themselves."""
    hint("s.wait.asynccnt", count)


def s_sleep(count: int) -> None:
    """Nothing, for so many times 64 cycles."""


def disable_xdl_arb_stall() -> None:
    """A hint to a scheduler."""
    hint("iglp.opt", 0)


def sched_bank(value: Numeric, bank: int, soft: bool = False) -> Numeric:
    """The value, with a hint where it is to be held."""
    return value


def sched_vgpr(value: Numeric, regnum: int, soft: bool = False) -> Numeric:
    """The value, with a hint where it is to be held."""
    return value


def sched_sgpr(value: Numeric, regnum: int, soft: bool = False) -> Numeric:
    """The value, with a hint where it is to be held."""
    return value


def sched_agpr(value: Numeric, regnum: int, soft: bool = False) -> Numeric:
    """The value, with a hint where it is to be held."""
    return value


def require_lds_dma_support(what: str) -> None:
    """Raises `KernelError` where the target has no copies of global into shared memory without registers."""
    arch = get_rocm_arch()
    if arch.startswith("gfx11"):
        raise KernelError(f"{what}: {arch} has no copies of global into shared memory; copy through registers")


def BufferCopyLDS64b() -> NoReturn:
    """There is no such copy.

    Raises:
        KernelError: always; there are those of 32 and 128 bits.
    """
    raise KernelError("a copy of a buffer into shared memory has 32 or 128 bits a lane: BufferCopyLDS32b or ..128b")
