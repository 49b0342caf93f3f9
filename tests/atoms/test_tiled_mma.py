"""The thread-value layout of a tiled MMA, its partitions, the matching copies and the atom say the same."""

import itertools
import random
import re

import numpy
import pytest
from tiled_oracle import element, values_of, vmnk

from tilewright.analysis.permutation.ownership import fragments_match, prove_ownership
from tilewright.atoms import catalog
from tilewright.atoms.copy_universal import universal_copy
from tilewright.atoms.tiled_copy import make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.axes import Axis
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt

MATCHING = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}
BYTES = universal_copy(8).with_element(8)
REPEATS = tuple(itertools.product((1, 2), repeat=3))


def shapes_of_all_atoms():
    """One atom for each set of layouts that the catalog has."""
    atoms = map(catalog.mma, catalog.list(kind="mma"))
    return {
        (a.shape_mnk, a.thr_layout, a.tv_layout_A, a.tv_layout_B, a.tv_layout_C): a for a in atoms if a.blocks == 1
    }.values()


ATOMS = tuple(shapes_of_all_atoms())


def permutations(extent, atoms):
    """Permutations of a mode of `extent * atoms` elements, or of two or three times as many."""
    covered = extent * atoms
    found = [None, 2 * covered, 3 * covered]
    for factor in (1, 2, 3):
        found.append(Layout((extent, atoms, factor), (1, extent * factor, extent)))
        found.append(Layout((extent, atoms * factor), (atoms * factor, 1)))
        found.append(Layout((atoms * factor, extent), (extent, 1)))
    return found


def tiled_mma(atom, repeats, rng, permuted):
    m, n, k = repeats
    strides = rng.choice(((1, m, m * n), (n * k, k, 1), (k, m * k, 1)))
    permutation = [rng.choice(permutations(*pair)) for pair in zip(atom.shape_mnk, repeats, strict=True)]
    return make_tiled_mma(atom, Layout(repeats, strides), tuple(permutation) if permuted else None)


def check(tiled, rng, pairs):
    """At `pairs` random (thread, value) of every operand, all of them where there are no more than that."""
    at, threads = vmnk(tiled), tiled.thr_layout_vmnk(numpy.arange(tiled.size))
    assert len(set(threads.tolist())) == tiled.size
    for operand in "ABC":
        values = values_of(tiled, operand)
        every = range(tiled.size * values)
        some = numpy.array(every if len(every) <= pairs else rng.choices(every, k=pairs))
        chosen, value = some % tiled.size, some // tiled.size
        expected = element(tiled, operand, [part[chosen] for part in at], value)
        layout, tile = tiled.tiled_tv_layout(operand), tiled.tile(operand)
        assert layout[1].size == values
        assert layout.cosize <= tile[0] * tile[1]
        assert (layout[0](threads[chosen]) + layout[1](value) == expected).all()
        copied = MATCHING[operand](BYTES, tiled).tiled_tv_layout_S
        assert (copied[0](threads[chosen]) + copied[1](value) == expected).all()
        mine = rng.randrange(tiled.size)
        part = tiled.get_slice(int(threads[mine])).partition(operand, Layout(tile))
        assert part.size == values
        assert (part(value) == element(tiled, operand, [where[mine] for where in at], value)).all()


@pytest.mark.parametrize("repeats", REPEATS)
def test_every_atom_of_the_catalog(repeats):
    """Each atom has four of the eight, among them each pair of two repeats."""
    rng = random.Random(str(repeats))
    for atom in ATOMS[sum(repeats) % 2 :: 2]:
        check(tiled_mma(atom, repeats, rng, permuted=False), rng, 16)


def test_every_atom_permuted():
    rng, refused = random.Random(4), 0
    for atom in ATOMS:
        try:
            tiled = tiled_mma(atom, rng.choice(REPEATS), rng, permuted=True)
        except LayoutError:  # test_a_permutation_is_refused_exactly_.. says when that is right
            refused += 1
            continue
        check(tiled, rng, 64)
    assert refused < len(ATOMS) / 3


def is_layout(values):
    """Is there a layout, nested as it may be, with these values? Tried by every first extent."""
    if len(values) == 1:
        return True
    for first in range(2, len(values) + 1):
        rows = [values[i : i + first] for i in range(0, len(values), first)]
        steps = [[x - row[0] for x in row] for row in rows]
        even = len(values) % first == 0 and steps == [[i * steps[0][1] for i in range(first)]] * len(rows)
        if even and is_layout([row[0] for row in rows]):
            return True
    return False


def compact(shape):
    """The layouts of a shape that permute 0 .. size-1."""
    for order in itertools.permutations(range(len(shape))):
        strides, running = [0] * len(shape), 1
        for mode in order:
            strides[mode], running = running, running * shape[mode]
        yield Layout(shape, tuple(strides))


SHAPES = [s for rank in (1, 2, 3) for s in itertools.product((2, 3, 4, 6), repeat=rank) if numpy.prod(s) <= 24]


@pytest.mark.parametrize("atoms", [1, 2, 3, 4, 6])
def test_a_permutation_is_refused_exactly_where_no_layout_exists(atoms):
    """Thread t and value r of N hold own(t + atoms r): that is a layout iff it is one in t and the same for every r."""
    seen = set()
    for own in (layout for shape in SHAPES for layout in compact(shape) if layout.size % atoms == 0):
        values = [own(i) for i in range(own.size)]
        rows = [values[i : i + atoms] for i in range(0, own.size, atoms)]
        steps = [[x - row[0] for x in row] for row in rows]
        exists = steps == [steps[0]] * len(rows) and is_layout(rows[0]) and is_layout([row[0] for row in rows])
        try:
            tiled = make_tiled_mma(universal_fma(), Layout((1, atoms, 1)), (None, own, None))
        except LayoutError:
            assert not exists, (own, atoms)
            seen.add(False)
            continue
        assert exists, (own, atoms)
        layout = tiled.tiled_tv_layout_B
        assert [[layout(t, r) for t in range(atoms)] for r in range(len(rows))] == rows
        seen.add(True)
    assert seen == ({True} if atoms == 1 else {True, False})


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (Layout(16, 2), "does not take each of the elements 0 .. 15 once"),
        (Layout((8, 2), (0, 1)), "does not take each of the elements 0 .. 15 once"),
        (Layout((16, 2), (1, 0)), "does not take each of the elements 0 .. 31 once"),
        (Layout((4, 4), (-1, 4)), "does not take each of the elements 0 .. 15 once"),
        (
            Layout((4, 4), (1 @ Axis.get("laneid"), 1 @ Axis.get("warpid"))),
            "does not take each of the elements 0 .. 15 once",
        ),
        (Layout(24), "24 elements, which is no multiple of the 16"),
        (24, "24 elements, which is no multiple of the 16"),
    ],
)
def test_what_is_no_permutation_is_refused(own, why):
    atom = catalog.mma("SM80_16x8x8_F32F16F16F32_TN")
    for mode in range(3):
        given = [None] * 3
        given[mode] = own
        if mode == 0 or "take each" in why:
            with pytest.raises(LayoutError, match=f"permutation of {'MNK'[mode]}: .*{why}"):
                make_tiled_mma(atom, None, tuple(given))


@pytest.mark.parametrize("repeats", REPEATS)
@pytest.mark.parametrize(
    "name", ["SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x16_F32F16F16F32_TN", "UniversalFMA<float32>"]
)
def test_atoms_along_the_mode_that_an_operand_lacks_own_the_same(name, repeats):
    m, n, k = repeats
    tiled = make_tiled_mma(catalog.mma(name), Layout(repeats))
    idle = tiled.tiled_tv_layout_C[0].size // tiled.size  # threads between those of a quad pair
    assert [found.count for found in prove_ownership(tiled)] == [n * idle, m * idle, k * idle]


@pytest.mark.parametrize("repeats", REPEATS)
def test_fragments_match_their_copies_with_atoms_along_k(repeats):
    """Law 65, with partial sums: a fragment retiled for the matching copy shows what that copy brings."""
    m, n, _ = repeats
    permutation = (Layout((16, m, 2), (1, 32, 16)), 16 * n, 32)
    tiled = make_tiled_mma(catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout(repeats), permutation)
    for operand, matching in MATCHING.items():
        rows, columns = tiled.tile(operand)
        assert fragments_match(matching(BYTES, tiled), tiled, operand, (2 * rows, columns))


def test_a_slice_is_of_a_thread_of_the_hardware():
    """The quad pair of Volta's instruction is threads 0-3 and 16-19; those between hold copies."""
    atom = catalog.mma("SM70_8x8x4_F32F16F16F32_TN")
    tiled = make_tiled_mma(atom)
    assert tiled.size == 8
    for logical in range(8):
        part = tiled.get_slice(int(atom.thr_layout(logical))).partition_C(Layout((8, 8)))
        assert [part(i) for i in range(8)] == [atom.tv_layout_C(logical, i) for i in range(8)]
    for thread in (-1, 32, True, 0.0, None):
        with pytest.raises(UsageError, match=r"is not one of the 32 threads 0 \.\. 31"):
            tiled.get_slice(thread)


def threads_of(atom, layout):
    """The threads of every atom: copies of the atom's own threads, put where those before it leave room, in order."""
    own = [atom.thr_layout(i) for i in range(atom.thr_layout.size)]
    starts, seen = [], set()
    for t in itertools.count():
        if len(starts) > max(map(layout, range(layout.size))):
            break
        if t not in seen:
            starts.append(t)
            seen.update(t + o for o in own)
    return [[starts[layout(i)] + o for o in own] for i in range(layout.size)]


def fill(threads):
    """Do copies of these threads fill an interval from 0 on, each thread once?"""
    covered = set()
    for start in range(max(threads) + 1):
        if start not in covered:
            copy = {start + t for t in threads}
            if len(copy) < len(threads) or copy & covered:
                return False
            covered |= copy
    return covered == set(range(len(covered)))


def are_by_mode(threads, shape):
    """Is each thread the sum of what V, M, N and K say, and is that a layout in each of them?"""
    grid = numpy.reshape(threads, (*shape[::-1], -1))
    k, n, m, v = grid[:, 0, 0, 0], grid[0, :, 0, 0], grid[0, 0, :, 0], grid[0, 0, 0]
    sums = k[:, None, None, None] + n[:, None, None] + m[:, None] + v
    return bool((grid == sums).all()) and all(is_layout(each.tolist()) for each in (v, m, n, k))


STRIDES = tuple(itertools.product((0, 1, 2, 3, 4, 6), repeat=3))
SMALL = tuple(itertools.product(itertools.product((1, 2, 3), repeat=3), STRIDES))


@pytest.mark.parametrize("name", ["SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x8_F32F16F16F32_TN", "UniversalFMA<float32>"])
def test_an_atom_layout_is_refused_exactly_where_threads_have_no_place_of_their_own(name):
    """They have one where copies of them fill the hardware's threads, none in two, and a layout says who they are."""
    atom, rng, seen = catalog.mma(name), random.Random(5), set()
    for layout in itertools.starmap(Layout, rng.sample(SMALL, 250)):
        threads = [t for own in threads_of(atom, layout) for t in own]
        exists = are_by_mode(threads, layout.shape) and fill(threads)
        seen.add(exists)
        if not exists:
            with pytest.raises(LayoutError, match=f"^atom layout {re.escape(str(layout))} of {atom.threads} threads"):
                make_tiled_mma(atom, layout)
            continue
        tiled = make_tiled_mma(atom, layout)
        assert [tiled.thr_layout_vmnk(i) for i in range(tiled.size)] == threads
        check(tiled, rng, 16)
    assert seen == {True, False}


@pytest.mark.parametrize("layout", [Layout((2, 2), (1, SymInt("n"))), Layout((2, 2), (1, 2 @ Axis.get("laneid")))])
def test_an_atom_layout_is_static(layout):
    with pytest.raises(LayoutError, match="an atom layout is static"):
        make_tiled_mma(universal_fma(), layout)
