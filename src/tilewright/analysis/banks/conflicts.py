"""`bank_conflicts`: from layouts, or from raw addresses, to a `BankReport`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tilewright.analysis.banks.instructions import Instruction, parse_instruction
from tilewright.analysis.banks.phases import Phases
from tilewright.analysis.banks.raw import MAX_WIDTH, integer, raw_addresses
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.banks.rule import count, merges
from tilewright.analysis.held.descriptors import operand_instruction, operand_read
from tilewright.analysis.held.table import resolved
from tilewright.analysis.model.access import (
    Requests,
    byte_addresses,
    check_alignment,
    check_base,
    elements,
    into_warps,
    lane_move,
)
from tilewright.analysis.model.participants import Participants
from tilewright.arch import ArchSpec, PhaseRule
from tilewright.arch import get as get_arch
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError

if TYPE_CHECKING:
    from tilewright.analysis.banks.raw import Active, Addresses
    from tilewright.analysis.held.question import Accessor
    from tilewright.analysis.model.memory import TileLike
    from tilewright.atoms.copy_atom import CopyAtom
    from tilewright.dtypes import DTypeLike

Notes: TypeAlias = tuple[str, ...]


def bank_conflicts(
    layout: TileLike,
    access: Accessor,
    *,
    element_bits: int | DTypeLike | None = None,
    vector_bits: int | DTypeLike | None = None,
    kind: str | None = None,
    instruction: str = "auto",
    arch: str | ArchSpec | None = None,
    active: Active | None = None,
    base_bytes: int = 0,
    merge: bool | str = "auto",
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> BankReport:
    """The wavefronts of a tile's accesses in shared memory: value v of thread t lies at layout(thread_value(t, v)).

    Args:
        layout: the tile's coordinates -> element offsets in shared memory; may be swizzled, CuTe's or TIRx's. Or a
            `tw.Tensor`, which says its elements' type too, where the tile lies from the first of its memory on.
        access: what accesses the tile: a thread-value layout, or what users hold, which says its thread-value layout,
            vectors, instruction and elements itself:

            - a thread-value layout (thread, value) -> colexicographic index of the tile's coordinate. Mode 0 counts
              the threads, which fill warps in order, the rest the values. For `ldmatrix` each thread gives the
              address of a row.
            - a `TiledCopy`, whose side in shared memory it is: every thread's partition of the whole tile.
            - `(tiled_mma, "A")`, an operand: by `copy` where that is given, else by the widest loads that the layouts
              prove; of wgmma and tcgen05 by a descriptor, which must be able to describe the tile: then cores of 8
              lines of 16 bytes are read one after the other.
            - a copy atom, whose lanes take the whole tile, neighbouring vectors first.
            - a `TileLayout` that spreads the tile over threads and registers.
            - an `Access`.

            Atoms may be given by their names: `"SM75_U32x4_LDSM_N"`, `("SM80_16x8x16_F32F16F16F32_TN", "A")`.
        element_bits: bits of one element, 1 to 128, or its type; None is what the tile or the atom says. Bytes may hold
            an operand of fewer bits; else all who say it must say the same.
        vector_bits: bits that one instruction moves per thread: the first so many values are one instruction, the next
            another, each counted by itself. None is what the object moves at once, of a layout one element (or what
            the instruction's name says).
        kind: `load` or `store`; None is what the object does, `load` for a layout.
        instruction: `auto`, `ldmatrix.x4`, `stmatrix.x2`, `ds_read_b128`, .. ; see `parse_instruction`.
        arch: the architecture's name, or an `ArchSpec`. None is sm_90, or that of the atom where it is later or AMD's.
        active: which threads take part: a mask with an entry a thread, their numbers, or a bit mask. None: all.
        base_bytes: byte address of the tile in shared memory.
        merge: whether lanes with equal addresses pair up; `auto` is yes for loads, no for stores. Both are reported.
        side: `S` where a copy reads the tile, `D` where it writes it; None is the side that its atom has in shared
            memory.
        copy: the copy atom, or the name of one, that loads or stores an operand's registers.

    Raises:
        LayoutError: of an active thread, a coordinate outside the tile, vectors whose values are apart, misaligned
            addresses; a tile that cannot be partitioned so, or that no descriptor describes.
        UsageError: widths that do not fit each other or the architecture; an object that says less than is needed; two
            that say different widths of elements.

    Source: `arch/` names what each table rests on.

    >>> from tilewright.layout.layout import Layout
    >>> rows = Layout((8, 64), (64, 1))
    >>> report = bank_conflicts(rows, Layout((8, 8), (1, 8)), element_bits=16, instruction="ldmatrix.x1")
    >>> report.wavefronts, report.ideal, report.ways
    (8, 1, 8)
    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> tile = Layout((64, 64), (64, 1))
    >>> by_rows = bank_conflicts(tile, (tiled, "A"), copy="SM75_U32x4_LDSM_N")
    >>> by_rows.instruction, by_rows.wavefronts, by_rows.ideal
    ('ldmatrix.sync.aligned.m8n8.x4.shared.b16', 1024, 128)
    """
    base_bytes = check_base(base_bytes)
    asked = resolved(
        access,
        layout,
        "shared",
        element_bits=element_bits,
        arch=arch,
        side=side,
        copy=copy,
        base_bytes=base_bytes,
        vector_bits=vector_bits,
        kind=kind,
        instruction=instruction,
    )
    tile, one, bits, spec = asked.tile, asked.access, asked.element_bits, asked.spec
    described = one.thread_value is None
    one = operand_read(tile, one, bits, spec) if described else one
    known = operand_instruction(one) if described else parse_instruction(one.instruction, one.kind, spec)
    move = lane_move(bits, one.vector_bits, known.width)
    rule = spec.rule(known.row, move.width)
    who = Participants(spec.lanes, known.lanes, active)
    found = elements(tile, one.thread_value, who)
    addresses = byte_addresses(found, bits, move, base_bytes)
    requests = into_warps(found.xp, addresses, found.threads, who, move.width)
    made = report(requests, rule, known, spec, merge)
    return replace(made, notes=(*one.notes, *made.notes))


def bank_conflicts_at(
    byte_addresses: Addresses,
    width_bytes: int,
    *,
    kind: str = "load",
    instruction: str = "auto",
    arch: str | ArchSpec = "sm_90",
    active: Active | None = None,
    base_bytes: int = 0,
    merge: bool | str = "auto",
) -> BankReport:
    """The wavefronts of accesses given as raw addresses: entry t is the byte address of thread t, None if inactive.

    `byte_addresses` is one row, or one row per instruction; rows longer than a warp are several warps.
    `width_bytes` is what each lane moves; the rest is as for `bank_conflicts`.

    Raises:
        LayoutError: misaligned addresses.
        UsageError: anything else that is wrong with the arguments.

    >>> print(bank_conflicts_at([8 * lane for lane in range(32)], 4))
    load, 4 bytes per lane, sm_90
    2 wavefronts, ideal 1: 1 in excess, 2-way conflict
     instr warp  lanes               wavefronts  bank  distinct words wanted there
         0    0  0-31                         2     0  0 32
    """
    spec = get_arch(arch)
    known = parse_instruction(instruction, kind, spec)
    width_bytes = integer(width_bytes, "width_bytes", 1, MAX_WIDTH)
    if known.width not in (None, width_bytes):
        raise UsageError(f"{instruction} moves {known.width} bytes per lane, not {width_bytes}")
    rule = spec.rule(known.row, width_bytes)
    base_bytes = check_base(base_bytes)
    xp, addresses, threads = raw_addresses(byte_addresses, base_bytes)
    requests = into_warps(xp, addresses, threads, Participants(spec.lanes, known.lanes, active), width_bytes)
    return report(requests, rule, known, spec, merge)


def report(
    requests: Requests, rule: PhaseRule, known: Instruction, spec: ArchSpec, merge: bool | str = "auto"
) -> BankReport:
    """The report of addresses that are already in rows of one warp each."""
    check_alignment(requests, spec.alignment(requests.width), f"{known.text} of {requests.width} bytes")
    pairs = count(requests.xp, requests.addresses, requests.lanes, requests.width, rule, merge=True)
    asked = pairs if merges(merge, known.kind) else pairs.unmerged()
    wavefronts, ideal = asked.wavefronts(), int(asked.ideal().sum())
    merged, unmerged = (int(counted.wavefronts().sum()) for counted in (pairs, pairs.unmerged()))
    return BankReport(
        wavefronts=int(wavefronts.sum()),
        ideal=ideal,
        ways=int(asked.ways().max()),
        phases=Phases(requests, asked, rule.banks),
        unmerged=unmerged,
        merged=merged,
        by_instruction=tuple(requests.xp.row_sum(wavefronts, requests.warps).tolist()),
        instruction=known.text,
        kind=known.kind,
        arch=spec.name,
        width_bytes=requests.width,
        notes=notes_of(
            rule,
            known,
            spec,
            requests.width,
            merging=None if merged == unmerged else asked is pairs,
            excess=int(wavefronts.sum()) - ideal,
        ),
    )


def notes_of(
    rule: PhaseRule, known: Instruction, spec: ArchSpec, width: int, *, merging: bool | None, excess: int
) -> Notes:
    """What to know of an instruction's figures; `merging` says whether lanes merge, None where it changes nothing."""
    merged = () if merging is None else _merging_note(rule, merging)
    return (*_groups_note(rule, known), *merged, *_bound_note(spec, width, excess))


def _groups_note(rule: PhaseRule, known: Instruction) -> Notes:
    groups = () if rule.verified else (f"the lane groups of {known.text} are unverified: {rule.source}",)
    return (*groups, *((rule.doubt,) if rule.doubt else ()))


def _merging_note(rule: PhaseRule, merging: bool) -> Notes:
    taken = "assumed" if merging else "left out"
    return () if rule.merging_verified else (f"merging of lanes is {taken}, which is unverified here: {rule.source}",)


def _bound_note(spec: ArchSpec, width: int, excess: int) -> Notes:
    return (spec.conflict_note,) if spec.conflict_note and width > BANK_BYTES and excess else ()
