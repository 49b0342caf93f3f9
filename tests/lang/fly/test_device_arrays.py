"""Arrays of a device: on CUDA kernels work on them there, elsewhere the error says so; what calls run on."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.autotune import Config, autotune
from tilewright.errors import CompileError, UsageError
from tilewright.lang.fly.arrays import as_array
from tilewright.runtime.device import VARIABLES, target
from tilewright.runtime.session import Session
from tilewright.target import Target
from tilewright.targets.cuda import driver, nvrtc
from tilewright.targets.device_arrays import DeviceArray


class OnDevice:
    """What cupy and torch give: memory that nobody may touch from here. (That of the stand-in is the host's.)"""

    def __init__(self, array: np.ndarray, **more: object) -> None:
        self.held = array
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3,
            "strides": None if array.flags.c_contiguous else array.strides, **more,
        }  # fmt: skip


class Elsewhere:
    """A tensor of a GPU that says so by DLPack alone."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 10, 1

    def __dlpack__(self, **_: object) -> object:
        raise BufferError("not on this machine")


@flyc.kernel
def scaled_kernel(A: fx.Tensor, B: fx.Tensor, factor: fx.Float32):
    i = fx.block_idx.x * 32 + fx.thread_idx.x
    if i < fx.get_scalar(A.shape[0]):
        B[i] = A[i] * factor


@flyc.jit
def scaled(A: fx.Tensor, B: fx.Tensor, factor: fx.Float32):
    scaled_kernel(A, B, factor).launch(grid=4, block=32)


def given() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(100, dtype=np.float32), np.zeros(100, np.float32)


class Gpu:
    """A driver that scales what lies where the launch says; its memory is the host's."""

    launches = 0

    @contextlib.contextmanager
    def copies(self, arrays: Sequence[np.ndarray]) -> Iterator[list[ctypes.c_uint64]]:
        held = [array.copy() for array in arrays]
        yield [ctypes.c_uint64(array.ctypes.data) for array in held]

    def start(self, cubin: bytes, name: str, launch: object, values: Sequence[object], shared: int) -> None:
        """Its parameters are A and its extent, B and its extent, and the factor."""
        a, extent, b, _, factor = [bytes(value) for value in values]  # type: ignore[call-overload]  # of ctypes
        count = int.from_bytes(extent, "little")
        self.at(b, count)[:] = self.at(a, count) * np.frombuffer(factor, np.float32)
        self.launches += 1

    def at(self, address: bytes, count: int) -> np.ndarray:
        return np.ctypeslib.as_array((ctypes.c_float * count).from_address(int.from_bytes(address, "little")))

    def call(self, name: str) -> None:
        assert name == "cuCtxSynchronize"

    def fetch(self, array: np.ndarray, address: ctypes.c_uint64) -> None:
        ctypes.memmove(array.ctypes.data, address.value, array.nbytes)


@pytest.mark.parametrize("ways", list(product((OnDevice, np.asarray), repeat=2)))
def test_kernels_work_where_arrays_lie(monkeypatch: pytest.MonkeyPatch, ways: tuple[type, type]) -> None:
    gpu, (a, b) = Gpu(), given()
    monkeypatch.setattr(driver, "driver", lambda: gpu)
    monkeypatch.setattr(nvrtc, "compile_cubin", lambda source, arch: b"")
    with Target("cuda:sm_90a"):
        scaled(ways[0](a), ways[1](b), 2.0)
    assert (b == 2 * a).all()
    assert gpu.launches == 1


def test_elsewhere_the_error_says_where_they_lie() -> None:
    a, b = given()
    for kind in ("simulator", "host"):
        with Target(kind), pytest.raises(UsageError, match=r"lies in the memory of a device, and .*Target\('cuda'\)"):
            scaled(OnDevice(a), OnDevice(b), 2.0)
    with pytest.raises(UsageError, match="Elsewhere in the memory of rocm:1 tells no __cuda_array_interface__"):
        scaled(Elsewhere(), Elsewhere(), 2.0)
    with pytest.raises(UsageError, match="masked"):
        scaled(OnDevice(a, mask=OnDevice(a)), b, 2.0)
    with pytest.raises(UsageError, match="a search works on this machine's"):
        autotune([Config(factor=1.0)])(scaled)(OnDevice(a), OnDevice(b))
    assert not b.any()


@pytest.mark.parametrize("array", [np.zeros((3, 5), np.int16), np.zeros((4, 6))[:, ::2], np.zeros((0, 2))])
def test_they_are_seen_as_they_are(array: np.ndarray) -> None:
    found = as_array(OnDevice(array))
    assert isinstance(found, DeviceArray)
    assert (found.shape, found.dtype) == (array.shape, array.dtype)
    assert not array.size or (found.strides, found.ctypes.data) == (array.strides, array.ctypes.data)
    assert "of a device" in repr(found.reshape(-1)[1:])
    with pytest.raises(TypeError):
        _ = found + 1


def test_calls_run_on_the_target_around_them(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    a, b = given()
    for factor, kind in enumerate(("simulator:gfx950", "host")):
        with Target(kind), Session() as session:
            scaled(a, b, factor)
        assert (b == factor * a).all()
        assert len(session.launches) == (kind != "host")  # the simulator's alone
    with Target("hip:gfx942"), pytest.raises(CompileError, match="no program for hip:gfx942"):
        scaled(a, b, 1.0)
    assert str(target()) == "simulator:gfx942"
    monkeypatch.setenv("ARCH", "gfx1201")
    named = {
        "host": "host:gfx1201",
        "host:gfx950": "host:gfx950",
        "cuda": "cuda:sm_90a",
        "simulator": "simulator:gfx1201",
    }
    for text, wanted in named.items():
        with Target(text):
            assert str(target()) == wanted
        made = tw.compile(scaled, *given(), fx.Float32, target=text)
        assert str(made.target) == wanted
    assert str(target()) == "simulator:gfx1201"
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx950")
    assert str(target()) == "simulator:gfx950"
