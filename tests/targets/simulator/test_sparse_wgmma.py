"""Sparse warpgroup products: A in shared memory or registers, by the layouts of the table, equals numpy's product."""

from __future__ import annotations

import pytest
from sparse_warpgroups import ATOMS, WARPGROUP, check

from tilewright.atoms import catalog
from tilewright.atoms.coverage import owners
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import KernelError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


def test_what_is_stored_is_half_of_the_matrix() -> None:
    """Each element as often as of the whole; in registers as a dense A of half the depth."""
    dense = {(x.dtypes, x.shape_mnk[1], x.spaces): x for x in map(catalog.mma, catalog.list(kind="mma"))
             if x.sparsity == 1 and x.arch == "sm_90a"}  # fmt: skip
    for atom in ATOMS:
        rows, columns = atom.stored("A")
        assert (rows, 2 * columns) == atom.tile("A")
        assert owners(atom.stored_layout("A"), rows * columns) == atom.replicas[0]
        assert atom.stored_layout("B") == atom.tv_layout_B
    for atom in WARPGROUP:
        assert atom.stored_layout("A") == dense[atom.dtypes, atom.shape_mnk[1], atom.spaces].tv_layout_A
    assert len(WARPGROUP) == 1056


# Every family of types, of both sources, with widths in turn.
FAMILIES: dict[tuple[str, ...], list[MmaAtom]] = {}
for known in WARPGROUP:
    FAMILIES.setdefault((*known.types, known.spaces[0], str("satfinite" in known.instruction)), []).append(known)
CHOSEN = [(atoms[i % 5], i % 2) for i, atoms in enumerate(FAMILIES.values())]


@pytest.mark.parametrize(("atom", "selector"), CHOSEN, ids=lambda value: getattr(value, "name", value))
def test_products_of_every_family(atom: MmaAtom, selector: int) -> None:
    check(atom, selector if atom.dtypes[1].bits > 8 else 0, selector)


PTX = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"


def told(registers: int, number: float = 0) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        y = pool.alloc_mma((8, 32), "float16", swizzle_mode=2)
        x = T.alloc_local((4,), "uint32")
        d = T.alloc_local((4,), "float32")
        word = number if number != 0 else T.cast(t, "uint32")
        T.ptx[PTX](*[d[i] for i in range(4)], *[x[i] for i in range(registers)], y, word, 0, 1, 1, 1, 0)

    return kernel


def test_registers_one_by_one() -> None:
    """PTX's words take A's registers, then B, the metadata, the selector, and the immediates."""
    assert "sparse" in str(told(4).module)


@pytest.mark.parametrize(("registers", "word", "match"), [(3, 0, "or 4 registers of A"), (4, 0.5, "is a uint32")])
def test_the_language_refuses(registers: int, word: float, match: str) -> None:
    with pytest.raises(KernelError, match=match):
        told(registers, word)
