"""What `fission` keeps, moves and asks: each law by small kernels, run before and after with every check."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from cpu import within
from cut_kernels import cut, same_when_cut
from final_kernels import kernel
from xdsl.context import Context
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.attributes import THREAD
from tilewright.ir.text import parse_module
from tilewright.passes.fission.fission import Fission
from tilewright.targets.simulator.simulate import simulate

A32 = "%A: memref<32xi32>"
VALUE = "%x = memref.load %A[%tx] : memref<32xi32>\n%seven = arith.constant 7 : i32\n"
SYNC = '\ntile.sync "cta"\n'


def of(body: str, parameters: str = A32, block: int = 32) -> ModuleOp:
    return parse_module(kernel(body, parameters, block))


def numbers(count: int = 32) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]]:
    return [np.arange(count, dtype=np.int32) * 5 - 9]


# ---- registers


R = 'memref<4xi32, "local">'
FILLED = f"""%R = memref.alloca() : {R}
{VALUE}
scf.for %i = %c0 to %c4 step %c1 {{
  %j = arith.index_cast %i : index to i32
  %y = arith.addi %x, %j : i32
  memref.store %y, %R[%i] : {R}
}}"""
READ = f"""%r0 = memref.load %R[%c0] : {R}
%r1 = memref.load %R[%c1] : {R}
%r2 = memref.load %R[%c2] : {R}
%r3 = memref.load %R[%c3] : {R}
%s0 = arith.muli %r0, %seven : i32
%s1 = arith.addi %s0, %r1 : i32
%s2 = arith.muli %s1, %seven : i32
%s3 = arith.subi %s2, %r2 : i32
%s4 = arith.muli %s3, %seven : i32
%s5 = arith.addi %s4, %r3 : i32
memref.store %s5, %A[%tx] : memref<32xi32>"""
DOUBLED = f"""scf.for %i = %c0 to %c4 step %c1 {{
  %o = memref.load %R[%i] : {R}
  %p = arith.addi %o, %o : i32
  memref.store %p, %R[%i] : {R}
  %q = memref.load %R[%i] : {R}
  memref.store %q, %R[%i] : {R}
}}"""
HALF = f"""scf.for %i = %c0 to %block step %c1 {{
  %h = arith.andi %i, %c1 : index
  memref.store %seven, %R[%h] : {R}
}}"""
SOME = f"""%few = arith.cmpi ult, %tx, %c5 : index
scf.if %few {{
  scf.for %i = %c0 to %c4 step %c1 {{ memref.store %seven, %R[%i] : {R} }}
}}"""
NONE = f"""%n = memref.load %N[] : memref<index>
scf.for %i = %c0 to %n step %c1 {{ memref.store %seven, %R[%i] : {R} }}"""
OWN = f"""scf.for %i = %c0 to %c4 step %c1 {{ memref.store %seven, %R[%i] : {R} }}"""


@pytest.mark.parametrize("between", ["", DOUBLED, HALF, SOME, OWN, f"{SOME}\n{DOUBLED}", f"{HALF}\n{READ}"])
@pytest.mark.parametrize("filled", [FILLED, f"{FILLED}{SYNC}{DOUBLED}"])
def test_registers_are_the_same_beyond_a_barrier(filled: str, between: str) -> None:
    """Left alone, changed often, stored in part or by some threads: what was not stored is what it was."""
    read = READ.replace("%r", "%v").replace("%s", "%w").replace("%weven", "%seven")
    same_when_cut(of(f"{filled}{SYNC}{between}{SYNC}{read}"), numbers())


def test_registers_in_a_leaf_that_some_threads_store_and_all_load() -> None:
    same_when_cut(of(f"{FILLED}{SYNC}{SOME}\n{READ}"), numbers())


@pytest.mark.parametrize("count", [0, 2, 4])
def test_registers_that_a_loop_of_any_length_stores(count: int) -> None:
    loop = NONE.replace("%n = memref.load %N[] : memref<index>", "%n = arith.index_cast %N : i32 to index")
    module = of(f"{FILLED}{SYNC}{loop}\n{READ}", f"{A32}, %N: i32")
    same_when_cut(module, [*numbers(), np.array(count, np.int32)])


@pytest.mark.parametrize("body", [f"memref.store %seven, %R[%c0] : {R}", f"%l = memref.load %R[%c1] : {R}"])
def test_a_loop_of_many_turns_is_not_followed_to_its_end(body: str) -> None:
    many = f"%many = arith.constant 3000000 : index\nscf.for %k = %c0 to %many step %c1 {{ {body} }}"
    module = of(f"{FILLED}{SYNC}{many}\n{READ}")
    with within(1):
        Fission().apply(Context(), module)


# ---- threads


def numbered(extents: tuple[int, int, int], meet: str) -> ModuleOp:
    """Each thread stores its three coordinates, worked out before and after it meets others."""
    x, y, z = extents
    memory = f"memref<{x * y * z}xi32>"
    stores = "\n".join(f"memref.store %{t}, %{t.upper()}[%n] : {memory}" for t in "abc")
    casts = "\n".join(f"%{t} = arith.index_cast %t{d} : index to i32" for t, d in zip("abc", "xyz", strict=True))
    again = stores.replace("%a,", "%d,").replace("%A[", "%D[")
    return parse_module(f"""
func.func @f({", ".join(f"%{name}: {memory}" for name in "ABCD")}) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: {x}, {y}, {z}>}} {{
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %tz = gpu.thread_id z
  %nx = arith.constant {x} : index
  %ny = arith.constant {y} : index
  %c1 = arith.constant 1 : index
  %0 = arith.muli %tz, %ny : index
  %1 = arith.addi %0, %ty : index
  %2 = arith.muli %1, %nx : index
  %n = arith.addi %2, %tx : index
  %is = arith.cmpi eq, %ty, %c1 : index
  {casts}
  {meet}
  {stores}
  {again}
  func.return
}}""")


VOTED = """%v = tile.vote "any" %is : i1
  %d = arith.extui %v : i1 to i32"""
MET = """tile.sync "cta"
  %d = arith.extui %is : i1 to i32"""


@pytest.mark.parametrize("extents", [(4, 3, 5), (1, 40, 1), (3, 1, 7), (2, 2, 24)])
@pytest.mark.parametrize("meet", [VOTED, MET, f'{VOTED}\ntile.sync "cta"'])
def test_every_thread_is_itself(extents: tuple[int, int, int], meet: str) -> None:
    """Whichever dimensions a block has, and however many lanes its last warp lacks."""
    x, y, z = extents
    arrays = [np.zeros(x * y * z, np.int32) for _ in range(4)]
    a, b, c, _ = same_when_cut(numbered(extents, meet), arrays)
    found = sorted(zip(c.tolist(), b.tolist(), a.tolist(), strict=True))
    assert found == sorted(product(range(z), range(y), range(x)))


@pytest.mark.parametrize("around", ["scf.if %is {BODY}", "scf.for %i = %c0 to %c1 step %c1 {BODY}"])
def test_a_thread_is_itself_within_a_branch_or_loop(around: str) -> None:
    body = """{
      %t = gpu.thread_id x
      %n = arith.index_cast %t : index to i32
      memref.store %n, %A[%t] : memref<32xi32>
    }"""
    (found,) = same_when_cut(of("%is = arith.cmpi ult, %tx, %c5 : index\n" + around.replace("{BODY}", body)), numbers())
    assert found.tolist()[:5] == list(range(5))


# ---- lanes


@pytest.mark.parametrize("lanes", [32, 64])
def test_shuffles_of_all_kinds_widths_and_distances(lanes: int) -> None:
    """In two warps, in a kernel of each kind."""
    threads = 2 * lanes
    for kind in ("idx", "up", "down", "xor"):
        lines, cases = [f"%x = memref.load %A[%tx] : memref<{threads}xi32>"], [*product((4, 32), (0, 3, 6, 31))]
        for number, (width, by) in enumerate(cases):
            lines += [
                f"%by{number} = arith.constant {by} : index",
                f'%y{number} = tile.shuffle "{kind}" %x, %by{number}, {width} : i32',
                f"%o{number} = arith.constant {number * threads} : index",
                f"%p{number} = arith.addi %o{number}, %tx : index",
                f"memref.store %y{number}, %B[%p{number}] : memref<{threads * len(cases)}xi32>",
            ]
        module = of("\n".join(lines), f"%A: memref<{threads}xi32>, %B: memref<{threads * len(cases)}xi32>", threads)
        arrays = [*numbers(threads), np.zeros(threads * len(cases), np.int32)]
        same_when_cut(module, arrays, {32: "sm_90", 64: "gfx942"}[lanes], lanes)


@pytest.mark.parametrize(("lanes", "threads"), [(32, 40), (64, 100), (64, 20)])
@pytest.mark.parametrize("later", ["", SYNC])
def test_votes_of_lanes_that_agree_and_do_not(lanes: int, threads: int, later: str) -> None:
    """A vote that is used where it is given, and behind a barrier."""
    lines, stores = list[str](), list[str]()
    cases = [*product(("any", "all", "ballot"), (0, 5, 33))]
    for number, (kind, few) in enumerate(cases):
        sign = ("ult", "uge")[number % 2]  # of kind, sign and few each pair of values
        lines += [
            f"%few{number} = arith.constant {few} : index",
            f"%is{number} = arith.cmpi {sign}, %tx, %few{number} : index",
            f'%v{number} = tile.vote "{kind}" %is{number} : {f"ui{lanes}" if kind == "ballot" else "i1"}',
        ]
        stores += [
            f"%n{number} = builtin.unrealized_conversion_cast %v{number} : ui{lanes} to i{lanes}"
            if kind == "ballot"
            else f"%n{number} = arith.extui %v{number} : i1 to i{lanes}",
            f"%o{number} = arith.constant {number * threads} : index",
            f"%p{number} = arith.addi %o{number}, %tx : index",
            f"memref.store %n{number}, %B[%p{number}] : memref<{threads * len(cases)}xi{lanes}>",
        ]
    module = of("\n".join(lines) + later + "\n".join(stores), f"%B: memref<{threads * len(cases)}xi{lanes}>", threads)
    arrays = [np.zeros(threads * len(cases), f"int{lanes}")]
    same_when_cut(module, arrays, {32: "sm_90", 64: "gfx942"}[lanes], lanes)


def test_warps_go_their_own_way_to_a_shuffle() -> None:
    """Of three one goes, as all its lanes find."""
    body = """%x = memref.load %A[%tx] : memref<96xi32>
      %w = arith.divui %tx, %lanes : index
      %is = arith.cmpi eq, %w, %c1 : index
      scf.if %is {
        %y = tile.shuffle "down" %x, %c1, 32 : i32
        memref.store %y, %A[%tx] : memref<96xi32>
      }"""
    same_when_cut(of(f"%lanes = arith.constant 32 : index\n{body}", "%A: memref<96xi32>", 96), numbers(96))


def test_what_lanes_show_has_a_place_for_every_lane() -> None:
    """Also for those that the last warp lacks: whoever looks there reads no other memory."""
    shown = '%x = memref.load %A[%tx] : memref<40xi32>\n%y = tile.shuffle "down" %x, %c1, 32 : i32\n'
    module = of(f"{shown}memref.store %y, %A[%tx] : memref<40xi32>", "%A: memref<40xi32>", 40)
    Fission().apply(Context(), module)
    assert [sizes(op) for op in module.walk() if isinstance(op, memref.AllocaOp)] == [(64,)]


def sizes(op: memref.AllocaOp) -> tuple[int, ...]:
    return tuple(op.memref.type.get_shape())


# ---- loops and branches around barriers


def carried(step: str, after: str) -> str:
    """Two numbers change places at each turn; one of them is from before."""
    return f"""{VALUE}
%y = arith.addi %x, %seven : i32
{SYNC}
%p, %q = scf.for %i = %c0 to %bound step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {{
  {step}
}} {{other}}
{after}"""


SWAP = """tile.sync "cta"
scf.yield %b, %a : i32, i32"""
OUTER = """tile.sync "cta"
%d = arith.addi %a, %b : i32
tile.sync "cta"
scf.yield %y, %d : i32, i32"""
NESTED = """%m = scf.for %j = %c0 to %c2 step %c1 iter_args(%g = %a) -> (i32) {
  tile.sync "cta"
  %h = arith.addi %g, %b : i32
  scf.yield %h : i32
}
scf.yield %m, %a : i32, i32"""
GIVEN = """%d = arith.subi %p, %q : i32
%e = arith.muli %d, %seven : i32
%f = arith.addi %e, %q : i32
memref.store %f, %A[%tx] : memref<32xi32>"""
BOUNDS = {
    "a constant": "%bound = arith.addi %c0, %c5 : index\n",
    "of pure ops": "%k = arith.divui %tx, %block : index\n%bound = arith.addi %k, %c3 : index\n",
    "loaded": "%l = memref.load %A[%c2] : memref<32xi32>\n%bound = arith.index_cast %l : i32 to index" + SYNC,
}


@pytest.mark.parametrize("step", [SWAP, OUTER, NESTED])
@pytest.mark.parametrize("bound", BOUNDS)
def test_what_a_loop_around_barriers_carries(step: str, bound: str) -> None:
    same_when_cut(of(f"{BOUNDS[bound]}{carried(step, SYNC + GIVEN)}"), numbers())


WHILE = """{VALUE}
%p, %q = scf.while (%a = %x, %b = %seven) : (i32, i32) -> (i32, i32) {
  %is = {condition}
  scf.condition(%is) %b, %a : i32, i32
} do {
^bb0(%c: i32, %d: i32):
  tile.sync "cta"
  %one = arith.constant 1 : i32
  %less = arith.subi %c, %one : i32
  scf.yield %d, %less : i32, i32
}
{GIVEN}"""


@pytest.mark.parametrize(
    "condition",
    ["arith.cmpi uge, %tx, %block : index", "arith.cmpi ne, %same, %zero : i32", "arith.cmpi eq, %c0, %c1 : index"],
)
def test_what_a_while_around_barriers_carries(condition: str) -> None:
    """Its condition is worked out by each thread, asked of a number that turns carry, or known."""
    same = "%zero = arith.constant 0 : i32\n%same = arith.subi %b, %b : i32\n" if "%same" in condition else ""
    text = WHILE.replace("{VALUE}", VALUE).replace("{GIVEN}", GIVEN)
    text = text.replace("%is = {condition}", f"{same}%is = {condition}")
    same_when_cut(of(text), numbers())


def asserted(module: ModuleOp) -> int:
    return sum(op.name == "cf.assert" for op in module.walk())


ASKED = {
    "a coordinate of one": ("%o = gpu.thread_id y\n%is = arith.cmpi eq, %o, %c0 : index\n", SYNC, 0),
    "the block": ("%is = arith.cmpi eq, %bx, %c0 : index\n", SYNC, 0),
    "the thread": ("%is = arith.cmpi ult, %tx, %block : index\n", SYNC, 1),
    "the warp": ("%w = arith.divui %tx, %block : index\n%is = arith.cmpi eq, %w, %c0 : index\n", SYNC, 1),
    "a vote": (
        '%t = arith.cmpi ult, %tx, %c5 : index\n%is = tile.vote "any" %t : i1\n',
        '\n%s = tile.shuffle "down" %x, %c1, 32 : i32\nmemref.store %s, %A[%tx] : memref<32xi32>\n',
        0,
    ),
}


@pytest.mark.parametrize("what", ASKED)
def test_threads_are_asked_only_where_they_may_part(what: str) -> None:
    """Not by what is the same for all of them, nor by what their warp has found together."""
    before, inside, count = ASKED[what]
    module = of(f"{VALUE}{before}scf.if %is {{{inside}}}")
    same_when_cut(module, numbers())
    Fission().apply(Context(), module)
    assert asserted(module) == count


def test_warps_that_part_fail_an_assertion() -> None:
    body = '%w = arith.divui %tx, %block : index\n%is = arith.cmpi eq, %w, %c0 : index\nscf.if %is { tile.sync "cta" }'
    text = kernel(body, block=64).replace("%block = arith.constant 64", "%block = arith.constant 32")
    with pytest.raises(SimulationError, match="part at a barrier"):
        simulate(cut(parse_module(text)), [np.zeros(32, np.float32)])


def test_a_loop_around_a_barrier_keeps_its_attributes() -> None:
    module = of("%bound = arith.addi %c0, %c5 : index\n" + carried(SWAP, GIVEN))
    Fission().apply(Context(), module)
    assert sum("other" in op.attributes for op in module.walk()) == 1


def test_a_loop_that_only_moves_elements_stands_around_the_threads() -> None:
    """Between shared memory and global memory: neighbouring threads take each turn together."""
    shared = 'memref<128xi32, "shared">'
    body = f"""%S = memref.alloca() : {shared}
      scf.for %i = %c0 to %c4 step %c1 {{
        %row = arith.muli %i, %block : index
        %at = arith.addi %row, %tx : index
        %y = memref.load %A[%at] : memref<128xi32>
        memref.store %y, %S[%at] : {shared}
      }} {{tile.unroll}}"""
    module = of(body, "%A: memref<128xi32>")
    Fission().apply(Context(), module)
    (store,) = (op for op in module.walk() if isinstance(op, memref.StoreOp))
    inner = store.parent_op()
    outer = inner.parent_op() if inner else None
    assert isinstance(inner, scf.ForOp)
    assert isinstance(outer, scf.ForOp)
    assert (THREAD in inner.attributes, THREAD in outer.attributes) == (True, False)


def test_a_value_that_is_only_shuffled_is_kept_once() -> None:
    shown = '%y = tile.shuffle "down" %x, %c1, 32 : i32\n'
    module = of(f"{VALUE}{shown}memref.store %y, %A[%tx] : memref<32xi32>")
    Fission().apply(Context(), module)
    assert sum(isinstance(op, memref.AllocaOp) for op in module.walk()) == 1


# ---- what is refused, and what becomes of the launch


REFUSED = {
    'tile.bar "sync" %c1, 32': "numbered barriers",
    'tile.sync "cluster"': "blocks of a cluster",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_no_loops_have_is_refused(body: str) -> None:
    with pytest.raises(CompileError, match=f"threads of a block cannot become loops: .*{REFUSED[body]}"):
        Fission().apply(Context(), of(body))


def test_a_kernel_that_gives_results_is_refused() -> None:
    text = kernel("").replace("func.return", "func.return %c1 : index").replace(") attributes", ") -> index attributes")
    with pytest.raises(CompileError, match="the function gives results"):
        Fission().apply(Context(), parse_module(text))


@pytest.mark.parametrize("extents", ["0, 1, 1", "32, 1", "32, 1, -1", ""])
def test_a_block_without_threads_is_refused(extents: str) -> None:
    text = kernel("").replace(
        "tile.block = array<i64: 32, 1, 1>", f"tile.block = array<i64{': ' * bool(extents)}{extents}>"
    )
    with pytest.raises(CompileError, match="with three positive extents"):
        Fission().apply(Context(), parse_module(text))


def test_a_block_has_one_thread_afterwards() -> None:
    (made,) = cut(of("")).ops
    assert tuple(made.attributes["tile.block"].get_values()) == (1, 1, 1)
