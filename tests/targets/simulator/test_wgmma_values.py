"""Every warpgroup product: its operands by their descriptors, its registers by the layouts, its numbers by the rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import mma_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matrix_numbers import numbers, same

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import SHARED_ATOMS, SharedAtom
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator

Array = np.ndarray[Any, np.dtype[Any]]

NAME = re.compile("SM90_64x([0-9]+)x[0-9]+_(.*)")
ATOMS = [name for name in catalog.list(kind="mma") if NAME.fullmatch(name)]
FAMILIES: dict[str, list[int]] = {}
for known in ATOMS:
    found = NAME.fullmatch(known)
    assert found is not None
    FAMILIES.setdefault(found[2], []).append(int(found[1]))
HOPPER = [atom for atom in SHARED_ATOMS.values() if atom.arch == "sm_90"]


def atom_of(family: str, n: int) -> MmaAtom:
    return catalog.mma(next(name for name in ATOMS if name.startswith(f"SM90_64x{n}x") and name.endswith(f"_{family}")))


@dataclass(frozen=True)
class Placed:
    """An operand (MN, K) made of one shared atom: it repeats `mn` elements further along MN, and `k` along K."""

    atom: SharedAtom
    bits: int
    rows: int
    columns: int
    mn: int
    k: int

    @staticmethod
    def of(atom: SharedAtom, bits: int, rows: int, columns: int, gap: int = 0, k_first: bool = False) -> Placed:
        high, wide = atom.extents(bits)
        size = high * wide + gap * high * wide
        down, along = -(-rows // high), -(-columns // wide)
        return Placed(atom, bits, rows, columns, *((size * along, size) if k_first else (size, size * down)))

    def offsets(self) -> Array:
        """Where the elements are, by the definition of the shared atoms."""
        high, wide = self.atom.extents(self.bits)
        inner = self.atom.layout(self.bits)
        i, k = np.indices((self.rows, self.columns))
        within = np.array([[inner(x, y) for y in range(wide)] for x in range(high)])
        return np.asarray(within[i % high, k % wide] + i // high * self.mn + k // wide * self.k)

    @property
    def size(self) -> int:
        high, wide = self.atom.extents(self.bits)
        down, along = -(-self.rows // high), -(-self.columns // wide)
        return (down - 1) * self.mn + (along - 1) * self.k + high * wide

    def steps(self) -> tuple[int, int]:
        """LBO and SBO in bytes, as CUTLASS's make_gmma_desc says for each canonical layout."""
        mn, k = self.mn * self.bits // 8, self.k * self.bits // 8
        if self.atom.major == "K":
            return (16, mn) if self.atom.mode.swizzled else (k, mn)
        return (mn, k) if self.atom.mode.swizzled else (k, mn)

    def image(self, matrix: Array) -> Array:
        found = np.zeros(self.size, matrix.dtype)
        found[self.offsets()] = matrix
        return found


def kernel(atom: MmaAtom, a: Placed | None, b: Placed, scale: bool, negated: tuple[int, int], warpgroups: int) -> Any:
    """Every warpgroup multiplies: shared memory as it lies in X and Y, registers by lane."""
    d_type, a_type, b_type, _ = (t.name for t in atom.dtypes)
    va, vc = (int(atom.tv_layout(x)[1].size) for x in "AC")
    name, threads = atom.name, 128 * warpgroups
    x_size, x_steps = (a.size, a.steps()) if a else (va, (16, 16))
    x_mode, x_major = (a.atom.mode.name, a.atom.major) if a else ("none", "K")
    y_size, y_steps, y_mode, y_major = b.size, b.steps(), b.atom.mode.name, b.atom.major
    scale_a, scale_b = negated
    chunk, pair = 128 // atom.dtypes[1].bits, 64 // atom.dtypes[0].bits
    parts = [-(-size // (chunk * threads)) for size in (x_size, y_size)]
    registers = a is None
    x_shape = (2, x_size) if a else (2, threads, va)

    @T.prim_func
    def one(X: T.handle, Y: T.handle, C: T.handle, D: T.handle) -> None:
        x = T.match_buffer(X, x_shape, a_type)
        y = T.match_buffer(Y, (2, y_size), b_type)
        c = T.match_buffer(C, (2, threads, vc), d_type)
        d = T.match_buffer(D, (2, threads, vc), d_type)
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([threads])
        pool = T.SMEMPool()
        left = pool.alloc((x_size,), a_type, align=1024)
        right = pool.alloc((y_size,), b_type, align=1024)
        fa = T.alloc_local((va if registers else 1,), a_type)
        fc = T.alloc_local((vc,), d_type)
        for i in T.serial(parts[1]):
            if (i * threads + t) * chunk < y_size:
                T.copy_atom("UniversalCopy128b", right[(i * threads + t) * chunk], y[bx, (i * threads + t) * chunk])
        if registers:
            for i in T.serial(va // (chunk // 2)):
                T.copy_atom("UniversalCopy64b", fa[i * (chunk // 2)], x[bx, t, i * (chunk // 2)])
        else:
            for i in T.serial(parts[0]):
                if (i * threads + t) * chunk < x_size:
                    T.copy_atom("UniversalCopy128b", left[(i * threads + t) * chunk], x[bx, (i * threads + t) * chunk])
        for i in T.serial(vc // pair):
            T.copy_atom("UniversalCopy64b", fc[i * pair], c[bx, t, i * pair])
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.ptx.wgmma.fence.sync.aligned()
        second = T.matrix_descriptor(right, leading=y_steps[0], stride=y_steps[1], swizzle=y_mode)
        if registers:
            T.wgmma_atom(name, fc, fa, second, scale, scale_a, scale_b, 0, y_major == "MN")
        else:
            first = T.matrix_descriptor(left, leading=x_steps[0], stride=x_steps[1], swizzle=x_mode)
            T.wgmma_atom(name, fc, first, second, scale, scale_a, scale_b, x_major == "MN", y_major == "MN")
        T.ptx.wgmma.commit_group.sync.aligned()
        T.ptx.wgmma.wait_group.sync.aligned(0)
        for i in T.serial(vc // pair):
            T.copy_atom("UniversalCopy64b", d[bx, t, i * pair], fc[i * pair])

    return one


@cache
def owners(atom: MmaAtom, operand: str) -> Array:
    """(row, column) of each register of a warpgroup, by (lane, value, 2)."""
    layout = atom.tv_layout(operand)
    threads, values = (np.asarray(mode(np.arange(mode.size))) for mode in layout)
    places = threads[:, None] + values[None]
    return np.stack([places % atom.tile(operand)[0], places // atom.tile(operand)[0]], axis=-1)


def spread(atom: MmaAtom, operand: str, matrix: Array) -> Array:
    """The fragments of a matrix."""
    at = owners(atom, operand)
    return np.asarray(matrix[at[..., 0], at[..., 1]])


def product(atom: MmaAtom, a: Array, b: Array, c: Array) -> Array:
    """D by the rule, element by element; a and b as they are after negation."""
    convert = int if atom.dtypes[0].is_integer else float
    rows, columns = ([[convert(x) for x in row] for row in side] for side in (a, b))
    result = np.zeros(c.shape, atom.dtypes[0].numpy())
    for m, row in enumerate(rows):
        for n, column in enumerate(columns):
            result[m, n] = mma_oracle.one(atom, row, column, convert(c[m, n]))
    return result


def check(
    atom: MmaAtom,
    a: Placed | None,
    b: Placed,
    small: bool = False,
    scale: bool = True,
    negated: tuple[int, int] = (1, 1),
    warpgroups: int = 1,
    stage: str = "tile",
) -> None:
    """Two blocks of so many warpgroups compute what the oracle says. `small` numbers are whole, and add up exactly."""
    m, n, k = atom.shape_mnk
    kinds = atom.dtypes
    draw = whole if small else numbers
    left, right = draw(kinds[1], (2, m, k), 1), draw(kinds[2], (2, n, k), 2)
    start = draw(kinds[3], (2, warpgroups, m, n), 3)
    if a is None:
        x = np.stack([np.concatenate([spread(atom, "A", side)] * warpgroups) for side in left])
    else:
        x = np.stack([a.image(side) for side in left])
    y = np.stack([b.image(side) for side in right])
    c = np.stack([np.concatenate([spread(atom, "C", part) for part in block]) for block in start])
    d = np.zeros_like(c)
    made = kernel(atom, a, b, scale, negated, warpgroups)
    Simulator(made.module).run([x, y, c, d], arch="sm_90a")
    for block in range(2):
        for group in range(warpgroups):
            added = start[block, group] if scale else np.zeros_like(start[block, group])
            sides = [s[block] if sign == 1 else -s[block] for s, sign in zip((left, right), negated, strict=True)]
            wanted = exact(atom, *sides, added) if small else product(atom, *sides, added)
            assert same(d[block, group * 128 : group * 128 + 128], spread(atom, "C", wanted))


def whole(element: Any, shape: tuple[int, ...], seed: int) -> Array:
    low = 0 if element.kind == "uint" else -3
    found = np.random.default_rng(seed).integers(low, 4, shape)
    return np.asarray(found.astype(np.float32).astype(element.numpy()))


def exact(atom: MmaAtom, a: Array, b: Array, c: Array) -> Array:
    """D of whole numbers."""
    wide = [x.astype(np.float64) for x in (a, b, c)]
    total = wide[0] @ wide[1].T + wide[2] + 0.0
    return total.astype(atom.dtypes[0].numpy())


def placed(atom: MmaAtom, operand: str, shared: str = "", **options: Any) -> Placed:
    bits = atom.dtypes["DAB".index(operand)].bits
    return Placed.of(SHARED_ATOMS[shared or "Layout_K_SW32_Atom"], bits, *atom.tile(operand), **options)


@pytest.mark.parametrize("family", FAMILIES)
def test_numbers_of_each_family(family: str) -> None:
    atom = atom_of(family, 8)
    check(atom, None if "_RS" in family else placed(atom, "A"), placed(atom, "B"))


WIDTHS = [(family, n) for i, (family, all_) in enumerate(FAMILIES.items()) for n in all_[i % 24 :: 24]]


@pytest.mark.parametrize(("family", "n"), WIDTHS)
def test_every_width(family: str, n: int) -> None:
    atom = atom_of(family, n)
    a = None if "_RS" in family else placed(atom, "A", "Layout_K_INTER_Atom")
    check(atom, a, placed(atom, "B", "Layout_K_INTER_Atom"), small=True)


HALF = "F32F16F16_SS"
SHAPES = {"K": [x for x in HOPPER if x.major == "K"], "MN": [x for x in HOPPER if x.major == "MN"]}


@pytest.mark.parametrize("first", HOPPER, ids=str)
@pytest.mark.parametrize("second", HOPPER, ids=str)
def test_every_pair_of_canonical_layouts(first: SharedAtom, second: SharedAtom) -> None:
    atom = atom_of(HALF, 64)
    check(atom, placed(atom, "A", str(first)), placed(atom, "B", str(second)), small=True)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_drawn_products(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from(list(FAMILIES)))
    atom = atom_of(family, data.draw(st.sampled_from(FAMILIES[family][:24])))
    sixteen, whole_ = atom.dtypes[1].bits == 16, atom.dtypes[1].is_integer
    choices = HOPPER if sixteen else SHAPES["K"]
    sides = []
    for operand in "AB":
        shared = data.draw(st.sampled_from(choices))
        gap, order = data.draw(st.integers(0, 2)), data.draw(st.booleans())
        sides.append(placed(atom, operand, str(shared), gap=gap, k_first=order))
    signs = st.just(1) if whole_ else st.sampled_from((1, -1))
    negated = data.draw(signs), data.draw(signs)
    a = None if "_RS" in family else sides[0]
    check(atom, a, sides[1], True, data.draw(st.booleans()), negated, data.draw(st.integers(1, 2)))
