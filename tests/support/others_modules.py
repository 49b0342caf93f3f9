"""Modules as users of FlyDSL have them, each with what it is launched with and what numpy says that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from fly_runs import Launch, Memory
from fly_text import typed

from tilewright.dtypes import dtype

Array = np.ndarray[Any, np.dtype[Any]]
P, B, COPY = "!fly.ptr<f32, global>", "#fly_rocdl.buffer_desc", "!fly.copy_atom<!fly.universal_copy<{}>, {}>"
IDS = """
    %tx = gpu.thread_id x
    %bx = gpu.block_id x
    %t = arith.index_cast %tx : index to i32
    %b = arith.index_cast %bx : index to i32"""


@dataclass(frozen=True)
class Module:
    """A module; `wanted` makes of the arrays that are given those that are left."""

    launch: Launch
    wanted: Callable[..., Mapping[int, Array]]


MODULES: dict[str, Module] = {}


def add(
    name: str,
    parameters: str,
    body: str,
    arguments: tuple[Any, ...],
    wanted: Callable[..., Mapping[int, Array]],
    grid: int = 1,
    block: int = 64,
    before: str = "",
    arch: str = "gfx942",
) -> None:
    """A kernel of one module."""
    lines = (f"gpu.module @m {{{before}", f"  gpu.func @k({parameters}) kernel {{{IDS}", body.strip("\n"))
    text = "\n".join((*lines, "    gpu.return", "  }", "}"))
    made = tuple(x if isinstance(x, Memory) or not isinstance(x, np.ndarray) else Memory(x) for x in arguments)
    MODULES[name] = Module(Launch(typed(text), made, grid, block, arch), wanted)


def numbers(count: int, element: str = "float32", seed: int = 0, low: int = -8, high: int = 9) -> Array:
    """Whole numbers that sums keep exact."""
    found: Array = np.random.default_rng(seed).integers(low, high, count).astype(dtype(element).numpy())
    return found


def zeros(count: int, element: str = "float32") -> Array:
    """An array to be filled."""
    return np.zeros(count, dtype(element).numpy())


def element(at: str = "%at", source: str = "%a", target: str = "%c") -> str:
    """Pointers to an element of both."""
    return f"""
    %i = fly.make_int_tuple({at}) -> !fly.int_tuple<?>
    %p = fly.add_offset({source}, %i)
    %q = fly.add_offset({target}, %i)"""


GLOBAL = """
    %n = arith.constant 64 : i32
    %base = arith.muli %b, %n : i32
    %at = arith.addi %base, %t : i32"""
A = numbers(256)
PP = f"%a: {P}, %c: {P}"

# ---- one element a thread

for op, function in {
    "math.exp %v : f32": np.exp, "math.absf %v : f32": np.abs, "math.rsqrt %v : f32": lambda x: 1 / np.sqrt(x),
    "math.tanh %v : f32": np.tanh, "math.powf %v, %v : f32": lambda x: np.power(x, x), "math.log1p %v : f32": np.log1p,
    "math.erf %v : f32": np.vectorize(__import__("math").erf), "math.round %v : f32": lambda x: np.floor(x + 0.5),
    "math.trunc %v : f32": np.trunc, "math.copysign %v, %v : f32": lambda x: x,
    "math.fma %v, %v, %v : f32": lambda x: x * x + x,
}.items():  # fmt: skip
    add(
        op.split()[0], PP,
        f"{GLOBAL}{element()}\n    %v = fly.ptr.load(%p) -> f32\n    %w = {op}\n    fly.ptr.store(%w, %q)",
        (np.linspace(0.1, 4, 128).astype(np.float32), zeros(128)),
        lambda a, c, function=function: {1: function(a.astype(np.float64)).astype(np.float32)}, grid=2,
    )  # fmt: skip

add(
    "vector add of run-time length with a tail",
    ", ".join(f"%{name}: !fly.memref<f32, global, ?:1>" for name in "adc") + ", %len: i32",
    f"""{GLOBAL}
    %in = arith.cmpi slt, %at, %len : i32
    scf.if %in {{
      %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
      %x = fly.memref.load(%a, %i) -> f32
      %y = fly.memref.load(%d, %i) -> f32
      %z = arith.addf %x, %y : f32
      fly.memref.store(%z, %c, %i)
    }}""",
    (Memory(numbers(100), (100,)), Memory(numbers(100, seed=1), (100,)), Memory(zeros(100), (100,)), np.int32(100)),
    lambda a, d, c, n: {2: a + d}, grid=2,
)  # fmt: skip
add(
    "saxpy with a scalar, index arithmetic in index", f"%s: f32, {PP}",
    f"""
    %n = arith.constant 64 : index
    %base = arith.muli %bx, %n : index
    %sum = arith.addi %base, %tx : index
    %at = arith.index_cast %sum : index to i32{element()}
    %v = fly.ptr.load(%p) -> f32
    %w = fly.ptr.load(%q) -> f32
    %m = arith.mulf %s, %v : f32
    %r = arith.addf %m, %w : f32
    fly.ptr.store(%r, %q)""",
    (np.float32(3), numbers(192), numbers(192, seed=2)), lambda s, a, c: {2: 3 * a + c}, grid=3,
)  # fmt: skip
add(
    "a loop with a stride of the grid", f"{PP}, %len: index",
    """
    %n = arith.constant 64 : index
    %base = arith.muli %bx, %n : index
    %first = arith.addi %base, %tx : index
    %blocks = gpu.grid_dim x
    %step = arith.muli %blocks, %n : index
    scf.for %k = %first to %len step %step {
      %at = arith.index_cast %k : index to i32
      %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
      %p = fly.add_offset(%a, %i)
      %q = fly.add_offset(%c, %i)
      %v = fly.ptr.load(%p) -> f32
      %w = arith.addf %v, %v : f32
      fly.ptr.store(%w, %q)
    }""",
    (numbers(300), zeros(300), np.int64(300)), lambda a, c, n: {1: 2 * a}, grid=2,
)  # fmt: skip
add(
    "nested if with results", PP,
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f32
    %zero = arith.constant 0.0 : f32
    %four = arith.constant 4.0 : f32
    %neg = arith.cmpf olt, %v, %zero : f32
    %r = scf.if %neg -> (f32) {{
      %m = arith.negf %v : f32
      scf.yield %m : f32
    }} else {{
      %big = arith.cmpf ogt, %v, %four : f32
      %u = scf.if %big -> (f32) {{
        scf.yield %four : f32
      }} else {{
        %d = arith.addf %v, %v : f32
        scf.yield %d : f32
      }}
      scf.yield %u : f32
    }}
    fly.ptr.store(%r, %q)""",
    (A, zeros(256)), lambda a, c: {1: np.where(a < 0, -a, np.where(a > 4, 4, 2 * a))}, grid=4,
)  # fmt: skip
add(
    "collatz by scf.while", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %r:2 = scf.while (%x = %v, %k = %zero) : (i32, i32) -> (i32, i32) {{
      %go = arith.cmpi sgt, %x, %one : i32
      scf.condition(%go) %x, %k : i32, i32
    }} do {{
    ^bb0(%x: i32, %k: i32):
      %odd = arith.remsi %x, %two : i32
      %is = arith.cmpi eq, %odd, %one : i32
      %m = arith.muli %x, %three : i32
      %up = arith.addi %m, %one : i32
      %down = arith.divsi %x, %two : i32
      %next = arith.select %is, %up, %down : i32
      %k1 = arith.addi %k, %one : i32
      scf.yield %next, %k1 : i32, i32
    }}
    %steps = arith.addi %r#1, %zero : i32
    fly.ptr.store(%steps, %q)""",
    (numbers(64, "int32", low=1, high=40), zeros(64, "int32")),
    lambda a, c: {1: np.array([collatz(x) for x in a.tolist()], np.int32)},
)  # fmt: skip


def collatz(number: int) -> int:
    """How many steps it takes to 1."""
    steps = 0
    while number > 1:
        number, steps = (3 * number + 1 if number % 2 else number // 2), steps + 1
    return steps


add(
    "leading and trailing zeros, ones, absolute values", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> i32
    %l = math.ctlz %v : i32
    %z = math.cttz %v : i32
    %o = math.ctpop %v : i32
    %ab = math.absi %v : i32
    %k = arith.constant 100 : i32
    %x = arith.muli %l, %k : i32
    %y = arith.addi %x, %z : i32
    %u = arith.muli %y, %k : i32
    %w = arith.addi %u, %o : i32
    %s = arith.addi %w, %ab : i32
    fly.ptr.store(%s, %q)""",
    (np.concatenate([numbers(63, "int32"), np.zeros(1, np.int32)]), zeros(64, "int32")),
    lambda a, c: {1: np.array([bitwise(x) for x in a.tolist()], np.int32)},
)  # fmt: skip


def bitwise(x: int) -> int:
    """Leading zeros, trailing ones, ones and size in one number."""
    bits = f"{x % (1 << 32):032b}"
    leading, trailing = (len(t) - len(t.lstrip("0")) for t in (bits, bits[::-1]))
    return (leading * 100 + trailing) * 100 + bits.count("1") + abs(x)


add(
    "f16 in, f32 arithmetic, bf16 out", "%a: !fly.ptr<f16, global>, %c: !fly.ptr<bf16, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f16
    %w = arith.extf %v : f16 to f32
    %third = arith.constant 0.3333333432674408 : f32
    %x = arith.mulf %w, %third : f32
    %y = arith.truncf %x : f32 to bf16
    fly.ptr.store(%y, %q)""",
    (numbers(64, "float16"), zeros(64, "bfloat16")),
    lambda a, c: {1: (a.astype(np.float32) * np.float32(1 / 3)).astype(c.dtype)},
)  # fmt: skip
add(
    "packed pairs of i8 from i32", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> i32
    %eight = arith.constant 8 : i32
    %low = arith.trunci %v : i32 to i8
    %up = arith.shrsi %v, %eight : i32
    %high = arith.trunci %up : i32 to i8
    %x = arith.extsi %low : i8 to i32
    %y = arith.extui %high : i8 to i32
    %s = arith.subi %x, %y : i32
    fly.ptr.store(%s, %q)""",
    (numbers(64, "int32", low=-40000, high=40000), zeros(64, "int32")),
    lambda a, c: {1: a.astype(np.int8).astype(np.int32) - (a >> 8).astype(np.uint8).astype(np.int32)},
)  # fmt: skip
add(
    "index of a truth value", f"%a: {P}, %c: !fly.ptr<i32, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f32
    %zero = arith.constant 0.0 : f32
    %neg = arith.cmpf olt, %v, %zero : f32
    %x = arith.index_cast %neg : i1 to index
    %y = arith.index_castui %neg : i1 to index
    %two = arith.constant 2 : index
    %z = arith.muli %y, %two : index
    %s = arith.addi %x, %z : index
    %r = arith.index_cast %s : index to i32
    fly.ptr.store(%r, %q)""",
    (numbers(64), zeros(64, "int32")), lambda a, c: {1: (a < 0).astype(np.int32)},
)  # fmt: skip

# ---- vectors

V4 = """
    %four = arith.constant 4 : i32
    %at = arith.muli %t, %four : i32"""
add(
    "vectors of four by pointers", "%a: !fly.ptr<f32, global, align<16>>, %c: !fly.ptr<f32, global, align<16>>",
    f"""{V4}{element()}
    %v = fly.ptr.load(%p) -> vector<4xf32>
    %w = arith.mulf %v, %v : vector<4xf32>
    fly.ptr.store(%w, %q)""",
    (A, zeros(256)), lambda a, c: {1: a * a},
)  # fmt: skip
add(
    "shape_cast and slices", "%a: !fly.ptr<f32, global, align<16>>, %c: !fly.ptr<f32, global, align<16>>",
    f"""{V4}{element()}
    %v = fly.ptr.load(%p) -> vector<4xf32>
    %m = vector.shape_cast %v : vector<4xf32> to vector<2x2xf32>
    %r0 = vector.extract %m[0] : vector<2xf32> from vector<2x2xf32>
    %r1 = vector.extract %m[1] : vector<2xf32> from vector<2x2xf32>
    %w = vector.shuffle %r1, %r0 [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
    %s = vector.extract_strided_slice %w {{offsets = [1], sizes = [2], strides = [1]}} : vector<4xf32> to vector<2xf32>
    %u = vector.insert_strided_slice %s, %w {{offsets = [0], strides = [1]}} : vector<2xf32> into vector<4xf32>
    fly.ptr.store(%u, %q)""",
    (A, zeros(256)), lambda a, c: {1: a.reshape(-1, 4)[:, [3, 0, 0, 1]].reshape(-1)},
)  # fmt: skip
add(
    "fma, maximum and reduction of vectors", "%a: !fly.ptr<f32, global, align<16>>, %c: !fly.ptr<f32, global>",
    f"""{V4}
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %j = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %q = fly.add_offset(%c, %j)
    %v = fly.ptr.load(%p) -> vector<4xf32>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %w = vector.fma %v, %two, %v : vector<4xf32>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %x = arith.maximumf %w, %z : vector<4xf32>
    %s = vector.reduction <add>, %x : vector<4xf32> into f32
    fly.ptr.store(%s, %q)""",
    (A, zeros(64)), lambda a, c: {1: np.maximum(3 * a, 0).reshape(-1, 4).sum(axis=1)},
)  # fmt: skip
add(
    "casts of vectors", "%a: !fly.ptr<f32, global, align<16>>, %c: !fly.ptr<i32, global, align<16>>",
    f"""{V4}{element()}
    %v = fly.ptr.load(%p) -> vector<4xf32>
    %w = arith.fptosi %v : vector<4xf32> to vector<4xi8>
    %x = arith.extsi %w : vector<4xi8> to vector<4xi32>
    %n = arith.index_cast %x : vector<4xi32> to vector<4xindex>
    %m = arith.muli %n, %n : vector<4xindex>
    %y = arith.index_cast %m : vector<4xindex> to vector<4xi32>
    fly.ptr.store(%y, %q)""",
    (A, zeros(256, "int32")), lambda a, c: {1: (a * a).astype(np.int32)},
)  # fmt: skip
add(
    "select of vectors by a mask", "%a: !fly.ptr<f16, global, align<8>>, %c: !fly.ptr<f16, global, align<8>>",
    f"""{V4}{element()}
    %v = fly.ptr.load(%p) -> vector<4xf16>
    %z = arith.constant dense<0.0> : vector<4xf16>
    %m = arith.cmpf olt, %v, %z : vector<4xf16>
    %n = arith.negf %v : vector<4xf16>
    %w = arith.select %m, %n, %v : vector<4xi1>, vector<4xf16>
    fly.ptr.store(%w, %q)""",
    (numbers(256, "float16"), zeros(256, "float16")), lambda a, c: {1: np.abs(a)},
)  # fmt: skip
add(
    "bits of two halves as one word", "%a: !fly.ptr<f16, global, align<4>>, %c: !fly.ptr<i32, global>",
    """
    %two = arith.constant 2 : i32
    %at = arith.muli %t, %two : i32
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %j = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %q = fly.add_offset(%c, %j)
    %v = fly.ptr.load(%p) -> vector<2xf16>
    %w = vector.bitcast %v : vector<2xf16> to vector<1xi32>
    %x = vector.extract %w[0] : i32 from vector<1xi32>
    fly.ptr.store(%x, %q)""",
    (numbers(128, "float16"), zeros(64, "int32")), lambda a, c: {1: a.view(np.int32)},
)  # fmt: skip

# ---- shared memory

SHARED = "!fly.ptr<f32, shared>"
add(
    "sum of a block by halves in shared memory", PP,
    f"""
    %s = fly.make_ptr() {{dictAttrs = {{allocSize = 128 : i64}}}} -> {SHARED}
    %l = fly.static : !fly.layout<128:1>
    %m = fly.make_view(%s, %l)
    %n = arith.constant 128 : i32
    %base = arith.muli %b, %n : i32
    %at = arith.addi %base, %t : i32
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %v = fly.ptr.load(%p) -> f32
    %j = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    fly.memref.store(%v, %m, %j)
    gpu.barrier
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %half = arith.constant 64 : i32
    %last = scf.while (%k = %half) : (i32) -> i32 {{
      %go = arith.cmpi sgt, %k, %zero : i32
      scf.condition(%go) %k : i32
    }} do {{
    ^bb0(%k: i32):
      %in = arith.cmpi slt, %t, %k : i32
      scf.if %in {{
        %o = arith.addi %t, %k : i32
        %h = fly.make_int_tuple(%o) -> !fly.int_tuple<?>
        %x = fly.memref.load(%m, %j) -> f32
        %y = fly.memref.load(%m, %h) -> f32
        %z = arith.addf %x, %y : f32
        fly.memref.store(%z, %m, %j)
      }}
      gpu.barrier
      %next = arith.shrsi %k, %one : i32
      scf.yield %next : i32
    }}
    %first = arith.cmpi eq, %t, %zero : i32
    scf.if %first {{
      %g = fly.make_int_tuple(%b) -> !fly.int_tuple<?>
      %q = fly.add_offset(%c, %g)
      %o0 = fly.make_int_tuple() -> !fly.int_tuple<0>
      %r = fly.memref.load(%m, %o0) -> f32
      fly.ptr.store(%r, %q)
    }}""",
    (numbers(384), zeros(3)), lambda a, c: {1: a.reshape(3, 128).sum(axis=1)}, grid=3, block=128,
)  # fmt: skip
for name, swizzle in {"": "", " swizzled": ", S<3,2,3>"}.items():
    kind = f"!fly.ptr<f32, shared, align<128>{swizzle}>"
    add(
        f"transpose of a tile in shared memory{name}",
        "%a: !fly.memref<f32, global, (32,32):(32,1)>, %c: !fly.memref<f32, global, (32,32):(32,1)>",
        f"""
    %s = fly.make_ptr() {{dictAttrs = {{allocSize = 1024 : i64}}}} -> {kind}
    %l = fly.static : !fly.layout<(32,32):(32,1)>
    %m = fly.make_view(%s, %l)
    %w = arith.constant 32 : i32
    %x = arith.remui %t, %w : i32
    %y = arith.divui %t, %w : i32
    %low = arith.constant 0 : i32
    %step = arith.constant 8 : i32
    scf.for %k = %low to %w step %step : i32 {{
      %r = arith.addi %k, %y : i32
      %at = fly.make_coord(%r, %x) -> !fly.int_tuple<(?,?)>
      %v = fly.memref.load(%a, %at) -> f32
      fly.memref.store(%v, %m, %at)
    }}
    gpu.barrier
    scf.for %k = %low to %w step %step : i32 {{
      %r = arith.addi %k, %y : i32
      %at = fly.make_coord(%x, %r) -> !fly.int_tuple<(?,?)>
      %to = fly.make_coord(%r, %x) -> !fly.int_tuple<(?,?)>
      %v = fly.memref.load(%m, %at) -> f32
      fly.memref.store(%v, %c, %to)
    }}""",
        (numbers(1024), zeros(1024)), lambda a, c: {1: a.reshape(32, 32).T}, block=256,
    )  # fmt: skip
add(
    "a prefix sum in the wave by shuffles", PP,
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f32
    %w = arith.constant 64 : i32
    %one = arith.constant 1 : i32
    %l1 = arith.constant 2 : i32
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %six = arith.constant 6 : i32
    %r = scf.for %k = %c0 to %six step %one iter_args(%x = %v) -> (f32) : i32 {{
      %by = arith.shli %one, %k : i32
      %y, %ok = gpu.shuffle up %x, %by, %w : f32
      %far = arith.cmpi sge, %t, %by : i32
      %z = arith.select %far, %y, %zero : f32
      %s = arith.addf %x, %z : f32
      scf.yield %s : f32
    }}
    fly.ptr.store(%r, %q)""",
    (numbers(64), zeros(64)), lambda a, c: {1: np.cumsum(a)},
)  # fmt: skip
for kind, op, function in (("f32", "maximumf", np.maximum), ("i32", "addi", np.add), ("i32", "xori", np.bitwise_xor)):
    dt = {"f32": "float32", "i32": "int32"}[kind]
    steps = "".join(
        f"""
    %d{d} = arith.constant {d} : i32
    %y{d}, %k{d} = gpu.shuffle xor %x{2 * d}, %d{d}, %w : {kind}
    %x{d} = arith.{op} %x{2 * d}, %y{d} : {kind}"""
        for d in (32, 16, 8, 4, 2, 1)
    )
    add(
        f"butterfly {op} over a wave, one lane writes", f"%a: !fly.ptr<{kind}, global>, %c: !fly.ptr<{kind}, global>",
        f"""{GLOBAL}{element()}
    %x64 = fly.ptr.load(%p) -> {kind}
    %w = arith.constant 64 : i32{steps}
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %is = arith.cmpi eq, %lane, %c0 : index
    scf.if %is {{
      %wave = gpu.subgroup_id : index
      %g = arith.index_cast %wave : index to i32
      %two = arith.constant 2 : i32
      %h = arith.muli %b, %two : i32
      %at2 = arith.addi %g, %h : i32
      %i2 = fly.make_int_tuple(%at2) -> !fly.int_tuple<?>
      %q2 = fly.add_offset(%c, %i2)
      fly.ptr.store(%x1, %q2)
    }}""".replace("%n = arith.constant 64", "%n = arith.constant 128"),
        (numbers(256, dt), zeros(4, dt)),
        lambda a, c, function=function: {1: function.reduce(a.reshape(4, 64), axis=1)}, grid=2, block=128,
    )  # fmt: skip
add(
    "histogram by atomics of registers", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>",
    f"""{GLOBAL}
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %v = fly.ptr.load(%p) -> i32
    %j = fly.make_int_tuple(%v) -> !fly.int_tuple<?>
    %q = fly.add_offset(%c, %j)
    %l1 = fly.static : !fly.layout<1:0>
    %view = fly.make_view(%q, %l1)
    %r = fly.memref.alloca(%l1) -> !fly.memref<i32, register, 1:0>
    %z = fly.make_int_tuple() -> !fly.int_tuple<0>
    %one = arith.constant 1 : i32
    fly.memref.store(%one, %r, %z)
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : !fly.copy_atom<!fly.universal_atomic<add, i32>, 32>
    fly.copy_atom_call(%atom, %r, %view)""",
    (numbers(512, "int32", low=0, high=10), zeros(10, "int32")), lambda a, c: {1: np.bincount(a, minlength=10)},
    grid=8,
)  # fmt: skip
add(
    "softmax of rows by a block",
    ", ".join(f"{x}: !fly.memref<f32, global, (4,256):(256,1)>" for x in ("%a", "%c")),
    """
    %s = fly.get_dyn_shared() -> !fly.ptr<i8, shared, align<1024>>
    %sf = fly.recast_iter(%s) -> !fly.ptr<f32, shared, align<1024>>
    %l = fly.static : !fly.layout<256:1>
    %m = fly.make_view(%sf, %l)
    %at = fly.make_coord(%b, %t) -> !fly.int_tuple<(?,?)>
    %v = fly.memref.load(%a, %at) -> f32
    %e = math.exp %v : f32
    %j = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    fly.memref.store(%e, %m, %j)
    gpu.barrier
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = gpu.block_dim x
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %k32 = arith.index_cast %k : index to i32
      %h = fly.make_int_tuple(%k32) -> !fly.int_tuple<?>
      %x = fly.memref.load(%m, %h) -> f32
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    %r = arith.divf %e, %sum : f32
    fly.memref.store(%r, %c, %at)""",
    (np.linspace(-1, 1, 1024).astype(np.float32), zeros(1024)),
    lambda a, c: {1: softmax(a.reshape(4, 256))}, grid=4, block=256,
)  # fmt: skip


def softmax(rows: Array) -> Array:
    """Sums from the left in binary32."""
    powers = np.exp(rows.astype(np.float64)).astype(np.float32)
    sums = np.add.accumulate(powers, axis=1, dtype=np.float32)[:, -1:]
    return np.asarray(powers / sums)


# ---- buffers

add(
    "buffer loads with bounds", PP,
    f"""{GLOBAL}
    %zero = arith.constant 0 : i16
    %bytes = arith.constant 400 : i64
    %flags = arith.constant 159744 : i32
    %ba = fly.make_ptr(%a, %zero, %bytes, %flags) -> !fly.ptr<f32, {B}>
    %bc = fly.make_ptr(%c, %zero, %bytes, %flags) -> !fly.ptr<f32, {B}>
    %l1 = fly.static : !fly.layout<1:0>
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%ba, %i)
    %q = fly.add_offset(%bc, %i)
    %pv = fly.make_view(%p, %l1)
    %qv = fly.make_view(%q, %l1)
    %r = fly.memref.alloca(%l1) -> !fly.memref<f32, register, 1:0>
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>
    fly.copy_atom_call(%atom, %pv, %r)
    %z = fly.make_int_tuple() -> !fly.int_tuple<0>
    %v = fly.memref.load(%r, %z) -> f32
    %one = arith.constant 1.0 : f32
    %w = arith.addf %v, %one : f32
    fly.memref.store(%w, %r, %z)
    fly.copy_atom_call(%atom, %r, %qv)""",
    (numbers(100), zeros(100)), lambda a, c: {1: a + 1}, grid=2,
)  # fmt: skip
add(
    "predicated copies of a row",
    "%a: !fly.memref<f32, global, ?:1>, %c: !fly.memref<f32, global, (64,4):(4,1)>, %len: i32",
    f"""
    %tile = fly.static : !fly.tile<[4]>
    %g = fly.zipped_divide(%a, %tile)
    %at = fly.make_coord(%t) -> !fly.int_tuple<(*,?)>
    %mine = fly.slice(%g, %at)
    %row = fly.make_coord(%t) -> !fly.int_tuple<(?,*)>
    %to = fly.slice(%c, %row)
    %l4 = fly.static : !fly.layout<4:1>
    %r = fly.memref.alloca(%l4) -> !fly.memref<f32, register, 4:1>
    %pr = fly.memref.alloca(%l4) -> !fly.memref<i1, register, 4:1>
    %zero = arith.constant dense<0.0> : vector<4xf32>
    fly.memref.store_vec(%zero, %r)
    %four = arith.constant 4 : i32
    %first = arith.muli %t, %four : i32
    %low = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %k = %low to %four step %one : i32 {{
      %n = arith.addi %first, %k : i32
      %in = arith.cmpi slt, %n, %len : i32
      %kk = fly.make_int_tuple(%k) -> !fly.int_tuple<?>
      fly.memref.store(%in, %pr, %kk)
    }}
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : {COPY.format(32, 32)}
    %each = fly.static : !fly.tile<[1]>
    %from = fly.zipped_divide(%mine, %each)
    %into = fly.zipped_divide(%r, %each)
    %when = fly.zipped_divide(%pr, %each)
    fly.copy(%atom, %from, %into, %when)
    %v = fly.memref.load_vec(%r) -> vector<4xf32>
    fly.memref.store_vec(%v, %to)""",
    (Memory(numbers(250), (250,)), zeros(256), np.int32(250)),
    lambda a, c, n: {1: np.concatenate([a, np.zeros(6, np.float32)])},
)  # fmt: skip

# ---- tiled copies and products

TILED = f"!fly.tiled_copy<{COPY.format(128, 32)}, !fly.layout<((8,8),4):((32,1),8)>, !fly.tile<[8|32]>>"
for name, swizzle in {"": "", " swizzled": ", S<2,4,3>"}.items():
    kind = f"!fly.ptr<f32, shared, align<128>{swizzle}>"
    add(
        f"tiled copy through shared memory{name}",
        ", ".join(f"{x}: !fly.memref<f32, global, (16,64):(64,1), align<16>>" for x in ("%a", "%c")),
        f"""
    %tile = fly.static : !fly.tile<[8|32]>
    %tc = fly.static : {TILED}
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : {COPY.format(128, 32)}
    %s = fly.make_ptr() {{dictAttrs = {{allocSize = 256 : i64}}}} -> {kind}
    %l = fly.static : !fly.layout<(8,32):(32,1)>
    %m = fly.make_view(%s, %l)
    %thr = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %two = arith.constant 2 : i32
    %br = arith.divui %b, %two : i32
    %bc = arith.remui %b, %two : i32
    %ga = fly.flat_divide(%a, %tile)
    %gc = fly.flat_divide(%c, %tile)
    %blk = fly.make_int_tuple(%br, %bc) -> !fly.int_tuple<(*,*,?,?)>
    %ta = fly.slice(%ga, %blk)
    %tcv = fly.slice(%gc, %blk)
    %sa = fly.tiled_copy.partition_src(%tc, %ta, %thr)
    %sm = fly.tiled_copy.partition_dst(%tc, %m, %thr)
    fly.copy(%atom, %sa, %sm)
    gpu.barrier
    %ss = fly.tiled_copy.partition_src(%tc, %m, %thr)
    %dc = fly.tiled_copy.partition_dst(%tc, %tcv, %thr)
    %f = fly.make_fragment_like(%dc)
    fly.copy(%atom, %ss, %f)
    fly.copy(%atom, %f, %dc)""",
        (numbers(1024), zeros(1024)), lambda a, c: {1: a}, grid=4,
    )  # fmt: skip
MMA = {
    "mfma f32": ("gfx942", "!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>", "f32", "f32", 16, 16, 4),
    "mfma f16": ("gfx942", "!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>", "f16", "f32", 16, 16, 16),
    "mfma bf16 of 32": ("gfx942", "!fly_rocdl.cdna3.mfma<32x32x8, (bf16, bf16) -> f32>", "bf16", "f32", 32, 32, 8),
    "mfma i8": ("gfx942", "!fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>", "i8", "i32", 16, 16, 32),
}
for name, (arch, atom, ab, acc, m, n, k) in MMA.items():
    per = k * m // 64
    add(
        f"product of one tile by {name}",
        f"%a: !fly.memref<{ab}, global, ({m},{k}):({k},1)>, %d: !fly.memref<{ab}, global, ({n},{k}):({k},1)>, "
        f"%c: !fly.memref<{acc}, global, ({m},{n}):({n},1)>",
        f"""
    %mma = fly.static : !fly.tiled_mma<!fly.mma_atom<{atom}>, !fly.layout<(1,1,1):(0,0,0)>>
    %thr = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %pa = fly.tiled_mma.partition(a, %mma, %a, %thr)
    %pb = fly.tiled_mma.partition(b, %mma, %d, %thr)
    %fa = fly.mma.make_fragment(a, %mma, %a)
    %fb = fly.mma.make_fragment(b, %mma, %d)
    %fc = fly.mma.make_fragment(c, %mma, %c)
    %run = fly.make_copy_atom {{valBits = {dtype(ab).bits} : i32}} : {COPY.format(dtype(ab).bits * per, dtype(ab).bits)}
    %out = fly.make_copy_atom {{valBits = 32 : i32}} : {COPY.format(32, 32)}
    %tcc = fly.make_tiled_copy_C(%out, %mma)
    %pc = fly.tiled_copy.partition_src(%tcc, %c, %thr)
    %rc = fly.tiled_copy.retile(%tcc, %fc)
    fly.copy(%run, %pa, %fa)
    fly.copy(%run, %pb, %fb)
    fly.copy(%out, %pc, %rc)
    %matom = fly.make_mma_atom : !fly.mma_atom<{atom}>
    fly.gemm(%matom, %fc, %fa, %fb, %fc)
    fly.copy(%out, %rc, %pc)""",
        (numbers(m * k, ab), numbers(n * k, ab, 1), numbers(m * n, acc, 2)),
        lambda a, d, c, m=m, n=n: {2: product_of(a, d, c, m, n)}, arch=arch,
    )  # fmt: skip


def product_of(a: Array, b: Array, c: Array, m: int, n: int) -> Array:
    """C + A B of rows of A and columns of B."""
    left, right = (x.astype(np.float64).reshape(rows, -1) for x, rows in ((a, m), (b, n)))
    return (c.reshape(m, n) + left @ right.T).astype(c.dtype)


# ---- waves, calls, structures of control

WAVE = f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> i32"""
IP = "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>"
PUT = "    fly.ptr.store(%w, %q)"
for op, answer in {
    "%w = rocdl.readfirstlane %v : i32": lambda x: np.repeat(x.reshape(-1, 64)[:, 0], 64),
    "%l = arith.constant 9 : i32\n    %w = rocdl.readlane %v, %l : (i32, i32) -> i32":
        lambda x: np.repeat(x.reshape(-1, 64)[:, 9], 64),
    "%f = arith.constant 20 : i32\n    %i4 = arith.muli %t, %f : i32\n    "
    "%w = rocdl.ds_bpermute %i4, %v : (i32, i32) -> i32":
        lambda x: x.reshape(-1, 64)[:, np.arange(64) * 5 % 64].reshape(-1),
    "%z = arith.constant 0 : i32\n    %n1 = arith.cmpi slt, %v, %z : i32\n    %m = rocdl.ballot %n1 : i64\n    "
    "%w64 = math.ctpop %m : i64\n    %w = arith.trunci %w64 : i64 to i32":
        lambda x: np.repeat((x.reshape(-1, 64) < 0).sum(axis=1), 64),
}.items():  # fmt: skip
    add(
        op.split("rocdl.")[1].split()[0], IP, f"{WAVE}\n    {op}\n{PUT}", (numbers(128, "int32"), zeros(128, "int32")),
        lambda a, c, answer=answer: {1: answer(a)}, grid=2,
    )  # fmt: skip
for word, made in {"rcp": lambda x: 1 / x, "exp2": np.exp2, "sqrt": np.sqrt, "rsq": lambda x: 1 / np.sqrt(x)}.items():
    add(
        f"rocdl.{word}", PP,
        f"{GLOBAL}{element()}\n    %v = fly.ptr.load(%p) -> f32\n    %w = rocdl.{word} %v f32 -> f32\n{PUT}",
        (np.linspace(0.5, 4, 64).astype(np.float32), zeros(64)),
        lambda a, c, made=made: {1: made(a.astype(np.float64)).astype(np.float32)},
    )  # fmt: skip
add(
    "a called function, twice", PP,
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f32
    %x = func.call @gelu(%v) : (f32) -> f32
    %w = func.call @gelu(%x) : (f32) -> f32
    fly.ptr.store(%w, %q)""",
    (np.linspace(-2, 2, 64).astype(np.float32), zeros(64)), lambda a, c: {1: relu_twice(a)},
    before="""
  func.func private @gelu(%x: f32) -> f32 {
    %z = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %m = arith.maximumf %x, %z : f32
    %r = arith.mulf %m, %two : f32
    return %r : f32
  }""",
)  # fmt: skip


def relu_twice(a: Array) -> Array:
    """Four times what is above 0."""
    return np.asarray(4 * np.maximum(a, 0))


add(
    "a loop in a loop with two numbers carried", IP,
    f"""{WAVE}
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %z = arith.constant 0 : i32
    %s:2 = scf.for %i1 = %c0 to %c3 step %c1 iter_args(%x = %v, %y = %z) -> (i32, i32) {{
      %r:2 = scf.for %j1 = %i1 to %c3 step %c1 iter_args(%xx = %x, %yy = %y) -> (i32, i32) {{
        %j32 = arith.index_cast %j1 : index to i32
        %x1 = arith.addi %xx, %j32 : i32
        %y1 = arith.xori %yy, %x1 : i32
        scf.yield %y1, %x1 : i32, i32
      }}
      scf.yield %r#0, %r#1 : i32, i32
    }}
    %w = arith.subi %s#0, %s#1 : i32
{PUT}""",
    (numbers(64, "int32"), zeros(64, "int32")), lambda a, c: {1: carried(a)},
)  # fmt: skip


def carried(a: Array) -> Array:
    """The two loops."""
    x, y = a, np.zeros_like(a)
    for i in range(3):
        for j in range(i, 3):
            x1 = x + np.int32(j)
            x, y = y ^ x1, x1
    return np.asarray(x - y)


add(
    "columns of a matrix by coordinates in a view of tiles", "%a: !fly.memref<f32, global, (32,16):(16,1)>, %c: " + P,
    """
    %tile = fly.static : !fly.tile<[8|4]>
    %g = fly.zipped_divide(%a, %tile)
    %z = fly.make_int_tuple(%t) -> !fly.int_tuple<(*,?)>
    %one = fly.slice(%g, %z)
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %s = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %kk = fly.make_int_tuple(%k) -> !fly.int_tuple<?>
      %x = fly.memref.load(%one, %kk) -> f32
      %y = arith.addf %acc, %x : f32
      scf.yield %y : f32
    }
    %i = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %q = fly.add_offset(%c, %i)
    fly.ptr.store(%s, %q)""",
    (numbers(512), zeros(16)),
    lambda a, c: {1: a.reshape(4, 8, 4, 4).sum(axis=(1, 3)).T.reshape(-1)}, block=16,
)  # fmt: skip
add(
    "layernorm of rows, one wave a row",
    ", ".join(f"{x}: !fly.memref<f32, global, (3,64):(64,1)>" for x in ("%a", "%c")),
    """
    %at = fly.make_coord(%b, %t) -> !fly.int_tuple<(?,?)>
    %x = fly.memref.load(%a, %at) -> f32
    %w = arith.constant 64 : i32
    %n = arith.constant 64.0 : f32
    %eps = arith.constant 0.5 : f32
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : i32
    %six = arith.constant 6 : i32
    %sq = arith.mulf %x, %x : f32
    %s:2 = scf.for %k = %c0 to %six step %one iter_args(%u = %x, %v = %sq) -> (f32, f32) : i32 {
      %by = arith.shli %one, %k : i32
      %u1, %ok = gpu.shuffle xor %u, %by, %w : f32
      %v1, %ok1 = gpu.shuffle xor %v, %by, %w : f32
      %u2 = arith.addf %u, %u1 : f32
      %v2 = arith.addf %v, %v1 : f32
      scf.yield %u2, %v2 : f32, f32
    }
    %mean = arith.divf %s#0, %n : f32
    %m2 = arith.divf %s#1, %n : f32
    %mm = arith.mulf %mean, %mean : f32
    %var = arith.subf %m2, %mm : f32
    %ve = arith.addf %var, %eps : f32
    %r = math.rsqrt %ve : f32
    %d = arith.subf %x, %mean : f32
    %y = arith.mulf %d, %r : f32
    fly.memref.store(%y, %c, %at)""",
    (numbers(192), zeros(192)), lambda a, c: {1: normed(a.reshape(3, 64))}, grid=3,
)  # fmt: skip


def normed(x: Array) -> Array:
    """In binary32, whose sums of small whole numbers are exact."""
    n = np.float32(64)
    mean, square = x.sum(axis=1, keepdims=True) / n, (x * x).sum(axis=1, keepdims=True) / n
    spread = (square - mean * mean) + np.float32(0.5)
    return np.asarray((x - mean) * (1 / np.sqrt(spread.astype(np.float64))).astype(np.float32))


# ---- copies that go on by themselves, predicates, memory seen as other types

add(
    "two stages of copies that go on, one ahead", "%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>",
    """
    %s = fly.make_ptr() {dictAttrs = {allocSize = 128 : i64}} -> !fly.ptr<f32, shared>
    %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<32>, 32>
    %l1 = fly.static : !fly.layout<1:0>
    %n = arith.constant 64 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %zero = arith.constant 0.0 : f32
    %i0 = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %p0 = fly.add_offset(%a, %i0)
    %x0 = fly.make_view(%p0, %l1)
    %y0 = fly.make_view(%s, %l1)
    fly.copy_atom_call(%atom, %x0, %y0)
    rocdl.asyncmark
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %k1 = arith.addi %k, %c1 : i32
      %more = arith.cmpi slt, %k1, %c4 : i32
      scf.if %more {
        %slot = arith.andi %k1, %c1 : i32
        %to = arith.muli %slot, %n : i32
        %off = arith.muli %k1, %n : i32
        %from = arith.addi %off, %t : i32
        %j = fly.make_int_tuple(%from) -> !fly.int_tuple<?>
        %h = fly.make_int_tuple(%to) -> !fly.int_tuple<?>
        %p = fly.add_offset(%a, %j)
        %q = fly.add_offset(%s, %h)
        %x = fly.make_view(%p, %l1)
        %y = fly.make_view(%q, %l1)
        fly.copy_atom_call(%atom, %x, %y)
      }
      rocdl.asyncmark
      rocdl.wait.asyncmark 1
      gpu.barrier
      %mine = arith.andi %k, %c1 : i32
      %base = arith.muli %mine, %n : i32
      %last = arith.constant 63 : i32
      %r = arith.subi %last, %t : i32
      %at = arith.addi %base, %r : i32
      %g = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
      %z = fly.add_offset(%s, %g)
      %v = fly.ptr.load(%z) -> f32
      %w = arith.addf %acc, %v : f32
      gpu.barrier
      scf.yield %w : f32
    }
    %o = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %out = fly.add_offset(%c, %o)
    fly.ptr.store(%sum, %out)""",
    (numbers(256), zeros(64)), lambda a, c: {1: a.reshape(4, 64).sum(axis=0)[::-1]}, arch="gfx950",
)  # fmt: skip
add(
    "a global array of the module", "%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>",
    f"""{GLOBAL}{element()}
    %v = fly.ptr.load(%p) -> f32
    %m = memref.get_global @tile : memref<8x8xf32, #gpu.address_space<workgroup>>
    %c8 = arith.constant 8 : index
    %y = arith.divui %tx, %c8 : index
    %x = arith.remui %tx, %c8 : index
    memref.store %v, %m[%y, %x] : memref<8x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %m[%x, %y] : memref<8x8xf32, #gpu.address_space<workgroup>>
    fly.ptr.store(%w, %q)""",
    (numbers(128), zeros(128)), lambda a, c: {1: a.reshape(2, 8, 8).swapaxes(1, 2)}, grid=2,
    before="\n  memref.global @tile : memref<8x8xf32, #gpu.address_space<workgroup>> {alignment = 16 : i64}",
)  # fmt: skip
add(
    "bytes of one memory as f16 and as i32", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<f16, global>",
    """
    %s = fly.get_dyn_shared() -> !fly.ptr<i8, shared, align<1024>>
    %w = fly.recast_iter(%s) -> !fly.ptr<i32, shared, align<1024>>
    %h = fly.recast_iter(%s) -> !fly.ptr<f16, shared, align<1024>>
    %i = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %v = fly.ptr.load(%p) -> i32
    %q = fly.add_offset(%w, %i)
    fly.ptr.store(%v, %q)
    gpu.barrier
    %last = arith.constant 127 : i32
    %n = arith.constant 64 : i32
    %r = arith.subi %last, %t : i32
    %j = fly.make_int_tuple(%r) -> !fly.int_tuple<?>
    %z = fly.add_offset(%h, %j)
    %x = fly.ptr.load(%z) -> f16
    %o = fly.add_offset(%c, %i)
    fly.ptr.store(%x, %o)""",
    (numbers(128, "float16").view(np.int32), zeros(64, "float16")),
    lambda a, c: {1: a.view(np.float16)[:63:-1]},
)  # fmt: skip
ATOMIC = {"max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or}
for kind in ATOMIC:
    add(
        f"atomic {kind} of i32", "%a: !fly.ptr<i32, global>, %c: !fly.ptr<i32, global>",
        f"""{GLOBAL}
    %i = fly.make_int_tuple(%at) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i)
    %v = fly.ptr.load(%p) -> i32
    %four = arith.constant 4 : i32
    %b4 = arith.remui %t, %four : i32
    %j = fly.make_int_tuple(%b4) -> !fly.int_tuple<?>
    %q = fly.add_offset(%c, %j)
    %l1 = fly.static : !fly.layout<1:0>
    %view = fly.make_view(%q, %l1)
    %r = fly.memref.alloca(%l1) -> !fly.memref<i32, register, 1:0>
    %z = fly.make_int_tuple() -> !fly.int_tuple<0>
    fly.memref.store(%v, %r, %z)
    %atom = fly.make_copy_atom {{valBits = 32 : i32}} : !fly.copy_atom<!fly.universal_atomic<{kind}, i32>, 32>
    fly.copy_atom_call(%atom, %r, %view)""",
        (numbers(256, "int32"), np.zeros(4, np.int32)),
        lambda a, c, kind=kind: {1: ATOMIC[kind].reduce(np.vstack([c, a.reshape(-1, 4)]), axis=0)}, grid=4,
    )  # fmt: skip

add(
    "integers of a coordinate tensor as a vector", "%c: !fly.ptr<i32, global, align<16>>",
    """
    %i = fly.make_int_tuple(%t) -> !fly.int_tuple<?>
    %l = fly.static : !fly.layout<(2,2):(3,10)>
    %v = fly.make_view(%i, %l)
    %x = fly.memref.load_vec(%v) -> vector<4xi32>
    %four = arith.constant 4 : i32
    %at = arith.muli %t, %four : i32
    %j = fly.make_int_tuple(%at) -> !fly.int_tuple<?{div=4}>
    %q = fly.add_offset(%c, %j)
    fly.ptr.store(%x, %q)""",
    (zeros(256, "int32"),), lambda c: {0: np.arange(64)[:, None] + np.array([0, 3, 10, 13])},
)  # fmt: skip

# ---- as other tools print it

GENERIC = """"gpu.module"() <{sym_name = "m"}> ({
  "memref.global"() <{
    alignment = 16 : i64, sym_name = "tile", sym_visibility = "private",
    type = memref<8x8xf32, #gpu.address_space<workgroup>>
  }> : () -> ()
  "gpu.func"() <{function_type = (!fly.ptr<f32, global>, !fly.ptr<f32, global>) -> ()}> ({
  ^bb0(%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>):
    %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %t = "arith.index_cast"(%tx) : (index) -> i32
    %i = "fly.make_int_tuple"(%t) : (i32) -> !fly.int_tuple<?>
    %p = "fly.add_offset"(%a, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    %q = "fly.add_offset"(%c, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    %v = "fly.ptr.load"(%p) : (!fly.ptr<f32, global>) -> f32
    %m = "memref.get_global"() <{name = @tile}> : () -> memref<8x8xf32, #gpu.address_space<workgroup>>
    %c8 = "arith.constant"() <{value = 8 : index}> : () -> index
    %y = "arith.divui"(%tx, %c8) : (index, index) -> index
    %x = "arith.remui"(%tx, %c8) : (index, index) -> index
    "memref.store"(%v, %m, %y, %x) : (f32, memref<8x8xf32, #gpu.address_space<workgroup>>, index, index) -> ()
    "gpu.barrier"() : () -> ()
    %w = "memref.load"(%m, %x, %y) : (memref<8x8xf32, #gpu.address_space<workgroup>>, index, index) -> f32
    %by = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %n = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %s, %ok = "gpu.shuffle"(%w, %by, %n) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (f32, i1)
    "rocdl.wait.asyncmark"() <{count = 0 : i16}> : () -> ()
    %lane = "gpu.lane_id"() : () -> index
    "fly.ptr.store"(%s, %q) : (f32, !fly.ptr<f32, global>) -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel, workgroup_attributions = 0 : i64} : () -> ()
}) : () -> ()
"""
MODULES["in MLIR's generic form"] = Module(
    Launch(GENERIC, (Memory(numbers(64)), Memory(zeros(64)))),
    lambda a, c: {1: a.reshape(8, 8).T.reshape(-1)[np.arange(64) ^ 1]},
)
