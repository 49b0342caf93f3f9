"""The picture of an operand in shared memory, which a descriptor, a tensor map, a canonical tile or an atom tells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.operand import OperandDescriptor
from tilewright.analysis.descriptor.recognise import CanonicalTile
from tilewright.atoms.shared_atoms import Major, SharedAtom, checked_bits
from tilewright.atoms.tensor_maps import TensorMapArguments
from tilewright.dtypes import dtype
from tilewright.errors import UsageError, shown
from tilewright.figures import layout_grid
from tilewright.figures.figure import Figure
from tilewright.layout.composed import ComposedLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

Operand = OperandDescriptor | TensorMapArguments | CanonicalTile | SharedAtom
_ONE_TYPE = {"128B_ATOM_32B": 32}  # modes that elements of one width alone have
_AXES = ("mn", "k")


def picture(
    operand: object,
    *,
    element_bits: int | DTypeLike | None = None,
    shape: tuple[int, int] | None = None,
    major: Major | None = None,
    title: str | None = None,
) -> Figure:
    """Where the elements of an operand lie: (MN, K) -> the offset in shared memory, in elements.

    Args:
        operand: what `tw.descriptor`, `tw.tensor_map` or `tw.recognise` give, or a `SharedAtom`.
        element_bits: the width of an element, or its type; 64 bits and most atoms do not say it, the others do.
        shape: (MN, K) of a descriptor's operand; None: 64 rows, and what one instruction takes along K.
        major: of a descriptor's operand; None: that of the tile that it was made of, else K.
        title: instead of the operand's text.

    Raises:
        UsageError: no such operand, one without the width of an element, or another one than its own.
        LayoutError: a descriptor of which the operand is not known; the message says why.

    >>> from tilewright.atoms.shared_atoms import shared_atom
    >>> print(picture(shared_atom("K_SW128"), element_bits="f16").scene.title)
    Layout_K_SW128_Atom in elements of 16 bits: Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    if not isinstance(operand, Operand):
        raise UsageError(f"cannot draw {shown(operand)} as an operand: give a descriptor, a tensor map or an atom")
    bits = _width(operand, element_bits)
    layout = _layout(operand, bits, shape, major)
    figure = layout_grid.picture(layout, element_bits=bits, title=title or _title(operand, bits, layout))
    return figure if isinstance(operand, TensorMapArguments) else _named(figure)


def _width(operand: Operand, asked: int | DTypeLike | None) -> int:
    given = None if asked is None else checked_bits(asked)
    known = (given or operand.element_bits) if isinstance(operand, OperandDescriptor) else _known(operand)
    if known is None and given is None:
        raise UsageError(f"{_name(operand)} does not say how wide an element is: give it, such as element_bits=16")
    if known is not None and given not in (None, known):
        raise UsageError(f"{_name(operand)} has elements of {known} bits, not of {given}")
    return given or known or 0


def _known(operand: TensorMapArguments | CanonicalTile | SharedAtom) -> int | None:
    if isinstance(operand, TensorMapArguments):
        return dtype(operand.element).bits
    if isinstance(operand, CanonicalTile):
        return operand.element_bits
    return _ONE_TYPE.get(operand.mode.name)


def _layout(operand: Operand, bits: int, shape: tuple[int, int] | None, major: Major | None) -> ComposedLayout[int]:
    if isinstance(operand, OperandDescriptor):
        return operand.layout(bits, shape, major)
    if shape is not None or major is not None:
        raise UsageError("a shape and a major are for a descriptor, which does not say them")
    if isinstance(operand, TensorMapArguments):
        return operand.tile
    return operand.layout(bits) if isinstance(operand, SharedAtom) else operand.layout


def _title(operand: Operand, bits: int, layout: ComposedLayout[int]) -> str:
    return f"{_name(operand)} in elements of {bits} bits: {layout}"


def _name(operand: Operand) -> str:
    if isinstance(operand, OperandDescriptor):
        return f"descriptor {int(operand):#x} of {operand.unit}"
    if isinstance(operand, TensorMapArguments):
        return f"box {operand.box} of a tensor map"
    return operand.atom if isinstance(operand, CanonicalTile) else operand.name


def _named(figure: Figure) -> Figure:
    """The axes as operands have them."""
    panel = figure.scene.panels[0]
    rows, columns = (replace(axis, title=name) for axis, name in zip((panel.rows, panel.columns), _AXES, strict=True))
    return Figure(replace(figure.scene, panels=(replace(panel, rows=rows, columns=columns),)))
