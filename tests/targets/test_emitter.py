"""The emitted text: document 000's, warning-free, with 64-bit indices exactly where they are needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from final_kernels import Permute, Transpose, kernel
from headers import ready
from hypothesis import given, settings
from race_oracle import Small, small_kernels
from translation import run_both
from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import CompileError
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.stages import STAGES
from tilewright.ir.text import parse_module
from tilewright.ir.tile.ops import TILE
from tilewright.ir.tile.printing import InspectOp
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.names import Names, is_identifier, kernel_name
from tilewright.targets.c_emitter.statements import STATEMENTS
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.host.compiler import WARNINGS, compile_cpp, compile_host
from tilewright.targets.host.program import runner
from tilewright.targets.simulator.agents.waits import WAITS
from tilewright.targets.simulator.simulate import HANDLERS


def emitted(text: str, **options: Any) -> str:
    return emit(parse_module(text), **options).source


def test_documents_kernel(golden: Callable[[str, str], None]) -> None:
    source = emitted(Permute().text())
    golden("permute_final.cu", source)
    assert len(source.splitlines()) <= 40


def test_shared_memory_kernel(golden: Callable[[str, str], None]) -> None:
    golden("transpose_final.cu", emitted(Transpose(2048).text()))


def test_documents_lines_literally() -> None:
    """The lines of document 000, without regard to blanks."""
    tight = emitted(Permute().text()).replace(" ", "")
    for r in range(4):
        line = f"regs_ptr[{r}]=A_buf_ptr[(s*128)+((({r}^((threadIdx.x>>3)&3))&3)*32)+threadIdx.x];"
        assert line in tight
    assert "alignas(64)floatregs_ptr[4];" in tight
    assert tight.count("__syncwarp();") == 2
    assert 'extern"C"__global__void__launch_bounds__(32)f_kernel(float*__restrict__A_buf_ptr,' in tight


def test_restrict_can_be_left_out() -> None:
    assert "__restrict__" not in emitted(Permute().text(), restrict=False)


CONTROL = """
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x, %y = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %zero, %b = %one) -> (i32, i32) {
    %n = arith.addi %a, %b : i32
    scf.yield %b, %n : i32, i32
  } UNROLL
  %low = arith.cmpi ult, %tx, %c4 : index
  %p, %q = scf.if %low -> (i32, i32) {
    %t = arith.index_cast %tx : index to i32
    %u = arith.addi %x, %t : i32
    scf.yield %u, %y : i32, i32
  } else {
    scf.yield %y, %x : i32, i32
  }
  scf.if %low {
    memref.store %p, %A[%tx] : memref<32xi32>
  } else {
    memref.store %q, %A[%tx] : memref<32xi32>
  }
  %end = arith.addi %tx, %c2 : index
  scf.for %j = %tx to %end step %c2 {
    %v = memref.load %A[%tx] : memref<32xi32>
    memref.store %one, %A[%tx] : memref<32xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %A[%tx] : memref<32xi32>
  }"""


@pytest.mark.parametrize("unroll", ["", "{tile.unroll}"])
def test_control_flow(unroll: str) -> None:
    """Fibonacci in a loop with two carried values, branches with results, and a load that may not move down."""
    (got,) = run_both(kernel(CONTROL.replace("UNROLL", unroll), "%A: memref<32xi32>"), [np.zeros(32, np.int32)])
    assert got.tolist() == [2 * (8 + t) for t in range(4)] + [2 * 8] * 28


@pytest.mark.parametrize("unroll", ["", "{tile.unroll}"])
def test_a_shared_buffer_is_declared_once(unroll: str) -> None:
    """However often its allocation is reached, written out or not: it is one memory."""
    memory = 'memref<32xi32, "shared">'
    text = kernel(
        f"""scf.for %i = %c0 to %c3 step %c1 {{
          scf.for %j = %c0 to %c2 step %c1 {{
            %s = memref.alloca() : {memory}
            %v = memref.load %A[%tx] : memref<32xi32>
            memref.store %v, %s[%tx] : {memory}
            tile.sync "cta"
            %t = arith.xori %tx, %c1 : index
            %w = memref.load %s[%t] : {memory}
            %x = arith.addi %w, %v : i32
            memref.store %x, %A[%tx] : memref<32xi32>
            tile.sync "cta"
          }}
        }} {unroll}""",
        "%A: memref<32xi32>",
    )
    assert emitted(text).count("__shared__") == 1
    (got,) = run_both(text, [np.arange(32, dtype=np.int32)])
    assert got.tolist() == [32 * (2 * (t // 2) * 2 + 1) for t in range(32)]


def test_a_value_that_is_used_often_gets_a_name() -> None:
    text = kernel(
        "\n".join(
            [
                *(f"%s{i} = arith.addi %s{i - 1}, %tx : index" for i in range(1, 24)),
                "%v = memref.load %A[%s23] : memref<1024xf32>",
                "memref.store %v, %A[%s23] : memref<1024xf32>",
            ]
        ).replace("%s0", "%tx"),
        "%A: memref<1024xf32>",
    )
    assert re.search(r"const unsigned int (\w+) = threadIdx.x \+ .*;\n  A_ptr\[\1\] = A_ptr\[\1\];", emitted(text))


def big(elements: int, scale: int, shift: int = 0) -> str:
    return kernel(
        f"""%scale = arith.constant {scale} : index
        %shift = arith.constant {shift} : index
        %0 = arith.muli %bx, %scale : index
        %1 = arith.addi %0, %shift : index
        %2 = arith.addi %1, %tx : index
        %v = memref.load %A[%2] : memref<{elements}xi8>
        memref.store %v, %A[%2] : memref<{elements}xi8>""",
        f"%A: memref<{elements}xi8>",
        grid=1 << 20,
    )


@pytest.mark.parametrize(
    ("scale", "shift", "wide"),
    [
        (2048, 0, False),
        (2048, 2016, False),
        (2048, 2017, True),
        (2048, -32, False),
        (4096, 0, True),
        (1 << 40, 0, True),
    ],
)
def test_wide_indices_exactly_where_the_range_needs_them(scale: int, shift: int, wide: bool) -> None:
    """The largest index is (2^20 - 1) * scale + shift + 31, which is 2^31 - 1 for 2048 and 2016."""
    largest = ((1 << 20) - 1) * scale + shift + 31
    assert (largest >= 2**31) == wide
    assert bool(re.search("long long|LL", emitted(big(largest + 1, scale, shift)))) == wide


def test_an_index_beyond_64_bits_is_refused() -> None:
    with pytest.raises(CompileError, match="64 bits do not hold"):
        emitted(big(100, 1 << 60))


def test_a_wide_index_is_computed_wide() -> None:
    """The cast stands before the product, not after it."""
    assert re.search(r"\(\(long long\)blockIdx\.x \* 4096\)", emitted(big(1 << 32, 4096)))


NAMES = {
    "A": True,
    "_a1": True,
    "A_buf": True,
    "float": False,
    "xor": False,
    "__x": False,
    "a b": False,
    "é": False,
    "": False,
}
NAMES |= {"a;system()": False, "threadIdx": False, "1a": False, "a" * 257: False}


@pytest.mark.parametrize(("name", "good"), NAMES.items())
def test_names_come_from_a_whitelist(name: str, good: bool) -> None:
    assert is_identifier(name) == good
    assert is_identifier(Names().fresh(name, "v"))
    if good:
        assert kernel_name(name) == f"{name}_kernel"
    else:
        with pytest.raises(CompileError, match="cannot name a kernel"):
            kernel_name(name)


def test_no_name_is_handed_out_twice() -> None:
    names = Names("taken")
    made = [names.fresh(hint, "v") for hint in ("taken", "taken", "x", "x", None, None, "if")]
    assert len({"taken", *made}) == 8


def test_a_kernel_named_after_c_is_refused() -> None:
    with pytest.raises(CompileError, match="'while' cannot name a kernel"):
        emitted(kernel("").replace("@f", "@while"))


def test_reserved_hints_are_changed() -> None:
    source = emitted(
        kernel("%float = memref.load %A[%tx] : memref<32xf32>\nmemref.store %float, %A[%c0] : memref<32xf32>")
    )
    assert "float float" not in source


def test_unknown_ops_types_and_sizes_are_refused() -> None:
    with pytest.raises(CompileError, match=r"does not know the op memref\.dealloc"):
        emitted(kernel("memref.dealloc %A : memref<32xf32>"))
    half = kernel(
        "%v = memref.load %A[%tx] : memref<32xf16>\n%w = arith.addf %v, %v : f16\n"
        "memref.store %w, %A[%tx] : memref<32xf16>",
        "%A: memref<32xf16>",
    )
    assert "#include <cuda_fp16.h>" in emitted(half)
    with pytest.raises(CompileError, match="host cannot compute with float8_e4m3fn"):
        emitted(half.replace("f16", "f8E4M3FN"), table=HOST)
    with pytest.raises(CompileError, match="60000 bytes of shared memory, a block has 49152"):
        emitted(
            kernel(
                '%s = memref.alloca() : memref<15000xf32, "shared">\nmemref.store %v, %s[%tx] : '
                'memref<15000xf32, "shared">\n%w = memref.load %s[%c0] : memref<15000xf32, "shared">\n'
                "memref.store %w, %A[%c0] : memref<32xf32>"
            ).replace("%block =", "%v = arith.constant 0.0 : f32\n  %block =")
        )


@pytest.mark.parametrize(
    "text",
    [
        Permute().text(),
        Permute(blocks=3, element="f16", rows=16, stride=512).text(),
        Permute(element="f8E4M3FN").text(),
        Permute(element="complex<f32>").text(),
        Transpose(64, element="f64").text(),
        kernel("", "%A: memref<32xf32>, %B: memref<32xf32>"),
        kernel("%v = memref.load %A[%tx] : memref<32xf32>"),
    ],
    ids=range(7),
)
def test_no_warnings(text: str) -> None:
    """No unused variable or parameter, no comparison of signs, nothing that -Wall -Wextra finds."""
    compile_host(parse_module(text), range(2 if "%B" in text else 1), ready(WARNINGS))


def test_no_warnings_of_what_runs_kernels() -> None:
    compile_cpp(runner(), ready((*WARNINGS, "-O0", "-c")))


@pytest.mark.hypothesis
@given(small_kernels())
@settings(max_examples=8)
def test_random_kernels_do_on_the_host_what_they_mean(small: Small) -> None:
    error, memory = small.run()
    if not error and not small.aliased:
        arrays = [np.array(range(-24, 0)), np.array(range(-24, 0))]
        got = run_both(small.text(), arrays, flags=())  # they have dead code
        assert [array.tolist() for array in got] == [memory["A"], memory["B"]]


def test_every_op_of_a_final_kernel_is_simulated_and_emitted() -> None:
    """But of whole primitives and buffers; the extents of a launch are known where the simulator runs it."""
    tile, known = set(TILE.operations) - {WarpSizeOp}, set(HANDLERS) | set(WAITS)  # the target's, before any stage
    assert tile <= known
    final = {op for op in tile if op in STAGES["final"].ops} - {InspectOp}
    assert set(STATEMENTS) == known - tile | final | {gpu.BlockDimOp, gpu.GridDimOp}


def test_an_empty_module_is_refused() -> None:
    with pytest.raises(CompileError, match="holds one function, this one holds 0"):
        emit(ModuleOp([]))
