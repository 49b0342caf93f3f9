"""Which rule infers which op: one table, op -> rule and what it takes: the kinds of its operands, its attributes.

A rule is a function from the values of the operands' types, and the attributes in their order, to the value of the
result's type. It raises `LayoutError` where there is none.
"""

from __future__ import annotations

from functools import partial

from tilewright.ir.fly.kinds import (
    ANY_LAYOUT,
    ATOM,
    COMPOSED,
    COORD_SWIZZLE,
    COORDINATE,
    FUNCTION,
    INT_TUPLE,
    INTEGERS,
    LAID_OUT,
    LAYOUT,
    MEMREF,
    POINTER,
    PROFILED,
    SCALAR,
    SHAPED,
    SWIZZLE,
    TENSOR,
    TILE,
    TILED_COPY,
    TILED_MMA,
    TILER,
    VALUE,
    XOR_SHIFT,
    Many,
    Maybe,
)
from tilewright.ir.fly.normal_form import ordered
from tilewright.ir.fly.op_attributes import (
    ADDRESS_SPACE,
    BEGIN,
    BIT_OFFSET,
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
    REGISTER_ALIGNMENT,
    REGISTER_CLASS,
    STAGES,
    START,
    STORAGE_BITS,
    VALUE_BITS,
    N,
)
from tilewright.ir.fly.rules import (
    access,
    algebra,
    atoms,
    calls,
    making,
    memory,
    partition,
    placement,
    queries,
    structure,
    tiled,
)
from tilewright.ir.fly.rules import coordinates as coords
from tilewright.ir.fly.rules.memory import of_view
from tilewright.ir.fly.table_row import WRITTEN, Op, op
from tilewright.layout import arithmetic, construct, query

TABLE: dict[str, Op] = {
    # construction
    "static": op(access.static, WRITTEN),
    "make_int_tuple": op(access.made_of(access.lone), WRITTEN, Many(SCALAR | INT_TUPLE)),
    "make_shape": op(access.made_of(construct.make_shape), WRITTEN, Many(SCALAR | INT_TUPLE)),
    "make_stride": op(access.made_of(construct.make_stride), WRITTEN, Many(SCALAR | INT_TUPLE)),
    "make_coord": op(access.made_of(construct.make_coord), WRITTEN, Many(SCALAR | INT_TUPLE)),
    "make_tile": op(making.make_tile, Many(TILER, least=1)),
    "make_layout": op(making.make_layout, INTEGERS, INT_TUPLE),
    "make_ordered_layout": op(ordered, INTEGERS, INTEGERS),
    "make_layout_like": op(making.make_layout_like, ANY_LAYOUT),
    "make_fragment_layout_like": op(making.make_fragment_layout_like, ANY_LAYOUT),
    "make_identity_layout": op(construct.make_identity_layout, INTEGERS),
    "make_identity_tensor": op(memory.make_identity_tensor, INTEGERS),
    "make_composed_layout": op(
        making.make_composed_layout, ANY_LAYOUT | SWIZZLE | COORD_SWIZZLE, PROFILED, Maybe(ANY_LAYOUT)
    ),
    # queries
    "size": op(of_view(queries.size), SHAPED),
    "cosize": op(of_view(queries.cosize), LAID_OUT),
    "coshape": op(of_view(queries.coshape), LAID_OUT),
    "coprofile": op(of_view(queries.coprofile), LAID_OUT),
    "rank": op(of_view(query.rank), SHAPED),
    "depth": op(of_view(query.depth), SHAPED),
    "get_shape": op(of_view(query.get_shape), LAID_OUT),
    "get_stride": op(of_view(queries.get_stride), LAID_OUT),
    "is_static": op(queries.is_static, VALUE),
    "get": op(of_view(queries.get), SHAPED, MODE),
    "get_leaf": op(queries.get_leaf, INT_TUPLE | LAYOUT, LEAF),
    "get_leaves": op(access.get_leaves, INT_TUPLE, DYNAMIC_ONLY),
    "get_scalar": op(access.get_scalar, INT_TUPLE),
    "composed_get_inner": op(making.composed_get_inner, COMPOSED),
    "composed_get_offset": op(making.composed_get_offset, COMPOSED),
    "composed_get_outer": op(making.composed_get_outer, COMPOSED),
    # coordinates
    "crd2idx": op(coords.crd2idx, COORDINATE, FUNCTION),
    "idx2crd": op(coords.idx2crd, INTEGERS, LAYOUT | INTEGERS),
    "get_flat_coord": op(coords.get_flat_coord, INTEGERS, LAYOUT),
    "get_1d_coord": op(coords.get_1d_coord, INTEGERS, LAYOUT),
    "crd2crd": op(coords.crd2crd, INTEGERS, INTEGERS, INTEGERS),
    "get_hier_coord": op(coords.get_hier_coord, INTEGERS, LAYOUT),
    # algebra
    "composition": op(algebra.compose, LAID_OUT | SWIZZLE, TILER | COMPOSED | SWIZZLE),
    "complement": op(algebra.complement, ANY_LAYOUT, Maybe(PROFILED)),
    "right_inverse": op(algebra.right_inverse, ANY_LAYOUT),
    "left_inverse": op(algebra.left_inverse, ANY_LAYOUT),
    "coalesce": op(of_view(algebra.coalesce), LAID_OUT, Maybe(INT_TUPLE)),
    "recast_layout": op(algebra.recast_layout, ANY_LAYOUT, OLD_BITS, NEW_BITS),
    "logical_divide": op(of_view(algebra.logical_divide), LAID_OUT, TILER),
    "zipped_divide": op(of_view(algebra.zipped_divide), LAID_OUT, TILER),
    "tiled_divide": op(of_view(algebra.tiled_divide), LAID_OUT, TILER),
    "flat_divide": op(of_view(algebra.flat_divide), LAID_OUT, TILER),
    "logical_product": op(algebra.logical_product, ANY_LAYOUT, TILER),
    "zipped_product": op(algebra.logical_product, ANY_LAYOUT, TILER),
    "tiled_product": op(algebra.tiled_product, ANY_LAYOUT, TILER),
    "flat_product": op(algebra.flat_product, ANY_LAYOUT, TILER),
    "blocked_product": op(algebra.blocked_product, ANY_LAYOUT, LAYOUT | INTEGERS),
    "block_product": op(algebra.blocked_product, ANY_LAYOUT, LAYOUT | INTEGERS),
    "raked_product": op(algebra.raked_product, ANY_LAYOUT, LAYOUT | INTEGERS),
    "tile_to_shape": op(algebra.tile_to_shape, ANY_LAYOUT, INTEGERS, INTEGERS),
    # structure
    "select": op(of_view(structure.select), SHAPED, INDICES),
    "take": op(of_view(structure.take), SHAPED, BEGIN, END),
    "group": op(of_view(structure.group), SHAPED, BEGIN, END),
    "append": op(structure.append, PROFILED, INT_TUPLE | LAYOUT, N),
    "prepend": op(structure.prepend, PROFILED, INT_TUPLE | LAYOUT, N),
    "slice": op(memory.slice_, SHAPED, COORDINATE),
    "dice": op(structure.dice, PROFILED, COORDINATE),
    "zip": op(structure.zip_, PROFILED, PROFILED),
    "flatten": op(structure.flatten, PROFILED),
    # arithmetic
    "int_tuple_add": op(coords.of_elements(arithmetic.int_tuple_add), INT_TUPLE, INT_TUPLE),
    "int_tuple_sub": op(coords.of_elements(arithmetic.int_tuple_sub), INT_TUPLE, INT_TUPLE),
    "int_tuple_mul": op(arithmetic.int_tuple_mul, INT_TUPLE, INT_TUPLE),
    "int_tuple_div": op(arithmetic.int_tuple_div, INT_TUPLE, INT_TUPLE),
    "int_tuple_mod": op(arithmetic.int_tuple_mod, INT_TUPLE, INT_TUPLE),
    "int_tuple_product": op(arithmetic.int_tuple_product, INT_TUPLE),
    "int_tuple_product_each": op(arithmetic.int_tuple_product_each, INT_TUPLE),
    "int_tuple_product_like": op(arithmetic.int_tuple_product_like, INT_TUPLE, INT_TUPLE),
    "ceil_div": op(coords.of_extents(arithmetic.ceil_div), INT_TUPLE, INT_TUPLE),
    "shape_div": op(coords.of_extents(arithmetic.shape_div), INT_TUPLE, INT_TUPLE),
    "elem_less": op(queries.elem_less, PROFILED, PROFILED),
    "equal": op(queries.equal, PROFILED, PROFILED),
    # views
    "get_layout": op(memory.get_layout, TENSOR),
    "get_iter": op(memory.get_iter, TENSOR),
    "make_view": op(memory.make_view, POINTER | INT_TUPLE, ANY_LAYOUT),
    "add_offset": op(memory.add_offset, POINTER | INT_TUPLE, INT_TUPLE),
    "apply_swizzle": op(
        access.apply_swizzle,
        POINTER | INTEGERS,
        (SWIZZLE | XOR_SHIFT | COORD_SWIZZLE).saying("ApplySwizzleOp: expected SwizzleType, got {}"),
    ),
    "decomposition": op(access.decomposition, TENSOR.saying("DecompositionOp: expected TensorLikeType, got {}")),
    "make_fragment_like": op(
        partition.make_fragment_like, LAID_OUT.saying("MakeFragmentLikeOp: expected LayoutLikeType, got {}"), ELEMENT
    ),
    # memory
    "get_dyn_shared": op(access.get_dyn_shared),
    "make_ptr": op(access.pointer, WRITTEN, Many(VALUE), DICTIONARY).named("args"),
    "inttoptr": op(access.inttoptr, WRITTEN, SCALAR),
    "ptrtoint": op(access.ptrtoint, POINTER),
    "to_llvm_ptr": op(access.to_llvm_ptr, POINTER, ADDRESS_SPACE),
    "recast_iter": op(access.recast_iter, WRITTEN, POINTER),
    "extract_aligned_pointer_as_index": op(access.extract_aligned_pointer_as_index, WRITTEN, MEMREF),
    "memref.alloca": op(access.alloca, WRITTEN, ANY_LAYOUT),
    "memref.load": op(access.load, TENSOR, INTEGERS),
    "memref.store": op(access.store, VALUE, MEMREF, INTEGERS),
    "memref.load_vec": op(access.load_vec, TENSOR),
    "memref.store_vec": op(access.store_vec, VALUE, MEMREF),
    "ptr.load": op(access.ptr_load, WRITTEN, POINTER),
    "ptr.store": op(access.ptr_store, VALUE, POINTER),
    "set_register": op(placement.set_register, POINTER | MEMREF, REGISTER_CLASS, START, REGISTER_ALIGNMENT),
    "register_value": op(
        placement.register_value, SCALAR, REGISTER_CLASS, START, REGISTER_ALIGNMENT, BIT_OFFSET, STORAGE_BITS
    ),
    # atoms
    "make_copy_atom": op(atoms.make_copy_atom, WRITTEN, Many(VALUE), VALUE_BITS).named("args"),
    "make_mma_atom": op(atoms.make_mma_atom, WRITTEN),
    "make_atom": op(atoms.make_atom, WRITTEN),
    "atom.set_value": op(atoms.set_value, ATOM, VALUE, FIELD),
    "make_tiled_copy": op(tiled.make_tiled_copy, ATOM, LAYOUT, TILE),
    "make_tiled_copy_A": op(partial(tiled.matching, "A"), ATOM, TILED_MMA),
    "make_tiled_copy_B": op(partial(tiled.matching, "B"), ATOM, TILED_MMA),
    "make_tiled_copy_C": op(partial(tiled.matching, "C"), ATOM, TILED_MMA),
    "make_tiled_mma": op(tiled.make_tiled_mma, ATOM, LAYOUT, Maybe(TILE)),
    "get_copy_atom": op(atoms.get_copy_atom, TILED_COPY),
    "get_mma_atom": op(atoms.get_mma_atom, TILED_MMA),
    "tiled_copy.partition_src": op(partition.partition_src, TILED_COPY, TENSOR, INTEGERS),
    "tiled_copy.partition_dst": op(partition.partition_dst, TILED_COPY, TENSOR, INTEGERS),
    "tiled_copy.retile": op(partition.retile, TILED_COPY, MEMREF),
    "tiled_mma.partition": op(partition.partition, TILED_MMA, TENSOR, INTEGERS, OPERAND),
    "tiled_mma.partition_shape": op(partition.partition_shape, TILED_MMA, INTEGERS, OPERAND),
    "mma.make_fragment": op(
        partition.make_fragment,
        TILED_MMA,
        MEMREF.saying("MmaMakeFragmentOp: expected MemRefType for operand #1, got '{}'"),
        OPERAND,
        STAGES,
    ),
    # work
    "copy": op(calls.copy, ATOM | TILED_COPY, TENSOR, TENSOR, Maybe(MEMREF)),
    "gemm": op(
        calls.gemm, ATOM | TILED_MMA, MEMREF, Many(MEMREF, 1), Many(MEMREF, 1), MEMREF, Maybe(LAYOUT), ORDER
    ).named("mmaAtom d a b c traversalLayout"),
    "copy_atom_call": op(calls.copy_atom_call, ATOM | TILED_COPY, TENSOR, TENSOR, Maybe(MEMREF)),
    "copy_atom_call_ssa": op(
        calls.copy_atom_call_ssa, WRITTEN, ATOM | TILED_COPY, SCALAR | TENSOR, Maybe(SCALAR | TENSOR), Maybe(VALUE)
    ).named("copyAtom src dst pred"),
    "mma_atom_call": op(calls.mma_atom_call, ATOM | TILED_MMA, MEMREF, Many(MEMREF, 1), Many(MEMREF, 1), MEMREF).named(
        "mmaAtom d a b c"
    ),
    "mma_atom_call_ssa": op(
        calls.mma_atom_call_ssa, WRITTEN, ATOM | TILED_MMA, Maybe(VALUE), Many(VALUE, 1), Many(VALUE, 1), VALUE
    ).named("mmaAtom dst a b c"),
    "print": op(access.print_, Many(VALUE), FORMAT).named("values"),
    "assume": op(access.assume, WRITTEN, VALUE, VALUE),
    "fly_rocdl.get_buffer_rsrc": op(access.get_buffer_rsrc, POINTER),
}

# Ops of the release of which nothing is inferred, and why.
NOT_INFERRED = {
    "fly_rocdl.make_tiled_tdm_load_atom": "its atom, a tensor mover of gfx1250, has layouts that no table here holds",
    "fly_rocdl.make_tiled_tdm_store_atom": "its atom, a tensor mover of gfx1250, has layouts that no table here holds",
}
