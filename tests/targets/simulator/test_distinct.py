"""Arrays as sets are as Python's, and ask for none of numpy's slow modules."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tilewright.targets.simulator.distinct import distinct_rows, distinct_values, is_among

NUMBERS = st.lists(st.integers(-3, 3) | st.integers(-(1 << 63), (1 << 63) - 1), max_size=6)
ROOT = Path(__file__).parents[3]


@given(NUMBERS, NUMBERS)
def test_they_are_sets_in_order(values: list[int], wanted: list[int]) -> None:
    array = np.array(values, np.int64)
    assert distinct_values(array).tolist() == sorted(set(values))
    assert is_among(array, np.array(wanted, np.int64)).tolist() == [value in wanted for value in values]
    pairs = np.stack([array % 2, array], axis=1)
    assert list(map(tuple, distinct_rows(pairs).tolist())) == sorted({(x % 2, x) for x in values})


def test_no_first_run_of_a_kernel_loads_numpy_s_masked_arrays(tmp_path: Path) -> None:
    """They cost a run more than many kernels take."""
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import sys
        import numpy as np
        import tilewright as tw
        from faults import check_right, kernels
        from kernel_sources import ringed, tensor_gemm
        from tilewright.targets.simulator.simulate import Simulator

        def run(kernel, *arrays, **how):
            Simulator(tw.compile(kernel).lowered().module).run(list(arrays), **how)

        half, out, ring = np.ones((128, 128), np.float16), np.zeros((128, 128), np.float32), np.zeros((2, 4, 256), "f")
        for how in ({}, {"proofs": False}, {"check": "off", "mma": "fast"}):
            run(tensor_gemm(128), half, half, out, **how)
        run(ringed(2, 4), ring, ring.copy())
        for name in ("cp_async", "bulk", "wgmma", "tcgen05"):
            check_right(case := kernels([name])[1][0], case.archs[0], ["final"])
        print("numpy.ma" in sys.modules)
        """)
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in ("src", "tests/support", "benchmarks"))
    command, environment = [sys.executable, str(program)], os.environ | {"PYTHONPATH": path}
    assert subprocess.check_output(command, env=environment, text=True).strip() == "False"
