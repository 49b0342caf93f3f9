"""Triton dumps: what is found equals what Triton's own compiler made of them, and brute force over addresses."""

from __future__ import annotations

import itertools
import random
import re

import pytest
from dump_cases import dumps, fates, instructions, mutants

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.dumps.finding import Findings
from tilewright.dumps.triton.analysis import analyse
from tilewright.errors import UsageError
from tilewright.notation.ttgir import read_dump
from tilewright.notation.ttgir_types import Types

FOUND: dict[str, Findings] = {name: analyse(text) for name, text in dumps().items()}
MEMORY = re.compile(
    r"(ttg\.local_(load|store)|convert_layout|async_copy_global|async_tma_copy|group_dot |gen5_mma |"
    r"tt\.(load|store)|buffer_)"
)


def counted(found: Findings, *beginnings: str) -> int:
    """Instructions of one warp with such a name."""
    return sum(one.count for one in found.accesses if one.instruction.startswith(beginnings))


def emitted(name: str, pattern: str, twice: str = "") -> int:
    rows = instructions()[name].items()
    return sum(n * (2 if twice and twice in word else 1) for word, n in rows if re.search(pattern, word))


@pytest.mark.parametrize("name", [name for name in dumps() if "sm_" in name])
def test_matrix_instructions_are_those_that_triton_emits(name: str) -> None:
    found = FOUND[name]
    for which in ("ldmatrix", "stmatrix"):
        plain = [one for one in found.accesses if one.instruction == f"{which}.x4"]
        across = [one for one in found.accesses if one.instruction == f"{which}.x4.trans"]
        assert sum(one.count for one in plain) == emitted(name, rf"{which}.*x4\.shared")
        assert sum(one.count for one in across) == emitted(name, rf"{which}.*x4\.trans")


@pytest.mark.parametrize("name", [name for name in dumps() if "sm_" in name])
def test_vectors_and_asynchronous_copies_are_those_that_triton_emits(name: str) -> None:
    found = FOUND[name]
    assert counted(found, "cp.async ") == emitted(name, r"cp\.async\.c")
    assert counted(found, "cp.async 16") == emitted(name, r"cp\.async\.cg")
    assert counted(found, "st.shared.v4.b32") == emitted(name, r"st\.shared\.v4\.b32")
    assert counted(found, "st.shared.b8") == emitted(name, r"st\.shared\.b8")
    assert counted(found, "ld.shared.v4.b32") == emitted(name, r"ld\.shared\.v4\.b32")


@pytest.mark.parametrize("name", [name for name in dumps() if "gfx" in name])
def test_lds_instructions_are_those_that_triton_emits(name: str) -> None:
    """read2 and write2 are two of ours; the zeros that masked copies write into LDS stand in no operation."""
    found = FOUND[name]
    for ours, theirs in (
        ("ds_read_b64_tr_b16", "ds_read_b64_tr_b16"),
        ("ds_read_b128", "ds_read_b128"),
        ("ds_read_u16", "ds_read_u16"),
        ("ds_write_b16", "ds_write_b16"),
        ("ds_write_b64", "ds_write.*b64"),
        ("global_load_lds", "global_load_lds"),
        ("ds_read_b32", "ds_read_b32"),
        ("ds_write_b32", "ds_write_b32"),
    ):
        assert counted(found, ours) == emitted(name, f"^{theirs}", "2st64"), ours
    exact = sum(one.count for one in found.accesses if one.instruction == "ds_read_b64")
    assert exact == emitted(name, r"^ds_read(2st64)?_b64$", "2st64")


@pytest.mark.parametrize("name", dumps())
def test_global_vectors_are_those_that_triton_emits(name: str) -> None:
    if "gfx" in name:
        for ours, theirs in (
            ("global load 128", r"(global|buffer)_load.*dwordx4"),
            ("global store 128", "store_dwordx4"),
        ):
            assert counted(FOUND[name], ours) == emitted(name, theirs)


@pytest.mark.parametrize("name", dumps())
def test_no_memory_operation_is_left_out(name: str) -> None:
    found = FOUND[name]
    lines = {one.line for one in (*found.accesses, *found.not_analysed)}
    wanted = {n for n, line in enumerate(dumps()[name].split("\n"), 1) if MEMORY.search(line.split(" loc(")[0] + " ")}
    # A conversion by shuffles accesses no memory.
    shuffled = {n for n in wanted - lines if "convert_layout" in dumps()[name].split("\n")[n - 1]}
    assert wanted - lines == shuffled
    assert 10 * len(found.not_analysed) <= len(found.accesses) + len(found.not_analysed)


@pytest.mark.parametrize("name", dumps())
def test_every_access_names_the_users_line(name: str) -> None:
    assert all(re.fullmatch(r"/home/user/kernels\.py:\d+:\d+", one.source or "") for one in FOUND[name].accesses)


# ---- the count of one instruction times their number equals the sum over every thread's address

HEAD = """
#own = #ttg.blocked<{{
  sizePerThread = [1, {vec}], threadsPerWarp = [{down}, {across}], warpsPerCTA = [2, 1], order = {own}}}>
#tile = {tile}
%x = ttg.{op} : {types}
"""
TILES = (
    "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>",
    "#ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 4, order = [1, 0]}>",
    "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>",
    "#ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
    "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>",
    "#ttg.padded_shared<[128:+8, 512:+16] {order = [1, 0], shape = [64, 64]}>",
)


def access(tile: str, vec: int, down: int, own: str, op: str) -> str:
    memory, tensor = "!ttg.memdesc<64x64xf16, #tile, #ttg.shared_memory>", "tensor<64x64xf16, #own>"
    load = op == "local_load"
    types = f"{memory} -> {tensor}" if load else f"{tensor} -> {memory}"
    words = "local_load %m" if load else "local_store %v, %m"
    return HEAD.format(tile=tile, vec=vec, down=down, across=32 // down, own=own, op=words, types=types)


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("op", ["local_load", "local_store"])
def test_wavefronts_are_the_sum_over_all_instructions_and_warps(tile: str, op: str) -> None:
    for number, (vec, down) in enumerate(itertools.product((1, 4, 8), (4, 32))):
        own = ("[1, 0]", "[0, 1]")[(number + number // 2) % 2]  # of vec, down and own each pair of values once
        text = access(tile, vec, down, own, op)
        (found,) = analyse(text, "sm_80").accesses
        if "matrix" in found.instruction:
            continue
        kind = "load" if op == "local_load" else "store"
        width = {"b16": 2, "b32": 4}[found.instruction[-3:]] * int(
            (re.search(r"v(\d)", found.instruction) or [0, 1])[1]
        )
        rows = every_address(text, width // 2)
        reports = [bank_conflicts_at(row, width, kind=kind, arch="sm_80") for row in rows]
        assert found.wavefronts == sum(report.wavefronts for report in reports), (text, found)
        assert found.ideal == sum(report.ideal for report in reports)
        assert len(rows) == 2 * found.count


def every_address(text: str, vector: int) -> list[list[int]]:
    """The byte address of every lane, a row an instruction of a warp, by evaluating both layouts at every element."""
    dump = read_dump(text)
    types = Types(dump.aliases)
    tiles = [types.tiled(one) for op in dump.walk() for one in (*op.inputs, *op.outputs)]
    memory = next(one for one in tiles if one and one.kind == "memdesc")
    tensor = next(one for one in tiles if one and one.kind == "tensor")
    offsets = {
        tuple(memory.layout.apply({"offset": offset, "block": 0}).values()): offset for offset in range(memory.size)
    }
    gaps = [(gap.interval, gap.padding) for gap in memory.paddings]
    rows = []
    registers = tensor.layout.get_in_dim_size("register")
    for warp in range(2):
        lanes = []
        for lane in range(32):
            found = []
            for register in range(registers):
                place = tensor.layout.apply({"register": register, "lane": lane, "warp": warp, "block": 0})
                offset = offsets[tuple(place.values())]
                found.append(2 * (offset + sum(offset // interval * pad for interval, pad in gaps)))
            lanes.append(found)
        starts = [r for r in range(registers) if lanes[0][r] % (2 * vector) == 0 or vector == 1]
        chosen = [r for r in starts if all({lane[r] + 2 * i for i in range(vector)} <= set(lane) for lane in lanes)]
        rows += [[lane[r] for lane in lanes] for r in chosen]
    return rows


def test_a_repair_is_as_good_as_it_says() -> None:
    """The swizzle it names, put in place of the tile's, has that many wavefronts."""
    mended = 0
    for vec, down, op in itertools.product((1, 8), (8, 32), ("local_load", "local_store")):
        (found,) = analyse(access(TILES[0], vec, down, "[1, 0]", op), "sm_80").accesses
        if found.repair is None:
            continue
        attribute, wavefronts = re.search(r"(#ttg.*>): (\d+) wavefronts", str(found.repair)).groups()  # type: ignore[union-attr]  # it matches
        (again,) = analyse(access(attribute, vec, down, "[1, 0]", op), "sm_80").accesses
        assert again.wavefronts == int(wavefronts) < (found.wavefronts or 0)
        mended += 1
    assert mended


BUFFER = """
#a = #ttg.blocked<{{sizePerThread = [1, {va}], threadsPerWarp = [{da}, {aa}], warpsPerCTA = [2, 1], order = {oa}}}>
#b = #ttg.blocked<{{sizePerThread = [1, {vb}], threadsPerWarp = [{db}, {ab}], warpsPerCTA = [2, 1], order = {ob}}}>
#tile = {tile}
%m = ttg.local_alloc : () -> !ttg.memdesc<1x64x64xf16, #tile, #ttg.shared_memory, mutable>
%v = ttg.memdesc_index %m[%i] : !ttg.memdesc<1x64x64xf16, #tile, #ttg.shared_memory> -> {view}
ttg.local_store %x, %v : tensor<64x64xf16, #a> -> {view}
%y = ttg.local_load %v : {view} -> tensor<64x64xf16, #b>
"""
SIDES = list(itertools.product((1, 8), (4, 32), ("[1, 0]", "[0, 1]")))


def buffer(tile: str, a: tuple[int, int, str], b: tuple[int, int, str]) -> str:
    sides = {"va": a[0], "da": a[1], "aa": 32 // a[1], "oa": a[2], "vb": b[0], "db": b[1], "ab": 32 // b[1], "ob": b[2]}
    return BUFFER.format(tile=tile, view="!ttg.memdesc<64x64xf16, #tile, #ttg.shared_memory, mutable>", **sides)


@pytest.mark.parametrize("a", SIDES)
def test_a_repair_lessens_the_wavefronts_of_the_whole_buffer(a: tuple[int, int, str]) -> None:
    for b in SIDES:
        before = analyse(buffer(TILES[0], a, b), "gfx942")
        repairs = {one.repair for one in before.accesses if one.repair}
        attributes = {found[0] for found in (re.search(r"#ttg.[^>]*>", str(text)) for text in repairs) if found}
        assert len(attributes) <= 1
        for attribute in attributes:
            after = analyse(buffer(attribute, a, b), "gfx942")
            assert total(after) < total(before)
            for old, new in zip(before.accesses, after.accesses, strict=True):
                told = re.search(r"(\d+) wavefronts", str(old.repair))
                assert told is None or int(told[1]) == new.wavefronts


def total(found: Findings) -> int:
    return sum(one.wavefronts or 0 for one in found.accesses)


# ---- what is refused, and how


def test_what_cannot_be_analysed_is_listed_with_the_reason() -> None:
    text = """
    %h = tt.histogram %x : tensor<64xi32, #b> -> tensor<64xi32, #b>
    %y = ttg.local_load %m : !ttg.memdesc<32xf32, #nothing, #ttg.shared_memory> -> tensor<32xf32, #b>
    new.op %m : !ttg.memdesc<32xf32, #s, #ttg.shared_memory>
    """
    found = analyse(text, "sm_90")
    assert [(left.line, left.op) for left in found.not_analysed] == [
        (2, "tt.histogram"), (3, "ttg.local_load"), (4, "new.op"),
    ]  # fmt: skip
    assert all(left.why for left in found.not_analysed)
    assert found.to_json()["not_analysed"][1]["why"] == found.not_analysed[1].why


@pytest.mark.parametrize("name", dumps())
def test_operations_that_take_memory_and_that_nobody_knows_are_listed(name: str) -> None:
    """The dumps with every access under a name that does not exist: all of them are told, line by line."""
    known = r"\b(?:ttg|ttng|tt|amdg)\.((?:local_|async_tma_|buffer_)?(?:load|store|copy_global_to_local))(?= )"
    text = re.sub(known, r"new.\1", dumps()[name])
    lines = {n for n, line in enumerate(text.split("\n"), 1) if re.search(r"\bnew\.\w+ ", line)}
    assert lines
    assert lines <= {left.line for left in analyse(text).not_analysed}


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        ("new.op %x : !tt.ptr<f32> -> tensor<32xf32, #b>", True),
        ("new.op %x, %y : tensor<32xf32, #b>, tensor<32x!tt.ptr<f32>, #b>", True),
        ('"new.op"(%x) : (!tt.tensordesc<8x32xf32, #s>) -> ()', True),
        ("new.op %x : !ttg.memdesc<32xf32, #s, #ttng.tensor_memory>", True),
        ("new.op %x : !ttg.memdesc<32xf32, #s, #ttg.shared_memory>", True),
        ("%r = amdg.buffer_atomic_rmw fadd, acq_rel, gpu, %v, %x[%o] : !tt.ptr<f32> -> tensor<32xf32, #b>", True),
        ("%r = tt.atomic_rmw fadd, acq_rel, gpu, %x, %v : (!tt.ptr<f32>, f32) -> f32", True),
        ("%r = new.op %x : i64 -> !tt.ptr<f32>", False),
        ("%r = new.op %x : tensor<32xf32, #b>", False),
        ("%r = tt.addptr %x, %y : !tt.ptr<f32>, i32", False),
    ],
)
def test_what_an_operation_takes_says_whether_it_may_access_memory(words: str, listed: bool) -> None:
    found = analyse(f"{words}\n", "gfx942")
    assert not found.accesses
    assert [bool(left.why) for left in found.not_analysed] == [True] * listed


@pytest.mark.parametrize(("memory", "tensor"), [("#b", "#b"), ("#s", "#s")])
def test_layouts_of_registers_and_of_memory_are_told_apart(memory: str, tensor: str) -> None:
    text = f"""
    #b = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}}>
    #s = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
    %x = ttg.local_load %m : !ttg.memdesc<32xf16, {memory}, #ttg.shared_memory> -> tensor<32xf16, {tensor}>
    """
    (left,) = analyse(text, "sm_90").not_analysed
    assert "has a layout of" in left.why


def test_layouts_of_other_warps_and_other_architectures_are_said() -> None:
    text = dumps()["softmax.sm_80"]
    assert analyse(text).notes == analyse(text).warnings == ()
    assert "made for 80" in analyse(text, "sm_90").warnings[0]
    other = text.replace('"ttg.threads-per-warp" = 32', '"ttg.threads-per-warp" = 64')
    assert other != text
    assert not analyse(other).accesses
    assert {"a layout of 32 lanes in a dump whose warps have 64"} == {left.why for left in analyse(other).not_analysed}


def test_a_chip_whose_banks_are_not_known_has_its_accesses_listed() -> None:
    text = dumps()["softmax.gfx942"].replace("gfx942", "gfx1250")
    found = analyse(text)
    assert (found.arch, found.accesses) == ("gfx1250", ())
    assert all("gfx1250" in left.why for left in found.not_analysed)
    assert analyse(text, "gfx942").accesses


def test_a_tensor_of_any_extent_is_listed() -> None:
    text = """
    #b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
    %v = tt.load %p : tensor<99999999999999999999x64x!tt.ptr<f16>, #b>
    """
    (left,) = analyse(text, "sm_90").not_analysed
    assert (left.op, "powers of two" in left.why) == ("tt.load", True)


def test_a_dump_without_a_target_asks_for_the_architecture() -> None:
    with pytest.raises(UsageError, match="--arch"):
        analyse("tt.return")
    assert analyse("tt.return", "gfx942").arch == "gfx942"


def test_mutants_give_findings_or_our_errors() -> None:
    assert fates(mutants(random.Random(3), 120), analyse) == {"findings", "refused"}


REMAINDER = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %one = arith.constant dense<DIVISOR> : tensor<32xi32, #blocked>
    %many = tt.splat %n : i32 -> tensor<32xi32, #blocked>
    %q = arith.OP %r, %WHICH : tensor<32xi32, #blocked>
    %b = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked>
    %a = tt.addptr %b, %q : tensor<32x!tt.ptr<i32>, #blocked>, tensor<32xi32, #blocked>
    %v = tt.load %a : tensor<32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
"""


@pytest.mark.parametrize("op", ["remsi", "remui"])
@pytest.mark.parametrize("divisor", [0, 8, 31, 32, 4096])
def test_remainders_step_as_what_they_divide_unless_they_wrap_within_the_tensor(op: str, divisor: int) -> None:
    """By what only the launch knows (0 here), as in a matmul's `% M`, the wrap is left out; else it is told."""
    which = "one" if divisor else "many"
    words = (("OP", op), ("DIVISOR", str(divisor or 1)), ("WHICH", which))
    text = REMAINDER
    for word, by in words:
        text = text.replace(word, by)
    found = analyse(text)
    if 0 < divisor < 32:
        (left,) = found.not_analysed
        assert f"arith.{op} by {divisor} of indices that span 32" in left.why
    else:
        (one,) = found.accesses
        assert (one.sectors, one.ideal) == (4, 4)


@pytest.mark.parametrize(("told", "held", "fits"), [(4, 4, True), (8, 4, False), (1, 4, False), (2, 2, True)])
def test_layouts_of_other_warps_than_the_module_are_told_with_both_numbers(told: int, held: int, fits: bool) -> None:
    text = f"""
    #b = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{held}], order = [0]}}>
    #s = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
    module attributes {{"ttg.num-warps" = {told} : i32, ttg.target = "cuda:90"}} {{
    %x = ttg.local_load %m : !ttg.memdesc<256xf16, #s, #ttg.shared_memory> -> tensor<256xf16, #b>
    }}"""
    found = analyse(text)
    assert bool(found.accesses) == fits
    words = f"a layout of {held} warps in a dump whose ttg.num-warps is {told}"
    assert [left.why for left in found.not_analysed] == [words] * (not fits)


@pytest.mark.parametrize(("held", "fits"), [(1, False), (2, True), (4, True), (8, False)])
def test_parts_of_the_warps_have_layouts_of_their_own(held: int, fits: bool) -> None:
    """The module has 4 warps, and a part of them 2."""
    text = f"""
    #b = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [{held}], order = [0]}}>
    #s = #ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}}>
    module attributes {{"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"}} {{
    ttg.warp_specialize(%m) attributes {{requestedRegisters = array<i32: 24>}}
    default {{
    ttg.warp_yield
    }}
    partition0(%s: !ttg.memdesc<256xf16, #s, #ttg.shared_memory>) num_warps(2) {{
    %x = ttg.local_load %s : !ttg.memdesc<256xf16, #s, #ttg.shared_memory> -> tensor<256xf16, #b>
    ttg.warp_return
    }} : (!ttg.memdesc<256xf16, #s, #ttg.shared_memory>) -> ()
    }}"""
    found = analyse(text)
    assert bool(found.accesses) == fits
    words = f"a layout of {held} warps in a dump whose ttg.num-warps is 4 or 2"
    assert [left.why for left in found.not_analysed] == [words] * (not fits)


def test_what_an_older_chip_does_not_move_past_its_registers_is_listed() -> None:
    """A dump of gfx950 counted for gfx942: that is a warning, and its copies of 16 bytes a lane are told one by one."""
    name = next(name for name in dumps() if name.endswith("gfx950") and counted(FOUND[name], "global_load_lds 16"))
    found = analyse(dumps()[name], "gfx942")
    assert found.warnings == (
        "the dump was made for gfx950, where instructions may be others; it is counted for gfx942",
    )
    assert not counted(found, "global_load_lds 16")
    assert {left.why for left in found.not_analysed if "async_copy" in left.op} == {
        "gfx942 moves at most 4 bytes a lane past its registers, not 16"
    }


@pytest.mark.parametrize("element", ["i8", "f8E5M2", "f16", "f32"])
@pytest.mark.parametrize(("interval", "padding"), [(16, 4), (16, 16), (64, 1), (64, 8), (4, 16), (1, 1)])
def test_vectors_of_padded_tiles_end_at_gaps_and_are_counted_where_they_are_aligned(
    element: str, interval: int, padding: int
) -> None:
    """Triton takes the widest vector within an interval; where the gap leaves it misaligned the operation is listed."""
    tile = f"#ttg.padded_shared<[{interval}:+{padding}] {{order = [1, 0], shape = [64, 64]}}>"
    found = analyse(access(tile, 8, 4, "[1, 0]", "local_load").replace("f16", element), "gfx942")
    size = {"i8": 1, "f8E5M2": 1, "f16": 2, "f32": 4}[element]
    width = min(8 * size, interval * size, 16)
    if padding * size % width:
        assert [f"vectors of {width} bytes are misaligned" in left.why for left in found.not_analysed] == [True]
    else:
        (one,) = found.accesses
        assert int(one.instruction.partition("_read_")[2].strip("ub")) == 8 * width
        assert one.count * width * 64 == 64 * 64 * size  # of 2 warps of 32 lanes
