"""Functions of numbers and of bits: what they are by definition, and the same bits wherever kernels run."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from headers import ready
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.ops.functions import FLOATS, on_bits

THREADS = 64
Words = NDArray[np.uint32]


@T.prim_func
def floats(A: T.Buffer((64,), "float32"), B: T.Buffer((36, 64), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x = A[t]
    B[0, t] = T.exp(x)
    B[1, t] = T.exp2(x)
    B[2, t] = T.expm1(x)
    B[3, t] = T.log(x)
    B[4, t] = T.log2(x)
    B[5, t] = T.log10(x)
    B[6, t] = T.log1p(x)
    B[7, t] = T.sin(x)
    B[8, t] = T.cos(x)
    B[9, t] = T.tan(x)
    B[10, t] = T.tanh(x)
    B[11, t] = T.erf(x)
    B[12, t] = T.rsqrt(x)
    B[13, t] = T.sqrt(x)
    B[14, t] = T.fabs(x)
    B[15, t] = T.floor(x)
    B[16, t] = T.ceil(x)
    B[17, t] = T.trunc(x)
    B[18, t] = T.round(x)
    B[19, t] = T.nearbyint(x)
    B[20, t] = T.pow(x, A[63 - t])
    B[21, t] = T.copysign(x, A[63 - t])
    B[22, t] = T.cuda.__expf(x) + T.cuda.__logf(T.fabs(x) + 1.0) + T.cuda.__sinf(x) + T.cuda.__powf(2.0, x)
    B[23, t] = T.sigmoid(x) + T.cuda.fdividef(x, 3.0)
    r: T.float32 = 0.0
    T.ptx.ex2.approx.ftz.f32(r, x)
    s: T.float32 = 0.0
    T.ptx.rcp.approx.ftz.f32(s, r)
    B[24, t] = r + s
    B[25, t] = T.cuda.uint_as_float(T.cuda.float_as_uint(x)) + T.reinterpret("float32", 0x3F800000 + T.cast(t, "int32"))
    B[26, t] = T.sinh(x)
    B[27, t] = T.cosh(x)
    B[28, t] = T.asin(x)
    B[29, t] = T.acos(x)
    B[30, t] = T.atan(x)
    B[31, t] = T.asinh(x)
    B[32, t] = T.acosh(x)
    B[33, t] = T.atanh(x)
    B[34, t] = T.cbrt(x)
    B[35, t] = T.atan2(x, A[63 - t])


@T.prim_func
def narrow(A: T.Buffer((64,), "float16"), B: T.Buffer((4, 64), "float16"), C: T.Buffer((64,), "bfloat16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[0, t] = T.exp(A[t])
    B[1, t] = T.sqrt(A[t])
    B[2, t] = T.floor(A[t])
    B[3, t] = T.pow(A[t], 2.0)
    C[t] = T.tanh(C[t])


@T.prim_func
def words(U: T.Buffer((64,), "uint32"), V: T.Buffer((64,), "uint64"), C: T.Buffer((14, 64), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    u = U[t]
    v = U[63 - t]
    C[0, t] = T.popcount(u)
    C[1, t] = T.clz(u)
    C[2, t] = T.ffs(u)
    C[3, t] = T.cuda.__brev(u)
    C[4, t] = T.cuda.__funnelshift_l(u, v, U[3])
    C[5, t] = T.cuda.__funnelshift_r(u, v, U[t // 2])
    C[6, t] = T.cast(T.cuda.__popcll(V[t]) + T.cuda.__clzll(V[t]) + T.cuda.__ffsll(V[t]), "uint32")
    V[t] = T.cuda.__brevll(V[t])
    r: T.uint32 = 0
    T.ptx.popc.b32(r, u)
    C[7, t] = r
    C[8, t] = T.bitwise_xor(T.shift_left(u, 3), T.bitwise_and(v, 0xFF00))
    C[9, t] = T.cast(T.cuda.__ffs(T.cast(u, "int32")), "uint32")
    for i in range(10, 14):
        C[i, t] = 0


@T.prim_func
def bytes_(U: T.Buffer((64,), "uint32"), C: T.Buffer((6, 64), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    u = U[t]
    v = U[63 - t]
    C[0, t] = T.cuda.__byte_perm(u, v, U[t // 2])
    C[1, t] = T.prmt(u, v, U[t // 2])
    C[2, t] = T.lop3(u, v, U[t // 2], 0xE8)
    C[3, t] = T.cuda.__funnelshift_lc(u, v, U[t // 2] >> 26)
    C[4, t] = T.cuda.__funnelshift_rc(u, v, U[t // 2] >> 26)
    r: T.uint32 = 0
    T.ptx.prmt.b32(r, u, v, 0x3210)
    s: T.uint32 = 0
    T.ptx.lop3.b32(s, u, v, r, 0x96)
    C[5, t] = r ^ s


def numbers() -> NDArray[np.float32]:
    made = (np.random.default_rng(7).standard_normal(THREADS) * 6).astype(np.float32)
    made[:10] = 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, np.inf, -np.inf, 1e-40, 88.7
    return made


def arguments(kernel: PrimFunc) -> list[NDArray[np.generic]]:
    rng = np.random.default_rng(3)
    x, u = numbers(), rng.integers(0, 2**32, THREADS, dtype=np.uint32)
    u[:4] = 0, 1, 2**32 - 1, 37
    v = rng.integers(0, 2**64, THREADS, dtype=np.uint64)
    v[:3] = 0, 1 << 63, 1
    brain = x[::-1].astype(dtype("bfloat16").numpy())
    return {
        "floats": [x, np.zeros((36, THREADS), np.float32)],
        "narrow": [np.abs(x).astype(np.float16), np.zeros((4, THREADS), np.float16), brain],
        "words": [u, v, np.zeros((14, THREADS), np.uint32)],
        "bytes_": [u, np.zeros((6, THREADS), np.uint32)],
    }[kernel.name]


def run(kernel: PrimFunc, target: str) -> list[bytes]:
    arrays = arguments(kernel)
    tw.compile(kernel, target=target)(*arrays)
    return [bits(array) for array in arrays]


def bits(array: NDArray[np.generic]) -> bytes:
    """All of it; which NaN a function gives is not told."""
    plain = array.dtype.kind == "u"
    return array.tobytes() if plain else np.where(array != array, array.dtype.type(np.nan), array).tobytes()


KERNELS = pytest.mark.parametrize("kernel", [floats, narrow, words, bytes_], ids=lambda kernel: kernel.name)


@KERNELS
def test_the_same_bits_wherever_it_runs(kernel: PrimFunc) -> None:
    expected = run(kernel, "simulator")
    assert run(kernel, "host") == expected
    if kernel is not bytes_:  # what LLVM has no function for is refused by its name
        assert run(kernel, "host -compiler=llvmlite") == expected
    module, arrays = tw.compile(kernel).lowered().module, arguments(kernel)
    compile_host(module, range(len(arrays)), ready(WARNINGS)).run(bind(kernel_of(module), arrays))
    assert [bits(array) for array in arrays] == expected


@KERNELS
def test_every_stage_and_its_text_say_the_same(kernel: PrimFunc) -> None:
    compiled, found = tw.compile(kernel), []
    for stage in compiled.stages:
        arrays = arguments(kernel)
        compiled.simulate(*arrays, stage=stage)
        found.append([bits(array) for array in arrays])
        again = parse_module(compiled.ir(stage))
        assert script(again) == compiled.script(stage)
    assert found == [found[0]] * len(found)


@KERNELS
def test_nvrtc_takes_the_text(kernel: PrimFunc) -> None:
    compiled = tw.compile(kernel, target="cuda:sm_90a")
    assert isinstance(compiled, CompiledKernel)
    assert compiled.cubin.startswith(b"\x7fELF")
    assert ("__expf(" in compiled.source) == (kernel is floats)


# ---- floats, by definition


def value(name: str, *given: float, kind: type[np.generic] = np.float32) -> float:
    (function,) = (function for op, function in FLOATS.items() if op.name == f"math.{name}")
    return float(function(*(kind(x) for x in given)))  # type: ignore[call-arg]  # every scalar of numpy takes a float


FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(FINITE)
def test_whole_numbers_are_exact(x: float) -> None:
    low = Fraction(x).__floor__()
    assert value("floor", x) == float(np.float32(low))
    assert value("ceil", x) == float(np.float32(Fraction(x).__ceil__()))
    assert value("trunc", x) == float(np.float32(int(Fraction(x))))
    assert value("roundeven", x) == float(np.float32(round(Fraction(x))))
    half = abs(Fraction(x)) + Fraction(1, 2)
    assert abs(value("round", x)) == float(np.float32(half.__floor__()))


@given(st.floats(2.0**-100, 2.0**100, width=32))
def test_roots_and_logarithms_are_rounded_right(x: float) -> None:
    """Beside fifty decimal digits: what is given is the number of its type that lies nearest."""
    exact: list[tuple[str, Callable[[Decimal], Decimal]]] = [
        ("sqrt", Decimal.sqrt),
        ("rsqrt", lambda d: 1 / d.sqrt()),
        ("log", Decimal.ln),
        ("log10", Decimal.log10),
    ]
    with localcontext() as context:
        context.prec = 50
        for name, of in exact:
            found = np.float32(value(name, x))
            error = abs(Decimal(float(found)) - of(Decimal(x)))
            gap = abs(Decimal(float(np.nextafter(found, np.float32(np.inf)))) - Decimal(float(found)))
            assert error <= gap * Decimal("0.5001"), (name, x)


@given(st.floats(-80, 80, width=32))
def test_powers_are_rounded_right(x: float) -> None:
    with localcontext() as context:
        context.prec = 50
        for name, of in (("exp", Decimal.exp), ("exp2", lambda d: (d * Decimal(2).ln()).exp())):
            found = np.float32(value(name, x))
            error = abs(Decimal(float(found)) - of(Decimal(x)))
            gap = Decimal(float(np.nextafter(found, np.float32(np.inf)))) - Decimal(float(found))
            assert error <= gap * Decimal("0.5001"), (name, x)


# ---- bits, by definition

WORD = st.integers(0, 2**32 - 1)


def on(kind: str, *given: int, table: int = 0, size: int = 32) -> int:
    text = ", ".join(["%w"] * len(given))
    types = ", ".join([f"ui{size}"] * len(given))
    module = parse_module(
        f'func.func @f(%w: ui{size}) {{\n  %r = tile.bits "{kind}" {table} {text} : {types} -> ui{size}\n'
        "  func.return\n}"
    )
    (op,) = (op for op in module.walk() if op.name == "tile.bits")
    kind_ = np.uint64 if size == 64 else np.uint32
    return int(on_bits(op)(*(np.asarray(word, kind_) for word in given)))  # type: ignore[arg-type]  # it is that op


@given(WORD, st.integers(0, 2**64 - 1))
def test_counting_bits(x: int, long: int) -> None:
    for given_, size in ((x, 32), (long, 64), (x >> 20, 32), (0, 64), (1 << long % 64, 64)):
        text = f"{given_:0{size}b}"
        assert on("popc", given_, size=size) == text.count("1")
        assert on("clz", given_, size=size) == len(text) - len(text.lstrip("0"))
        assert on("ffs", given_, size=size) == (len(text) - len(text.rstrip("0")) + 1 if given_ else 0)
        assert on("brev", given_, size=size) == int(text[::-1], 2)


@given(WORD, WORD, WORD, st.integers(0, 255))
def test_choosing_bits(x: int, y: int, z: int, table: int) -> None:
    rows = zip(*(f"{word:032b}" for word in (x, y, z)), strict=True)
    assert on("lop3", x, y, z, table=table) == int("".join(str(table >> int("".join(row), 2) & 1) for row in rows), 2)
    both = (x | y << 32).to_bytes(8, "little")
    digits = [z >> 4 * place & 15 for place in range(4)]
    chosen = [both[digit & 7] for digit in digits]
    signs = [255 * (byte >> 7) if digit & 8 else byte for byte, digit in zip(chosen, digits, strict=True)]
    assert on("prmt", x, y, z) == int.from_bytes(bytes(signs), "little")


@given(WORD, WORD, st.integers(0, 80))
def test_shifting_two_words(low: int, high: int, by: int) -> None:
    both = high << 32 | low
    for clamps, name in ((False, ""), (True, "c")):
        count = min(by, 32) if clamps else by % 32
        assert on(f"shf_l{name}", low, high, by) == both << count >> 32 & 0xFFFFFFFF
        assert on(f"shf_r{name}", low, high, by) == both >> count & 0xFFFFFFFF


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A[t] = T.exp(1.0)", r"T\.exp takes a float of the kernel, such as T\.float32\(x\), got 1\.0"),
        ("A[t] = T.exp(t)", "T.exp takes a float of the kernel"),
        ("A[t] = T.exp(I[t])", "T.exp takes a float of the kernel"),
        ("A[t] = T.cuda.__expf(D[t])", "T.cuda.__expf takes a float32"),
        ("F[t] = T.exp(F[t])", "float8_e4m3fn elements can be moved, not computed on"),
        ("I[t] = T.popcount(A[t])", "takes integers of 32 bits"),
        ("I[t] = T.cuda.__popcll(I[t])", "takes integers of 64 bits"),
        ("I[t] = T.popcount(t)", "takes an integer of 32 or 64 bits"),
        ("I[t] = T.reinterpret('int32', D[t])", "takes an element of 32 bits"),
        ("A[t] = T.infinity('int32')", "takes a type of floats"),
        ("A[t] = T.cast(T.lop3(1, 2, 3, 256), 'float32')", "a constant of eight bits, got 256"),
        ("T.ptx.ex2.approx.f32(A, A[t])", "is the register that it sets"),
        ("T.ptx.ex2.aprox.f32(A[t], A[t])", "'aprox' is not one of its words, 'approx' is"),
    ],
)
def test_refusals(text: str, message: str, tmp_path: Path) -> None:
    source = f"""
from tilewright.script import tirx as T

@T.prim_func
def k(A: T.Buffer((64,), "float32"), I: T.Buffer((64,), "int32"), D: T.Buffer((64,), "float64"),
      F: T.Buffer((64,), "float8_e4m3fn")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    {text}
"""
    file = tmp_path / "kernel.py"
    file.write_text(source)
    with pytest.raises(KernelError, match=message):
        runpy.run_path(str(file))
