"""Triton's padded shared memory and tensor memory: where each element lies, by their own definitions."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout
from tilewright.notation import parse, parse_triton, to_triton

Gaps = list[tuple[int, int]]
POWERS = st.sampled_from([1, 2, 4, 8])


@st.composite
def padded(draw: st.DrawFn) -> tuple[Gaps, tuple[int, ...], list[int]]:
    rank = draw(st.integers(1, 3))
    intervals = draw(st.lists(st.integers(0, 5), unique=True, max_size=3))
    gaps = [(1 << i, draw(st.integers(0, 9))) for i in sorted(intervals)]
    return gaps, tuple(draw(POWERS) for _ in range(rank)), draw(st.permutations(range(rank)))


def written(gaps: Gaps, fields: str) -> str:
    return f"#ttg.padded_shared<[{', '.join(f'{i}:+{p}' for i, p in gaps)}] {{{fields}}}>"


@given(padded())
def test_behind_every_interval_lie_its_gaps(case: tuple[Gaps, tuple[int, ...], list[int]]) -> None:
    gaps, shape, order = case
    layout = parse(written(gaps, f"order = {order}, shape = {list(shape)}"))
    assert isinstance(layout, Layout | ComposedLayout)
    for at in itertools.product(*map(range, shape)):
        offset, across = 0, 1
        for d in order:
            offset, across = offset + at[d] * across, across * shape[d]
        assert layout(at if len(at) > 1 else at[0]) == offset + sum(offset // i * p for i, p in gaps)


@given(st.permutations(range(6)), st.sampled_from([[(4, 3)], [(8, 2), (32, 5)], []]))
def test_bases_may_mix_the_dimensions(order: list[int], gaps: Gaps) -> None:
    bases = [[1 << i, 0] if i < 3 else [0, 1 << (i - 3)] for i in order]
    layout = parse(written(gaps, f"offset = {bases}, block = []"))
    assert isinstance(layout, Layout | ComposedLayout)
    for offset in range(64):
        at = tuple(sum(b[d] for i, b in enumerate(bases) if offset >> i & 1) for d in (0, 1))
        assert layout(at) == offset + sum(offset // i * p for i, p in gaps)


def test_a_padded_tile_of_a_dump() -> None:
    kept = "[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [16, 0], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0]"
    text = f"#ttg.padded_shared<[512:+16] {{offset = [{kept}, [128, 0]], block = []}}>"
    assert str(parse(text)) == "((16,8,2),64):((528,64,8448),1)"
    assert to_triton(parse(text)) == text
    typed = "!ttg.memdesc<128x32xf16, #ttg.padded_shared<[32:+8] {order = [1, 0], shape = [128, 32]}>, #smem, mutable>"
    assert str(parse(typed)) == "(128,32):(40,1)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[3:+1] {order = [0], shape = [8]}", "the interval 3 is no power of two"),
        ("[4:+1] {order = [0], shape = [12]}", "powers of two, got 12"),
        ("[4:+1] {order = [0]}", "needs shape"),
        ("[4:+1] {offset = [[1], [0]], block = []}", "no bijection"),
        ("[4:+1] {offset = [[1], [2]], block = [[4]]}", "shared by 2 blocks"),
    ],
)
def test_what_is_no_padded_layout_is_refused(text: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        parse(f"#ttg.padded_shared<{text}>")


# ---- what Triton can say of a layout


def under(text: str, shape: tuple[int, ...], at: tuple[int, ...]) -> int:
    """Where the element lies under the attribute."""
    if "padded" in text:
        found = parse(text)
        assert isinstance(found, Layout | ComposedLayout)
        return int(found(at))
    layout = parse_triton(text, shape)
    wanted = {f"dim{d}": c for d, c in enumerate(at)}
    return next(i for i in range(layout.get_in_dim_size("offset")) if layout.apply({"offset": i, "block": 0}) == wanted)


@pytest.mark.parametrize(
    ("layout", "kind"),
    [
        ("Sw<3,3,3> o 0 o (16,64):(64,1)", "swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>"),
        ("Sw<2,3,3> o 0 o (16,32):(32,1)", "swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>"),
        ("Sw<2,2,4> o 0 o (32,16):(1,32)", "swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [0, 1]}>"),
        ("(16,32):(1,16)", "swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>"),
        ("(16,32):(36,1)", "padded_shared<[32:+4] {order = [1, 0], shape = [16, 32]}>"),
        ("(4,8,16):(170,20,1)", "padded_shared<[16:+4, 128:+10] {order = [2, 1, 0], shape = [4, 8, 16]}>"),
        ("((4,4),8):((8,36),1)", "padded_shared<[32:+4] {order = [1, 0], shape = [16, 8]}>"),
        ("(16,32):(40,1)", "padded_shared<[32:+8] {order = [1, 0], shape = [16, 32]}>"),
        ("((4,4),(4,2)):((4,32),(1,16))", "shared_linear<"),
        ("((4,4),(4,2)):((4,36),(1,16))", "padded_shared<[32:+4] {offset = [["),
        ("Sw<1,1,3> o 0 o (4,16):(16,1)", "swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 2, order = [1, 0]}>"),
        ("Sw<2,0,-2> o 0 o (4,16):(16,1)", "shared_linear<"),
    ],
)
def test_elements_lie_where_the_attribute_says(layout: str, kind: str) -> None:
    x = parse(layout)
    assert isinstance(x, Layout | ComposedLayout)
    text = to_triton(x)
    assert text.startswith(f"#ttg.{kind}")
    modes = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    shape = tuple(Layout(mode).size for mode in modes)
    flat = Layout(shape)
    for i in range(0, x.size, 19):
        at = tuple(i // int(stride) % extent for extent, stride in zip(shape, flatten(flat.stride), strict=True))
        assert under(text, shape, at) == x(i)


@pytest.mark.parametrize(
    "layout",
    [
        "(4,8):(1@laneid,1)",
        "(3,8):(8,1)",
        "(4,8):(1,1)",
        "(4,8):(7,1)",
        "(4,8):(8,-1)",
        "(4,?):(8,1)",
        "Sw<1,1,2> o 0 o (4,8):(?,1)",
    ],
)
def test_what_triton_cannot_say_is_refused(layout: str) -> None:
    with pytest.raises(LayoutError):
        to_triton(parse(layout))


# ---- tensor memory


@pytest.mark.parametrize(("rows", "columns"), [(128, 32), (128, 64), (256, 32), (256, 128)])
@pytest.mark.parametrize("stride", [1, 2])
def test_blocks_of_128_rows_lie_in_lanes_and_columns(rows: int, columns: int, stride: int) -> None:
    text = f"#ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = {stride}>"
    layout = parse_triton(text, (rows, columns))
    for row, col in itertools.product(range(0, 128, 7), range(0, rows // 128 * columns * stride, 3)):
        block, within = divmod(col // stride, 32)
        down, right = block % (rows // 128), block // (rows // 128)
        assert layout.apply({"row": row, "col": col}) == {"dim0": 128 * down + row, "dim1": 32 * right + within}


@pytest.mark.parametrize(("rows", "columns"), [(64, 32), (64, 64), (128, 32), (128, 64)])
def test_blocks_of_64_rows_lie_16_lanes_in_each_quarter(rows: int, columns: int) -> None:
    layout = parse_triton("#ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1>", (rows, columns))
    for row, col in itertools.product(range(128), range(0, layout.get_in_dim_size("col"), 3)):
        quarter, lane = divmod(row, 32)
        other, within = divmod(lane, 16)
        found = layout.apply({"row": row, "col": col})
        assert found["dim0"] % 64 == quarter * 16 + within
        assert found["dim1"] % 32 == col % 32
        if rows > 64:
            assert found["dim0"] // 64 == other
        elif columns > 32:
            assert found["dim1"] // 32 == other
    assert layout.is_surjective()


def test_two_ctas_of_64_rows_hold_the_columns_in_halves() -> None:
    text = "#ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>"
    layout = parse_triton(text, (128, 64))
    for row, col in itertools.product(range(0, 128, 5), range(64)):
        wanted = {"dim0": row % 64 + 64 * (col // 32), "dim1": col % 32 + 32 * (row // 64)}
        assert layout.apply({"row": row, "col": col}) == wanted


def test_scale_factors_are_the_same_in_all_quarters_of_the_lanes() -> None:
    layout = parse_triton("#ttng.tensor_memory_scales_encoding<>", (128, 8))
    for row, col in itertools.product(range(128), range(layout.get_in_dim_size("col"))):
        high, low = col >> 2 & 1, col & 3
        again, right = col >> 3 & 1, col >> 4
        wanted = {"dim0": row % 32 + 32 * high + 64 * again, "dim1": low + 4 * right}
        assert layout.apply({"row": row, "col": col}) == wanted


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("blockM = 32, blockN = 64, colStride = 1", "blockM is 64 or 128"),
        ("blockM = 128, blockN = 48, colStride = 1", "blockN = a power of two"),
        ("blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]]", "CTASplitM and CTASplitN"),
        ("", "needs blockM"),
    ],
)
def test_what_is_no_tensor_memory_is_refused(fields: str, said: str) -> None:
    with pytest.raises(LayoutError, match=said):
        parse(f"#ttng.tensor_memory_encoding<{fields}>")


def test_a_part_with_too_few_rows_is_refused() -> None:
    with pytest.raises(LayoutError, match="a part of 64 rows"):
        parse_triton("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>", (64, 64))


def test_padded_tiles_are_layouts_not_linear_maps() -> None:
    with pytest.raises(LayoutError, match=r"no linear map; tw\.parse"):
        parse_triton("#ttg.padded_shared<[4:+1] {order = [0], shape = [8]}>")
    assert isinstance(parse("#ttg.padded_shared<[4:+1] {order = [0], shape = [8]}>"), Layout)
