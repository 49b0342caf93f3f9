"""Time of kernels on a GPU: permutes and transposes in device memory, beside a copy on the device in the same run.

    python benchmarks/gpu.py [--mib N] [--json]

`--mib` is the size of the source, 1024 without it: more than the caches hold, so that every run reads device memory.
Every result is checked element for element before it is timed. GB/s count the bytes read and those written.
Where there is no GPU it says so and ends.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from math import isqrt
from typing import Any

import numpy as np
from kernel_sources import PADDED, permuted, transposed

import tilewright as tw
from tilewright.dtypes import dtype as find_dtype
from tilewright.targets.cuda.driver import Driver, driver, why_no_gpu
from tilewright.tirx.layout import ComposeLayout, S, SwizzleLayout, TileLayout

MIB, REPEATS = 1 << 20, 21
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Subject:
    """A kernel of a source and a result of the same size, and what it must make of a source of any element type."""

    name: str
    kernel: Any
    dtype: str
    elements: int
    expected: Callable[[Array], Array]


@dataclass(frozen=True)
class Row:
    """Medians of `REPEATS` runs, in milliseconds, and the bytes of the source."""

    name: str
    dtype: str
    nbytes: int
    milliseconds: float
    copy_milliseconds: float

    @property
    def gb_per_s(self) -> float:
        return 2e-6 * self.nbytes / self.milliseconds

    @property
    def of_copy(self) -> float:
        return self.copy_milliseconds / self.milliseconds

    def __str__(self) -> str:
        copy = 2e-6 * self.nbytes / self.copy_milliseconds
        figures = f"{self.milliseconds:.4g} | {self.gb_per_s:.0f} | {copy:.0f} | {100 * self.of_copy:.0f} %"
        return f"| {self.name} | {self.dtype} | {self.nbytes / MIB:.4g} | {figures} |"


def subjects(mib: int) -> Iterator[Subject]:
    """Permutes of every width with one tile a warp and with several, and transposes through shared memory."""
    for dtype in ("uint8", "float16", "float32", "float64", "uint8x16"):
        for warps, stages in ((1, 1), (8, 1), (8, 8)):
            blocks = mib * MIB // (128 * find_dtype(dtype).bytes * warps * stages)
            name = f"permute 4x32, {warps} warps a block, {stages} tiles a warp"
            kernel = permuted(blocks, warps, stages, dtype)
            yield Subject(name, kernel, dtype, blocks * warps * stages * 128, tiles_turned)
    for dtype in ("uint8", "float32"):
        size = isqrt(mib * MIB // find_dtype(dtype).bytes) // 32 * 32
        for name, layout in SHARED.items():
            yield Subject(f"transpose, {name} tile", transposed(size, dtype, layout), dtype, size * size, turned)


SHARED = {
    "plain": TileLayout(S[32, 32]),
    "padded": PADDED,
    "swizzled": ComposeLayout(SwizzleLayout(per_element=0, swizzle_len=5, atom_len=5), TileLayout(S[32, 32])),
}


def tiles_turned(source: Array) -> Array:
    return source.reshape(-1, 4, 32).transpose(0, 2, 1)


def turned(source: Array) -> Array:
    size = isqrt(source.size)
    return source.reshape(size, size).T


def measured(gpu: Driver, subject: Subject) -> Row:
    """The subject's time and a copy's, after its result has been checked.

    Raises:
        SystemExit: the result is wrong.
    """
    compiled = tw.compile(subject.kernel, target=target(gpu))
    text, cubin = compiled.text, compiled.cubin
    nbytes = subject.elements * find_dtype(subject.dtype).bytes
    source = np.frombuffer(np.random.default_rng(0).bytes(nbytes), np.uint8)
    with gpu.copies([source, ~source]) as memories:  # the result starts as something else than the answer

        def run() -> None:
            gpu.start(cubin, text.name, text.launch, memories, text.pool_bytes)

        def copy() -> None:
            gpu.call("cuMemcpyDtoDAsync_v2", memories[1], memories[0], ctypes.c_size_t(nbytes), None)

        run()
        check(subject, source, fetched(gpu, memories[1], nbytes))
        return Row(subject.name, subject.dtype, nbytes, milliseconds(gpu, run), milliseconds(gpu, copy))


def check(subject: Subject, source: Array, result: Array) -> None:
    """Raises `SystemExit` where the result is not what the subject makes of the source."""
    # numpy has no 16-byte integer to move; a pair of numbers is as good
    kind = np.dtype(f"V{find_dtype(subject.dtype).bytes}")
    if subject.expected(source.view(kind)).tobytes() != result.tobytes():
        raise SystemExit(f"{subject.name}, {subject.dtype}: the result is wrong")


def fetched(gpu: Driver, memory: ctypes.c_uint64, nbytes: int) -> Array:
    result = np.empty(nbytes, np.uint8)
    gpu.fetch(result, memory)
    return result


def milliseconds(gpu: Driver, work: Callable[[], None]) -> float:
    """The median time between events around one run, after three that warm up."""
    begin, end = ctypes.c_void_p(), ctypes.c_void_p()
    for event in (begin, end):
        gpu.call("cuEventCreate", ctypes.byref(event), 0)
    for _ in range(3):
        work()
    times = [_between(gpu, begin, end, work) for _ in range(REPEATS)]
    for event in (begin, end):
        gpu.call("cuEventDestroy_v2", event)
    return statistics.median(times)


def _between(gpu: Driver, begin: ctypes.c_void_p, end: ctypes.c_void_p, work: Callable[[], None]) -> float:
    found = ctypes.c_float()
    gpu.call("cuEventRecord", begin, None)
    work()
    gpu.call("cuEventRecord", end, None)
    gpu.call("cuEventSynchronize", end)
    gpu.call("cuEventElapsedTime", ctypes.byref(found), begin, end)
    return found.value


def target(gpu: Driver) -> str:
    """The target that this device is."""
    major, minor = gpu.capability
    return f"cuda:sm_{major}{minor}{'a' if major >= 9 else ''}"


def device(gpu: Driver) -> str:
    """The device's name, and the newest CUDA that its driver knows."""
    name, version = ctypes.create_string_buffer(256), ctypes.c_int()
    gpu.call("cuDeviceGetName", name, 256, gpu.device)
    gpu.call("cuDriverGetVersion", ctypes.byref(version))
    return f"{name.value.decode()}, driver for CUDA {version.value // 1000}.{version.value % 1000 // 10}"


def main() -> None:
    """Prints a Markdown table, or JSON."""
    parser = argparse.ArgumentParser(description="times kernels on a GPU")
    parser.add_argument("--mib", type=int, default=1024, help="size of the source (default: 1024)")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options, _ = parser.parse_known_args()
    reason = why_no_gpu()
    if reason:
        print(f"nothing is timed: {reason}")
        return
    gpu = driver()
    rows = [measured(gpu, subject) for subject in subjects(options.mib)]
    if options.json:
        print(json.dumps({"device": device(gpu), "rows": [asdict(row) for row in rows]}, indent=1))
        return
    print(f"{device(gpu)}; medians of {REPEATS} runs\n")
    print(
        "| what | elements | MiB | ms | GB/s | a copy's GB/s | of a copy |", "|---|---|---|---|---|---|---|", sep="\n"
    )
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
