"""What other libraries print of atoms and tiled operations, and how to compare with it."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy

from tilewright.atoms.tiled_mma import TiledMma
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce
from tilewright.notation import parse

DATA = Path(__file__).parent.parent / "data"


def cute_mma_atoms() -> list[dict[str, Any]]:
    return json.loads((DATA / "cute_mma_atoms.json").read_text())["atoms"]


def cute_copy_atoms() -> list[dict[str, Any]]:
    return json.loads((DATA / "cute_copy_atoms.json").read_text())["atoms"]


def fly_atoms() -> list[dict[str, Any]]:
    return json.loads((DATA / "flydsl_atoms.json").read_text())


def rows(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def layout(text: str) -> Layout:
    return parse(text)


def same_function(ours: Any, text: str) -> bool:
    """Equal size and equal value at every coordinate; fly's run-time strides become one large number."""
    theirs = layout(static(text))
    if ours.size == theirs.size and coalesce(ours) == coalesce(theirs):
        return True
    places = numpy.arange(theirs.size)
    return ours.size == theirs.size and bool((ours(places) == theirs(places)).all())


def same_tv_layout(tiled: TiledMma, operand: str, text: str) -> bool:
    """`same_function`; for C on the threads with k = 0 only, as CuTe and fly let the others leave the tile."""
    ours, theirs = tiled.tiled_tv_layout(operand), layout(static(text))
    if operand != "C" or tiled.atom_layout[2].size == 1:
        return same_function(ours, text)
    first_k = tiled.thr_layout_vmnk(numpy.arange(tiled.size // tiled.atom_layout[2].size))
    values = numpy.arange(ours[1].size)[:, None]
    return bool((ours[0](first_k) + ours[1](values) == theirs[0](first_k) + theirs[1](values)).all())


def static(text: str) -> str:
    return re.sub(r"\?(\{[^}]*\})?", "1000003", text)


def without_blanks(value: Any) -> str:
    return str(value).replace(" ", "")


def same_coordinates(part: Any, text: str) -> bool:
    """A partition of an identity tensor against fly's `BASE, LAYOUT`."""
    base_text, layout_text = re.fullmatch(r"(\([\d,]*\)), (.*)", text).groups()
    base = tuple(int(n) for n in base_text.strip("()").split(","))
    steps = layout(layout_text)
    for i in range(part.size):
        step = steps(i)
        step = (*step, 0, 0)[:2] if isinstance(step, tuple) else (0, 0)
        if tuple(part(i)) != (base[0] + step[0], base[1] + step[1]):
            return False
    return part.size == steps.size
