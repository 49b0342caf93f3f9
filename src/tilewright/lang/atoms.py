"""Instructions of the atom table by name: `T.mma_atom` and `T.copy_atom`.

Their operands are places: `fragment[i, j]`, the address of an element, or a buffer, which is its first element.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from tilewright.errors import KernelError
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp, MmaAtomOp
from tilewright.lang.addresses import Address
from tilewright.lang.places import Spot, element_at
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show


def mma_atom(t: Tracer, atom: Value, d: Value, a: Value, b: Value, c: Value = None) -> None:
    """`T.mma_atom(name, d, a, b, c)`: D = A B + C by that instruction; without `c` it is 0."""
    given = [("d", d), ("a", a), ("b", b), *([] if c is None else [("c", c)])]
    _insert(t, MmaAtomOp, "T.mma_atom", atom, given)


def copy_atom(t: Tracer, atom: Value, dst: Value, src: Value) -> None:
    """`T.copy_atom(name, dst, src)`: that instruction moves what is at `src` to `dst`."""
    _insert(t, CopyAtomOp, "T.copy_atom", atom, [("dst", dst), ("src", src)])


def insert_atom(t: Tracer, kind: type[AtomOp], atom: str, places: Sequence[tuple[str, Spot]]) -> None:
    """The op, which is verified at once.

    Raises:
        KernelError: the atom is not for such places.
    """
    op = kind(atom, [spot for _, spot in places])
    t.insert(op)
    try:
        op.verify_()
    except VerifyException as error:
        raise KernelError(str(error)) from error


def _insert(t: Tracer, kind: type[AtomOp], name: str, atom: Value, given: Sequence[tuple[str, Value]]) -> None:
    if not isinstance(atom, str):
        raise KernelError(f"{name} takes an atom's name, got {show(atom)}")
    insert_atom(t, kind, atom, [(what, spot(t, value, f"{what} of {name}")) for what, value in given])


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
    Function("mma_atom", mma_atom, "D = A B + C by the named instruction, on fragments in registers; without C, A B."),
    Function("copy_atom", copy_atom, "The named instruction moves what lies at `src` to `dst`."),
)
