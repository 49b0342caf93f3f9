"""Layouts for GPU tiles: compute with them, see them, prove what they cost, write kernels with them.

Names are loaded when they are first asked for, so that `import tilewright` is instant. The table says where each lives.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tilewright import analysis

_NAMES = {
    **{f"tilewright.analysis.{module}": names for module, names in analysis.NAMES.items()},
    "tilewright.analysis.descriptor.operand": "OperandDescriptor",
    "tilewright.analysis.descriptor.words": "descriptor",
    "tilewright.atoms.copy_atom": "CopyAtom",
    "tilewright.atoms.mma": "MmaAtom",
    "tilewright.atoms.ops": (
        "make_copy_atom make_mma_atom UniversalAtomic UniversalAtomicAdd UniversalAtomicAnd UniversalAtomicDec "
        "UniversalAtomicInc UniversalAtomicMax UniversalAtomicMin UniversalAtomicOr UniversalCopy UniversalCopy128b "
        "UniversalCopy16b UniversalCopy256b UniversalCopy32b UniversalCopy64b UniversalCopy8b UniversalFMA"
    ),
    "tilewright.atoms.rocdl": "MFMA WMMA",
    "tilewright.atoms.tensor_maps": "tensor_map TensorMapArguments",
    "tilewright.atoms.tiled_copy": (
        "make_tiled_copy make_tiled_copy_A make_tiled_copy_B make_tiled_copy_C make_tiled_copy_tv ThrCopy TiledCopy"
    ),
    "tilewright.atoms.tiled_mma": "make_tiled_mma ThrMma TiledMma",
    "tilewright.cli.notebook": "load_ipython_extension",
    "tilewright.dtypes": (
        "BFloat16 Boolean Float16 Float32 Float4E2M1FN Float64 Float6E2M3FN Float6E3M2FN Float8E4M3FN Float8E4M3FNUZ "
        "Float8E5M2 Float8E5M2FNUZ Float8E8M0FNU Int16 Int32 Int4 Int64 Int8 TFloat32 Uint16 Uint32 Uint4 Uint64 Uint8"
    ),
    "tilewright.errors": (
        "AlignmentError BarrierError CompileError DispatchError KernelError LayoutError NotationError OutOfBoundsError "
        "RaceError SimulationError SourceLocation TilewrightError UninitializedError UsageError"
    ),
    "tilewright.figures.draw": "draw",
    "tilewright.figures.figure": "Figure",
    "tilewright.lang.fly.autotune": "autotune Config",
    "tilewright.layout.arithmetic": (
        "int_tuple_add int_tuple_div int_tuple_mod int_tuple_mul int_tuple_product int_tuple_product_each "
        "int_tuple_product_like int_tuple_sub shape_div"
    ),
    "tilewright.layout.algebra.tiler": "Tiler tiler_to_layout",
    "tilewright.layout.axes": "AXES Axis AxisSum term",
    "tilewright.layout.compare": (
        "common_refinement compatible congruent elem_leq elem_less equal evenly_divides weakly_congruent"
    ),
    "tilewright.layout.composed": "ComposedLayout",
    "tilewright.layout.construct": (
        "domain_distribute make_coord make_identity_layout make_identity_tensor make_int_tuple make_layout_right "
        "make_shape make_stride make_tile"
    ),
    "tilewright.layout.base": "LayoutLike=LayoutBase",
    "tilewright.layout.coordinates": "coordinates",
    "tilewright.layout.indexing": "Coord",
    "tilewright.layout.inttuple": "IntTuple",
    "tilewright.layout.symbolic.guards": "GuardedLayout",
    "tilewright.layout.layout": "Layout",
    "tilewright.layout.linear.linear": "LinearLayout",
    "tilewright.layout.operations": (
        "append block_product blocked_product ceil_div coalesce complement composition coprofile coshape cosize "
        "crd2crd crd2idx dice domain_offset downcast filter filter_zeros flat_divide flat_product flatten get "
        "get_1d_coord get_flat_coord get_hier_coord group idx2crd left_inverse local_partition local_tile "
        "logical_divide logical_product make_composed_layout make_fragment_layout_like make_fragment_like make_layout "
        "make_layout_like make_layout_tv make_ordered_layout max_alignment max_common_layout max_common_vector "
        "nullspace prepend raked_product recast_layout replace right_inverse select simplify slice slice_and_offset "
        "take tile_to_shape tiled_divide tiled_product unflatten upcast with_coprofile with_shape zip zipped_divide "
        "zipped_product"
    ),
    "tilewright.layout.predicates": (
        "counterexample equivalent image is_bijective is_compact is_contiguous is_injective is_surjective overlaps"
    ),
    "tilewright.layout.query": "depth get_leaves get_scalar get_shape get_stride rank size",
    "tilewright.layout.explain": "explain",
    "tilewright.layout.swizzle": "recast_swizzle Swizzle",
    "tilewright.layout.symbolic.substitution": "substitute",
    "tilewright.layout.symbolic.operators": "maximum minimum",
    "tilewright.layout.typed": "TypedLayout",
    "tilewright.layout.symbolic.symint": "SymInt",
    "tilewright.notation": "parse placement to_cpp to_cute to_fly to_linear to_tirx to_triton",
    "tilewright.notebook.door": "explore",
    "tilewright.runtime.compile": "compile",
    "tilewright.targets.tensor_map": "TensorMap",
    "tilewright.tensor.copying": "copy copy_atom_call",
    "tilewright.tensor.making": "get_iter get_layout make_rmem_tensor make_view",
    "tilewright.tensor.predicate": "predicate",
    "tilewright.tensor.products": "gemm mma_atom_call",
    "tilewright.tensor.tensor": "Tensor",
}
_WHERE = {
    name: (module, target or name)
    for module, names in _NAMES.items()
    for name, _, target in (entry.partition("=") for entry in names.split())
}
_BUILTINS = {"compile", "filter", "slice", "zip"}
_PACKAGES = {"arch": "arch", "atoms": "atoms", "rocdl": "atoms.rocdl", "target": "target"}

__version__ = "0.1.0"
__all__ = sorted(_WHERE.keys() - _BUILTINS, key=str.casefold)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"tilewright.{_PACKAGES[name]}")
    if name not in _WHERE:
        raise AttributeError(f"module 'tilewright' has no attribute {name!r}")
    module, target = _WHERE[name]
    value = globals()[name] = getattr(import_module(module), target)
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_WHERE, *_PACKAGES})
