"""Blackwell's products in tensor memory: `T.ptx.tcgen05.mma` and `commit`, and the descriptors that they take.

Source: PTX ISA; the operands of `T.ptx` are in its order.
"""

from __future__ import annotations

from typing import cast

from xdsl.ir import SSAValue

from tilewright.atoms.descriptors import TCGEN05
from tilewright.atoms.instruction_descriptors import KINDS, InstructionDescriptor
from tilewright.dtypes import dtype as element_of
from tilewright.errors import KernelError, LayoutError, UsageError
from tilewright.ir.tile.descriptors import ui64
from tilewright.ir.tile.ops import StoreOp
from tilewright.ir.tile.tcgen05 import CP_SHAPES, Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp
from tilewright.ir.tile.tmem import PAIR, ui32
from tilewright.lang.asynchronous import constant, number, pointer
from tilewright.lang.expressions import is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tmem import ctas_of, tmem_address
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.wgmma import encoded, register_for, truth
from tilewright.lang.words import Row, Words


def _descriptor(value: Value, what: str) -> SSAValue:
    if is_element(value) and value.type == ui64:
        return cast(SSAValue, value)
    raise KernelError(f"{what} is a matrix descriptor, a uint64, got {show(value)}")


def _mma(words: Words) -> Builder:
    kinds = [word.removeprefix("kind::") for word in words if word.startswith("kind::")]

    def handler(t: Tracer, d: Value, a: Value, b: Value, idesc: Value, enable_input_d: Value) -> None:
        if len(kinds) != 1:
            raise KernelError(f"a tcgen05.mma has one of the kinds {', '.join(f'kind::{kind}' for kind in KINDS)}")
        shared = is_element(a) and a.type == ui64
        left = _descriptor(a, "A") if shared else tmem_address(t, a, "A, where it is no matrix descriptor,")
        to, told = tmem_address(t, d, "D"), tmem_address(t, idesc, "idesc")
        t.insert(Tcgen05MmaOp(kinds[0], to, left, _descriptor(b, "B"), told, truth(t, enable_input_d), ctas_of(words)))

    return handler


def _cp(words: Words) -> Builder:
    shapes = [shape for shape in CP_SHAPES if words >= {*shape.split(".")}]

    def handler(t: Tracer, taddr: Value, desc: Value) -> None:
        if len(shapes) != 1 or len(words & _CP_WORDS) != len(shapes[0].split(".")):
            raise KernelError(f"a tcgen05.cp has one of the shapes {', '.join(CP_SHAPES)}")
        t.insert(Tcgen05CpOp(shapes[0], tmem_address(t, taddr), _descriptor(desc, "the source"), ctas_of(words)))

    return handler


def _commit(words: Words) -> Builder:
    def one(t: Tracer, mbar: Value) -> None:
        t.insert(Tcgen05CommitOp(pointer(t, mbar, "mbar"), ctas=ctas_of(words)))

    def several(t: Tracer, mbar: Value, ctaMask: Value) -> None:  # PTX's name
        mask = number(t, ctaMask, "ctaMask")
        t.insert(Tcgen05CommitOp(pointer(t, mbar, "mbar"), mask, ctas_of(words)))

    return several if "multicast::cluster" in words else one


def _encode(t: Tracer, desc: Value, addr: Value, ldo: Value, sdo: Value, swizzle: Value) -> None:
    encoded(t, TCGEN05, desc, addr, ldo, sdo, swizzle)


def _encode_instruction(
    t: Tracer,
    desc: Value,
    *,
    d_dtype: Value,
    a_dtype: Value,
    b_dtype: Value,
    M: Value,  # TIRx's names
    N: Value,
    K: Value,
    trans_a: Value,
    trans_b: Value,
    n_cta_groups: Value = 1,
    neg_a: Value = False,
    neg_b: Value = False,
    sat_d: Value = False,
    is_sparse: Value = False,
) -> None:
    if is_sparse or n_cta_groups not in (1, PAIR):
        raise KernelError(f"n_cta_groups is 1 or {PAIR}, got {show(n_cta_groups)}; sparse ones are not executed here")
    try:
        d, a, b = (element_of(name).name for name in (d_dtype, a_dtype, b_dtype))
        kind = next((kind for kind, (_, types) in KINDS.items() if a in types), "")
        flags = (bool(flag) for flag in (neg_a, neg_b, trans_a, trans_b, sat_d))
        told = InstructionDescriptor(kind, d, a, b, constant(M, "M"), constant(N, "N"), *flags)
        depth = told.atom("SS", n_cta_groups).shape_mnk[2]
    except (LayoutError, UsageError) as error:
        raise KernelError(str(error)) from error
    if depth != K:
        raise KernelError(f"K of kind::{told.kind} is {depth}, got {show(K)}")
    buffer, indices = register_for(t, desc, ui32)
    t.insert(StoreOp(t.elements.constant(told.encode(), element_of("uint32")), buffer, indices))


_CP_WORDS = frozenset(word for shape in CP_SHAPES for word in shape.split("."))
_KINDS = " ".join(f"kind::{kind}" for kind in KINDS)
TCGEN05_ROWS: tuple[Row, ...] = (
    Row.of(
        "tcgen05 mma",
        f"cta_group::1 cta_group::2 {_KINDS}",
        _mma,
        "The thread begins D = A B + D in tensor memory; A is a descriptor, or an address of tensor memory.",
    ),
    Row.of(
        "tcgen05 cp",
        f"cta_group::1 cta_group::2 {' '.join(sorted(_CP_WORDS))}",
        _cp,
        "The thread begins to copy what a descriptor gives of shared memory to tensor memory; first the address.",
    ),
    Row.of(
        "tcgen05 commit",
        "cta_group::1 cta_group::2 mbarrier::arrive::one shared::cluster shared::cta multicast::cluster b64",
        _commit,
        "One arrival comes to the mbarrier when the products that the thread has begun are done; `multicast::cluster`: "
        "to that of each block in the mask.",
    ),
)
TCGEN05_FUNCTIONS = (
    Function(
        "cuda.tcgen05.encode_matrix_descriptor",
        _encode,
        "The register becomes a descriptor; offsets are in 16 bytes, the swizzle is 0 to 3.",
    ),
    Function(
        "cuda.tcgen05.encode_instr_descriptor",
        _encode_instruction,
        "The register, a uint32, becomes what a tcgen05.mma is told beside its operands.",
    ),
)
