"""Instructions of the atom table by name: `T.mma_atom` and `T.copy_atom`.

Their operands are places: `fragment[i, j]`, the address of an element, or a buffer, which is its first element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import KernelError
from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp, MmaAtomOp
from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.addresses import Address
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show

Spot: TypeAlias = tuple[SSAValue, tuple[SSAValue, ...]]


def mma_atom(t: Tracer, atom: Value, d: Value, a: Value, b: Value, c: Value = None) -> None:
    """`T.mma_atom(name, d, a, b, c)`: D = A B + C by that instruction; without `c` it is 0."""
    given = [("d", d), ("a", a), ("b", b), *([] if c is None else [("c", c)])]
    _insert(t, MmaAtomOp, "T.mma_atom", atom, given)


def copy_atom(t: Tracer, atom: Value, dst: Value, src: Value) -> None:
    """`T.copy_atom(name, dst, src)`: that instruction moves what is at `src` to `dst`."""
    _insert(t, CopyAtomOp, "T.copy_atom", atom, [("dst", dst), ("src", src)])


def _insert(t: Tracer, kind: type[AtomOp], name: str, atom: Value, given: Sequence[tuple[str, Value]]) -> None:
    if not isinstance(atom, str):
        raise KernelError(f"{name} takes an atom's name, got {show(atom)}")
    op = t.insert(kind(atom, [spot(t, value, f"{what} of {name}") for what, value in given]))
    try:
        op.verify_()
    except VerifyException as error:
        raise KernelError(str(error)) from error


def spot(t: Tracer, value: Value, what: str) -> Spot:
    """The place that an operand names; an element that was read for it alone is not read.

    Raises:
        KernelError: it is no element and no buffer.
    """
    if isinstance(value, Address):
        return value.buffer, value.indices
    if is_buffer(value):
        return value, tuple(t.index.value(0) for _ in buffer_type(value).shape)
    owner = value.owner if isinstance(value, SSAValue) else None
    if not isinstance(owner, LoadOp):
        raise KernelError(f"{what} is an element such as fragment[i, 0], an address or a buffer, got {show(value)}")
    found = owner.buffer, tuple(owner.indices)
    if not any(value.uses):
        erase(owner)
    return found


ATOM_FUNCTIONS = (
    Function("mma_atom", mma_atom, "D = A B + C by the named instruction, on fragments in registers; without C, A B."),
    Function("copy_atom", copy_atom, "The named instruction moves what lies at `src` to `dst`."),
)
