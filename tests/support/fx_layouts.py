"""Random layouts of which run time alone knows some leaves, through a kernel, against the same layouts that are known.

Laws 72 and 73: where a kernel gives an index it is the one of the known layout, exactly up to 2^62; else it is refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import LayoutError, TilewrightError
from tilewright.passes.fly.pipeline import STAGES

Tree = int | tuple["Tree", ...]
Wide = 1 << 31
LARGEST = 1 << 62
THREADS = 64


@dataclass(frozen=True, eq=False)
class Case:
    """A layout, which of its leaves run time knows (by their width, 0 for none), and what is done with it."""

    shape: Tree
    stride: Tree
    widths: tuple[int, ...]
    name: str
    operation: Callable[[object], object]

    @property
    def leaves(self) -> list[int]:
        return [*_leaves(self.shape), *_leaves(self.stride)]

    @property
    def given(self) -> tuple[fx.Numeric, ...]:
        """What a kernel is given for the leaves of run time."""
        kinds = {32: fx.Int32, 64: fx.Int64}
        return tuple(kinds[width](x) for x, width in zip(self.leaves, self.widths, strict=True) if width)

    def layout(self, numbers: tuple[object, ...]) -> object:
        """The layout with these numbers for its leaves of run time."""
        rest = iter(numbers)
        leaves = iter([next(rest) if width else x for x, width in zip(self.leaves, self.widths, strict=True)])
        shape = _filled(self.shape, leaves)
        return fx.make_layout(shape, _filled(self.stride, leaves))

    def known(self) -> list[int]:
        """The indices of the known layout.

        Raises:
            LayoutError: there is no such layout.
        """
        found = self.operation(self.layout(tuple(map(int, self.given))))
        size = int(fx.size(found))
        return [int(fx.crd2idx(i, found)) for i in _places(size)]

    def __str__(self) -> str:
        return f"{self.name} of {self.shape}:{self.stride} with {self.widths}"


def _places(size: int) -> list[int]:
    """The coordinates that threads look at: all, or the first and last ones."""
    return [*range(min(size, THREADS // 2)), *range(max(size - THREADS // 2, THREADS // 2), size)][:THREADS]


def _leaves(tree: Tree) -> list[int]:
    return [x for part in tree for x in _leaves(part)] if isinstance(tree, tuple) else [tree]


def _filled(tree: Tree, leaves: object) -> object:
    return tuple(_filled(part, leaves) for part in tree) if isinstance(tree, tuple) else next(leaves)


@flyc.kernel
def index_kernel(at: fx.Tensor, found: fx.Tensor, leaves: tuple, case: fx.Constexpr, count: fx.Constexpr[int]):
    tid = fx.thread_idx.x
    if tid < count:
        result = case.operation(case.layout(leaves))
        found[tid] = fx.get_scalar(fx.crd2idx(at[tid], result)).to(fx.Int64)


@flyc.jit
def indices(at: fx.Tensor, found: fx.Tensor, leaves: tuple, case: fx.Constexpr, count: fx.Constexpr[int]):
    index_kernel(at, found, leaves, case, count).launch(grid=1, block=THREADS)


def verdict(case: Case) -> str:
    """`equal` at every stage, `refused` with an error of ours, or `none` where there is no such layout.

    Raises:
        AssertionError: another index than that of the known layout.
    """
    try:
        wanted = case.known()
    except LayoutError:
        return "none"
    size = int(fx.size(case.operation(case.layout(tuple(map(int, case.given))))))
    at = np.array(_places(size), np.int64 if size >= Wide else np.int32)
    for stage in STAGES:
        found = np.full(len(at), -1, np.int64)
        try:
            indices.simulate(stage, at, found, case.given, case, len(at))
        except TilewrightError as error:
            if stage == STAGES[0] or "leaves 32 bits" in str(error):
                return "refused"  # a number that nobody asks for may be too large where layouts are integers
            raise AssertionError(f"{case} at {stage}") from error
        assert found.tolist() == wanted, f"{case} at {stage}: {found.tolist()}, known {wanted}"
    return "equal"


# ---- drawing them


def drawn(seed: int, wide: bool = False, more: bool = False) -> Case:
    """A case; `wide`: its indices reach far beyond 32 bits; `more`: of the functions that programs ask for less."""
    rng = random.Random(seed)
    shape = _shape(rng, 3 if wide else 4, wide)
    extents = _leaves(shape)
    stride = _strides(rng, shape, extents, wide)
    widths = [_width(rng, x) for x in (*extents, *_leaves(stride))]
    name, operation = rng.choice((_more_operations if more else _operations)(rng, shape))
    return Case(shape, stride, tuple(widths), name, operation)


def _width(rng: random.Random, leaf: int) -> int:
    if rng.random() < 0.4:
        return 0
    return 64 if leaf >= Wide or rng.random() < 0.4 else 32


def _shape(rng: random.Random, most: int, wide: bool) -> Tree:
    extents = [rng.choice((1, 2, 3, 4, 6, 8) if not wide else (2, 3, 1 << 10, 70000, 1 << 20)) for _ in range(most)]
    count = rng.randint(1, most)
    if count == 1:
        return extents[0] if rng.random() < 0.5 else (extents[0], extents[-1])
    split = rng.randint(0, count - 1)
    head, tail = extents[:split], extents[split:count]
    nested: Tree = tuple(tail) if len(tail) > 1 and rng.random() < 0.5 else tail[0]
    return (*head, nested) if head or isinstance(nested, tuple) else (nested, extents[-1])


def _strides(rng: random.Random, shape: Tree, extents: list[int], wide: bool) -> Tree:
    kind = rng.random()
    found, reach = [], 1
    for extent in rng.sample(range(len(extents)), len(extents)) if kind < 0.3 else range(len(extents)):
        found.append((extent, reach))
        reach *= extents[extent]
    by = dict(found)
    values = [by[i] for i in range(len(extents))]
    if wide:
        scale = 1
        while sum((n - 1) * d for n, d in zip(extents, values, strict=True)) * scale < LARGEST >> 3:
            scale *= rng.choice((2, 3, 1000))
        if sum((n - 1) * d for n, d in zip(extents, values, strict=True)) * scale < LARGEST:
            values = [d * scale for d in values]
    elif kind > 0.7:
        values = [rng.choice((0, 1, 2, 3, 5, 8, 16)) for _ in extents]
    return _filled(shape, iter(values))


def _operations(rng: random.Random, shape: Tree) -> list[tuple[str, Callable[[object], object]]]:
    modes = len(shape) if isinstance(shape, tuple) else 1
    tile = tuple(rng.choice((1, 2, 3, 4)) for _ in range(modes))
    small = rng.choice((2, 3, 4))
    found: list[tuple[str, Callable[[object], object]]] = [
        ("the layout", lambda x: x),
        ("coalesce", fx.coalesce),
        (f"composition with {small}:2", lambda x: fx.composition(x, fx.make_layout(small, 2))),
        (f"divide by {small}:1", lambda x: fx.logical_divide(x, fx.make_layout(small, 1))),
    ]
    if modes > 1:
        coord = tuple(None if i == modes - 1 else 0 for i in range(modes))
        found += [
            (f"zipped_divide by {tile}", lambda x: fx.zipped_divide(x, fx.make_tile(*tile))),
            (f"flat_divide by {tile}", lambda x: fx.flat_divide(x, fx.make_tile(*tile))),
            (f"slice {coord}", lambda x: fx.slice(x, coord)),
            ("select", lambda x: fx.select(x, [modes - 1, 0])),
            ("group", lambda x: fx.group(x, 0, modes)),
        ]
    return found


def _more_operations(rng: random.Random, shape: Tree) -> list[tuple[str, Callable[[object], object]]]:
    """The other functions of layouts; what gives a number gives the stride of a layout."""
    modes = len(shape) if isinstance(shape, tuple) else 1
    small, times, last = rng.choice((2, 3, 4)), rng.choice((1, 2, 5)), modes - 1
    tile, wider = fx.make_layout(small, 1), rng.choice((8, 16, 64))
    pair = fx.make_layout((small, times), (1, small))
    found: list[tuple[str, Callable[[object], object]]] = [
        *((name, partial(_named, name, tile)) for name in PRODUCTS[:4]),
        *((name, partial(_named, name, pair)) for name in PRODUCTS[4:] if modes == 2),
        (f"complement to {times}", lambda x: fx.complement(x, times * 1000)),
        ("complement", lambda x: fx.complement(x)),
        (f"recast from 32 to {wider}", lambda x: fx.recast_layout(x, 32, wider)),
        ("size", lambda x: fx.make_layout(4, fx.size(x))),
        ("cosize", lambda x: fx.make_layout(4, fx.cosize(x))),
        ("composition as the inner one", lambda x: fx.composition(fx.make_layout((1 << 20, 1 << 20), (3, 1 << 22)), x)),
        ("joined", lambda x: fx.make_layout((fx.size(x), small), (1, fx.cosize(x)))),
    ]
    if modes > 1:
        tiler = fx.make_tile(*(rng.choice((1, 2, 3, 4)) for _ in range(modes)))
        coord = tuple(None if i == last else 0 for i in range(modes))
        found += [
            (f"tiled_divide by {tiler}", lambda x: fx.tiled_divide(x, tiler)),
            (f"logical_divide by {tiler}", lambda x: fx.logical_divide(x, tiler)),
            (f"composition with {tiler}", lambda x: fx.composition(x, tiler)),
            (f"dice {coord}", lambda x: fx.dice(x, coord)),
            ("take", lambda x: fx.take(x, 0, last)),
            ("get", lambda x: fx.get(x, last)),
            ("append", lambda x: fx.append(x, fx.make_layout(small, times))),
            ("prepend", lambda x: fx.prepend(x, fx.make_layout(small, times))),
        ]
    return found


PRODUCTS = ("logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product")


def _named(name: str, other: object, x: object) -> object:
    return getattr(fx, name)(x, other)
