"""FlyDSL's own programs, whose sources tests/data keeps: the package's name changed, run, compared with numpy."""

from __future__ import annotations

import importlib.util
import json
import lzma
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from dump_cases import fly_dumps
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from tilewright.arch import Target
from tilewright.errors import UninitializedError
from tilewright.ir.reader import Source, read
from tilewright.ir.text import parse_module
from tilewright.lang.fly.arguments import of_array
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.simulator.options import SimOptions

Array = NDArray[np.generic]
DATA = Path(__file__).parents[2] / "data" / "flydsl_dumps.json.xz"
WITHOUT = ("import torch, math", "import torch")  # the arrays are numpy's here


@cache
def sources() -> dict[str, str]:
    """The files: the kernels, but for those on MLIR's own bindings, and the softmax; without the calls below them."""
    found = json.loads(lzma.decompress(DATA.read_bytes()))
    parts = {
        "kernels": found["kernels"].partition("from flydsl.utils.smem_allocator")[0],
        "softmax": found["softmax"].partition("t = lambda")[0],
    }
    return {name: _renamed(text) for name, text in parts.items()}


def _renamed(text: str) -> str:
    for line in WITHOUT:
        text = text.replace(f"{line}\n", "import math\n")
    return text.replace("flydsl", "tilewright")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModuleType]:
    made = {}
    for name, text in sources().items():
        path = tmp_path_factory.mktemp("fx") / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        made[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made[name])
    return made


def _numbers(*shape: int, dtype: type = np.float32, seed: int = 0) -> Array:
    return np.random.default_rng((seed, *shape)).integers(-4, 5, shape).astype(dtype)


def _add(m: ModuleType) -> tuple[Array, Array]:
    a, b = _numbers(1, 4096), _numbers(1, 4096, seed=1)
    c = np.zeros_like(a)
    m.add(a, b, c)
    return c, a + b


def _transpose(swizzled: bool) -> Callable[[ModuleType], tuple[Array, Array]]:
    def run(m: ModuleType) -> tuple[Array, Array]:
        a = _numbers(128, 128)
        b, wanted = np.zeros_like(a), np.zeros_like(a)
        m.transpose(a, b, swizzled)
        for i in (0, 64):
            for j in (0, 64):
                wanted[i : i + 64, j : j + 64] = a[i : i + 64, j : j + 64].T
        return b, wanted

    return run


def _pointers(pitch: int) -> Callable[[ModuleType], tuple[Array, Array]]:
    def run(m: ModuleType) -> tuple[Array, Array]:
        a = _numbers(128, 32)
        b = np.zeros_like(a)
        m.pointers(a, b, pitch)
        return b, np.concatenate([a[i : i + 32].T for i in range(0, 128, 32)])

    return run


def _gemm(swizzled: bool) -> Callable[[ModuleType], tuple[Array, Array]]:
    def run(m: ModuleType) -> tuple[Array, Array]:
        a, b = _numbers(256, 512, dtype=np.float16), _numbers(256, 512, dtype=np.float16, seed=1)
        c = np.zeros((256, 256), np.float16)
        m.gemm(a, b, c, swizzled)
        return c, (a.astype(np.float32) @ b.astype(np.float32).T).astype(np.float16)

    return run


def _direct(wide: bool) -> Callable[[ModuleType], tuple[Array, Array]]:
    def run(m: ModuleType) -> tuple[Array, Array]:
        a = _numbers(1, 4096)
        b = np.zeros_like(a)
        m.direct(a, b, wide)
        return b, a

    return run


def _reduce(m: ModuleType) -> tuple[Array, Array]:
    a, b = _numbers(1024), np.zeros(4, np.float32)
    m.reduce(a, b)
    return b, a.reshape(4, 256)[:, ::2].sum(axis=1)  # its tree ends at pairs


def _read_trans(m: ModuleType) -> tuple[Array, Array]:
    """A lane has 4 elements of each of two blocks of 16 columns, of its row and its group of 16 lanes."""
    a = np.arange(2048).astype(np.float16).reshape(1, 2048)
    b = np.zeros_like(a)
    m.read_trans(a, b)
    tiles = a.reshape(4, 32, 16)
    lanes = [tiles[:, k : k + 4, lane % 16] for lane in range(64) for k in (lane // 16 * 4, lane // 16 * 4 + 16)]
    return b.reshape(4, 512), np.concatenate(lanes, axis=1)


CASES: dict[str, tuple[Callable[[ModuleType], tuple[Array, Array]], str]] = {
    "add": (_add, "gfx942"),
    "transpose": (_transpose(False), "gfx942"),
    "transpose swizzled": (_transpose(True), "gfx942"),
    "pointers": (_pointers(32), "gfx942"),
    "pointers padded": (_pointers(33), "gfx942"),
    "gemm": (_gemm(False), "gfx942"),
    "gemm swizzled": (_gemm(True), "gfx942"),
    "direct": (_direct(False), "gfx942"),
    "direct wide": (_direct(True), "gfx950"),
    "read trans": (_read_trans, "gfx950"),
    "reduce": (_reduce, "gfx942"),
}


@pytest.mark.usefixtures("every_stage")
@pytest.mark.parametrize("name", CASES)
def test_programs_equal_numpy(programs: dict[str, ModuleType], name: str) -> None:
    run, arch = CASES[name]
    with Target(f"simulator:{arch}"):
        found, wanted = run(programs["kernels"])
    assert np.array_equal(found, wanted)


def test_the_softmax_equals_numpy(programs: dict[str, ModuleType]) -> None:
    """It looks at elements of its padded tile that nothing has written, which the simulator tells."""
    a = _numbers(8, 4096, dtype=np.float16)
    c = np.zeros_like(a)
    with pytest.raises(UninitializedError, match=r"(?s)reads element .* at .*softmax.py:61"):
        programs["softmax"].soft(a, c, 8)
    with SimOptions(check="off"):
        programs["softmax"].soft(a, c, 8)
    wide = a.astype(np.float32)
    assert np.array_equal(c, np.exp2(wide - wide.max(axis=1, keepdims=True)).astype(np.float16))


def test_the_text_of_a_trace_is_read_back(programs: dict[str, ModuleType]) -> None:
    _add(programs["kernels"])
    text = programs["kernels"].add.ir()
    assert parse_module(text) is not None
    assert "fly.tiled_copy.partition_src" in text


PEERS = {
    "add": ("add", ((1, 4096),) * 3, np.float32, ()),
    "transpose": ("transpose", ((128, 128),) * 2, np.float32, (False,)),
    "transpose_swizzled": ("transpose", ((128, 128),) * 2, np.float32, (True,)),
    "pointers": ("pointers", ((128, 32),) * 2, np.float32, (32,)),
    "direct": ("direct", ((1, 4096),) * 2, np.float32, (False,)),
    "reduce": ("reduce", ((1024,), (4,)), np.float32, ()),
}


@pytest.mark.parametrize("name", PEERS)
def test_what_is_traced_computes_what_the_peers_first_stage_does(programs: dict[str, ModuleType], name: str) -> None:
    """Both texts are read back, and run by the same host: `gpu.launch_func` and all."""
    function, shapes, dtype, constants = PEERS[name]
    jit = getattr(programs["kernels"], function)
    ours = [_numbers(*shape, dtype=dtype, seed=i) for i, shape in enumerate(shapes)]
    theirs = [array.copy() for array in ours]
    kept = [array.copy() for array in ours]
    jit(*ours, *constants)
    for text, arrays in ((jit.ir(), theirs), (fly_dumps()[f"{name}.gfx942.00"], kept)):
        module = read(Source("kernel.mlir", text)).module
        host = next(op for op in module.ops if isinstance(op, FuncOp))
        given = [of_array(array).parameter().given for array in arrays]
        assert [str(x.type) for x in host.body.block.args[: len(given)]] == [of_array(a).type for a in arrays]
        FlyModule(module, Target("simulator:gfx942")).run(given, SimOptions())
    for mine, again, peer in zip(ours, theirs, kept, strict=True):
        assert mine.tobytes() == again.tobytes() == peer.tobytes()
