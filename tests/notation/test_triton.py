"""Triton's layout attributes: each kind against its own definition, and against examples that Triton publishes."""

from __future__ import annotations

import itertools
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError, NotationError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse_triton

POWERS = st.sampled_from([1, 2, 4])
Shape = tuple[int, ...]
Blocked = tuple[list[Shape], Shape]


def attribute(kind: str, **fields: object) -> str:
    body = ", ".join(f"{key} = {str(value).lower()}" for key, value in fields.items())
    return f"#ttg.{kind}<{{{body}}}>"


def digits(index: int, sizes: Shape, order: Shape) -> list[int]:
    out = [0] * len(sizes)
    for d in order:
        index, out[d] = divmod(index, sizes[d])
    return out


@st.composite
def blocked(draw: st.DrawFn) -> Blocked:
    rank = draw(st.integers(1, 3))
    levels = [tuple(draw(POWERS) for _ in range(rank)) for _ in range(3)]
    return levels, tuple(draw(st.permutations(range(rank))))


def blocked_text(levels: list[Shape], order: Shape) -> str:
    keys = ("sizePerThread", "threadsPerWarp", "warpsPerCTA")
    return attribute("blocked", **{k: list(v) for k, v in zip(keys, levels, strict=True)}, order=list(order))


@given(blocked(), st.data())
def test_blocked_is_registers_in_lanes_in_warps_repeated_or_folded(case: Blocked, data: st.DataObject) -> None:
    levels, order = case
    tile = tuple(map(prod, zip(*levels, strict=True)))
    shape = tuple(data.draw(st.sampled_from([1, 2, extent, 2 * extent, 4 * extent])) for extent in tile)
    layout = parse_triton(blocked_text(levels, order), shape)
    repeats = tuple(max(1, s // t) for s, t in zip(shape, tile, strict=True))
    spans = tuple(map(prod, levels))
    assert dict(layout.out_dims) == {f"dim{d}": s for d, s in enumerate(shape)}
    assert layout.get_in_dim_size("register") == spans[0] * prod(repeats)
    for rep, reg, lane, warp in sample(data, [prod(repeats), *spans]):
        at = [digits(i, sizes, order) for i, sizes in zip((reg, lane, warp), levels, strict=True)]
        # A tile is repeated along the fastest dimension first.
        again = digits(rep, repeats, order)
        expected = {
            f"dim{d}": (at[0][d] + levels[0][d] * (at[1][d] + levels[1][d] * at[2][d]) + tile[d] * again[d]) % shape[d]
            for d in range(len(shape))
        }
        assert layout.apply({"register": reg + spans[0] * rep, "lane": lane, "warp": warp, "block": 0}) == expected


def sample(data: st.DataObject, sizes: list[int]) -> list[Shape]:
    return data.draw(st.lists(st.tuples(*(st.integers(0, size - 1) for size in sizes)), min_size=1, max_size=16))


@given(POWERS, POWERS, st.sampled_from([1, 2, 4, 8]), st.sampled_from([(0, 1), (1, 0)]), st.sampled_from([4, 16, 64]))
def test_swizzled_shared_xors_units_of_vec_with_the_phase(
    vec: int, per: int, phases: int, order: Shape, columns: int
) -> None:
    rows = 32
    shape = (rows, columns) if order == (1, 0) else (columns, rows)
    text = attribute("swizzled_shared", vec=vec, perPhase=per, maxPhase=phases, order=list(order))
    layout = parse_triton(text, shape)
    for row, column in itertools.product(range(rows), range(columns)):
        stored = column ^ (vec * (row // per % phases) % columns)
        found = layout.apply({"offset": row * columns + stored, "block": 0})
        assert (found[f"dim{order[1]}"], found[f"dim{order[0]}"]) == (row, column)


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("width", [32, 64, 128])
@pytest.mark.parametrize("transposed", [False, True])
def test_nvmma_shared_is_cutes_byte_swizzle(bits: int, width: int, transposed: bool) -> None:
    columns, rows = width * 8 // bits, 64
    shape = (columns, rows) if transposed else (rows, columns)
    text = attribute("nvmma_shared", swizzlingByteWidth=width, transposed=transposed, elementBitWidth=bits)
    layout = parse_triton(text, shape)
    swizzle = Swizzle((width // 16).bit_length() - 1, (128 // bits).bit_length() - 1, 3)
    for row, column in itertools.product(range(rows), range(columns)):
        found = layout.apply({"offset": swizzle(row * columns + column), "block": 0})
        assert (found["dim0"], found["dim1"]) == ((column, row) if transposed else (row, column))


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", [(8, 64), (16, 512), (512, 16), (512, 512)])
def test_nvmma_shared_without_a_swizzle_is_boxes_of_256_by_rows_or_columns(
    shape: tuple[int, int], transposed: bool
) -> None:
    """The boxes follow one another by rows either way, as Triton 3.9's layout does."""
    text = attribute("nvmma_shared", swizzlingByteWidth=0, transposed=transposed, elementBitWidth=16)
    layout, box = parse_triton(text, shape), [min(256, extent) for extent in shape]
    for row, column in itertools.product(range(0, shape[0], 5), range(0, shape[1], 5)):
        (a, i), (b, j) = divmod(row, box[0]), divmod(column, box[1])
        within = i + j * box[0] if transposed else i * box[1] + j
        offset = (a * (shape[1] // box[1]) + b) * box[0] * box[1] + within
        assert layout.apply({"offset": offset, "block": 0}) == {"dim0": row, "dim1": column}


def test_nvmma_shared_transposed_without_a_swizzle_is_of_matrices() -> None:
    with pytest.raises(LayoutError, match="of matrices alone"):
        parse_triton(NVMMA % (0, "true", 16, 3), (4, 16, 64))


@given(blocked(), st.data())
def test_slice_is_the_parent_at_extent_one_without_that_dimension(case: Blocked, data: st.DataObject) -> None:
    levels, order = case
    if len(order) == 1:
        return
    dim = data.draw(st.integers(0, len(order) - 1))
    shape = tuple(data.draw(st.sampled_from([1, 4, 16])) for _ in order[1:])
    parent = blocked_text(levels, order)
    sliced = dict(parse_triton(f"#ttg.slice<{{dim = {dim}, parent = {parent}}}>", shape).bases)
    whole = dict(parse_triton(parent, (*shape[:dim], 1, *shape[dim:])).bases)
    projected = {level: [row[:dim] + row[dim + 1 :] for row in rows] for level, rows in whole.items()}
    projected["register"] = [row for row in projected["register"] if any(row)]
    assert sliced == projected


BLOCKED = (
    "#ttg.blocked<{sizePerThread = %s, threadsPerWarp = %s, warpsPerCTA = %s, "
    "CTAsPerCGA = %s, CTASplitNum = %s, order = %s, CTAOrder = %s}>"
)
NVMMA = "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d, rank = %d}>"

# The bases that Triton's own tests expect of some attributes.
PUBLISHED = [
    (
        BLOCKED % ([1], [4], [4], [4], [2], [0], [0]),
        (32,),
        "register = [], lane = [[1], [2]], warp = [[4], [8]], block = [[16], [0]]",
    ),
    (
        BLOCKED % ([8, 1], [8, 4], [1, 4], [1, 2], [1, 2], [0, 1], [1, 0]),
        (64, 128),
        "register = [[1, 0], [2, 0], [4, 0], [0, 16], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], "
        "warp = [[0, 4], [0, 8]], block = [[0, 64]]",
    ),
    (
        BLOCKED % ([1, 4], [8, 4], [4, 1], [2, 2], [2, 1], [1, 0], [1, 0]),
        (128, 16),
        "register = [[0, 1], [0, 2], [32, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], "
        "warp = [[8, 0], [16, 0]], block = [[0, 0], [64, 0]]",
    ),
    (BLOCKED % ([1], [1], [4], [2], [2], [0], [0]), (4,), "register = [], lane = [], warp = [[1], [0]], block = [[2]]"),
    (
        NVMMA % (128, "true", 32, 2),
        (128, 128),
        "offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [4, 1], [8, 2], [16, 4], [0, 8], [0, 16], [0, 32], "
        "[0, 64], [32, 0], [64, 0]], block = []",
    ),
    (
        NVMMA % (64, "false", 32, 3),
        (32, 4, 64),
        "offset = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 1, 0], [0, 2, 4], [1, 0, 8], [2, 0, 0], "
        "[4, 0, 0], [8, 0, 0], [16, 0, 0], [0, 0, 16], [0, 0, 32]], block = []",
    ),
    (
        NVMMA % (64, "true", 32, 3),
        (64, 4, 32),
        "offset = [[1, 0, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0], [0, 0, 4], [4, 0, 8], [8, 0, 16], [0, 1, 0], "
        "[0, 2, 0], [0, 0, 1], [0, 0, 2], [16, 0, 0], [32, 0, 0]], block = []",
    ),
    (
        "#ttg.slice<{dim = 0, parent = %s}>" % (BLOCKED % ([2, 4], [4, 2], [2, 2], [2, 2], [2, 2], [1, 0], [1, 0])),
        (128,),
        "register = [[1], [2], [16], [32]], lane = [[4], [0], [0]], warp = [[8], [0]], block = [[64], [0]]",
    ),
    (
        "#ttg.linear<{register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64]], block = []}>",
        (256,),
        "register = [[1], [128]], lane = [[2], [4], [8], [16], [32]], warp = [[64]], block = []",
    ),
    (
        "#ttg.linear<{register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}>",
        (64,),
        "register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []",
    ),
]


@pytest.mark.parametrize(("text", "shape", "bases"), PUBLISHED)
def test_the_bases_that_triton_publishes(text: str, shape: Shape, bases: str) -> None:
    outs = ", ".join(f"dim{d} = {extent}" for d, extent in enumerate(shape))
    assert str(parse_triton(text, shape)) == f"{{{bases}}} -> {{{outs}}}"


def test_a_tensor_type_gives_the_shape_and_aliases_are_followed() -> None:
    text = """
        #parent = #triton_gpu.blocked<{sizePerThread = [2, 4], threadsPerWarp = [4, 2],
                                       warpsPerCTA = [2, 2], order = [1, 0]}>
        #sliced = #triton_gpu.slice<{dim = 0, parent = #parent}>
        tensor<128x!tt.ptr<f32>, #sliced>"""
    assert parse_triton(text).out_dims == [("dim0", 128)]
    memory = "!ttg.memdesc<64x32xf16, #ttg.swizzled_shared<{vec=8,perPhase=2,maxPhase=4,order=[1,0]}>, #smem, mutable>"
    assert parse_triton(memory).out_dims == [("dim0", 64), ("dim1", 32)]


def test_without_a_shape_the_smallest_whole_tile_is_taken() -> None:
    assert parse_triton(blocked_text([(1, 4), (8, 4), (4, 1)], (1, 0))).out_dims == [("dim0", 32), ("dim1", 16)]
    assert parse_triton(NVMMA % (128, "false", 16, 2)).out_dims == [("dim0", 8), ("dim1", 64)]


def test_padded_fp4_shows_each_element_at_two_offsets() -> None:
    text = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>"
    layout = parse_triton(text)
    assert isinstance(layout, LinearLayout)
    assert (layout.size, layout.rank, layout.is_surjective()) == (1024, 9, True)


@pytest.mark.parametrize(
    ("text", "shape", "error", "reason"),
    [
        ("#ttg.blocked<{sizePerThread = [1]", None, NotationError, "expected"),
        ("#ttg.blocked", None, NotationError, "'<'"),
        ("#foo", None, NotationError, "no attribute is defined as #foo"),
        ("#ttg.amd_other_shared<{vec = 2}>", None, LayoutError, "amd_other_shared is not among"),
        ("#ttg.blocked<{order = [0]}>", None, LayoutError, "sizePerThread"),
        ("#ttg.blocked<{order = [0, 0]}>", None, LayoutError, "no permutation"),
        (BLOCKED % ([1], [4], [4], [1], [1], [0], [0]), (12,), LayoutError, "powers of two"),
        (BLOCKED % ([1], [4], [4], [1], [1], [0], [0]), (16, 16), LayoutError, "rank"),
        (BLOCKED % ([1], [4], [4], [3], [2], [0], [0]), (16,), LayoutError, "cannot hold 2 parts"),
        ("#ttg.linear<{register = [[1]], lane = [[1, 2]], warp = [], block = []}>", None, LayoutError, "is a list"),
        ("#ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 0, parent = 3}>}>", None, LayoutError, "parent"),
        (NVMMA % (128, "false", 16, 2), (8, 32), LayoutError, "smaller than the 8x64 atom"),
        (NVMMA % (48, "false", 16, 2), None, LayoutError, "0, 32, 64 or 128"),
        ("#ttg.shared<{vec=1,perPhase=1,maxPhase=1,order=[0],hasLeadingOffset=true}>", None, LayoutError, "nvmma"),
    ],
)
def test_refusals_name_the_reason(text: str, shape: Shape | None, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        parse_triton(text, shape)


@pytest.mark.parametrize(("vec", "per_phase", "phases"), [(4, 1, 16), (2, 2, 4), (1, 1, 2)])
def test_rotating_tiles_turn_by_one_phase_behind_every_maxphase_of_them(vec: int, per_phase: int, phases: int) -> None:
    """Row r holds its columns XORed with vec * (phase(r) ^ turn(r))."""
    shape = (2 * per_phase * phases * phases, 2 * vec * phases)
    text = attribute("amd_rotating_shared", vec=vec, perPhase=per_phase, maxPhase=phases, order=[1, 0])
    found = parse_triton(f"!ttg.memdesc<{shape[0]}x{shape[1]}xf16, {text}, #smem>")
    for row, column in itertools.product(range(shape[0]), range(shape[1])):
        turned = (row // per_phase % phases) ^ (row // per_phase // phases % phases)
        place = found.apply({"offset": row * shape[1] + column, "block": 0})
        assert place == {"dim0": row, "dim1": column ^ vec * turned}
