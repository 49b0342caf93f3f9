"""From tensors to instructions and wavefronts: Triton's own counter, and laws of the scratch tile."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict

import pytest

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.lowering.columns import Bit, Columns, columns_of
from tilewright.analysis.lowering.cost import cost
from tilewright.analysis.lowering.issue import Kind, plain, plain_name
from tilewright.analysis.lowering.scratch import passage
from tilewright.analysis.lowering.shuffles import mixed_bits
from tilewright.arch import get
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.analysis import analyse
from tilewright.layout.linear import f2
from tilewright.notation.ttgir_types import Types

DATA = Path(__file__).parents[2] / "data" / "triton_bank_conflicts.json.gz"
SM90 = get("sm_90")


class Pair(TypedDict):
    """A row of the one file: layouts as Triton writes them, and its count of conflicts."""

    register: str
    shared: str
    shape: list[int]
    type: str
    conflicts: int


class Accesses(TypedDict):
    """The accesses of one warp that store, or load: the bytes of each lane, how many, and the lanes' XOR by bit."""

    bytes: int
    count: int
    lanes: list[int]


class Conversion(TypedDict):
    """A row of the other: two layouts, and the instructions of the conversion with their numbers."""

    accesses: NotRequired[dict[Kind, Accesses]]
    arch: str
    type: str
    shape: list[int]
    source: str
    target: str
    instructions: dict[str, int]


@cache
def pairs() -> list[Pair]:
    """60 pairs of a distributed and a shared layout with Triton 3.9's count."""
    rows: list[Pair] = json.loads(gzip.decompress(DATA.read_bytes()))["pairs"]
    return rows


def columns(row: Pair) -> tuple[Columns, int]:
    types = Types({"#r": row["register"], "#s": row["shared"]})
    extents = "x".join(map(str, row["shape"]))
    owner = types.tiled(f"tensor<{extents}x{row['type']},#r>")
    tile = types.tiled(f"!ttg.memdesc<{extents}x{row['type']},#s,#ttg.shared_memory>")
    assert owner
    assert tile
    return columns_of(owner.layout, tile.layout), tile.bits


def by_cells(where: Columns, bits: int, width: int) -> int:
    """Triton's model: excess of the first wavefront, a bank being a cell of the vector's width, even below a word."""
    lanes = where.at(where.bits("lane"))
    rows = defaultdict(set)
    for lane in range(128 // max(width, 4)):
        row, byte = divmod(f2.apply(lanes, lane) * bits // 8, 128)
        rows[byte // width].add(row)
    return max(map(len, rows.values())) - 1


@pytest.mark.parametrize("row", range(60))
def test_excess_is_that_of_tritons_counter(row: int) -> None:
    """Excess over ideal wavefronts is its figure, except below a word, where it calls half words banks."""
    where, bits = columns(pairs()[row])
    issue = plain(where, bits, "store", SM90)
    found, theirs = cost(where, issue, bits, SM90), pairs()[row]["conflicts"]
    assert by_cells(where, bits, issue.width(bits)) == theirs
    if issue.width(bits) >= 4:
        assert found.excess == found.ideal * theirs
    else:
        assert found.excess >= found.ideal * theirs


def test_the_data_has_60_pairs_of_many_degrees() -> None:
    assert len(pairs()) == 60
    assert {row["conflicts"] for row in pairs()} >= {0, 1, 3, 7, 15}


# ---- the tile through which a tensor changes hands


def owner(rng: random.Random, bits: int) -> Columns:
    """A random placing of tensor bits on registers, 5 lane bits and 2 warp bits."""
    images = [1 << i for i in range(bits)]
    rng.shuffle(images)
    slots: list[Bit] = [("lane", i) for i in range(5)] + [("warp", i) for i in range(2)]
    slots = [("register", i) for i in range(bits - 7)] + slots
    return Columns(tuple(zip(slots, images, strict=True)))


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
@pytest.mark.parametrize("element_bits", [8, 16, 32, 64])
def test_a_passage_of_words_is_free_of_conflicts_wherever_space_allows(arch: str, element_bits: int) -> None:
    rng = random.Random(element_bits)
    free = 0
    for _ in range(20):
        source, target = owner(rng, 12), owner(rng, 12)
        way = passage(source, target, 12, element_bits, get(arch))
        for issue, spent in ((way.store, way.stored), (way.load, way.loaded)):
            moved = spent.instructions * 4 << len(issue.vector) + len(issue.lanes)
            assert moved == 1 << 12, "every element goes through once"
        free += not way.stored.excess and not way.loaded.excess
    assert free >= (18 if element_bits >= 32 else 15)


def test_bits_that_stay_in_their_warp_are_counted() -> None:
    rng = random.Random(2)
    for _ in range(50):
        source = owner(rng, 10)
        assert mixed_bits(source, source) == 0
        table = dict(source.table)
        a, b = ("register", rng.randrange(3)), ("lane", rng.randrange(5))
        swapped = Columns(tuple({**table, a: table[b], b: table[a]}.items()))
        assert mixed_bits(source, swapped) == 1
        c = ("warp", rng.randrange(2))
        assert mixed_bits(source, Columns(tuple({**table, c: table[b], b: table[c]}.items()))) is None


# ---- the instructions of Triton 3.9 for pairs of layouts


CONVERTS = Path(__file__).parents[2] / "data" / "triton_converts.json.gz"
WARPS = 4  # of every row
MODULE = """#a = {source}
#b = {target}
%y = ttg.convert_layout %x : tensor<{extents}x{type},#a> -> tensor<{extents}x{type},#b>
"""


@cache
def converts() -> list[Conversion]:
    """Pairs of layouts on seven chips, and how often each instruction stands in Triton's assembly of a conversion."""
    rows: list[Conversion] = json.loads(gzip.decompress(CONVERTS.read_bytes()))["pairs"]
    return rows


def words(pattern: str, name: str) -> tuple[str, ...]:
    found = re.search(pattern, name)
    assert found, name
    return found.groups()


def moved_by_name(name: str) -> tuple[str, int]:
    """(the instruction as we call it, how many of ours it is); shuffles access no memory."""
    if "matrix" in name:
        kind, times, across = words(r"(ldmatrix|stmatrix).*x([124])(.trans)?", name)
        return f"{kind}.x{times}{across or ''}", 1
    if name.startswith("ds_"):
        two = re.compile(r"(?<=[de])(2(st64)?|_2addr(_stride64)?)")  # behind read, write, load or store
        return re.sub("_d16(_hi)?$", "", two.sub("", name)), 1 + bool(two.search(name))
    op, vector, bits = words(r"(ld|st)\.shared(?:\.v(\d))?\.[bu](\d+)", name)
    whole = int(vector or 1) * int(bits)
    return f"{op}.shared{f'.v{whole // 32}' if whole > 32 else ''}.b{min(32, whole)}", 1


def counted(row: Conversion) -> list[Finding]:
    return list(analyse(MODULE.format(extents="x".join(map(str, row["shape"])), **row), row["arch"]).accesses)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100", "gfx90a", "gfx942", "gfx950", "gfx1100"])
def test_a_conversion_takes_the_instructions_that_triton_takes(arch: str) -> None:
    for row in converts():
        if row["arch"] != arch:
            continue
        wanted: Counter[str] = Counter()
        for name, count in row["instructions"].items():
            if not name.startswith(("shfl", "ds_bpermute", "ds_swizzle")):
                ours, times = moved_by_name(name)
                wanted[ours] += times * count
        found: Counter[str] = Counter()
        for one in counted(row):
            found[one.instruction] += one.count
        assert found == wanted, row


def test_every_instruction_of_amd_is_known_by_the_name_that_its_chip_has() -> None:
    """`ds_read` and `ds_write`, since gfx11 `ds_load` and `ds_store`, of one place or two, of low or high halves."""
    names = {(row["arch"], name) for row in converts() for name in row["instructions"] if re.match("ds_[rwls]", name)}
    for arch, name in names:
        if "_tr_" not in name:
            found = parse_instruction(name, "store" if "write" in name or "store" in name else "load", get(arch))
            ours, _ = moved_by_name(name)
            assert ours == plain_name(found.row, 8 * (found.width or 0), get(arch))
    assert len(names) > 20


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx950", "gfx1100"])
def test_a_conversion_takes_the_wavefronts_of_the_addresses_that_triton_computes(arch: str) -> None:
    """Those of one instruction of one warp; the others XOR a number into every address, which changes no wavefronts."""
    spec, judged = get(arch), 0
    for row in converts():
        if row["arch"] != arch or "accesses" not in row:
            continue
        found = {one.kind: one.wavefronts for one in counted(row)}
        for kind, theirs in row["accesses"].items():
            addresses = [f2.apply(theirs["lanes"], lane) for lane in range(1 << len(theirs["lanes"]))]
            name = plain_name(kind, 8 * theirs["bytes"], spec)
            once = bank_conflicts_at(addresses, theirs["bytes"], kind=kind, instruction=name, arch=spec)
            assert found[kind] == once.wavefronts * theirs["count"] * WARPS, row
        judged += 1
    assert judged >= 10


def test_the_data_has_conversions_by_matrices_shuffles_and_words() -> None:
    names = {name for row in converts() for name in row["instructions"]}
    assert len(converts()) == 250
    for word in ("ldmatrix", "stmatrix", ".trans", "shfl", "ld.shared.v4", "st.shared.u8|st.shared.b8", "ds_write"):
        assert any(re.search(word, name) for name in names), word
