"""What a type checker makes of programs: the type of each expression, in the words of mypy / of pyright."""

from typing import reveal_type

import numpy as np

import tilewright as tw
from tilewright.tirx.layout import ComposeLayout, S, SwizzleLayout, TileLayout

n = tw.SymInt("n", div=8)
layout = tw.Layout((8, 16), (16, 1))
swizzle = tw.Swizzle(3, 3, 3)
tile = tw.make_composed_layout(swizzle, 0, tw.Layout((8, 64), (64, 1)))
composed = tw.ComposedLayout(swizzle, 0, tw.Layout((8, 64), (64, 1)))
dynamic = tw.ComposedLayout(swizzle, 0, tw.Layout(n))
identity = tw.make_identity_tensor((8, 16))
rows = np.arange(8)
tirx = TileLayout(S[8, 64])
swizzled = ComposeLayout(SwizzleLayout(3, 3, 3), tirx)
mma = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
tiled = tw.make_tiled_mma(mma, tw.Layout((2, 2, 1)))
copy = tw.atoms.copy("SM75_U32x4_LDSM_N").with_element(16)
smem = tw.atoms.smem("Layout_K_SW128_Atom", "f16")
advice = tw.suggest_swizzle(layout, [tw.Access(tw.Layout((32, 4)))], element_bits=16)[0]
of_tirx = tw.suggest_swizzle(tirx, [tw.Access(tw.Layout((32, 4)))], element_bits=16)[0]
either = tw.suggest_swizzle(layout if n.width == 64 else tirx, layout, element_bits=16)[0]
parsed = tw.parse("(8,64):(64,1)")
assert isinstance(parsed, tw.Layout)

reveal_type(layout)  # Layout[int]
reveal_type(tw.Layout((n, 4)))  # Layout[int | SymInt]
reveal_type(tw.Layout((n, 4)).size)  # int | SymInt
reveal_type(tw.Layout((n, 4)).cosize)  # int | SymInt
reveal_type(tw.Layout((4, 4), (n, 1)).cosize)  # int | SymInt
reveal_type(tw.Layout((n, 4))(1, 2))  # int | SymInt
reveal_type(layout(n, 2))  # int | SymInt
reveal_type(tw.size(tw.Layout((n, 4))))  # int | SymInt
reveal_type(tw.size((n, 4)))  # int | SymInt
reveal_type(tw.cosize(tw.Layout((n, 4))))  # int | SymInt
reveal_type(tw.coalesce(tw.Layout((n, 4))).size)  # int | SymInt
reveal_type(tw.right_inverse(tw.Layout((n, 4))).size)  # int | SymInt
reveal_type(tw.make_layout((n, 4)))  # Layout[int | SymInt]
reveal_type(tw.make_identity_layout(n)(3))  # int | SymInt
reveal_type(tw.make_identity_layout((n, 4)).size)  # int | SymInt
reveal_type(tw.make_fragment_like(tw.Layout((n, 4))))  # Layout[int | SymInt]
reveal_type(tw.make_layout_tv(tw.Layout(n), tw.Layout(4)))  # tuple[tuple[int | SymInt, ...], Layout[int | SymInt]]
reveal_type(tw.complement(tw.Layout(4), n).size)  # int | SymInt
reveal_type(tw.complement(tw.Layout(4), 64).size)  # int
reveal_type(tw.ComposedLayout(swizzle, 0, tw.Layout((n, 64))).size)  # int | SymInt
reveal_type(composed.size)  # int
reveal_type(composed.cosize)  # int
reveal_type(identity.size)  # int
reveal_type(tw.size(identity))  # int
reveal_type(tw.size((4, [2, 8])))  # int
reveal_type(tw.make_identity_layout((4, (2, 8))).size)  # int
reveal_type(tw.Layout((4, 8), (1 @ tw.Axis.get("laneid"), 1)))  # Layout[Known]
reveal_type(tw.Layout((4, 8), (1 @ tw.Axis.get("laneid"), 1)).size)  # int
reveal_type(tw.Layout((n, 8), (1 @ tw.Axis.get("laneid"), 1)).size)  # int | SymInt
range(tw.Layout((n, 4)).size)  # type: ignore[arg-type]  # which checkers must find wrong
range(n)  # type: ignore[call-overload]  # this too
reveal_type(tw.Layout(8))  # Layout[int]
reveal_type(layout.shape)  # IntTuple
reveal_type(layout.size)  # int
reveal_type(layout.rank)  # int
reveal_type(layout.cosize)  # int
reveal_type(layout[0])  # Layout[int]
reveal_type(next(iter(layout)))  # Layout[int]
reveal_type(layout(3, 5))  # int
reveal_type(layout((3, 5)))  # int
reveal_type(layout(3, None))  # Layout[int]
reveal_type(layout(rows, 5))  # NDArray[int64]
reveal_type(layout(rows))  # NDArray[int64]
reveal_type(layout.contains(3, 5))  # bool
reveal_type(layout.contains(rows, 5))  # NDArray[bool]
reveal_type(identity)  # Layout[tuple[int, ...]]
reveal_type(identity(3, 5))  # tuple[int, ...]
reveal_type(tw.make_identity_layout(8)(3))  # int
reveal_type(composed)  # ComposedLayout[int]
reveal_type(composed(3, 5))  # int
reveal_type(composed(rows, 5))  # NDArray[int64]
reveal_type(tile)  # Layout[int] | ComposedLayout[int]
reveal_type(tw.coalesce(layout))  # Layout[int]
reveal_type(tw.coalesce(composed))  # ComposedLayout[int]
reveal_type(tw.coalesce[0](layout))  # Layout[int]
reveal_type(tw.logical_divide[0, 1](composed, 2))  # ComposedLayout[int]
reveal_type(tw.composition(layout, tw.Layout((2, 4))))  # Layout[int]
reveal_type(tw.composition(layout, (2, None)))  # Layout[int]
reveal_type(tw.composition(swizzle, layout))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.composition(swizzle, swizzle))  # Swizzle
reveal_type(tw.composition(layout, swizzle))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.complement(layout, 256))  # Layout[int]
reveal_type(tw.complement(composed, 512))  # Layout[int]
reveal_type(tw.right_inverse(layout))  # Layout[int]
reveal_type(tw.left_inverse(composed))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.logical_divide(layout, (2, 4)))  # Layout[int]
reveal_type(tw.zipped_divide(identity, (2, 4)))  # Layout[tuple[int, ...]]
reveal_type(tw.zipped_divide(identity, (2, 4))(0))  # tuple[int, ...]
reveal_type(tw.tiled_divide(composed, (2, 4)))  # ComposedLayout[int]
reveal_type(tw.logical_divide(layout, n))  # Layout[int | SymInt]
reveal_type(tw.zipped_divide(layout, (n, 4)))  # Layout[int | SymInt]
reveal_type(tw.zipped_divide(layout, (n, 4)).size)  # int | SymInt
reveal_type(tw.zipped_divide(layout, (2, 4)))  # Layout[int]
reveal_type(tw.zipped_divide(layout, (tw.Layout(2), None)))  # Layout[int]
reveal_type(tw.zipped_divide(identity, (n, 4)))  # Layout[tuple[int, ...] | SymInt]
reveal_type(tw.zipped_divide(composed, (n, 4)))  # ComposedLayout[int | SymInt]
reveal_type(tw.tiled_divide(layout, (tw.Layout(n), None)))  # Layout[int | SymInt]
reveal_type(tw.flat_divide(layout, tw.Layout((n, 4))))  # Layout[int | SymInt]
reveal_type(tw.logical_product(layout, n))  # Layout[int | SymInt]
reveal_type(tw.logical_product(layout, tw.Layout(4)))  # Layout[int]
reveal_type(tw.zipped_product(layout, (n, 4)))  # Layout[int | SymInt]
reveal_type(tw.tiled_product(layout, tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(tw.flat_product(composed, tw.Layout(n)))  # ComposedLayout[int | SymInt]
reveal_type(tw.blocked_product(layout, (n, 2)))  # Layout[int | SymInt]
reveal_type(tw.block_product(layout, tw.Layout((n, 2))))  # Layout[int | SymInt]
reveal_type(tw.raked_product(layout, (n, 2)))  # Layout[int | SymInt]
reveal_type(tw.raked_product(layout, (2, 2)))  # Layout[int]
reveal_type(tw.tile_to_shape(layout, (n, 16)))  # Layout[int | SymInt]
reveal_type(tw.tile_to_shape(layout, (16, 16)))  # Layout[int]
reveal_type(tw.composition(layout, (n, None)))  # Layout[int | SymInt]
reveal_type(tw.composition(layout, tw.Layout((n, 4))))  # Layout[int | SymInt]
reveal_type(tw.composition(composed, tw.Layout((n, 4))))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.composition(layout, dynamic))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.with_shape(layout, (n, 4)))  # Layout[int | SymInt]
reveal_type(tw.with_shape(composed, (n, 4)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.with_shape(composed, (4, 4)))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.complement(layout, tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(tw.complement(layout, tw.Layout(512)))  # Layout[int]
reveal_type(tw.local_tile(layout, (n, 4), (1, None)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.local_tile(layout, (2, 4), (n, None)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.local_partition(layout, tw.Layout((n, 4)), 5))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.local_partition(composed, tw.Layout((2, 4)), 5))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.append(layout, tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(tw.prepend(layout, tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(tw.replace(layout, 0, tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(tw.make_layout(tw.Layout(4), tw.Layout(n, 4)))  # Layout[int | SymInt]
reveal_type(tw.slice(composed, (n, None)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.slice_and_offset(layout, (None, n)))  # tuple[Layout[int], int | AxisSum | SymInt]
reveal_type(tw.crd2idx((n, 5), layout))  # int | SymInt
reveal_type(tw.ComposedLayout(layout, 0, tw.Layout((n, 4))))  # ComposedLayout[int | SymInt]
reveal_type(tw.ComposedLayout(swizzle, n, layout))  # ComposedLayout[int | SymInt]
reveal_type(tw.make_composed_layout(swizzle, n, layout))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(tw.make_composed_layout(layout, 0, tw.Layout(8)))  # ComposedLayout[int]
reveal_type(layout.zipped_divide((n, 4)))  # Layout[int | SymInt]
reveal_type(layout.zipped_divide((2, 4)))  # Layout[int]
reveal_type(layout.logical_product(n))  # Layout[int | SymInt]
reveal_type(layout.blocked_product((n, 2)))  # Layout[int | SymInt]
reveal_type(layout.tile_to_shape((n, 16)))  # Layout[int | SymInt]
reveal_type(layout.compose((n, None)))  # Layout[int | SymInt]
reveal_type(layout.compose(tw.Layout((2, 4))))  # Layout[int]
reveal_type(layout.with_shape(n, 4))  # Layout[int | SymInt]
reveal_type(layout.append(tw.Layout(n)))  # Layout[int | SymInt]
reveal_type(layout.complement(n))  # Layout[int | SymInt]
reveal_type(layout.local_tile((n, 4), (1, None)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(composed.tiled_divide((n, 4)))  # ComposedLayout[int | SymInt]
reveal_type(composed.compose((n, 4)))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(composed.slice(n, None))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(composed(n, None))  # Layout[int | SymInt] | ComposedLayout[int | SymInt]
reveal_type(composed(3, None))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.block_product(layout, (2, 2)))  # Layout[int]
reveal_type(tw.recast_layout(layout, 16, 8))  # Layout[int]
reveal_type(tw.recast_layout(composed, 16, 8))  # ComposedLayout[int]
reveal_type(tw.slice(layout, (None, 3)))  # Layout[int]
reveal_type(tw.slice((8, 16), (None, 3)))  # IntTuple
reveal_type(tw.slice_and_offset(layout, (None, 3)))  # tuple[Layout[int], int]
reveal_type(tw.local_tile(layout, (2, 4), (1, None)))  # Layout[int] | ComposedLayout[int]
reveal_type(tw.flatten(layout))  # Layout[int]
reveal_type(tw.flatten((4, (2, 8))))  # tuple[int, ...]
reveal_type(tw.select((4, 8, 16), indices=[0, 2]))  # tuple[int, ...]
reveal_type(tw.get((8, 16), 0))  # int
reveal_type(tw.append(layout, tw.Layout(2)))  # Layout[int]
reveal_type(tw.idx2crd(43, (8, 16)))  # tuple[int, ...]
reveal_type(tw.crd2idx((3, 5), layout))  # int
reveal_type(tw.crd2idx((3, 5), (8, 16)))  # int
reveal_type(tw.crd2idx((rows, 5), layout))  # NDArray[int64]
reveal_type(tw.size(layout))  # int
reveal_type(tw.cosize(layout))  # int
reveal_type(tw.size(layout, mode=[0]))  # int
reveal_type(tw.size(int_tuple=layout))  # int
reveal_type(tw.rank(layout, mode=[0]))  # int
reveal_type(tw.select(layout, mode=[0]))  # Layout[int]
reveal_type(tw.get_leaves((4, n), dynamic_only=True))  # tuple[int, ...]
reveal_type(tw.make_fragment_like(layout, dtype=tw.Float32))  # Layout[int]
reveal_type(tw.make_layout(tw.Layout(4), tw.Layout(8, 4)))  # Layout[int]
reveal_type(tw.make_layout_tv(tw.Layout(32), tw.Layout(4)))  # tuple[tuple[int, ...], Layout[int]]
reveal_type(tw.make_shape(8, 16))  # tuple[int, ...]
reveal_type(layout.logical_divide((2, 4)))  # Layout[int]
reveal_type(composed.logical_divide((2, 4)))  # ComposedLayout[int]
reveal_type(layout.compose(swizzle))  # Layout[int] | ComposedLayout[int]
reveal_type(identity.coalesce())  # Layout[tuple[int, ...]]
reveal_type(layout.table())  # NDArray[int64]
reveal_type(layout.to_linear())  # LinearLayout
reveal_type(layout.slice(None, 3))  # Layout[int]
reveal_type(swizzle(8))  # int
reveal_type(layout.at((3, 5)))  # int
reveal_type(layout.at((rows, 5)))  # NDArray[int64]
reveal_type(composed.at(3))  # int
reveal_type(identity.at((3, 5)))  # int | AxisSum
reveal_type(layout.flat)  # tuple[tuple[int, int], ...]
reveal_type(layout.to_linear()(3))  # int
reveal_type(layout.to_linear()(rows))  # NDArray[int64]
reveal_type(layout.to_linear().apply({"x": 3}))  # dict[str, int]
reveal_type(layout.to_linear().apply({"x": rows, "y": 1}))  # dict[str, NDArray[int64]]
reveal_type(n.substitute({"n": 16}))  # int
reveal_type(n.substitute({n: 16}))  # int
reveal_type(tw.explain(tw.coalesce, layout))  # Derivation
reveal_type(tirx.apply(3, 5))  # dict[str, int] | CoordSet
reveal_type(tirx.apply(rows, 5))  # dict[str, NDArray[int64]]
reveal_type(tirx.base(3, n))  # dict[str, int]
reveal_type(swizzled.base(rows))  # dict[str, NDArray[int64]]
reveal_type(swizzled.table())  # dict[str, NDArray[int64]]
reveal_type(tirx.slice((8, 64), [(0, 4), [n, n + 8]]))  # TileLayout | None
reveal_type(tirx.is_tile_outer(tirx, (8, 64), (2, 4)))  # TileLayout | None
reveal_type(tirx.is_tile_outer(swizzled, (8, 64), (2, 4)))  # ComposeLayout | None
reveal_type(mma.tv_layout_A)  # Layout[int]
reveal_type(mma.tv_layout("C")(0, 1))  # int
reveal_type(mma.thr_layout)  # Layout[int]
reveal_type(copy.tv_layout_src)  # Layout[int]
reveal_type(tiled.atom_layout)  # Layout[int]
reveal_type(tiled.thr_layout_vmnk)  # Layout[int]
reveal_type(tiled.tiled_tv_layout_C)  # Layout[int]
reveal_type(tiled.tiled_tv_layout("A")(0, 1))  # int
reveal_type(tw.make_tiled_copy_A(copy, tiled).layout_tv)  # Layout[int]
reveal_type(tw.make_tiled_copy_A(copy, tiled).tiled_tv_layout_S)  # Layout[int]
reveal_type(smem)  # ComposedLayout[int]
reveal_type(smem(3, 5))  # int
reveal_type(advice.layout)  # ComposedLayout[int]
reveal_type(of_tirx.layout)  # ComposeLayout
reveal_type(either.layout)  # ComposedLayout[int] | ComposeLayout
reveal_type(advice.tensor_map)  # TensorMapBox
reveal_type(advice.box)  # TensorMapBox | None
reveal_type(parsed)  # Layout[Value]
reveal_type(tw.parse("(8,64):(64,1)", tw.Layout))  # Layout[Any]
reveal_type(tw.parse("(8,64):(64,1)", tw.Layout[int]))  # Layout[int]
reveal_type(tw.parse("Sw<3,3,3> o 0 o (8,64):(64,1)", tw.ComposedLayout[int])(3, 5))  # int
reveal_type(tw.parse("Sw<3,3,3>", tw.Swizzle))  # Swizzle
reveal_type(tw.parse("S[(8,64):(64@m,1@m)]", TileLayout))  # TileLayout
reveal_type(tw.parse("{lane = [[1], [2]]} -> {offset = 4}", tw.LinearLayout))  # LinearLayout
