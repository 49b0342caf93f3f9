"""C++ types of CuTe: what is written is read back, and compiles."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notation_strategies import BASES, EXTENTS, INTEGERS, composed, layouts, trees

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation import parse, to_cpp

# Enough of CuTe to name its types, and to count what they hold.
STUB = """
#include <cstdint>
template <long N> struct Int { static constexpr long size = N; };
template <class... T> struct Tuple { static constexpr long size = (1 * ... * T::size); };
template <class... T> using Shape = Tuple<T...>;
template <class... T> using Stride = Tuple<T...>;
template <class... T> using Coord = Tuple<T...>;
template <int B, int M, int S> struct Swizzle {};
template <class T, long... At> struct ScaledBasis {};
template <class S, class D> struct Same {};
template <class... S, class... D> struct Same<Tuple<S...>, Tuple<D...>> : Same<S, D>... {
  static_assert(sizeof...(S) == sizeof...(D));
};
template <class S, class D> struct Layout { static constexpr long size = S::size + 0 * sizeof(Same<S, D>); };
template <class A, class O, class B> struct ComposedLayout { static constexpr long size = B::size; };
"""


@given(st.one_of(layouts(INTEGERS), layouts(BASES), composed(), trees(EXTENTS)))
def test_what_is_written_is_read_back(x: object) -> None:
    assert parse(to_cpp(x)) == x


def test_a_thousand_random_layouts_are_read_back() -> None:
    chosen = random.Random(0)
    for _ in range(1000):
        shape = tuple(
            tuple(chosen.randrange(1, 9) for _ in range(chosen.randrange(1, 4))) for _ in range(chosen.randrange(3))
        )
        stride = tuple(tuple(chosen.randrange(-64, 65) for _ in mode) for mode in shape)
        inner = Layout(shape, stride)
        x = chosen.choice([inner, ComposedLayout(Swizzle(3, 3, 3), chosen.randrange(64), inner)])
        assert parse(to_cpp(x)) == x


def test_run_time_numbers_are_ints() -> None:
    found = Layout((SymInt(), 8), (1, SymInt(width=64)))
    assert to_cpp(found) == "Layout<Shape<int,Int<8>>,Stride<Int<1>,int64_t>>"
    assert str(parse(to_cpp(found))) == str(found)


@pytest.mark.skipif(not shutil.which("g++"), reason="no C++ compiler")
def test_the_types_compile(tmp_path: Path) -> None:
    chosen, lines = random.Random(1), []
    for n in range(60):
        shape = tuple(
            chosen.choice([chosen.randrange(1, 9), (2, chosen.randrange(1, 9))]) for _ in range(chosen.randrange(1, 4))
        )
        x: Layout | ComposedLayout = Layout(shape)
        x = ComposedLayout(Swizzle(2, 3, 3), 0, x) if n % 3 == 0 else x
        lines.append(f"static_assert({to_cpp(x)}::size == {x.size});")
    basis = Layout((4, 8), tuple(Layout((4, 8), (1, 1)).stride))
    lines.append(f"using Plain = {to_cpp(basis)};")
    source = tmp_path / "types.cpp"
    source.write_text("\n".join([STUB, *lines]))
    done = subprocess.run(
        ["g++", "-std=c++17", "-fsyntax-only", str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("x", [parse("(4,8):(1@laneid,1@m)"), object(), parse("S[8:1@laneid]")])
def test_what_has_no_type_is_refused(x: object) -> None:
    with pytest.raises(LayoutError, match=r"C\+\+ has no type for"):
        to_cpp(x)
