"""Tensor memory in CUDA text: NVRTC takes every copy and every product of the tables, for the machine that has it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from faults import kernels

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.instruction_descriptors import KINDS
from tilewright.ir.text import parse_module
from tilewright.ir.tile.tcgen05 import CP_SHAPES
from tilewright.ir.tile.tmem import HALVED, register_bits
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.cuda.cubin import resources
from tilewright.targets.cuda.nvrtc import compile_cubin

ARCH = "sm_100a"
ATOMS = [catalog.copy(name) for name in tw.atoms.list("SM100_TMEM", kind="copy") if "STAT" not in name]
HEAD = [
    '%at = memref.alloca() : memref<1xui32, "shared">',
    '%bar = memref.alloca() : memref<1xui64, "shared">',
    '%x = memref.alloca() : memref<8192xui8, "shared">',
    '%place = tile.address %at[%zero] : memref<1xui32, "shared"> -> !tile.address<ui32, "shared">',
    '%barrier = tile.address %bar[%zero] : memref<1xui64, "shared"> -> !tile.address<ui64, "shared">',
    '%tile = tile.address %x[%zero] : memref<8192xui8, "shared"> -> !tile.address<ui8, "shared">',
    '%matrix = tile.matrix_descriptor "tcgen05" "128B" 16 1024 %tile : !tile.address<ui8, "shared">',
    "%true = arith.constant true",
    "%mask = gpu.block_id x",
]


def source(lines: Sequence[str]) -> str:
    body = "\n".join([*HEAD, *lines])
    return emit(
        parse_module(
            f"""func.func @f() attributes {{
              tile.grid = array<i64: 2, 1, 1>, tile.cluster = 2 : i64, tile.block = array<i64: 128, 1, 1>}} {{
              %zero = arith.constant 0 : index
              {body}
              func.return
            }}"""
        )
    ).source


def loaded(ctas: int = 1) -> list[str]:
    """%to is an address that has been allocated."""
    group = f" {{ctas = {ctas} : i64}}" * (ctas > 1)
    return [
        f'tile.tmem_alloc %place, 128{group} : !tile.address<ui32, "shared">',
        '%to = memref.load %at[%zero] : memref<1xui32, "shared">',
    ]


@pytest.mark.parametrize("ctas", [1, 2])
def test_who_has_columns_and_what_is_waited_for(ctas: int) -> None:
    group = f" {{ctas = {ctas} : i64}}" * (ctas > 1)
    syncs = [f'tile.tmem_sync "{kind}"' for kind in ("wait.ld", "wait.st", "fence.before", "fence.after")]
    text = source([*loaded(ctas), *syncs, f"tile.tmem_dealloc %to, 128{group}", f'tile.tmem_sync "relinquish"{group}'])
    for words in ("alloc", "dealloc", "relinquish_alloc_permit"):
        assert f"tcgen05.{words}.cta_group::{ctas}.sync.aligned" in text
    compile_cubin(text, ARCH)


@pytest.mark.parametrize("loads", [True, False])
@pytest.mark.parametrize("shape", sorted({re.split(r"\.x[0-9]", atom.instruction)[0][-7:] for atom in ATOMS}))
def test_copies_of_every_shape_and_repetition(shape: str, loads: bool) -> None:
    lines, named = loaded(), []
    for number, atom in enumerate(ATOMS):
        if shape in atom.instruction and (atom.spaces[0] == "tmem") == loads:
            memory = f'memref<{register_bits(atom) // 32}xui32, "local">'
            lines.append(f"%r{number} = memref.alloca() : {memory}")
            split = 16 if HALVED in atom.instruction else 0
            lines.append(f'tile.tmem_copy "{atom.name}" %r{number}[%zero], %to {split} : {memory}')
            named.append(atom.instruction)
    text = source(lines)
    assert len(named) >= 12
    assert all(f'"{words} ' in text for words in named)
    compile_cubin(text, ARCH)


VARIANTS = [(kind, factors) for kind, row in KINDS.items() for factors in row.factors or (0,)]


@pytest.mark.parametrize("ctas", [1, 2])
@pytest.mark.parametrize("source_of_a", ["ui64", "ui32"])
def test_products_of_every_kind(ctas: int, source_of_a: str) -> None:
    """Dense and sparse ones; operands are in PTX's order."""
    lines, left = loaded(ctas), "%matrix" if source_of_a == "ui64" else "%to"
    for kind, factors in VARIANTS:
        for sparse in (False, True):
            told = [f"ctas = {ctas} : i64"] * (ctas > 1) + [f"factors = {factors} : i64"] * (factors > 0)
            told += ["sparse"] * sparse
            beside = ", ".join(["%to"] * (sparse + 2 * (factors > 0)))
            beside = f", [{beside}]" * (beside != "")
            attributes = f" {{{', '.join(told)}}}" * (told != [])
            lines.append(
                f'tile.tcgen05_mma "{kind}" %to, {left}, %matrix, %to, %true{beside}{attributes} : {source_of_a}'
            )
    text = source(lines)
    assert len(re.findall(r"tcgen05\.mma[.:a-zA-Z0-9_]* \[%0\]", text)) == 2 * len(VARIANTS)
    compile_cubin(text, ARCH)


@pytest.mark.parametrize("source_of_a", ["ui64", "ui32"])
def test_stationary_products(source_of_a: str) -> None:
    left = "%matrix" if source_of_a == "ui64" else "%to"
    plain = [kind for kind, row in KINDS.items() if not row.scaled]
    products = [f'tile.tcgen05_mma "{kind}" %to, {left}, %matrix, %to, %true {{ws}} : {source_of_a}' for kind in plain]
    text = source([*loaded(), *products])
    assert text.count("tcgen05.mma.ws.cta_group::1.kind::") == len(plain)
    compile_cubin(text, ARCH)


@pytest.mark.parametrize("ctas", [1, 2])
def test_copies_from_shared_memory_and_commits(ctas: int) -> None:
    group = f" {{ctas = {ctas} : i64}}" * (ctas > 1)
    lines = [*loaded(ctas), *(f'tile.tcgen05_cp "{shape}" %to, %matrix{group}' for shape in CP_SHAPES)]
    lines.append(f'tile.tcgen05_commit %barrier{group} : !tile.address<ui64, "shared">')
    lines.append(f'tile.tcgen05_commit %barrier to %mask{group} : !tile.address<ui64, "shared">')
    text = source(lines)
    assert text.count("tcgen05.cp.") == len(CP_SHAPES)
    assert text.count("multicast::cluster") == 1
    compile_cubin(text, ARCH)


def test_registers_stay_registers() -> None:
    """Those that a load fills are on no stack, on which they would be put before the load is waited for."""
    case = next(case for case in kernels()[1] if case.name == "a product of a pair in tensor memory")
    text = tw.compile(case.kernel(), target=f"cuda:{ARCH}").source
    assert resources(compile_cubin(text, ARCH)).stack_bytes == 0
