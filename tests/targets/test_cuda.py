"""Cubins for every architecture without a GPU; the launch path on a stand-in for the driver."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_driver import fake_driver
from final_kernels import Permute, Transpose, kernel

from tilewright.errors import CompileError, UsageError
from tilewright.ir.text import parse_module
from tilewright.targets.arguments import bind
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import LITERAL
from tilewright.targets.cuda import installed, nvrtc
from tilewright.targets.cuda.driver import Driver, why_no_gpu
from tilewright.targets.cuda.nvrtc import compile_cubin, nvrtc_version
from tilewright.targets.host.compiler import compile_cpp
from tilewright.targets.launch import kernel_of

ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")
ELF, CUDA_MACHINE = b"\x7fELF", 190


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("text", [Permute().text(), Transpose(64).text()], ids=["permute", "transpose"])
def test_cubin(text: str, arch: str) -> None:
    made = emit(parse_module(text))
    cubin = compile_cubin(made.source, arch)
    assert cubin.startswith(ELF)
    assert int.from_bytes(cubin[18:20], "little") == CUDA_MACHINE
    assert made.name.encode() in cubin


VECTORS = ("vector<2xf4E2M1FN>", "vector<2xf8E8M0FNU>", "vector<4xui8>", "vector<4xbf16>", "vector<4xf32>")


@pytest.mark.parametrize(
    "element", ["f16", "bf16", "f8E4M3FN", "f8E8M0FNU", "ui8", "f64", "complex<f32>", "i1", *VECTORS]
)
def test_every_element_type_has_its_header(element: str) -> None:
    assert compile_cubin(emit(parse_module(Permute(element=element).text())).source).startswith(ELF)


INFINITY = {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000", "f64": "0x7FF0000000000000"}


@pytest.mark.parametrize("element", INFINITY)
def test_arithmetic_and_helpers_compile(element: str) -> None:
    memory = f"memref<32x{element}>"
    text = kernel(
        f"""%v = memref.load %A[%tx] : {memory}
        %k = arith.constant 0.5 : {element}
        %inf = arith.constant {INFINITY[element]} : {element}
        %a = arith.maximumf %v, %k : {element}
        %b = arith.minnumf %a, %inf : {element}
        %c = arith.divf %b, %v : {element}
        %less = arith.cmpf ult, %c, %v : {element}
        %d = arith.select %less, %c, %v : {element}
        %i = arith.fptosi %d : {element} to i32
        %j = arith.floordivsi %i, %i : i32
        %e = arith.sitofp %j : i32 to {element}
        memref.store %e, %A[%tx] : {memory}""",
        f"%A: {memory}",
    )
    assert compile_cubin(emit(parse_module(text)).source).startswith(ELF)


def test_refusals_carry_nvrtcs_log() -> None:
    with pytest.raises(CompileError, match=r"(?s)NVRTC_ERROR_COMPILATION.*kernel\.cu\(1\): error: .*int x = ;"):
        compile_cubin("int x = ;")
    with pytest.raises(CompileError, match="NVRTC"):
        compile_cubin("", "sm_123")


@pytest.mark.parametrize(
    "option", ["-I/etc", "--include-path=/etc", "--pre-include=/etc/passwd", "-DX", "--fmad=true -I/"]
)
def test_options_come_from_a_whitelist(option: str) -> None:
    with pytest.raises(UsageError, match="is not allowed"):
        compile_cubin("", options=[option])


def test_allowed_options_and_versions() -> None:
    source = emit(parse_module(Permute().text())).source
    assert compile_cubin(source, options=["--generate-line-info"]) != compile_cubin(source)
    assert nvrtc_version() >= (13, 0)
    with pytest.raises(UsageError, match="is no CUDA architecture"):
        compile_cubin(source, "sm_90a;rm")


def test_a_source_cannot_read_files_of_this_machine() -> None:
    with pytest.raises(CompileError, match="passwd"):
        compile_cubin('#include "passwd"')


def test_without_nvrtc_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "cuda_files", lambda pattern: [])
    monkeypatch.setattr(nvrtc.ctypes, "CDLL", _no_library)
    nvrtc._load.cache_clear()
    try:
        with pytest.raises(CompileError, match=r"pip install 'tilewright\[cuda\]' \(a GPU is not needed\)"):
            compile_cubin("")
    finally:
        nvrtc._load.cache_clear()


def _no_library(path: str) -> None:
    raise OSError(path)


BUILTINS = 'extern "C" int tw_builtins() { return 7; }'
BY_NAME_ALONE = """
#include <dlfcn.h>
extern "C" int tw_found() {
  void* library = dlopen("libnvrtc-builtins.so.0.7", RTLD_LAZY);
  return library ? reinterpret_cast<int (*)()>(dlsym(library, "tw_builtins"))() : 0;
}
"""


def test_nvrtc_finds_the_builtins_beside_it(tmp_path: Path) -> None:
    """NVRTC 13.0 opens its builtins by name alone, and no search path leads to the folder of a wheel."""
    path, builtins = tmp_path / "libnvrtc.so.7", tmp_path / "libnvrtc-builtins.so.0.7"
    path.write_bytes(compile_cpp(BY_NAME_ALONE, ("-shared", "-fPIC")))
    assert nvrtc.open_nvrtc(path).tw_found() == 0
    builtins.write_bytes(compile_cpp(BUILTINS, ("-shared", "-fPIC", f"-Wl,-soname,{builtins.name}")))
    assert nvrtc.open_nvrtc(path).tw_found() == 7


def test_toolkits_come_after_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [tmp_path / root / "include/cuda_fp16.h" for root in ("home", "path")]
    for path in made:
        path.parent.mkdir(parents=True)
        path.touch()
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "path"))
    wheels, found = installed.wheel_files("include/cuda_fp16.h"), installed.cuda_files("include/cuda_fp16.h")
    assert wheels
    assert found[: len(wheels) + 2] == [*wheels, *made]
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "home"))
    assert installed.cuda_files("include/cuda_fp16.h").count(made[0]) == 1


# ---- the driver


def test_no_driver_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no CUDA driver: .*; use the targets 'simulator' or 'host'"):
        Driver.open(str(tmp_path / "libcuda.so.1"))
    reason = why_no_gpu()
    assert reason is None or "use the targets 'simulator' or 'host'" in reason


def test_no_device_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fake_driver(tmp_path, emit(parse_module(Permute().text())))
    monkeypatch.setenv("TW_DEVICES", "0")
    with pytest.raises(UsageError, match="the CUDA driver finds no GPU"):
        Driver.open(path)


def test_a_driver_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fake_driver(tmp_path, emit(parse_module(Permute().text())))
    monkeypatch.setenv("TW_INIT", "803")
    with pytest.raises(
        UsageError, match=r"the CUDA driver does not start: CUDA_ERROR_PLANTED: planted \(803\); use the"
    ):
        Driver.open(path)


def test_a_cubin_for_another_device_is_told_which_this_is(tmp_path: Path) -> None:
    module = parse_module(Permute().text())
    text = emit(module)
    driver = Driver.open(fake_driver(tmp_path, text))
    driver.library.tw_fail_at_load(209)
    arrays = bind(kernel_of(module), [np.zeros(256, np.float32) for _ in range(2)])
    with pytest.raises(CompileError, match=r"cuModuleLoadData failed: .* \(209\); the device is sm_90$"):
        driver.launch(compile_cubin(text.source), text.name, text.launch, arrays)
    assert driver.library.tw_live() == 0


def test_launch(tmp_path: Path) -> None:
    module = parse_module(Transpose(64).text())
    text = emit(module)
    driver = Driver.open(fake_driver(tmp_path, text))
    assert driver.capability == (9, 0)
    a = np.arange(64 * 64, dtype=np.float32)
    b = np.zeros_like(a)
    for _ in range(2):
        driver.launch(compile_cubin(text.source), text.name, text.launch, bind(kernel_of(module), [a, b]))
    assert (b.reshape(64, 64) == a.reshape(64, 64).T).all()
    assert driver.library.tw_live() == 0


def test_launch_in_place(tmp_path: Path) -> None:
    """An array that is given twice is one memory on the device."""
    module = parse_module(Permute().text())
    text = emit(module, restrict=False)
    driver = Driver.open(fake_driver(tmp_path, text))
    a = np.arange(256, dtype=np.float32)
    expected = a.reshape(2, 4, 32).transpose(0, 2, 1).reshape(-1)
    driver.launch(compile_cubin(text.source), text.name, text.launch, bind(kernel_of(module), [a, a]))
    assert (a == expected).all()


def test_launch_with_a_pool(tmp_path: Path) -> None:
    """The launch asks for the bytes of the pool, after the driver has been told to allow them."""
    module = parse_module(
        kernel(
            """%s = memref.alloca() {tile.offset = 65536 : i64} : memref<32xf32, "shared">
            %v = memref.load %A[%tx] : memref<32xf32>
            memref.store %v, %s[%tx] : memref<32xf32, "shared">
            tile.sync "cta"
            %c31 = arith.constant 31 : index
            %i = arith.subi %c31, %tx : index
            %w = memref.load %s[%i] : memref<32xf32, "shared">
            memref.store %w, %A[%tx] : memref<32xf32>"""
        ).replace("tile.grid", "tile.pool = 65664 : i64, tile.grid")
    )
    text = emit(module)
    assert text.pool_bytes == 65536 + 128
    driver = Driver.open(fake_driver(tmp_path, emit(module, LITERAL)))
    a, cubin = np.arange(32, dtype=np.float32), compile_cubin(text.source)
    driver.launch(cubin, text.name, text.launch, bind(kernel_of(module), [a]), text.pool_bytes)
    assert a.tolist() == list(range(31, -1, -1))
    with pytest.raises(CompileError, match="cuLaunchKernel failed"):
        driver.launch(cubin, text.name, text.launch, bind(kernel_of(module), [a]))


def test_a_failed_launch_frees_its_memory_and_ends_the_context(tmp_path: Path) -> None:
    module = parse_module(Permute().text())
    text = emit(module)
    driver = Driver.open(fake_driver(tmp_path, text))
    cubin, arrays = compile_cubin(text.source), bind(kernel_of(module), [np.zeros(256, np.float32) for _ in range(2)])
    with pytest.raises(CompileError, match="cuModuleGetFunction failed: CUDA_ERROR_PLANTED: planted \\(500\\)"):
        driver.launch(cubin, "other_kernel", text.launch, arrays)
    with pytest.raises(CompileError, match="cuModuleLoadData failed"):
        driver.launch(b"no cubin", text.name, text.launch, arrays)
    driver.library.tw_fail(700)
    with pytest.raises(CompileError, match=r"cuCtxSynchronize failed: .* \(700\)"):
        driver.launch(cubin, text.name, text.launch, arrays)
    assert driver.library.tw_live() == 0
    driver.library.tw_fail(0)
    with pytest.raises(CompileError, match="the GPU cannot be used any more in this process"):
        driver.launch(cubin, text.name, text.launch, arrays)
