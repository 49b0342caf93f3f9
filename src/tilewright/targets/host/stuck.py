"""What threads do that never end, in words: the program tells where they are by numbers."""

from __future__ import annotations

from tilewright.targets.c_emitter.writer import CText

MOST_SHOWN = 4  # places


def described(text: CText, report: bytes, endless: str = "") -> str:
    """Who is where, a line or two for each place; an `endless` kernel has one that is at work."""
    lines = [tuple(map(int, line.split())) for line in report.decode().splitlines()]
    return "\n".join(_told(text, line, "is at work" * bool(endless)) for line in lines[:MOST_SHOWN])


def _told(text: CText, line: tuple[int, ...], works: str) -> str:
    place, waits, count, *at = line
    block, thread = (f"({x},{y},{z})" for x, y, z in (at[:3], at[3:]))
    others = f" and {count - 1} other threads" if count > 1 else ""
    does = "wait for threads that never come" if waits else "go round in a loop for what nobody is left to do"
    who = f"block {block} thread {thread}{others} {works or does}"
    return f"{who}\n{text.places[place]}" if place >= 0 else who
