"""Triton's MMA layouts: products computed through them, their own definition, and the bases that Triton publishes."""

from __future__ import annotations

from itertools import product as points
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.atoms import MmaAtom, mma, semantics
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation import parse, parse_triton

Shape = tuple[int, ...]


def attribute(kind: str, **fields: object) -> str:
    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return f"#ttg.{kind}<{{{', '.join(f'{key} = {text(value)}' for key, value in fields.items())}}}>"


def nvidia(version: int, instruction: Shape, warps: Shape, **more: object) -> str:
    shape = {"warpsPerCTA": [*warps], "instrShape": [*instruction]}
    return attribute("nvidia_mma", versionMajor=version, versionMinor=0, **shape, **more)


def mfma(size: int, warps: Shape, transposed: bool = False, **more: object) -> str:
    shape = {"warpsPerCTA": [*warps], "instrShape": [size, size, 256 // size]}
    return attribute("amd_mfma", version=3, **shape, isTransposed=transposed, **more)


def wmma(version: int, warps: Shape, transposed: bool = False, **more: object) -> str:
    return attribute("amd_wmma", version=version, isTranspose=transposed, warpsPerCTA=[*warps], **more)


def dot(parent: str, index: int, k_width: int | None) -> str:
    width = {} if k_width is None else {"kWidth": k_width}
    return attribute("dot_op", opIdx=index, parent=parent, **width)


# ---- products: what the instructions compute from the registers is the product of the matrices


def held(layout: LinearLayout, matrix: Any) -> Any:
    """The values in the registers: (warp, lane, register)."""
    sizes = [layout.get_in_dim_size(level) for level in ("warp", "lane", "register")]
    warp, lane, register = numpy.indices(sizes)
    place = layout.apply({"warp": warp, "lane": lane, "register": register, "block": 0})
    return matrix[place["dim0"], place["dim1"]]


PRODUCTS = [
    (nvidia(2, (16, 8), (2, 2)), "SM80_16x8x16_F32F16F16F32_TN", 2),
    (nvidia(2, (16, 8), (4, 1)), "SM80_16x8x32_S32S8S8S32_TN", 4),
    (nvidia(2, (16, 8), (1, 2)), "SM80_16x8x8_F32TF32TF32F32_TN", 1),
    (nvidia(2, (16, 8), (1, 1)), "SM80_16x8x64_S32S4S4S32_TN", 8),
    (nvidia(2, (8, 8), (2, 2)), "SM80_8x8x4_F64F64F64F64_TN", 1),
    (mfma(16, (2, 2)), "CDNA3_16x16x16_F32F16F16F32", 4),
    (mfma(16, (2, 1), True), "CDNA3_16x16x16_F32F16F16F32", 4),
    (mfma(32, (1, 2)), "CDNA3_32x32x8_F32F16F16F32", 4),
    (mfma(32, (2, 2), True), "CDNA3_32x32x16_S32S8S8S32", 8),
    (mfma(16, (1, 2), False, elementBitWidth=64), "CDNA3_16x16x4_F64F64F64F64", 1),
    (wmma(1, (2, 2)), "RDNA3_16x16x16_F32F16F16F32", 16),
    (wmma(2, (2, 1), True), "RDNA4_16x16x16_F32F16F16F32", 8),
    (wmma(2, (1, 2)), "RDNA4_16x16x16_F32F16F16F32", 8),
    (wmma(3, (2, 2), False, instrShape=[16, 16, 32]), "GFX1250_16x16x32_F32F16F16F32", 8),
]


@pytest.mark.parametrize(("parent", "name", "k_width"), PRODUCTS, ids=lambda v: str(v)[:48])
@pytest.mark.parametrize("shape", [(64, 32, 64), (32, 64, 128)])
def test_products_through_the_layouts(parent: str, name: str, k_width: int, shape: Shape) -> None:
    m, n, k = shape
    rng = numpy.random.default_rng(63)
    a, b = rng.integers(-8, 8, (m, k)).astype(float), rng.integers(-8, 8, (k, n)).astype(float)
    atom, swapped = mma(name), "ranspose" in parent and "true" in parent
    left, right = (parse_triton(dot(parent, i, k_width), s) for i, s in enumerate(((m, k), (k, n))))
    operands = [tiles(held(left, a), atom, "A", k), tiles(held(right, b), atom, "B", k)]
    expected = held(parse_triton(parent, (m, n)), a @ b)
    for warp in range(expected.shape[0]):
        rows, columns = operands[0][warp], operands[1][warp]
        found = [
            run(atom, columns[j], rows[i]) if swapped else run(atom, rows[i], columns[j])
            for i, j in points(range(len(rows)), range(len(columns)))
        ]
        assert (numpy.concatenate(found, axis=1) == expected[warp]).all()


def tiles(registers: Any, atom: MmaAtom, operand: str, k: int) -> Any:
    """(warp, lane, register) as (warp, tile along M or N, tile along K, lane, value)."""
    along_k, values = k // atom.shape_mnk[2], atom.tv_layout(operand)[1].size
    return numpy.moveaxis(registers.reshape(*registers.shape[:2], -1, along_k, values), 1, 3)


def run(atom: MmaAtom, rows: Any, columns: Any) -> Any:
    """The accumulators (lane, value) of one tile, all of K."""
    found = numpy.zeros((atom.threads, atom.tv_layout_C[1].size))
    for a, b in zip(rows, columns, strict=True):
        found = semantics.mma(atom, a, b, found)
    return found


@pytest.mark.parametrize("name", ["SM90_64x32x16_F32F16F16_RS", "SM90_64x16x32_F32E4M3E4M3_RS_TN"])
def test_products_of_warpgroups(name: str) -> None:
    """Four warps along M are the threads of one wgmma, with A in registers."""
    atom = mma(name)
    m, n, k = atom.shape_mnk
    parent = nvidia(3, (16, n, k), (4, 2))
    rng = numpy.random.default_rng(63)
    a, b = rng.integers(-8, 8, (m, k)).astype(float), rng.integers(-8, 8, (k, 2 * n)).astype(float)
    left = held(parse_triton(dot(parent, 0, k // 8), (m, k)), a)
    expected = held(parse_triton(parent, (m, 2 * n)), a @ b)
    for half in (0, 1):
        group = slice(4 * half, 4 * half + 4)
        columns = semantics.distribute(atom.tv_layout_B, b[:, n * half : n * half + n].T)
        found = run(atom, [left[group].reshape(128, -1)], [columns])
        assert (found == expected[group].reshape(128, -1)).all()


# ---- the definition, digit by digit


def accumulators() -> st.SearchStrategy[tuple[str, MmaAtom, Shape, bool, bool]]:
    """(text, atom, warps, is C transposed, do tiles fill a row of C first?)"""
    power = st.sampled_from([1, 2, 4])
    warps = st.tuples(power, power)

    def of_nvidia(w: Shape) -> Any:
        return nvidia(2, (16, 8), w), mma("SM80_16x8x16_F32F16F16F32_TN"), w, (1, 1), False, False

    def of_mfma(w: Shape, size: int, transposed: bool, tiles: Shape) -> Any:
        atom = mma(f"CDNA3_{size}x{size}x{256 // size}_F32F16F16F32")
        return mfma(size, w, transposed, tilesPerWarp=[*tiles]), atom, w, tiles, transposed, True

    def of_wmma(w: Shape, version: int, transposed: bool, tiles: Shape) -> Any:
        atom = mma(f"RDNA{version + 2}_16x16x16_F32F16F16F32")
        return wmma(version, w, transposed, tilesPerWarp=[*tiles]), atom, w, tiles, transposed, False

    tiles = st.tuples(st.sampled_from([1, 2]), st.sampled_from([1, 2]))
    return st.one_of(
        st.builds(of_nvidia, warps),
        st.builds(of_mfma, warps, st.sampled_from([16, 32]), st.booleans(), tiles),
        st.builds(of_wmma, warps, st.sampled_from([1, 2]), st.booleans(), tiles),
    )


def digits(index: int, sizes: Shape) -> list[int]:
    found = []
    for size in sizes:
        index, digit = divmod(index, size)
        found.append(digit)
    return found


@given(accumulators(), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4]), st.data())
def test_accumulators_digit_by_digit(case: Any, again_m: int, again_n: int, data: st.DataObject) -> None:
    text, atom, warps, tiles_of_warp, transposed, rows_first = case
    m, n, _ = atom.shape_mnk
    span = (m * tiles_of_warp[0] * warps[0], n * tiles_of_warp[1] * warps[1])
    layout = parse_triton(text, (span[0] * again_m, span[1] * again_n))
    values = atom.tv_layout_C[1].size
    names = ("n", "again n", "m", "again m") if rows_first else ("n", "m", "again n", "again m")
    sizes = {"n": tiles_of_warp[1], "m": tiles_of_warp[0], "again n": again_n, "again m": again_m}
    assert layout.get_in_dim_size("register") == values * numpy.prod(list(sizes.values()))
    for _ in range(8):
        register, lane, warp = (
            data.draw(st.integers(0, layout.get_in_dim_size(level) - 1)) for level in ("register", "lane", "warp")
        )
        value, *rest = digits(register, (values, *(sizes[name] for name in names)))
        at = dict(zip(names, rest, strict=True))
        warp_n, warp_m = digits(warp, (warps[1], warps[0]))
        column, row = divmod(atom.tv_layout_C(lane, value), m)
        row, column = (column, row) if transposed else (row, column)
        expected = {
            "dim0": row + m * (at["m"] + tiles_of_warp[0] * (warp_m + warps[0] * at["again m"])),
            "dim1": column + n * (at["n"] + tiles_of_warp[1] * (warp_n + warps[1] * at["again n"])),
        }
        assert layout.apply({"register": register, "lane": lane, "warp": warp, "block": 0}) == expected


@pytest.mark.parametrize("n", [8, 16, 64, 256])
def test_the_accumulator_of_one_warpgroup_is_the_atoms(n: int) -> None:
    layout = parse_triton(nvidia(3, (16, n, 16), (4, 1)), (64, n))
    atom = mma(f"SM90_64x{n}x16_F32F16F16_SS")
    for thread, value in points(range(0, 128, 5), range(atom.tv_layout_C[1].size)):
        found = layout.apply({"register": value, "lane": thread % 32, "warp": thread // 32, "block": 0})
        assert found["dim0"] + 64 * found["dim1"] == atom.tv_layout_C(thread, value)


@pytest.mark.parametrize("k_width", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("parent", [nvidia(2, (16, 8), (2, 2)), mfma(16, (2, 2)), mfma(32, (2, 2))])
def test_any_width_pairs_a_with_b(parent: str, k_width: int) -> None:
    """A and B hold the same places of K at the same registers, so that products are right in any order of K."""
    rows, columns, k = 64, 128, 1024
    a = parse_triton(dot(parent, 0, k_width), (rows, k)).sublayout(["register", "lane"], ["dim1"])
    b = parse_triton(dot(parent, 1, k_width), (k, columns)).sublayout(["register", "lane"], ["dim0"])
    along_k = [[row[0] for row in dict(side.bases)["register"] if row[0]] for side in (a, b)]
    lanes = [[row[0] for row in dict(side.bases)["lane"]] for side in (a, b)]
    assert (along_k[0], lanes[0]) == (along_k[1], lanes[1])
    assert sum(along_k[0]) + sum(lanes[0]) == k - 1
    assert along_k[0][: k_width.bit_length() - 1] == [1 << i for i in range(k_width.bit_length() - 1)]


@pytest.mark.parametrize("index", [0, 1])
def test_blocks_share_what_they_do_not_split(index: int) -> None:
    """Of a cluster 2 x 2, the blocks along N hold the same A, those along M the same B."""
    cluster = {"CTAsPerCGA": [2, 2], "CTASplitNum": [2, 2], "CTAOrder": [1, 0]}
    bases = {"CGALayout": [[0, 1], [1, 0]]}
    texts = [dot(nvidia(2, (16, 8), (2, 2), **more), index, 2) for more in (cluster, bases)]
    old, new = (parse_triton(text, (128, 128)) for text in texts)
    assert old == new
    assert dict(new.bases)["block"] == ([[0, 0], [64, 0]] if index == 0 else [[0, 64], [0, 0]])


# ---- second opinions: bases that Triton's own tests expect

V2 = nvidia(2, (16, 8), (1, 1))
V2_2x2 = nvidia(2, (16, 8), (2, 2))
V2_4x1 = nvidia(2, (16, 8), (4, 1))
V2_3D = nvidia(2, (1, 16, 8), (2, 4, 2))
CGA = {"CTAsPerCGA": [4, 2, 2], "CTASplitNum": [4, 2, 1], "CTAOrder": [2, 1, 0]}
V2_CGA = nvidia(2, (1, 16, 8), (16, 1, 1), **CGA)
V3 = nvidia(3, (16, 16, 8), (4, 1))
V3_4x2 = nvidia(3, (16, 32, 16), (4, 2))
V3_4x4 = nvidia(3, (16, 16, 8), (4, 4))
BLOCKED = attribute("blocked", sizePerThread=[2, 4], threadsPerWarp=[8, 4], warpsPerCTA=[2, 4], order=[1, 0])
BLOCKED_3D = attribute(
    "blocked", sizePerThread=[2, 2, 4], threadsPerWarp=[2, 4, 4], warpsPerCTA=[2, 2, 2], order=[2, 1, 0]
)
M32, M32_T = mfma(32, (2, 4)), mfma(32, (2, 4), True)
M16 = mfma(16, (2, 4))
W1, W2, W2_T = wmma(1, (2, 4)), wmma(2, (2, 4)), wmma(2, (2, 4), True)
W3 = wmma(3, (2, 4), instrShape=[16, 16, 32])

# (text, shape, register, lane, warp, block); a basis is written as its coordinates
PUBLISHED: list[tuple[str, Shape, str, str, str, str]] = [
    (V2, (16, 16), "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0", "", ""),
    (V2, (32, 32), "0,1 8,0 0,8 0,16 16,0", "0,2 0,4 1,0 2,0 4,0", "", ""),
    (V2, (16, 128), "0,1 8,0 0,8 0,16 0,32 0,64", "0,2 0,4 1,0 2,0 4,0", "", ""),
    (
        V2_CGA, (64, 128, 128), "0,0,1 0,8,0 0,0,8 0,0,16 0,0,32 0,0,64 0,16,0 0,32,0",
        "0,0,2 0,0,4 0,1,0 0,2,0 0,4,0", "1,0,0 2,0,0 4,0,0 8,0,0", "0,0,0 0,64,0 16,0,0 32,0,0",
    ),
    (
        V2_CGA, (1, 128, 128), "0,0,1 0,8,0 0,0,8 0,0,16 0,0,32 0,0,64 0,16,0 0,32,0",
        "0,0,2 0,0,4 0,1,0 0,2,0 0,4,0", "0,0,0 0,0,0 0,0,0 0,0,0", "0,0,0 0,64,0 0,0,0 0,0,0",
    ),
    (V3, (64, 16), "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0", ""),
    (nvidia(3, (16, 8, 8), (4, 1)), (64, 16), "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0", ""),
    (V3, (128, 16), "0,1 8,0 0,8 64,0", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0", ""),
    (
        V3, (1024, 1024), "0,1 8,0 0,8 0,16 0,32 0,64 0,128 0,256 0,512 64,0 128,0 256,0 512,0",
        "0,2 0,4 1,0 2,0 4,0", "16,0 32,0", "",
    ),
    (V3_4x2, (64, 32), "0,1 8,0 0,8 0,16", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0 0,0", ""),
    (V3_4x2, (128, 64), "0,1 8,0 0,8 0,16 64,0", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0 0,32", ""),
    (V3_4x4, (32, 32), "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0", "16,0 0,0 0,16 0,0", ""),
    (V3_4x4, (64, 32), "0,1 8,0 0,8", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0 0,16 0,0", ""),
    (dot(V2, 0, 8), (16, 64), "0,1 0,2 0,4 8,0 0,32", "0,8 0,16 1,0 2,0 4,0", "", ""),
    (dot(V2, 1, 8), (64, 8), "1,0 2,0 4,0 32,0", "8,0 16,0 0,1 0,2 0,4", "", ""),
    (
        dot(V2_4x1, 0, 8), (128, 128), "0,1 0,2 0,4 8,0 0,32 0,64 64,0",
        "0,8 0,16 1,0 2,0 4,0", "16,0 32,0", "",
    ),
    (
        dot(V2_4x1, 1, 8), (128, 64), "1,0 2,0 4,0 32,0 64,0 0,8 0,16 0,32",
        "8,0 16,0 0,1 0,2 0,4", "0,0 0,0", "",
    ),
    (dot(V2_2x2, 0, 8), (32, 64), "0,1 0,2 0,4 8,0 0,32", "0,8 0,16 1,0 2,0 4,0", "0,0 16,0", ""),
    (dot(V2_2x2, 1, 8), (128, 32), "1,0 2,0 4,0 32,0 64,0 0,16", "8,0 16,0 0,1 0,2 0,4", "0,8 0,0", ""),
    (
        dot(V2_3D, 0, 8), (16, 128, 128), "0,0,1 0,0,2 0,0,4 0,8,0 0,0,32 0,0,64 0,64,0 2,0,0 4,0,0 8,0,0",
        "0,0,8 0,0,16 0,1,0 0,2,0 0,4,0", "0,0,0 0,16,0 0,32,0 1,0,0", "",
    ),
    (
        dot(V2_3D, 1, 8), (8, 128, 64), "0,1,0 0,2,0 0,4,0 0,32,0 0,64,0 0,0,16 0,0,32 2,0,0 4,0,0",
        "0,8,0 0,16,0 0,0,1 0,0,2 0,0,4", "0,0,8 0,0,0 0,0,0 1,0,0", "",
    ),
    (dot(V3, 0, 2), (128, 32), "0,1 8,0 0,8 0,16 64,0", "0,2 0,4 1,0 2,0 4,0", "16,0 32,0", ""),
    (
        dot(nvidia(3, (16, 16, 8), (4, 2)), 0, 4), (128, 64), "0,1 0,2 8,0 0,16 0,32 64,0",
        "0,4 0,8 1,0 2,0 4,0", "16,0 32,0 0,0", "",
    ),
    (attribute("slice", dim=0, parent=V2_2x2), (128,), "1 16 32 64", "2 4 0 0 0", "8 0", ""),
    (attribute("slice", dim=1, parent=V2_2x2), (8,), "", "0 0 1 2 4", "0 0", ""),
    (attribute("slice", dim=1, parent=dot(V2, 0, 8)), (16,), "8", "0 0 1 2 4", "", ""),
    (attribute("slice", dim=0, parent=dot(V3, 0, 2)), (16,), "1 8", "2 4 0 0 0", "0 0", ""),
    (dot(BLOCKED, 0, None), (32, 16), "0,1 0,2 0,4 0,8 1,0", "0,0 0,0 2,0 4,0 8,0", "0,0 0,0 16,0", ""),
    (dot(BLOCKED, 1, 0), (16, 64), "0,1 0,2 1,0 2,0 4,0 8,0", "0,4 0,8 0,0 0,0 0,0", "0,16 0,32 0,0", ""),
    (
        dot(BLOCKED_3D, 0, None), (16, 32, 4), "0,0,1 0,0,2 0,1,0 1,0,0 0,16,0 8,0,0",
        "0,0,0 0,0,0 0,2,0 0,4,0 2,0,0", "0,0,0 0,8,0 4,0,0", "",
    ),
    (
        dot(BLOCKED_3D, 1, None), (16, 4, 64), "0,0,1 0,0,2 0,1,0 0,2,0 1,0,0 0,0,32 8,0,0",
        "0,0,4 0,0,8 0,0,0 0,0,0 2,0,0", "0,0,16 0,0,0 4,0,0", "",
    ),
    (M32, (32, 32), "1,0 2,0 8,0 16,0", "0,1 0,2 0,4 0,8 0,16 4,0", "0,0 0,0 0,0", ""),
    (M32, (128, 128), "1,0 2,0 8,0 16,0 64,0", "0,1 0,2 0,4 0,8 0,16 4,0", "0,32 0,64 32,0", ""),
    (M32_T, (64, 32), "0,1 0,2 0,8 0,16", "1,0 2,0 4,0 8,0 16,0 0,4", "0,0 0,0 32,0", ""),
    (M16, (16, 16), "1,0 2,0", "0,1 0,2 0,4 0,8 4,0 8,0", "0,0 0,0 0,0", ""),
    (
        mfma(16, (2, 4), elementBitWidth=64), (16, 16), "4,0 8,0",
        "0,1 0,2 0,4 0,8 1,0 2,0", "0,0 0,0 0,0", "",
    ),
    (
        mfma(32, (2, 4), tilesPerWarp=[2, 2]), (32, 32), "1,0 2,0 8,0 16,0 0,0 0,0",
        "0,1 0,2 0,4 0,8 0,16 4,0", "0,0 0,0 0,0", "",
    ),
    (
        mfma(32, (2, 4), tilesPerWarp=[2, 2]), (128, 128), "1,0 2,0 8,0 16,0 0,32 32,0",
        "0,1 0,2 0,4 0,8 0,16 4,0", "0,64 0,0 64,0", "",
    ),
    (
        mfma(16, (2, 4), True, tilesPerWarp=[2, 2]), (256, 256), "0,1 0,2 0,16 0,128 16,0 64,0 128,0",
        "1,0 2,0 4,0 8,0 0,4 0,8", "0,32 0,64 32,0", "",
    ),
    (
        mfma(32, (2, 4, 1)), (1, 128, 128), "0,1,0 0,2,0 0,8,0 0,16,0 0,0,32 0,0,64",
        "0,0,1 0,0,2 0,0,4 0,0,8 0,0,16 0,4,0", "0,32,0 0,64,0 0,0,0", "",
    ),
    (
        mfma(32, (2, 4, 1), True), (2, 64, 32), "0,0,1 0,0,2 0,0,8 0,0,16",
        "0,1,0 0,2,0 0,4,0 0,8,0 0,16,0 0,0,4", "0,32,0 0,0,0 1,0,0", "",
    ),
    (
        dot(mfma(32, (1, 8)), 0, 8), (128, 256), "0,1 0,2 0,4 0,16 0,32 0,64 0,128 32,0 64,0",
        "1,0 2,0 4,0 8,0 16,0 0,8", "0,0 0,0 0,0", "",
    ),
    (dot(mfma(32, (1, 8)), 0, 8), (16, 16), "0,1 0,2 0,4", "1,0 2,0 4,0 8,0 0,0 0,8", "0,0 0,0 0,0", ""),
    (dot(mfma(32, (1, 8)), 1, 8), (32, 64), "1,0 2,0 4,0 16,0", "0,1 0,2 0,4 0,8 0,16 8,0", "0,32 0,0 0,0", ""),
    (
        dot(mfma(16, (1, 4)), 1, 8), (256, 256), "1,0 2,0 4,0 32,0 64,0 128,0 0,64 0,128",
        "0,1 0,2 0,4 0,8 8,0 16,0", "0,16 0,32", "",
    ),
    (dot(mfma(16, (1, 4)), 1, 8), (1, 128), "0,0 0,0 0,0 0,64", "0,1 0,2 0,4 0,8 0,0 0,0", "0,16 0,32", ""),
    (
        dot(mfma(16, (1, 1, 8)), 1, 8), (1, 256, 256), "0,1,0 0,2,0 0,4,0 0,32,0 0,64,0 0,128,0 0,0,128",
        "0,0,1 0,0,2 0,0,4 0,0,8 0,8,0 0,16,0", "0,0,16 0,0,32 0,0,64", "",
    ),
    (
        dot(M32_T, 0, 4), (128, 128), "0,1 0,2 0,8 0,16 0,32 0,64 64,0",
        "1,0 2,0 4,0 8,0 16,0 0,4", "0,0 0,0 32,0", "",
    ),
    (dot(M16, 1, 4), (32, 64), "1,0 2,0 16,0", "0,1 0,2 0,4 0,8 4,0 8,0", "0,16 0,32 0,0", ""),
    (
        dot(mfma(32, (2, 4), tilesPerWarp=[2, 2]), 0, 4), (128, 128), "0,1 0,2 0,8 0,16 0,32 0,64 32,0",
        "1,0 2,0 4,0 8,0 16,0 0,4", "0,0 0,0 64,0", "",
    ),
    (W1, (32, 16), "2,0 4,0 8,0", "0,1 0,2 0,4 0,8 1,0", "0,0 0,0 16,0", ""),
    (W1, (128, 128), "2,0 4,0 8,0 0,64 32,0 64,0", "0,1 0,2 0,4 0,8 1,0", "0,16 0,32 16,0", ""),
    (
        wmma(1, (2, 4, 1)), (8, 16, 16), "0,2,0 0,4,0 0,8,0 2,0,0 4,0,0",
        "0,0,1 0,0,2 0,0,4 0,0,8 0,1,0", "0,0,0 0,0,0 1,0,0", "",
    ),
    (W2, (64, 128), "1,0 2,0 4,0 0,64 32,0", "0,1 0,2 0,4 0,8 8,0", "0,16 0,32 16,0", ""),
    (W2_T, (64, 128), "0,1 0,2 0,4 0,64 32,0", "1,0 2,0 4,0 8,0 0,8", "0,16 0,32 16,0", ""),
    (W3, (64, 128), "1,0 2,0 4,0 0,64 32,0", "0,1 0,2 0,4 0,8 8,0", "0,16 0,32 16,0", ""),
    (dot(W1, 0, 16), (32, 64), "0,1 0,2 0,4 0,8 0,16 0,32", "1,0 2,0 4,0 8,0 0,0", "0,0 0,0 16,0", ""),
    (
        dot(wmma(1, (2, 4, 1)), 1, 16), (4, 128, 32),
        "0,1,0 0,2,0 0,4,0 0,8,0 0,16,0 0,32,0 0,64,0 0,0,16 2,0,0",
        "0,0,1 0,0,2 0,0,4 0,0,8 0,0,0", "0,0,0 0,0,0 1,0,0", "",
    ),
    (dot(W2, 0, 8), (64, 128), "0,1 0,2 0,4 0,16 0,32 0,64 32,0", "1,0 2,0 4,0 8,0 0,8", "0,0 0,0 16,0", ""),
    (dot(W2, 1, 16), (128, 128), "1,0 2,0 4,0 8,0 32,0 64,0 0,64", "0,1 0,2 0,4 0,8 16,0", "0,16 0,32 0,0", ""),
    (dot(W3, 0, 8), (64, 128), "0,1 0,2 0,4 0,16 0,32 0,64 32,0", "1,0 2,0 4,0 8,0 0,8", "0,0 0,0 16,0", ""),
    (dot(W3, 1, 8), (32, 16), "1,0 2,0 4,0 16,0", "0,1 0,2 0,4 0,8 8,0", "0,0 0,0 0,0", ""),
]  # fmt: skip


def bases(text: str) -> list[list[int]]:
    return [[*map(int, basis.split(","))] for basis in text.split()]


@pytest.mark.parametrize(("text", "shape", "register", "lane", "warp", "block"), PUBLISHED)
def test_the_bases_that_triton_publishes(
    text: str, shape: Shape, register: str, lane: str, warp: str, block: str
) -> None:
    layout = parse_triton(text, shape)
    found = {"register": register, "lane": lane, "warp": warp, "block": block}
    assert layout.bases == [(level, bases(rows)) for level, rows in found.items()]
    assert layout.out_dims == [(f"dim{d}", extent) for d, extent in enumerate(shape)]


# ---- texts


def test_the_spellings_of_releases_are_one_layout() -> None:
    same = [
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>",
        "#triton_gpu.nvidia_mma<{versionMajor = 2, warpsPerCTA = [2, 2]}>",
        "#ttg.mma<{versionMajor = 2, versionMinor = 1, warpsPerCTA = [2, 2], CTAsPerCGA = [1, 1], "
        "CTASplitNum = [1, 1], CTAOrder = [1, 0], instrShape = [16, 8]}>",
    ]
    assert len({parse_triton(text, (64, 64)) for text in same}) == 1
    same = [
        "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>",
        "#ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], mDim = 32, nDim = 32, kDim = 8,"
        " isTransposed = true, elementType = f32}>",
    ]
    assert len({parse_triton(text, (64, 64)) for text in same}) == 1
    double = "#ttg.amd_mfma<{versionMajor = 3, warpsPerCTA = [1, 1], instrShape = [16, 16], elementType = f64}>"
    assert parse_triton(double) == parse_triton(mfma(16, (1, 1), elementBitWidth=64))
    explicit = "#ttg.amd_wmma<{version = 2, ctaLayout = {register = [[0, 1]], warp = [[0, 2], [1, 0]]}}>"
    assert parse_triton(explicit, (64, 64)) == parse_triton(wmma(2, (2, 2), tilesPerWarp=[1, 2]), (64, 64))


def test_a_module_with_aliases_and_a_tensor_type() -> None:
    text = """
        #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
        tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>"""
    layout = parse(text)
    assert (layout.out_dims, layout.is_invertible()) == ([("dim0", 128), ("dim1", 64)], True)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (V2_2x2, (32, 16)),
        (V3_4x2, (64, 64)),
        (dot(V2_2x2, 0, 2), (32, 16)),
        (dot(V2_2x2, 1, 4), (32, 16)),
        (dot(nvidia(2, (8, 8), (1, 1)), 0, 1), (8, 4)),
        (mfma(32, (2, 4), tilesPerWarp=[2, 1]), (128, 128)),
        (dot(mfma(16, (2, 4)), 1, 4), (16, 64)),
        (dot(W3, 0, 8), (32, 32)),
        (dot(BLOCKED, 0, None), (32, 4)),
    ],
)
def test_without_a_shape_what_all_warps_cover_at_once(text: str, shape: Shape) -> None:
    assert parse_triton(text).out_dims == [("dim0", shape[0]), ("dim1", shape[1])]


@pytest.mark.parametrize(
    ("text", "error", "reason"),
    [
        (attribute("nvidia_mma", versionMajor=1, warpsPerCTA=[1, 1]), LayoutError, "given up version 1"),
        (attribute("nvidia_mma", versionMajor=5, warpsPerCTA=[4, 1]), LayoutError, "tensor memory"),
        (attribute("nvidia_mma", warpsPerCTA=[4, 1]), LayoutError, "versionMajor"),
        (attribute("nvidia_mma", versionMajor=3, warpsPerCTA=[4, 1]), LayoutError, "instrShape"),
        (nvidia(2, (16, 16), (1, 1)), LayoutError, "16 x 8, or 8 x 8 for float64"),
        (nvidia(2, (2, 16, 8), (1, 1, 1)), LayoutError, "16 x 8"),
        (nvidia(2, (16, 8), (3, 1)), LayoutError, "power of two"),
        (nvidia(2, (16, 8), (2,)), LayoutError, "rank 1"),
        (nvidia(3, (16, 24, 16), (4, 1)), LayoutError, "16 x N a warp"),
        (nvidia(3, (64, 64, 16), (4, 1)), LayoutError, "not 64 x 64"),
        (nvidia(3, (16, 16, 16), (1, 4, 1)), LayoutError, "no batch"),
        (dot(V3, 1, 2), LayoutError, "shared memory"),
        (dot(V2, 2, 2), LayoutError, "opIdx = 0 or 1"),
        (dot(V2, 0, None), LayoutError, "kWidth"),
        (dot(V2, 0, 64), LayoutError, "32 bits"),
        (dot(V2, 0, 3), LayoutError, "power of two"),
        (dot(BLOCKED, 0, 2), LayoutError, "no kWidth"),
        (dot(dot(V2, 0, 2), 0, 2), LayoutError, "parent = a layout of an accumulator"),
        (attribute("dot_op", opIdx=0, kWidth=2), LayoutError, "got none"),
        (dot(attribute("blocked", order=[0], sizePerThread=[1]), 0, None), LayoutError, "two dimensions"),
        (mfma(4, (1, 1)), LayoutError, "4 x 4 tiles"),
        (attribute("amd_mfma", version=3, warpsPerCTA=[1, 1]), LayoutError, "instrShape"),
        (attribute("amd_mfma", version=7, warpsPerCTA=[1, 1], instrShape=[16, 16]), LayoutError, "version 7"),
        (mfma(32, (1, 1), elementBitWidth=64), LayoutError, "float64 MFMA is 16 x 16"),
        (mfma(16, (1, 1), tilesPerWarp=[1, 1, 1]), LayoutError, "tilesPerWarp has 3 entries"),
        (dot(mfma(16, (1, 1)), 0, 128), LayoutError, "no MFMA has 16 x 16 x 512"),
        (wmma(4, (1, 1)), LayoutError, "version 4"),
        (wmma(3, (1, 1)), LayoutError, "K in"),
        (wmma(2, (1, 1), instrShape=[32, 16, 128]), LayoutError, "not 32 x 16 x 128"),
        (dot(wmma(1, (1, 1)), 0, 4), LayoutError, "kWidth = 4"),
        (dot(wmma(2, (1, 1)), 0, 32), LayoutError, "kWidth = 32"),
        (attribute("amd_wmma", version=2, ctaLayout=[[0, 1]]), LayoutError, "lists of bases"),
        ("#ttg.amd_wmma<{version = 2, ctaLayout = {warp = 3}}>", LayoutError, "lists of bases"),
        ("#ttg.amd_wmma<{version = 2, ctaLayout = {warp = [3]}}>", LayoutError, "a list of 2 integers"),
        ("#ttg.amd_wmma<{version = 2, ctaLayout = {warp = [[0, 1]]}", NotationError, "expected"),
    ],
)
def test_refusals_name_the_reason(text: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        parse_triton(text)
