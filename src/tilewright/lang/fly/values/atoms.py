"""Copy and MMA atoms, tiled ones, and one thread's part of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from xdsl.ir import Attribute

from tilewright.errors import KernelError
from tilewright.ir.fly.dialect_attributes import MmaOperandAttr
from tilewright.ir.fly.ops import FlyOp, Plain, make
from tilewright.ir.fly.properties import properties
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import TiledCopy as TiledCopyKind
from tilewright.ir.fly.types import TiledMma as TiledMmaKind
from tilewright.ir.fly.types import Value
from tilewright.lang.core.numerics.numeric import NumericLike, as_numeric
from tilewright.lang.fly.values.base import FlyValue, apply, expect, of_text
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import Layout, Tile
from tilewright.lang.fly.values.memory import Tensor
from tilewright.notation.fly_atoms import element_bits
from tilewright.notation.fly_text import type_parts

__all__ = ["CopyAtom", "MmaAtom", "ThrCopy", "ThrMma", "TiledCopy", "TiledMma"]

State: TypeAlias = "Mapping[str, NumericLike]"


class _Described(FlyValue):
    """What tells layouts of itself by name."""

    __slots__ = ()

    def _layout(self, name: str) -> Layout:
        return expect(of_text(f"!fly.layout<{properties(self.type.data)[name]}>"), Layout, name)

    def _tuple(self, name: str) -> IntTuple:
        return expect(of_text(f"!fly.int_tuple<{properties(self.type.data)[name]}>"), IntTuple, name)

    @property
    def thr_layout(self) -> Layout:
        """The threads that take part."""
        return self._layout("thr_layout")

    thr_id = thr_layout

    def set_value(self, field: str | State, value: NumericLike | None = None) -> FlyValue:
        """The atom with fields of its state set.

        Raises:
            LayoutError: it has no such field.
        """
        fields = field if isinstance(field, Mapping) else {field: value}
        found: FlyValue = self
        for name, number in fields.items():
            if number is None:
                raise KernelError(f"set_value({name!r}, value): the value is missing")
            found = expect(apply("atom.set_value", found, as_numeric(number), field=name), FlyValue, "an atom")
        return found


class CopyAtom(_Described):
    """What one copy instruction does."""

    named: ClassVar[str] = "fly.copy_atom"
    __slots__ = ()

    def _as_op(self) -> FlyOp:
        return make("make_copy_atom", (), {"valBits": self.val_bits}, [self.type])

    @property
    def val_bits(self) -> int:
        """The bits of a value."""
        _, parts = type_parts(self.type.data, self.type.data)
        return element_bits(parts[1], self.type.data)

    @property
    def layout_src_tv(self) -> Layout:
        """(thread, value) -> element, of the source."""
        return self._layout("tv_layout_src")

    @property
    def layout_dst_tv(self) -> Layout:
        """(thread, value) -> element, of the destination."""
        return self._layout("tv_layout_dst")

    @property
    def layout_ref_tv(self) -> Layout:
        """(thread, value) -> element, of what both are told by."""
        return self._layout("tv_layout_ref")

    tv_layout_src, tv_layout_dst, tv_layout_ref = layout_src_tv, layout_dst_tv, layout_ref_tv


class MmaAtom(_Described):
    """What one matrix instruction does."""

    named: ClassVar[str] = "fly.mma_atom"
    __slots__ = ()

    def _as_op(self) -> FlyOp:
        return make("make_mma_atom", (), {}, [self.type])

    @property
    def shape_mnk(self) -> IntTuple:
        """(m, n, k) of the product."""
        return self._tuple("shape_mnk")

    @property
    def layout_A_tv(self) -> Layout:
        """(thread, value) -> element of A."""
        return self._layout("tv_layout_A")

    @property
    def layout_B_tv(self) -> Layout:
        """(thread, value) -> element of B."""
        return self._layout("tv_layout_B")

    @property
    def layout_C_tv(self) -> Layout:
        """(thread, value) -> element of C."""
        return self._layout("tv_layout_C")

    tv_layout_A, tv_layout_B, tv_layout_C = layout_A_tv, layout_B_tv, layout_C_tv


def _part(kind: Value) -> FlyValue:
    return of_text(write(kind))


class TiledCopy(_Described):
    """A copy atom repeated over threads and values, in tiles."""

    named: ClassVar[str] = "fly.tiled_copy"
    __slots__ = ()

    @property
    def _tiled(self) -> TiledCopyKind:
        assert isinstance(self.kind, TiledCopyKind)
        return self.kind

    def _as_op(self) -> FlyOp:
        parts = [_part(x).ssa() for x in (self._tiled.atom, self._tiled.layout, self._tiled.tile)]
        return make("make_tiled_copy", parts, {}, [self.type])

    @property
    def copy_atom(self) -> CopyAtom:
        """The atom."""
        return expect(_part(self._tiled.atom), CopyAtom, "an atom")

    @property
    def tile_mn(self) -> Tile:
        """The tile."""
        return expect(_part(self._tiled.tile), Tile, "a tile")

    @property
    def layout_tv_tiled(self) -> Layout:
        """(thread, value) -> coordinate of the tile."""
        return expect(_part(self._tiled.layout), Layout, "a layout")

    @property
    def layout_src_tv_tiled(self) -> Layout:
        """The same of the source."""
        return self._layout("tiled_tv_layout_S")

    @property
    def layout_dst_tv_tiled(self) -> Layout:
        """The same of the destination."""
        return self._layout("tiled_tv_layout_D")

    tiled_tv_layout_S, tiled_tv_layout_D = layout_src_tv_tiled, layout_dst_tv_tiled

    def get_slice(self, thr_idx: IntTupleLike) -> ThrCopy:
        """One thread's part."""
        return ThrCopy(self, thr_idx)

    thr_slice = get_slice


class ThrCopy:
    """One thread's part of a tiled copy.

    Args:
        tiled_copy: the copy.
        thr_idx: the thread.
    """

    def __init__(self, tiled_copy: TiledCopy, thr_idx: IntTupleLike) -> None:
        self.tiled_copy = tiled_copy
        self.thr_idx = int_tuple(thr_idx)

    def __getattr__(self, name: str) -> object:
        """What the tiled copy has."""
        return getattr(self.__dict__["tiled_copy"], name)

    def __parts__(self) -> dict[str, object]:
        """What control flow carries of it."""
        return {"tiled_copy": self.tiled_copy, "thr_idx": self.thr_idx}

    def __of_parts__(self, parts: list[object]) -> ThrCopy:
        """The same of other parts."""
        return ThrCopy(expect(parts[0], TiledCopy, "tiled_copy"), expect(parts[1], IntTuple, "thr_idx"))

    def partition_S(self, src: Tensor) -> Tensor:
        """The thread's elements of a source: (values of an atom, repetitions along each mode)."""
        return _partitioned("tiled_copy.partition_src", self.tiled_copy, src, self.thr_idx)

    def partition_D(self, dst: Tensor) -> Tensor:
        """The thread's elements of a destination."""
        return _partitioned("tiled_copy.partition_dst", self.tiled_copy, dst, self.thr_idx)

    def retile(self, t: Tensor) -> Tensor:
        """A fragment as this copy takes it."""
        return expect(apply("tiled_copy.retile", self.tiled_copy, expect(t, Tensor, "a fragment")), Tensor, "a tensor")


def _partitioned(name: str, tiled: FlyValue, tensor: Tensor, at: IntTuple) -> Tensor:
    return expect(apply(name, tiled, expect(tensor, Tensor, "what is partitioned"), at), Tensor, "a tensor")


class TiledMma(_Described):
    """An MMA atom repeated over threads."""

    named: ClassVar[str] = "fly.tiled_mma"
    __slots__ = ()

    @property
    def _tiled(self) -> TiledMmaKind:
        assert isinstance(self.kind, TiledMmaKind)
        return self.kind

    def _as_op(self) -> FlyOp:
        kinds = (self._tiled.atom, self._tiled.layout, self._tiled.permutation)
        parts = [_part(x).ssa() for x in kinds if x is not None]
        return make("make_tiled_mma", parts, {}, [self.type])

    @property
    def mma_atom(self) -> MmaAtom:
        """The atom."""
        return expect(_part(self._tiled.atom), MmaAtom, "an atom")

    @property
    def atom_layout(self) -> Layout:
        """How atoms lie over (m, n, k)."""
        return expect(_part(self._tiled.layout), Layout, "a layout")

    @property
    def permutation_mnk(self) -> Tile | None:
        """How the elements of a tile are permuted."""
        kind = self._tiled.permutation
        return None if kind is None else expect(_part(kind), Tile, "a tile")

    @property
    def tile_size_mnk(self) -> IntTuple:
        """(m, n, k) of the whole."""
        return self._tuple("tile_size_mnk")

    @property
    def thr_layout_vmnk(self) -> Layout:
        """(thread of an atom, m, n, k) -> thread."""
        return self._layout("thr_layout_vmnk")

    @property
    def tv_layout_A_tiled(self) -> Layout:
        """(thread, value) -> element of A."""
        return self._layout("tiled_tv_layout_A")

    @property
    def tv_layout_B_tiled(self) -> Layout:
        """(thread, value) -> element of B."""
        return self._layout("tiled_tv_layout_B")

    @property
    def tv_layout_C_tiled(self) -> Layout:
        """(thread, value) -> element of C."""
        return self._layout("tiled_tv_layout_C")

    tiled_tv_layout_A, tiled_tv_layout_B, tiled_tv_layout_C = tv_layout_A_tiled, tv_layout_B_tiled, tv_layout_C_tiled

    def get_slice(self, thr_idx: IntTupleLike) -> ThrMma:
        """One thread's part."""
        return ThrMma(self, thr_idx)

    thr_slice = get_slice

    def make_fragment_A(self, a: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for a thread's elements of A."""
        return fragment("a", self, a, stages)

    def make_fragment_B(self, b: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for a thread's elements of B."""
        return fragment("b", self, b, stages)

    def make_fragment_C(self, c: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for a thread's elements of C."""
        return fragment("c", self, c, stages)


def fragment(operand: str, tiled: TiledMma, tensor: Tensor, stages: int | None = None) -> Tensor:
    """Registers for a thread's elements of an operand."""
    given: dict[str, Plain | Attribute] = {"operand_id": MmaOperandAttr(operand)}
    if stages is not None:
        given["stages"] = stages
    found = expect(
        apply("mma.make_fragment", tiled, expect(tensor, Tensor, "a tensor"), attributes=given), Tensor, "it"
    )
    if not found.layout.is_static:
        raise KernelError(
            f"a thread has a known number of registers, got a fragment {found.layout.text} of {tensor}; divide it into "
            "tiles of known extents, as with fx.zipped_divide"
        )
    return found


class ThrMma:
    """One thread's part of a tiled MMA.

    Args:
        tiled_mma: the MMA.
        thr_idx: the thread.
    """

    def __init__(self, tiled_mma: TiledMma, thr_idx: IntTupleLike) -> None:
        self.tiled_mma = tiled_mma
        self.thr_idx = int_tuple(thr_idx)

    def __getattr__(self, name: str) -> object:
        """What the tiled MMA has."""
        return getattr(self.__dict__["tiled_mma"], name)

    def __parts__(self) -> dict[str, object]:
        """What control flow carries of it."""
        return {"tiled_mma": self.tiled_mma, "thr_idx": self.thr_idx}

    def __of_parts__(self, parts: list[object]) -> ThrMma:
        """The same of other parts."""
        return ThrMma(expect(parts[0], TiledMma, "tiled_mma"), expect(parts[1], IntTuple, "thr_idx"))

    def partition_A(self, a: Tensor) -> Tensor:
        """The thread's elements of A."""
        return partition("a", self.tiled_mma, a, self.thr_idx)

    def partition_B(self, b: Tensor) -> Tensor:
        """The thread's elements of B."""
        return partition("b", self.tiled_mma, b, self.thr_idx)

    def partition_C(self, c: Tensor) -> Tensor:
        """The thread's elements of C."""
        return partition("c", self.tiled_mma, c, self.thr_idx)

    def make_fragment_A(self, a: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for the thread's elements of A."""
        return fragment("a", self.tiled_mma, a, stages)

    def make_fragment_B(self, b: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for the thread's elements of B."""
        return fragment("b", self.tiled_mma, b, stages)

    def make_fragment_C(self, c: Tensor, *, stages: int | None = None) -> Tensor:
        """Registers for the thread's elements of C."""
        return fragment("c", self.tiled_mma, c, stages)


def partition(operand: str, tiled: TiledMma, tensor: Tensor, at: IntTuple) -> Tensor:
    """A thread's elements of an operand."""
    given = expect(tensor, Tensor, "what is partitioned")
    found = apply("tiled_mma.partition", tiled, given, at, operand_id=MmaOperandAttr(operand))
    return expect(found, Tensor, "a tensor")
