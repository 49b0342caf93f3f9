"""Target host finds rows that leave their memory or are misaligned, as the simulator does."""

import numpy as np
import pytest
from faults import kernels
from headers import ready
from right_kernels import LANES

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.errors import AlignmentError, MisalignedError, OutOfBoundsError
from tilewright.passes.pipeline import run
from tilewright.runtime.host_ways import Wanted
from tilewright.runtime.on_host import HostExecutor
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.tensor_map import TensorMap

PLACES = range(-4, 20)


@T.prim_func
def global_rows(A: T.Buffer((17,), "int32"), O: T.Buffer((17,), "int32"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([2])
    r = T.alloc_buffer((4,), "int32", scope="local")
    T.copy_atom("UniversalCopy128b", r[0], A[t * 4])
    if t == 1:
        T.copy_atom("UniversalCopy128b", O[N], r[0])


@T.prim_func
def shared_rows(A: T.Buffer((17,), "int32"), O: T.Buffer((17,), "int32"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([16])
    s = T.alloc_buffer((16,), "int32", scope="shared")
    s[t] = A[t]
    T.cuda.cta_sync()
    r = T.alloc_buffer((2,), "int32", scope="local")
    T.copy_atom("UniversalCopy64b", r[0], s[N])
    O[t] = r[t % 2]


@T.prim_func
def matrix_rows(A: T.Buffer((256,), "float16"), O: T.Buffer((64,), "float16"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_buffer((256,), "float16", scope="shared")
    for i in range(8):
        s[i * 32 + t] = A[i * 32 + t]
    T.cuda.cta_sync()
    r = T.alloc_buffer((2,), "float16", scope="local")
    T.copy_atom("SM75_U32x1_LDSM_N", r[0], s[t % 8 * 8 + N * 8 + N // 19])
    O[t * 2] = r[0]
    O[t * 2 + 1] = r[1]


@T.prim_func
def clipped_rows(A: T.Buffer((17,), "float16"), O: T.Buffer((17,), "float16"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([2])
    r = T.alloc_buffer((4,), "float16", scope="local")
    T.copy_atom("BufferCopy64b", r[0], A[N])
    r[1] = r[1] + T.float16(1)
    if t == 1:
        T.copy_atom("BufferCopy64b", O[16 - N], r[0])


def told(kernel, place):
    """What comes of a run: the error's class, or the result."""
    source, result = arrays(kernel.name)
    try:
        kernel(source, result, place)
    except (MisalignedError, OutOfBoundsError) as error:
        return type(error)
    return result.tobytes()


def arrays(name):
    """A source that tells its elements apart, and a result in the midst of more memory."""
    sizes = {"matrix_rows": (256, 64)}
    size, wanted = sizes.get(name, (17, 17))
    kind = "i4" if name in ("global_rows", "shared_rows") else "f2"
    return np.arange(size, dtype=kind), np.zeros(wanted + 32, kind)[16:-16]


@pytest.mark.parametrize("compiler", ["", " -compiler=llvmlite"])
@pytest.mark.parametrize("function", [global_rows, shared_rows, matrix_rows], ids=lambda f: f.name)
def test_host_finds_what_the_simulator_finds(function, compiler):
    simulated, looped = tw.compile(function, target="simulator"), tw.compile(function, target=f"host{compiler}")
    found = [told(simulated, place) for place in PLACES]
    assert [told(looped, place) for place in PLACES] == found
    assert {MisalignedError, OutOfBoundsError} <= {one for one in found if isinstance(one, type)}


@pytest.mark.parametrize("compiler", ["", " -compiler=llvmlite"])
def test_what_a_buffer_instruction_has_beyond_its_memory_is_no_fault(compiler):
    """It reads 0 there, and drops what it writes, element by element; its rows are aligned."""
    simulated = tw.compile(clipped_rows, target="simulator:gfx942")
    looped = tw.compile(clipped_rows, target=f"host:gfx942{compiler}")
    found = [told(simulated, place) for place in PLACES]
    assert [told(looped, place) for place in PLACES] == found
    assert [one is MisalignedError for one in found] == [place % 2 == 1 for place in PLACES]
    assert len({*found}) > 8


FILES = ("cp_async", "bulk")  # of planted faults
KINDS = (OutOfBoundsError, AlignmentError)


AT_LAUNCH = ("misaligned tile",)  # faults of what only an argument tells


def planted():
    """Copies that are to leave their memory, or are misaligned."""
    return [case for case in kernels(FILES)[0] if case.error in KINDS and case.fault not in AT_LAUNCH]


def texts():
    """Their kernels as fibers, in one program."""
    modules = [run(case.make(case.fault).module, "final", lanes=LANES).module for case in planted()]
    parts = [literal(Wanted(module, LANES, "").given) for module in modules]
    return zip(planted(), modules, compile_together(parts, ready((*WARNINGS, "-O0"))), strict=True)


def test_fibers_find_rows_that_leave_their_memory() -> None:
    """Of each planted fault the class and the line, which the simulator tells."""
    for case, module, made in texts():
        arguments = case.arguments()
        maps = [one for one in arguments if isinstance(one, TensorMap)]
        with pytest.raises(case.error) as found:
            made.run(bind(kernel_of(module), arguments), maps)
        assert case.is_told(str(found.value)), case.name


@pytest.mark.parametrize(
    "case", [case for case in kernels(FILES[:1])[0] if case.error in KINDS], ids=lambda case: case.name
)
def test_loops_find_them_too(case) -> None:
    module = run(case.make(case.fault).module, "final", lanes=LANES).module
    with pytest.raises(case.error) as found:
        HostExecutor.of(module, Target("host -compiler=llvmlite"))(case.arguments(), SimOptions())
    assert case.is_told(str(found.value))
