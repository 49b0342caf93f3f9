"""What was found in a dump as text: a table, the repair of each buffer, what was not analysed, and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tilewright.dumps.finding import Finding, Findings

_HEAD = ("line", "operation", "instruction", "wavefronts", "sectors", "ideal", "excess", "source")
_LEFT = ("operation", "instruction", "source")


def listing(found: Findings) -> str:
    """The findings, line by line."""
    return "\n".join([f"architecture {found.arch}", *_table(found), *_repairs(found), *_left(found), *_notes(found)])


def _table(found: Findings) -> Iterator[str]:
    if found.accesses:
        yield from _aligned([_HEAD, *map(_row, found.accesses)])
    elif found.not_analysed:
        yield "no access to memory is counted"
    else:
        yield "no access to memory"


def _row(one: Finding) -> tuple[str, ...]:
    counts = ("-" if count is None else str(count) for count in (one.wavefronts, one.sectors))
    op = f"{one.op} {one.operand}".rstrip()
    return (str(one.line), op, one.instruction, *counts, str(one.ideal), str(one.excess), one.source or "-")


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Columns two blanks apart, words to the left and numbers to the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, _HEAD, strict=True)
        yield "  ".join(cell.ljust(w) if name in _LEFT else cell.rjust(w) for cell, w, name in cells).rstrip()


def _repairs(found: Findings) -> Iterator[str]:
    """What helps each buffer with conflicts, or why nothing does, once a buffer."""
    told: dict[tuple[str, str], list[Finding]] = {}
    for one in found.accesses:
        if one.wavefronts is not None and (one.excess or one.repair):
            told.setdefault((one.buffer, "" if one.buffer else one.unrepaired), []).append(one)
    if told:
        yield "repairs:"
    for (buffer, _), ones in told.items():
        repair = next((one.repair for one in ones if one.repair), None)
        what = f"{repair.words}: {repair.after} wavefronts instead of {repair.before}" if repair else ones[0].unrepaired
        yield f"{_lines(ones):>5}  {buffer + ': ' if buffer else ''}{what if repair else 'none, ' + what}"


def _lines(ones: Iterable[Finding]) -> str:
    return ", ".join(dict.fromkeys(str(one.line) for one in ones))


def _left(found: Findings) -> Iterator[str]:
    if found.not_analysed:
        yield "not analysed:"
    width = max((len(left.op) for left in found.not_analysed), default=0)
    for left in found.not_analysed:
        yield f"{left.line:>5}  {left.op:<{width}}  {left.why}"


def _notes(found: Findings) -> Iterator[str]:
    for note in dict.fromkeys((*found.warnings, *found.notes, *(note for one in found.accesses for note in one.notes))):
        yield f"note: {note}"
