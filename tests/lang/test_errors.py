"""A kernel that is wrong is refused where it is defined, with the place and the reason."""

from __future__ import annotations

import runpy
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from refusals import Kernel, check_refused, refusals

from tilewright.errors import KernelError
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx

CASES: list[Any] = []
SHAPE = (4, 32)
OPTIONS = {"extents": [1]}


class Other:
    """Something that no kernel can use."""


OTHER = Other()
MATRIX = np.zeros((2, 2))
MATRIX_MAKER = np.zeros


refused = refusals(CASES)


@pytest.mark.parametrize(("kernel", "message", "at"), CASES)
def test_refused_with_place_and_reason(kernel: Kernel, message: str, at: str) -> None:
    check_refused(kernel, message, at)


def test_a_kernel_is_a_function_with_a_source() -> None:
    for wrong in (3, Other, print):
        with pytest.raises(KernelError, match="a kernel is a plain function"):
            T.prim_func(wrong)
    with pytest.raises(KernelError, match="written with `def`"):
        T.prim_func(lambda A: None)


def test_a_function_without_a_file_has_no_source() -> None:
    made: dict[str, Any] = {}
    code = compile("def f(A): pass", "<nowhere>", "exec")
    exec(code, made)  # the only way to make a function without a source
    with pytest.raises(KernelError, match="define it in a file"):
        T.prim_func(made["f"])


def test_deep_expressions_end_in_an_error(tmp_path: Path) -> None:
    deep = " + ".join(["A[0]"] * 700)
    file = tmp_path / "deep.py"
    file.write_text(
        f"from tilewright.script import tirx as T\n@T.prim_func\ndef f(A: T.Buffer((4,))):\n    A[0] = {deep}\n"
    )
    with pytest.raises(KernelError, match="nests expressions too deeply"):
        runpy.run_path(str(file))


def test_the_language_is_read_not_run() -> None:
    with pytest.raises(KernelError, match=r"T\.serial has a meaning only inside a kernel"):
        T.serial(4)
    with pytest.raises(KernelError, match=r"T\.warp\.permute_layout has a meaning only inside"):
        T.warp.permute_layout(1, 2)
    with pytest.raises(AttributeError, match=r"no T\.paralel"):
        T.paralel
    with pytest.raises(AttributeError, match=r"T\.tile has no 'wrap'"):
        Tx.wrap.permute_layout


def test_a_kernel_is_compiled_before_it_is_called() -> None:
    @T.prim_func
    def f(A: T.handle):
        T.match_buffer(A, SHAPE)
        T.cta_id([1])
        T.thread_id([32])

    with pytest.raises(KernelError, match="compile it first"):
        f(np.zeros(128))


# ---- parameters and the launch


@refused("the parameter 'A' needs the annotation T.handle", at="A")
def no_annotation(A):
    pass


@refused("a kernel's parameters are plain names", at="def")
def default(A: T.handle = None):
    pass


@refused("the parameter 'B' is never viewed", at="def")
def unused(A: T.handle, B: T.handle):
    T.match_buffer(A, SHAPE)


@refused("says nothing of its launch: T.cta_id([n]) is missing", at="def")
def no_launch(A: T.handle):
    T.match_buffer(A, SHAPE)


@refused("launch extents [64] contradict [32, 1, 1]", at="T.thread_id([64])")
def two_launches():
    T.thread_id([32])
    T.thread_id([64])


@refused("one to three extents of at least 1, got [0]", at="T.cta_id")
def empty_launch():
    T.cta_id([0])


@refused("64 lanes of a warp contradict 32, given before", at="T.lane_id([64])")
def two_warp_sizes():
    T.lane_id([32])
    T.lane_id([64])


@refused("a warpgroup has 4 warps, got 8", at="T.warp_id_in_wg([8])")
def wide_group():
    T.warp_id_in_wg([8])


# ---- names and values


@refused("the name 'undefined' is not defined here", at="undefined")
def unknown_name(A: T.Buffer((4, 32))):
    A[0, 0] = undefined  # noqa: F821


@refused("cannot store <", at="A[0, 0] = OTHER")
def foreign_object(A: T.Buffer((4, 32))):
    A[0, 0] = OTHER


@refused("'print' is not defined here", at="print")
def foreign_function():
    print(3)


@refused("'dedent' is a function", at="dedent")
def python_function():
    dedent("x")


@refused("MATRIX[2, 0] cannot be read: IndexError", at="MATRIX[2, 0]")
def captured_array(A: T.Buffer((4, 32))):
    A[0, 0] = MATRIX[2, 0]


@refused("T.paralel is unknown", at="T.paralel")
def unknown_function():
    for _i in T.paralel(4):
        pass


@refused("has no attribute 'strides'", at="A.strides")
def unknown_attribute(A: T.Buffer((4, 32))):
    A[0, 0] = A.strides


@refused("bound outside this loop or branch", at="view = A")
def changing_name(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
    view = B
    for _i in range(4):
        view = A
    A[0, 0] = view[0, 0]


@refused("'total' begins as an index and is float32 at the end of a turn", at="for _i in range(4):")
def changing_type(A: T.Buffer((4, 32))):
    total = 0
    for _i in range(4):
        total = A[0, 0]
    A[0, 0] = total


@refused("say its type: T.float32(0.0)", at="for _i in range(4):")
def changing_float(A: T.Buffer((4, 32))):
    total = 0.0
    for _i in range(4):
        total = A[0, 0]
    A[0, 0] = total


@refused("the name 'inner' is not defined here", at="inner")
def name_of_a_loop(A: T.Buffer((4, 32))):
    for i in range(4):
        inner = i
    A[inner, 0] = 0


@refused("operands of types float32 and int32; write T.cast(value, 'float32')", at="A[0] + B[0]")
def two_types(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    A[0] = A[0] + B[0]


@refused("a value of type int32 into a buffer of float32", at="A[0] = B[0]")
def store_of_another_type(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    A[0] = B[0]


@refused("an index meets a float32; write T.cast(index, 'float32')", at="A[i] * i")
def index_and_real(A: T.Buffer((4,), "float32")):
    for i in range(4):
        A[i] = A[i] * i


@refused("the number 300 does not fit uint8, which holds 0 to 255", at="A[0] = 300")
def too_large(A: T.Buffer((4,), "uint8")):
    A[0] = 300


@refused("the number 1.5 is no int32", at="A[0] = 1.5")
def real_into_integer(A: T.Buffer((4,), "int32")):
    A[0] = 1.5


@refused("'/' is not defined on an index; `//` divides indices", at="i / 2")
def divided_index(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i / 2] = 0


@refused("'%' is not defined on float32", at="A[0] % 2")
def real_modulo(A: T.Buffer((4,), "float32")):
    A[0] = A[0] % 2


@refused("float8_e4m3fn elements can be moved, not computed on", at="A[0] + A[1]")
def narrow_sum(A: T.Buffer((4,), "e4m3fn")):
    A[0] = A[0] + A[1]


@refused("a condition is a comparison, got", at="if A[0]:")
def number_as_condition(A: T.Buffer((4,), "float32")):
    if A[0]:
        A[0] = 0


@refused("cannot compute 1 // 0", at="1 // 0")
def division_by_zero(A: T.Buffer((4,))):
    A[1 // 0] = 0


@refused("an index // 0 is not defined", at="i // 0")
def index_division_by_zero(A: T.Buffer((4,))):
    for i in range(4):
        A[i // 0] = 0


@refused("an index << 64 is not defined", at="i << 64")
def index_shifted_out(A: T.Buffer((4,))):
    for i in range(4):
        A[i << 64] = 0


@refused("leaves 64 bits", at="i * 2**40 * 2**40")
def huge_factor(A: T.Buffer((4,))):
    for i in range(4):
        A[i * 2**40 * 2**40] = 0


@refused("outside (-2^63, 2^64)", at="4611686018427387904 * 4")
def huge_number(A: T.Buffer((4,))):
    A[4611686018427387904 * 4] = 0


@refused("cannot compute 1 << 99999999999", at="1 << 99999999999")
def huge_shift(A: T.Buffer((4,))):
    A[1 << 99999999999] = 0


@refused("cannot compute (1, 2) * 99999999999", at="(1, 2) * 99999999999")
def huge_tuple():
    T.cta_id((1, 2) * 99999999999)


# ---- statements


@refused("`while True` without `break` never ends", at="while")
def while_loop(A: T.Buffer((4,))):
    while True:
        A[0] = 0


@refused("the expression SetComp is not part of the kernel language", at="{i for")
def comprehension():
    T.cta_id({i for i in range(1)})  # noqa: C416


@refused("a list is made over constant bounds", at="[t + i for")
def comprehension_over_run_time_bounds():
    T.cta_id([1])
    t = T.thread_id([4])
    T.meta_var([t + i for i in range(t)])


@refused("what is in a list is known while the kernel is read", at="[i for")
def comprehension_with_a_run_time_condition():
    T.cta_id([1])
    t = T.thread_id([4])
    T.meta_var([i for i in range(4) if t > i])


@refused("a list is made of at most 4096 turns of its loops", at="[i for")
def long_comprehension():
    T.cta_id([i for i in range(5000) for j in range(5000) if i + j < 0])


@refused("a list is made over range(..) or a tuple, got 3", at="[i for")
def comprehension_over_a_number():
    T.cta_id([i for i in 3])  # noqa: C416


@refused("a loop runs over range(..), T.serial(..)", at="for i in SHAPE")
def loop_over_a_tuple():
    for i in SHAPE:  # noqa: B007
        pass


@refused("this loop has 2 variables, got i", at="for i in")
def one_variable_of_two():
    for i in T.grid(2, 3):  # noqa: B007
        pass


@refused("a loop's step is a constant of at least 1, got 0", at="for _i in")
def no_step():
    for _i in range(0, 4, 0):
        pass


@refused("T.unroll needs constant bounds", at="for _j in")
def unrolled_run_time():
    for i in range(4):
        for _j in T.unroll(i):
            pass


@refused("an expression alone does nothing", at="A[0]")
def lonely_expression(A: T.Buffer((4,))):
    A[0]


@refused("write the arguments out", at="T.cta_id")
def starred_arguments():
    T.cta_id(**OPTIONS)


@refused("only names and elements of buffers can be assigned", at="A.x = 3")
def assigned_attribute(A: T.Buffer((4,))):
    A.x = 3


@refused("2 names for (1, 2, 3)", at="a, b = ")
def unpacked(A: T.Buffer((4,))):
    a, b = (1, 2, 3)  # noqa: F841


@refused("T.handle cannot be called here", at="T.handle()")
def called_annotation():
    T.handle()


@refused("`in` asks of texts, tuples and dicts, got A", at="i in A")
def membership(A: T.Buffer((4,))):
    for i in range(4):
        if i in A:
            A[i] = 0


@refused("`*` spreads a tuple, got 3", at="(1, *3)")
def spread_number():
    T.cta_id((1, *3))


@refused("the number 1e+39 does not fit float32", at="A[1] * 1e39")
def beyond_float32(A: T.Buffer((4,))):
    A[0] = A[1] * 1e39


@refused("the number 1000000.0 does not fit float16", at="T.float16")
def beyond_float16(A: T.Buffer((4,))):
    A[0] = T.cast(T.float16(1e6), "float32")


@refused("the number 500.0 does not fit float8_e4m3fn: it would become nan", at="A[0]")
def beyond_float8(A: T.Buffer((4,), "float8_e4m3fn")):
    A[0] = 500.0


@refused("the number inf is no int32; write an integer", at="T.int32")
def infinite_integer(A: T.Buffer((4,), "int32")):
    A[0] = T.int32("inf")


@refused("there are no numbers of type complex64", at="A[0]")
def complex_number(A: T.Buffer((4,), "complex64")):
    A[0] = 1.0


@refused("T.warp_id takes one extent of at least 1, got (1, 1)", at="T.warp_id")
def warps_of_two_dimensions():
    T.warp_id((1, 1))


@refused("a launch extent is made of constant integers, got (tx of type index,)", at="T.cta_id")
def launch_of_a_thread():
    tx = T.thread_id([32])
    T.cta_id([tx])


@refused("T.serial: missing a required argument: 'start'", at="for _i in")
def no_bounds():
    for _i in T.serial():
        pass


@refused("'MATRIX_MAKER' is a builtin_function_or_method", at="MATRIX_MAKER")
def numpy_function():
    MATRIX_MAKER(3)
