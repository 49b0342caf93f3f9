"""A kernel that is wrong is refused where it is defined, with the place and the reason."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilewright.errors import KernelError
from tilewright.layout.symint import SymInt
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, SwizzleLayout, TileLayout

Kernel = Callable[..., Any]
CASES: list[Any] = []
SHAPE = (4, 32)
OPTIONS = {"extents": [1]}
RUN_TIME = TileLayout(S[(4, 32) : (SymInt("pitch"), 1)])
SMALLER = TileLayout(S[4, 16])
SWIZZLE = SwizzleLayout(3, 3, 3)
BELOW = TileLayout(S[(4, 32) : (-32, 1)])


class Other:
    """Something that no kernel can use."""


OTHER = Other()
MATRIX = np.zeros((2, 2))
MATRIX_MAKER = np.zeros


def refused(message: str, at: str) -> Callable[[Kernel], Kernel]:
    """The kernel is refused with that message, and the caret stands at that text."""

    def note(kernel: Kernel) -> Kernel:
        CASES.append(pytest.param(kernel, message, at, id=kernel.__name__))
        return kernel

    return note


@pytest.mark.parametrize(("kernel", "message", "at"), CASES)
def test_refused_with_place_and_reason(kernel: Kernel, message: str, at: str) -> None:
    with pytest.raises(KernelError) as caught:
        T.prim_func(kernel)
    assert message in str(caught.value)
    place = caught.value.location
    assert place is not None
    assert place.file == __file__
    assert place.text[place.column :].startswith(at)
    with open(__file__) as source:
        assert source.read().splitlines()[place.line - 1] == place.text


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


@refused("a warp has 32 lanes", at="T.lane_id")
def wide_warp():
    T.lane_id([64])


# ---- buffers


@refused("the layout TileLayout(S[(4, 16):(16, 1)]) has 64 elements, the shape (4, 32) has 128", at="T.match_buffer")
def layout_of_another_size(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=SMALLER)


@refused("reaches offset -96, below its buffer; add an offset of 96", at="T.match_buffer")
def layout_below_zero(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=BELOW)


@refused("the layout TileLayout(S[(4, 32):(?, 1)]) reaches a run-time offset", at="T.match_buffer")
def run_time_layout(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=RUN_TIME)


@refused("the shape of a buffer is made of constant integers", at="T.alloc_local")
def run_time_shape():
    for i in range(4):
        T.alloc_local((i, 4))


@refused("did you mean 'float32'", at="T.match_buffer")
def unknown_type(A: T.handle):
    T.match_buffer(A, SHAPE, "flaot32")


@refused("a layout is a TileLayout or a ComposeLayout, got 3", at="T.match_buffer")
def no_layout(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=3)


@refused("extents of at least 1", at="T.match_buffer")
def empty_buffer(A: T.handle):
    T.match_buffer(A, (4, 0))


@refused("T.match_buffer: missing a required argument: 'shape'", at="T.match_buffer")
def missing_argument(A: T.handle):
    T.match_buffer(A)


@refused("views a parameter of the kernel, got 3", at="T.match_buffer")
def match_a_number():
    T.match_buffer(3, SHAPE)


@refused("was matched with elements of type f32, not i32", at='T.match_buffer(A, SHAPE, "int32")')
def matched_twice(A: T.handle):
    T.match_buffer(A, SHAPE, "float32")
    T.match_buffer(A, SHAPE, "int32")


@refused("outside of loops", at="T.match_buffer")
def match_in_a_loop(A: T.handle):
    for _i in range(2):
        T.match_buffer(A, SHAPE)


@refused("not in 'global'; global memory comes in as a parameter, and data=A.data views it", at="T.alloc_buffer")
def alloc_global():
    T.alloc_buffer(SHAPE, "float32")


@refused("not in 'tmem'", at="T.decl_buffer")
def tensor_memory():
    T.decl_buffer(SHAPE, "float32", scope="tmem")


@refused("an array is aligned to 64 bytes, not 128; the pool aligns to up to 1024", at="T.alloc_buffer")
def aligned_array():
    T.alloc_buffer(SHAPE, "float32", scope="shared", align=128)


@refused("an offset places a view, with data=A.data", at="T.decl_buffer")
def offset_of_nothing():
    T.decl_buffer(SHAPE, "float32", scope="shared", elem_offset=4)


# ---- views


@refused("data is the memory of a buffer, A.data, got A", at="T.decl_buffer")
def view_of_a_buffer(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A)


@refused("A has elements of type float32, a view of it cannot have int32", at="T.decl_buffer")
def view_of_another_type(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "int32", data=A.data)


@refused("A lies in scope 'global', a view of it cannot lie in 'shared'", at="T.decl_buffer")
def view_in_another_scope(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A.data, scope="shared")


@refused("the view reaches 129 elements, the memory of A has 128", at="T.decl_buffer")
def view_beyond_its_memory(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A.data, elem_offset=1)


@refused("byte_offset=6 does not start an element of 32 bits", at="T.decl_buffer")
def askew_view(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data, byte_offset=6)


@refused("repeats after 512 elements; it cannot start 8 further on", at="T.decl_buffer")
def shifted_swizzle(A: T.Buffer((600,))):
    T.decl_buffer((8, 64), "float32", data=A.data, elem_offset=8, layout=SWIZZLE)


@refused("elem_offset is a constant of at least 0", at="T.decl_buffer")
def run_time_view(A: T.Buffer((4, 32))):
    for i in range(2):
        T.decl_buffer((4,), "float32", data=A.data, elem_offset=i)


@refused("cannot compute with Pointer", at="A.data + 4")
def pointer_arithmetic(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data + 4)


# ---- the pool


@refused("a kernel has one T.SMEMPool()", at="T.SMEMPool()")
def two_pools():
    T.SMEMPool()
    T.SMEMPool()


@refused("cannot go back to byte 0: 512 bytes are handed out, and its buffers do not overlap", at="pool.move_base_to")
def pool_that_goes_back():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32")
    pool.move_base_to(0)


@refused("cannot go back to byte 508", at="T.decl_buffer")
def place_that_is_taken():
    T.decl_buffer(SHAPE, "float32", scope="shared.dyn")
    T.decl_buffer(SHAPE, "float32", scope="shared.dyn", byte_offset=508)


@refused("byte_offset=2 is no multiple of 4, to which the buffer is aligned", at="T.decl_buffer")
def askew_place():
    T.decl_buffer(SHAPE, "float32", scope="shared.dyn", byte_offset=2)


@refused("align is a power of two up to 1024 bytes, got 48", at="pool.alloc")
def odd_alignment():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", align=48)


@refused("align is a power of two up to 1024 bytes, got 2048", at="pool.alloc")
def wide_alignment():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", align=2048)


@refused("512 bytes of the pool are handed out, more than the 511 committed", at="pool.commit")
def small_commit():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32")
    pool.commit(511)


@refused("the pool lies in scope=\"shared.dyn\", got 'local'", at="pool.alloc")
def pool_of_registers():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", scope="local")


@refused("the offset is a constant of at least 0", at="pool.move_base_to")
def run_time_place():
    pool = T.SMEMPool()
    for i in range(2):
        pool.move_base_to(i)


@refused("mode 3 (SWIZZLE_128B_ATOM) needs", at="pool.alloc_mma")
def narrow_tile():
    pool = T.SMEMPool()
    pool.alloc_mma((64, 32), "float16")


@refused("has no attribute 'free' in a kernel", at="pool.free")
def pool_without_free():
    pool = T.SMEMPool()
    pool.free()


@refused("cannot compute with", at="pool + 1")
def pool_arithmetic(A: T.Buffer((4, 32))):
    pool = T.SMEMPool()
    A[0, 0] = pool + 1


# ---- regions and elements


@refused("the region 2:6 does not lie in a dimension of extent 4", at="Tx.warp.permute_layout")
def region_outside(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[2:6], A)


@refused("the region of extent 5 does not lie", at="Tx.warp.permute_layout")
def moving_region_outside(A: T.Buffer((4, 32))):
    for s in range(2):
        Tx.warp.permute_layout(A[s : s + 5], A)


@refused("a region has no step", at="Tx.warp.permute_layout")
def stepping_region(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[0:4:2], A)


@refused("3 indices into A, a buffer of shape (4, 32)", at="Tx.warp.permute_layout")
def too_many_indices(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[0, 0, 0], A)


@refused("takes a buffer or a region of one, got 3", at="Tx.warp.permute_layout")
def permute_a_number(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(3, A)


@refused("missing a required argument: 'src'", at="Tx.warp.permute_layout")
def permute_one(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A)


@refused("the index 4 lies outside a dimension of extent 4", at="A[4, 0]")
def index_outside(A: T.Buffer((4, 32))):
    A[0, 0] = A[4, 0]


@refused("the index -1 lies outside", at="A[-1, 0]")
def negative_index(A: T.Buffer((4, 32))):
    A[-1, 0] = 0


@refused("1 indices into A, a buffer of shape (4, 32)", at="A[0] = 1")
def too_few_indices(A: T.Buffer((4, 32))):
    A[0] = 1


@refused("an index is an integer, got 1.5", at="A[1.5, 0]")
def real_index(A: T.Buffer((4, 32))):
    A[0, 0] = A[1.5, 0]


# ---- names and values


@refused("the name 'undefined' is not defined here", at="undefined")
def unknown_name(A: T.Buffer((4, 32))):
    A[0, 0] = undefined  # noqa: F821


@refused("'OTHER' is a Other; a kernel uses T and Tx functions", at="OTHER")
def foreign_object(A: T.Buffer((4, 32))):
    A[0, 0] = OTHER


@refused("'print' is not defined here", at="print")
def foreign_function():
    print(3)


@refused("'refused' is a function", at="refused")
def python_function():
    refused(3, 4)


@refused("'MATRIX' is a ndarray", at="MATRIX")
def captured_array(A: T.Buffer((4, 32))):
    A[0, 0] = MATRIX[0, 0]


@refused("T.paralel is unknown", at="T.paralel")
def unknown_function():
    for _i in T.paralel(4):
        pass


@refused("has no attribute 'strides'", at="A.strides")
def unknown_attribute(A: T.Buffer((4, 32))):
    A[0, 0] = A.strides


@refused("bound outside this loop or branch", at="total = total + 1")
def changing_name(A: T.Buffer((4, 32))):
    total = 0
    for _i in range(4):
        total = total + 1


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


@refused("outside (-2^63, 2^63)", at="4611686018427387904 * 4")
def huge_number(A: T.Buffer((4,))):
    A[4611686018427387904 * 4] = 0


@refused("cannot compute 1 << 99999999999", at="1 << 99999999999")
def huge_shift(A: T.Buffer((4,))):
    A[1 << 99999999999] = 0


@refused("cannot compute (1, 2) * 99999999999", at="(1, 2) * 99999999999")
def huge_tuple():
    T.cta_id((1, 2) * 99999999999)


# ---- statements


@refused("the statement While is not part of the kernel language", at="while")
def while_loop(A: T.Buffer((4,))):
    while True:
        A[0] = 0


@refused("the expression ListComp is not part of the kernel language", at="[i for")
def comprehension():
    T.cta_id([i for i in range(1)])  # noqa: C416


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


@refused("the comparison 'in' is not part", at="i in SHAPE")
def membership(A: T.Buffer((4,))):
    for i in range(4):
        if i in SHAPE:
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


@refused("reaches 3298534883332 elements of memory; a buffer has at most 2^31", at="T.alloc_local")
def gaps():
    T.alloc_local((4, 4), layout=TileLayout(S[(4, 4) : (2**40, 1)]))


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
