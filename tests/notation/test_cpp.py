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
from tilewright.layout.construct import make_identity_layout
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
template <class S, class D> constexpr long same = 0;
template <class... S, class... D> constexpr long same<Tuple<S...>, Tuple<D...>> = (0 + ... + same<S, D>);
template <class S, class D> struct Layout { static constexpr long size = S::size + same<S, D>; };
template <class A, class O, class B> struct ComposedLayout { static constexpr long size = B::size; };
"""


@given(st.one_of(layouts(INTEGERS), layouts(BASES), composed(), trees(EXTENTS)))
def test_what_is_written_is_read_back(x: object) -> None:
    assert parse(to_cpp(x)) == x


def chosen_layouts(count: int) -> list[Layout | ComposedLayout]:
    """Nested layouts; behind a swizzle, behind another layout, and both, with offsets."""
    chosen, found = random.Random(0), list[Layout | ComposedLayout]()
    for _ in range(count):
        shape = tuple(
            tuple(chosen.randrange(1, 9) for _ in range(chosen.randrange(1, 4))) for _ in range(chosen.randrange(3))
        )
        inner = Layout(shape, tuple(tuple(chosen.randrange(-64, 65) for _ in mode) for mode in shape))
        swizzle, offset = (
            Swizzle(chosen.randrange(4), chosen.randrange(5), chosen.choice([3, -3])),
            chosen.randrange(64),
        )
        behind = ComposedLayout(Layout((8, 64), (3, chosen.randrange(1, 99))), offset, inner)
        both = ComposedLayout(swizzle, 0, behind)
        swizzled = ComposedLayout(swizzle, offset, inner)
        found.append((inner, swizzled, behind, both)[chosen.randrange(4)])
    return found


def test_a_thousand_random_layouts_are_read_back() -> None:
    layouts = chosen_layouts(1000)
    assert len({to_cpp(x) for x in layouts}) > 900
    assert [x for x in layouts if parse(to_cpp(x)) != x] == []


def test_run_time_numbers_are_ints() -> None:
    found = Layout((SymInt(), 8), (1, SymInt(width=64)))
    assert to_cpp(found) == "Layout<Shape<int,Int<8>>,Stride<Int<1>,int64_t>>"
    assert str(parse(to_cpp(found))) == str(found)


@pytest.mark.skipif(not shutil.which("g++"), reason="no C++ compiler")
def test_the_types_compile(tmp_path: Path) -> None:
    """All thousand in one file, behind a stub of at most 20 lines, with the sizes that they have here."""
    assert len(STUB.strip().splitlines()) <= 20
    lines = [f"static_assert({to_cpp(x)}::size == {x.size});" for x in chosen_layouts(1000)]
    lines.append(f"using Plain = {to_cpp(make_identity_layout((4, 8)))};")
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
