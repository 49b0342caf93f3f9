"""Blackwell's tensor memory: `T.ptx.tcgen05` of allocation, of copies to and from registers, of their order.

An address is a uint32: the lane in the upper half, the column in the lower.

Source: PTX ISA; the operands of `T.ptx` are in its order, registers one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.tile.tmem import (
    HALVED,
    PAIR,
    REDUCTIONS,
    TmemAllocOp,
    TmemCopyOp,
    TmemDeallocOp,
    TmemSyncOp,
    check_columns,
    register_bits,
    ui32,
)
from tilewright.lang.asynchronous import Made, constant, pointer
from tilewright.lang.atoms import spot, verified
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.places import Spot
from tilewright.lang.registers import neighbours, sources
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tensor_address import address_of
from tilewright.lang.tensor_pool import TensorBuffer, TensorPool
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show
from tilewright.lang.words import Row, Words


def tmem_address(t: Tracer, value: Value, what: str = "taddr") -> SSAValue:
    """The address that an operand gives.

    Raises:
        KernelError: it is no uint32.
    """
    if isinstance(value, TensorPool | TensorBuffer):
        return address_of(t, value)
    if is_element(value) and value.type == ui32:
        return value
    if type(value) is int or is_index(value):
        return as_element(t, value, dtype("uint32"))
    raise KernelError(f"{what} is an address of tensor memory, a uint32, got {show(value)}")


def _columns(value: Value) -> int:
    found = constant(value, "nCols")
    try:
        check_columns(found)
    except VerifyException as error:
        raise KernelError(str(error)) from error
    return found


def ctas_of(words: Words) -> int:
    """How many CTAs the words name."""
    return PAIR if f"cta_group::{PAIR}" in words else 1


def _alloc(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, nCols: Value) -> None:  # PTX's name
        op = TmemAllocOp(pointer(t, dst, "dst"), _columns(nCols), ctas_of(words))
        t.insert(op)
        try:
            op.verify_()
        except VerifyException as error:
            raise KernelError(str(error)) from error

    return handler


def _dealloc(words: Words) -> Builder:
    def handler(t: Tracer, taddr: Value, nCols: Value) -> None:  # PTX's name
        t.insert(TmemDeallocOp(tmem_address(t, taddr), _columns(nCols), ctas_of(words)))

    return handler


def _sync(kind: str) -> Made:
    return lambda words: lambda t: t.insert(TmemSyncOp(kind, ctas_of(words))) and None


# ---- copies


def tmem_atom(
    t: Tracer,
    atom: Value,
    registers: Value,
    taddr: Value,
    split: Value = 0,
    reduced: Value = None,
    reduction: Value = "",
) -> None:
    """`T.tmem_atom(name, d, taddr)`: the warp begins that copy between registers and tensor memory."""
    if not isinstance(atom, str) or not isinstance(reduction, str):
        raise KernelError(f"T.tmem_atom takes an atom's name, and a reduction's, got {show(atom)}, {show(reduction)}")
    places = [spot(t, registers, "registers of T.tmem_atom")]
    places += [] if reduced is None else [spot(t, reduced, "reduced of T.tmem_atom")]
    _insert(t, atom, places, taddr, split, reduction)


def _insert(t: Tracer, atom: str, registers: Sequence[Spot], taddr: Value, split: Value, reduction: str = "") -> None:
    apart = constant(split, "the split of the lanes")
    verified(t, TmemCopyOp(atom, registers, tmem_address(t, taddr), apart, reduction))


@cache
def _copies() -> Mapping[Words, CopyAtom]:
    names = (*catalog.list("SM100_TMEM_LOAD", kind="copy"), *catalog.list("SM100_TMEM_STORE", kind="copy"))
    return {frozenset(atom.instruction.split(".")): atom for atom in map(catalog.copy, names)}


def _copy(words: Words) -> Builder:
    loads = "ld" in words

    def handler(t: Tracer, *operands: Value) -> None:
        atom = _copies().get(words | {"sync", "aligned", "b32"})
        if atom is None:
            name = "tcgen05.ld" if loads else "tcgen05.st"
            raise KernelError(f"there is no such {name}; its words have a shape, such as 32x32b, and x1 to x128")
        count, halved = register_bits(atom) // 32, HALVED in words
        if len(operands) != count + 1 + halved:
            between = ", and the columns between its halves" if halved else ""
            raise KernelError(
                f"{atom.instruction} takes {count} registers and an address{between}, got {len(operands)} operands"
            )
        registers, taddr, split = _parted(operands, count, loads)
        name = f"the registers of {atom.instruction}"
        held = neighbours(t, registers, name) if loads else sources(t, registers, dtype("uint32"), name).spot
        _insert(t, atom.name, [held], taddr, split)

    return handler


def _reduce(words: Words) -> Builder:
    told = [how for how in REDUCTIONS if {*how.split(".")} == words & _REDUCING]

    def handler(t: Tracer, *operands: Value) -> None:
        atom = _copies().get(words - _REDUCING | {"sync", "aligned", "b32"})
        if atom is None or len(told) != 1:
            raise KernelError("there is no such tcgen05.ld.red; it has a shape, x2 to x128, and such as max.abs.f32")
        count, halved = register_bits(atom) // 32, HALVED in words
        if len(operands) != count + 2 + halved:
            raise KernelError(
                f"{atom.instruction} takes {count} registers, that of what they are reduced to, and an address, "
                f"got {len(operands)} operands"
            )
        places = [neighbours(t, part, f"the registers of {atom.instruction}") for part in _runs(operands, count)]
        _insert(t, atom.name, places, operands[count + 1], operands[-1] if halved else 0, told[0])

    return handler


def _runs(operands: Sequence[Value], count: int) -> tuple[Sequence[Value], Sequence[Value]]:
    return operands[:count], operands[count : count + 1]


_REDUCING = frozenset(["min", "max", "abs", "NaN", "f32", "s32", "u32"])


def _parted(operands: Sequence[Value], count: int, loads: bool) -> tuple[Sequence[Value], Value, Value]:
    """The registers, the address, and the split: loads write the first operands, stores read the last."""
    registers, rest = (operands[:count], operands[count:]) if loads else (operands[-count:], operands[:-count])
    return registers, rest[0], rest[1] if len(rest) > 1 else 0


def _get_address(t: Tracer, addr: Value, row_offset: Value, col_offset: Value) -> SSAValue:
    rows, columns = (tmem_address(t, value, what) for value, what in ((row_offset, "row"), (col_offset, "column")))
    upper = t.elements.binary("*", rows, t.elements.constant(1 << 16, dtype("uint32")))
    return t.elements.binary("+", t.elements.binary("+", tmem_address(t, addr), upper), columns)


_SHAPES = "16x64b 16x128b 16x256b 32x32b 16x32bx2"
_REPEATS = " ".join(f"x{1 << i}" for i in range(8))
_GROUP = "cta_group::1 cta_group::2 sync aligned b32"
TMEM_ROWS: tuple[Row, ...] = (
    Row.of(
        "tcgen05 alloc",
        f"{_GROUP} shared::cta",
        _alloc,
        "The warp allocates so many columns of tensor memory; their address goes to a uint32 of shared memory.",
    ),
    Row.of("tcgen05 dealloc", _GROUP, _dealloc, "The warp gives them back."),
    Row.of("tcgen05 relinquish_alloc_permit", _GROUP, _sync("relinquish"), "The block will allocate no more."),
    Row.of(
        "tcgen05 ld",
        f"sync aligned b32 pack::16b {_SHAPES} {_REPEATS}",
        _copy,
        "The warp begins to move its lanes of tensor memory to registers; then the address.",
    ),
    Row.of(
        "tcgen05 ld red",
        f"sync aligned 32x32b 16x32bx2 {_REPEATS} {' '.join(sorted(_REDUCING))}",
        _reduce,
        "The same, and to one more register the least or greatest of the lane's words; then the address.",
    ),
    Row.of(
        "tcgen05 st",
        f"sync aligned b32 unpack::16b {_SHAPES} {_REPEATS}",
        _copy,
        "The way back; first the address.",
    ),
    Row.of("tcgen05 wait::ld", "sync aligned", _sync("wait.ld"), "Waits for what the warp is loading."),
    Row.of("tcgen05 wait::st", "sync aligned", _sync("wait.st"), "Waits for what the warp is storing."),
    Row.of(
        "tcgen05 fence::before_thread_sync",
        "",
        _sync("fence.before"),
        "What was done in tensor memory comes before threads that meet later.",
    ),
    Row.of(
        "tcgen05 fence::after_thread_sync",
        "",
        _sync("fence.after"),
        "What comes in tensor memory comes after threads that met before.",
    ),
)
TMEM_FUNCTIONS = (
    Function("tmem_atom", tmem_atom, "The warp begins the named copy between registers and tensor memory."),
    Function("cuda.get_tmem_addr", _get_address, "The address so many lanes and columns further on."),
)
