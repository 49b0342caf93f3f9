"""Operations that go axis by axis, beside the same on each axis alone; tiles and their projections; what is refused."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.axes import term
from tilewright.layout.inttuple import prefix_product

PLAIN = [Layout((s, t), (d, e)) for s, t, d, e in product((1, 2, 3), (2, 4), (1, 2, 3), (1, 3, 6, 8))]


def on(layout, axis):
    """The layout with its values on an axis."""
    return Layout(layout.shape, tuple(d * term(1, axis) for d in layout.stride))


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


@pytest.mark.parametrize("axis", [(0,), (1,), (0, 1), "laneid"], ids=str)
def test_a_complement_on_one_axis_is_that_of_the_integers(axis):
    for layout, target in product(PLAIN, (None, 12, 48)):
        plain, found = answer(tw.complement, layout, target), answer(tw.complement, on(layout, axis), target)
        assert (plain is None) == (found is None), layout
        if plain is not None:
            assert found.size == plain.size
            assert [found.at(i) for i in range(found.size)] == [plain(i) * term(1, axis) for i in range(plain.size)]
            if target is not None:
                assert answer(tw.complement, on(layout, axis), {axis: target}) == found


def test_a_complement_on_several_axes_is_that_of_each():
    for a, b in product(PLAIN[::5], PLAIN[::7]):
        both = Layout((a.shape, b.shape), (on(a, (0, 0)).stride, on(b, (0, 1)).stride))
        parts = [answer(tw.complement, a, 24), answer(tw.complement, b, 16)]
        for target in (((24, 16), 5), ((24, (4, 4)),), {(0, 0): 24, (0, 1): 16}):
            found = answer(tw.complement, both, target)
            assert (found is None) == (None in parts), (both, target)
            if found is not None:
                beside = 5 if isinstance(target, tuple) and len(target) == 2 else 1
                assert found.size == parts[0].size * parts[1].size * beside
        for incomplete in ({(0, 0): 24}, {(0, 1): 16}, {"laneid": 4}):
            assert answer(tw.complement, both, incomplete) is None


def test_an_inverse_takes_a_value_of_every_axis_and_nothing_more():
    lanes, warps = Layout(4, term(1, "laneid")), Layout(2, term(1, "warpid"))
    both = tw.make_layout(lanes, warps)
    for layout, count in ((tw.make_layout(lanes), 1), (both, 2)):
        for invert in (tw.right_inverse, tw.left_inverse):
            assert invert(layout).rank == count
            assert sorted(invert(layout)(i) for i in range(layout.size)) == list(range(layout.size))


@pytest.mark.parametrize("target", [0, (4, 0), -1, {(0,): 0}, (None, 4)], ids=str)
def test_a_cotarget_is_positive(target):
    with pytest.raises(LayoutError, match="positive"):
        tw.complement(Layout(4, 2), target)


def test_what_has_more_modes_than_the_layout_is_refused():
    layout = Layout((4, 8))
    for rank in range(1, 5):
        for operation in (tw.coalesce, tw.filter, tw.logical_divide, tw.composition, tw.logical_product):
            assert (answer(operation, layout, (1,) * rank) is not None) == (rank <= 2)
    for extent in (0, -1):
        assert answer(tw.logical_divide, layout, extent) is None
        assert answer(tw.logical_divide, layout, (2, extent)) is None


def test_a_tile_of_a_projection_is_the_tile_of_what_it_keeps():
    layout, tiler, coord = Layout((8, 16)), (2, 4, 8), (1, 2, 3)
    for keep in ((1, 1, None), (1, None, 1), (None, 1, 1)):
        kept = [i for i, one in enumerate(keep) if one]
        found = tw.local_tile(layout, tiler, coord, keep)
        assert found == tw.local_tile(layout, tuple(tiler[i] for i in kept), tuple(coord[i] for i in kept))
    threads = Layout((2, 2, 4))
    for index, keep in product(range(threads.size), ((1, 1, None), (None, 1, 1))):
        kept = Layout(tuple(s for s, one in zip(threads.shape, keep, strict=True) if one))
        coord = tuple(c for c, one in zip(tw.idx2crd(index, threads.shape), keep, strict=True) if one)
        assert tw.local_partition(layout, threads, index, keep) == tw.local_partition(layout, kept, kept(coord))


THIN = [(1,), (6,), (1, 1), (6, 1), (1, 6), (4, 6, 1), (4, 1, 6), (1, 1, 1), (4, (1, 1)), ((1, 6), 1), (1, (4, 1), 1)]


def thin_tilers(shape):
    """Tilers of the first modes of a shape."""
    sizes = [sorted({1, tw.size(s), -(-tw.size(s) // 2)}) for s in shape]
    return [tiler for rank in range(1, len(shape) + 1) for tiler in product(*sizes[:rank])]


def halved(shape):
    return tuple(map(halved, shape)) if isinstance(shape, tuple) else -(-shape // 2)


@pytest.mark.parametrize("shape", THIN, ids=str)
def test_tiles_of_a_coordinate_tensor_give_its_coordinates_also_along_extents_of_1(shape):
    tensor = tw.make_identity_tensor(shape)
    every = {tensor(i) for i in range(tensor.size)}
    for tiler in thin_tilers(shape):
        counts = tuple(tw.size(mode) for mode in tw.zipped_divide(Layout(shape), tiler).shape[1])[: len(tiler)]
        tiles = [tw.local_tile(tensor, tiler, where) for where in product(*map(range, counts))]
        threads = Layout(tiler)
        parts = [tw.local_partition(tensor, threads, index) for index in range(threads.size)]
        for cut in (tiles, parts):
            found = [part(i) for part in cut for i in range(part.size)]
            assert every == set(found)
            assert len(found) == tensor.size
        for tile in tiles:
            inside = tuple(tw.elem_less(tile(i), halved(shape)) for i in range(tile.size))
            assert truths(tw.predicate(tile, halved(shape))) == inside


@pytest.mark.parametrize("shape", THIN, ids=str)
def test_a_predicate_reads_coordinates_by_the_positions_of_its_shape(shape):
    """Also of layouts whose strides no longer tell every position: the others are 0."""
    tensor = tw.make_identity_tensor(shape)
    for limits in (shape, halved(shape)):
        inside = tuple(tw.elem_less(tensor(i), limits) for i in range(tensor.size))
        assert truths(tw.predicate(tw.coalesce(tensor), limits)) == inside
        for cut in (tw.logical_divide, tw.zipped_divide, tw.tiled_divide, tw.flat_divide):
            for tiler in thin_tilers(shape):
                places = cut(Layout(shape, prefix_product(shape)), tiler)
                expected = tuple(inside[places(i)] for i in range(places.size))
                assert truths(tw.predicate(cut(tensor, tiler), limits)) == expected


def truths(mask):
    return tuple(mask.load().tolist())


@pytest.mark.parametrize("shape", [(4,), 4, (4, (6, 1, 1))], ids=str)
def test_a_predicate_refuses_coordinates_of_another_shape(shape):
    with pytest.raises(tw.LayoutError, match="no coordinates of the shape"):
        tw.predicate(tw.make_identity_tensor((4, 6)), shape)


def test_tiles_of_fewer_modes_keep_the_rest_whole():
    layout = Layout((8, 16, 3))
    for i, j in product(range(4), range(4)):
        found = tw.local_tile(layout, (2, 4), (i, j))
        assert sorted(found(k) for k in range(found.size)) == sorted(
            layout(2 * i + x, 4 * j + y, z) for x, y, z in product(range(2), range(4), range(3))
        )


def test_products_pair_the_modes_of_both():
    blocks = [Layout((2,), (2,)), Layout(2, 2), Layout((2, 3), (1, 4)), Layout((4,))]
    for block, tile in product(blocks, [Layout(n) for n in range(1, 7)] + [Layout((2, 3)), Layout((3,))]):
        whole = answer(tw.logical_product, block, tile)
        for operation in (tw.blocked_product, tw.raked_product):
            found = answer(operation, block, tile)
            assert found is None or found.rank == max(block.rank, tile.rank)
            if whole is not None and block.rank >= tile.rank:
                assert sorted(found(i) for i in range(found.size)) == sorted(whole(i) for i in range(whole.size))


def test_a_downcast_widens_one_mode_of_several_elements_if_there_is_one():
    for shape, stride, factor in product(product((1, 2, 4), repeat=2), product((1, 2, 8), repeat=2), (2, 4)):
        found = answer(tw.downcast, Layout(shape, stride), factor)
        wide = [k for k in range(2) if shape[k] > 1 and stride[k] == 1]
        if wide:
            assert found.shape == tuple(s * factor if k == wide[0] else s for k, s in enumerate(shape))


def test_positions_beside_names_are_told_by_name():
    """A coordinate has a place for positions only; beside a named axis every axis is a key."""
    for a, b in product(((0,), (1,), (0, 1)), ("m", "laneid")):
        layout = Layout((2, 3), (term(1, a), term(1, b)))
        for i, j in product(range(2), range(3)):
            assert layout(i, j) == {a: i, b: j}
