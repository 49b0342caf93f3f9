"""Pointers of Triton dumps: their steps against numpy's values, sectors and core matrices against every address."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from tilewright.arch import get
from tilewright.dumps.triton import pointers
from tilewright.dumps.triton.analysis import analyse
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.pointers import Affine, strides_of
from tilewright.errors import LayoutError
from tilewright.notation.ttgir import read_dump
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled, Types

Values = NDArray[np.int64]
B = "#b"
WHAT = ("leaf", "constant", "add", "sub", "mul", "rem", "trans", "reshape")
HEAD = """#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
%n = tt.get_program_id x : i32
"""


def steps(text: str, name: str) -> Affine:
    """The steps of a value of a dump."""
    dump = read_dump(text)
    defined: dict[str, Op] = {}
    context = Context(Types(dump.aliases), get("sm_90"), defined)
    for op in dump.walk():
        defined |= dict.fromkeys((*op.results, *op.bindings), op)
    return strides_of(name, context)


@dataclass
class Program:
    """Random arithmetic on indices, and the values that it has; `%n` is known at run time only."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    values: dict[str, Values] = field(default_factory=dict)

    def add(self, text: str, value: Values) -> str:
        name = f"%v{len(self.values)}"
        self.lines.append(f"{name} = {text}")
        self.values[name] = value
        return name

    def type(self, value: Values) -> str:
        return f"tensor<{'x'.join(map(str, value.shape))}xi32, {B}>" if value.ndim else "i32"

    def constant(self, shape: tuple[int, ...]) -> str:
        number = self.rng.choice((-40, -3, -1, 0, 1, 2, 5, 64))
        value = np.full(shape, number)
        words = f"dense<{number}>" if shape else str(number)
        return self.add(f"arith.constant {words} : {self.type(value)}", value)

    def leaf(self, shape: tuple[int, ...]) -> str:
        if self.rng.random() < 0.3 or not shape:
            scalar = self.constant(()) if self.rng.random() < 0.6 else "%n"
            value = np.full(shape, self.values[scalar])
            return scalar if not shape else self.add(f"tt.splat {scalar} : i32 -> {self.type(value)}", value)
        if len(shape) == 1:
            value, start = np.arange(shape[0]), self.rng.choice((0, 8))
            span = f"{{end = {start + shape[0]} : i32, start = {start} : i32}}"
            return self.add(f"tt.make_range {span} : {self.type(value)}", value + start)
        axis = self.rng.randrange(len(shape))
        thin = self.any(shape[:axis] + shape[axis + 1 :], 0)
        value = np.expand_dims(self.values[thin], axis)
        wide = self.add(f"tt.expand_dims {thin} {{axis = {axis} : i32}} : {self.type(self.values[thin])} -> "
                        f"{self.type(value)}", value)  # fmt: skip
        spread = np.broadcast_to(value, shape)
        return self.add(f"tt.broadcast {wide} : {self.type(value)} -> {self.type(spread)}", spread)

    def any(self, shape: tuple[int, ...], depth: int) -> str:
        """A value of that shape."""
        what = self.rng.choice(WHAT) if depth else "leaf"
        if what == "leaf":
            return self.leaf(shape)
        if what == "constant" or (what in ("trans", "reshape") and not shape):
            return self.constant(shape)
        if what == "trans":
            order = self.rng.sample(range(len(shape)), len(shape))
            source = [0] * len(shape)
            for i, d in enumerate(order):
                source[d] = shape[i]
            given = self.any(tuple(source), depth - 1)
            value = self.values[given].transpose(order)
            told = f"{{order = array<i32: {', '.join(map(str, order))}>}}"
            return self.add(f"tt.trans {given} {told} : {self.type(self.values[given])} -> {self.type(value)}", value)
        if what == "reshape":
            given = self.any(tuple(extent for extent in shape if extent > 1) or (1,), depth - 1)
            value = self.values[given].reshape(shape)
            return self.add(f"tt.reshape {given} : {self.type(self.values[given])} -> {self.type(value)}", value)
        a = self.any(shape, depth - 1)
        b = self.constant(shape) if what in ("mul", "rem") else self.any(shape, depth - 1)
        if what == "mul" and self.rng.random() < 0.5:
            a, b = b, a
        one, other = self.values[a], self.values[b]
        found = {"add": one + other, "sub": one - other, "mul": one * other}.get(what)
        if found is None:
            divisor = np.where(other == 0, 1, other)
            found = one - divisor * np.trunc(one / divisor).astype(np.int64)
        op = {"add": "addi", "sub": "subi", "mul": "muli", "rem": "remsi"}[what]
        return self.add(f"arith.{op} {a}, {b} : {self.type(found)}", found)


@pytest.mark.parametrize("seed", range(60))
def test_steps_are_those_of_the_values(seed: int) -> None:
    """Where a stride is told, the values step by it everywhere; where one value is told, all have it."""
    rng = random.Random(seed)
    for _ in range(12):
        shape = rng.choice(((), (8,), (4, 8), (1, 8), (2, 1, 4), (2, 4, 8)))
        program = Program(rng, values={"%n": np.array(37)})
        name = program.any(shape, 3)
        value = program.values[name]
        try:
            found = steps(HEAD + "\n".join(program.lines), name)
        except LayoutError:
            continue
        if value.ndim or found.strides:
            assert len(found.strides) == value.ndim
        for axis, stride in enumerate(found.strides):
            if stride is not None and value.shape[axis] > 1 and not _wraps(program):
                assert (np.diff(value, axis=axis) == stride).all(), program.lines
        if found.value is not None and found.is_uniform:
            assert (value == found.value).all(), program.lines


def _wraps(program: Program) -> bool:
    """A wrap-around at what only the launch knows is left out, which shows where a negative index is divided."""
    return any("remsi" in line for line in program.lines)


def test_affine_arithmetic_is_followed_not_refused() -> None:
    """Sums, differences, products with a number, transposes: nothing of it is refused."""
    rng, told = random.Random(1), Counter[str]()
    for _ in range(200):
        program = Program(rng, values={"%n": np.array(37)})
        name = program.any(rng.choice(((8,), (4, 8), (2, 4, 8))), 2)
        if not _wraps(program):
            try:
                found = steps(HEAD + "\n".join(program.lines), name)
                assert "%n" in "".join(program.lines) or None not in found.strides
                told["affine"] += 1
            except LayoutError as error:
                told["of two indices" if "two indices" in str(error) else str(error)] += 1
    assert told["affine"] > 150
    assert set(told) <= {"affine", "of two indices"}


@pytest.mark.parametrize(("span", "divisor", "known"), [(8, 8, True), (8, 7, False), (8, 9, True), (8, -8, True)])
def test_a_remainder_is_affine_up_to_its_divisor(span: int, divisor: int, known: bool) -> None:
    text = f"""{HEAD}%r = tt.make_range {{end = {span} : i32, start = 0 : i32}} : tensor<{span}xi32, #b>
%d = arith.constant dense<{divisor}> : tensor<{span}xi32, #b>
%q = arith.remsi %r, %d : tensor<{span}xi32, #b>"""
    if known:
        assert steps(text, "%q").strides == (1,)
    else:
        with pytest.raises(LayoutError, match="span 8"):
            steps(text, "%q")


@pytest.mark.parametrize("value", [0, 3, 10, 29])
@pytest.mark.parametrize("divisor", [3, 10, 64])
def test_a_remainder_of_numbers_is_a_number(value: int, divisor: int) -> None:
    text = f"%a = arith.constant {value} : i32\n%b = arith.constant {divisor} : i32\n%c = arith.remsi %a, %b : i32"
    assert steps(text, "%c").value == value % divisor
    assert steps(text.replace(f"constant {value} ", f"constant -{value or 1} "), "%c").value is None


def test_the_counter_of_a_loop_is_known_at_run_time_only() -> None:
    """It begins with the lower bound, and is more in every other turn; so may be what the loop carries."""
    text = """%a = arith.constant 4 : i32
%z = arith.constant 7 : i32
%r = scf.for %i = %a to %n step %s iter_args(%c = %z) -> (i32) : i32 {
  %x = arith.addi %i, %a : i32
  %y = arith.addi %c, %a : i32
  scf.yield %c : i32
}"""
    assert steps(text, "%x").value is None
    assert steps(text, "%y").value is None


def test_a_value_of_itself_is_refused() -> None:
    with pytest.raises(LayoutError, match="depends on itself"):
        steps("%a = arith.addi %b, %b : i32\n%b = arith.addi %a, %a : i32", "%a")


@pytest.mark.parametrize("sign", [1, -1])
def test_steps_beyond_any_memory_are_refused_either_way(sign: int) -> None:
    text = """%r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi64, #b>
%c = arith.constant dense<NUMBER> : tensor<8xi64, #b>
%p = arith.muli %r, %c : tensor<8xi64, #b>"""
    assert steps(HEAD + text.replace("NUMBER", str(sign * pointers.MOST_OFFSET)), "%p").strides == (
        sign * pointers.MOST_OFFSET,
    )
    with pytest.raises(LayoutError, match="steps by more"):
        steps(HEAD + text.replace("NUMBER", str(sign * (pointers.MOST_OFFSET + 1))), "%p")


def test_an_operation_takes_the_type_behind_its_arrow() -> None:
    """The rank of a constant is that of its only type, of a splat that of its result."""
    text = f"{HEAD}%n = arith.constant 3 : i32\n%s = tt.splat %n : i32 -> tensor<2x4xi32, #b>"
    assert steps(text, "%s") == Affine((0, 0), 3)
    assert steps(text, "%n") == Affine((), 3)


def test_a_dimension_of_one_element_is_spread_without_steps() -> None:
    text = f"""{HEAD}%r = tt.make_range {{end = 8 : i32, start = 0 : i32}} : tensor<8xi32, #b>
%t = tt.reshape %r : tensor<8xi32, #b> -> tensor<1x8xi32, #b>
%s = tt.broadcast %t : tensor<1x8xi32, #b> -> tensor<4x8xi32, #b>"""
    assert steps(text, "%s").strides == (0, 1)


def test_steps_of_a_tensor_that_nothing_defines_are_not_taken_as_none() -> None:
    text = f"""{HEAD}%r = tt.make_range {{end = 8 : i32, start = 0 : i32}} : tensor<8xi32, #b>
%p = tt.addptr %unknown, %r : tensor<8x!tt.ptr<f32>, #b>, tensor<8xi32, #b>
%q = tt.broadcast %unknown : tensor<1x8x!tt.ptr<f32>, #b> -> tensor<4x8x!tt.ptr<f32>, #b>
%v = tt.load %q : tensor<4x8x!tt.ptr<f32>, #b>"""
    with pytest.raises(LayoutError, match="ranks 0 and 1"):
        steps(text, "%p")
    assert [left.op for left in analyse(text, "sm_90").not_analysed] == ["tt.load"]


# ---- sectors

GLOBAL = """
#b = #ttg.blocked<{{sizePerThread = [{s0}, {s1}], threadsPerWarp = [{t0}, {t1}], warpsPerCTA = [{w0}, {w1}],
  order = [{o0}, {o1}]}}>
tt.func public @k(%x: !tt.ptr<{el}> {{tt.divisibility = 16 : i32}}, %n: i32 {{tt.divisibility = 16 : i32}}) {{
  %r = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32, #ttg.slice<{{dim = 1, parent = #b}}>>
  %c = tt.make_range {{end = {cols} : i32, start = 0 : i32}} : tensor<{cols}xi32, #ttg.slice<{{dim = 0, parent = #b}}>>
  %re = tt.expand_dims %r {{axis = 1 : i32}} : tensor<{rows}xi32, #ttg.slice<{{dim = 1, parent = #b}}>> ->
    tensor<{rows}x1xi32, #b>
  %ce = tt.expand_dims %c {{axis = 0 : i32}} : tensor<{cols}xi32, #ttg.slice<{{dim = 0, parent = #b}}>> ->
    tensor<1x{cols}xi32, #b>
  %a = {a}
  %d = arith.constant dense<{d}> : tensor<1x{cols}xi32, #b>
  %rm = arith.muli %re, %a : tensor<{rows}x1xi32, #b>
  %cm = arith.muli %ce, %d : tensor<1x{cols}xi32, #b>
  %rb = tt.broadcast %rm : tensor<{rows}x1xi32, #b> -> tensor<{rows}x{cols}xi32, #b>
  %cb = tt.broadcast %cm : tensor<1x{cols}xi32, #b> -> tensor<{rows}x{cols}xi32, #b>
  %o = arith.addi %rb, %cb : tensor<{rows}x{cols}xi32, #b>
  %xs = tt.splat %x : !tt.ptr<{el}> -> tensor<{rows}x{cols}x!tt.ptr<{el}>, #b>
  %p = tt.addptr %xs, %o : tensor<{rows}x{cols}x!tt.ptr<{el}>, #b>, tensor<{rows}x{cols}xi32, #b>
  {load}
}}
"""
LOADS = (
    "%v = tt.load %p : tensor<{rows}x{cols}x!tt.ptr<{el}>, #b>",
    "%v = amdg.buffer_load %x[%o] : !tt.ptr<{el}> -> tensor<{rows}x{cols}x{el}, #b>",
)
BYTES = {"i8": 1, "f16": 2, "f32": 4}


def drawn(rng: random.Random) -> dict[str, object]:
    t0, w0 = rng.choice((1, 2, 8, 32)), rng.choice((1, 2, 4))
    order = rng.sample((0, 1), 2)
    return {
        "s0": rng.choice((1, 2)), "s1": rng.choice((1, 4, 8)), "t0": t0, "t1": 32 // t0, "w0": w0, "w1": 4 // w0,
        "o0": order[0], "o1": order[1], "el": rng.choice(("i8", "f16", "f32")), "rows": rng.choice((1, 4, 32)),
        "cols": rng.choice((4, 16, 64)), "d": rng.choice((0, 1, 1, 2, 33)), "load": LOADS[0],
    }  # fmt: skip


def written(given: dict[str, object], stride: int | None) -> str:
    shape = f"tensor<{given['rows']}x1xi32, #b>"
    a = f"tt.splat %n : i32 -> {shape}" if stride is None else f"arith.constant dense<{stride}> : {shape}"
    load = str(given["load"]).format(**given)
    return GLOBAL.format(**{**given, "a": a, "load": load})


def every_access(text: str, given: dict[str, object], stride: int, width: int) -> list[list[int]]:
    """The byte addresses of every lane, a row an instruction of a warp; warps that repeat others take no part."""
    size, length = BYTES[str(given["el"])], width // 8 // BYTES[str(given["el"])]
    dump = read_dump(text)
    types = Types(dump.aliases)
    layout = tensor(types, f"tensor<{given['rows']}x{given['cols']}xi32,#b>").layout
    registers, rows, seen = layout.get_in_dim_size("register"), list[list[int]](), set[tuple[int, ...]]()
    for warp in range(4):
        lanes = []
        for lane in range(32):
            places = [layout.apply({"register": r, "lane": lane, "warp": warp, "block": 0}) for r in range(registers)]
            lanes.append([size * (p["dim0"] * stride + p["dim1"] * int(str(given["d"]))) for p in places])
        own = tuple(sorted({address for lane in lanes for address in lane}))
        first = tuple(lane[0] for lane in lanes)
        if (*first, -1, *own) in seen:
            continue
        seen.add((*first, -1, *own))
        asked = set[tuple[int, ...]]()
        for r in range(registers):
            row = tuple(lane[r] for lane in lanes)
            whole = all({a + size * i for i in range(length)} <= set(lane) for a, lane in zip(row, lanes, strict=True))
            if lanes[0][r] % (size * length) == 0 and whole:
                asked.add(row)
        rows += map(list, asked)
    return rows


def tensor(types: Types, text: str) -> Tiled:
    found = types.tiled(text)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(40))
def test_sectors_are_those_of_every_address(seed: int) -> None:
    rng = random.Random(seed)
    given = drawn(rng)
    stride = rng.choice((0, 1, 16, 64, 100, 4096))
    text = written(given, stride)
    (found,) = analyse(text, "sm_80").accesses
    width = int(found.instruction.split()[-2])
    rows = every_access(text, given, stride, width)
    touched = [{byte // 32 for address in row for byte in range(address, address + width // 8)} for row in rows]
    asked = [{byte for address in row for byte in range(address, address + width // 8)} for row in rows]
    assert found.sectors == sum(map(len, touched)), text
    assert found.ideal == sum(-(-len(one) // 32) for one in asked), text


@pytest.mark.parametrize("seed", range(12))
def test_rows_of_a_run_time_stride_lie_as_far_apart_as_rows_of_a_large_known_one(seed: int) -> None:
    given = drawn(random.Random(100 + seed))
    costs = [analyse(written(given, stride), "sm_80").accesses[0] for stride in (None, 1 << 20)]
    assert costs[0].sectors == costs[1].sectors
    assert costs[0].ideal == costs[1].ideal


@pytest.mark.parametrize("seed", range(12))
def test_steps_backwards_cost_what_steps_forwards_do(seed: int) -> None:
    given = drawn(random.Random(200 + seed)) | {"s0": 1, "s1": 1}
    costs = [analyse(written({**given, "d": 0}, stride), "sm_80").accesses[0] for stride in (-48, 48)]
    assert costs[0].sectors == costs[1].sectors


def test_what_two_run_time_strides_lead_to_is_apart() -> None:
    """A column and a row whose steps nobody knows: every element its own sector, and none is asked for twice."""
    given = {"s0": 1, "s1": 1, "t0": 4, "t1": 8, "w0": 4, "w1": 1, "o0": 1, "o1": 0, "el": "f16", "rows": 16, "cols": 8,
             "d": 1, "load": LOADS[0]}  # fmt: skip
    text = written(given, None).replace("%d = arith.constant dense<1> :", "%d = tt.splat %n : i32 ->")
    (found,) = analyse(text, "sm_80").accesses
    assert found.sectors == 16 * 8


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_offsets_into_a_buffer_take_the_vectors_that_are_told(width: int) -> None:
    """`contiguity` says how many elements lie together, as far as the registers of a lane do."""
    load = LOADS[1].replace("[%o]", f"[%o] {{{{contiguity = {width} : i32}}}}")
    given = {"s0": 1, "s1": 4, "t0": 4, "t1": 16, "w0": 4, "w1": 1, "o0": 1, "o1": 0, "el": "f16", "rows": 16,
             "cols": 64, "d": 1, "load": load}  # fmt: skip
    (found,) = analyse(written(given, 64), "gfx942").accesses
    assert found.instruction == f"global load {16 * min(width, 4)} bits"
    assert found.count == 4 // min(width, 4)


def test_long_rows_of_a_run_time_stride_do_not_meet_either() -> None:
    given = {"s0": 1, "s1": 8, "t0": 1, "t1": 32, "w0": 1, "w1": 4, "o0": 1, "o1": 0, "el": "i8", "rows": 4,
             "cols": 1 << 14, "d": 1, "load": LOADS[0]}  # fmt: skip
    found = [analyse(written(given, stride), "sm_80").accesses[0] for stride in (None, 1 << 20)]
    assert found[0].sectors == found[1].sectors == 4 * (1 << 14) // 32


def test_lanes_far_apart_in_long_rows_of_a_run_time_stride_do_not_meet_either() -> None:
    """Each lane has 1,024 bytes of its own, of which it reads 16 at a time: each of them a sector."""
    given = {"s0": 1, "s1": 1024, "t0": 2, "t1": 16, "w0": 4, "w1": 1, "o0": 1, "o1": 0, "el": "i8", "rows": 8,
             "cols": 1 << 14, "d": 1, "load": LOADS[0]}  # fmt: skip
    costs = [analyse(written(given, stride), "sm_80").accesses[0] for stride in (None, 1 << 24)]
    assert costs[0].sectors == costs[1].sectors == 8 * (1 << 14) // 16


def test_one_block_of_a_cluster_is_counted() -> None:
    """Two blocks share 256 elements: one of them asks for half of the sectors, whichever half."""
    text = """#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0],
  CTAsPerCGA = [2], CTASplitNum = [2], CTAOrder = [0]}>
%r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #b>
%s = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>
%p = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>
%v = tt.load %p : tensor<256x!tt.ptr<f32>, #b>"""
    (found,) = analyse(text, "sm_90").accesses
    assert (found.sectors, found.ideal) == (128 * 4 // 32, 128 * 4 // 32)


@pytest.mark.parametrize(("cols", "counted"), [(2**16, True), (2**17, False)])
def test_addresses_are_counted_up_to_a_limit(cols: int, counted: bool) -> None:
    text = f"""#b = #ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}}>
%r = tt.make_range {{end = {cols} : i32, start = 0 : i32}} : tensor<{cols}xi32, #b>
%s = tt.splat %x : !tt.ptr<f32> -> tensor<{cols}x!tt.ptr<f32>, #b>
%p = tt.addptr %s, %r : tensor<{cols}x!tt.ptr<f32>, #b>, tensor<{cols}xi32, #b>
%v = tt.load %p : tensor<{cols}x!tt.ptr<f32>, #b>"""
    found = analyse(text, "sm_80")
    assert bool(found.accesses) == counted
    assert all(f"more than {2**16}" in left.why for left in found.not_analysed)
    assert [one.sectors for one in found.accesses] == [cols // 8] * counted


# ---- descriptors

SHARED = "#s = #ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = {across}, elementBitWidth = 16}}>\n"
BULK = (
    SHARED
    + """%x = ttng.async_tma_copy_global_to_local %d[%i, %i] %m, %bar, %true : \
!tt.tensordesc<tensor<{rows}x{cols}xf16, #s>>, !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable> \
-> !ttg.memdesc<{rows}x{cols}xf16, #s, #ttg.shared_memory, mutable>"""
)


@pytest.mark.parametrize(("rows", "cols"), [(8, 64), (1, 8), (2, 16), (64, 64), (1, 128)])
def test_a_bulk_copy_moves_the_lines_that_its_tile_touches(rows: int, cols: int) -> None:
    found = analyse(BULK.format(width=0, across="false", rows=rows, cols=cols), "sm_90")
    (one,) = found.accesses
    assert one.wavefronts == one.ideal == len({byte // 128 for byte in range(rows * cols * 2)})


DOT = (
    SHARED
    + """%d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<{rows}x{cols}xf16, #s, #ttg.shared_memory> * \
!ttg.memdesc<{rows}x{cols}xf16, #s, #ttg.shared_memory> -> tensor<64x64xf32, #m>"""
)


@pytest.mark.parametrize(
    ("width", "across", "rows", "cols"),
    [*((width, *tile) for width in (32, 64, 128) for tile in (("false", 64, 64), ("true", 64, 64), ("false", 16, 64))),
     (0, "false", 64, 8), (0, "true", 8, 64)],
)  # fmt: skip
def test_operands_of_wgmma_go_core_matrix_by_core_matrix(width: int, across: str, rows: int, cols: int) -> None:
    """Each of 8 rows of 16 bytes: as many passes as the fullest of 8 places of 16 bytes in a line has rows."""
    text = DOT.format(width=width, across=across, rows=rows, cols=cols)
    a, b = analyse(text, "sm_90").accesses
    tile = tensor(Types(read_dump(text).aliases), f"!ttg.memdesc<{rows}x{cols}xf16,#s,#ttg.shared_memory>")
    places = (tile.layout.apply({"offset": offset, "block": 0}) for offset in range(prod(tile.shape)))
    offset = {tuple(place.values()): at for at, place in enumerate(places)}
    inner, outer = (0, 1) if across == "true" else (1, 0)
    passes = matrices = 0
    for i in range(0, tile.shape[outer], 8):
        for j in range(0, tile.shape[inner], 8):
            corners = [(i + k, j) if inner == 1 else (j, i + k) for k in range(8)]
            passes += max(Counter(2 * offset[corner] // 16 % 8 for corner in corners).values())
            matrices += 1
    assert (a.wavefronts, a.ideal) == (b.wavefronts, b.ideal) == (passes, matrices)


@pytest.mark.parametrize(
    ("rows", "cols", "across"), [(64, 64, "false"), (64, 64, "true"), (64, 8, "true"), (64, 16, "false")]
)
def test_without_a_swizzle_a_descriptor_takes_core_matrices_alone(rows: int, cols: int, across: str) -> None:
    """As Triton 3.9, which compiles wgmma of such an operand only where its rows, or columns, are of 16 bytes."""
    found = analyse(DOT.format(width=0, across=across, rows=rows, cols=cols), "sm_90")
    assert found.accesses == ()
    assert all("rows side by side" in left.why for left in found.not_analysed)
    pitch = 2 * (rows if across == "true" else cols)
    assert f"lie {pitch}, {2 * pitch}, {4 * pitch} bytes behind" in found.not_analysed[0].why


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("16x64xf16, #s", "4x64xf16, #s", "smaller than a core matrix"),
        ("16x64xf16, #s", "64x4xf16, #s", "smaller than a core matrix"),
        ("16x64xf16, #s", "64xf16, #s", "is of a matrix"),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
         "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>", "its descriptor reads"),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>",
         "#ttg.shared_linear<{offset = [[0, 8], [0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [0, 16], [0, 32],"
         " [8, 0]], block = []}>", "not contiguous"),
    ],
)  # fmt: skip
def test_operands_that_no_descriptor_reads_are_listed_one_by_one(old: str, new: str, why: str) -> None:
    text = DOT.format(width=128, across="false", rows=16, cols=64)
    found = analyse(text.replace(old, new), "sm_90")
    assert re.sub(r"\s", "", old) in re.sub(r"\s", "", text)
    assert found.accesses == ()
    assert [left.operand for left in found.not_analysed] == ["A", "B"]
    assert all(why in left.why for left in found.not_analysed)
