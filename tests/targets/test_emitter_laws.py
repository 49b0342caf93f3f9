"""The emitted text, op by op: what it does on the CPU is what the op means, whatever C types its operands have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest
from final_kernels import kernel
from headers import ready
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.errors import CompileError, OutOfBoundsError
from tilewright.ir.core import attributes
from tilewright.ir.text import parse_module
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.names import Names, is_identifier
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.host.compiler import WARNINGS, compile_host, compile_together, literal
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import simulate

FAST = (*WARNINGS, "-O0")  # to compile
TRAPPED = (*FAST, "-fno-wrapv", "-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")
THREADS = 32
Meaning = Callable[[int, int], int]


def wrapped(value: int, bits: int = 64) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def bits_of(value: int) -> int:
    return value % (1 << 64)


# ---- indices: C computes them in 32 bits or 64, with a sign or without

# A negative, a narrow and a wide one, and some that are loaded, of which nothing is known.
LEFT: Mapping[str, Callable[[int], int]] = {
    "tx": lambda t: t,
    "s": lambda t: t - 15,
    "w": lambda t: (t << 36) - (1 << 40),
    "m": lambda t: t * 7 % 40,
}
RIGHT: Mapping[str, Callable[[int], int]] = {
    "t1": lambda t: t + 1,
    "s1": lambda t: 2 * t - 31,
    "m1": lambda t: t * 7 % 40 + 1,
    "h": lambda t: ((t + 1) << 40) - (1 << 44) + 5,
    "three": lambda t: 3,
    "below": lambda t: -3,
    "far": lambda t: (1 << 40) + 5,
}
LEAVES = """
%fifteen = arith.constant 15 : index
%many = arith.constant 68719476736 : index
%low = arith.constant 1099511627776 : index
%odd = arith.constant 31 : index
%s = arith.subi %tx, %fifteen : index
%w0 = arith.muli %tx, %many : index
%w = arith.subi %w0, %low : index
%m0 = memref.load %M[%tx] : memref<32xi64>
%m = arith.index_cast %m0 : i64 to index
%t1 = arith.addi %tx, %c1 : index
%twice = arith.muli %tx, %c2 : index
%s1 = arith.subi %twice, %odd : index
%m1 = arith.addi %m, %c1 : index
%h0 = memref.load %H[%tx] : memref<32xi64>
%h = arith.index_cast %h0 : i64 to index
%three = arith.constant 3 : index
%below = arith.constant -3 : index
%far = arith.constant 1099511627781 : index
"""
RINGS: Mapping[str, Meaning] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minsi": min,
    "maxsi": max,
    "minui": lambda a, b: min(bits_of(a), bits_of(b)),
    "maxui": lambda a, b: max(bits_of(a), bits_of(b)),
}
DIVISIONS: Mapping[str, Meaning] = {
    "divsi": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "remsi": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divui": lambda a, b: bits_of(a) // bits_of(b),
    "remui": lambda a, b: bits_of(a) % bits_of(b),
    "ceildivui": lambda a, b: -(-bits_of(a) // bits_of(b)),
}
SHIFTS: Mapping[str, Meaning] = {
    "shli": lambda a, b: a << b,
    "shrsi": lambda a, b: a >> b,
    "shrui": lambda a, b: bits_of(a) >> b,
}
PREDICATES: Mapping[str, Meaning] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ult": lambda a, b: bits_of(a) < bits_of(b),
    "ule": lambda a, b: bits_of(a) <= bits_of(b),
    "ugt": lambda a, b: bits_of(a) > bits_of(b),
    "uge": lambda a, b: bits_of(a) >= bits_of(b),
}
BEYOND = {("muli", "w", "far")}  # 64 bits


def index_kernel(made: list[tuple[str, list[str]]]) -> str:
    """Stores what each name is, worked out by its lines."""
    size = len(made) * THREADS
    lines = [LEAVES]
    for i, (name, own) in enumerate(made):
        lines += [
            *own,
            f"%v{i} = arith.index_cast {name} : index to i64",
            f"%o{i} = arith.constant {i * THREADS} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"memref.store %v{i}, %A[%p{i}] : memref<{size}xi64>",
        ]
    return kernel("\n".join(lines), f"%M: memref<32xi64>, %H: memref<32xi64>, %A: memref<{size}xi64>")


def same_indices(cases: list[tuple[list[str], list[int]]]) -> None:
    """The last name that each of the lines defines has these values."""
    made = [(lines[-1].split()[0], lines) for lines, _ in cases]
    module = parse_module(index_kernel(made))
    loaded = [np.array([f(t) for t in range(THREADS)]) for f in (LEFT["m"], RIGHT["h"])]
    arrays = [*loaded, np.zeros(len(cases) * THREADS, np.int64)]
    compile_host(module, range(3), ready(FAST)).run(bind(kernel_of(module), arrays))
    found = arrays[2].reshape(-1, THREADS).tolist()
    wrong = [lines[-1] for (lines, expected), values in zip(cases, found, strict=True) if values != expected]
    assert not wrong, wrong[:8]


def test_indices_of_every_kind_by_every_op() -> None:
    cases = []
    for table in (RINGS, DIVISIONS, SHIFTS):
        for op, a, b in product(table, LEFT, ("tx", "m", "three") if table is SHIFTS else RIGHT):
            if (op, a, b) not in BEYOND:
                pairs = [(LEFT[a](t), {**LEFT, **RIGHT}[b](t)) for t in range(THREADS)]
                lines = [f"%{op}_{a}_{b} = arith.{op} %{a}, %{b} : index"]
                cases.append((lines, [wrapped(table[op](x, y)) for x, y in pairs]))
    same_indices(cases)


def test_indices_of_every_kind_compared_and_chosen() -> None:
    cases = []
    for name, a, b in product(PREDICATES, LEFT, RIGHT):
        pairs = [(LEFT[a](t), RIGHT[b](t)) for t in range(THREADS)]
        lines = [f"%c_{name}_{a}_{b} = arith.cmpi {name}, %{a}, %{b} : index"]
        lines.append(f"%s_{name}_{a}_{b} = arith.select %c_{name}_{a}_{b}, %{a}, %{b} : index")
        cases.append((lines, [x if PREDICATES[name](x, y) else y for x, y in pairs]))
    same_indices(cases)


@pytest.mark.parametrize(("end", "step", "wide"), [(-1, 1, False), (-1, 2, True), (-3, 3, False), (0, 1, True)])
def test_a_counter_holds_the_first_number_beyond_its_loop(end: int, step: int, wide: bool) -> None:
    """By the greatest that it may have within: one below the end."""
    body = f"""%e = arith.constant {(1 << 31) + end} : index
      scf.for %i = %tx to %e step %c{step} {{ memref.store %x, %A[%tx] : memref<32xf32> }}"""
    text = source(body, "%A: memref<32xf32>, %x: f32")
    assert ("for (long long i = " in text, "for (int i = " in text) == (wide, not wide)


# ---- elements: the text overflows nowhere, and has the type of its element


def elements_kernel(bits: int, real: str) -> str:
    kind, lines = (
        f"i{bits}",
        [f"%a = memref.load %A[%tx] : memref<32xi{bits}>", f"%b = memref.load %B[%tx] : memref<32xi{bits}>"],
    )
    for i, op in enumerate(RINGS):
        lines += [
            f"%x{i} = arith.{op} %a, %b : {kind}",
            f"%f{i} = arith.bitcast %x{i} : {kind} to {real}",
            f"%y{i} = arith.bitcast %f{i} : {real} to {kind}",
            f"%o{i} = arith.constant {i * THREADS} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"memref.store %y{i}, %C[%p{i}] : memref<{len(RINGS) * THREADS}x{kind}>",
        ]
    parameters = f"%A: memref<32x{kind}>, %B: memref<32x{kind}>, %C: memref<{len(RINGS) * THREADS}x{kind}>"
    return kernel("\n".join(lines), parameters)


@pytest.mark.parametrize(("bits", "real"), [(16, "f16"), (32, "f32"), (64, "f64")])
def test_elements_wrap_and_nothing_overflows(bits: int, real: str) -> None:
    """On processors on which it is an error; what is made of bits has as many."""
    kind, top = np.dtype(f"int{bits}"), 1 << bits - 1
    some = [0, 1, -1, 2, -2, 7, top - 1, -top, top - 2, -top + 1, top // 3, -top // 3, 3, -5, 100, top // 2]
    left, right = some * 2, some[::-1] + some[5:] + some[:5]
    arrays = [np.array(left, kind), np.array(right, kind), np.zeros(THREADS * len(RINGS), kind)]
    module = parse_module(elements_kernel(bits, real))
    compile_host(module, range(3), TRAPPED).run(bind(kernel_of(module), arrays))
    natural = {"minui", "maxui"}
    assert arrays[2].tolist() == [
        wrapped(f(a % (1 << bits), b % (1 << bits)) if op in natural else f(a, b), bits)
        for op, f in RINGS.items()
        for a, b in zip(left, right, strict=True)
    ]


@pytest.mark.parametrize(("kind", "word"), [("f32", "fmaf("), ("f64", "fma("), ("f16", "__hfma("), ("bf16", "__hfma(")])
def test_a_fused_product_is_of_its_type(kind: str, word: str) -> None:
    body = f"%v = memref.load %A[%tx] : memref<32x{kind}>\n%x = math.fma %v, %v, %v : {kind}"
    assert f" {word}" in source(f"{body}\nmemref.store %x, %A[%tx] : memref<32x{kind}>", f"%A: memref<32x{kind}>")


def source(body: str, parameters: str, **options: Any) -> str:
    return emit(parse_module(kernel(body, parameters)), **options).source


def test_a_constant_is_rounded_once() -> None:
    """To its own type: by way of `float` this one would become 1."""
    value = 1 + 2.0**-11 + 2.0**-30
    text = source(
        f"%v = arith.constant {value!r} : f16\nmemref.store %v, %A[%tx] : memref<32xf16>", "%A: memref<32xf16>"
    )
    assert f"(__half){float(np.float16(value))}f" in text


# ---- kernels whose text is run beside the simulator, all as one program


def whole(body: str, *kinds: str, threads: int = 32) -> ModuleOp:
    parameters = ", ".join(f"%{name}: memref<{threads}x{kind}>" for name, kind in zip("ABCD", kinds, strict=False))
    return parse_module(kernel(body, parameters, threads))


def pooled(module: ModuleOp, size: int) -> ModuleOp:
    kernel_of(module).attributes[attributes.POOL] = IntegerAttr(size, i64)
    return module


ONE = """%x = memref.load %A[%tx] : memref<32xi32>
%one = arith.constant 1 : i32
%most = arith.constant 40 : i32
"""
STORED = "memref.store %r, %A[%tx] : memref<32xi32>"
WHILES = {
    "a condition alone": f"""{ONE}%r = scf.while (%a = %x) : (i32) -> i32 {{
          %is = arith.cmpi slt, %a, %most : i32
          scf.condition(%is) %a : i32
        }} do {{
        ^bb0(%c: i32):
          %d = arith.addi %c, %one : i32
          %e = arith.addi %d, %c : i32
          scf.yield %e : i32
        }}
        {STORED}""",
    "what only a turn knows": f"""{ONE}%r = scf.while (%a = %x) : (i32) -> i32 {{
          %l = memref.load %B[%tx] : memref<32xi32>
          %y = arith.addi %a, %l : i32
          %u = arith.muli %y, %l : i32
          %is = arith.cmpi slt, %u, %most : i32
          scf.condition(%is) %y : i32
        }} do {{
        ^bb0(%c: i32):
          %e = arith.addi %c, %c : i32
          scf.yield %e : i32
        }}
        {STORED}""",
    "a load at each turn": f"""{ONE}%r = scf.while (%a = %x) : (i32) -> i32 {{
          %l = memref.load %B[%tx] : memref<32xi32>
          %u = arith.muli %l, %l : i32
          %is = arith.cmpi slt, %u, %most : i32
          scf.condition(%is) %a : i32
        }} do {{
        ^bb0(%c: i32):
          %l2 = memref.load %B[%tx] : memref<32xi32>
          %n = arith.addi %l2, %one : i32
          memref.store %n, %B[%tx] : memref<32xi32>
          %e = arith.addi %c, %n : i32
          scf.yield %e : i32
        }}
        {STORED}""",
    "two change places": f"""{ONE}%r, %s = scf.while (%a = %x, %b = %most) : (i32, i32) -> (i32, i32) {{
          %is = arith.cmpi slt, %a, %b : i32
          scf.condition(%is) %a, %b : i32, i32
        }} do {{
        ^bb0(%c: i32, %d: i32):
          %e = arith.addi %c, %c : i32
          %f = arith.addi %e, %one : i32
          %g = arith.subi %d, %one : i32
          %h = arith.addi %f, %g : i32
          %k = arith.subi %h, %f : i32
          %m = arith.subi %h, %g : i32
          scf.yield %m, %k : i32, i32
        }}
        {STORED}
        memref.store %s, %B[%tx] : memref<32xi32>""",
}
TABLES = """%at = arith.andi %tx, %c3 : index
%v0 = tile.lookup [0, 3, 255, 7][%at]
%v1 = tile.lookup [0, 256, 255, 7][%at]
%v2 = tile.lookup [0, -1, 255, 7][%at]
%v3 = tile.lookup [0, 65536, 255, 7][%at]
%v4 = tile.lookup [0, 65535, 255, -7][%at]
%v5 = tile.lookup [0, 3, 255, 7][%c2]
%v6 = tile.lookup [1, 3, 4294967296, 7][%at]
%s0 = arith.addi %v0, %v1 : index
%s1 = arith.muli %s0, %v2 : index
%s2 = arith.subi %s1, %v3 : index
%s3 = arith.addi %s2, %v4 : index
%s4 = arith.muli %s3, %v5 : index
%s5 = arith.xori %s4, %v6 : index
%r = arith.index_cast %s5 : index to i64
memref.store %r, %A[%tx] : memref<32xi64>"""
POOL = """%P = memref.alloca() {tile.offset = 0 : i64} : memref<32xi32, "shared">
%Q = memref.alloca() {tile.offset = 128 : i64} : memref<32xi32, "shared">
%x = memref.load %A[%tx] : memref<32xi32>
%y = arith.addi %x, %x : i32
memref.store %x, %P[%tx] : memref<32xi32, "shared">
memref.store %y, %Q[%tx] : memref<32xi32, "shared">
tile.sync "cta"
%z = arith.xori %tx, %c1 : index
%v = memref.load %P[%z] : memref<32xi32, "shared">
%w = memref.load %Q[%z] : memref<32xi32, "shared">
memref.store %v, %A[%tx] : memref<32xi32>
memref.store %w, %B[%tx] : memref<32xi32>"""
VOTES = """%is = arith.cmpi ult, %tx, %c5 : index
%b = tile.vote "ballot" %is : ui32
%n = builtin.unrealized_conversion_cast %b : ui32 to i32
%any = tile.vote "any" %is : i1
%all = tile.vote "all" %is : i1
%p = arith.extui %any : i1 to i32
%q = arith.extui %all : i1 to i32
%r = arith.addi %p, %n : i32
%s = arith.subi %r, %q : i32
memref.store %s, %A[%tx] : memref<32xi32>"""
SWAPPED = """%x = memref.load %A[%tx] : memref<32xi32>
%zero = arith.constant 0 : i32
%seven = arith.constant 7 : i32
%o = tile.atomic_cas "acq_rel" "gpu" %zero, %seven, %B[%tx] : i32, i32, memref<32xi32> -> i32
%n = tile.atomic_cas "relaxed" "gpu" %seven, %x, %B[%c0] : i32, i32, memref<32xi32> -> i32
memref.store %o, %A[%tx] : memref<32xi32>"""
SAME_NAMES = """%tw_min = memref.load %A[%tx] : memref<32xi32>
%f_kernel = arith.constant 7 : i32
%v = arith.minsi %tw_min, %f_kernel : i32
memref.store %v, %A[%tx] : memref<32xi32>
memref.store %tw_min, %B[%tx] : memref<32xi32>"""
TOGETHER = {
    **{name: whole(text, "i32", "i32") for name, text in WHILES.items()},
    "tables": whole(TABLES, "i64"),
    "pool": pooled(whole(POOL, "i32", "i32"), 256),
    "votes": whole(VOTES, "i32"),
    "swapped": whole(SWAPPED.replace("%B[%c0]", "%B[%tx]"), "i32", "i32"),
    "same names": whole(SAME_NAMES, "i32", "i32"),
}


def test_text_does_what_the_simulator_does() -> None:
    given = {
        name: [np.arange(THREADS) % 7 + 1 + number for number, parameter in enumerate(args(module))]
        for name, module in TOGETHER.items()
    }
    parts = [literal(module) for module in TOGETHER.values()]
    made = compile_together(parts, FAST)
    for (name, module), one in zip(TOGETHER.items(), made, strict=True):
        arrays = [
            array.astype(dtype(str(parameter.type.element_type)).numpy())
            for array, parameter in zip(given[name], args(module), strict=True)
        ]
        ours, theirs = ([array.copy() for array in arrays] for _ in range(2))
        simulate(module, ours)
        one.run(bind(kernel_of(module), theirs))
        assert [array.tolist() for array in ours] == [array.tolist() for array in theirs], name


def args(module: ModuleOp) -> Any:
    return kernel_of(module).body.block.args


# ---- orders, names, and what has no text


FENCE = {"cta": "__threadfence_block();", "gpu": "__threadfence();", "sys": "__threadfence_system();"}
CHANGES = {
    "swap": '%o = tile.atomic_cas "{order}" "{scope}" %x, %x, %A[%tx] : i32, i32, memref<32xi32> -> i32',
    "addition": '%o = tile.atomic "add" %x, %A[%tx] {{WORDS}} : i32, memref<32xi32> -> i32'.replace(
        "WORDS", 'order = "{order}", scope = "{scope}"'
    ),
}


@pytest.mark.parametrize("scope", FENCE)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("order", ["relaxed", "acquire", "release", "acq_rel"])
def test_fences_stand_before_what_releases_and_behind_what_acquires(order: str, change: str, scope: str) -> None:
    body = f"%x = arith.constant 3 : i32\n{CHANGES[change].format(order=order, scope=scope)}"
    lines = [line.strip() for line in source(body, "%A: memref<32xi32>").splitlines()]
    (at,) = (i for i, line in enumerate(lines) if line.startswith(("tw_swap(", "atomicAdd(")))
    assert (lines[at - 1] == FENCE[scope]) == (order in ("release", "acq_rel"))
    assert (lines[at + 1] == FENCE[scope]) == (order in ("acquire", "acq_rel"))
    assert lines.count(FENCE[scope]) == {"relaxed": 0, "acq_rel": 2}.get(order, 1)


@pytest.mark.parametrize("order", ["relaxed", "acquire", "release", "acq_rel"])
def test_fences_around_neighbours_that_are_changed_together(order: str) -> None:
    change = (
        f'%o, %p = tile.atomic_vector "add" "{order}" "gpu" (%x, %x) %A[%c0] : (f32, f32) memref<32xf32> -> f32, f32'
    )
    lines = [line.strip() for line in source(change, "%A: memref<32xf32>, %x: f32").splitlines()]
    (at,) = (i for i, line in enumerate(lines) if line.startswith("tw_add_v2_f32("))
    fences = [i < at for i, line in enumerate(lines) if line == FENCE["gpu"]]
    assert fences == {"relaxed": [], "acquire": [False], "release": [True], "acq_rel": [True, False]}[order]


def test_what_is_printed_is_no_format() -> None:
    text = source('%x = arith.constant 3 : i32\ntile.print "100%% of %d: %%d" (%x) : (i32)', "%A: memref<32xf32>")
    assert 'printf("100%% of %lld: %%d", ' in text


@pytest.mark.parametrize("kind", ["i8", "i16", "f16"])
def test_ordered_accesses_are_of_words(kind: str) -> None:
    load = f'%o = tile.atomic_load "acquire" "gpu" %A[%tx] : memref<32x{kind}> -> {kind}'
    with pytest.raises(CompileError, match="32 or 64 bits, not "):
        source(load, f"%A: memref<32x{kind}>")


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_only_integers_are_compared_and_swapped(kind: str) -> None:
    swap = f'%o = tile.atomic_cas "relaxed" "gpu" %x, %x, %A[%tx] : {kind}, {kind}, memref<32x{kind}> -> {kind}'
    with pytest.raises(CompileError, match="compare and swap of integers"):
        source(swap, f"%A: memref<32x{kind}>, %x: {kind}")


def test_a_name_that_is_too_long_with_its_ending_is_shortened() -> None:
    names, long = Names(), "a" * 256
    assert is_identifier(long)
    made = [names.fresh(hint, "v", suffix) for hint in (long, long, long[1:]) for suffix in ("", "_ptr")]
    assert all(map(is_identifier, made))
    assert len(set(made)) == 6


def test_registers_that_no_stack_holds_are_not_put_there() -> None:
    """From a megabyte of all arrays together on, where threads are loops."""
    for elements, large in ((1 << 17, False), ((1 << 17) + 1, True)):
        kind = f'memref<{elements}xf64, "local">'
        moved = f"%v = memref.load %R[%tx] : {kind}\nmemref.store %v, %A[%tx] : memref<32xf64>"
        body = f"%R = memref.alloca() : {kind}\n{moved}"
        assert ("static thread_local double" in source(body, "%A: memref<32xf64>", table=HOST)) == large


@T.prim_func
def beyond(A: T.Buffer((4, 8), "int32"), B: T.Buffer((64,), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    tx, ty = T.thread_id([8, 4])
    s = T.alloc_shared((4, 8), "int32")
    s[ty, tx] = A[ty, tx]
    T.cuda.cta_sync()
    B[ty * 8 + tx] = s[(ty + 1) % 4, tx + T.cast(B[5] == 0, "int32") * (ty // 3)]


def test_the_host_names_the_thread_also_behind_a_barrier() -> None:
    with pytest.raises(OutOfBoundsError, match=r"block \(0,0,0\) thread \(7,3,0\)"):
        tw.compile(beyond, target="host")(np.zeros((4, 8), np.int32), np.zeros(64, np.int32))
