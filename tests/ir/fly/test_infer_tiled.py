"""Partitions, fragments and tiled types as FlyDSL infers them, to the letter; what it gets wrong, as `atoms` has it."""

from __future__ import annotations

from typing import Any

import pytest
from atom_vectors import rows

from tilewright.errors import LayoutError
from tilewright.ir.fly import infer
from tilewright.ir.fly.rules.partition import tiled_copy, tiled_mma
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.layout.construct import make_identity_tensor

ROWS = rows("flydsl_tiled")
COPIES = [row for row in ROWS if row["kind"] == "tiled_copy"]
MMAS = [row for row in ROWS if row["kind"] == "tiled_mma"]


def memref(body: str) -> str:
    return f"!fly.memref<{body}>"


def tuple_(text: object) -> str:
    return f"!fly.int_tuple<{text}>"


def identity(shape: tuple[int, int]) -> str:
    return infer("make_identity_tensor", [tuple_(f"({shape[0]},{shape[1]})")])


@pytest.mark.parametrize("row", COPIES, ids=lambda row: str(row["id"]))
def test_partitions_by_tiled_copies(row: dict[str, Any]) -> None:
    expected, thread = row["expected"], tuple_(row["thr_idx"])
    tiled, tensor = expected["type"], memref(f"{row['elem']}, global, {row['tensor']}")
    coordinates = f"!fly.coord_tensor<(0,0), {row['coord']}>"
    source = infer("tiled_copy.partition_src", [tiled, tensor, thread])
    fragment = infer("make_fragment_like", [source])
    found = {
        "partition_S": source,
        "partition_D": infer("tiled_copy.partition_dst", [tiled, tensor, thread]),
        "fragment_like": fragment,
        "retile(fragment)": infer("tiled_copy.retile", [tiled, fragment]),
    }
    assert found == {key: memref(expected[key]) for key in found}
    part = infer("tiled_copy.partition_src", [tiled, coordinates, thread])
    assert part == f"!fly.coord_tensor<{expected['partition_S_coord']}>"
    assert infer("get_copy_atom", [tiled]) == row["copy_atom"]


@pytest.mark.parametrize("row", MMAS, ids=lambda row: str(row["id"]))
def test_partitions_by_tiled_mmas(row: dict[str, Any]) -> None:
    expected, thread = row["expected"], tuple_(row["thr_idx"])
    tile = ["!fly.tile<" + row["permutation"] + ">"] if row.get("permutation") else []
    tiled = infer("make_tiled_mma", [row["mma_atom"], f"!fly.layout<{row['atom_layout']}>", *tile])
    assert tiled == expected["type"]
    assert infer("get_mma_atom", [tiled]) == row["mma_atom"]
    m, n, k = row["M"], row["N"], row["K"]
    for x, shape in {"A": (m, k), "B": (n, k), "C": (m, n)}.items():
        operand = {"operand_id": x.lower()}
        tensor = memref(f"{row['elem'][x]}, global, ({shape[0]},{shape[1]}):({shape[1]},1)")
        copy, fragment = expected[f"tiled_copy_{x}"], infer("mma.make_fragment", [tiled, tensor], operand)
        assert fragment == memref(expected[f"fragment_{x}"])
        assert infer("tiled_mma.partition", [tiled, tensor, thread], operand) == memref(expected[f"partition_{x}"])
        shape_text = tuple_(f"({shape[0]},{shape[1]})")
        assert infer("tiled_mma.partition_shape", [tiled, shape_text], operand) == tuple_(
            expected[f"partition_shape_{x}"]
        )
        retiled = infer("tiled_copy.retile", [copy, fragment])
        assert retiled == memref(expected[f"tiled_copy_{x}.retile(fragment_{x})"])
        part = infer("tiled_copy.partition_src", [copy, identity(shape), thread])
        assert part == f"!fly.coord_tensor<{expected[f'tiled_copy_{x}.partition_S_coord']}>"
        check_coordinates(row, x, infer("tiled_mma.partition", [tiled, identity(shape), thread], operand), shape)


def check_coordinates(row: dict[str, Any], operand: str, ours: str, shape: tuple[int, int]) -> None:
    """FlyDSL's text; where its base is that of another thread, the elements that `atoms` gives this one."""
    key = f"partition_{operand}_coord"
    if key not in row.get("wrong_keys", ()):
        assert ours == f"!fly.coord_tensor<{row['expected'][key]}>"
        return
    tiled: Any = tiled_mma(read(row["expected"]["type"]))
    held = tiled.get_slice(row["thr_idx"]).partition(operand, make_identity_tensor(shape))
    found: Any = read(ours)
    base, steps = found.base, [found.layout(i) for i in range(found.layout.size)]
    places = [tuple(a + b for a, b in zip(base, (*step, 0, 0), strict=False)) for step in map(as_pair, steps)]
    assert places == [tuple(held(i)) for i in range(held.size)]
    assert write(found) != f"!fly.coord_tensor<{row['expected'][key]}>"


def as_pair(step: Any) -> tuple[Any, ...]:
    return step if isinstance(step, tuple) else (step,)


@pytest.mark.parametrize("operand", "ABC")
def test_copies_that_match_an_mma(operand: str) -> None:
    for row in MMAS:
        copy = row["expected"][f"tiled_copy_{operand}"]
        atom = infer("get_copy_atom", [copy])
        ours = infer(f"make_tiled_copy_{operand}", [atom, row["expected"]["type"]])
        along_k: Any = tiled_mma(read(row["expected"]["type"])).atom_layout[2]
        if operand != "C" or along_k.size == 1:
            assert ours == copy
        else:  # there FlyDSL's threads with k > 0 leave the tile
            tiled_copy(read(ours)).check_reach()


WMMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"


def test_a_thread_that_leaves_the_tile_is_refused() -> None:
    spread = infer("make_tiled_mma", [WMMA, "!fly.layout<(1,1,2):(0,0,1)>"])
    atom = "!fly.copy_atom<!fly.universal_copy<32>, 32>"
    layout = "!fly.layout<((16,4,2),(4,1)):((16,4,256),(1,0))>"
    beyond = infer("make_tiled_copy", [atom, layout, "!fly.tile<[16|16]>"])
    tensor = memref("f32, global, (16,16):(16,1)")
    assert infer("tiled_copy.partition_dst", [beyond, tensor, tuple_(63)]).startswith("!fly.memref")
    for thread in (64, "?"):
        with pytest.raises(LayoutError, match=r"beyond the tile|reaches coordinate"):
            infer("tiled_copy.partition_dst", [beyond, tensor, tuple_(thread)])
    ours = infer("make_tiled_copy_C", [atom, spread])
    assert infer("tiled_copy.partition_dst", [ours, tensor, tuple_("?")]).startswith("!fly.memref")


@pytest.mark.parametrize("thread", [-1, 64, "(1,2)", "*"])
def test_no_such_thread(thread: object) -> None:
    tiled = infer("make_tiled_mma", [WMMA, "!fly.layout<(1,1,1):(0,0,0)>"])
    tensor = memref("f16, global, (16,16):(16,1)")
    with pytest.raises(LayoutError):
        infer("tiled_mma.partition", [tiled, tensor, tuple_(thread)], {"operand_id": "a"})


# ---- stages of fragments


MFMA = infer("make_tiled_mma", [WMMA, "!fly.layout<(2,2,1):(1,2,0)>"])


@pytest.mark.parametrize("operand", "abc")
@pytest.mark.parametrize("stages", [1, 2, 5])
def test_stages_are_fragments_side_by_side(stages: int, operand: str) -> None:
    """As many as are asked for, whatever stages the memory itself has."""
    tile, staged = memref("f16, shared, (64,64):(1,64)"), memref("f16, shared, (64,64,3):(1,64,4096)")
    once: Any = read(infer("mma.make_fragment", [MFMA, tile], {"operand_id": operand})).layout  # type: ignore[union-attr]  # a memref
    for view in (tile, staged):
        found: Any = read(infer("mma.make_fragment", [MFMA, view], {"operand_id": operand, "stages": stages}))
        assert found.layout.shape == (*once.shape, stages)
        for at in range(stages):
            for i in range(once.size):
                assert found.layout(i + at * once.size) == once(i) + at * once.cosize


@pytest.mark.parametrize("stages", [0, -1])
def test_a_fragment_has_a_stage(stages: int) -> None:
    with pytest.raises(LayoutError, match=f"stages must be positive, got {stages}"):
        infer("mma.make_fragment", [MFMA, memref("f16, shared, (64,64):(1,64)")], {"operand_id": "a", "stages": stages})


# ---- the alignment of parts


@pytest.mark.parametrize("operand", "abc")
@pytest.mark.parametrize("order", ["(2,2,1):(1,2,0)", "(2,2,1):(2,1,0)", "(1,1,1):(0,0,0)"])
@pytest.mark.parametrize("stride", ["(1,64)", "(64,1)", "(1,72)"])
def test_a_part_is_aligned_as_the_parts_of_all_those_threads_are(stride: str, order: str, operand: str) -> None:
    """Of all whose number is a multiple of d: at most so, and just so where neighbours hold neighbouring elements."""
    tiled, which = infer("make_tiled_mma", [WMMA, f"!fly.layout<{order}>"]), {"operand_id": operand}
    view = memref(f"f16, shared, (64,64):{stride}, align<16>")

    def alignment(thread: object) -> int:
        part: Any = read(infer("tiled_mma.partition", [tiled, view, tuple_(thread)], which))
        return int(part.pointer.align)

    for div in (1, 2, 4, 8, 16, 32):
        each = [alignment(thread) for thread in range(0, 64, div)]
        found = alignment(f"?{{div={div}}}")
        assert found == min(each) if operand != "c" and stride[:2] == "(1" else found <= min(each)
