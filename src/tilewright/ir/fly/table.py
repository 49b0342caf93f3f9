"""Which rule infers which op: one table, op -> rule, and what the op takes.

A rule is a function from the values of the operands' types, and the attributes in their order, to the value of the
result's type. It raises `LayoutError` where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tilewright.errors import NotationError
from tilewright.ir.fly import access, atoms, calls, memory, partition, rules, structure, tiled
from tilewright.ir.fly import coordinates as coords
from tilewright.ir.fly.attributes import (
    ADDRESS_SPACE,
    BEGIN,
    DICTIONARY,
    DYNAMIC_ONLY,
    ELEMENT,
    END,
    FIELD,
    FORMAT,
    INDICES,
    LEAF,
    MODE,
    NEW_BITS,
    OLD_BITS,
    OPERAND,
    ORDER,
    STAGES,
    VALUE_BITS,
    Attribute,
    N,
)
from tilewright.ir.fly.types import Tile
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import arithmetic, construct, coordinates, query

MANY = 64


@dataclass(frozen=True, slots=True)
class Op:
    """How an op infers.

    Args:
        rule: the function.
        operands: the least and the most operands.
        attributes: what it takes besides, in the order of the rule.
        written: are the types of results written, not inferred? Then the rule takes them first, None where none are
            given, and gives back what it finds consistent.
        groups: the names of the rule's operands, where these are not single values: `d?` is one or None, `a*` a tuple
            of any number. Which is how many, the attribute `operandSegmentSizes` says.
    """

    rule: Callable[..., Any]
    operands: tuple[int, int]
    attributes: tuple[Attribute, ...] = ()
    written: bool = False
    groups: tuple[str, ...] = ()

    def grouped(self, values: Sequence[Any], sizes: Sequence[int] | None) -> list[Any]:
        """The operands as the rule takes them.

        Raises:
            NotationError: the sizes of the groups are not those of these operands.
        """
        if not self.groups:
            return list(values)
        sizes = self.sizes(len(values)) if sizes is None else sizes
        fits = len(sizes) == len(self.groups) and sum(sizes) == len(values)
        if not fits or not all(map(_allowed, self.groups, sizes)):
            raise NotationError(f"operandSegmentSizes {list(sizes)} do not group {len(values)} operands")
        rest = iter(values)
        parts = [tuple(next(rest) for _ in range(n)) for n in sizes]
        return [p if g[-1] == "*" else p[0] if p else None for g, p in zip(self.groups, parts, strict=True)]

    @property
    def segmented(self) -> bool:
        """Must an op say how many operands each group has?"""
        return sum(group[-1] in "*?" for group in self.groups) > 1

    def sizes(self, count: int) -> list[int]:
        """How many operands each group has, where nothing says so: one each, then one of those that may be missing."""
        if len(self.groups) == 1:
            return [count]
        sizes = [int(group[-1] != "?") for group in self.groups]
        for i, group in enumerate(self.groups):
            if group[-1] == "?" and sum(sizes) < count:
                sizes[i] = 1
        return sizes


def _allowed(group: str, size: int) -> bool:
    return size >= 0 if group[-1] == "*" else size == 1 or (size == 0 and group[-1] == "?")


def _op(rule: Callable[..., Any], least: int, most: int | None = None, *attributes: Attribute) -> Op:
    return Op(rule, (least, least if most is None else most), attributes)


def _view(rule: Callable[..., Any], least: int, most: int | None = None, *attributes: Attribute) -> Op:
    return _op(memory.of_view(rule), least, most, *attributes)


def _written(rule: Callable[..., Any], least: int, most: int | None = None) -> Op:
    return replace(_op(rule, least, most), written=True)


def _grouped(rule: Callable[..., Any], groups: str, *attributes: Attribute, written: bool = False) -> Op:
    names = tuple(groups.split())
    least = sum(name[-1] not in "*?" for name in names)
    return Op(rule, (least, MANY if "*" in groups else len(names)), attributes, written, names)


TABLE: dict[str, Op] = {
    # construction
    "static": _written(access.static, 0),
    "make_int_tuple": _written(access.made_of(construct.make_int_tuple), 0, MANY),
    "make_shape": _written(access.made_of(construct.make_shape), 0, MANY),
    "make_stride": _written(access.made_of(construct.make_stride), 0, MANY),
    "make_coord": _written(access.made_of(construct.make_coord), 0, MANY),
    "make_tile": _op(lambda *modes: Tile(construct.make_tile(*map(rules.tiler_of, modes))), 1, MANY),
    "make_layout": _op(rules.make_layout, 2),
    "make_ordered_layout": _op(rules.make_ordered_layout, 2),
    "make_layout_like": _op(rules.make_layout_like, 1),
    "make_fragment_layout_like": _op(rules.make_fragment_layout_like, 1),
    "make_identity_layout": _op(construct.make_identity_layout, 1),
    "make_identity_tensor": _op(memory.make_identity_tensor, 1),
    "make_composed_layout": _op(rules.make_composed_layout, 2, 3),
    # queries
    "size": _view(query.size, 1),
    "cosize": _view(rules.cosize, 1),
    "coshape": _view(rules.coshape, 1),
    "coprofile": _view(algebra.coprofile, 1),
    "rank": _view(query.rank, 1),
    "depth": _view(query.depth, 1),
    "get_shape": _view(query.get_shape, 1),
    "get_stride": _view(rules.get_stride, 1),
    "is_static": _view(rules.is_static, 1),
    "get": _view(rules.get, 1, 1, MODE),
    "get_leaf": _op(rules.get_leaf, 1, 1, LEAF),
    "get_leaves": _op(access.get_leaves, 1, 1, DYNAMIC_ONLY),
    "get_scalar": _op(access.get_scalar, 1),
    "composed_get_inner": _op(lambda layout: rules.composed(layout).outer, 1),
    "composed_get_offset": _op(lambda layout: rules.composed(layout).offset, 1),
    "composed_get_outer": _op(lambda layout: rules.composed(layout).inner, 1),
    # coordinates
    "crd2idx": _op(coords.crd2idx, 2),
    "idx2crd": _op(algebra.idx2crd, 2),
    "get_flat_coord": _op(coords.get_flat_coord, 2),
    "get_1d_coord": _op(algebra.get_1d_coord, 2),
    "crd2crd": _op(coordinates.crd2crd, 3),
    "get_hier_coord": _op(algebra.get_hier_coord, 2),
    # algebra
    "composition": _view(rules.composition, 2),
    "complement": _op(rules.complement, 1, 2),
    "right_inverse": _op(rules.right_inverse, 1),
    "left_inverse": _op(rules.left_inverse, 1),
    "coalesce": _view(rules.coalesce, 1, 2),
    "recast_layout": _op(rules.recast_layout, 1, 1, OLD_BITS, NEW_BITS),
    "logical_divide": _view(rules.logical_divide, 2),
    "zipped_divide": _view(rules.zipped_divide, 2),
    "tiled_divide": _view(rules.tiled_divide, 2),
    "flat_divide": _view(rules.flat_divide, 2),
    "logical_product": _op(rules.logical_product, 2),
    "zipped_product": _op(rules.logical_product, 2),
    "tiled_product": _op(rules.tiled_product, 2),
    "flat_product": _op(rules.flat_product, 2),
    "blocked_product": _op(rules.blocked_product, 2),
    "block_product": _op(rules.blocked_product, 2),
    "raked_product": _op(rules.raked_product, 2),
    "tile_to_shape": _op(rules.tile_to_shape, 3),
    # structure
    "select": _view(structure.select, 1, 1, INDICES),
    "take": _view(structure.take, 1, 1, BEGIN, END),
    "group": _view(structure.group, 1, 1, BEGIN, END),
    "append": _op(structure.append, 2, 2, N),
    "prepend": _op(structure.prepend, 2, 2, N),
    "slice": _op(memory.slice_, 2),
    "dice": _op(structure.dice, 2),
    "zip": _op(algebra.zip, 2),
    "flatten": _op(algebra.flatten, 1),
    # arithmetic
    "int_tuple_add": _op(coords.of_elements(arithmetic.int_tuple_add), 2),
    "int_tuple_sub": _op(coords.of_elements(arithmetic.int_tuple_sub), 2),
    "int_tuple_mul": _op(arithmetic.int_tuple_mul, 2),
    "int_tuple_div": _op(arithmetic.int_tuple_div, 2),
    "int_tuple_mod": _op(arithmetic.int_tuple_mod, 2),
    "int_tuple_product": _op(arithmetic.int_tuple_product, 1),
    "int_tuple_product_each": _op(arithmetic.int_tuple_product_each, 1),
    "int_tuple_product_like": _op(arithmetic.int_tuple_product_like, 2),
    "ceil_div": _op(arithmetic.ceil_div, 2),
    "shape_div": _op(arithmetic.shape_div, 2),
    "elem_less": _op(rules.elem_less, 2),
    "equal": _op(rules.equal, 2),
    # views
    "get_layout": _op(memory.get_layout, 1),
    "get_iter": _op(memory.get_iter, 1),
    "make_view": _op(memory.make_view, 2),
    "add_offset": _op(memory.add_offset, 2),
    "apply_swizzle": _op(access.apply_swizzle, 2),
    "decomposition": _op(access.decomposition, 1),
    "make_fragment_like": _op(partition.make_fragment_like, 1, 1, ELEMENT),
    # memory
    "get_dyn_shared": _op(access.get_dyn_shared, 0),
    "make_ptr": _grouped(access.pointer, "args*", DICTIONARY, written=True),
    "inttoptr": _written(access.inttoptr, 1),
    "ptrtoint": _op(access.ptrtoint, 1),
    "to_llvm_ptr": _op(access.to_llvm_ptr, 1, 1, ADDRESS_SPACE),
    "recast_iter": _written(access.recast_iter, 1),
    "extract_aligned_pointer_as_index": _written(access.extract_aligned_pointer_as_index, 1),
    "memref.alloca": _written(access.alloca, 1),
    "memref.load": _op(access.load, 2),
    "memref.store": _op(access.store, 3),
    "memref.load_vec": _op(access.load_vec, 1),
    "memref.store_vec": _op(access.store_vec, 2),
    "ptr.load": _written(access.ptr_load, 1),
    "ptr.store": _op(access.ptr_store, 2),
    # atoms
    "make_copy_atom": _grouped(atoms.make_copy_atom, "args*", VALUE_BITS, written=True),
    "make_mma_atom": _written(atoms.make_mma_atom, 0),
    "atom.set_value": _op(atoms.set_value, 2, 2, FIELD),
    "make_tiled_copy": _op(tiled.make_tiled_copy, 3),
    "make_tiled_copy_A": _op(partial(tiled.matching, "A"), 2),
    "make_tiled_copy_B": _op(partial(tiled.matching, "B"), 2),
    "make_tiled_copy_C": _op(partial(tiled.matching, "C"), 2),
    "make_tiled_mma": _op(tiled.make_tiled_mma, 2, 3),
    "get_copy_atom": _op(atoms.get_copy_atom, 1),
    "get_mma_atom": _op(atoms.get_mma_atom, 1),
    "tiled_copy.partition_src": _op(partition.partition_src, 3),
    "tiled_copy.partition_dst": _op(partition.partition_dst, 3),
    "tiled_copy.retile": _op(partition.retile, 2),
    "tiled_mma.partition": _op(partition.partition, 3, 3, OPERAND),
    "tiled_mma.partition_shape": _op(partition.partition_shape, 2, 2, OPERAND),
    "mma.make_fragment": _op(partition.make_fragment, 2, 2, OPERAND, STAGES),
    # work
    "copy": _op(calls.copy, 3, 4),
    "gemm": _grouped(calls.gemm, "mmaAtom d a* b* c traversalLayout?", ORDER),
    "copy_atom_call": _op(calls.copy_atom_call, 3, 4),
    "copy_atom_call_ssa": _grouped(calls.copy_atom_call_ssa, "copyAtom src dst? pred?", written=True),
    "mma_atom_call": _grouped(calls.mma_atom_call, "mmaAtom d a* b* c"),
    "mma_atom_call_ssa": _grouped(calls.mma_atom_call_ssa, "mmaAtom dst? a* b* c", written=True),
    "print": _grouped(access.print_, "values*", FORMAT),
    "assume": _written(access.assume, 2),
    "fly_rocdl.get_buffer_rsrc": _op(access.get_buffer_rsrc, 1),
}

# Ops of the release of which nothing is inferred, and why.
NOT_INFERRED = {
    "fly_rocdl.make_tiled_tdm_load_atom": "its atom, a tensor mover of gfx1250, has layouts that no table here holds",
    "fly_rocdl.make_tiled_tdm_store_atom": "its atom, a tensor mover of gfx1250, has layouts that no table here holds",
}
