"""`compile`: every target gives the definition's result, and the same request gives the same kernel."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from on_gpu import TARGETS
from permutes import Permute, scale_factors, transpose

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.errors import CompileError, DispatchError, RaceError, UsageError
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.pipeline import STAGES
from tilewright.runtime.compile import ENVIRONMENT
from tilewright.script import tirx as T
from tilewright.targets.cuda.driver import why_no_gpu
from tilewright.tirx.layout import S, TileLayout
from tilewright.variants.permute_layout.warp_xor_swizzle import WarpXorSwizzle

pytestmark = pytest.mark.usefixtures("as_text")

DOCUMENT = scale_factors()
KERNELS = {
    **{f"{d} {b}": scale_factors(2, b, d) for d in ("float32", "int32", "uint32") for b in (128, 256)},
    **{f"({rows},32) {d}": transpose(rows, 32, d) for rows in (8, 16) for d in ("float32", "int32", "uint32")},
    "two warps": scale_factors(threads=64),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", KERNELS)
def test_every_target_gives_the_definition(name: str, target: str) -> None:
    source, result = KERNELS[name].arrays()
    expected = KERNELS[name].expected(source, result)
    before = source.copy()
    tw.compile(KERNELS[name].kernel(), target=target)(source, result)
    assert result.tobytes() == expected.tobytes()
    assert source.tobytes() == before.tobytes()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["float32 128", "uint32 256", "(16,32) int32"])
def test_in_place(name: str, target: str) -> None:
    array, _ = KERNELS[name].arrays()
    expected = KERNELS[name].expected(array, array)
    tw.compile(KERNELS[name].kernel(), target=target)(array, array)
    assert array.tobytes() == expected.tobytes()


@pytest.mark.parametrize("arch", ["sm_80", "sm_90a", "sm_100a"])
def test_cubins_for_every_architecture(arch: str) -> None:
    kernel = tw.compile(DOCUMENT.kernel(), target=f"cuda:{arch}")
    assert kernel.cubin.startswith(b"\x7fELF")
    assert kernel.cubin == kernel.cubin(arch) == tw.compile(DOCUMENT.kernel()).cubin(arch)


def test_the_cubin_of_another_target_is_hoppers() -> None:
    kernel = tw.compile(DOCUMENT.kernel(), target="simulator")
    assert kernel.cubin == tw.compile(DOCUMENT.kernel(), target="cuda:sm_90a").cubin
    with pytest.raises(UsageError, match="is no CUDA architecture"):
        kernel.cubin("gfx942")


def test_documents_cuda_text() -> None:
    source = tw.compile(DOCUMENT.kernel()).source
    assert len(source.splitlines()) <= 40
    tight = source.replace(" ", "")
    assert "regs_ptr[0]=A_buf_ptr[(s*128)+(((0^((threadIdx.x>>3)&3))&3)*32)+threadIdx.x];" in tight
    assert "B_buf_ptr[(s*128)+(threadIdx.x*4)+((3^((threadIdx.x>>3)&3))&3)]=regs_ptr[3];" in tight


def test_stages_can_be_read_printed_and_run() -> None:
    kernel = tw.compile(DOCUMENT.kernel())
    assert kernel.stages == STAGES
    source, _ = DOCUMENT.arrays()
    for stage in kernel.stages:
        assert kernel.ir(stage) == print_module(parse_module(kernel.ir(stage)))
        assert kernel.script(stage).startswith("@T.prim_func")
        result = np.zeros_like(source)
        kernel.simulate(source, result, stage=stage)
        assert result.tobytes() == DOCUMENT.expected(source, result).tobytes()
    for wrong in ("middle", None, []):
        with pytest.raises(UsageError, match="unknown stage"):
            kernel.ir(wrong)


IN_ORDER = WarpXorSwizzle(name="in_order", priority=21, bits=0)


def test_report_has_plan_and_wavefronts() -> None:
    """Document 000: 4 wavefronts a phase and stage; 16 for the writes without the swizzle."""
    swizzled = tw.compile(DOCUMENT.kernel()).report
    plain = tw.compile(DOCUMENT.kernel(), variants=[IN_ORDER]).report
    assert [(r.wavefronts("load"), r.wavefronts("store")) for r in (swizzled, plain)] == [(8, 8), (8, 32)]
    assert "k = 2, shift = 3, mask = 3" in str(swizzled)
    assert [access.ideal for access in swizzled.accesses] == [8, 8]
    assert [plan.variant for plan in plain.plans] == ["in_order"]
    assert sum(access.wavefronts for access in plain.select("store", "global", "B_buf")) == 32


def test_the_same_request_gives_the_same_kernel() -> None:
    fn = DOCUMENT.kernel()
    kernel = tw.compile(fn)
    assert tw.compile(fn, target="simulator") is kernel
    assert tw.compile(scale_factors().kernel()) is kernel
    assert tw.compile(fn.module) is kernel
    assert fn.compile() is kernel
    assert tw.compile(fn, target="host") is not kernel
    assert tw.compile(fn, variants=[IN_ORDER]) is not kernel
    assert tw.compile(fn, variants=[IN_ORDER]) is tw.compile(fn, variants=(IN_ORDER,))
    assert tw.compile(scale_factors(3).kernel()) is not kernel


def test_variants_need_not_be_hashable() -> None:
    class Listed(list[Any]):
        name, primitive, priority = "listed", "permute_layout", 30

        def plan(self, call: Any) -> Any:
            return IN_ORDER.plan(call)

        def emit(self, plan: Any, emitter: Any) -> None:
            IN_ORDER.emit(plan, emitter)

    fn = DOCUMENT.kernel()
    first, again = (tw.compile(fn, variants=[Listed()]) for _ in range(2))
    assert first is not again
    assert first.source == again.source


def test_default_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """The argument, else the enclosing `with`, else the environment, else the simulator."""
    fn = DOCUMENT.kernel()
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert str(tw.compile(fn).target) == "simulator:sm_90"
    monkeypatch.setenv(ENVIRONMENT, "host")
    assert tw.compile(fn).target.kind == "host"
    with Target("cuda:sm_100a"):
        assert str(tw.compile(fn).target) == "cuda:sm_100a"
        assert tw.compile(fn, target="simulator").target.kind == "simulator"
    monkeypatch.setenv(ENVIRONMENT, "abacus")
    with pytest.raises(UsageError, match=r"unknown target 'abacus'.*simulator, host, cuda"):
        tw.compile(fn)


@pytest.mark.parametrize("target", ["hip:gfx942", "gpu", "cuda:sm_1", " ", 3])
def test_unknown_targets_are_refused_in_a_line(target: Any) -> None:
    with pytest.raises(UsageError) as caught:
        tw.compile(DOCUMENT.kernel(), target=target)
    assert len(str(caught.value).splitlines()) == 1


def test_hip_is_refused_with_the_list() -> None:
    with pytest.raises(UsageError, match="cannot compile for hip:gfx942 yet; the targets are simulator, host, cuda"):
        tw.compile(DOCUMENT.kernel(), target="hip:gfx942")


@pytest.mark.parametrize(("given", "message"), [(3, "got int"), (len, "got builtin_function"), (None, "got NoneType")])
def test_what_is_no_kernel_is_refused(given: Any, message: str) -> None:
    with pytest.raises(UsageError, match=f"compile takes a T.prim_func or a flyc.jit, {message}"):
        tw.compile(given)


@pytest.mark.parametrize("variants", [3, None, "warp", [3], [WarpXorSwizzle], [IN_ORDER, {}]])
def test_what_is_no_variant_is_refused(variants: Any) -> None:
    with pytest.raises(UsageError, match="a variant has a name, a primitive, a priority, plan and emit; got"):
        tw.compile(DOCUMENT.kernel(), variants=variants)


def test_a_prim_func_takes_no_specs() -> None:
    with pytest.raises(UsageError, match="takes no specs, got 2"):
        tw.compile(DOCUMENT.kernel(), (256,), (256,))


def test_dispatch_refuses_when_compiling() -> None:
    with pytest.raises(DispatchError, match="warp_xor_swizzle"):
        tw.compile(transpose(4, 32, "float4_e2m1fn").kernel())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", [np.matrix])
def test_other_kinds_of_arrays_are_their_memory(kind: type[np.ndarray[Any, Any]], target: str) -> None:
    source, result = DOCUMENT.arrays()
    expected = DOCUMENT.expected(source, result)
    square = result.reshape(16, 16)
    tw.compile(DOCUMENT.kernel(), target=target)(source.reshape(16, 16).view(kind), square.view(kind))
    assert square.tobytes() == expected.tobytes()


@pytest.mark.parametrize("target", TARGETS)
def test_arrays_that_mean_more_than_their_memory_are_refused(target: str) -> None:
    """In any place: those with a mask, with other bits than their type's, or at no address of such elements."""
    good = np.zeros(256, np.float32)
    odd = np.frombuffer(bytearray(1028), np.uint8)[1:1025].view(np.float32)
    frozen = good.copy()
    frozen.flags.writeable = False
    fields = np.zeros(256, [("x", np.float32)])
    cases = {
        "a masked one, whose mask no kernel knows": np.ma.masked_array(good, good > 0),
        "got an array of >f4": good.astype(">f4"),
        "begins at an address": odd,
        "read-only": frozen,
        "got an array of object": good.astype(object),
        r"got an array of \[": fields,
        r"got an array of \(numpy.record": fields.view(np.recarray),
        r"takes 256 elements, got 1 \(shape \(\)\)": np.array(1, np.float32),
        "takes 256 elements, got 0": good[:0],
        "C-contiguous": np.zeros(512, np.float32)[::2],
        "got list": [0.0] * 256,
    }
    kernel = tw.compile(DOCUMENT.kernel(), target=target)
    for words, wrong in cases.items():
        for arrays in ((wrong, good), (good, wrong)):
            with pytest.raises(UsageError, match=words):
                kernel(*arrays)


@pytest.mark.parametrize(
    ("words", "switches"),
    [
        ("contract is True or False, got 3", {"contract": 3}),
        ("contract is True or False, got None", {"contract": None}),
        ("unknown target ''", {"target": ""}),
        (r"a target is a text such as 'cuda:sm_90a', got \[\]", {"target": []}),
        ("a target has no option '-x'", {"target": "host -x"}),
        ("check is one of off, on, strict, got 1", {"check": 1}),
        ("schedule is one of lockstep, random, got True", {"schedule": True}),
        ("seed is an integer from 0 to", {"seed": True}),
        ("mma is one of exact, fast, got None", {"mma": None}),
        ("steps is an integer from 1 to", {"steps": 1.5}),
    ],
)
def test_each_switch_says_what_it_takes(words: str, switches: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=words):
        tw.compile(DOCUMENT.kernel(), **switches)
    if switches.keys().isdisjoint(("contract", "target")):
        for run in ("__call__", "simulate", "trace", "profile"):
            with pytest.raises(UsageError, match=words):
                getattr(tw.compile(DOCUMENT.kernel()), run)(*DOCUMENT.arrays(), **switches)


def test_lanes_that_are_not_there_are_not_traced() -> None:
    kernel = tw.compile(DOCUMENT.kernel())
    there = {
        "block": kernel.launch.blocks,
        "warp": kernel.launch.warps(32),
        "lane": 32,
        "thread": kernel.launch.threads,
    }
    for key, count in there.items():
        assert kernel.trace(*DOCUMENT.arrays(), **{key: count - 1}).events
        for wrong in (count, [0, count + 7]):
            words = f"{key} {max(np.ravel(wrong))} is to be traced; the launch has {count},"
            with pytest.raises(UsageError, match=words):
                kernel.trace(*DOCUMENT.arrays(), **{key: wrong})
        assert not kernel.trace(*DOCUMENT.arrays(), **{key: []}).events


def test_wrong_arrays_are_refused_by_every_target() -> None:
    for target in ("simulator", "host", "cuda"):
        kernel = tw.compile(DOCUMENT.kernel(), target=target)
        with pytest.raises(UsageError, match="A_buf takes float32 elements, got an array of int32"):
            kernel(np.zeros(256, np.int32), np.zeros(256, np.float32))
        with pytest.raises(UsageError, match="takes 2 arrays, got 1"):
            kernel(np.zeros(256, np.float32))


@pytest.mark.skipif(why_no_gpu() is None, reason="says what happens without a GPU")
def test_without_a_gpu_a_launch_says_so() -> None:
    with pytest.raises(UsageError, match="use the targets 'simulator' or 'host'"):
        tw.compile(DOCUMENT.kernel(), target="cuda")(*DOCUMENT.arrays())


def test_what_a_target_cannot_express_is_refused_when_compiling() -> None:
    @T.prim_func
    def doubled(A: T.handle):
        A_buf = T.match_buffer(A, (32,), "float16")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        A_buf[t] = A_buf[t] + A_buf[t]

    @T.prim_func
    def highest(A: T.Buffer((32,), "float32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        T.cuda.atomic_max(T.address_of(A[0]), T.cast(t, "float32"))

    a, b = np.ones(32, np.float16), np.arange(32, dtype=np.float32)
    for target in ("simulator", "host"):
        tw.compile(doubled, target=target)(a)
    assert (a == 4).all()
    assert tw.compile(doubled).cubin.startswith(b"\x7fELF")
    with pytest.raises(CompileError, match="host has no atomic max on float32"):
        tw.compile(highest, target="host")
    tw.compile(highest)(b)
    assert b[0] == 31


def test_the_simulator_finds_what_a_kernel_forgets() -> None:
    @T.prim_func
    def rolled(A: T.handle):
        A_buf = T.match_buffer(A, (64,), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        stage = T.alloc_shared((64,), "float32")
        stage[t] = A_buf[t]
        A_buf[t] = stage[(t + 1) % 64]

    with pytest.raises(RaceError, match=r"(?s)of stage .byte [0-9]+., which .*test_compile\.py:\d+:\d+"):
        tw.compile(rolled)(np.zeros(64, np.float32))


def test_kernels_run_in_threads() -> None:
    kernel = tw.compile(scale_factors(64).kernel())
    results: list[bool] = []

    def run() -> None:
        source, result = scale_factors(64).arrays()
        kernel(source, result)
        results.append(result.tobytes() == scale_factors(64).expected(source, result).tobytes())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_arrays_of_other_libraries_come_through_dlpack() -> None:
    class Tensor:
        """As torch's and cupy's: known by its DLPack methods alone."""

        def __init__(self, array: Any) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    source, result = DOCUMENT.arrays()
    expected = DOCUMENT.expected(source, result)
    tw.compile(DOCUMENT.kernel())(Tensor(source), Tensor(result))
    assert result.tobytes() == expected.tobytes()


def test_padding_is_left_as_it_was() -> None:
    padded = Permute((32, 32), TileLayout(S[(32, 32) : (33, 1)]), TileLayout(S[(32, 32) : (1, 33)]))
    source, result = padded.arrays()
    expected = padded.expected(source, result)
    tw.compile(padded.kernel(), target="host")(source, result)
    assert result.tobytes() == expected.tobytes()


def test_cuda_text_needs_neither_numpy_nor_the_simulator_nor_parsers(tmp_path: Path) -> None:
    """So that it takes less than half a second from the start of the process."""
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        import tilewright as tw
        from tilewright.script import tirx as T

        @T.prim_func
        def f(A: T.handle):
            A_buf = T.match_buffer(A, (32,), "int32")
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            A_buf[t] = A_buf[t] + 1

        assert "f_kernel" in tw.compile(f, target="cuda:sm_90a").source
        heavy = {"numpy", "tilewright.targets.simulator.simulate", "tilewright.targets.cuda.driver"}
        heavy |= {f"tilewright.{name}" for name in ("notation", "figures", "dumps")}
        print(sorted(heavy & set(sys.modules)))
        """)
    )
    assert subprocess.check_output([sys.executable, str(program)], text=True).strip() == "[]"


def test_a_kernel_says_what_it_is() -> None:
    kernel = tw.compile(DOCUMENT.kernel(), target="cuda:sm_90a")
    assert kernel.launch.threads == 32
    assert repr(kernel) == "<CompiledKernel f for cuda:sm_90a>"


def test_a_compiled_kernel_runs_without_loading_anything_more(tmp_path: Path) -> None:
    """Modules that only some arguments or errors need take longer to load than a small kernel to run."""
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        import numpy as np
        import tilewright as tw
        from tilewright.script import tirx as T

        @T.prim_func
        def f(A: T.handle, n: T.int32):
            A_buf = T.match_buffer(A, (32,), "int32")
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            A_buf[t] = A_buf[t] + n

        kernel, a, before = tw.compile(f), np.zeros(32, np.int32), set(sys.modules)
        kernel(a, 2)
        print(a.sum(), sorted(set(sys.modules) - before))
        """)
    )
    assert subprocess.check_output([sys.executable, str(program)], text=True).strip() == "64 []"
