"""Instructions of the atom table by name: `T.mma_atom` and `T.copy_atom`.

Their operands are places: `fragment[i, j]`, the address of an element, or a buffer, which is its first element.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.scaling import ScaleSelect
from tilewright.dtypes import dtype
from tilewright.errors import KernelError, UsageError
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp, MmaAtomOp
from tilewright.ir.tile.ops import ATOMICS, AtomicOp, LoadOp
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.ir.tile.tmem import ui32
from tilewright.ir.tile.types import LOCAL
from tilewright.lang.addresses import Address
from tilewright.lang.asynchronous import constant
from tilewright.lang.expressions import is_element
from tilewright.lang.places import Spot, element_at
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show

ATOMIC = "UniversalAtomic"  # how the names of atomic copies begin


def mma_atom(
    t: Tracer,
    atom: Value,
    d: Value,
    a: Value,
    b: Value,
    c: Value = None,
    metadata: Value = None,
    selector: Value = 0,
    scales: Value = None,
) -> None:
    """`T.mma_atom(name, d, a, b, c)`: D = A B + C by that instruction; without `c` it is 0."""
    given = [("d", d), ("a", a), ("b", b), *([] if c is None else [("c", c)])]
    if scales is not None:
        spots = [spot(t, value, f"{what} of T.mma_atom") for what, value in given]
        insert_scaled(t, _named(atom, "T.mma_atom"), spots, scales, selector)
        return
    if metadata is None:
        _insert(t, MmaAtomOp, "T.mma_atom", atom, given)
        return
    spots = [spot(t, value, f"{what} of T.mma_atom") for what, value in given]
    insert_sparse(t, _named(atom, "T.mma_atom"), spots, metadata, selector)


def copy_atom(t: Tracer, atom: Value, dst: Value, src: Value) -> None:
    """`T.copy_atom(name, dst, src)`: that instruction moves what is at `src` to `dst`.

    An atomic one of the universal atoms changes the element at `dst` by that at `src`.
    """
    if isinstance(atom, str) and atom.startswith(ATOMIC):
        _changed(t, atom, dst, src)
        return
    _insert(t, CopyAtomOp, "T.copy_atom", atom, [("dst", dst), ("src", src)])


def _changed(t: Tracer, atom: str, dst: Value, src: Value) -> None:
    known = _copy_of(atom)
    kind, bits = known.instruction.removeprefix("atomic."), int(known.dst_bits[1].size)
    if kind not in ATOMICS:
        raise KernelError(f"{atom}: kernels have atomic {', '.join(ATOMICS)}, not {kind}")
    (memory, where), (register, at) = spot(t, dst, f"dst of {atom}"), spot(t, src, f"src of {atom}")
    into, held = buffer_type(memory), buffer_type(register)
    if into.scope == LOCAL or held.scope != LOCAL or into.dtype != held.dtype or into.dtype.bits != bits:
        wanted = f"a register of {bits} bits changes an element of its type in memory"
        raise KernelError(f"{atom}: {wanted}, got {held.dtype} in {held.scope} and {into.dtype} in {into.scope} memory")
    value = t.insert(LoadOp(register, at)).results[0]
    t.insert(AtomicOp(kind, value, memory, where))


def _copy_of(atom: str) -> CopyAtom:
    try:
        return catalog.copy(atom)
    except UsageError as error:
        raise KernelError(str(error)) from error


def insert_atom(t: Tracer, kind: type[AtomOp], atom: str, places: Sequence[tuple[str, Spot]]) -> None:
    """The op, which is verified at once.

    Raises:
        KernelError: the atom is not for such places.
    """
    verified(t, kind(atom, [spot for _, spot in places]))


def insert_sparse(t: Tracer, atom: str, places: Sequence[Spot], metadata: Value, selector: Value) -> None:
    """The product with a sparse A, as `insert_atom`."""
    verified(t, SparseMmaOp(atom, places, metadata_of(metadata), constant(selector, "the sparsity selector")))


def insert_scaled(t: Tracer, atom: str, places: Sequence[Spot], scales: Value, selector: Value) -> None:
    """The block-scaled product, as `insert_atom`; `selector` is 0, or byte-id and thread-id of A, and of B."""
    ids = (0, 0, 0, 0) if selector == 0 else selector
    if not (isinstance(scales, tuple) and len(scales) == 2 and isinstance(ids, tuple) and len(ids) == 4):
        wanted = "scales=(of A, of B) and selector=(byte of A, thread of A, byte of B, thread of B)"
        raise KernelError(f"a block-scaled product takes {wanted}")
    select = ScaleSelect(*(constant(value, "a selector of scale factors") for value in ids))
    given = (_factors(t, scales[0]), _factors(t, scales[1]))
    verified(t, ScaledMmaOp(atom, places, given, select))


def _factors(t: Tracer, value: Value) -> SSAValue:
    if type(value) is int and 0 <= value < 1 << 32:
        return t.elements.constant(value, dtype("uint32"))
    if is_element(value) and value.type == ui32:
        return value
    raise KernelError(f"scale factors are bytes of a uint32, got {show(value)}")


def metadata_of(value: Value) -> SSAValue:
    """A lane's metadata.

    Raises:
        KernelError: it is no uint32.
    """
    if is_element(value) and value.type == ui32:
        return value
    raise KernelError(f"metadata of a sparse A is a uint32, got {show(value)}")


def verified(t: Tracer, op: AtomOp) -> None:
    """Inserts the op.

    Raises:
        KernelError: it is wrong.
    """
    t.insert(op)
    try:
        op.verify_()
    except VerifyException as error:
        raise KernelError(str(error)) from error


def _insert(t: Tracer, kind: type[AtomOp], name: str, atom: Value, given: Sequence[tuple[str, Value]]) -> None:
    named = _named(atom, name)
    insert_atom(t, kind, named, [(what, spot(t, value, f"{what} of {name}")) for what, value in given])


def _named(atom: Value, name: str) -> str:
    if not isinstance(atom, str):
        raise KernelError(f"{name} takes an atom's name, got {show(atom)}")
    return atom


def spot(t: Tracer, value: Value, what: str) -> Spot:
    """The place that an operand names; an element that was read for it alone is not read.

    Raises:
        KernelError: it is no element and no buffer.
    """
    if isinstance(value, Address):
        return value.buffer, value.indices
    if is_buffer(value):
        return value, tuple(t.index.value(0) for _ in buffer_type(value).shape)
    found = element_at(t, value)
    if found is None:
        raise KernelError(f"{what} is an element such as fragment[i, 0], an address or a buffer, got {show(value)}")
    return found


ATOM_FUNCTIONS = (
    Function(
        "mma_atom",
        mma_atom,
        "D = A B + C by the named instruction, on fragments in registers; without C, A B; a sparse A has metadata. "
        "Scales are words of A and B, their selector byte-id and thread-id of both.",
    ),
    Function("copy_atom", copy_atom, "The named instruction moves what lies at `src` to `dst`."),
)
