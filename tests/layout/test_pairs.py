"""A pair (shape, stride) is no layout: where one is expected it is refused, and the message writes the layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tilewright as tw
from tilewright.layout.operation_table import FUNCTION, TABLE

PAIR = ((8, 16), (1, 8))
LAYOUT = tw.Layout(*PAIR)
COPY = tw.make_copy_atom(tw.UniversalCopy(32), tw.Float32)
MMA = tw.make_mma_atom("SM80_16x8x16_F32F16F16F32_TN")
ARGUMENTS = {
    "with_shape": (128,), "complement": (), "recast_layout": (16, 8), "upcast": (2,), "downcast": (2,),
    "local_tile": ((2, 4), (0, 0)), "local_partition": (LAYOUT, 0), "make_layout_tv": (LAYOUT,),
    "tile_to_shape": ((16, 16),), "logical_divide": (4,), "zipped_divide": (4,), "tiled_divide": (4,),
    "flat_divide": (4,), "logical_product": (4,), "zipped_product": (4,), "tiled_product": (4,), "flat_product": (4,),
    "blocked_product": (4,), "block_product": (4,), "raked_product": (4,),
}  # fmt: skip
FIRST = [op.public for op in TABLE if op.form & FUNCTION and op.of_layout]
USES: dict[str, Callable[[Any], Any]] = {
    **{name: lambda it, name=name: getattr(tw, name)(it, *ARGUMENTS.get(name, ())) for name in FIRST},
    "composition": lambda it: tw.composition(it, LAYOUT),
    "max_common_layout": lambda it: tw.max_common_layout(it, LAYOUT),
    "max_common_vector": lambda it: tw.max_common_vector(LAYOUT, it),
    "get_shape": tw.get_shape,
    "get_stride": tw.get_stride,
    "get_hier_coord": lambda it: tw.get_hier_coord(3, it),
    "get_flat_coord": lambda it: tw.get_flat_coord(3, it),
    "get_1d_coord": lambda it: tw.get_1d_coord(3, it),
    "append": lambda it: tw.append(LAYOUT, it),
    "replace": lambda it: tw.replace(LAYOUT, 0, it),
    "local_partition, threads": lambda it: tw.local_partition(LAYOUT, it, 0),
    "make_layout_tv, values": lambda it: tw.make_layout_tv(LAYOUT, it),
    "blocked_product, tiler": lambda it: tw.blocked_product(LAYOUT, it),
    "raked_product, tiler": lambda it: tw.raked_product(LAYOUT, it),
    "make_composed_layout": lambda it: tw.make_composed_layout(tw.Swizzle(3, 3, 3), 0, it),
    "slice_and_offset": lambda it: tw.slice_and_offset(it, (None, 3)),
    "domain_offset": lambda it: tw.domain_offset(it, (1, 3)),
    "to_linear": tw.to_linear,
    "to_tirx": tw.to_tirx,
    "to_cute": tw.to_cute,
    "draw": tw.draw,
    "bank_conflicts": lambda it: tw.bank_conflicts(it, LAYOUT, element_bits=16),
    "bank_conflicts, threads": lambda it: tw.bank_conflicts(LAYOUT, it, element_bits=16),
    "coalescing": lambda it: tw.coalescing(it, LAYOUT, element_bits=16),
    "widest_vector": lambda it: tw.widest_vector(LAYOUT, it, element_bits=16),
    "suggest_swizzle": lambda it: tw.suggest_swizzle(LAYOUT, it, element_bits=16),
    "permute_schedule": lambda it: tw.permute_schedule(it, it, element_bytes=4),
    "recognise": lambda it: tw.recognise(it, 16),
    "predicate": lambda it: tw.predicate(it, (8, 16)),
    "make_tiled_copy": lambda it: tw.make_tiled_copy(COPY, it, (8, 16)),
    "make_tiled_copy_tv": lambda it: tw.make_tiled_copy_tv(COPY, it),
    "make_tiled_copy_tv, values": lambda it: tw.make_tiled_copy_tv(COPY, LAYOUT, it),
    "make_tiled_mma": lambda it: tw.make_tiled_mma(MMA, it),
    "partition_C": lambda it: tw.make_tiled_mma(MMA).get_slice(0).partition_C(it),
    "partition_S": lambda it: tw.make_tiled_copy_tv(COPY, LAYOUT).get_slice(0).partition_S(it),
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("pair", [PAIR, [[8, 16], [1, 8]], ((8, (4, 4)), (1, (8, 32)))])
def test_a_pair_is_refused_with_the_words_to_write(name: str, pair: Any) -> None:
    with pytest.raises(tw.TilewrightError, match=r"write Layout\("):
        USES[name](pair)


def test_where_an_int_tuple_or_a_tiler_is_meant_a_pair_is_one() -> None:
    assert tw.size(PAIR) == 8 * 16 * 1 * 8
    assert tw.flatten(PAIR) == (8, 16, 1, 8)
    assert tw.logical_divide(tw.Layout(((8, 16), (2, 8))), ((8, 4), (1, 8))).size == 8 * 16 * 2 * 8
    assert tw.Layout(PAIR).rank == 2
