"""Layouts as Gluon spells them are Triton's attributes; what Triton says of shared memory is a layout of CuTe."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.linear.linear import LinearLayout

BLOCKED = (
    "BlockedLayout(size_per_thread={0}, threads_per_warp={1}, warps_per_cta={2}, order={3}, cga_layout=[])",
    "gl.BlockedLayout({0}, {1}, {2}, {3})",
    "ttgl.BlockedLayout({0}, {1}, order={3}, warps_per_cta={2}, ctas_per_cga=None)",
)
MMA = ("NVMMADistributedLayout(version=[2, 0], warps_per_cta=[4, 1], instr_shape=[16, 8])",
       "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>")  # fmt: skip
POWERS = st.sampled_from([1, 2, 4, 8])
PAIRS = st.lists(POWERS, min_size=2, max_size=2)


def blocked(size: list[int], lanes: list[int], warps: list[int], order: list[int]) -> str:
    return f"#ttg.blocked<{{sizePerThread = {size}, threadsPerWarp = {lanes}, warpsPerCTA = {warps}, order = {order}}}>"


@given(PAIRS, PAIRS, PAIRS, st.permutations([0, 1]), st.sampled_from(BLOCKED), st.integers(0, 1))
def test_blocked_and_sliced(
    size: list[int], lanes: list[int], warps: list[int], order: list[int], spelled: str, dim: int
) -> None:
    own, attribute = spelled.format(size, lanes, warps, order), blocked(size, lanes, warps, order)
    assert tw.parse(own) == tw.parse(attribute)
    sliced = f"#ttg.slice<{{dim = {dim}, parent = {attribute}}}>"
    assert tw.parse(f"SliceLayout(dim={dim}, parent={own})") == tw.parse(sliced)


@given(POWERS, POWERS, POWERS, st.permutations([0, 1]))
def test_swizzled(vec: int, per_phase: int, phases: int, order: list[int]) -> None:
    own = f"SwizzledSharedLayout(vec={vec}, per_phase={per_phase}, max_phase={phases}, order={order})"
    assert tw.parse(own) == tw.parse(f"gl.SwizzledSharedLayout({vec}, {per_phase}, {phases}, {order})")
    fields = f"vec = {vec}, perPhase = {per_phase}, maxPhase = {phases}, order = {order}"
    found = tw.parse(own, LinearLayout)
    assert found == tw.parse(f"#ttg.swizzled_shared<{{{fields}}}>")
    assert_places(found)
    turning = tw.parse(f"#ttg.rotating_shared<{{{fields}}}>")
    assert turning == tw.parse(f"#ttg.amd_rotating_shared<{{{fields}}}>")


def assert_places(found: LinearLayout) -> None:
    """The layout of CuTe says where the element lies that the map says lies there."""
    tile = tw.to_cute(found)
    assert isinstance(tile, tw.Layout | tw.ComposedLayout)
    shape = [size for _, size in found.outs]
    for at in product(*(range(0, extent, max(1, extent // 4)) for extent in shape)):
        assert tuple(found.apply({"offset": tile(at), "block": 0}).values()) == at


@pytest.mark.parametrize("width", [32, 64, 128])
@pytest.mark.parametrize("transposed", [False, True])
def test_shared_tiles_of_tensor_cores(width: int, transposed: bool) -> None:
    own = f"gl.NVMMASharedLayout({width}, 16, 2, transposed={transposed}, fp4_padded=False, cga_layout=[])"
    fields = f"swizzlingByteWidth = {width}, transposed = {str(transposed).lower()}, elementBitWidth = 16"
    found = tw.parse(own, LinearLayout)
    assert found == tw.parse(f"#ttg.nvmma_shared<{{{fields}}}>")
    assert_places(found)
    assert tw.recognise(tw.to_cute(found), 16).mode == f"{width}B"
    text = tw.to_triton(tw.to_cute(found))
    assert tw.to_cute(tw.parse(text)) == tw.to_cute(found)


@pytest.mark.parametrize(
    ("own", "attribute"),
    [
        MMA,
        (f"DotOperandLayout(operand_index=1, parent={MMA[0]}, k_width=2)",
         f"#ttg.dot_op<{{opIdx = 1, parent = {MMA[1]}, kWidth = 2}}>"),
        ("DistributedLinearLayout(reg_bases=[[0, 1]], lane_bases=[[0, 2], [1, 0]], warp_bases=[], block_bases=[], "
         "shape=[2, 4])", "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>"),
        ("AMDMFMALayout(version=3, instr_shape=[16, 16, 16], transposed=True, warps_per_cta=[2, 2])",
         "#ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>"),
        ("PaddedSharedLayout([[8, 4]], offset_bases=[[0, 1], [0, 2], [0, 4], [1, 0]], cga_layout=[], shape=[2, 8])",
         "#ttg.padded_shared<[8:+4] {offset = [[0, 1], [0, 2], [0, 4], [1, 0]], block = []}>"),
        ("gl.PaddedSharedLayout.with_identity_for([[128, 8]], [64, 64], [1, 0])",
         "#ttg.padded_shared<[128:+8] {order = [1, 0], shape = [64, 64]}>"),
        ("gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], [[2, 0]], [16, 16, 32])",
         "#ttg.amd_wmma<{version = 3, isTranspose = true, instrShape = [16, 16, 32], "
         "ctaLayout = {register = [[2, 0]], warp = [[0, 1], [1, 0]]}}>"),
        ("AMDWMMALayout(version=2, transposed=False, warp_bases=[], cga_layout=[], rank=2)",
         "#ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {register = [], warp = []}}>"),
        ("BlockedLayout([1, 1], [8, 4], [1, 1], [1, 0], ctas_per_cga=[2, 2], cta_split_num=[2, 1], cta_order=[0, 1])",
         "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0], "
         "CTAsPerCGA = [2, 2], CTASplitNum = [2, 1], CTAOrder = [0, 1]}>"),
        ("AMDWMMALayout(3, True, [2, 2], [16, 16, 128])",
         "#ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [2, 2], instrShape = [16, 16, 128]}>"),
        ("AMDWMMALayout(2, True, [2, 2], [16, 16, 16])",
         "#ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2], instrShape = [16, 16, 16]}>"),
        ("SharedLinearLayout(offset_bases=[[0, 1], [1, 1]], block_bases=[])",
         "#ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = []}>"),
        ("TensorMemoryLayout(block=(128, 64), col_stride=1)",
         "#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>"),
    ],
    ids=lambda text: text.partition("(")[0][:20],
)  # fmt: skip
def test_each_class_is_an_attribute(own: str, attribute: str) -> None:
    assert tw.parse(own) == tw.parse(attribute)


@given(st.lists(st.sampled_from([2, 4, 8]), min_size=2, max_size=2), POWERS, POWERS, st.permutations([0, 1]))
def test_padding_of_the_identity(shape: list[int], interval: int, gap: int, order: list[int]) -> None:
    """Before the gaps the tensor lies in order, compactly; behind every interval lies a gap."""
    padded = tw.parse(f"PaddedSharedLayout.with_identity_for([[{interval}, {gap}]], {shape}, {order})", tw.Layout)
    plain = tw.make_ordered_layout(tuple(shape), (order.index(0), order.index(1)))
    for at in product(*map(range, shape)):
        assert padded(at) == plain(at) + plain(at) // interval * gap


@pytest.mark.parametrize(("element", "stride"), [("f32", 1), ("f16", 2), ("bf16", 2), ("i8", 4), ("f8E4M3FN", 4)])
def test_unpacked_elements_take_a_word_each(element: str, stride: int) -> None:
    """Triton 3.3 said `unpacked`: a word has one element, where packed it has 32 / bits."""
    memory = "!ttg.memdesc<128x64x{}, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, {}>, #ttng.tensor_memory>"
    assert tw.parse(memory.format(element, "unpacked = true")) == tw.parse(
        memory.format(element, f"colStride = {stride}")
    )
    packed = tw.parse(memory.format(element, "unpacked = false"))
    assert packed == tw.parse(memory.format(element, "colStride = 1"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("BlockedLayout(size_per_thred=[1])", "did you mean size_per_thread"),
        ("SliceLayout(0, 1, 2)", "the layout has 2 fields"),
        ("SliceLayout(dim=0, dim=1)", "is given twice"),
        ("SliceLayout(0, dim=1)", "is given twice"),
        ("SliceLayout(dim=0, parent=4)", "needs parent"),
        ("SwizzledSharedLayout(vec=x)", "an integer, a list"),
        ("PaddedSharedLayout([[8, 4, 2]], [[1]])", "needs intervals"),
        ("gl.PaddedSharedLayout([[128, 8]], [1, 0])", "PaddedSharedLayout.with_identity_for(pairs, shape, order)"),
        ("PaddedSharedLayout.with_identity_for([[128, 8]], [64, 48], [1, 0])", "powers of two, got 64x48"),
        ("mine.SliceLayout(dim=0, parent=BlockedLayout([1, 1], [8, 4], [1, 1], [1, 0]))", "got 'mine'"),
        (f"BlockedLayout({[1] * 5000}, [32], [4], [0])", "more than 4096 leaves"),
        (70 * "SliceLayout(0, " + "BlockedLayout([1], [32], [4], [0])" + 70 * ")", "nested deeper than 64"),
        ("NVMMADistributedLayout(version=2, warps_per_cta=[1, 1])", "versionMajor"),
        ("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, unpacked = true, colStride = 1>", "one of them"),
        ("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, unpacked = 3>", "true or false"),
    ],
)
def test_refusals_have_a_caret(words: str, said: str) -> None:
    with pytest.raises((NotationError, LayoutError)) as caught:
        tw.parse(words)
    assert said in str(caught.value)
    assert str(caught.value).endswith("^")
