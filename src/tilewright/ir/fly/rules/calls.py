"""Atoms called: what copies and matrix multiplications demand of the types of what they work on."""

from __future__ import annotations

from math import prod

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.rules.access import NOTHING, Declared
from tilewright.ir.fly.rules.atoms import COPY, MMA, atom_of
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Atom, CoordTensor, MemRef, Results, Scalar, TiledCopy, TiledMma, Value, View
from tilewright.layout.inttuple import MAX_INT, modes
from tilewright.layout.layout import Layout
from tilewright.layout.query import size
from tilewright.numerals import integer

# ---- copies


def copy(atom: Atom | TiledCopy, source: View, destination: View, _predicate: MemRef | None = None) -> Results:
    """Every element of a view to its place in another; where a predicate is given, those for which it holds."""
    made = _atom(atom, COPY)
    _same_elements(made, source, destination)
    counts = [_count(view) for view in (source, destination)]
    if None not in counts and counts[0] != counts[1]:
        raise LayoutError(f"copy: {write(source)} has {counts[0]} elements, {write(destination)} has {counts[1]}")
    return NOTHING


def copy_atom_call(
    atom: Atom | TiledCopy, source: View, destination: View, _predicate: MemRef | None = None
) -> Results:
    """What one thread moves in one instruction."""
    made = _atom(atom, COPY)
    _same_elements(made, source, destination)
    for side, view in (("source", source), ("destination", destination)):
        _check_count(made, side, _count(view), write(view))
    return NOTHING


def copy_atom_call_ssa(
    declared: Declared,
    atom: Atom | TiledCopy,
    source: Scalar | View,
    destination: Scalar | View | None,
    _predicate: Value,
) -> Results:
    """The same with registers as values: what is read is the result, what is written the source.

    With a predicate, the destination says what a thread keeps for which it does not hold.
    """
    made, results = _atom(atom, COPY), declared or ()
    for side, x in (("source", source), ("destination", destination), *(("result", x) for x in results)):
        if isinstance(x, Scalar):
            _check_count(made, side, _scalars(x), x.text)
        elif isinstance(x, MemRef | CoordTensor):
            _check_count(made, side, _count(x), write(x))
        elif x is not None:
            raise LayoutError(f"copy_atom_call_ssa: the {side} is {write(x)}, expected registers or a view")
    if len(results) > 1 or (not results and not isinstance(destination, MemRef | CoordTensor)):
        raise LayoutError(f"copy_atom_call_ssa has one result, or a destination in memory, got {len(results)} results")
    return Results(results)


def _atom(value: Atom | TiledCopy | TiledMma, prefix: str) -> CopyAtom | MmaAtom | None:
    atom = value.atom if isinstance(value, TiledCopy | TiledMma) else value
    if not atom.text.startswith(prefix):
        raise LayoutError(f"expected {prefix}..>, got {write(value)}")
    try:
        return atom_of(atom)
    except LayoutError:  # told where the atom is made; here its values may as well be counted otherwise
        return None


def _same_elements(made: CopyAtom | MmaAtom | None, source: View, destination: View) -> None:
    views = [source, destination]
    elements = {view.pointer.bits for view in views if isinstance(view, MemRef)}
    if made is not None and len(elements) > 1:
        raise LayoutError(f"copy: elements of {write(source)} and {write(destination)} differ in bits")


def _check_count(made: CopyAtom | MmaAtom | None, side: str, count: int | None, text: str) -> None:
    if isinstance(made, CopyAtom) and count is not None and made.threads == 1:
        wanted, bits = made.bits_per_thread // made.val_bits, made.val_bits
        if count < wanted:
            raise LayoutError(f"{made.name} moves {wanted} values of {bits} bits, the {side} {text} has {count}")


def _count(view: View) -> int | None:
    count = size(innermost(view.layout))
    return count if isinstance(count, int) else None


def _scalars(value: Scalar) -> int:
    extents = value.text.removeprefix("vector<").split("x")[:-1] if value.text.startswith("vector<") else []
    counts = [integer(extent, MAX_INT) for extent in extents]
    return prod(count or 0 for count in counts)


# ---- matrix multiplications


def mma_atom_call(atom: Atom | TiledMma, d: MemRef, a: tuple[MemRef, ...], b: tuple[MemRef, ...], c: MemRef) -> Results:
    """d = a b + c, once; a and b may bring their scales."""
    made = _atom(atom, MMA)
    for operand, x in (("d", d), ("a", a[0]), ("b", b[0]), ("c", c)):
        _check_operand(made, operand, x)
    return NOTHING


def mma_atom_call_ssa(
    declared: Declared, atom: Atom | TiledMma, d: Value, a: tuple[Value, ...], b: tuple[Value, ...], c: Value
) -> Results:
    """The same with registers as values: without d in memory, it is the result."""
    made, results = _atom(atom, MMA), declared or ()
    for operand, x in (("d", d), ("a", a[0]), ("b", b[0]), ("c", c), *(("d", x) for x in results)):
        if isinstance(x, MemRef):
            _check_operand(made, operand, x)
    if (d is None) != (len(results) == 1):
        raise LayoutError(f"mma_atom_call_ssa has one result or d in memory, got {len(results)} results")
    return Results(results)


def gemm(
    atom: Atom | TiledMma,
    d: MemRef,
    a: tuple[MemRef, ...],
    b: tuple[MemRef, ...],
    c: MemRef,
    _layout: Layout | None = None,
    _order: object = None,
) -> Results:
    """d = a b + c over all atoms of the views: the modes (V, M, K), (V, N, K) and (V, M, N)."""
    made = _atom(atom, MMA)
    shapes = {}
    for operand, x in (("d", d), ("a", a[0]), ("b", b[0]), ("c", c)):
        _check_element(made, operand, x)
        shapes[operand] = _modes(x)
    for (one, i), (other, j) in MATCHING:
        mine, yours = (shapes[name][at] if len(shapes[name]) == 3 else None for name, at in ((one, i), (other, j)))
        if mine is not None and yours is not None and mine != yours:
            raise LayoutError(f"gemm: mode {i} of {one} has the size {mine}, mode {j} of {other} the size {yours}")
    return NOTHING


# Which modes of the operands are one: M, N and K.
MATCHING = (
    (("d", 1), ("a", 1)),
    (("d", 2), ("b", 1)),
    (("a", 2), ("b", 2)),
    (("c", 1), ("a", 1)),
    (("c", 2), ("b", 1)),
)


def _modes(view: MemRef) -> list[int | None]:
    sizes = [size(mode) for mode in modes(innermost(view.layout).shape)]
    return [s if isinstance(s, int) else None for s in sizes]


def _check_operand(made: CopyAtom | MmaAtom | None, operand: str, view: MemRef) -> None:
    _check_element(made, operand, view)
    if isinstance(made, MmaAtom) and (count := _count(view)) is not None:
        wanted = made.tv_layout("C" if operand == "d" else operand.upper())[1].size
        if count < wanted:
            raise LayoutError(f"{made.name} takes {wanted} values of {operand}, {write(view)} has {count}")


def _check_element(made: CopyAtom | MmaAtom | None, operand: str, view: MemRef) -> None:
    if isinstance(made, MmaAtom):
        wanted = made.dtypes["dabc".index(operand)].mlir
        if view.pointer.element != wanted:
            raise LayoutError(f"{made.name} takes {operand} in {wanted}, got {write(view)}")
