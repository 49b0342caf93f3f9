"""FlyDSL dumps below its own dialect: addresses as integers, LLVM's arithmetic, `amdgpu`, unknown targets."""

from __future__ import annotations

import re

import pytest

from tilewright.arch import names
from tilewright.dumps.finding import Finding
from tilewright.dumps.fly.analysis import analyse
from tilewright.dumps.fly.unread import why_unread

SHARED = "#gpu.address_space<workgroup>"
HEAD = f"""
module {{
gpu.module @m [#rocdl.target<chip = "gfx942">] {{
memref.global @arena : memref<16384xi8, {SHARED}>
gpu.func @k(%g: !llvm.ptr<1>, %h: memref<?x64xf32>, %n: i32) kernel
    attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
  %t = gpu.thread_id x
  %ti = arith.index_cast %t : index to i32
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %all = memref.get_global @arena : memref<16384xi8, {SHARED}>
  %tile = memref.view %all[%c4096][] : memref<16384xi8, {SHARED}> to memref<32x64xf32, {SHARED}>
  %row = arith.divui %t, %c64 : index
  %column = arith.remui %t, %c64 : index
  BODY
  gpu.return
}}}}}}
"""
COSTS = ("kind", "instruction", "wavefronts", "ideal", "sectors", "count")


def cost(body: str, lines: int = 1) -> list[tuple[object, ...]]:
    found = analyse(HEAD.replace("BODY", body))
    assert found.not_analysed == ()
    assert len(found.accesses) == lines
    return [tuple(getattr(one, name) for name in COSTS) for one in found.accesses]


def at_byte(numbers: str, element: str) -> str:
    """A read of what lies so many bytes behind the tile, by way of integers."""
    return f"""
  %start = memref.extract_aligned_pointer_as_index %tile : memref<32x64xf32, {SHARED}> -> index
  {numbers}
  %sum = arith.addi %start, %bytes : index
  %low = arith.index_cast %sum : index to i32
  %p = llvm.inttoptr %low : i32 to !llvm.ptr<3>
  %v = llvm.load %p : !llvm.ptr<3> -> {element}"""


@pytest.mark.parametrize("pitch", [1, 2, 4, 17, 32, 33, 64])
def test_an_address_as_an_integer_leads_back_to_its_buffer(pitch: int) -> None:
    """What a load through `inttoptr` costs is what the load of the view at the same element costs."""
    direct = f"""
  %c = arith.constant {pitch} : index
  %i = arith.muli %t, %c : index
  %flat = memref.view %all[%c4096][] : memref<16384xi8, {SHARED}> to memref<8192xf32, {SHARED}>
  %v = memref.load %flat[%i] : memref<8192xf32, {SHARED}>"""
    through = at_byte(f"%c = arith.constant {4 * pitch} : index\n  %bytes = arith.muli %t, %c : index", "f32")
    assert cost(through) == cost(direct)


def test_a_buffer_keeps_its_name_through_integers() -> None:
    """So the accesses of a view by either way are repaired together."""
    numbers = "%c = arith.constant 256 : index\n  %bytes = arith.muli %t, %c : index"
    store = f"%c0 = arith.constant 0 : index\n  memref.store %v, %tile[%t, %c0] : memref<32x64xf32, {SHARED}>"
    one, other = analyse(HEAD.replace("BODY", f"{at_byte(numbers, 'f32')}\n  {store}")).accesses
    assert one.buffer == other.buffer != ""
    assert one.repair is not None
    assert "all 2 accesses" in str(one.repair)


def test_numbers_that_are_no_address_of_one_buffer_are_said() -> None:
    for body in (
        "%p = llvm.inttoptr %ti : i32 to !llvm.ptr<3>\n  %v = llvm.load %p : !llvm.ptr<3> -> f32",
        at_byte("%b = arith.constant 1048576 : index\n  %bytes = arith.muli %t, %b : index", "f32"),
    ):
        (left,) = analyse(HEAD.replace("BODY", body)).not_analysed
        assert "no address of one buffer" in left.why


WORDS = {"add": "addi", "sub": "subi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli",
         "lshr": "shrui", "ashr": "shrsi", "udiv": "divui", "sdiv": "divsi", "urem": "remui", "srem": "remsi",
         "intr.umin": "minui", "intr.umax": "maxui", "intr.smin": "minsi", "intr.smax": "maxsi"}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("by", [3, 5])
def test_integers_of_llvm_are_those_of_arith(name: str, by: int) -> None:
    """The same kernel in either dialect asks for the same addresses."""
    operands = "(%ti, %c) : (i32, i32) -> i32" if name.startswith("intr") else "%ti, %c : i32"
    ours = f"%c = arith.constant {by} : i32\n  %i = arith.{WORDS[name]} %ti, %c : i32"
    theirs = f"%c = llvm.mlir.constant({by} : i32) : i32\n  %i = llvm.{name} {operands}"
    rest = """
  %k = RESULT
  %q = llvm.getelementptr %g[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %v = llvm.load %q : !llvm.ptr<1> -> f32"""
    extended = [rest.replace("RESULT", f"{op} %i : i32 to i64") for op in ("arith.extsi", "llvm.sext")]
    assert cost(ours + extended[0]) == cost(theirs + extended[1])


def test_arrays_of_llvm_are_pointed_into() -> None:
    into = """
  %a = llvm.mlir.addressof @arena : !llvm.ptr<3>
  %q = llvm.getelementptr %a[0, %ti] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<4096 x f32>
  %v = llvm.load %q : !llvm.ptr<3> -> f32"""
    plain = into.replace("[0, %ti]", "[%ti]").replace("!llvm.array<4096 x f32>", "f32")
    assert cost(into) == cost(plain)


@pytest.mark.parametrize(("count", "name"), [(4, "i32"), (8, "vector<2xi32>"), (16, "vector<4xi32>")])
def test_a_copy_of_bytes_is_a_load_and_a_store(count: int, name: str) -> None:
    between = f"""
  %scale = arith.constant {count} : index
  %i = arith.muli %t, %scale : index
  %k = arith.index_cast %i : index to i64
  %q = llvm.getelementptr %g[%k] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %n4 = arith.constant {count} : i64
  %own = llvm.alloca %n4 x i8 : (i64) -> !llvm.ptr<5>
  """
    copies = """"llvm.intr.memcpy"(%own, %q, %n4) <{isVolatile = false}> : (!llvm.ptr<5>, !llvm.ptr<1>, i64) -> ()
  "llvm.intr.memcpy"(%q, %own, %n4) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<5>, i64) -> ()"""
    plain = f"%v = llvm.load %q : !llvm.ptr<1> -> {name}\n  llvm.store %v, %q : {name}, !llvm.ptr<1>"
    found, wanted = cost(between + copies, 2), cost(between + plain, 2)
    assert found == wanted


def test_buffers_of_amdgpu_are_views() -> None:
    """A raw buffer's load costs what the vector's load at the same indices does, a transposed one names its read."""
    plain = "%v = vector.load %h[%row, %column] : memref<?x64xf32>, vector<2xf32>"
    raw = """
  %cast = amdgpu.fat_raw_buffer_cast %h :
    memref<?x64xf32> to memref<?x64xf32, #amdgpu.address_space<fat_raw_buffer>>
  %r = arith.index_cast %row : index to i32
  %s = arith.index_cast %column : index to i32
  %v = amdgpu.raw_buffer_load {boundsCheck = true} %cast[%r, %s] sgprOffset %n
    : memref<?x64xf32>, i32, i32 -> vector<2xf32>"""
    assert cost(raw) == cost(plain)
    stored = "%v = arith.constant 0.0 : f32\n  "
    store = stored + "memref.store %v, %h[%row, %column] : memref<?x64xf32>"
    other = stored + "amdgpu.raw_buffer_store %v -> %h[%row, %column] : f32 -> memref<?x64xf32>, i32, i32"
    assert cost(other) == cost(store)
    tile = f"memref<32x64xf32, {SHARED}>"
    (read,) = cost(f"%v = amdgpu.transpose_load %tile[%row, %column] : {tile} -> vector<2xf32>")
    assert read[1] == "ds_read_b64_tr"


def test_a_gather_to_shared_memory_is_a_load_and_a_store_of_neighbours() -> None:
    body = f"""amdgpu.gather_to_lds %h[%row, %column], %tile[%row, %column]
    : vector<4xf32>, memref<?x64xf32>, memref<32x64xf32, {SHARED}>"""
    (load, store) = cost(body, 2)
    assert (load[0], store[0], store[1]) == ("global load", "store", "load to LDS, 128 bits")
    assert store[2] == store[3]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("%v = llvm.atomicrmw add %g, %n monotonic : !llvm.ptr<1>, i32", "atomic"),
        ("rocdl.tensor.load.to.lds %n, %n, %n, %n, %n cachepolicy 0 : vector<4xi32>, vector<8xi32>", "descriptor"),
        ("%v = vector.transfer_read %h[%row, %column], %n : memref<?x64xf32>, vector<4xf32>", "take part"),
        ('"llvm.intr.memset"(%g, %n, %n) : (!llvm.ptr<1>, i8, i64) -> ()', "not followed"),
        ("memref.copy %h, %h : memref<?x64xf32> to memref<?x64xf32>", "not followed"),
        ("%v = rocdl.global.load.tr.b64 %g : !llvm.ptr<1> -> vector<2xi32>", "not followed"),
    ],
)
def test_what_accesses_memory_in_another_way_is_listed(line: str, why: str) -> None:
    found = analyse(HEAD.replace("BODY", line))
    assert found.accesses == ()
    assert [why in left.why for left in found.not_analysed] == [True]
    name = found.not_analysed[0].op
    assert why_unread(name) is not None


def test_an_access_that_no_thread_reaches_is_listed_whatever_it_is() -> None:
    line = "%v = llvm.atomicrmw add %g, %n monotonic : !llvm.ptr<1>, i32"
    body = f"%false = arith.constant false\n  scf.if %false {{\n  {line}\n  }}"
    (left,) = analyse(HEAD.replace("BODY", body)).not_analysed
    assert "no thread" in left.why


@pytest.mark.parametrize("chip", ["gfx1250", "gfx9999", "gfx942:sramecc+"])
def test_accesses_of_an_unknown_target_are_listed_with_that_reason(chip: str) -> None:
    body = f"""%v = memref.load %tile[%row, %column] : memref<32x64xf32, {SHARED}>
  %w = llvm.load %g : !llvm.ptr<1> -> i32"""
    text = HEAD.replace("BODY", body).replace("gfx942", chip)
    found, known = analyse(text), chip.partition(":")[0] in names()
    told = found.accesses if known else found.not_analysed
    assert [one.op for one in told] == ["memref.load", "llvm.load"]
    assert found.arch == chip.partition(":")[0]
    assert all(isinstance(one, Finding) or chip in one.why for one in told)
    assert len(analyse(text, "gfx950").accesses) == 2


def test_branches_between_blocks_are_said_not_to_be_followed() -> None:
    body = """%c = llvm.icmp "slt" %ti, %n : i32
  llvm.cond_br %c, ^bb1, ^bb2
^bb1:
  %v = llvm.load %g : !llvm.ptr<1> -> i32
  llvm.br ^bb2
^bb2:"""
    found = analyse(HEAD.replace("BODY", body))
    assert len(found.accesses) == 1
    assert any(re.search("branches between blocks", note) for note in found.notes)
