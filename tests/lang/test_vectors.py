"""`vload` and `vstore`: several elements of a row as one access, as element by element; what is refused."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import KernelError, MisalignedError, OutOfBoundsError, RaceError
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

KINDS = [("float32", 4), ("float32", 2), ("float16", 8), ("float16", 2), ("int8", 16), ("float64", 2)]


@pytest.mark.parametrize(("kind", "count"), KINDS)
@pytest.mark.parametrize("arch", ["sm_90", "gfx942"])
def test_a_vector_is_its_elements(kind: str, count: int, arch: str) -> None:
    """Through shared memory and back; as many accesses as instructions, of so many bytes."""
    named = f"{kind}x{count}"

    @T.prim_func
    def kernel(A: T.Buffer((64, 2 * count), kind), B: T.Buffer((64, 2 * count), kind)) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64, 2 * count), kind)
        for i in T.serial(2):
            s.vstore([t, i * count], A.vload([t, count - i * count], named))
        T.cuda.cta_sync()
        v = s.vload([63 - t, count], dtype=named)
        for k in T.serial(count):
            B[t, k] = v[k]
        w = s.vload((63 - t, 0))
        B.vstore([t, count], w)

    numbers = np.random.default_rng(1).integers(0, 100, (64, 2 * count)).astype(kind)
    for stage in ("tile", "final"):
        b = np.zeros_like(numbers)
        found = simulate(run(kernel.module, stage).module, [numbers, b], arch=arch)
        assert (b[:, :count] == numbers[::-1, :count]).all()
        assert (b[:, count] == numbers[::-1, count]).all()
        (load,) = found.select("load", "global", "A")
        assert load.width_bytes == count * numbers.itemsize
        assert load.bytes == numbers.nbytes


def vectors(fault: str) -> None:
    @T.prim_func
    def kernel(A: T.Buffer((64, 8), "float32"), B: T.Buffer((64, 8), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64, 8), "float32")
        if fault == "askew":
            s.vstore([t, 0], A.vload([t, t % 8], "float32x4"))  # here
        elif fault == "beyond":
            s.vstore([t, 4], A.vload([t + 1, 4], "float32x4"))  # here
        elif fault == "outside a row":
            s.vstore([t, 4], A.vload([t, t % 2 * 8], "float32x4"))  # here
        else:
            s.vstore([t, 4], A.vload([t, 4], "float32x4"))
            B.vstore([t, 4], s.vload([63 - t, 4], "float32x4"))  # here

    tw.compile(kernel)(np.zeros((64, 8), np.float32), np.zeros((64, 8), np.float32))


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("askew", MisalignedError),
        ("beyond", OutOfBoundsError),
        ("outside a row", OutOfBoundsError),
        ("race", RaceError),
    ],
)
def test_a_wrong_vector_is_told(fault: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"test_vectors\.py"):
        vectors(fault)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('A.vload([t, 0], "float16x4")', "'float32x4', got 'float16x4'"),
        ('A.vload([t, 0], "float32x3")', "3 x 32 bits; one instruction moves"),
        ('A.vload([t, 0], "float32x16")', "16 x 32 bits"),
        ('A.vload([t], "float32x4")', "1 indices into A"),
        ("A.vload([t, 0], 4)", "takes a type such as"),
        ('C.vload([t, 0], "float32x4")', "rows of C have 6"),
        ("A.vstore([t, 0], A)", "a local buffer of one dimension"),
        ("A.vstore([t, 0])", "missing a required argument"),
        ('r.vload([0], "float32x2")', "shared and global memory"),
    ],
)
def test_what_is_refused(call: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(
        "from tilewright.script import tirx as T\n"
        "@T.prim_func\n"
        "def f(A: T.Buffer((32, 8), 'float32'), C: T.Buffer((32, 6), 'float32')):\n"
        "    T.device_entry()\n"
        "    T.cta_id([1])\n"
        "    t = T.thread_id([32])\n"
        "    r = T.alloc_local((4,), 'float32')\n"
        f"    {call}\n",
        encoding="utf-8",
    )
    spec = importlib.util.spec_from_file_location("kernel", file)
    assert spec
    assert spec.loader
    with pytest.raises(KernelError, match=words) as found:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert "kernel.py:8:" in str(found.value)
