"""Random tiles under descriptors, respelled, and what is wrong with the advice about one."""

from __future__ import annotations

from typing import Any

from descriptor_oracle import MODES, Case, answers, excess, moved, operand_reads, placements, tma_writes
from strategies import Chooser

import tilewright as tw
from tilewright import Access, Layout, LayoutError

UNITS = ((("tma",), (90, 100)), (("wgmma",), (90,)), (("tcgen05",), (100,)), (("tma", "wgmma"), (90,)))
UNITS += ((("tma", "tcgen05"), (100,)),)
MOST = 2048


def case(pick: Chooser) -> Case:
    """A tile whose lines are whole chunks of 16 bytes, what reaches it, and up to two accesses of lanes."""
    units, capabilities = pick.one(UNITS)
    bits = pick.one((4, 8, 8, 16, 16, 16, 32, 32, 64))
    along = 128 // bits * pick.one((1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16))
    along = along if along <= 256 else 128 // bits * 8
    across = pick.one([n for n in (1, 4, 8, 8, 12, 16, 24, 32, 64) if n * along <= MOST] or [1])
    k_major = pick.integer(0, 2) > 0
    plain = _plain(pick, along, across, bits)
    modes = plain if k_major else plain[::-1]
    layout = respelled(pick, Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes)))
    accesses = tuple(_access(pick, along, across, bits, k_major) for _ in range(pick.integer(0, 2)))
    return Case(bits, along, across, k_major, units, pick.one(capabilities), layout, accesses)


def _plain(pick: Chooser, along: int, across: int, bits: int) -> tuple[Layout, Layout]:
    """(lines, elements of a line): rows, padded rows, blocks of 8 lines, or columns of chunks with gaps."""
    kind, width, chunk = pick.integer(0, 4), 1024 // bits, 128 // bits
    if kind == 2:
        near = pick.one([n for n in range(1, along // chunk + 1) if along // chunk % n == 0])
        column = chunk * (across + -across % 8)
        far = near * column * pick.integer(1, 2)
        return Layout(across, chunk), Layout((chunk, near, along // chunk // near), (1, column, far))
    if kind == 0:
        return Layout(across, along + 128 // bits), Layout(along)
    if kind == 1 and along % width == 0 and across % 8 == 0:
        return Layout((8, across // 8), (width, 8 * along)), Layout((width, along // width), (1, 8 * width))
    return Layout(across, along), Layout(along)


def _access(pick: Chooser, along: int, across: int, bits: int, k_major: bool) -> Access:
    v = pick.one([n for n in (1, 2, 4, 8, 16, 32) if 8 <= n * bits <= 128 and along % n == 0])
    line, step = (1, across) if k_major else (along, 1)
    values = Layout((v, along // v), (step, v * step))
    if pick.integer(0, 1):  # neighbouring threads take neighbouring lines
        tv = Layout((across, values.shape), (line, values.stride))
        matrix = v * bits == 128 and across % 8 == 0 and pick.integer(0, 1)
        return Access(tv, instruction="ldmatrix") if matrix else Access(tv, v * bits, pick.one(("load", "store")))
    return Access(Layout(((along // v, across), v), ((v * step, line), step)), v * bits)


def respelled(pick: Chooser, layout: Layout) -> Layout:
    """The same function of the same two coordinates: leaves split, modes of one element put in, nested at will."""
    modes = [_respelled(pick, mode) for mode in layout]
    return Layout(tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes))


def _respelled(pick: Chooser, mode: Layout) -> tuple[Any, Any]:
    leaves: list[tuple[Any, Any]] = []
    for extent, stride in mode.flat:
        while extent > 1 and pick.integer(0, 2):
            part = pick.one([n for n in range(2, extent + 1) if extent % n == 0])
            leaves.append((part, stride))
            extent, stride = extent // part, stride * part
            if not pick.integer(0, 3):
                leaves.append((1, pick.integer(0, 9)))
        leaves.append((extent, stride))
    while len(leaves) > 1 and pick.integer(0, 2):
        at = pick.integer(0, len(leaves) - 2)
        leaves[at : at + 2] = [tuple(zip(*leaves[at : at + 2], strict=True))]
    return leaves[0] if len(leaves) == 1 else tuple(zip(*leaves, strict=True))


def complaint(found: Case) -> str:
    """What is wrong with the advice about a case, or nothing."""
    every, modes = {}, {"none"}
    for mode, order, place in placements(found):
        rows = found.shape[0]
        cost = excess(found, lambda i, p=place, m=mode, r=rows: moved(p(i % r, i // r) * found.bits, m))
        modes.add(mode)
        if cost is not None:
            every[mode, order] = cost
    try:
        ranking = tw.suggest_swizzle(found.layout, found.asked, element_bits=found.bits, arch=found.arch)
    except LayoutError as error:
        return f"refused ({error}), and {every} are possible" if every else ""
    for advice in ranking:
        if wrong := _wrong(found, advice):
            return f"{advice.mode} {advice.layout}: {wrong}"
    best = ranking[0]
    if every and best.excess > min(every.values()):
        return f"{best.mode} {best.layout} has excess {best.excess}, and {every} are possible"
    # That a flip leaves vectors whole where no odd line is used is not seen.
    missing = {mode for mode, _ in every if not MODES[mode][2]} - {advice.mode for advice in ranking}
    more = {advice.mode for advice in ranking} - modes
    return f"modes {missing} are missing, {more} too many" if missing or more else ""


def _wrong(found: Case, advice: Any) -> str:
    places = answers(found, advice)
    if advice.padding is not None or len(set(places.values())) < len(places):
        return "padding, or two elements at one place"
    if max(places.values()) >= found.along * found.across * found.bits and advice.mode != "none":
        return "gaps in a tile that a descriptor reads"
    if excess(found, lambda i: int(advice.layout(i)) * found.bits) != advice.excess:
        return f"excess {advice.excess} is not what is counted"
    if MODES[advice.mode][3] > found.capability:
        return f"no mode of {found.arch}"
    if "tma" in found.units and tma_writes(found, advice) != places:
        return "TMA writes other places"
    if {"wgmma", "tcgen05"} & {*found.units} and operand_reads(found, advice) != places:
        return "the tensor core reads other places"
    return ""
