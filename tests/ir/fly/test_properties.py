"""What FlyDSL prints of atoms and tiled types, to the letter."""

from __future__ import annotations

from typing import Any

import pytest
from atom_vectors import rows

from tilewright.errors import LayoutError
from tilewright.ir.fly import infer, properties
from tilewright.ir.fly.rules.partition import tiled_copy, tiled_mma
from tilewright.ir.fly.type_reader import read

ROWS = rows("flydsl_tiled")
# The release's names; the others are the document's already.
RELEASED = {
    "layout_tv_tiled": "tiled_tv_layout",
    "layout_src_tv_tiled": "tiled_tv_layout_S",
    "layout_dst_tv_tiled": "tiled_tv_layout_D",
    **{f"tv_layout_{x}_tiled": f"tiled_tv_layout_{x}" for x in "ABC"},
}


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    return [row for row in ROWS if row["kind"] in kinds]


@pytest.mark.parametrize("row", of_kind("copy_atom", "mma_atom"), ids=lambda row: str(row["id"]))
def test_atoms(row: dict[str, Any]) -> None:
    found, expected = properties(row["type"]), row["expected"]
    if "<4x4x4," in row["type"]:  # FlyDSL's layouts do not cover the tile: 16 blocks of it, each of its own operands
        told = [f"tv_layout_{x}" for x in "ABC"]
        assert [found.pop(key) for key in told] == ["((4,16),4):((1,16),4)"] * 2 + ["((4,16),4):((4,16),1)"]
        expected = {key: text for key, text in expected.items() if key not in told}
    assert found == expected


@pytest.mark.parametrize("row", of_kind("tiled_copy", "tiled_mma"), ids=lambda row: str(row["id"]))
def test_tiled_types(row: dict[str, Any]) -> None:
    expected, found = row["expected"], properties(row["expected"]["type"])
    shared = {key: RELEASED.get(key, key) for key in expected if RELEASED.get(key, key) in found}
    assert len(shared) >= 4
    if row["kind"] == "tiled_mma" and tiled_mma(read(expected["type"])).atom_layout[2].size > 1:  # type: ignore[union-attr]  # of its kind
        del shared["tv_layout_C_tiled"]
        leaves_the_tile(expected)
    assert {key: found[name] for key, name in shared.items()} == {key: expected[key] for key in shared}


def leaves_the_tile(expected: dict[str, str]) -> None:
    """FlyDSL's threads with k > 0 lie beyond the accumulator's tile."""
    with pytest.raises(LayoutError, match="reaches coordinate"):
        tiled_copy(read(expected["tiled_copy_C"])).check_reach()


@pytest.mark.parametrize("row", of_kind("layout_tv"), ids=lambda row: str(row["id"]))
def test_thread_value_layouts_by_their_ops(row: dict[str, Any]) -> None:
    """`make_layout_tv` is no op: FlyDSL makes it of others."""
    thr, val = (f"!fly.layout<{row[key]}>" for key in ("thr", "val"))
    tile = infer("raked_product", [thr, val])
    counts = [infer("size", [layout])[15:-1] for layout in (thr, val)]
    pair = f"!fly.layout<({counts[0]},{counts[1]}):(1,{counts[0]})>"
    tv = infer("composition", [infer("right_inverse", [tile]), pair])
    assert tv == f"!fly.layout<{row['expected']['layout_tv']}>"
    extents = infer("int_tuple_product_each", [infer("get_shape", [tile])])
    assert extents == f"!fly.int_tuple<{row['expected']['tiler_mn']}>"


@pytest.mark.parametrize("text", ["!fly.layout<4:1>", "!fly.int_tuple<4>"])
def test_other_types_have_none(text: str) -> None:
    with pytest.raises(LayoutError, match="expected an atom"):
        properties(text)
