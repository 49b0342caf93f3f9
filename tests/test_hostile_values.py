"""Every public class: made of nonsense, or asked with nonsense, it answers or raises our own error, within a second."""

from __future__ import annotations

import copy
import pickle

import pytest
from hostile import nested
from hostile_values import CLASSES, NONSENSE, VALUES, fields, troubles

import tilewright as tw
from tilewright import AXES, Axis, AxisSum, Layout, LayoutError, TilewrightError, UsageError
from tilewright.errors import KernelError, NotationError

WITHOUT_VALUES = {"LayoutLike", *(name for name, cls in CLASSES.items() if issubclass(cls, TilewrightError))}


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_nonsense_is_refused_by_our_error(name):
    assert [trouble for trouble in troubles(name) if trouble] == []


def test_every_public_class_has_a_right_value():
    assert CLASSES.keys() - VALUES.keys() == WITHOUT_VALUES
    assert all(isinstance(value, CLASSES[name]) for name, value in VALUES.items())


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_right_value_is_made_again_of_its_fields(name):
    """So that each field of it is tried."""
    value, given = VALUES[name], fields(name)
    if name not in ("ArchSpec", "SymInt", "Target", "Tensor", "TensorMap"):  # no such fields, or no equality
        assert CLASSES[name](**given) == value


@pytest.mark.parametrize("name", sorted(AXES))
def test_an_axis_is_one_value(name):
    axis = Axis.get(name)
    assert Axis(name) is getattr(Axis, name) is Axis(axis) is axis
    assert pickle.loads(pickle.dumps(axis)) is copy.deepcopy(axis) is axis
    assert (axis.name, repr(axis), axis.is_memory()) == (name, name, axis.scope is None)


def test_there_are_no_other_axes():
    for name in ("foo", "laneld", "two words", *NONSENSE):
        with pytest.raises(LayoutError, match="unknown axis"):
            Axis(name)


def test_the_table_of_axes_is_closed():
    with pytest.raises(LayoutError, match="did you mean 'laneid'"):
        Axis("laneld")
    with pytest.raises(TypeError):
        AXES["foo"] = Axis.laneid  # type: ignore[index]  # what is tried
    with pytest.raises(AttributeError):
        Axis.laneid.scope = None  # type: ignore[misc]  # what is tried


@pytest.mark.parametrize(
    "terms",
    [
        (("m", 3),),
        (),
        (("laneid", 0),),
        (("warpid", 1), ((0,), 1)),
        (("laneid", 1), ("laneid", 2)),
        (("laneid", 1.5),),
        (("laneid",),),
        [("laneid", 1)],
        (((), 1),),
        (((-1,), 1),),
    ],
)
def test_sums_are_normal(terms):
    with pytest.raises(LayoutError):
        AxisSum(terms)


@pytest.mark.parametrize("element", [tw.term(3, "laneid"), tw.term(1, (1, 0)) + tw.term(2, (0,)) + 5])
def test_a_sum_is_made_of_its_terms(element):
    assert AxisSum(element.terms) == element == pickle.loads(pickle.dumps(element))


def test_a_value_that_is_made_is_as_good_as_its_function_makes_it():
    """Laws that types cannot say: threads that there are, atoms that divide the tile."""
    mma, copy_of_a = VALUES["TiledMma"], VALUES["TiledCopy"]
    with pytest.raises(UsageError, match="128 threads"):
        tw.ThrMma(mma, 128)
    with pytest.raises(UsageError, match="128 threads"):
        tw.ThrCopy(copy_of_a, -1)
    with pytest.raises(LayoutError, match="no multiple of the 32"):
        tw.TiledMma(mma.atom, Layout((2, 2, 1)), (48, None, None))
    with pytest.raises(LayoutError, match="threads of their own"):
        tw.TiledMma(mma.atom, Layout((2, 2, 1), (1, 1, 0)))
    assert tw.TiledMma(mma.atom, Layout((2, 2))) == tw.make_tiled_mma(mma.atom, (2, 2))
    with pytest.raises(LayoutError, match="do not divide"):
        tw.TiledCopy(copy_of_a.atom, Layout((16, 8), (1, 16)), (16, 8))


def test_errors_say_whatever_they_are_given():
    for said in (nested(10_000), 10**5000):
        for error in (UsageError(said), NotationError(said, said, said), KernelError(said, said)):
            assert str(error)
    assert str(UsageError("as it is")) == "as it is"
    place = tw.SourceLocation("kernel.py", 3, 4, "a = b")
    assert str(KernelError("wrong", place)) == f"wrong\n{place}"


def test_the_message_names_class_field_and_type():
    with pytest.raises(UsageError, match=r"TensorMapBox: extents is of type tuple\[int, int\], got \(64, 'x'\)"):
        tw.TensorMapBox((64, "x"), 1, "")
