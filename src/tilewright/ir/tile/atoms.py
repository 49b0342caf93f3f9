"""Ops of the `tile` dialect for the instructions of the atom table: one matrix product, one copy, by the atom's name.

What an atom works on is given by places: a memory and where in it the first element lies. Registers are local memory:
a fragment is as many neighbours from there on as the atom's layout has values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self, cast

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of, registers_for
from tilewright.dtypes import DType
from tilewright.errors import UsageError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.memory import storage_elements
from tilewright.ir.tile.types import GLOBAL, LOCAL, SHARED, BufferType

# Words of instructions that do more than the layouts of their atoms say.
_NOT_COPIES = {
    "atomic": "changes memory atomically",
    "movmatrix": "transposes a matrix, which its layouts in the table do not say",
}
# What the atom table calls the memories.
_SPACES = {"register": LOCAL, "shared": SHARED, "global": GLOBAL}


class Place(NamedTuple):
    """An element of a memory, by its coordinate; of flat memory that is one index."""

    memory: SSAValue
    indices: tuple[SSAValue, ...]

    @property
    def element(self) -> DType:
        """The memory's element type."""
        kind = self.memory.type
        return element_dtype(kind.element if isinstance(kind, BufferType) else _memref(self.memory).element_type)

    @property
    def space(self) -> str:
        """`global`, `shared` or `local`."""
        kind = self.memory.type
        if isinstance(kind, BufferType):
            return kind.scope
        space = _memref(self.memory).memory_space
        return space.data if isinstance(space, StringAttr) else GLOBAL

    @property
    def size(self) -> int:
        """The elements of the memory."""
        kind = self.memory.type
        return storage_elements(kind.layout) if isinstance(kind, BufferType) else _memref(self.memory).get_shape()[0]


class AtomOp(IRDLOperation):
    """Base: the atom's name, and the places that it works on."""

    atom = prop_def(StringAttr)
    memories = var_operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = "$atom $memories `[` $indices `]` attr-dict `:` type($memories)"

    def __init__(self, atom: str, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> None:
        indices = [index for _, own in places for index in own]
        super().__init__(operands=[[memory for memory, _ in places], indices], properties={"atom": StringAttr(atom)})

    @property
    def clips(self) -> bool:
        """Is what lies outside global memory read as 0, and a write to it dropped? AMD's buffer instructions do so."""
        return False

    @property
    def places(self) -> tuple[Place, ...]:
        """The places, in the order of the operands."""
        rest = iter(self.indices)
        return tuple(Place(memory, tuple(next(rest) for _ in range(rank(memory)))) for memory in self.memories)

    def on(self, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> Self:
        """The same atom on other places."""
        return type(self)(self.atom.data, places)

    def _check_places(self, counts: Sequence[int]) -> None:
        if len(self.memories) not in counts:
            wanted = " or ".join(map(str, counts))
            raise VerifyException(f"{self.name} of {self.atom.data} takes {wanted} places, got {len(self.memories)}")
        for memory in self.memories:
            if not isinstance(memory.type, BufferType) and not _is_flat(memory):
                raise VerifyException(f"{self.name} works on buffers and flat memory, got {memory.type}")
        if sum(map(rank, self.memories)) != len(self.indices):
            raise VerifyException(f"{len(self.indices)} indices for the places of {self.name}")


@irdl_op_definition
class MmaAtomOp(AtomOp):
    """D = A B + C by the lanes of a warp, on fragments in registers; without a fourth place C is 0.

    A place may hold words into which the elements are packed. `T.mma_atom` makes it.
    """

    name = "tile.mma_atom"

    @property
    def instruction(self) -> MmaAtom:
        """The atom.

        Raises:
            UsageError: there is none of that name.
        """
        return catalog.mma(self.atom.data)

    def verify_(self) -> None:
        """The atom exists, is one of registers, and every fragment's registers hold its elements and are there."""
        _named(self)
        atom = self.instruction
        if set(atom.spaces) != {"register"}:
            raise VerifyException(f"{atom.name} reads {' and '.join(dict.fromkeys(atom.spaces))}, not registers alone")
        if atom.scale is not None:
            raise VerifyException(f"{atom.name} takes scale factors of A and B: scales=")
        if atom.sparsity > 1:
            raise VerifyException(f"{atom.name} takes metadata of a sparse A: metadata=")
        self._check_places((3, 4))
        for operand, place in zip("DABC", self.places, strict=False):
            check_fragment(atom, operand, place)

    def fragments(self) -> Iterator[tuple[str, Place]]:
        """The operands, D first, each with its letter."""
        return zip("DABC", self.places, strict=False)


@irdl_op_definition
class CopyAtomOp(AtomOp):
    """Moves what the atom moves: to the first place, from the second. `T.copy_atom` makes it.

    A lane's place in shared or global memory is where its own row starts.
    """

    name = "tile.copy_atom"

    @property
    def instruction(self) -> CopyAtom:
        """The atom.

        Raises:
            UsageError: there is none of that name.
        """
        return catalog.copy(self.atom.data)

    @property
    def clips(self) -> bool:
        """As of every atom."""
        return self.instruction.instruction.startswith("buffer_")

    def verify_(self) -> None:
        """The atom exists, completes at once, and moves between such memories."""
        _named(self)
        atom = self.instruction
        if atom.asynchronous:
            raise VerifyException(f"{atom.name} completes later; {self.name} is for copies that complete at once")
        for word, what in _NOT_COPIES.items():
            if word in atom.instruction:
                raise VerifyException(f"{atom.name} {what}; {self.name} moves bits as they are")
        self._check_places((2,))
        dst, src = (place.space for place in self.places)
        if not any(_joins(atom, pair) for pair in _directions(atom, src, dst)):
            raise VerifyException(f"{atom.name} moves {' to '.join(atom.spaces)} memory, not {src} to {dst}")
        for place, bits in zip(self.places, (atom.dst_bits, atom.src_bits), strict=True):
            size = int(bits[1].size)
            if size > 1 and size % place.element.bits:
                raise VerifyException(f"{atom.name} moves {size} bits a lane, no whole {place.element} elements")


def rank(memory: SSAValue) -> int:
    """The number of indices of an element: the buffer's dimensions, 1 of flat memory."""
    return len(memory.type.shape) if isinstance(memory.type, BufferType) else 1


def fragment_size(atom: MmaAtom, operand: str) -> int:
    """The values that a lane holds of an operand, of a sparse A those that are stored; D lies as C does."""
    layout = atom.stored_layout("C" if operand == "D" else operand)
    return int(layout[1].size)


def element_of(atom: MmaAtom, operand: str) -> DType:
    """The element type of an operand of an atom."""
    return atom.dtypes["DABC".index(operand)]


def check_fragment(atom: MmaAtom, operand: str, place: Place) -> None:
    """Raises `VerifyException` unless the registers from there on hold the operand."""
    element, count = element_of(atom, operand), fragment_size(atom, operand)
    if place.space != LOCAL:
        raise VerifyException(f"{operand} of {atom.name} lies in registers, not in {place.space} memory")
    needed = registers_for(place.element, element, count, container_of(atom, operand).bits)
    if needed is None:
        raise VerifyException(
            f"{operand} of {atom.name} is {count} {element} a lane, which registers of {place.element} do not hold"
        )
    if needed > place.size:
        raise VerifyException(
            f"{operand} of {atom.name} takes {needed} registers of {place.element}, the memory has {place.size}"
        )


def _directions(atom: CopyAtom, src: str, dst: str) -> Iterator[tuple[str, str]]:
    """The move; and back, where the atom leaves every bit where it is."""
    yield src, dst
    if atom.src_bits == atom.dst_bits:
        yield dst, src


def _joins(atom: CopyAtom, pair: tuple[str, str]) -> bool:
    return all(name == "" or _SPACES.get(name) == space for name, space in zip(atom.spaces, pair, strict=True))


def _named(op: MmaAtomOp | CopyAtomOp) -> None:
    try:
        _ = op.instruction
    except UsageError as error:
        raise VerifyException(str(error)) from error


def _is_flat(memory: SSAValue) -> bool:
    """Is it memory of one dimension, of elements that have a name?"""
    kind = memory.type
    if not isinstance(kind, MemRefType) or len(kind.get_shape()) != 1:
        return False
    try:
        return bool(element_dtype(kind.element_type).bits)
    except UsageError:
        return False


def _memref(memory: SSAValue) -> MemRefType[Attribute]:
    return cast("MemRefType[Attribute]", memory.type)


ATOM_OPS = (MmaAtomOp, CopyAtomOp)
