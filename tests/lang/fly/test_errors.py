"""Wrong programs: our error, at the user's line, with the helpers that led there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fx_programs import loaded

from tilewright.errors import CompileError, KernelError, TilewrightError, UsageError
from tilewright.lang.core import trace

HEAD = """import tilewright.compiler as flyc
import tilewright.expr as fx

TOTAL = 0


def factorial(n):
    if n < 2:
        return n
    return n * factorial(n - 1)


def helper(x):
    return fx.make_layout((4, 8), x)


def fails(x):
    raise ValueError("so")


def fails_too(x):
    return fails(x)


def small(n):
    if n > 3:
        raise KeyError("so")
    return n


@flyc.kernel
def kernel(A: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
"""
TAIL = """

@flyc.jit
def run(A: fx.Tensor, n: fx.Int32):
    kernel(A, n).launch(grid=1, block=64)
"""
MARK = "  # wrong"
# Bodies, of which the marked line is wrong, and what is said.
WRONG = {
    "profile": ("    l = fx.make_layout((4, 8), (1, 4, 2))  # wrong", "make_layout"),
    "no name": ("    l = fx.make_layot((4, 8), (1, 4))  # wrong", "make_layot"),
    "helper": ("    l = helper((1, 4, 2))", "called by kernel"),
    "text": ("    A[tid] = 'x'  # wrong", "expected a number"),
    "no conversion": ("    A[tid] = tid * 2  # wrong", "takes no Int32; convert it with .to"),
    "const": ("    if fx.const_expr(tid > 3):  # wrong\n        pass", "a plain `if`"),
    "bound": ("    for i in fx.range_constexpr(n):  # wrong\n        pass", "write `for .. in range"),
    "index": ("    x = [1, 2, 3][tid]  # wrong", "only run time knows"),
    "one way": (
        "    if tid > 3:\n        x = fx.Float32(1)\n    A[tid] = x + 1.0  # wrong",
        "one way of a branch only",
    ),
    "types": (
        "    x = fx.Float32(0)\n    if tid > 3:\n        x = tid\n    A[tid] = x + 1.0  # wrong",
        "x is Int32 on one way of a branch, and on the other Float32",
    ),
    "a float for an integer": (
        "    x = fx.Int32(0)\n    if tid > 3:\n        x = 0.5\n    A[tid] = x + 1.0  # wrong",
        "x is the Python constant 0.5 on one way of a branch, and on the other Int32",
    ),
    "another type of the same number": (
        "    x = fx.Int32(3)\n    if tid > 3:\n        x = fx.Uint32(3)\n    A[tid] = x + 1.0  # wrong",
        "x is Uint32 on one way of a branch, and on the other Int32",
    ),
    "another shape of the same vector": (
        "    v = fx.full(4, tid, fx.Int32)\n    if tid > 3:\n        v = v.reshape((2, 2))\n    x = v[1]  # wrong",
        "on one way of a branch, and on the other",
    ),
    "one way, in turns": (
        "    if tid > 3:\n        x = tid\n"
        "    for i in range(3):\n        A[tid] = x + 1.0  # wrong\n        x = tid + i",
        "one way of a branch only",
    ),
    "extends": (
        "    rows = [tid]\n    if tid > 3:\n        rows.extend([tid])\n    x = rows[0] + 1  # wrong",
        "rows has 2 parts on one way of a branch and 1 part on the other",
    ),
    "loop types": (
        "    x = fx.Int32(0)\n    for i in range(n):\n        x = x + 0.5  # wrong\n    A[tid] = x.to(fx.Float32)",
        "x is Int32 before the loop, and at the end of its body Float32",
    ),
    "grows": (
        "    rows = [fx.Float32(0)]\n    for i in range(n):\n        rows.append(A[i])  # wrong\n    A[tid] = rows[0]",
        "what a loop carries keeps its parts",
    ),
    "returns": (
        "    def f():\n        if tid > 3:\n            return tid\n    x = f() + 1",
        "what the function returns",
    ),
    "raises": (
        "    if tid > 3:\n        raise ValueError('so')  # wrong",
        "where run time decides whether it is reached",
    ),
    "raises in turns": ("    for i in range(n):\n        raise KeyError(i)  # wrong", "where run time decides"),
    "raises in a helper": ("    if tid > 3:\n        fails(tid)", "where run time decides"),
    "raises in a choice": ("    A[tid] = fails(tid) if tid > 3 else 1.0", "where run time decides"),
    "raises in a helper in turns": ("    for i in range(n):\n        fails_too(i)", "where run time decides"),
    "step": ("    for i in range(0, 4, 0):  # wrong\n        pass", "step is not 0"),
    "for ever": ("    x = 1\n    while x > 0:  # wrong\n        A[tid] = 1.0", "always true"),
    "slice": ("    x = A[0:2]  # wrong", "sliced by None"),
    "negative": ("    x = A[-1]  # wrong", "coordinate -1"),
    "iterated": ("    for x in A:  # wrong\n        pass", "not iterated"),
    "mfma": ("    fx.make_mma_atom(fx.rocdl.MFMA(7, 7, 3, fx.Float32))  # wrong", "7x7x3"),
    "sizes": (
        "    a, b = (fx.make_rmem_tensor(k, fx.Float32) for k in (4, 8))\n"
        "    fx.copy(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), a, b)  # wrong",
        "a copy of 4 elements into 8",
    ),
    "long integer": ("    x = 10 ** (10**7) % 7  # wrong", "has more than 16384 bits"),
    "longer integer": (
        "    x = 3\n    for _ in fx.range_constexpr(40):\n        x *= x  # wrong",
        "has more than 16384 bits",
    ),
    "long power": ("    x = (2**200) ** 100  # wrong", "of an a of 201 bits and b = 100 has more than 16384 bits"),
    "long shift": ("    x = 1 << 10**9  # wrong", "has more than 16384 bits"),
    "long list": ("    x = [0] * 10**9  # wrong", "up to 1048576 items"),
    "longer list": ("    x = [0] * 2000 * 1000  # wrong", "got 2000 * 1000"),
    "wide integer": (
        "    r = fx.make_rmem_tensor(4, fx.Int32)\n    r[0] = 10**12  # wrong",
        "memory of Int32 takes no 1000000000000, which has more than 32 bits",
    ),
    "wide size": (
        "    r = fx.make_rmem_tensor(4, fx.Int32)\n    r[0] = fx.size(fx.make_layout((10**6, 10**6), (1, 1)))  # wrong",
        "has more than 32 bits",
    ),
    "state": (
        "    a = fx.make_rmem_tensor(4, fx.Float32)\n"
        "    fx.copy(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), a, a, soffset=4)  # wrong",
        "no field 'soffset'",
    ),
    "format": ('    fx.printf("{:d}", tid)  # wrong', "holes {} only"),
    "yield": ("    for i in range(n):\n        yield i  # wrong", "ends the body of `for .. in range(.., init=[..])`"),
    "yields": ("    yield tid  # wrong", "what a loop changes is carried without it"),
    "no yield": ("    for i, s in range(0, n, init=[tid]):  # wrong\n        s = s", "ends with `yield [..]`"),
    "global": ("    global TOTAL  # wrong\n    TOTAL = tid", "store it in memory"),
    "del": ("    x = tid + 1\n    if tid > 3:\n        del x  # wrong", "leave it out"),
    "recursion": ("    A[tid] = factorial(tid).to(fx.Float32)", "write a loop"),
    "launch": ("    kernel(A, n).launch(grid=1, block=1)  # wrong", "launches no kernel"),
    "registers": ("    r = fx.make_rmem_tensor(n, fx.Float32)  # wrong", "make its sizes fx.Constexpr"),
    "tile": ("    t = fx.composition(fx.make_layout((4, 8), (8, 1)), fx.make_tile(2, 4, 7))  # wrong", "has 3 modes"),
    "wide": ("    x = tid.to(fx.Int128)  # wrong", "at run time they have 64 bits"),
    "alignment": ("    p = fx.recast_iter(fx.Float64, fx.get_iter(A))  # wrong", "assumed_align=8"),
    "function": ("    import math\n    A[tid] = math.sin(A[tid])  # wrong", "a sine is fx.sin"),
    "lanes": ("    x = fx.shuffle_xor(A[tid], 1, 33)  # wrong", "a power of two up to 64"),
    "room": (
        "    r = fx.make_rmem_tensor(4, fx.Float32)\n    r.store(fx.Vector.filled(3, 0.0, fx.Float32))  # wrong",
        "Tensor<f32, register, 4:1> holds vector<4xf32>",
    ),
    "async": ("    async def f():  # wrong\n        pass", "write `def`"),
    "yield first": (
        "    for i, s in range(0, n, init=[tid]):\n        x = yield [s]  # wrong\n        s = s",
        "ends with `yield [..]`",
    ),
    "yields more": (
        "    for i, s in range(0, n, init=[tid]):\n        yield [s[0], tid]  # wrong",
        "what `init=` and `yield` carry has 1 part before the loop and 2 parts",
    ),
    "gives": ("    if n:\n        A[tid] = 1.0\n    return A[tid]  # wrong", "nobody receives"),
    "none": ("    def f():\n        if tid > 3:\n            return tid\n    A[f()] = 1.0", "give it a value on both"),
    "too much": (
        "    s = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 60000])  # wrong",
        "on gfx942 a block has up to 65536",
    ),
    "another machine": ("    a = fx.make_copy_atom(fx.nvvm.CpAsync(32), fx.Float32)  # wrong", "is a copy of sm_80"),
    "another's product": (
        "    a = fx.make_mma_atom(fx.nvvm.MmaSync(16, 8, 16, fx.Float16))  # wrong",
        "is an instruction of sm_80, and gfx942 has none; fx.UniversalFMA",
    ),
    "fragment": (
        "    one = fx.make_mma_atom(fx.UniversalFMA(fx.Float32))\n"
        "    tiled = fx.make_tiled_mma(one, fx.make_layout((1, 1, 1), (0, 0, 0)))\n"
        "    whole = fx.make_view(fx.get_iter(A), fx.make_layout((n, 4), (4, 1)))\n"
        "    f = tiled.get_slice(tid).make_fragment_A(whole)  # wrong",
        "divide it into tiles of known extents",
    ),
    "items": (
        "    R = fx.coop.BlockReduce[fx.Int32, 64]\n    s = fx.SharedAllocator().allocate(R.SharedStorage).peek()\n"
        "    x = R(A[tid], fx.ReductionOp.ADD, storage=s)  # wrong",
        "items are Int32, got Float32",
    ),
    "numpy": ("    import numpy\n    A[tid] = numpy.exp(A[tid])  # wrong", "there is fx.exp"),
    "captured array": ("    import numpy\n    A[tid] = numpy.arange(64)[tid]  # wrong", "pass it as an argument"),
    "frozen": (
        "    @fx.struct\n    class P:\n        a: fx.Int32\n    p = P(tid)\n    p.a = 3  # wrong",
        "x.replace(field=value)",
    ),
    "unrolled": ("    for i in fx.range_constexpr(10**9): tid = tid + 1  # wrong", "at most 1048576 turns"),
    "step of 0": ("    for i in fx.range_constexpr(0, 5, 0): pass  # wrong", "must not be zero"),
    "long vector": ("    v = fx.Vector.filled(10**9, 1, fx.Int32)  # wrong", "has 1 to 4096 elements, got 1000000000"),
    "vector of run time": ("    v = fx.full(10**6, tid, fx.Int32)  # wrong", "has 1 to 4096 elements, got 1000000"),
    "no vector": ("    v = fx.Vector.filled(0, 1, fx.Int32)  # wrong", "has 1 to 4096 elements, got 0"),
    "leaked": (
        "    seen = {}\n    def note(x):\n        seen['x'] = x\n    if tid > 3:\n        note(tid * 2)\n"
        "    A[tid] = seen['x'].to(fx.Float32)  # wrong",
        "made inside a run-time loop or branch",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_stand_at_the_users_line(tmp_path: Path, name: str) -> None:
    body, said = WRONG[name]
    path = tmp_path / "wrong.py"
    module = loaded(path, HEAD + body + TAIL)
    with pytest.raises(KernelError) as found:
        module.run(np.zeros(64, np.float32), 3)
    text = str(found.value)
    assert said in text
    assert found.value.location is not None
    lines = (HEAD + body).splitlines()
    marked = [i for i, line in enumerate(lines, 1) if line.endswith(MARK)]
    assert not marked or found.value.location.line == marked[0]
    assert f"at {path}:{found.value.location.line}:" in text
    assert "^" in text


def test_a_trace_that_grows_too_long_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "    for i in fx.range_constexpr(10**5):\n        tid = tid + 1"
    monkeypatch.setattr(trace, "MOST_OPS", 500)
    with pytest.raises(KernelError, match="kernel has more than 500 operations; unroll less") as found:
        loaded(tmp_path / "long.py", HEAD + body + TAIL).run(np.zeros(64, np.float32), 3)
    assert found.value.location is not None
    assert found.value.location.line == len((HEAD + body).splitlines())


ENDLESS = (
    "    x = sum(itertools.count())  # wrong",
    "    x = list(itertools.repeat(0))  # wrong",
    "    x = max(itertools.count())  # wrong",
    "    x = sum(range(10**10))  # wrong",
    "    x = math.prod(itertools.count(1))  # wrong",
    "    x = ''.join(itertools.repeat('x'))  # wrong",
    "    x = {i: i for i in itertools.count()}  # wrong",
    "    x = any(i < 0 for i in itertools.count())  # wrong",
    "    for i in itertools.count():  # wrong\n        pass",
    "    for i in fx.range_constexpr(200):\n        for j in fx.range_constexpr(200):  # wrong\n            pass",
)


@pytest.mark.parametrize("body", ENDLESS)
def test_what_python_goes_through_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    monkeypatch.setattr(trace, "MOST_TURNS", 1000)
    text = f"import itertools\nimport math\n{HEAD}{body}"
    with pytest.raises(KernelError, match=r"goes through more than 1000 items|has more than 16384 bits") as found:
        loaded(tmp_path / "endless.py", text + TAIL).run(np.zeros(64, np.float32), 3)
    assert found.value.location is not None
    assert text.splitlines()[found.value.location.line - 1].endswith(MARK)


def test_what_users_raise_passes(tmp_path: Path) -> None:
    known = "    if tid > 3:\n        if len([tid]) == 1:\n            raise KeyError('so')"
    raised = [
        (ValueError, "    raise ValueError('so')"),
        (AssertionError, "    assert 1 > 2, 'so'"),
        (KeyError, known),
        (ValueError, "    fails(tid)"),
        (KeyError, "    if tid > 3:\n        small(7)"),
        (ValueError, "    while fails(tid):\n        pass"),
    ]
    for i, (kind, body) in enumerate(raised):
        module = loaded(tmp_path / f"raised{i}.py", HEAD + body + TAIL)
        with pytest.raises(kind, match="so"):
            module.run(np.zeros(64, np.float32), 3)


LAUNCHES: dict[str, Callable[[str], str]] = {
    "not launched": lambda text: text.replace(".launch(grid=1, block=64)", ""),
    "grid": lambda text: text.replace("grid=1", "grid=(1, 2, 3, 4)"),
    "threads": lambda text: text.replace("block=64", "block=(64, 32)"),
    "stream": lambda text: text.replace("block=64", "block=64, stream='first'"),
    "positional": lambda text: text.replace("grid=1, block=64", "1, 64"),
    "less than none": lambda text: text.replace("block=64", "block=64, smem=-4"),
    "more than there is": lambda text: text.replace("block=64", "block=64, smem=1 << 17"),
    "empty": lambda text: text.replace("grid=1", "grid=0"),
    "cluster": lambda text: text.replace("block=64", "block=64, cluster=(2, 1, 1)"),
    "arguments": lambda text: text.replace("kernel(A, n)", "kernel(A)"),
    "number": lambda text: text.replace("kernel(A, n)", "kernel(A, 1.5)"),
}


@pytest.mark.parametrize("name", LAUNCHES)
def test_wrong_launches(tmp_path: Path, name: str) -> None:
    module = loaded(tmp_path / "wrong.py", LAUNCHES[name](HEAD + "    pass" + TAIL))
    with pytest.raises(KernelError) as found:
        module.run(np.zeros(64, np.float32), 3)
    assert found.value.location is not None
    assert "kernel(" in found.value.location.text


FOR_THREADS = (
    *("A[0] = 1.0", "x = A[0]", "x = fx.ptr_load(fx.get_iter(A))", "fx.barrier()", "x = fx.thread_idx.x"),
    *("x = fx.make_rmem_tensor(4, fx.Float32)", "x = fx.get_dyn_shared(fx.Float32)", "x = fx.shuffle_xor(n, 1, 32)"),
    *("fx.atomic_add(fx.get_iter(A), fx.Float32(1))", "x = fx.Vector.filled(4, n, fx.Int32) + 1", "x = fx.lane_id()"),
    "fx.copy(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), *[fx.logical_divide(A, fx.make_layout(1, 1))] * 2)",
)


@pytest.mark.parametrize("line", FOR_THREADS)
def test_what_is_for_threads_is_refused_in_a_host_function(tmp_path: Path, line: str) -> None:
    path = tmp_path / "wrong.py"
    text = (HEAD + "    pass" + TAIL).replace("    kernel(A", f"    {line}{MARK}\n    kernel(A")
    with pytest.raises((KernelError, CompileError), match="kernel") as found:
        loaded(path, text).run(np.zeros(64, np.float32), 3)
    marked = next(i for i, one in enumerate(text.splitlines(), 1) if one.endswith(MARK))
    assert f"at {path}:{marked}:" in str(found.value)
    assert "^" in str(found.value)


def test_wrong_arguments(tmp_path: Path) -> None:
    module = loaded(tmp_path / "right.py", HEAD + "    pass" + TAIL)
    a = np.zeros(64, np.float32)
    for given in ((a,), (a, 1 << 40), (a, 1.5), ("x", 3), (None, 3), (np.float32(1).reshape(()), 3), (a[::2], 3)):
        with pytest.raises(UsageError):
            module.run(*given)
    with pytest.raises(TilewrightError):
        module.kernel(a, 3)


def test_equal_functions_of_two_files_have_their_own_lines(tmp_path: Path) -> None:
    text = HEAD + "    l = fx.make_layout((4, 8), (1, 4, 2))" + TAIL
    for name in ("one", "other"):
        path = tmp_path / f"{name}.py"
        with pytest.raises(KernelError) as found:
            loaded(path, text).run(np.zeros(64, np.float32), 3)
        assert found.value.location is not None
        assert found.value.location.file == str(path)


OUTSIDE = {
    "x = fx.thread_idx.x  # wrong": "only a kernel has",
    "x = fx.coop.warp_reduce(3, fx.ReductionOp.ADD)  # wrong": "call it within @flyc.kernel",
    "@fx.struct\nclass S:\n    x: fx.Int32\n    replace: fx.Float32  # wrong": "no field 'replace': that name is taken",
}


@pytest.mark.parametrize("body", OUTSIDE)
def test_what_is_wrong_outside_of_a_trace_stands_at_its_line(tmp_path: Path, body: str) -> None:
    text = f"import tilewright.expr as fx\n\n{body}\n"
    with pytest.raises(KernelError, match=OUTSIDE[body]) as found:
        loaded(tmp_path / "outside.py", text)
    assert found.value.location is not None
    assert found.value.location.file == str(tmp_path / "outside.py")
    assert text.splitlines()[found.value.location.line - 1].endswith(MARK)
    assert "^" in str(found.value)
