"""What a FlyDSL dump's threads ask for, against numpy and against every thread by itself."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
from bank_oracle import wavefronts

from tilewright.arch import get
from tilewright.dumps.finding import Finding
from tilewright.dumps.fly import cost as fly_cost
from tilewright.dumps.fly import gpu, scalars
from tilewright.dumps.fly.access import Threads, along, at, behind_each_other, copied, place_at_indices, vector_of
from tilewright.dumps.fly.addresses import number_of, place_at
from tilewright.dumps.fly.analysis import analyse
from tilewright.dumps.fly.arguments import SIZE, argument, view
from tilewright.dumps.fly.repair import block
from tilewright.dumps.fly.run import MOST_STEPS, Run, Visit
from tilewright.dumps.fly.scalars import DATA
from tilewright.dumps.fly.values import MOST_OFFSETS, Array, Leaves, Missing, Place, Struct, Value
from tilewright.dumps.fly.visit import MOST_ADDRESSES
from tilewright.errors import LayoutError
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.types import CoordTensor, MemRef
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.ttgir_op import Op

COUNT = 128
SHARED = "#gpu.address_space<workgroup>"


def threads(active: Array | None = None, lanes: int = 64) -> Threads:
    return Threads(COUNT, np.ones(COUNT, bool) if active is None else active, Leaves(), lanes)


def run(name: str, given: list[Value], who: Threads | None = None, **fields: object) -> Value:
    """The value of one operation."""
    op = replace(Op(name, 9, ("%r",)), **fields)  # type: ignore[arg-type]  # fields by their names
    return Run(who or threads(), Visit(), {}).result(op, given)


PLACE = Place("f32", "shared", 32, 4, base="tile")

# ---- what the launch gives


@pytest.mark.parametrize("shape", [(), (5,), (4, 6), (2, 3, 5), (7, 1, 2, 3)])
def test_a_plain_view_has_the_strides_of_numpy(shape: tuple[int, ...]) -> None:
    found = view("m", f"memref<{''.join(f'{extent}x' for extent in shape)}f16>")
    strides = np.empty(shape, np.int8).strides
    for coord in itertools.product(*map(range, shape)):
        offset = sum(c * d for c, d in zip(coord, strides, strict=True))
        assert (found.layout(coord) if shape else found.layout(0)) == offset


def test_a_strided_view_steps_as_it_says() -> None:
    found = view("m", f"memref<4x6x2xf16, strided<[40, 1, 7], offset: 3>, {SHARED}>")
    assert found.layout == Layout((4, 6, 2), (40, 1, 7))
    with pytest.raises(LayoutError, match="2 strides for 3 extents"):
        view("m", "memref<4x6x2xf16, strided<[40, 1]>>")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_run_time_strides_are_those_of_a_row_major_tensor_of_large_extents(count: int) -> None:
    marks = ", ".join("?" * count)
    found = view("m", f"memref<{'?x' * count}4xf32, strided<[{marks}, 1]>>")
    assert found.layout.shape == (*(SIZE,) * count, 4)
    assert found.layout.stride == (*(SIZE**k for k in range(count, 0, -1)), 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i1", 1), ("i32", SIZE), ("index", SIZE), ("f32", DATA), ("vector<4xi32>", DATA),
        ("!llvm.struct<packed (i32, i32)>", Struct(((SIZE, SIZE),))),
        ("!llvm.struct<packed (i64, i64)>", Struct(((SIZE**2, SIZE),))),
        ("!llvm.struct<packed (struct<packed (i32, i32)>, struct<packed (i64)>)>", Struct(((SIZE, SIZE), (SIZE,)))),
        ("!llvm.struct<packed (ptr<1>)>", DATA),
    ],
)  # fmt: skip
def test_numbers_of_the_launch_are_large(text: str, value: Value) -> None:
    assert argument("%a", text) == value


@pytest.mark.parametrize(("text", "space"), [("!llvm.ptr<3>", "shared"), ("!llvm.ptr<5>", "register"),
                                             ("!llvm.ptr<1>", "global"), ("!llvm.ptr", "global")])  # fmt: skip
def test_pointers_of_llvm_say_their_space(text: str, space: str) -> None:
    found = argument("%a", text)
    assert isinstance(found, Place)
    assert (found.space, found.bits, found.base) == (space, 8, "%a")


@pytest.mark.parametrize("div", [1, 3, 24])
def test_divisors_of_types_divide_what_stands_for_them(div: int) -> None:
    text = f"(?{{div={div}}},8):(?{{div={div}}},?{{div={7 * div}}})"
    tile = argument("%a", f"!fly.memref<f32, global, {text}>")
    tensor = argument("%a", f"!fly.coord_tensor<(0,?{{div={div}}}), {text}>")
    number = argument("%a", f"!fly.int_tuple<?{{div={div}}}>")
    assert isinstance(tile, MemRef)
    assert isinstance(tensor, CoordTensor)
    assert isinstance(number, int)
    for layout in (tile.layout, tensor.layout):
        assert isinstance(layout, Layout)
        assert layout.is_static
        assert layout.shape[0] % div == layout.stride[0] % div == layout.stride[1] % (7 * div) == number % div == 0
        assert layout.stride[0] > layout.stride[1] >= SIZE
        assert layout.shape[0] >= SIZE <= number


# ---- addresses of all threads


@pytest.mark.parametrize("seed", range(12))
def test_a_view_is_asked_for_vector_by_vector(seed: int) -> None:
    """Bytes and elements of the first element of each vector, thread by thread."""
    rng = random.Random(seed)
    vector, bits = rng.choice((1, 2, 4)), rng.choice((8, 16, 32))
    rows, pitch = rng.choice((1, 2, 4)), 8 * rng.choice((1, 2, 5))
    origin, swizzle = rng.choice((0, 64 * bits)), rng.choice((None, Swizzle(2, 4, 3)))
    step = np.arange(COUNT) * rng.choice((0, 8, 64)) * bits
    who = threads()
    start = who.leaves.leaf(step + origin)
    place = Place("x", "shared", bits, 16, swizzle=swizzle, base="b", start=start, origin=origin)
    layout = Layout((vector, rows), (1, pitch))
    found = along(MemRef(place, layout), vector, "load", who)
    assert (found.bits, found.length, found.rows.shape) == (bits, vector, (rows, COUNT))
    for row, thread in itertools.product(range(rows), range(COUNT)):
        byte = (origin + int(step[thread]) + row * pitch * bits) // 8
        assert found.rows[row, thread] == (swizzle(byte) if swizzle else byte)
        assert found.plain[row, thread] == int(step[thread]) // bits + row * pitch


def test_vectors_are_whole_and_together_where_threads_take_part() -> None:
    with pytest.raises(LayoutError, match="whole number"):
        along(MemRef(PLACE, Layout(6, 1)), 4, "load", threads())
    with pytest.raises(LayoutError, match="apart"):
        along(MemRef(PLACE, Layout((2, 2), (8, 1))), 2, "load", threads())
    # A swizzle of words parts the pairs that straddle its block, in threads 64 and up.
    start = 64 * (np.arange(COUNT) >= 64)
    who = threads(np.arange(COUNT) < 64)
    place = replace(PLACE, swizzle=Swizzle(1, 2, 1), start=who.leaves.leaf(start))
    assert along(MemRef(place, Layout(2, 1)), 2, "load", who).length == 2
    with pytest.raises(LayoutError, match="apart"):
        along(MemRef(place, Layout(2, 1)), 2, "load", replace(who, active=np.ones(COUNT, bool)))


def test_a_tiled_copy_moves_what_its_atom_moves() -> None:
    atom = "!fly.copy_atom<!fly.universal_copy<64>, 32>"
    tiled = f"!fly.tiled_copy<{atom}, !fly.layout<((16,8),2):((16,1),8)>, !fly.tile<[8|32]>>"
    tile = "!fly.memref<f32, shared, (2,4):(1,8)>"
    who = threads()
    for text in (atom, tiled):
        op = Op("fly.copy", 3, (), ("%a", "%s", "%d"), (text, tile, "!fly.memref<f32, register, (2,4):(1,2)>"))
        view = MemRef(PLACE, Layout((2, 4), (1, 8)))
        ((space, request),) = copied(op, [read(text), view, Missing("registers")], who)
        assert (space, request.kind, request.length, request.rows.shape) == ("shared", "load", 2, (4, COUNT))


@pytest.mark.parametrize("lanes", [32, 64])
def test_lanes_that_write_behind_each_other_begin_where_the_first_one_is(lanes: int) -> None:
    who = threads(lanes=lanes)
    start = who.leaves.leaf((np.arange(COUNT) * 96 + 64) * 8)
    found = behind_each_other(at(replace(PLACE, start=start), 32, 3, "store", who), who)
    for thread in range(COUNT):
        lane, first = thread % lanes, thread - thread % lanes
        assert found.rows[0, thread] == first * 96 + 64 + lane * 12
        assert found.plain[0, thread] == (first * 96 + 64) // 4 + lane * 3


@pytest.mark.parametrize(
    ("text", "bits", "count"),
    [("f16", 16, 1), ("i1", 8, 1), ("i64", 64, 1), ("i96", 32, 3), ("i128", 32, 4), ("vector<4xf32>", 32, 4),
     ("vector<2x3xf16>", 16, 6), ("vector<2xi128>", 32, 8), ("!llvm.ptr<3>", 64, 1)],
)  # fmt: skip
def test_a_type_is_a_vector_of_words(text: str, bits: int, count: int) -> None:
    assert vector_of(text) == (bits, count)


@pytest.mark.parametrize("text", ["vector<0xf32>", "i24", "vector<4xi48>", "vector<[?]xf32>"])
def test_types_that_are_no_vectors_are_refused(text: str) -> None:
    with pytest.raises(LayoutError):
        vector_of(text)


def test_indices_into_a_view_step_by_its_strides() -> None:
    who = threads()
    index = np.arange(COUNT)
    tile = MemRef(PLACE, Layout((4, 8, 2), (33, 1, 500)))
    place, offset = place_at_indices(tile, [index, 3, 1], who)
    assert place == PLACE
    assert (offset == (33 * index + 3 + 500) * 32).all()
    with pytest.raises(LayoutError, match="2 indices into a view of 3"):
        place_at_indices(tile, [index, 3], who)


def test_an_address_is_a_number_and_back() -> None:
    """Buffers are apart, bits within a byte are refused."""
    known = Leaves()
    start = known.leaf(np.arange(COUNT) * 32)
    places = [replace(PLACE, base=name, start=start, origin=at) for name, at in (("a", 0), ("b", 0), ("b", 64))]
    numbers = [number_of(place, known) for place in places]
    for place, number in zip(places, numbers, strict=True):
        again = place_at(number, PLACE, known)
        assert (again.base, again.origin) == (place.base, place.origin)
        assert (known.number(again.at) == np.arange(COUNT) * 32).all()
    with pytest.raises(LayoutError, match="within a byte"):
        number_of(replace(PLACE, start=known.leaf(np.arange(COUNT))), known)


def test_a_pointer_is_so_many_elements_from_where_it_began() -> None:
    moved = replace(PLACE, start=64, distance=3)
    assert moved.at == 64 + 3 * 32
    assert (moved.of(replace(PLACE, bits=8)).at, moved.moved(8).at) == (moved.at, moved.at + 8)
    assert (moved.buffer, replace(moved, origin=128).buffer) == ("tile", "tile + 16")


def test_leaves_remember_their_numbers() -> None:
    known = Leaves()
    number = 6 * np.array([5, 3, -2, 7])
    leaf = known.leaf(number)
    assert known.leaf(np.full(4, 9)) == 9
    assert leaf is known.leaf(number.copy())
    assert known.leaf(number, 32) != leaf
    assert not isinstance(leaf, int)
    assert (leaf.div, leaf.lower, leaf.upper) == (6, -12, 42)
    assert (known.number(leaf * 2 + 1) == number * 2 + 1).all()
    assert known.leaf(np.array([4, 8, 6])).div == 2  # type: ignore[union-attr]  # a leaf, as they differ


def test_functions_around_a_layout_are_applied_from_the_inside() -> None:
    inner, one, other = Layout((4, 16), (64, 1)), Swizzle(1, 0, 2), Swizzle(1, 2, 1)
    assert any(one(other(inner(i))) != other(one(inner(i))) for i in range(64))
    layout = ComposedLayout(other, 0, ComposedLayout(one, 0, inner))
    found, plain = Leaves().offsets(layout, COUNT)
    assert found[:, 0].tolist() == [other(one(inner(i))) for i in range(64)]
    assert plain[:, 0].tolist() == [inner(i) for i in range(64)]
    with pytest.raises(LayoutError, match="between two swizzles"):
        Leaves().offsets(ComposedLayout(other, 8, ComposedLayout(one, 0, inner)), COUNT)


@pytest.mark.parametrize("more", [0, 1])
def test_copies_of_one_thread_are_followed_up_to_a_size(more: int) -> None:
    layout = Layout(MOST_OFFSETS + more, 1)
    if not more:
        assert len(Leaves().offsets(layout, 4)[0]) == MOST_OFFSETS
    else:
        with pytest.raises(LayoutError, match="at most"):
            Leaves().offsets(layout, 4)


# ---- who a thread is, and ops one by one


@pytest.mark.parametrize("shape", [(4, 3, 2), (64, 2, 1), (1, 8, 16)])
def test_threads_are_numbered_x_first(shape: tuple[int, int, int]) -> None:
    count = int(np.prod(shape))
    found = gpu.identities(shape, 32)
    for flat in range(count):
        z, y, x = np.unravel_index(flat, shape[::-1])
        own = [found[f"gpu.thread_id {axis}"][flat] for axis in "xyz"]  # type: ignore[index]  # arrays
        assert own == [x, y, z]
        whole = [found[f"gpu.global_id {axis}"][flat] for axis in "xyz"]  # type: ignore[index]  # arrays
        assert whole == [i + extent * gpu.BLOCK_ID for i, extent in zip((x, y, z), shape, strict=True)]
        assert found["gpu.lane_id"][flat] == flat % 32  # type: ignore[index]  # an array
    assert found["gpu.num_subgroups"] == -(-count // 32)


TILE = f"memref<32x64xf32, {SHARED}>"
BYTES = MemRef(Place("i8", "shared", 8, 1, base="all"), Layout(16384, 1))


def test_a_view_of_bytes_begins_where_its_operand_says() -> None:
    found = run("memref.view", [BYTES, 4096], outputs=(TILE,))
    assert isinstance(found, MemRef)
    assert isinstance(found.pointer, Place)
    assert (found.pointer.at, found.pointer.origin, found.layout) == (8 * 4096, 8 * 4096, Layout((32, 64), (64, 1)))
    again = run("memref.cast", [found, 3], outputs=(f"memref<?x64xf32, {SHARED}>",))
    assert isinstance(again, MemRef)
    assert again.pointer == found.pointer


@pytest.mark.parametrize("row", [3, np.arange(COUNT)])
def test_a_part_of_a_view_begins_at_its_offsets(row: Value) -> None:
    whole = MemRef(PLACE, Layout((32, 64), (64, 1)))
    words = ("%m", "[", "%i", ",", "8", "]", "[", "16", ",", "16", "]", "[", "1", ",", "1", "]")
    who = threads()
    found = run("memref.subview", [whole, row], who, words=words, outputs=("memref<16x16xf32, strided<[64, 1]>>",))
    assert isinstance(found, MemRef)
    assert isinstance(found.pointer, Place)
    assert np.array_equal(who.leaves.number(found.pointer.at), (np.asarray(row) * 64 + 8) * 32)
    assert isinstance(run("memref.subview", [whole, row], words=words[:6], outputs=(TILE,)), Missing)


@pytest.mark.parametrize(
    ("words", "element", "by"),
    [(("[", "%i", "]"), "f32", 32 * 5), (("[", "-", "3", "]"), "f16", -48), (("[", "%i", "]"), "vector<2xf32>", 64 * 5),
     (("[", "0", ",", "%i", "]"), "!llvm.array<64 x f32>", 32 * 5), (("[", "%i", "]", "x", "7"), "i8", 8 * 5)],
)  # fmt: skip
def test_a_pointer_steps_by_whole_elements(words: tuple[str, ...], element: str, by: int) -> None:
    found = run("llvm.getelementptr", [PLACE, 5], words=words, outputs=("!llvm.ptr<3>", element))
    assert isinstance(found, Place)
    assert found.at == by


@pytest.mark.parametrize(("words", "why"), [(("[", "1", ",", "%i", "]"), "structure"), (("[", "%j", "]"), "data")])
def test_pointers_that_are_not_followed_say_why(words: tuple[str, ...], why: str) -> None:
    found = run("llvm.getelementptr", [PLACE, DATA], words=words, outputs=("!llvm.ptr<3>", "!llvm.array<64 x f32>"))
    assert isinstance(found, Missing)
    assert why in found.why


def test_fields_are_put_in_and_taken_out() -> None:
    made: Value = DATA
    for i, value in enumerate((7, 8, 9)):
        made = run("llvm.insertvalue", [value, made], words=("%x", ",", "%s", "[", str(i), "]"))
    made = run("llvm.insertvalue", [5, made], words=("[", "1", "]"))
    assert made == Struct((7, 5, 9))
    assert [run("llvm.extractvalue", [made], words=("[", str(i), "]")) for i in range(3)] == [7, 5, 9]
    assert isinstance(run("llvm.extractvalue", [made], words=("[", "3", "]")), Missing)
    assert run("llvm.insertvalue", [1, DATA], words=("[", "2", "]")) == Struct((DATA, DATA, 1))
    assert run("llvm.insertvalue", [1, DATA], words=("[", "64", "]")) == DATA
    assert run("llvm.insertvalue", [1, DATA], words=("[", "63", "]")) != DATA


def test_memory_of_a_thread_is_no_shared_memory() -> None:
    found = run("llvm.alloca", [1], outputs=("!llvm.ptr<3>",))
    assert isinstance(found, Place)
    assert found.space == "register"


def test_the_first_active_lane_tells_its_wave() -> None:
    active = np.arange(COUNT) % 64 >= 5
    found = run("rocdl.readfirstlane", [np.arange(COUNT)], threads(active))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [5] * 64 + [69] * 64


@pytest.mark.parametrize("bits", [1, 8, 32])
def test_integers_of_some_bits_wrap_and_are_shifted_within_them(bits: int) -> None:
    inputs = (f"i{bits}",)
    for value in range(-3, 6):
        found = scalars.wrapped(value, bits)
        assert (found - value) % (1 << bits) == 0
        assert 0 <= found < 2 if bits == 1 else -(1 << bits - 1) <= found < 1 << bits - 1
    assert isinstance(run("arith.shli", [1, bits], inputs=inputs), Missing)
    assert not isinstance(run("arith.shli", [1, bits - 1], inputs=inputs), Missing)
    below = run("arith.cmpi", [1, 0], words=("slt", "%a", "%b"), inputs=inputs)
    assert below == int(bits == 1)  # one bit that is set is -1


@pytest.mark.parametrize(("name", "value"), [("arith.extsi", -1), ("arith.extui", 255), ("arith.index_castui", 255),
                                             ("llvm.zext", 255), ("arith.index_cast", -1)])  # fmt: skip
def test_integers_are_widened_with_their_sign_or_without(name: str, value: int) -> None:
    assert run(name, [-1], inputs=("i8",), outputs=("i32",)) == value


def test_a_choice_between_two_equal_things_is_that_thing() -> None:
    assert run("arith.select", [DATA, PLACE, PLACE]) is PLACE
    assert run("arith.select", [DATA, 3, PLACE]) is DATA


# ---- instructions


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_an_access_goes_in_whole_aligned_instructions_of_active_threads(arch: str, count: int) -> None:
    spec = get(arch)
    active = np.arange(COUNT) % 3 != 1
    who = Threads(COUNT, active, Leaves(), spec.lanes)
    starts = np.arange(COUNT) * 4 * count + 5 * 4096
    found = fly_cost.shared("x", at(replace(PLACE, start=who.leaves.leaf(starts * 8)), 32, count, "load", who), spec)
    width = int(found.instruction.rpartition("b")[2]) // 8
    assert 4 * count % width == 0
    rows = [[int(s) + piece if a else None for s, a in zip(starts, active, strict=True)] for piece in
            range(0, 4 * count, width)]  # fmt: skip
    waves = [row[i : i + spec.lanes] for row in rows for i in range(0, COUNT, spec.lanes)]
    assert found.wavefronts == sum(wavefronts(wave, width, arch, "load") for wave in waves)
    assert found.count == len(rows)


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("seed", range(6))
def test_where_a_word_begins_does_not_depend_on_where_the_access_begins(arch: str, bits: int, seed: int) -> None:
    who, spec, rng = threads(), get(arch), random.Random(seed)
    cells = np.array([bits // 8 * rng.randrange(1, 700) for _ in range(COUNT)])
    request = at(replace(PLACE, bits=bits, start=who.leaves.leaf(cells * 8)), bits, 1, "load", who)
    found = fly_cost.shared("x", request, spec)
    waves = [[int(cell) for cell in cells[i : i + 64]] for i in range(0, COUNT, 64)]
    assert found.wavefronts == sum(wavefronts(wave, bits // 8, arch, "load") for wave in waves)


@pytest.mark.parametrize("more", [0, 1])
def test_accesses_of_one_operation_are_counted_up_to_a_number(more: int) -> None:
    who, spec = threads(), get("gfx942")
    request = along(MemRef(PLACE, Layout(fly_cost.MOST_ROWS + more, 33)), 1, "load", who)
    if more:
        with pytest.raises(LayoutError, match="at most"):
            fly_cost.shared("x", request, spec)
    else:
        assert fly_cost.shared("x", request, spec).count == fly_cost.MOST_ROWS


# ---- whole kernels

KERNEL = """gpu.module @m {{
gpu.func @k(%g: !llvm.ptr<1>, %n: i32) kernel attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
%x = gpu.thread_id x
%t = arith.index_cast %x : index to i32
%a = llvm.mlir.addressof @arena : !llvm.ptr<3>
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%i1 = arith.constant 1 : i32
{body}
gpu.return
}}
}}"""
LOAD = "%q{0} = llvm.getelementptr %a[%{1}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32\n" \
       "%v{0} = llvm.load %q{0} : !llvm.ptr<3> -> f32\n"  # fmt: skip


def accesses(body: str, arch: str = "gfx942") -> tuple[Finding, ...]:
    found = analyse(KERNEL.format(body=body), arch)
    assert found.not_analysed == ()
    return found.accesses


def cost_of(words: list[int | None]) -> int:
    """Wavefronts of a load of words by 128 threads, two waves of them."""
    cells = [None if word is None else 4 * word for word in words]
    waves = [wave for wave in (cells[:64], cells[64:]) if any(cell is not None for cell in wave)]
    return sum(wavefronts(wave, 4, "gfx942", "load") for wave in waves)


@pytest.mark.parametrize(("low", "high", "step"), [(0, 4, 1), (1, 8, 3), (2, 3, 1), (5, 6, 2)])
def test_every_turn_of_a_loop_has_its_own_index(low: int, high: int, step: int) -> None:
    bounds = "\n".join(f"%{n} = arith.constant {v} : index" for n, v in (("lo", low), ("hi", high), ("st", step)))
    body = f"""{bounds}
scf.for %i = %lo to %hi step %st {{
%k = arith.index_cast %i : index to i32
%o = arith.muli %t, %k : i32
{LOAD.format(0, "o")}}}"""
    (found,) = accesses(body)
    costs = [cost_of([k * t for t in range(128)]) for k in range(low, high, step)]
    assert found.wavefronts == max(costs)
    assert bool(found.notes) == (min(costs) < max(costs))
    if found.notes:
        assert f"{min(costs)} to {max(costs)}" in found.notes[-1]


def test_a_loop_whose_bounds_differ_runs_for_those_threads_that_are_in_it() -> None:
    """Thread t makes t % 3 turns: the second one is of a third of the threads."""
    body = f"""%c3 = arith.constant 3 : index
%hi = arith.remui %x, %c3 : index
scf.for %i = %c0 to %hi step %c1 {{
%k = arith.index_cast %i : index to i32
%s = arith.shli %i1, %k : i32
%o = arith.muli %t, %s : i32
{LOAD.format(0, "o")}}}"""
    (found,) = accesses(body)
    costs = [cost_of([(1 << i) * t if t % 3 > i else None for t in range(128)]) for i in range(2)]
    told = f"line costs {min(costs)} to {max(costs)} from execution to execution"
    assert found.wavefronts in costs
    assert found.notes == ((told,) if costs[0] != costs[1] else ())


@pytest.mark.parametrize(("low", "step"), [(3, 1), (0, 0), (0, -1)])
def test_a_loop_without_turns_or_without_an_end_is_not_run_whole(low: int, step: int) -> None:
    body = f"""%lo = arith.constant {low} : index
%hi = arith.constant 3 : index
%st = arith.constant {step} : index
%r = scf.for %i = %lo to %hi step %st iter_args(%k = %i1) -> (i32) {{
%s = arith.addi %k, %i1 : i32
scf.yield %s : i32
}}
%o = arith.muli %t, %r : i32
{LOAD.format(0, "o")}"""
    found = analyse(KERNEL.format(body=body), "gfx942")
    if low == 3:
        assert [one.wavefronts for one in found.accesses] == [cost_of(list(range(128)))]
    else:
        assert "after all iterations" in found.not_analysed[0].why


@pytest.mark.parametrize("turns", [2000, 100000])
def test_a_long_loop_is_looked_at_in_its_first_turns(turns: int) -> None:
    """Three of them; what it carries is not known behind it, and that is said."""
    body = f"""%hi = arith.constant {turns} : index
%r = scf.for %i = %c0 to %hi step %c1 iter_args(%k = %i1) -> (i32) {{
%o = arith.muli %t, %k : i32
{LOAD.format(0, "o")}%s = arith.addi %k, %k : i32
scf.yield %s : i32
}}
{LOAD.format(1, "r")}"""
    found = analyse(KERNEL.format(body=body), "gfx942")
    assert [one.wavefronts for one in found.accesses] == [max(cost_of([k * t for t in range(128)]) for k in (1, 2, 4))]
    assert [left.why for left in found.not_analysed] == ["it is known only after all iterations of the loop on line 10"]


def test_what_a_loop_carries_is_known_behind_it_and_by_its_number() -> None:
    body = f"""%hi = arith.constant 3 : index
%r:2 = scf.for %i = %c0 to %hi step %c1 iter_args(%k = %i1, %l = %i1) -> (i32, i32) {{
%s = arith.addi %k, %k : i32
scf.yield %s, %l : i32, i32
}}
%o = arith.muli %t, %r#0 : i32
%p = arith.muli %t, %r#1 : i32
{LOAD.format(0, "o")}{LOAD.format(1, "p")}"""
    one, other = accesses(body)
    assert one.wavefronts == cost_of([8 * t for t in range(128)])
    assert other.wavefronts == cost_of(list(range(128)))


@pytest.mark.parametrize("limit", [1, 64, 100, 128])
def test_both_sides_of_a_choice_are_of_their_own_threads(limit: int) -> None:
    body = f"""%l = arith.constant {limit} : i32
%b = arith.cmpi slt, %t, %l : i32
%c32 = arith.constant 32 : i32
%r = scf.if %b -> (i32) {{
%o = arith.muli %t, %c32 : i32
{LOAD.format(0, "o")}scf.yield %o : i32
}} else {{
{LOAD.format(1, "t")}scf.yield %t : i32
}}
{LOAD.format(2, "r")}"""
    found = analyse(KERNEL.format(body=body), "gfx942")
    sides = [[32 * t if t < limit else None for t in range(128)], [t if t >= limit else None for t in range(128)]]
    both = [32 * t if t < limit else t for t in range(128)]
    wanted = [cost_of(side) for side in (*sides, both) if any(word is not None for word in side)]
    assert [one.wavefronts for one in found.accesses] == wanted
    assert len(found.not_analysed) == 3 - len(wanted)


def test_a_choice_without_another_side_gives_what_its_side_gives() -> None:
    body = f"scf.if %n_ {{\n{LOAD.format(0, 't')}}}"
    (found,) = accesses(f"%n_ = arith.constant true\n{body}")
    assert found.wavefronts == cost_of(list(range(128)))


def test_operations_are_executed_up_to_a_number() -> None:
    """What comes behind more than 10,000 of them is listed."""
    inner = "%y = arith.addi %i1, %i1 : i32\n" * 90
    loops = f"%hi = arith.constant 60 : index\nscf.for %i = %c0 to %hi step %c1 {{\n{inner}}}\n"
    assert accesses(loops + LOAD.format(0, "t"))
    left = analyse(KERNEL.format(body=loops * 2 + LOAD.format(0, "t")), "gfx942").not_analysed
    assert 60 * 90 < MOST_STEPS < 2 * 60 * 90
    assert [one.why for one in left] == ["more operations come before it than are executed here"]


def test_addresses_are_counted_up_to_a_number() -> None:
    """256 rows of 128 threads are 2^15 addresses: 65 of them come before the limit of 2^21."""
    tile = "!fly.memref<i32, shared, (1,256):(0,33)>"
    head = """%b = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
%p = fly.recast_iter(%b) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<i32, shared, align<1024>>
%l = fly.static : !fly.layout<(1,256):(0,33)>
"""
    rest = "".join(
        f"""%e{i} = fly.make_int_tuple() : () -> !fly.int_tuple<{i}>
%q{i} = fly.add_offset(%p, %e{i}) : (!fly.ptr<i32, shared, align<1024>>, !fly.int_tuple<{i}>) -> !fly.ptr<i32, shared>
%m{i} = fly.make_view(%q{i}, %l) : (!fly.ptr<i32, shared>, !fly.layout<(1,256):(0,33)>) -> {tile}
%v{i} = fly.memref.load_vec(%m{i}) : ({tile}) -> vector<256xi32>
"""
        for i in range(70)
    )
    found = analyse(KERNEL.format(body=head + rest), "gfx942")
    assert len(found.accesses) == (MOST_ADDRESSES >> 15) + 1
    assert len(found.not_analysed) == 70 - len(found.accesses)
    assert all(f"{MOST_ADDRESSES} addresses are counted before it" in left.why for left in found.not_analysed)


def test_an_argument_with_a_layout_is_an_argument() -> None:
    text = KERNEL.format(
        body="%v = fly.memref.load_vec(%w) : (!fly.memref<f32, shared, (4,2):(2,1)>) -> vector<8xf32>"
    ).replace("%n: i32)", "%w: !fly.memref<f32, shared, (4,2):(2,1)>, %n: i32)")
    (found,) = analyse(text, "gfx942").accesses
    assert found.count == 8


def test_arguments_of_shared_memory_are_arguments() -> None:
    text = KERNEL.format(body=f"%v = memref.load %w[%x] : memref<128xf32, {SHARED}>").replace(
        "kernel attributes", f"workgroup(%w : memref<128xf32, {SHARED}>) kernel attributes"
    )
    (found,) = analyse(text, "gfx942").accesses
    assert found.wavefronts == cost_of(list(range(128)))


@pytest.mark.parametrize(("size", "direct"), [(1, 8), (2, 16), (4, 32), (12, 96), (16, 128)])
def test_a_copy_into_shared_memory_moves_so_many_bytes_a_lane(size: int, direct: int) -> None:
    """Global memory is read where each lane points, shared memory written lane behind lane."""
    body = f"""%z = arith.constant 0 : i32
%s = arith.constant {size} : i32
%o = arith.muli %t, %s : i32
rocdl.raw.ptr.buffer.load.lds %g, %a, %s, %o, %z, %z, %z : !llvm.ptr<1>, !llvm.ptr<3>, i32, i32, i32, i32, i32"""
    read, store = accesses(body, "gfx950")
    assert store.instruction == f"load to LDS, {direct} bits"
    assert read.instruction.endswith(f"{direct} bits")
    assert read.sectors == read.ideal
    assert store.wavefronts == store.ideal


@pytest.mark.parametrize(("b", "m", "s"), [(1, 0, 1), (2, 0, 3), (3, 1, 3), (2, 1, -2), (5, 0, 6), (2, 4, 2)])
def test_a_swizzle_moves_the_elements_of_whole_blocks_among_themselves(b: int, m: int, s: int) -> None:
    """So that a buffer of whole blocks holds what it moves, and one that ends within a block may not."""
    swizzle = Swizzle(b, m, s)
    size = block(swizzle)
    for start in range(0, 1 << 12, size):
        assert {swizzle(start + i) for i in range(size)} == set(range(start, start + size))
    half = size // 2
    assert any(swizzle(i) // half != i // half for i in range(1 << 12))
