"""A kernel for any sparse warpgroup product, and what it is to compute."""

from __future__ import annotations

from typing import Any

import numpy as np
from sparse_numbers import Sparse, drawn

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.semantics import table
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import Simulator

ATOMS = [atom for name in catalog.list(kind="mma") if (atom := catalog.mma(name)).sparsity == 2]
WARPGROUP = [atom for atom in ATOMS if atom.instruction.startswith("wgmma")]


def product(atom: MmaAtom, selector: int) -> PrimFunc:
    """D, brought to registers, plus A times B; operands lie in swizzled rows of 32 and 64 bytes, or A as lanes do."""
    kind, right, result = ("float32" if x.name == "tfloat32" else x.name for x in (*atom.dtypes[1:3], atom.dtypes[0]))
    n, half, name = atom.shape_mnk[1], atom.shape_mnk[2] // 2, atom.name
    registers, count = atom.spaces[0] == "register", n // 2

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (128, half // 2) if registers else (64, half), kind)
        b = T.match_buffer(B, (n, 2 * half), right)
        u = T.match_buffer(U, (128,), "uint32")
        out = T.match_buffer(D, (128, count), result)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((64, half), kind, swizzle_mode=1)
        y = pool.alloc_mma((n, 2 * half), right, swizzle_mode=2)
        held = T.alloc_local((half // 2,), kind)
        d = T.alloc_local((count,), result)
        for i in T.serial(half // 2):
            if registers:
                held[i] = a[t, i]
            else:
                x[t // 2, t % 2 * (half // 2) + i] = a[t // 2, t % 2 * (half // 2) + i]
        for i in T.serial((2 * n * half + 127) // 128):
            if i * 128 + t < 2 * n * half:
                row, column = T.meta_var((i * 128 + t) // (2 * half)), T.meta_var((i * 128 + t) % (2 * half))
                y[row, column] = b[row, column]
        for i in T.serial(count):
            d[i] = out[t, i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.ptx.wgmma.fence()
        if registers:
            T.wgmma_atom(name, d, held, y, True, metadata=u[t], selector=selector)
        else:
            T.wgmma_atom(name, d, x, y, True, metadata=u[t], selector=selector)
        T.ptx.wgmma.commit_group()
        T.ptx.wgmma.wait_group(0)
        for i in T.serial(count):
            out[t, i] = d[i]

    return kernel


def metadata(nibbles: Any, wide: bool, selector: int) -> Any:
    """Words of lanes; those without a say have nonsense. Of 8 bits all have one: PTX's figures, in words."""
    words = np.full(128, 0xFFFFFFFF, np.uint32)
    bits = np.zeros(128, np.uint64)
    for row, chunk in np.ndindex(*nibbles.shape):
        lane = row // 16 * 32 + row % 8 * 4
        if wide:
            lane, place = lane + 2 * selector + chunk // 4, chunk % 4 + row // 8 % 2 * 4
        else:
            lane, place = lane + row // 8 % 2 + 2 * (chunk // 8), chunk % 8
        bits[lane] |= np.uint64(int(nibbles[row, chunk]) << (4 * place))
        words[lane] = 0
    return words | bits.astype(np.uint32)


def check(atom: MmaAtom, selector: int, seed: int) -> None:
    """The kernel leaves what numpy computes."""
    rng, (m, n, k) = np.random.default_rng(seed), atom.shape_mnk
    d, a, b, _ = atom.dtypes
    found, right, start = Sparse.of(rng, a, m, k), drawn(rng, b, (n, k)), drawn(rng, d, (m, n))
    where_a, where_d = table(atom.stored_layout("A")), table(atom.tv_layout_C)
    left = found.stored if atom.spaces[0] == "shared" else found.stored[where_a % m, where_a // m]
    spread = [x.astype(kind.numpy()) for x, kind in ((left, a), (right, b), (start[where_d % m, where_d // m], d))]
    words = metadata(found.nibbles, a.bits > 8, selector)
    Simulator(product(atom, selector).module).run([*spread[:2], words, spread[2]], arch="sm_90a")
    result = (found.whole @ right.T + start)[where_d % m, where_d // m]
    assert (spread[2] == result.astype(d.numpy())).all()
