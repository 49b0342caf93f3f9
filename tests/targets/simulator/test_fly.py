"""`fly` kernels on the simulator: what their layouts say, with every fault at its line, and the same at every stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fly_programs import program
from fly_runs import Launch, Memory, counted, report_of, stages

from tilewright.dtypes import dtype
from tilewright.errors import (
    BarrierError,
    CompileError,
    MisalignedError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.ir.fly import infer

IDS = """
    %bx = gpu.block_id x
    %b = arith.index_cast %bx : index to i32
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32"""
ROW = "!fly.memref<f32, global, (?,?):(?{i64},1)>"
ADD = f"""gpu.module @m {{
  gpu.func @add(%a: {ROW}, %c: !fly.memref<f32, global, (4,64):(64,1)>, %x: f32) kernel {{{IDS}
    %at = fly.make_coord(%b, %t) : (i32, i32) -> !fly.int_tuple<(?,?)>
    %v = fly.memref.load(%a, %at) : ({ROW}, !fly.int_tuple<(?,?)>) -> f32
    %w = arith.addf %v, %x : f32
    fly.memref.store(%w, %c, %at) : (f32, !fly.memref<f32, global, (4,64):(64,1)>, !fly.int_tuple<(?,?)>) -> ()
    gpu.return
  }}
}}"""
SHARED = "!fly.ptr<f32, shared, align<128>, S<2,4,3>>"
VIEW = "!fly.memref<f32, shared, 64:1, align<128>, S<2,4,3>>"
MIRROR = f"""gpu.module @m {{
  gpu.func @mirror(%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>) kernel {{{IDS}
    %s = fly.make_ptr() {{dictAttrs = {{allocSize = 64 : i64}}}} : () -> {SHARED}
    %l = fly.static : !fly.layout<64:1>
    %m = fly.make_view(%s, %l) : ({SHARED}, !fly.layout<64:1>) -> {VIEW}
    %i = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
    fly.memref.store(%v, %m, %i) : (f32, {VIEW}, !fly.int_tuple<?>) -> ()
    gpu.barrier
    %last = arith.constant 63 : i32
    %u = arith.subi %last, %t : i32
    %j = fly.make_int_tuple(%u) : (i32) -> !fly.int_tuple<?>
    %w = fly.memref.load(%m, %j) : ({VIEW}, !fly.int_tuple<?>) -> f32
    %q = fly.add_offset(%c, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    fly.ptr.store(%w, %q) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }}
}}"""
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>"
TILED = f"!fly.tiled_mma<{MFMA}, !fly.layout<(1,1,1):(0,0,0)>>"
COPY = "!fly.copy_atom<!fly.universal_copy<32>, 32>"


def add(rows: int = 4, stride: int = 70) -> Launch:
    source = counted(rows * stride)
    leaves = (rows, 64, stride)
    return Launch(ADD, (Memory(source, leaves), Memory(np.zeros(256, np.float32)), 1.5), grid=4)


def mirror(text: str = MIRROR, size: int = 64) -> Launch:
    return Launch(text, (Memory(counted(size)), Memory(np.zeros(64, np.float32))))


def test_views_with_run_time_strides() -> None:
    launch = add()
    report = report_of(launch)
    source = launch.arguments[0].array.reshape(4, 70)[:, :64]
    assert np.array_equal(launch.arguments[1].array.reshape(4, 64), source + np.float32(1.5))
    assert [(one.kind, one.buffer, one.accesses, one.sectors) for one in report.accesses] == [
        ("load", "a", 4, 19),
        ("store", "c", 4, 16),
    ]


def test_swizzled_shared_memory_between_threads() -> None:
    launch = mirror()
    report_of(launch)
    assert launch.arguments[1].array.tolist() == list(range(63, -1, -1))


@pytest.mark.parametrize("launch", [add(), mirror()], ids=["add", "mirror"])
@pytest.mark.parametrize("schedule", ["lockstep", "random"])
def test_schedules_leave_the_same(launch: Launch, schedule: Any) -> None:
    report_of(launch, schedule=schedule, seed=3, check="strict")
    assert launch.arguments[1].array.any()


def fault(launch: Launch) -> SimulationError:
    with pytest.raises(SimulationError) as found:
        report_of(launch)
    return found.value


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


def within(start: str) -> str:
    """The kernel of which half of the threads execute the line that begins so."""
    found = next(line for line in MIRROR.splitlines() if line.strip().startswith(start))
    half = "    %n = arith.constant 32 : i32\n    %some = arith.cmpi ult, %t, %n : i32\n"
    return MIRROR.replace(found, f"{half}    scf.if %some {{\n{found}\n    }}")


FAULTS = {
    "row": (add(rows=3), OutOfBoundsError, "fly.memref.load"),
    "race": (mirror(MIRROR.replace("    gpu.barrier\n", "")), RaceError, "%w = fly.memref.load"),
    "uninitialised": (mirror(within("fly.memref.store(%v")), UninitializedError, "%w = fly.memref.load"),
    "short": (mirror(size=60), OutOfBoundsError, "%v = fly.ptr.load"),
    "divergent": (mirror(within("gpu.barrier")), BarrierError, "gpu.barrier"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_their_line(name: str) -> None:
    launch, kind, part = FAULTS[name]
    found = fault(launch)
    assert isinstance(found, kind)
    assert not part or f"kernel.mlir:{line_of(launch.text, part)}:" in str(found)


@pytest.mark.parametrize("launch", [add(), mirror(), *(one for one, _, _ in FAULTS.values())])
def test_every_stage_does_the_same(launch: Launch) -> None:
    (_, first), *others = stages(launch)
    assert len(others) == 7
    for name, outcome in others:
        assert first.agrees(outcome), f"{name}: {first.said or 'ran'}\n{outcome.said}"


@pytest.mark.parametrize("seed", [s for s in range(20) if "mfma" not in program(s)])
def test_registers_of_one_thread_at_every_stage(seed: int) -> None:
    text, rng = program(seed), np.random.default_rng(seed)
    kinds = [part.split("<")[1].split(",")[0] for part in text.split(") {")[0].split("%")[1:]]
    raw = (rng.integers(0, 2, 64) if kind == "i1" else rng.integers(-3, 4, 64) for kind in kinds)
    memories = (Memory(x.astype(dtype(kind).numpy())) for x, kind in zip(raw, kinds, strict=True))
    (_, first), *others = stages(Launch(text, tuple(memories), block=1))
    for name, outcome in others:
        assert first.agrees(outcome) or "remain after rmem SSA promotion" in name, name


GEMM = f"""gpu.module @m {{
  gpu.func @gemm(%a: !fly.memref<f32, global, (16,8):(8,1)>, %w: !fly.memref<f32, global, (16,8):(8,1)>,
                 %c: !fly.memref<f32, global, (16,16):(16,1)>) kernel {{{IDS}
    %atom = fly.make_mma_atom : {MFMA}
    %one = fly.static : !fly.layout<(1,1,1):(0,0,0)>
    %tm = fly.make_tiled_mma(%atom, %one) : ({MFMA}, !fly.layout<(1,1,1):(0,0,0)>) -> {TILED}
    %i = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
PARTS
    gpu.return
  }}
}}"""


def gemm_text() -> str:
    """A product of one wave: parts by the tiled MMA, copies by atoms that match its operands."""
    lines: list[str] = [f"    %k = fly.make_copy_atom {{valBits = 32 : i32}} : {COPY}"]

    def let(
        name: str, op: str, given: list[tuple[str, str]], attributes: dict[str, Any] | None = None
    ) -> tuple[str, str]:
        kind = infer(op, [type for _, type in given], attributes)
        before = f"{attributes['operand_id']}, " if attributes else ""
        names, types = ", ".join(n for n, _ in given), ", ".join(type for _, type in given)
        lines.append(f"    %{name} = fly.{op}({before}{names}) : ({types}) -> {kind}")
        return f"%{name}", kind

    def do(op: str, *given: tuple[str, str]) -> None:
        names, types = ", ".join(n for n, _ in given), ", ".join(type for _, type in given)
        lines.append(f"    fly.{op}({names}) : ({types}) -> ()")

    mma, thread, atom = ("%tm", TILED), ("%i", "!fly.int_tuple<?>"), ("%k", COPY)
    found = {}
    for name, letter, shape in (("a", "a", "(16,8):(8,1)"), ("w", "b", "(16,8):(8,1)"), ("c", "c", "(16,16):(16,1)")):
        view = (f"%{name}", f"!fly.memref<f32, global, {shape}>")
        mine = let(f"p{name}", "tiled_mma.partition", [mma, view, thread], {"operand_id": letter})
        copy = let(f"k{name}", f"make_tiled_copy_{letter.upper()}", [atom, mma])
        part = "partition_dst" if name == "c" else "partition_src"
        outside = let(f"q{name}", f"tiled_copy.{part}", [copy, view, thread])
        registers = let(f"f{name}", "make_fragment_like", [mine])
        found[name] = registers, copy, outside, let(f"r{name}", "tiled_copy.retile", [copy, registers])
        if name != "c":
            do("copy", copy, outside, found[name][3])
    d, copy, outside, inside = found["c"]
    lines.append("    %zero = arith.constant dense<0.0> : vector<4xf32>")
    do("memref.store_vec", ("%zero", "vector<4xf32>"), d)
    do("gemm", mma, d, found["a"][0], found["w"][0], d)
    do("copy", copy, inside, outside)
    return GEMM.replace("PARTS", "\n".join(lines))


def gemm(arch: str = "gfx942") -> Launch:
    rng = np.random.default_rng(5)
    a, w = (rng.integers(-4, 5, (16, 8)).astype(np.float32) for _ in range(2))
    return Launch(gemm_text(), (Memory(a), Memory(w), Memory(np.zeros((16, 16), np.float32))), arch=arch)


def test_a_product_of_a_tiled_mma() -> None:
    launch = gemm()
    report_of(launch)
    a, w, c = (one.array for one in launch.arguments)
    assert np.array_equal(c, a @ w.T)


def test_a_product_at_every_stage() -> None:
    (_, first), *others = stages(gemm())
    assert not first.fault
    for name, outcome in others:
        assert first.agrees(outcome), name


def test_an_instruction_of_another_machine_is_refused() -> None:
    with pytest.raises(SimulationError, match="CDNA3_16x16x4_F32F32F32F32 is an instruction of gfx942, not of gfx1100"):
        report_of(gemm("gfx1100"))


BUFFER = "!fly.ptr<f32, #fly_rocdl.buffer_desc>"
CLIP = f"""gpu.module @m {{
  gpu.func @clip(%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>, %bytes: i64) kernel {{{IDS}
    %none = arith.constant 0 : i16
    %flags = arith.constant 159744 : i32
    %from = fly.make_ptr(%a, %none, %bytes, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> {BUFFER}
    %to = fly.make_ptr(%c, %none, %bytes, %flags) : (!fly.ptr<f32, global>, i16, i64, i32) -> {BUFFER}
    %four = arith.constant 4 : i32
    %f = arith.muli %t, %four : i32
    %i = fly.make_int_tuple(%f) : (i32) -> !fly.int_tuple<?>
    %p = fly.add_offset(%from, %i) : ({BUFFER}, !fly.int_tuple<?>) -> {BUFFER}
    %q = fly.add_offset(%to, %i) : ({BUFFER}, !fly.int_tuple<?>) -> {BUFFER}
    %l = fly.static : !fly.layout<4:1>
    %x = fly.make_view(%p, %l) : ({BUFFER}, !fly.layout<4:1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
    %y = fly.make_view(%q, %l) : ({BUFFER}, !fly.layout<4:1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
    %r = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
    %k = fly.make_copy_atom {{valBits = 32 : i32}} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>
    fly.copy_atom_call(%k, %x, %r) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>,
      !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
    fly.copy_atom_call(%k, %r, %y) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>,
      !fly.memref<f32, register, 4:1>, !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>) -> ()
    gpu.return
  }}
}}"""


@pytest.mark.parametrize("known", [0, 1, 63, 128, 253, 256])
def test_buffers_clip_what_lies_beyond_their_bytes(known: int) -> None:
    source, target = counted(256, start=1), np.full(256, -1, np.float32)
    launch = Launch(CLIP, (Memory(source), Memory(target), 4 * known))
    report_of(launch)
    assert np.array_equal(target[:known], source[:known])
    assert (target[known:] == -1).all()


def test_a_buffer_of_more_bytes_than_there_are_leaves_its_memory() -> None:
    launch = Launch(CLIP, (Memory(counted(250)), Memory(np.zeros(256, np.float32)), 1024))
    with pytest.raises(OutOfBoundsError, match="reads element 250 of a"):
        report_of(launch)


WORDS = "!fly.ptr<i32, global>"
SUM = "!fly.memref<f32, register, 4:1>"


def scaled(element: str, count: int = 32) -> str:
    """A product of one wave, of elements that lie lane by lane, with a scale for each lane."""
    atom = (
        f"!fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, ({element}, {element}) -> f32, opselA = 1, opselB = 0>>"
    )
    lane, kept = f"!fly.memref<{element}, register, {count}:1>", f"!fly.ptr<{element}, register>"
    loads = "\n".join(
        f"""    %i{x} = fly.add_offset(%{x}, %at) : ({WORDS}, !fly.int_tuple<?{{div=8}}>) -> {WORDS}
    %v{x} = fly.ptr.load(%i{x}) : ({WORDS}) -> vector<8xi32>
    %r{x} = fly.make_ptr() {{dictAttrs = {{allocSize = {count} : i64}}}} : () -> {kept}
    fly.ptr.store(%v{x}, %r{x}) : (vector<8xi32>, {kept}) -> ()
    %f{x} = fly.make_view(%r{x}, %l) : ({kept}, !fly.layout<{count}:1>) -> {lane}
    %j{x} = fly.add_offset(%s{x}, %t1) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
    %e{x} = fly.ptr.load(%j{x}) : (!fly.ptr<i32, global>) -> i32"""
        for x in "ab"
    )
    return f"""gpu.module @m {{
  gpu.func @k(%a: !fly.ptr<i32, global>, %b: !fly.ptr<i32, global>, %sa: !fly.ptr<i32, global>,
              %sb: !fly.ptr<i32, global>, %c: !fly.ptr<f32, global>) kernel {{
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %eight = arith.constant 8 : i32
    %four = arith.constant 4 : i32
    %p = arith.muli %t, %eight : i32
    %o = arith.muli %t, %four : i32
    %at = fly.make_int_tuple(%p) : (i32) -> !fly.int_tuple<?{{div=8}}>
    %t1 = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %out = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?{{div=4}}>
    %l = fly.static : !fly.layout<{count}:1>
    %k = fly.static : !fly.layout<4:1>
{loads}
    %d = fly.memref.alloca(%k) : (!fly.layout<4:1>) -> {SUM}
    %zero = arith.constant dense<0.0> : vector<4xf32>
    fly.memref.store_vec(%zero, %d) : (vector<4xf32>, {SUM}) -> ()
    %m = fly.make_mma_atom : {atom}
    %n = fly.atom.set_value(%m, "scale_a", %ea) : ({atom}, i32) -> {atom}
    %u = fly.atom.set_value(%n, "scale_b", %eb) : ({atom}, i32) -> {atom}
    fly.mma_atom_call(%u, %d, %fa, %fb, %d) : ({atom}, {SUM}, {lane}, {lane}, {SUM}) -> ()
    %w = fly.memref.load_vec(%d) : ({SUM}) -> vector<4xf32>
    %q = fly.add_offset(%c, %out) : (!fly.ptr<f32, global>, !fly.int_tuple<?{{div=4}}>) -> !fly.ptr<f32, global>
    fly.ptr.store(%w, %q) : (vector<4xf32>, !fly.ptr<f32, global>) -> ()
    gpu.return
  }}
}}"""


def test_a_scaled_product() -> None:
    rng = np.random.default_rng(2)
    small = [rng.integers(-3, 4, (64, 32)).astype(np.float32).astype(dtype("f8E4M3FN").numpy()) for _ in range(2)]
    scales = [rng.integers(120, 133, 64) for _ in range(2)]
    out = np.zeros((64, 4), np.float32)
    words = [(scales[0] << 8).astype(np.int32), scales[1].astype(np.int32)]
    arguments = (*(Memory(x.view(np.int32).reshape(-1)) for x in small), *map(Memory, words), Memory(out))
    launch = Launch(scaled("f8E4M3FN"), arguments, arch="gfx950")
    report_of(launch)
    a, b = (
        (x.astype(np.float64) * 2.0 ** (s[:, None] - 127)).reshape(4, 16, 32).transpose(1, 0, 2).reshape(16, 128)
        for x, s in zip(small, scales, strict=True)
    )
    wanted = (a @ b.T).reshape(4, 4, 16).transpose(0, 2, 1).reshape(64, 4)
    assert np.array_equal(out, wanted.astype(np.float32))
    (_, first), *others = stages(launch)
    for name, outcome in others:
        assert first.agrees(outcome), name


def test_registers_are_no_argument() -> None:
    text = f"func.func @f(%d: {SUM}) {{\n  return\n}}"
    with pytest.raises(CompileError, match="parameter d points into register memory, which a launch has none of"):
        report_of(Launch(text, (Memory(np.zeros(4, np.float32)),)))


def test_a_vector_that_is_not_aligned() -> None:
    text = """func.func @f(%a: !fly.ptr<f32, global, align<16>>, %c: !fly.ptr<f32, global>, %n: i32) {
      %i = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
      %p = fly.add_offset(%a, %i) : (!fly.ptr<f32, global, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %l = fly.static : !fly.layout<4:1>
      %x = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
      %y = fly.make_view(%c, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
      %k = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
      fly.copy_atom_call(%k, %x, %y) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>,
        !fly.memref<f32, global, 4:1>) -> ()
      return
    }"""
    for n in (0, 4):
        report_of(Launch(text, (Memory(counted(8)), Memory(np.zeros(4, np.float32)), n), block=1))
    with pytest.raises(MisalignedError, match=r"a at byte 8, which is no multiple of 16\n.*\n?.*kernel.mlir:8:"):
        report_of(Launch(text, (Memory(counted(8)), Memory(np.zeros(4, np.float32)), 2), block=1))
