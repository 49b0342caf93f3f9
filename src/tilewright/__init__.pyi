# Written by `make stubs`; change the functions themselves, or scripts/stubs.py.
# ruff: noqa
# mypy: disable-error-code=overload-overlap
from tilewright import arch as arch
from tilewright import atoms as atoms
from tilewright import target as target
from tilewright.analysis.banks.conflicts import bank_conflicts as bank_conflicts
from tilewright.analysis.banks.conflicts import bank_conflicts_at as bank_conflicts_at
from tilewright.analysis.banks.report import BankReport as BankReport
from tilewright.analysis.descriptor.box import TensorMapBox as TensorMapBox
from tilewright.analysis.descriptor.operand import OperandDescriptor as OperandDescriptor
from tilewright.analysis.descriptor.recognise import CanonicalTile as CanonicalTile
from tilewright.analysis.descriptor.recognise import recognise as recognise
from tilewright.analysis.descriptor.words import descriptor as descriptor
from tilewright.analysis.global_memory.sectors import CoalescingReport as CoalescingReport
from tilewright.analysis.global_memory.sectors import coalescing as coalescing
from tilewright.analysis.global_memory.sectors import coalescing_at as coalescing_at
from tilewright.analysis.model.access import Access as Access
from tilewright.analysis.model.vector_width import widest_vector as widest_vector
from tilewright.analysis.permutation.choices import permutation_choices as permutation_choices
from tilewright.analysis.permutation.explained import compare_permutations as compare_permutations
from tilewright.analysis.permutation.explained import explain_permutation as explain_permutation
from tilewright.analysis.permutation.ownership import fragments_match as fragments_match
from tilewright.analysis.permutation.ownership import prove_ownership as prove_ownership
from tilewright.analysis.permute.schedule import PermuteSchedule as PermuteSchedule
from tilewright.analysis.permute.schedule import permute_schedule as permute_schedule
from tilewright.analysis.swizzle.advice import SwizzleAdvice as SwizzleAdvice
from tilewright.analysis.swizzle.search import suggest_swizzle as suggest_swizzle
from tilewright.atoms import rocdl as rocdl
from tilewright.atoms.copy_atom import CopyAtom as CopyAtom
from tilewright.atoms.mma import MmaAtom as MmaAtom
from tilewright.atoms.ops import UniversalAtomic as UniversalAtomic
from tilewright.atoms.ops import UniversalAtomicAdd as UniversalAtomicAdd
from tilewright.atoms.ops import UniversalAtomicAnd as UniversalAtomicAnd
from tilewright.atoms.ops import UniversalAtomicDec as UniversalAtomicDec
from tilewright.atoms.ops import UniversalAtomicInc as UniversalAtomicInc
from tilewright.atoms.ops import UniversalAtomicMax as UniversalAtomicMax
from tilewright.atoms.ops import UniversalAtomicMin as UniversalAtomicMin
from tilewright.atoms.ops import UniversalAtomicOr as UniversalAtomicOr
from tilewright.atoms.ops import UniversalCopy as UniversalCopy
from tilewright.atoms.ops import UniversalCopy128b as UniversalCopy128b
from tilewright.atoms.ops import UniversalCopy16b as UniversalCopy16b
from tilewright.atoms.ops import UniversalCopy256b as UniversalCopy256b
from tilewright.atoms.ops import UniversalCopy32b as UniversalCopy32b
from tilewright.atoms.ops import UniversalCopy64b as UniversalCopy64b
from tilewright.atoms.ops import UniversalCopy8b as UniversalCopy8b
from tilewright.atoms.ops import UniversalFMA as UniversalFMA
from tilewright.atoms.ops import make_copy_atom as make_copy_atom
from tilewright.atoms.ops import make_mma_atom as make_mma_atom
from tilewright.atoms.rocdl import MFMA as MFMA
from tilewright.atoms.rocdl import WMMA as WMMA
from tilewright.atoms.tensor_maps import TensorMapArguments as TensorMapArguments
from tilewright.atoms.tensor_maps import tensor_map as tensor_map
from tilewright.atoms.tiled_copy import ThrCopy as ThrCopy
from tilewright.atoms.tiled_copy import TiledCopy as TiledCopy
from tilewright.atoms.tiled_copy import make_tiled_copy as make_tiled_copy
from tilewright.atoms.tiled_copy import make_tiled_copy_A as make_tiled_copy_A
from tilewright.atoms.tiled_copy import make_tiled_copy_B as make_tiled_copy_B
from tilewright.atoms.tiled_copy import make_tiled_copy_C as make_tiled_copy_C
from tilewright.atoms.tiled_copy import make_tiled_copy_tv as make_tiled_copy_tv
from tilewright.atoms.tiled_mma import ThrMma as ThrMma
from tilewright.atoms.tiled_mma import TiledMma as TiledMma
from tilewright.atoms.tiled_mma import make_tiled_mma as make_tiled_mma
from tilewright.cli.notebook import load_ipython_extension as load_ipython_extension
from tilewright.dtypes import BFloat16 as BFloat16
from tilewright.dtypes import Boolean as Boolean
from tilewright.dtypes import Float16 as Float16
from tilewright.dtypes import Float32 as Float32
from tilewright.dtypes import Float4E2M1FN as Float4E2M1FN
from tilewright.dtypes import Float64 as Float64
from tilewright.dtypes import Float6E2M3FN as Float6E2M3FN
from tilewright.dtypes import Float6E3M2FN as Float6E3M2FN
from tilewright.dtypes import Float8E4M3FN as Float8E4M3FN
from tilewright.dtypes import Float8E4M3FNUZ as Float8E4M3FNUZ
from tilewright.dtypes import Float8E5M2 as Float8E5M2
from tilewright.dtypes import Float8E5M2FNUZ as Float8E5M2FNUZ
from tilewright.dtypes import Float8E8M0FNU as Float8E8M0FNU
from tilewright.dtypes import Int16 as Int16
from tilewright.dtypes import Int32 as Int32
from tilewright.dtypes import Int4 as Int4
from tilewright.dtypes import Int64 as Int64
from tilewright.dtypes import Int8 as Int8
from tilewright.dtypes import TFloat32 as TFloat32
from tilewright.dtypes import Uint16 as Uint16
from tilewright.dtypes import Uint32 as Uint32
from tilewright.dtypes import Uint4 as Uint4
from tilewright.dtypes import Uint64 as Uint64
from tilewright.dtypes import Uint8 as Uint8
from tilewright.errors import AlignmentError as AlignmentError
from tilewright.errors import BarrierError as BarrierError
from tilewright.errors import CompileError as CompileError
from tilewright.errors import DispatchError as DispatchError
from tilewright.errors import KernelError as KernelError
from tilewright.errors import LayoutError as LayoutError
from tilewright.errors import NotationError as NotationError
from tilewright.errors import OutOfBoundsError as OutOfBoundsError
from tilewright.errors import RaceError as RaceError
from tilewright.errors import SimulationError as SimulationError
from tilewright.errors import SourceLocation as SourceLocation
from tilewright.errors import TilewrightError as TilewrightError
from tilewright.errors import UninitializedError as UninitializedError
from tilewright.errors import UsageError as UsageError
from tilewright.figures.draw import draw as draw
from tilewright.figures.figure import Figure as Figure
from tilewright.lang.fly.autotune import Config as Config
from tilewright.lang.fly.autotune import autotune as autotune
from tilewright.layout.algebra.tiler import Tiler as Tiler
from tilewright.layout.algebra.tiler import tiler_to_layout as tiler_to_layout
from tilewright.layout.arithmetic import int_tuple_add as int_tuple_add
from tilewright.layout.arithmetic import int_tuple_div as int_tuple_div
from tilewright.layout.arithmetic import int_tuple_mod as int_tuple_mod
from tilewright.layout.arithmetic import int_tuple_mul as int_tuple_mul
from tilewright.layout.arithmetic import int_tuple_product as int_tuple_product
from tilewright.layout.arithmetic import int_tuple_product_each as int_tuple_product_each
from tilewright.layout.arithmetic import int_tuple_product_like as int_tuple_product_like
from tilewright.layout.arithmetic import int_tuple_sub as int_tuple_sub
from tilewright.layout.arithmetic import shape_div as shape_div
from tilewright.layout.axes import AXES as AXES
from tilewright.layout.axes import Axis as Axis
from tilewright.layout.axes import AxisSum as AxisSum
from tilewright.layout.axes import term as term
from tilewright.layout.base import LayoutBase as LayoutLike
from tilewright.layout.compare import common_refinement as common_refinement
from tilewright.layout.compare import compatible as compatible
from tilewright.layout.compare import congruent as congruent
from tilewright.layout.compare import elem_leq as elem_leq
from tilewright.layout.compare import elem_less as elem_less
from tilewright.layout.compare import equal as equal
from tilewright.layout.compare import evenly_divides as evenly_divides
from tilewright.layout.compare import weakly_congruent as weakly_congruent
from tilewright.layout.composed import ComposedLayout as ComposedLayout
from tilewright.layout.construct import domain_distribute as domain_distribute
from tilewright.layout.construct import make_coord as make_coord
from tilewright.layout.construct import make_identity_layout as make_identity_layout
from tilewright.layout.construct import make_identity_tensor as make_identity_tensor
from tilewright.layout.construct import make_int_tuple as make_int_tuple
from tilewright.layout.construct import make_layout_right as make_layout_right
from tilewright.layout.construct import make_shape as make_shape
from tilewright.layout.construct import make_stride as make_stride
from tilewright.layout.construct import make_tile as make_tile
from tilewright.layout.coordinates import coordinates as coordinates
from tilewright.layout.explain import explain as explain
from tilewright.layout.indexing import Coord as Coord
from tilewright.layout.inttuple import IntTuple as IntTuple
from tilewright.layout.layout import Layout as Layout
from tilewright.layout.linear.linear import LinearLayout as LinearLayout
from tilewright.layout.operations import append as append
from tilewright.layout.operations import block_product as block_product
from tilewright.layout.operations import blocked_product as blocked_product
from tilewright.layout.operations import ceil_div as ceil_div
from tilewright.layout.operations import coalesce as coalesce
from tilewright.layout.operations import complement as complement
from tilewright.layout.operations import composition as composition
from tilewright.layout.operations import coprofile as coprofile
from tilewright.layout.operations import coshape as coshape
from tilewright.layout.operations import cosize as cosize
from tilewright.layout.operations import crd2crd as crd2crd
from tilewright.layout.operations import crd2idx as crd2idx
from tilewright.layout.operations import dice as dice
from tilewright.layout.operations import domain_offset as domain_offset
from tilewright.layout.operations import downcast as downcast
from tilewright.layout.operations import filter as filter
from tilewright.layout.operations import filter_zeros as filter_zeros
from tilewright.layout.operations import flat_divide as flat_divide
from tilewright.layout.operations import flat_product as flat_product
from tilewright.layout.operations import flatten as flatten
from tilewright.layout.operations import get as get
from tilewright.layout.operations import get_1d_coord as get_1d_coord
from tilewright.layout.operations import get_flat_coord as get_flat_coord
from tilewright.layout.operations import get_hier_coord as get_hier_coord
from tilewright.layout.operations import group as group
from tilewright.layout.operations import idx2crd as idx2crd
from tilewright.layout.operations import left_inverse as left_inverse
from tilewright.layout.operations import local_partition as local_partition
from tilewright.layout.operations import local_tile as local_tile
from tilewright.layout.operations import logical_divide as logical_divide
from tilewright.layout.operations import logical_product as logical_product
from tilewright.layout.operations import make_composed_layout as make_composed_layout
from tilewright.layout.operations import make_fragment_layout_like as make_fragment_layout_like
from tilewright.layout.operations import make_fragment_like as make_fragment_like
from tilewright.layout.operations import make_layout as make_layout
from tilewright.layout.operations import make_layout_like as make_layout_like
from tilewright.layout.operations import make_layout_tv as make_layout_tv
from tilewright.layout.operations import make_ordered_layout as make_ordered_layout
from tilewright.layout.operations import max_alignment as max_alignment
from tilewright.layout.operations import max_common_layout as max_common_layout
from tilewright.layout.operations import max_common_vector as max_common_vector
from tilewright.layout.operations import nullspace as nullspace
from tilewright.layout.operations import prepend as prepend
from tilewright.layout.operations import raked_product as raked_product
from tilewright.layout.operations import recast_layout as recast_layout
from tilewright.layout.operations import replace as replace
from tilewright.layout.operations import right_inverse as right_inverse
from tilewright.layout.operations import select as select
from tilewright.layout.operations import simplify as simplify
from tilewright.layout.operations import slice as slice
from tilewright.layout.operations import slice_and_offset as slice_and_offset
from tilewright.layout.operations import take as take
from tilewright.layout.operations import tile_to_shape as tile_to_shape
from tilewright.layout.operations import tiled_divide as tiled_divide
from tilewright.layout.operations import tiled_product as tiled_product
from tilewright.layout.operations import unflatten as unflatten
from tilewright.layout.operations import upcast as upcast
from tilewright.layout.operations import with_coprofile as with_coprofile
from tilewright.layout.operations import with_shape as with_shape
from tilewright.layout.operations import zip as zip
from tilewright.layout.operations import zipped_divide as zipped_divide
from tilewright.layout.operations import zipped_product as zipped_product
from tilewright.layout.predicates import counterexample as counterexample
from tilewright.layout.predicates import equivalent as equivalent
from tilewright.layout.predicates import image as image
from tilewright.layout.predicates import is_bijective as is_bijective
from tilewright.layout.predicates import is_compact as is_compact
from tilewright.layout.predicates import is_contiguous as is_contiguous
from tilewright.layout.predicates import is_injective as is_injective
from tilewright.layout.predicates import is_surjective as is_surjective
from tilewright.layout.predicates import overlaps as overlaps
from tilewright.layout.query import depth as depth
from tilewright.layout.query import get_leaves as get_leaves
from tilewright.layout.query import get_scalar as get_scalar
from tilewright.layout.query import get_shape as get_shape
from tilewright.layout.query import get_stride as get_stride
from tilewright.layout.query import rank as rank
from tilewright.layout.query import size as size
from tilewright.layout.swizzle import Swizzle as Swizzle
from tilewright.layout.swizzle import recast_swizzle as recast_swizzle
from tilewright.layout.symbolic.guards import GuardedLayout as GuardedLayout
from tilewright.layout.symbolic.operators import maximum as maximum
from tilewright.layout.symbolic.operators import minimum as minimum
from tilewright.layout.symbolic.substitution import substitute as substitute
from tilewright.layout.symbolic.symint import SymInt as SymInt
from tilewright.layout.typed import TypedLayout as TypedLayout
from tilewright.notation import parse as parse
from tilewright.notation import placement as placement
from tilewright.notation import to_cpp as to_cpp
from tilewright.notation import to_cute as to_cute
from tilewright.notation import to_fly as to_fly
from tilewright.notation import to_linear as to_linear
from tilewright.notation import to_tirx as to_tirx
from tilewright.notation import to_triton as to_triton
from tilewright.notebook.door import explore as explore
from tilewright.runtime.compile import compile as compile
from tilewright.targets.tensor_map import TensorMap as TensorMap
from tilewright.tensor.copying import copy as copy
from tilewright.tensor.copying import copy_atom_call as copy_atom_call
from tilewright.tensor.making import get_iter as get_iter
from tilewright.tensor.making import get_layout as get_layout
from tilewright.tensor.making import make_rmem_tensor as make_rmem_tensor
from tilewright.tensor.making import make_view as make_view
from tilewright.tensor.predicate import predicate as predicate
from tilewright.tensor.products import gemm as gemm
from tilewright.tensor.products import mma_atom_call as mma_atom_call
from tilewright.tensor.tensor import Tensor as Tensor
__version__: str
__all__ = [
    "Access",
    "AlignmentError",
    "append",
    "autotune",
    "AXES",
    "Axis",
    "AxisSum",
    "bank_conflicts",
    "bank_conflicts_at",
    "BankReport",
    "BarrierError",
    "BFloat16",
    "block_product",
    "blocked_product",
    "Boolean",
    "CanonicalTile",
    "ceil_div",
    "coalesce",
    "coalescing",
    "coalescing_at",
    "CoalescingReport",
    "common_refinement",
    "compare_permutations",
    "compatible",
    "CompileError",
    "complement",
    "ComposedLayout",
    "composition",
    "Config",
    "congruent",
    "Coord",
    "coordinates",
    "coprofile",
    "copy",
    "copy_atom_call",
    "CopyAtom",
    "coshape",
    "cosize",
    "counterexample",
    "crd2crd",
    "crd2idx",
    "depth",
    "descriptor",
    "dice",
    "DispatchError",
    "domain_distribute",
    "domain_offset",
    "downcast",
    "draw",
    "elem_leq",
    "elem_less",
    "equal",
    "equivalent",
    "evenly_divides",
    "explain",
    "explain_permutation",
    "explore",
    "Figure",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "flatten",
    "Float16",
    "Float32",
    "Float4E2M1FN",
    "Float64",
    "Float6E2M3FN",
    "Float6E3M2FN",
    "Float8E4M3FN",
    "Float8E4M3FNUZ",
    "Float8E5M2",
    "Float8E5M2FNUZ",
    "Float8E8M0FNU",
    "fragments_match",
    "gemm",
    "get",
    "get_1d_coord",
    "get_flat_coord",
    "get_hier_coord",
    "get_iter",
    "get_layout",
    "get_leaves",
    "get_scalar",
    "get_shape",
    "get_stride",
    "group",
    "GuardedLayout",
    "idx2crd",
    "image",
    "Int16",
    "Int32",
    "Int4",
    "Int64",
    "Int8",
    "int_tuple_add",
    "int_tuple_div",
    "int_tuple_mod",
    "int_tuple_mul",
    "int_tuple_product",
    "int_tuple_product_each",
    "int_tuple_product_like",
    "int_tuple_sub",
    "IntTuple",
    "is_bijective",
    "is_compact",
    "is_contiguous",
    "is_injective",
    "is_surjective",
    "KernelError",
    "Layout",
    "LayoutError",
    "LayoutLike",
    "left_inverse",
    "LinearLayout",
    "load_ipython_extension",
    "local_partition",
    "local_tile",
    "logical_divide",
    "logical_product",
    "make_composed_layout",
    "make_coord",
    "make_copy_atom",
    "make_fragment_layout_like",
    "make_fragment_like",
    "make_identity_layout",
    "make_identity_tensor",
    "make_int_tuple",
    "make_layout",
    "make_layout_like",
    "make_layout_right",
    "make_layout_tv",
    "make_mma_atom",
    "make_ordered_layout",
    "make_rmem_tensor",
    "make_shape",
    "make_stride",
    "make_tile",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_tv",
    "make_tiled_mma",
    "make_view",
    "max_alignment",
    "max_common_layout",
    "max_common_vector",
    "maximum",
    "MFMA",
    "minimum",
    "mma_atom_call",
    "MmaAtom",
    "NotationError",
    "nullspace",
    "OperandDescriptor",
    "OutOfBoundsError",
    "overlaps",
    "parse",
    "permutation_choices",
    "permute_schedule",
    "PermuteSchedule",
    "placement",
    "predicate",
    "prepend",
    "prove_ownership",
    "RaceError",
    "raked_product",
    "rank",
    "recast_layout",
    "recast_swizzle",
    "recognise",
    "replace",
    "right_inverse",
    "select",
    "shape_div",
    "simplify",
    "SimulationError",
    "size",
    "slice_and_offset",
    "SourceLocation",
    "substitute",
    "suggest_swizzle",
    "Swizzle",
    "SwizzleAdvice",
    "SymInt",
    "take",
    "Tensor",
    "tensor_map",
    "TensorMap",
    "TensorMapArguments",
    "TensorMapBox",
    "term",
    "TFloat32",
    "ThrCopy",
    "ThrMma",
    "tile_to_shape",
    "tiled_divide",
    "tiled_product",
    "TiledCopy",
    "TiledMma",
    "Tiler",
    "tiler_to_layout",
    "TilewrightError",
    "to_cpp",
    "to_cute",
    "to_fly",
    "to_linear",
    "to_tirx",
    "to_triton",
    "TypedLayout",
    "Uint16",
    "Uint32",
    "Uint4",
    "Uint64",
    "Uint8",
    "unflatten",
    "UninitializedError",
    "UniversalAtomic",
    "UniversalAtomicAdd",
    "UniversalAtomicAnd",
    "UniversalAtomicDec",
    "UniversalAtomicInc",
    "UniversalAtomicMax",
    "UniversalAtomicMin",
    "UniversalAtomicOr",
    "UniversalCopy",
    "UniversalCopy128b",
    "UniversalCopy16b",
    "UniversalCopy256b",
    "UniversalCopy32b",
    "UniversalCopy64b",
    "UniversalCopy8b",
    "UniversalFMA",
    "upcast",
    "UsageError",
    "weakly_congruent",
    "widest_vector",
    "with_coprofile",
    "with_shape",
    "WMMA",
    "zipped_divide",
    "zipped_product",
]
