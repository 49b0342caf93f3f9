"""Laws of single passes of `fly`: swizzled sums are the same numbers, and work is expanded up to a limit, whole."""

from __future__ import annotations

import random
import re

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import SSAValue

from tilewright.errors import CompileError
from tilewright.ir.fly import InferenceError, infer
from tilewright.ir.reader import Source, read
from tilewright.layout.swizzle import Swizzle
from tilewright.passes.fly import expand
from tilewright.passes.registry import pass_of

BITS = 32
MEANING = {
    arith.AddiOp: lambda a, b: a + b, arith.MuliOp: lambda a, b: a * b, arith.AndIOp: lambda a, b: a & b,
    arith.XOrIOp: lambda a, b: a ^ b, arith.ShLIOp: lambda a, b: a << b, arith.ShRUIOp: lambda a, b: a >> b,
}  # fmt: skip


def after(name: str, text: str) -> ModuleOp:
    """The module behind a pass."""
    module = read(Source("a.mlir", text)).module
    pass_of(name).apply(Context(), module)
    return module


def value(module: ModuleOp, arguments: list[int]) -> int:
    """What the only function returns, in integers of 32 bits."""
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    known: dict[SSAValue, int] = dict(zip(function.body.blocks[0].args, arguments, strict=True))
    for op in function.body.blocks[0].ops:
        if isinstance(op, func.ReturnOp):
            return known[op.operands[0]]
        if isinstance(op, arith.ConstantOp):
            assert isinstance(op.value, IntegerAttr)
            found = op.value.value.data
        else:
            found = MEANING[type(op)](*(known[operand] for operand in op.operands))  # type: ignore[index]  # by its type
        known[op.results[0]] = found % (1 << BITS)
    raise AssertionError("nothing is returned")


def terms(rng: random.Random) -> tuple[list[str], list[str]]:
    """Lines that work terms of a sum out of %x and %y, and their names."""
    lines, names = list[str](), list[str]()
    for i in range(rng.randint(1, 4)):
        what = rng.choice(("constant", "muli", "shli", "andi", "plain"))
        number = rng.choice((0, 1, 3, 64, 96, 256, -64))
        if what == "plain":
            names.append(rng.choice(("%x", "%y")))
            continue
        number = rng.randrange(10) if what == "shli" else number
        lines.append(f"%c{i} = arith.constant {number} : i32")
        if what == "constant":
            names.append(f"%c{i}")
        else:
            lines.append(f"%t{i} = arith.{what} {rng.choice(('%x', '%y'))}, %c{i} : i32")
            names.append(f"%t{i}")
    return lines, names


def swizzled(rng: random.Random, lines: list[str], names: list[str], mask: int, shift: int) -> str:
    lines = [*lines, f"%m = arith.constant {mask} : i32", f"%s = arith.constant {shift} : i32"]
    total = names[0]
    for i, name in enumerate(names[1:]):
        lines.append(f"%a{i} = arith.addi {total}, {name} : i32")
        total = f"%a{i}"
    masked = rng.choice((f"{total}, %m", f"%m, {total}"))
    lines += [f"%k = arith.andi {masked} : i32", "%v = arith.shrui %k, %s : i32"]
    lines.append(f"%r = arith.xori {rng.choice((f'{total}, %v', f'%v, {total}'))} : i32")
    return "func.func @f(%x: i32, %y: i32) -> i32 {\n" + "\n".join(lines) + "\nreturn %r : i32\n}"


@pytest.mark.parametrize("seed", range(60))
def test_a_swizzle_of_a_sum_stays_the_same_number(seed: int) -> None:
    rng = random.Random(seed)
    mask = rng.choice((1, 7, 56, 448, 3 << 4, -64))
    text = swizzled(rng, *terms(rng), mask, rng.choice((0, 1, 3, 4)))
    before, behind = read(Source("a.mlir", text)).module, after("fly-int-swizzle-simplify", text)
    for _ in range(40):
        given = [rng.choice((rng.randrange(1 << BITS), rng.randrange(1024))) for _ in range(2)]
        assert value(before, given) == value(behind, given), text


@pytest.mark.parametrize("term", ["constant", "negative", "muli", "muli both", "shli", "andi"])
@pytest.mark.parametrize("mask", [1, 6, 56, 448])
@pytest.mark.parametrize("seed", range(4))
def test_multiples_of_the_period_are_added_behind_the_swizzle(term: str, mask: int, seed: int) -> None:
    """The period is the power of two above the mask; half of it is no multiple, and stays inside."""
    period = 1 << mask.bit_length()
    for number, moves in ((period, True), (period // 2, False)):
        shift = number.bit_length() - 1
        lines = {
            "constant": [f"%t = arith.constant {number} : i32"],
            "negative": [f"%t = arith.constant {-number} : i32"],
            "muli": [f"%c = arith.constant {number} : i32", "%t = arith.muli %y, %c : i32"],
            "muli both": ["%c = arith.constant 1 : i32", f"%d = arith.constant {number} : i32",
                          "%e = arith.muli %y, %d : i32", "%t = arith.muli %e, %c : i32"],
            "shli": [f"%c = arith.constant {shift} : i32", "%t = arith.shli %y, %c : i32"],
            "andi": [f"%c = arith.constant {-number % (1 << 31)} : i32", "%t = arith.andi %y, %c : i32"],
        }[term]  # fmt: skip
        module = after("fly-int-swizzle-simplify", swizzled(random.Random(seed), lines, ["%x", "%t"], mask, 1))
        function = next(op for op in module.ops if isinstance(op, func.FuncOp))
        returned = next(op for op in function.body.blocks[0].ops if isinstance(op, func.ReturnOp)).operands[0].owner
        assert isinstance(returned, arith.AddiOp) == moves


# ---- work


def copy(source: int, target: int) -> str:
    sides = (("global", source), ("shared", target))
    views = [f"!fly.memref<f32, {space}, (4,{count}):(1,8)>" for space, count in sides]
    atom = "!fly.copy_atom<!fly.universal_copy<128>, 32>"
    return f"""func.func @f(%s: {views[0]}, %d: {views[1]}) {{
%atom = fly.make_copy_atom {{valBits = 32 : i32}} : {atom}
fly.copy(%atom, %s, %d) : ({atom}, {views[0]}, {views[1]}) -> ()
return
}}"""


def gemm(m: int, n: int) -> str:
    shapes = ((m, n), (m, 1), (n, 1), (m, n))
    views = [f"!fly.memref<f32, register, (1,{rows},{columns}):(0,1,{rows})>" for rows, columns in shapes]
    atom = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"
    names = ", ".join(f"%{name}: {view}" for name, view in zip("dabc", views, strict=True))
    return f"""func.func @f({names}) {{
%atom = fly.make_mma_atom : {atom}
fly.gemm(%atom, %d, %a, %b, %c) : ({atom}, {", ".join(views)}) -> ()
return
}}"""


@pytest.mark.parametrize("count", [1, 7, 8, 9, 20])
def test_a_copy_becomes_all_of_its_calls_or_is_refused(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to a limit, 8 here; one more is never left out silently."""
    monkeypatch.setattr(expand, "MOST", 8)
    if count > 8:
        with pytest.raises(CompileError, match="more than 8 calls"):
            after("fly-expand-work", copy(count, count))
    else:
        calls = [op for op in after("fly-expand-work", copy(count, count)).walk() if op.name == "fly.copy_atom_call"]
        assert len(calls) == count


@pytest.mark.parametrize(("source", "target"), [(2, 3), (8, 1), (5, 4)])
def test_both_sides_of_a_copy_have_as_many_atoms(source: int, target: int) -> None:
    with pytest.raises(CompileError, match=f"copies {source} atoms of .* to {target} of"):
        after("fly-expand-work", copy(source, target))


@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 4), (8, 1), (3, 3), (9, 1)])
def test_a_gemm_becomes_all_of_its_calls_or_is_refused(m: int, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expand, "MOST", 8)
    if m * n > 8:
        with pytest.raises(CompileError, match=f"is {m * n} calls, more than 8"):
            after("fly-expand-work", gemm(m, n))
    else:
        calls = [op for op in after("fly-expand-work", gemm(m, n)).walk() if op.name == "fly.mma_atom_call"]
        assert len(calls) == m * n


# ---- integers between indices


@pytest.mark.parametrize(("times", "width", "folds"), [(1, 32, True), (2, 32, False), (1, 16, False), (2, 64, True)])
def test_an_index_comes_back_from_an_integer_that_holds_it(times: int, width: int, folds: bool) -> None:
    """A block's number is below 2^31 - 1, twice it is not below 2^31, and 16 bits hold neither."""
    text = f"""func.func @f() -> index {{
%b = gpu.block_id x
%c = arith.constant {times} : index
%m = arith.muli %b, %c : index
%n = arith.index_cast %m : index to i{width}
%i = arith.index_cast %n : i{width} to index
return %i : index
}}"""
    casts = [op for op in after("fly-layout-lowering", text).walk() if op.name == "arith.index_cast"]
    assert bool(casts) != folds


@pytest.mark.parametrize(
    ("op", "width", "size", "folds"),
    [("thread_id", 8, 128, True), ("thread_id", 8, 129, False), ("block_dim", 8, 127, True),
     ("block_dim", 8, 128, False), ("block_dim", 16, 0, False), ("grid_dim", 32, 0, True),
     ("grid_dim", 16, 0, False), ("block_id", 32, 0, True)],
)  # fmt: skip
def test_ids_and_sizes_are_as_large_as_the_launch_lets_them_be(op: str, width: int, size: int, folds: bool) -> None:
    """A number of a thread is below the size, the size itself is not; without a size any of 31 bits but the last."""
    told = f"attributes {{known_block_size = array<i32: {size}, 1, 1>}}" if size else ""
    text = f"""gpu.module @m {{
gpu.func @f(%o: memref<?xindex>) kernel {told} {{
%b = gpu.{op} x
%n = arith.index_cast %b : index to i{width}
%i = arith.index_cast %n : i{width} to index
memref.store %i, %o[%b] : memref<?xindex>
gpu.return
}}
}}"""
    casts = [op for op in after("fly-layout-lowering", text).walk() if op.name == "arith.index_cast"]
    assert bool(casts) != folds


@pytest.mark.parametrize("op", ["fly.append", "fly.prepend"])
@pytest.mark.parametrize("operands", [("int_tuple<(4,2)>", "int_tuple<8>"), ("layout<(4,2):(2,1)>", "layout<8:8>")])
def test_a_rank_of_minus_one_is_none(op: str, operands: tuple[str, str]) -> None:
    kinds = [f"!fly.{text}" for text in operands]
    assert infer(op, kinds, {"n": -1}) == infer(op, kinds, {})


@pytest.mark.parametrize(("begin", "end"), [(0, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("text", ["!fly.int_tuple<4>", "!fly.layout<4:2>", "!fly.int_tuple<?>"])
def test_a_group_of_a_leaf_is_the_leaf(begin: int, end: int, text: str) -> None:
    assert infer("fly.group", [text], {"begin": begin, "end": end}) == text


@pytest.mark.parametrize("text", ["!fly.int_tuple<4>", "!fly.int_tuple<(4,2)>", "!fly.layout<(4,2):(2,1)>"])
def test_nothing_is_diced_where_nothing_is_fixed(text: str) -> None:
    with pytest.raises(InferenceError, match="nothing is left"):
        infer("fly.dice", [text, "!fly.int_tuple<*>"], {})
    assert infer("fly.dice", [text, "!fly.int_tuple<0>"], {}) == text


@pytest.mark.parametrize("swizzle", [(0, 0, 0), (0, 3, 3), (2, 1, 3), (1, 4, 2), (3, 0, 3)])
@pytest.mark.parametrize("div", [1, 4, 16, 64])
def test_what_a_type_says_divides_a_swizzled_offset_does(swizzle: tuple[int, int, int], div: int) -> None:
    """All of it where the swizzle moves nothing, and never more than divides every swizzled multiple."""
    b, m, s = swizzle
    leaf = f"?{{div={div}}}" if div > 1 else "?"
    found = infer("fly.apply_swizzle", [f"!fly.int_tuple<{leaf}>", f"!fly.swizzle<S<{b},{m},{s}>>"], {})
    told = int((re.search(r"div=([0-9]+)", found) or ["", "1"])[1])
    assert all(Swizzle(b, m, s)(div * k) % told == 0 for k in range(256))
    assert b or told == div


def test_atoms_that_do_not_lie_side_by_side_are_refused() -> None:
    """Mode 0 holds 8 values, of which 2 and not 4 are its first part."""
    text = copy(1, 1).replace("(4,1):(1,8)", "((2,4),1):((1,2),8)")
    with pytest.raises(CompileError, match="side by side"):
        after("fly-expand-work", text)
