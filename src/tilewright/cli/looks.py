"""What `tilewright run` shows of the launches that it looked at: reports, margins, traces."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.cli.output import complain

if TYPE_CHECKING:
    from tilewright.runtime.session import Launched, Session

MOST_SHOWN = 8  # launches


def show(session: Session, name: str, args: argparse.Namespace, alone: bool) -> None:
    """Prints the launches; writes the trace of the last one where a file is named for it."""
    launches = session.launches
    if not launches and (session.profile or session.selection is not None or args.json):
        complain("tilewright run: no kernel was launched on the simulator; there is nothing to show")
    if args.json:
        for launched in launches:
            print(launched.report.json(), end="")
    elif alone or session.profile or session.selection is not None:
        source = _text(name)
        for launched in launches[-MOST_SHOWN:]:
            print(_shown(launched, session, name, source))
        if len(launches) > MOST_SHOWN:
            print(f".. the last {MOST_SHOWN} of {len(launches)} launches; --json has all")
    target = getattr(args, "trace_json", None)
    if target and launches and launches[-1].trace is not None:
        from tilewright.figures.files import write

        write(target, launches[-1].trace.json(), force=args.force)


def _shown(launched: Launched, session: Session, name: str, source: str) -> str:
    report, trace = launched
    parts = [report.table() if session.profile else str(report)]
    if session.profile:
        parts.append(report.annotated(name, source))
    if trace is not None:
        parts.append(str(trace))
    return "\n".join(part for part in parts if part)


def _text(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
