"""What another implementation of `warp_xor_swizzle` decides, row by row."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tirx_rows import build

from tilewright.dtypes import dtype
from tilewright.variants.call import Call, Operand, Reject
from tilewright.variants.permute_layout.align import offsets
from tilewright.variants.permute_layout.warp_xor_swizzle import WarpXorSwizzle
from tilewright.variants.permute_layout.xor import bank_free, choose_xor_bits

pytestmark = pytest.mark.usefixtures("as_text")

DATA = Path(__file__).parents[1] / "data" / "permute_layout.jsonl.gz"
Row = dict[str, Any]


def rows(op: str) -> list[Row]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if row["op"] == op]


def operand(row: Row, side: str, element: str) -> Operand:
    starts, stops = zip(*row["region"], strict=True)
    extents = tuple(stop - start for start, stop in row["region"])
    assert len(stops) == len(row["shape"])
    return Operand(side, dtype(row[element]), tuple(row["shape"]), build(row[side]), starts, extents, memory=side)


def plan(row: Row) -> Any:
    operands = operand(row, "dst", "dst_dtype"), operand(row, "src", "dtype")
    return WarpXorSwizzle().plan(Call("permute_layout", "warp", operands))


ROWS = rows("permute_layout")


@pytest.mark.parametrize("row", [row for row in ROWS if row["accepted"]], ids=lambda row: str(row["shape"]))
def test_accepted_with_the_same_plan(row: Row) -> None:
    found = plan(row)
    assert not isinstance(found, Reject)
    numbers = found.steps, found.bits, found.shift, found.mask
    assert numbers == (row["P"], row["k"], row["shift"], row["mask"])
    space = found.aligned.extent, found.aligned.src_strides, found.aligned.dst_strides
    assert tuple(map(list, space)) == (row["extent"], row["src_str"], row["dst_str"])


@pytest.mark.parametrize("row", [row for row in ROWS if not row["accepted"]], ids=lambda row: row["reason"][:40])
def test_declined_for_the_same_reason(row: Row) -> None:
    found = plan(row)
    assert isinstance(found, Reject)
    assert found.message.startswith(row["reason"])


@pytest.mark.parametrize("row", rows("choose_xor_k"), ids=lambda row: str(row["extent"]))
def test_the_smallest_bank_free_swizzle(row: Row) -> None:
    width, steps = row["dtype_bytes"], row["P"]
    tables = [offsets(row["extent"], row[strides]) for strides in ("src_str", "dst_str")]
    free = [[bank_free(table, width, steps, bits) for table in tables] for bits in range(steps.bit_length())]
    assert free == row["bank_free"]
    assert choose_xor_bits(row["extent"], row["src_str"], row["dst_str"], width, steps) == row["res"]
