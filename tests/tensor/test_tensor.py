"""The law of tensors: t[c] is memory[layout(c)], whatever was done to the layout; checked element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy
import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, Tensor, UsageError

MEMORY = numpy.arange(1000, 1000 + 512, dtype="int32")
SWIZZLED = tw.parse("Sw<2,3,3> o 0 o (8,64):(64,1)")
LAYOUTS = (
    Layout(8),
    Layout((8, 16), (16, 1)),
    Layout((4, (2, 8)), (1, (16, 4))),
    Layout((4, 4), (0, 1)),
    Layout((2, 3, 4), (1, 7, 50)),
    SWIZZLED,
    tw.parse("Sw<1,1,2> o 5 o (8,4):(4,1)"),
)


def part(found: object) -> Tensor:
    assert isinstance(found, Tensor)
    return found


def coordinates(shape: Any) -> Iterator[Any]:
    return (tw.idx2crd(i, shape) for i in range(tw.size(shape)))


def reads_as(tensor: Tensor, layout: Any, memory: Any = MEMORY) -> bool:
    """Is every element, by its index and by its coordinate, the one at the layout's value?"""
    by_index = all(tensor[i] == memory[layout(i)] for i in range(layout.size))
    return by_index and all(tensor[c] == memory[layout(c)] for c in coordinates(layout.shape))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_an_element_is_the_one_at_the_value_of_the_layout(layout: Any) -> None:
    tensor = Tensor(MEMORY, layout)
    assert reads_as(tensor, layout)
    assert (tensor.shape, tensor.size, tensor.rank) == (layout.shape, layout.size, layout.rank)
    assert tensor.load().tolist() == [tensor[i] for i in range(tensor.size)]
    assert tensor.numpy().ravel(order="F").tolist() == tensor.load().tolist()
    assert (numpy.asarray(tensor) == tensor.numpy()).all()


@pytest.mark.parametrize(
    "array",
    [
        numpy.arange(24).reshape(2, 3, 4),
        numpy.asfortranarray(numpy.arange(24).reshape(4, 6)),
        numpy.arange(48).reshape(6, 8)[::-1, ::2],
        numpy.arange(48).reshape(6, 8)[1:4, 5:2:-1].T,
        numpy.broadcast_to(numpy.arange(5), (3, 5)),
        numpy.array(7.0),
    ],
)
def test_without_a_layout_it_is_the_array_and_shares_its_memory(array: Any) -> None:
    tensor = Tensor(array)
    assert all(tensor[where or ()] == array[where] for where in numpy.ndindex(array.shape))
    assert numpy.shares_memory(tensor.iter.memory, array)
    assert tensor.layout == Layout(array.shape, tuple(s // array.itemsize for s in array.strides))


def test_a_layout_counts_from_the_first_element_of_a_strided_array() -> None:
    array = numpy.arange(48).reshape(6, 8)[4:0:-1, 2:6]
    assert Tensor(array, Layout((2, 2), (-8, 1))).numpy().tolist() == [[34, 35], [26, 27]]
    with pytest.raises(LayoutError, match=r"elements -16 \.\. 24, from 24 on"):
        Tensor(array, Layout(6, -8))
    with pytest.raises(LayoutError, match=r"elements -5 \.\. 0 of"):
        Tensor(MEMORY, tw.ComposedLayout(Swizzle(1, 0, 1), 0, Layout(4, -2)))


def test_what_new_memory_and_arrays_cannot_be() -> None:
    with pytest.raises(LayoutError, match="asks for 33554433 new elements"):
        tw.make_rmem_tensor(Layout(2, 1 << 25), "int8")
    with pytest.raises(UsageError, match="copy=False cannot be"):
        Tensor(MEMORY).__array__(copy=False)
    with pytest.raises(LayoutError, match="two elements to one place"):
        Tensor(MEMORY.copy(), Layout((4, 2), (1, 2))).store(range(8))
    with pytest.raises(LayoutError, match="outside"):
        Tensor(MEMORY, Layout((8, 16)))[None, 0, 0]


def test_an_array_is_stored_by_its_coordinates_and_integers_down_to_their_least() -> None:
    tensor = tw.make_rmem_tensor((2, 3), "int8")
    tensor.store(numpy.array([[-128, 1, 2], [3, 4, 127]], "int8"))
    assert tensor.numpy().tolist() == [[-128, 1, 2], [3, 4, 127]]
    tensor[0, 0] = -1
    assert int(tensor[0, 0]) == -1


def test_an_assignment_is_seen_by_everybody() -> None:
    array = numpy.zeros((4, 8), "float32")
    tensor = Tensor(array)
    tensor[2, 3] = 5
    tensor[None, 0] = 7
    tensor[1, None] = numpy.arange(8, dtype="float32")
    assert array[2, 3] == 5
    assert array[:, 0].tolist() == [7, 0, 7, 7]
    assert array[1].tolist() == list(range(8))


VIEWS: dict[str, Callable[[Any], Any]] = {
    "composition": lambda x: tw.composition(x, Layout((4, 2), (2, 1))),
    "by mode": lambda x: tw.composition(x, (Layout(2, 2), Layout(2, 2))),
    "logical_divide": lambda x: tw.logical_divide(x, (2, 4)),
    "zipped_divide": lambda x: tw.zipped_divide(x, (2, 4)),
    "tiled_divide": lambda x: tw.tiled_divide(x, (2, 4)),
    "flat_divide": lambda x: tw.flat_divide(x, (2, 4)),
    "local_tile": lambda x: tw.local_tile(x, (2, 4), (1, 2)),
    "tiles of a row": lambda x: tw.local_tile(x, (2, 4), (1, None)),
    "local_partition": lambda x: tw.local_partition(x, Layout((2, 4), (4, 1)), 5),
    "coalesce": tw.coalesce,
    "filter": tw.filter,
    "group": lambda x: tw.group(x, 0, 2),
    "flatten": tw.flatten,
    "select": lambda x: tw.select(x, [1, 0]),
    "take": lambda x: tw.take(x, 1, 2),
    "get": lambda x: tw.get(x, 1),
    "with_shape": lambda x: tw.with_shape(x, (4, x.size // 4)),
    "method": lambda x: x.zipped_divide((2, 4)).select([1, 0]),
    "by name": lambda x: tw.composition(layout=x, tiler=Layout(4, 2)),
}


@pytest.mark.parametrize("layout", [Layout((8, 16), (16, 1)), Layout((8, (4, 4)), (4, (1, 32))), SWIZZLED], ids=str)
@pytest.mark.parametrize("name", VIEWS)
def test_an_operation_on_a_tensor_reads_what_it_says_of_the_layout(name: str, layout: Any) -> None:
    found = VIEWS[name](Tensor(MEMORY, layout))
    assert isinstance(found, Tensor)
    assert found.iter.memory.base is not None
    assert reads_as(found, VIEWS[name](layout))


@pytest.mark.parametrize("layout", LAYOUTS[1:], ids=str)
def test_a_slice_reads_the_whole_at_the_coordinate(layout: Any) -> None:
    tensor = Tensor(MEMORY, layout)
    for i in range(tw.size(layout.shape[0])):
        coord = (i, *[None] * (layout.rank - 1))
        kept, bracketed = part(tensor[coord]), part(cast("Any", tw.slice)(coord, tensor))
        if isinstance(layout, Layout):
            assert kept.shape == (layout[1].shape if layout.rank == 2 else layout.take(1, layout.rank).shape)
        for j, c in enumerate(coordinates(layout.shape[1:])):
            assert kept[j] == bracketed[c] == MEMORY[layout(i, *c)]
    assert reads_as(tensor[None], layout)


def test_offsets_that_slices_left_inside_add_up() -> None:
    still = Swizzle(0, 0, 0)
    tensor = Tensor(MEMORY, ComposedLayout(still, 3, ComposedLayout(still, 4, Layout(8, 2))))
    assert tensor.load().tolist() == MEMORY[7:23:2].tolist()
    assert (tensor.iter.place, tensor.layout) == (7, Layout(8, 2))


def test_new_memory_reaches_as_far_as_its_layout() -> None:
    tensor = tw.make_rmem_tensor(Layout((2, 3), (1, 8)), "float32")
    tensor.store(range(6))
    assert tensor.iter.memory.tolist() == [0, 1, *[0] * 6, 2, 3, *[0] * 6, 4, 5]


def test_new_memory_begins_at_offset_0() -> None:
    for layout in (Layout(4, -2), ComposedLayout(Swizzle(0, 0, 0), -8, Layout(4))):
        with pytest.raises(LayoutError, match="reaches elements -"):
            tw.make_rmem_tensor(layout, "float32")


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


def test_an_endless_coordinate_is_refused() -> None:
    with pytest.raises(UsageError, match="indexed by integers"):
        Tensor(MEMORY, Layout((8, 16)))[ENDLESS]


@pytest.mark.parametrize(
    "wrong", [(8, 0), (0, 16), (-1, 0), 128, (0, 0, 0), "a", 1.5, ((slice(1, 2), 0), 0), ((1, 2), 0)]
)
def test_a_coordinate_outside_is_refused(wrong: Any) -> None:
    with pytest.raises((LayoutError, UsageError)):
        Tensor(MEMORY, Layout((8, 16)))[wrong]


ROWS, RAGGED = Layout((8, 16), (16, 1)), Layout((8, (4, 4)), (1, (8, 64)))
PADDED = tw.parse("Sw<1,1,2> o 5 o (8,4):(4,1)")
INDICES: tuple[Any, ...] = (
    *((slice(2, 6), 3), (slice(None, None, 2), slice(-3, None)), (..., 3), (3, ...), (slice(1, 2), slice(2, 3))),
    *((slice(0, 100), ...), (..., slice(0, 4)), ..., (..., 1, 2), (slice(3, -1), slice(None))),
)


@pytest.mark.parametrize("layout", [ROWS, RAGGED, PADDED, SWIZZLED], ids=str)
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_an_index_of_python_is_that_of_the_array(layout: Any, index: Any) -> None:
    tensor = Tensor(MEMORY, layout)
    rows, columns = (tw.size(mode) for mode in layout.shape)
    wanted = tensor.load().reshape((rows, columns), order="F")[index]
    found = tensor[index]
    flat = found.load() if isinstance(found, Tensor) else numpy.asarray(found).reshape(1)
    assert flat.tolist() == numpy.asarray(wanted).ravel(order="F").tolist()


@pytest.mark.parametrize("key", [(2, None), (None, (1, 1)), (None, None), None, ((None, 1), 3), ((0, None), None)])
def test_what_an_index_gives_can_be_assigned_there(key: Any) -> None:
    """One nested mode that is kept alone is a table of its inner modes, read and written alike."""
    layout = Layout(((2, 3), (2, 2)), ((4, 12), (1, 36)))
    source, tensor = (Tensor(numpy.arange(80) * sign, layout) for sign in (1, -1))
    tensor[key] = source[key]
    other = Tensor(numpy.arange(80) * -1, layout)
    other[key] = source[key].numpy()
    other[key] = source[key].load()
    assert (tensor[key].load() == source[key].load()).all()
    assert (tensor.numpy() == other.numpy()).all()
    assert (tensor.load() > 0).sum() == (source[key].load() > 0).sum()


def test_slices_are_assigned_in_the_same_memory() -> None:
    array = numpy.zeros((8, 16), "int32")
    Tensor(array)[2:6:2, -2:] = 7
    Tensor(array)[..., 3] = numpy.arange(8, dtype="int32")
    wanted = numpy.zeros((8, 16), "int32")
    wanted[2:6:2, -2:] = 7
    wanted[..., 3] = numpy.arange(8)
    assert (array == wanted).all()


@pytest.mark.parametrize(
    ("layout", "index", "says"),
    [
        (RAGGED, (0, slice(3, 9)), "are no layout"),
        (RAGGED, (0, slice(3, 6)), "are no layout"),
        (ROWS, (slice(4, 4), 0), "one element or more, upwards"),
        (ROWS, (slice(None, None, -1), 0), "one element or more, upwards"),
        (ROWS, slice(2, 4), "a place for each of 2 modes"),
        (ROWS, (slice("a", 2), 0), "a slice has integers"),
        (ROWS, (..., ...), "stands once"),
        (ROWS, (..., 1, 2, 3), "stands once"),
        (ROWS, (-1, 0), "-1 would be the last in an array, and before the first in a kernel"),
        (RAGGED, (0, (slice(0, 2), 0)), "inside of one"),
    ],
)
def test_an_index_without_one_meaning_is_refused(layout: Any, index: Any, says: str) -> None:
    with pytest.raises((LayoutError, UsageError), match=says):
        Tensor(MEMORY, layout)[index]


def test_a_tensor_of_one_mode_is_a_sequence_others_say_what_to_take() -> None:
    row = part(Tensor(MEMORY, ROWS)[3, None])
    assert (len(row), [int(x) for x in row]) == (16, MEMORY[48:64].tolist())
    assert len(tw.logical_divide(Tensor(MEMORY, Layout(8)), (8,))) == 8
    whole = Tensor(MEMORY, ROWS)
    for use in (len, iter, list):
        with pytest.raises(UsageError, match=r"t.load\(\) has its elements"):
            use(whole)
    with pytest.raises(UsageError, match="neither true nor false"):
        bool(whole)


def test_a_colon_is_none() -> None:
    tensor = Tensor(MEMORY, Layout((8, 16)))
    assert tensor[3, :].load().tolist() == tensor[3, None].load().tolist()


@pytest.mark.parametrize(
    ("array", "layout", "says"),
    [
        (MEMORY, Layout((2, 257)), "elements 0 .. 513 of a memory of 512"),
        (MEMORY, Layout(4, -1), "elements -3 .. 0"),
        (MEMORY[:9], tw.parse("Sw<1,2,1> o 0 o 9:1"), "elements 0 .. 12 of a memory of 9"),
        (MEMORY, Layout(tw.SymInt("n")), "only run time knows"),
        (MEMORY, tw.make_identity_layout((2, 2)), "coordinates or axes"),
        (MEMORY, "4:1", "tw.parse"),
        (numpy.array(["a"]), None, "element"),
        (numpy.array([None]), None, "element"),
        (numpy.zeros(0), None, "at least one element"),
        (numpy.zeros(4, "<i4,<i2")["f0"], None, "no multiples"),
        (numpy.zeros(4, ">i4"), None, "order of bytes"),
        ([1, 2], None, "made of an array"),
    ],
)
def test_what_has_no_elements_to_address_is_refused(array: Any, layout: Any, says: str) -> None:
    with pytest.raises((LayoutError, UsageError), match=says):
        Tensor(array, layout)


def test_operations_that_select_nothing_are_refused() -> None:
    tensor = Tensor(MEMORY, Layout((8, 16)))
    for operation in (
        tw.complement,
        tw.right_inverse,
        lambda t: tw.logical_product(t, 2),
        lambda t: tw.composition(Layout(4), t),
    ):
        with pytest.raises(LayoutError):
            cast("Callable[[object], object]", operation)(tensor)
    with pytest.raises(LayoutError, match="reaches elements"):
        tw.zipped_divide(Tensor(MEMORY[:15]), 4)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int8", 128),
        ("uint8", -1),
        ("int32", 1.5),
        ("bool", 2),
        ("float32", 1j),
        ("float32", numpy.float64(1)),
        ("float32", "x"),
    ],
)
def test_a_number_that_the_memory_does_not_hold_is_refused(kind: str, value: Any) -> None:
    tensor = Tensor(numpy.zeros(4, kind))
    with pytest.raises(UsageError, match=kind):
        tensor[1] = value
    with pytest.raises(UsageError, match=kind):
        tensor.fill(value)


def test_memory_that_is_only_read_is_not_written() -> None:
    with pytest.raises(UsageError, match="only read"):
        Tensor(numpy.broadcast_to(numpy.arange(4), (3, 4))).fill(1)


def test_names_of_the_kernel_language() -> None:
    tensor = Tensor(MEMORY, Layout((8, 16), (16, 1)))
    assert tw.get_layout(tensor) == tensor.layout
    view = tw.make_view(tw.get_iter(tensor) + 16, Layout(16))
    assert view.load().tolist() == tensor[1, None].load().tolist()
    registers = tw.make_fragment_like(tensor)
    assert registers.layout == tw.make_fragment_like(tensor.layout)
    for other in (tw.make_fragment_like(tensor, "f16"), tw.make_fragment_like(tensor, dtype=tw.Float16)):
        assert (other.dtype, other.layout) == (tw.Float16, registers.layout)
    with pytest.raises(UsageError, match="element type"):
        tw.make_fragment_like(tensor, "f17")
    registers.store(tensor.load())
    assert (registers.numpy() == tensor.numpy()).all()
    assert not numpy.shares_memory(registers.iter.memory, tensor.iter.memory)
    assert tw.make_rmem_tensor(Layout((2, 3)), tw.Float16).dtype == tw.Float16
    assert (tw.size(tensor), tw.rank(tensor), tw.depth(tensor)) == (128, 2, 1)


def test_a_tensor_prints_its_place_and_its_elements() -> None:
    tensor = Tensor(numpy.arange(6), Layout((2, 3), (3, 1)))
    assert repr(tensor[1, None]) == "<Tensor int64 at 3 o 3:1>"
    assert str(tensor) == "int64 at 0 o (2,3):(3,1)\n[[0 1 2]\n [3 4 5]]"


def test_a_picture_shows_the_elements_where_the_picture_of_the_layout_shows_offsets() -> None:
    layout = Layout((2, 4), (4, 1))
    tensor = Tensor(numpy.arange(8) / 2 + 100, layout)
    cells, offsets = (tw.draw(x).scene.panels[0].cells for x in (tensor, layout))
    assert [float(cell.label) for cell in cells] == [100 + int(cell.label) / 2 for cell in offsets]
    assert [cell.tone for cell in cells] == [cell.tone for cell in offsets]
    assert "<svg" in (tensor._repr_html_() or "")
