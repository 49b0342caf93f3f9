"""Repairs of Triton dumps: the attribute that is advised, put into the dump, is counted as promised."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from tilewright.analysis.lowering.columns import Columns, columns_of
from tilewright.dumps.finding import Finding, Findings
from tilewright.dumps.triton.analysis import analyse
from tilewright.dumps.triton.candidates import modes, swizzles
from tilewright.dumps.triton.repair import _floors
from tilewright.dumps.triton.use import TritonUse
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.reader import Reader
from tilewright.notation.triton import attribute
from tilewright.notation.ttgir_types import Tiled

HEAD = """
#a = #ttg.blocked<{sizePerThread = [1, A], threadsPerWarp = [DA, AA], warpsPerCTA = [4, 1], order = OA}>
#b = #ttg.blocked<{sizePerThread = [B, 1], threadsPerWarp = [DB, AB], warpsPerCTA = [1, 4], order = OB}>
#tile = TILE
"""
VIEW = "!ttg.memdesc<64x64xf16, #tile, #ttg.shared_memory, mutable>"
LOAD = f"%y = ttg.local_load %s : {VIEW} -> tensor<64x64xf16, #b>\n"
# The same buffer, filled as it is set aside, behind it, in a loop that carries it, also read behind that, and by parts.
FORMS = {
    "alloc": f"%s = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> {VIEW}\n{LOAD}",
    "store": f"%s = ttg.local_alloc : () -> {VIEW}\nttg.local_store %x, %s : tensor<64x64xf16, #a> -> {VIEW}\n{LOAD}",
    "loop": f"""%m = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> {VIEW}
%r = scf.for %i = %l to %h step %t iter_args(%s = %m) -> ({VIEW}) : i32 {{
{LOAD}
scf.yield %s : {VIEW}
}}
""",
    "pipelined": f"""%m = ttg.local_alloc : () -> {VIEW}
ttg.local_store %x, %m : tensor<64x64xf16, #a> -> {VIEW}
%r = scf.for %i = %l to %h step %t iter_args(%u = %m) -> ({VIEW}) : i32 {{
{LOAD.replace("%s", "%u")}
%v = arith.select %c, %u, %m : {VIEW}
ttg.local_store %x, %v : tensor<64x64xf16, #a> -> {VIEW}
scf.yield %v : {VIEW}
}}
%s = scf.if %c -> ({VIEW}) {{
scf.yield %r#0 : {VIEW}
}} else {{
scf.yield %m : {VIEW}
}}
{LOAD}""",
    "parts": f"""%m = ttg.local_alloc %x : (tensor<64x64xf16, #a>) -> {VIEW}
ttg.warp_specialize(%m) attributes {{requestedRegisters = array<i32: 24>}}
default {{
ttg.warp_yield
}}
partition0(%s: {VIEW}) num_warps(4) {{
{LOAD}
ttg.warp_return
}} : ({VIEW}) -> ()
""",
}
PLAIN = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
TILES = (
    PLAIN,
    "#ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 8, order = [0, 1]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>",
    "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>",
)
SIDES = list(itertools.product((1, 8), (4, 8), ("[1, 0]", "[0, 1]")))


def dump(form: str, tile: str, a: tuple[int, int, str], b: tuple[int, int, str]) -> str:
    words = {"TILE": tile, "DA": a[1], "AA": 32 // a[1], "OA": a[2], "DB": b[1], "AB": 32 // b[1], "OB": b[2],
             "A,": "A,", "[1, A]": f"[1, {a[0]}]", "[B, 1]": f"[{b[0]}, 1]"}  # fmt: skip
    head = HEAD
    for word, value in sorted(words.items(), key=lambda item: -len(item[0])):
        head = head.replace(word, str(value))
    return head + FORMS[form]


def total(found: Findings) -> int:
    return sum(one.wavefronts or 0 for one in found.accesses)


def advised(found: Findings) -> str | None:
    texts = {re.search(r"#ttg\.\w+<\{.*?\}>", str(one.repair)) for one in found.accesses if one.repair}
    return next((text[0] for text in texts if text), None)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tile", TILES)
def test_the_advice_put_into_the_dump_is_counted_as_promised(form: str, tile: str) -> None:
    arch = "gfx942" if "#ttg.swizzled" in tile and form in ("alloc", "loop", "pipelined") else "sm_90"
    for a, b in zip(SIDES[1::3], SIDES[::3], strict=False):
        before = analyse(dump(form, tile, a, b), arch)
        attribute = advised(before)
        if attribute is None:
            assert all(one.unrepaired for one in before.accesses if one.excess)
            continue
        after = analyse(dump(form, attribute, a, b), arch)
        for old, new in zip(before.accesses, after.accesses, strict=True):
            assert old.repair is None or (old.repair.wavefronts, old.repair.instruction) == (
                new.wavefronts, new.instruction
            )  # fmt: skip
            assert old.repair is None or old.repair.wavefronts < (old.wavefronts or 0)
            assert old.repair is None or (old.repair.before, old.repair.after) == (total(before), total(after))
            assert not old.excess or old.repair or old.unrepaired
        assert advised(after) is None


def tile_of(text: str, shape: tuple[int, ...]) -> Tiled:
    return Tiled("memdesc", shape, "f16", shape, attribute(Reader(text), {}), "#ttg.shared_memory")


@pytest.mark.parametrize("shape", [(8, 64), (64, 16), (4, 16, 32)])
def test_every_candidate_is_the_layout_that_its_attribute_means(shape: tuple[int, ...]) -> None:
    order = list(reversed(range(len(shape))))
    plain = tile_of(f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = {order}}}>", shape)
    mode = tile_of(f"#ttg.nvmma_shared<{{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16,"
                   f" rank = {len(shape)}}}>", shape)  # fmt: skip
    names = [f"dim{d}" for d in range(len(shape))]
    for candidate in (*swizzles(plain), *modes(mode)):
        words = candidate.words()
        read = tile_of(words[words.index("#ttg") :], shape)
        bits = [(d, i) for d in order for i in range(8) if 1 << i < shape[d]]
        units = [[1 << i if d == e else 0 for e in range(len(shape))] for d, i in bits]
        owner = LinearLayout.from_bases({"lane": units}, names, shape)
        moved = [candidate.moved(1 << i) for i in range(len(bits))]
        assert [image for _, image in columns_of(owner, read.layout).table] == moved


@pytest.mark.parametrize("arch", ["sm_75", "sm_90", "gfx942", "gfx950"])
def test_no_swizzle_gets_below_its_floor(arch: str) -> None:
    """Whatever instruction an access becomes: of many lanes' places, elements of 1 to 8 bytes, and every swizzle."""
    rng = random.Random(arch)
    for _ in range(12):
        lanes, type_of = (64 if arch.startswith("gfx") else 32), rng.choice(("i8", "f16", "f32", "f64"))
        many, across, warps = 1 << rng.randrange(4), 1 << rng.randrange(6), 1 << rng.randrange(3)
        shape, order = (rng.choice((8, 16, 32)), rng.choice((4, 16, 64))), rng.choice(("[0, 1]", "[1, 0]"))
        text = f"""
#d = #ttg.blocked<{{sizePerThread = [1, {many}], threadsPerWarp = [{across}, {lanes // across}], warpsPerCTA = [{warps}, {4 // warps}], order = {order}}}>
#s = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}}>
%x = ttg.local_load %m : !ttg.memdesc<{shape[0]}x{shape[1]}x{type_of}, #s, #ttg.shared_memory> -> tensor<{shape[0]}x{shape[1]}x{type_of}, #d>
"""  # noqa: E501  # attributes are lines
        use = analyse(text, arch).accesses[0].use
        assert isinstance(use, TritonUse)
        floors = _floors([use], use.memory)[use]
        assert floors[0] > 0
        for candidate in swizzles(use.memory):
            moved = Columns(tuple((bit, candidate.moved(image)) for bit, image in use.plain.table))
            name, spent = next(use.ways(moved))
            assert spent.wavefronts >= floors[candidate.bits], (text, name, candidate.words())


DESCRIBED = """
#shared = #ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = false, elementBitWidth = 16}}>
#b = #ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}}>
#smem = #ttg.shared_memory
%s = ttg.local_alloc %x : (tensor<64x64xf16, #b>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
%t = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem>
%d = ttng.warp_group_dot %s, %t, %c : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem>
"""


@pytest.mark.parametrize("width", [32, 64])
def test_what_a_descriptor_reads_is_given_modes_only(width: int) -> None:
    found = analyse(DESCRIBED.format(width=width), "sm_90")
    store, a, b = found.accesses
    assert (a.operand, b.operand) == ("A", "B")
    assert store.buffer == a.buffer != b.buffer
    assert a.repair is b.repair is None
    assert store.repair is not None
    assert "#ttg.nvmma_shared<{swizzlingByteWidth = 128" in store.repair.words
    assert store.repair.after == store.ideal + a.ideal


def test_the_first_access_that_is_not_known_is_named() -> None:
    text = dump("store", PLAIN, (1, 4, "[1, 0]"), (1, 8, "[0, 1]"))
    found = analyse(f"{text}new.op %s : {VIEW}\nother.op %s : {VIEW}\n", "sm_90")
    first = min(left.line for left in found.not_analysed)
    assert len(found.not_analysed) == 2
    told = {one.unrepaired for one in found.accesses if one.excess}
    assert told == {f"what line {first} accesses of it is not known"}


def test_a_buffer_that_may_be_another_one_gets_no_repair() -> None:
    """A loop that gives the buffer back as another, an operation that is not known, and a choice."""
    a, b = (1, 4, "[1, 0]"), (1, 8, "[0, 1]")
    sure = dump("loop", PLAIN, a, b)
    assert advised(analyse(sure, "sm_90"))
    for doubt in (
        sure.replace("scf.yield %s", "scf.yield %other"),
        sure + f"new.op %m : {VIEW}\n",
        sure + f"%w = arith.select %c, %m, %n : {VIEW}\n{LOAD.replace('%s', '%w')}",
    ):
        found = analyse(doubt, "sm_90")
        conflicts: list[Finding] = [one for one in found.accesses if one.excess]
        assert conflicts
        assert all(one.repair is None and "not known" in one.unrepaired for one in conflicts)
