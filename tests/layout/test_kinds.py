"""Names for unions answer `isinstance`; signatures and words reach `help`."""

from __future__ import annotations

import inspect
import pickle

import pytest

import tilewright as tw
from tilewright.errors import LayoutError
from tilewright.layout.operations import FUNCTIONS, METHODS

LAYOUT = tw.Layout((8, 16))
SWIZZLED = tw.ComposedLayout(tw.Swizzle(3, 3, 3), 0, LAYOUT)
KINDS = {
    "IntTuple": [8, (4, (2, 8)), (3, None), tw.SymInt("n"), tw.term(1, "laneid")],
    "Coord": [8, (3, (None, 1)), [3, 5], None],
    "Tiler": [8, LAYOUT, (LAYOUT, None, 4), [2, (4, LAYOUT)], None],
    "LayoutLike": [LAYOUT, SWIZZLED],
}
NONE_OF_THEM = ["8", 1.5, True, object(), {8: 1}, (4, "8")]


@pytest.mark.parametrize("name", KINDS)
def test_isinstance(name: str) -> None:
    kind = getattr(tw, name)
    assert [value for value in KINDS[name] if not isinstance(value, kind)] == []
    assert [value for value in NONE_OF_THEM if isinstance(value, kind)] == []


def test_a_kind_makes_nothing() -> None:
    with pytest.raises(LayoutError, match="IntTuple names a kind of values"):
        tw.IntTuple(4)


def test_layouts_may_name_their_values() -> None:
    assert tw.Layout[int].__origin__ is tw.Layout
    assert tw.ComposedLayout[int].__origin__ is tw.ComposedLayout


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_show_words_and_parameters(name: str) -> None:
    function = getattr(tw, name)
    assert function.__name__ == name
    assert ">>>" in function.__doc__
    assert [p for p in inspect.signature(function).parameters if p in {"args", "options"}] in ([], ["args"])


@pytest.mark.parametrize("name", METHODS)
def test_methods_show_words_and_parameters(name: str) -> None:
    method = inspect.getattr_static(tw.Layout, name)
    if isinstance(method, property):
        assert method.__doc__
    else:
        assert method.__name__ == name
        assert method.__doc__
        assert "options" not in inspect.signature(method).parameters


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_travel_to_other_processes_by_name(name: str) -> None:
    function = FUNCTIONS[name]
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_keyword_that_is_none_is_named(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        with pytest.raises(TypeError, match=f"has no parameter 'nonsense'; it has {', '.join(parameters)}$"):
            FUNCTIONS[name](nonsense=1)
