"""Copies of `fly` that go on by themselves: data is there after the wait of the wave, and a barrier for others."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from fly_runs import Launch, Memory, report_of, stages
from fly_text import typed

from tilewright.errors import RaceError

B = "#fly_rocdl.buffer_desc"
KINDS = {
    "global": ("!fly_rocdl.cdna4.global_load_async_lds<32>", "", "gfx950"),
    "buffer": ("!fly_rocdl.cdna4.buffer_load_async_lds<32>", "buffer", "gfx950"),
    "cp.async": ("!fly_nvvm.sm80.cp.async<32>", "lanes", "sm_80"),
}
MARK = {"gfx950": "rocdl.asyncmark", "sm_80": "nvvm.cp.async.commit.group"}
WAIT = {"gfx950": "rocdl.wait.asyncmark {}", "sm_80": "nvvm.cp.async.wait.group {}"}
END = """    fly.memref.store(%v, %c, %to)
    gpu.return
  }
}"""


def kernel(kind: str, tail: str, stages: int = 2, block: int = 128) -> Launch:
    """Each stage is a row that threads copy to shared memory; then comes the tail of the kernel, which reads %v."""
    atom, way, arch = KINDS[kind]
    wave = 32 if arch == "sm_80" else 64
    lines = [
        "gpu.module @m {",
        "  gpu.func @k(%a: !fly.ptr<f32, global>, %c: !fly.memref<f32, global, 128:1>) kernel {",
        f"""    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %w = arith.constant {wave} : i32
    %wave = arith.divui %t, %w : i32
    %first = arith.muli %wave, %w : i32
    %to = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %l1 = fly.static : !fly.layout<1:0>
    %l = fly.static : !fly.layout<{stages * block}:1>
    %s = fly.make_ptr() {{dictAttrs = {{allocSize = {stages * block} : i64}}}} -> !fly.ptr<f32, shared>
    %m = fly.make_view(%s, %l)
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : !fly.copy_atom<{atom}, 32>
    %zero = arith.constant 0 : i16
    %bytes = arith.constant {4 * stages * block} : i64
    %flags = arith.constant 159744 : i32""",
    ]
    for stage in range(stages):
        start = "%first" if way != "lanes" else "%t"
        lines.append(f"""    %o{stage} = arith.constant {stage * block} : i32
    %f{stage} = arith.addi %o{stage}, %t : i32
    %i{stage} = fly.make_int_tuple(%f{stage}) -> !fly.int_tuple<?>
    %g{stage} = arith.addi %o{stage}, {start} : i32
    %j{stage} = fly.make_int_tuple(%g{stage}) -> !fly.int_tuple<?>""")
        source = "%a"
        if way == "buffer":
            source = f"%b{stage}"
            lines.append(f"    %b{stage} = fly.make_ptr(%a, %zero, %bytes, %flags) -> !fly.ptr<f32, {B}>")
        lines.append(f"""    %p{stage} = fly.add_offset({source}, %i{stage})
    %q{stage} = fly.add_offset(%s, %j{stage})
    %x{stage} = fly.make_view(%p{stage}, %l1)
    %y{stage} = fly.make_view(%q{stage}, %l1)
    fly.copy_atom_call(%atom, %x{stage}, %y{stage})
    {MARK[arch]}""")
    text = typed("\n".join([*lines, tail.strip("\n"), END]))
    memory = Memory(np.arange(stages * block, dtype=np.float32))
    return Launch(text, (memory, Memory(np.zeros(128, np.float32))), block=block, arch=arch)


def mirrored(kind: str, wait: str, stage: int = 0, barrier: str = "    gpu.barrier") -> Launch:
    """The tail reads what another wave copied."""
    tail = f"""{wait}
{barrier}
    %last = arith.constant {127 + 128 * stage} : i32
    %r = arith.subi %last, %t : i32
    %k = fly.make_int_tuple(%r) -> !fly.int_tuple<?>
    %v = fly.memref.load(%m, %k) -> f32"""
    return kernel(kind, tail)


def waiting(kind: str, count: int) -> str:
    return "    " + WAIT[KINDS[kind][2]].format(count)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("schedule", ["lockstep", "random"])
def test_after_the_wait_and_a_barrier_the_data_is_there(kind: str, schedule: str) -> None:
    for count, stage in ((0, 0), (0, 1), (1, 0)):
        launch = mirrored(kind, waiting(kind, count), stage)
        report_of(launch, schedule=schedule, seed=count, check="strict" if count == 0 else "on")
        assert launch.arguments[1].array.tolist() == list(range(127 + 128 * stage, -1 + 128 * stage, -1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("count", "stage"), [(None, 0), (1, 1), (2, 0), (7, 1)])
def test_who_reads_before_the_wait_is_told_where_and_what(kind: str, count: int | None, stage: int) -> None:
    launch = mirrored(kind, "" if count is None else waiting(kind, count), stage)
    outcomes = [outcome for _, outcome in stages(launch)]
    begun = [n for n, line in enumerate(launch.text.splitlines(), 1) if "fly.copy_atom_call(" in line][stage]
    read = next(n for n, line in enumerate(launch.text.splitlines(), 1) if "%v = " in line)
    for one in outcomes:
        assert one.fault == RaceError.__name__
        assert one.lines == {begun, read}, one.said
    assert "a copy on its way writes, for which nobody has waited" in outcomes[0].said


@pytest.mark.parametrize("kind", KINDS)
def test_other_waves_need_a_barrier_too(kind: str) -> None:
    with pytest.raises(RaceError, match="with no barrier between"):
        report_of(mirrored(kind, waiting(kind, 0), barrier=""))


def test_a_count_of_loads_waits_for_all_but_the_last() -> None:
    for bits, stage, fine in ((0, 1, True), (1, 0, True), (1, 1, False), (0xC07F, 0, True), (0xFFFF, 0, False)):
        launch = mirrored("global", f"    rocdl.s.waitcnt {bits}", stage)
        if bits == 0xC07F:  # 15 loads may be on their way
            launch = replace(launch, text=launch.text.replace("s.waitcnt 49279", "s.waitcnt 0"))
        if fine:
            report_of(launch)
            assert launch.arguments[1].array[0] == 127 + 128 * stage
        else:
            with pytest.raises(RaceError, match="for which nobody has waited"):
                report_of(launch)


def test_copies_that_the_compiler_waits_for_are_there_at_once() -> None:
    launch = mirrored("buffer", "")
    text = re.sub("cdna4.buffer_load_async_lds", "cdna3.buffer_copy_lds", launch.text)
    report_of(replace(launch, text=text))
    assert launch.arguments[1].array[0] == 127


EXCHANGE = """gpu.module @m {
  gpu.func @k(%a: !fly.ptr<f32, global>, %c: !fly.memref<f32, global, 64:1>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %s = fly.make_ptr() {dictAttrs = {allocSize = 64 : i64}} -> !fly.ptr<f32, shared>
    %l = fly.static : !fly.layout<64:1>
    %m = fly.make_view(%s, %l)
    %i = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %v = fly.ptr.load(%p) -> f32
    fly.memref.store(%v, %m, %i)
    BARRIER
    %w = arith.constant 64 : i32
    %by = arith.constant 1 : i32
    %o = arith.xori %t, %by : i32
    %j = fly.make_int_tuple(%o) -> !fly.int_tuple<?>
    %x = fly.memref.load(%m, %j) -> f32
    EXCHANGE
    fly.memref.store(%y, %m, %i)
    fly.memref.store(%y, %c, %i)
    gpu.return
  }
}"""
SHUFFLE = "%y, %ok = gpu.shuffle xor %x, %by, %w : f32"


def exchange(barrier: str, between: str) -> Launch:
    text = typed(EXCHANGE.replace("BARRIER", barrier).replace("EXCHANGE", between))
    return Launch(text, (Memory(np.arange(64, dtype=np.float32)), Memory(np.zeros(64, np.float32))))


def test_a_shuffle_lets_others_overwrite_what_its_lanes_have_read() -> None:
    launch = exchange("gpu.barrier", SHUFFLE)
    report_of(launch)
    assert launch.arguments[1].array.tolist() == list(range(64))
    with pytest.raises(RaceError, match="reads with no barrier between"):
        report_of(exchange("gpu.barrier", "%y = arith.addf %x, %x : f32"))


def test_a_shuffle_does_not_tell_what_its_lanes_wrote() -> None:
    """As for `tile`: lanes of one wave are not in step."""
    first = "%q, %k = gpu.shuffle xor %v, %one, %all : f32"
    lines = f"%one = arith.constant 1 : i32\n    %all = arith.constant 64 : i32\n    {first}"
    with pytest.raises(RaceError, match="writes with no barrier between"):
        report_of(exchange(lines, SHUFFLE))


def test_a_barrier_of_the_wave_tells_it() -> None:
    report_of(exchange("rocdl.wave.barrier", SHUFFLE))


def test_what_is_on_its_way_is_not_there_without_checks() -> None:
    launch = mirrored("global", "")
    report_of(launch, check="off")
    assert not launch.arguments[1].array.any()
