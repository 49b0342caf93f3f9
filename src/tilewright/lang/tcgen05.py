"""Blackwell's products in tensor memory: `T.ptx.tcgen05.mma` and `commit`, and the descriptors that they take.

Source: PTX ISA; the operands of `T.ptx` are in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from tilewright.atoms.descriptors import TCGEN05
from tilewright.atoms.instruction_descriptors import KINDS, SCALED, InstructionDescriptor
from tilewright.atoms.sm100 import KINDS as TABLE
from tilewright.dtypes import dtype as element_of
from tilewright.errors import KernelError, LayoutError, UsageError
from tilewright.ir.tile.descriptors import ui64
from tilewright.ir.tile.ops import StoreOp
from tilewright.ir.tile.tcgen05 import CP_SHAPES, Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp
from tilewright.ir.tile.tmem import ID_BIT, PAIR, ui32
from tilewright.lang.asynchronous import constant, number, pointer
from tilewright.lang.descriptors import encoded, register_for
from tilewright.lang.expressions import is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tmem import ctas_of, tmem_address
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show, type_named
from tilewright.lang.wgmma import truth
from tilewright.lang.words import Row, Words


def _descriptor(value: Value, what: str) -> SSAValue:
    if is_element(value) and value.type == ui64:
        return value
    raise KernelError(f"{what} is a matrix descriptor, a uint64, got {show(value)}")


def _mma(words: Words) -> Builder:
    def handler(t: Tracer, d: Value, a: Value, b: Value, idesc: Value, enable_input_d: Value) -> None:
        _multiply(t, words, (d, a, b, idesc, enable_input_d), ())

    return handler


def _scaled_mma(words: Words) -> Builder:
    def handler(
        t: Tracer, d: Value, a: Value, b: Value, idesc: Value, scale_A: Value, scale_B: Value, enable_input_d: Value
    ) -> None:  # PTX's names
        _multiply(t, words, (d, a, b, idesc, enable_input_d), (scale_A, scale_B))

    return handler


def _sparse_mma(words: Words) -> Builder:
    def handler(
        t: Tracer, d: Value, a: Value, b: Value, sp_meta: Value, idesc: Value, enable_input_d: Value
    ) -> None:  # PTX's names
        _multiply(t, words, (d, a, b, idesc, enable_input_d), (sp_meta,))

    return handler


def _sparse_scaled_mma(words: Words) -> Builder:
    def handler(
        t: Tracer,
        d: Value,
        a: Value,
        b: Value,
        sp_meta: Value,
        idesc: Value,
        scale_A: Value,
        scale_B: Value,
        enable_input_d: Value,
    ) -> None:  # PTX's names
        _multiply(t, words, (d, a, b, idesc, enable_input_d), (sp_meta, scale_A, scale_B))

    return handler


def _multiply(t: Tracer, words: Words, operands: Sequence[Value], beside: Sequence[Value]) -> None:
    d, a, b, idesc, enable = operands
    kind = _kind(words)
    factors = _factors(words, kind)
    shared = is_element(a) and a.type == ui64
    left = _descriptor(a, "A") if shared else tmem_address(t, a, "A, where it is no matrix descriptor,")
    to, told = tmem_address(t, d, "D"), tmem_address(t, idesc, "idesc")
    given = [to, left, _descriptor(b, "B"), told, truth(t, enable)]
    around = [tmem_address(t, value, "what a product takes beside A, B and D") for value in beside]
    made = {"ctas": ctas_of(words), "factors": factors}
    t.insert(Tcgen05MmaOp(kind, given, around, **made, sparse="sp" in words, ws="ws" in words))


def _kind(words: Words) -> str:
    known = [name for name, kind in KINDS.items() if kind.scaled == ("block_scale" in words)]
    kinds = [word.removeprefix("kind::") for word in words if word.startswith("kind::")]
    if len(kinds) != 1 or kinds[0] not in known:
        raise KernelError(f"a tcgen05.mma has one of the kinds {', '.join(f'kind::{kind}' for kind in known)}")
    return kinds[0]


def _factors(words: Words, kind: str) -> int:
    """How many scale factors the words give a row."""
    known = KINDS[kind].factors
    given = {_VECTORS.get(word, 0) for word in words & _VECTORS.keys()}
    given |= {known[0] for _ in words & {"block32"} if known}
    if not known or (not given and len(known) == 1):
        return known[0] if known else 0
    if len(given) != 1 or not given <= {*known}:
        sizes = ", ".join(f"scale_vec::{count}X" for count in known)
        raise KernelError(f"kind::{kind} says how many scale factors a row has: {sizes}")
    return given.pop()


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
    d, a, b = _types(d_dtype, a_dtype, b_dtype)
    kind = next((name for name, kind in KINDS.items() if a in kind.types), "")
    negated, turned = (bool(neg_a), bool(neg_b)), (bool(trans_a), bool(trans_b))
    m, n = constant(M, "M"), constant(N, "N")

    def made() -> InstructionDescriptor:
        return InstructionDescriptor(kind, d, a, b, m, n, *negated, *turned, bool(sat_d), bool(is_sparse))

    _told(t, desc, made, n_cta_groups, K)


def _encode_scaled(
    t: Tracer,
    desc: Value,
    *,
    d_dtype: Value,
    a_dtype: Value,
    b_dtype: Value,
    sfa_dtype: Value,
    sfb_dtype: Value,
    sfa_tmem_addr: Value,
    sfb_tmem_addr: Value,
    M: Value,
    N: Value,
    K: Value,
    trans_a: Value,
    trans_b: Value,
    n_cta_groups: Value = 1,
    neg_a: Value = False,
    neg_b: Value = False,
    is_sparse: Value = False,
) -> None:
    d, a, b, scale, other = _types(d_dtype, a_dtype, b_dtype, sfa_dtype, sfb_dtype)
    if scale != other:
        raise KernelError(f"scale factors of A and B have one type, got {scale} and {other}")
    deep = K if is_sparse is False or type(K) is not int else K // 2
    fits = [name for name, kind in KINDS.items() if {a, b} <= {*kind.types} and scale in kind.scales]
    kind = next((name for name in fits if TABLE[KINDS[name].table].k == deep), fits[-1] if fits else "")
    negated, turned = (bool(neg_a), bool(neg_b)), (bool(trans_a), bool(trans_b))
    m, n, sparse = constant(M, "M"), constant(N, "N"), bool(is_sparse)

    def made() -> InstructionDescriptor:
        return InstructionDescriptor(kind, d, a, b, m, n, *negated, *turned, sparse=sparse, scale=scale)

    shifts = [(sfa_tmem_addr, SCALED["sfa"][0]), (sfb_tmem_addr, SCALED["sfb"][0])]
    _told(t, desc, made, n_cta_groups, K, shifts)


def _types(*given: Value) -> list[str]:
    try:
        return [type_named(name).name for name in given]
    except (LayoutError, UsageError) as error:
        raise KernelError(str(error)) from error


def _told(
    t: Tracer,
    desc: Value,
    make: Callable[[], InstructionDescriptor],
    groups: Value,
    depth: Value,
    ids: Sequence[tuple[Value, int]] = (),
) -> None:
    """The register becomes the descriptor, with the upper bits of these addresses from those bits on."""
    if groups not in (1, PAIR):
        raise KernelError(f"n_cta_groups is 1 or {PAIR}, got {show(groups)}")
    try:
        told = make()
        factors = KINDS[told.kind].factors[-1:] or (0,)
        found = told.atom("SS", groups, factors[0], told.m < 64).shape_mnk[2]  # which only the stationary form has
    except (LayoutError, UsageError) as error:
        raise KernelError(str(error)) from error
    if found != depth:
        raise KernelError(f"K of kind::{told.kind} is {found}, got {show(depth)}")
    word = element_of("uint32")
    value = t.elements.constant(told.encode(), word)
    for address, first in ids:
        upper = t.elements.binary(">>", tmem_address(t, address), t.elements.constant(ID_BIT, word))
        value = t.elements.binary("|", value, t.elements.binary("<<", upper, t.elements.constant(first, word)))
    buffer, indices = register_for(t, desc, ui32)
    t.insert(StoreOp(value, buffer, indices))


_CP_WORDS = frozenset(word for shape in CP_SHAPES for word in shape.split("."))
_KINDS, _SCALED = (
    " ".join(f"kind::{name}" for name, kind in KINDS.items() if kind.scaled == scaled) for scaled in (False, True)
)
_VECTORS = {"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4, "block16": 4}
TCGEN05_ROWS: tuple[Row, ...] = (
    Row.of(
        "tcgen05 mma",
        f"cta_group::1 cta_group::2 {_KINDS}",
        _mma,
        "The thread begins D = A B + D in tensor memory; A is a descriptor, or an address of tensor memory.",
    ),
    Row.of(
        "tcgen05 mma ws",
        f"cta_group::1 {_KINDS}",
        _mma,
        "The same, of 32, 64 or 128 rows and 64, 128 or 256 columns, which lie on parts of the lanes (M < 128).",
    ),
    Row.of(
        "tcgen05 mma block_scale",
        f"cta_group::1 cta_group::2 block32 {_SCALED} {' '.join(_VECTORS)}",
        _scaled_mma,
        "The same, rows of A and B times their scale factors, which lie in tensor memory.",
    ),
    Row.of(
        "tcgen05 mma sp",
        f"cta_group::1 cta_group::2 {_KINDS}",
        _sparse_mma,
        "The same of an A that is stored without half of its elements; metadata in tensor memory says without which.",
    ),
    Row.of(
        "tcgen05 mma sp block_scale",
        f"cta_group::1 cta_group::2 block32 {_SCALED} {' '.join(_VECTORS)}",
        _sparse_scaled_mma,
        "Sparse and scaled.",
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
    Function(
        "cuda.tcgen05.encode_instr_descriptor_block_scaled",
        _encode_scaled,
        "The same of a scaled one; the upper two bits of the addresses say which byte of a word comes first.",
    ),
)
