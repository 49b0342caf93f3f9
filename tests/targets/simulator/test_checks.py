"""How much the simulator looks for: what is undefined passes without checks, what would leave a buffer never does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from final_kernels import kernel
from hypothesis import given, settings
from loop_kernels import REGISTERS, Looped, looped_kernels

from tilewright.errors import (
    BarrierError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.simulate import Simulator, simulate

SHARED = 'memref<64xf32, "shared">'
LOCAL = 'memref<4xf32, "local">'


class Undefined(NamedTuple):
    """A kernel that does something undefined; `result` is what it leaves in A where nobody checks."""

    error: type[SimulationError]
    body: str
    result: list[float]


NEXT = "%n = arith.addi %tx, %c1 : index\n %next = arith.remui %n, %block : index"
PASSED = {
    "a race": Undefined(
        RaceError,
        f"""%S = memref.alloca() : {SHARED}
        %v = memref.load %A[%tx] : memref<32xf32>
        memref.store %v, %S[%tx] : {SHARED}
        {NEXT}
        %w = memref.load %S[%next] : {SHARED}
        memref.store %w, %A[%tx] : memref<32xf32>""",
        [float((t + 1) % 32) for t in range(32)],
    ),
    "unwritten shared memory": Undefined(
        UninitializedError,
        f"""%S = memref.alloca() : {SHARED}
        %w = memref.load %S[%tx] : {SHARED}
        memref.store %w, %A[%tx] : memref<32xf32>""",
        [0.0] * 32,
    ),
    "unwritten registers": Undefined(
        UninitializedError,
        f"""%R = memref.alloca() : {LOCAL}
        %at = arith.remui %tx, %c4 : index
        %w = memref.load %R[%at] : {LOCAL}
        memref.store %w, %A[%tx] : memref<32xf32>""",
        [0.0] * 32,
    ),
}


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("planted", PASSED.values(), ids=PASSED)
def test_what_is_undefined_passes_where_nobody_looks(planted: Undefined, proofs: bool) -> None:
    module = parse_module(kernel(planted.body))
    for check in ("on", "strict"):
        with pytest.raises(planted.error):
            simulate(module, [np.arange(32, dtype=np.float32)], proofs=proofs, check=check)
    a = np.arange(32, dtype=np.float32)
    simulate(module, [a], proofs=proofs, check="off")
    assert a.tolist() == planted.result


STOPPED = {
    "beyond a buffer": (OutOfBoundsError, "%v = memref.load %A[%block] : memref<32xf32>"),
    "beyond the registers": (OutOfBoundsError, f"%R = memref.alloca() : {LOCAL}\n memref.load %R[%tx] : {LOCAL}"),
    "half a barrier": (
        BarrierError,
        '%few = arith.cmpi ult, %tx, %c5 : index\n scf.if %few { tile.sync "cta" }',
    ),
}


@pytest.mark.parametrize("check", ["on", "off", "strict"])
@pytest.mark.parametrize(("error", "body"), STOPPED.values(), ids=STOPPED)
def test_what_nobody_can_do_is_always_an_error(error: type[SimulationError], body: str, check: str) -> None:
    body = body if "memref.load %R" not in body else body.replace("memref.load %R", "%r = memref.load %R")
    with pytest.raises(error):
        Simulator(parse_module(kernel(body))).run([np.zeros(32, np.float32)], check=check)


@pytest.mark.hypothesis
@given(looped_kernels())
@settings(max_examples=15)
def test_without_checks_nothing_but_our_errors(looped: Looped) -> None:
    """What passes the checks gives the same without them; what does not ends, if at all, at the end of a buffer."""
    simulator, sizes = Simulator(parse_module(looped.text())), looped.sizes

    def memories() -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        return [np.arange(size) for size in (sizes["A"], sizes["B"], looped.blocks * looped.threads * REGISTERS)]

    found, free = memories(), memories()
    try:
        simulator.run(found)
    except (RaceError, UninitializedError, OutOfBoundsError):
        with_error = True
    else:
        with_error = False
    try:
        simulator.run(free, check="off")
    except OutOfBoundsError:
        assert with_error
        return
    assert with_error or all((one == other).all() for one, other in zip(found, free, strict=True))
