"""Shared-memory instructions by name: which row of the bank table, how many bytes a lane, which lanes count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tilewright.analysis.banks.rule import check_kind
from tilewright.arch import ArchSpec
from tilewright.errors import UsageError, shown

AUTO = "auto"
# cp.async writes shared memory as a store of the same width does.
_PLAIN: Mapping[str, str] = {
    "ld.shared": "load",
    "lds": "load",
    "load": "load",
    "st.shared": "store",
    "sts": "store",
    "store": "store",
    "cp.async": "store",
}
_MATRIX: Mapping[str, str] = {"ldmatrix": "load", "stmatrix": "store"}
# Rows of a matrix of ldmatrix, of which each lane gives one address; those of m16n16 are twice as many.
_MATRIX_ROWS: Mapping[str, int] = {"m8n8": 8, "m8n16": 8, "m16n8": 8, "m16n16": 16}
_MATRIX_WORDS = frozenset(
    {"sync", "aligned", "shared", "b16", "b8", "b8x16", "b4x16_p64", "b6x16_p32", "trans", *_MATRIX_ROWS}
)
_PTX = re.compile(
    r"(?P<name>ld\.shared|st\.shared|cp\.async)(\.v(?P<count>[1248]))?(\.[bufs](?P<bits>8|16|32|64|128))?"
)
# Since gfx11 `read2` is `load_2addr`, and `read2st64` `load_2addr_stride64`.
_LDS = re.compile(
    r"ds_(?:(?:read|write)(?:2(?:st64)?)?|(?:load|store)(?:2|_2addr(?:_stride64)?)?)"
    r"_[bui](?P<bits>8|16|32|64|96|128)(?:_d16(?:_hi)?)?"
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One shared-memory instruction.

    `row` is its row in `ArchSpec.rules`, `width` the bytes per lane (None: as the access says), `lanes` the number of
    lanes whose addresses count (None: all).
    """

    text: str
    row: str
    kind: str
    width: int | None = None
    lanes: int | None = None
    vendor: str | None = None


def parse_instruction(text: str, kind: str, spec: ArchSpec) -> Instruction:
    """The instruction of that name; `auto` is the plain load or store of the kind.

    Known are `ld.shared[[.v4].b32]`, `st.shared..`, `cp.async`, `ldmatrix[.x1|.x2|.x4][.trans]`, `stmatrix..`, and
    AMD's `ds_read_b32` .. `ds_write_b128`, which are `ds_load_b32` .. `ds_store_b128` since gfx11.

    Raises:
        UsageError: an unknown name or kind, a vector of no type, one of another vendor, or a load where a store is
            asked for.

    >>> from tilewright.arch import get
    >>> parse_instruction("ldmatrix.x2.trans", "load", get("sm_90")).lanes
    16
    >>> parse_instruction("ds_write_b64", "load", get("gfx942")).width
    8
    >>> parse_instruction("ds_load_2addr_stride64_b32", "load", get("gfx1100")).width
    4
    """
    check_kind(kind)
    if isinstance(text, str) and text == AUTO:
        return Instruction(kind, kind, kind)
    found = _find(text)
    if found is None:
        raise UsageError(
            f"unknown instruction {shown(text)}; known are auto, ld.shared, st.shared, cp.async, "
            "ldmatrix[.x1|.x2|.x4][.trans], stmatrix[..], ds_read_b32 .. ds_write_b128 (ds_load_.., ds_store_..), and, "
            "of swizzles alone, tma, wgmma, tcgen05"
        )
    if found.vendor not in (None, spec.vendor):
        raise UsageError(f"{text} is an instruction of {found.vendor}; {spec.name} is of {spec.vendor}")
    if kind == "store" and found.kind == "load":
        raise UsageError(f"{text} is a load, but kind='store' is asked for")
    return found


def _find(text: object) -> Instruction | None:
    if not isinstance(text, str):
        return None
    if text in _PLAIN:
        return Instruction(text, _PLAIN[text], _PLAIN[text])
    return _matrix(text) or _ptx(text) or _lds(text)


def _matrix(text: str) -> Instruction | None:
    name, *words = text.split(".")
    counts = [word for word in words if word in ("x1", "x2", "x4")]
    if name not in _MATRIX or len(counts) > 1 or not set(words) <= _MATRIX_WORDS | set(counts):
        return None
    plain = Instruction(text, name, _MATRIX[name], 16, None, "nvidia")
    rows = next((_MATRIX_ROWS[word] for word in words if word in _MATRIX_ROWS), 8)
    return replace(plain, lanes=rows * int(counts[0][1])) if counts else plain


def _ptx(text: str) -> Instruction | None:
    found = _PTX.fullmatch(text)
    if found is None:
        return None
    kind = _PLAIN[found["name"]]
    if found["count"] and not found["bits"]:
        raise UsageError(f"{text} does not say what it has {found['count']} of; write its type, too: {text}.b32")
    width = int(found["count"] or 1) * int(found["bits"]) // 8 if found["bits"] else None
    return Instruction(text, kind, kind, width, None, "nvidia")


def _lds(text: str) -> Instruction | None:
    # read2 and write2 are served as their two halves one after the other, that is as two instructions.
    found = _LDS.fullmatch(text)
    if found is None:
        return None
    kind = "load" if "read" in text or "load" in text else "store"
    return Instruction(text, kind, kind, int(found["bits"]) // 8, None, "amd")
