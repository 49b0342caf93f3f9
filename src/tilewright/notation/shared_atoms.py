"""Shared-memory layout atoms as CUTLASS's sources name them: `GMMA::Layout_K_SW128_Atom<cutlass::half_t>{}`.

Those of a sparse A have their sparsity behind the type: `Layout_K_SW128_SpAtom<half_t, 2>`.
"""

from __future__ import annotations

from tilewright.atoms.shared_atoms import ALL_SHARED, SHARED_ATOMS, SharedAtom, of_sparsity, smem
from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.notation.constants import at_constant, constant, number
from tilewright.notation.reader import Reader
from tilewright.notation.words import pass_namespaces

_BITS = "_Bits"  # behind the name of an atom that counts bits
_NAMES = (*ALL_SHARED, *(name + _BITS for name in SHARED_ATOMS))


def at_atom(r: Reader) -> bool:
    """Does the name of an atom follow?"""
    return r.at_name(*_NAMES)


def atom(r: Reader) -> ComposedLayout[int]:
    """The atom, in elements of the type in its angle brackets, or in bits.

    >>> print(atom(Reader("Layout_K_SW64_Atom<cutlass::half_t>")), atom(Reader("Layout_MN_SW32_Atom_Bits")))
    Sw<2,3,3> o 0 o (8,32):(32,1) Sw<1,7,3> o 0 o (256,8):(1,256)
    """
    start = r.take()
    if start.text.endswith(_BITS):
        return smem(start.text.removesuffix(_BITS), 1)
    named = ALL_SHARED[start.text]
    example = f"such as {named}<half_t{', 2' if named.sparsity > 1 else ''}>"
    r.expect("<", f"the element type, {example}")
    bits = _element_bits(r)
    found = _sparse(r, named, example) if named.sparsity > 1 else named
    r.expect(">")
    return r.checked(lambda: found.layout(bits), start)


def _sparse(r: Reader, found: SharedAtom, example: str) -> SharedAtom:
    """The atom of the sparsity that follows: `2`, `Int<2>{}`."""
    r.expect(",", f"how many elements share a place, {example}")
    pass_namespaces(r)
    start = r.token
    sparsity = constant(r) if at_constant(r) else number(r)
    if r.accept("{"):
        r.expect("}")
    return r.checked(lambda: of_sparsity(found, sparsity), start)


def _element_bits(r: Reader) -> int:
    """The bits of a type, which may stand in namespaces."""
    pass_namespaces(r)
    token = r.expect("name", "an element type")
    try:
        bits = dtype(token.text).bits
    except UsageError as error:
        r.refuse(str(error), token)
    r.widths.add(bits)
    return bits
