"""The table of machines against NVIDIA's assembler: it takes an instruction where the table says so, nowhere else.

NVRTC knows machines from sm_75 on.
"""

from __future__ import annotations

import numpy as np
import pytest
from ptx_samples import EVERYWHERE, FUNCTIONS, SAMPLES, taken, words

import tilewright as tw
from tilewright.arch import get
from tilewright.atoms.available import has_instruction
from tilewright.errors import CompileError, SimulationError
from tilewright.lang.machines import FUNCTIONS as OF_FUNCTIONS
from tilewright.lang.machines import WORDS, first
from tilewright.script import tirx as T
from tilewright.targets.launch import kernel_of, parameters_of

MACHINES = (75, 80, 86, 87, 89, 90, "90a", 100, "100f", "100a", 103, "103a", 110, "110a", 120, "120a", 121, "121a")


def test_every_row_has_a_sample_that_it_decides_on() -> None:
    assert SAMPLES.keys() == WORDS.keys()
    for row, sample in SAMPLES.items():
        assert first(words(sample)) == WORDS[row], row
    assert not any(map(first, map(words, EVERYWHERE)))
    named = dict(OF_FUNCTIONS.values())
    assert all(name in named or first(frozenset(name.replace(".sync", "_sync").split("."))) for name in named)


@pytest.mark.parametrize("machine", MACHINES)
def test_ptxas_has_what_the_table_says(machine: int | str) -> None:
    spec, named = get(f"sm_{machine}"), dict(OF_FUNCTIONS.values())
    wanted = {
        **{sample: WORDS[row].split() for row, sample in SAMPLES.items()},
        **{sample: named[name].split() for name, sample in FUNCTIONS.items()},
        **{sample: ["sm_70"] for sample in EVERYWHERE},
    }
    found = taken(list(wanted), spec.name)
    told = [any(has_instruction(spec, arch) for arch in archs) for archs in wanted.values()]
    assert [text for text, has, said in zip(wanted, found, told, strict=True) if has != said] == []


def summed() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((32,), "uint32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        A[t] = T.cuda.__reduce_add_sync(0xFFFFFFFF, A[t])

    return kernel


def multiplied() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((128,), "float32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        d = T.alloc_local((4,), "float32")
        a = T.alloc_local((8,), "float16")
        b = T.alloc_local((4,), "float16")
        for i in T.unroll(8):
            a[i] = T.float16(1)
        for i in T.unroll(4):
            b[i] = T.float16(1)
            d[i] = T.float32(0)
        T.mma_atom("SM80_16x8x16_F32F16F16F32_TN", d, a, b, d)
        A[t] = d[0]

    return kernel


@pytest.mark.parametrize(
    ("kernel", "lacks", "has", "message"),
    [
        (summed(), "sm_75", "sm_80", r"^redux.sync.add is an instruction of sm_80, not of sm_75; compile for target="),
        (multiplied(), "sm_75", "sm_80", "^SM80_16x8x16_F32F16F16F32_TN is an instruction of sm_80, not of sm_75"),
    ],
)
def test_every_target_says_what_a_machine_lacks(kernel: T.PrimFunc, lacks: str, has: str, message: str) -> None:
    with pytest.raises(CompileError, match=message) as told:
        tw.compile(kernel, target=f"cuda:{lacks}")
    (given,) = parameters_of(kernel_of(kernel.module))
    array = np.zeros(given.size or 1, given.element.numpy())
    with pytest.raises(SimulationError, match=message) as simulated:
        tw.compile(kernel, target=f"simulator:{lacks}")(array)
    assert str(told.value).replace("cuda:", "simulator:") == str(simulated.value)
    assert tw.compile(kernel, target=f"cuda:{has}").cubin.startswith(b"\x7fELF")
