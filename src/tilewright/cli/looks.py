"""What `tilewright run` shows of the launches that it looked at: reports, margins, traces."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tilewright.cli.output import complain
from tilewright.cli.pictures import save
from tilewright.errors import UsageError
from tilewright.numerals import integer

if TYPE_CHECKING:
    from tilewright.runtime.report import KernelReport
    from tilewright.runtime.session import Launched, Session
    from tilewright.targets.simulator.observers.trace_report import Trace

MOST_SHOWN = 8  # launches


def show(session: Session, name: str, args: argparse.Namespace, alone: bool) -> None:
    """Prints the launches; writes the trace of the last one where a file is named for it.

    Raises:
        UsageError: no launch has the blocks and lanes that are to be traced.
    """
    launches = session.launches
    _refuse_absent([launched.trace for launched in launches if launched.trace is not None])
    if not launches and (session.profile or session.selection is not None or args.json):
        complain("tilewright run: no kernel was launched on the simulator; there is nothing to show")
    if args.json:
        for launched in launches:
            print(launched.report.json(), end="")
    elif alone or session.profile or session.selection is not None:
        for launched in launches[-MOST_SHOWN:]:
            print(_shown(launched, session, name))
        if len(launches) > MOST_SHOWN:
            print(f".. the last {MOST_SHOWN} of {len(launches)} launches; --json has all")
    write_trace(launches[-1].trace if launches else None, args)


def write_trace(trace: object, args: argparse.Namespace) -> None:
    """Writes a trace, and draws it, where files are named for that; nothing where there is none."""
    from tilewright.targets.simulator.observers.trace_report import Trace

    if not isinstance(trace, Trace):
        return
    if target := getattr(args, "trace_json", None):
        from tilewright.figures.files import write

        write(target, trace.json(), force=args.force)
    if getattr(args, "output", None):
        from tilewright.figures import draw

        save(draw(trace, steps=_steps(args)), args)


def check_drawn(args: argparse.Namespace, traced: bool) -> None:
    """Raises `UsageError` where a picture is asked for that cannot be written, or steps without one; before the run."""
    output = getattr(args, "output", None)
    if _steps(args) is not None and output is None:
        raise UsageError("--trace-steps chooses what -o draws; give -o FILE")
    if output is None:
        return
    from tilewright.figures.figure import writable
    from tilewright.figures.files import refuse_existing

    if not traced:
        raise UsageError("-o draws what --trace chooses; give both, such as --trace block=0 -o moments.svg")
    refuse_existing(str(writable(output)), force=args.force)


def _steps(args: argparse.Namespace) -> list[int] | None:
    """The steps to draw; None where none are named."""
    text = getattr(args, "trace_steps", None)
    if text is None:
        return None
    found = [integer(word.strip(), 1 << 40) for word in text.split(",")]
    known = [step for step in found if step is not None]
    if len(known) < len(found):
        raise UsageError(f"--trace-steps are numbers with commas between them, such as 2,18; got {text!r:.100}")
    return known


def _refuse_absent(traces: Sequence[Trace]) -> None:
    """Raises `UsageError` where each launch lacks what is to be traced: a file may make launches of several sizes."""
    refusals = [refusal for trace in traces if (refusal := _absent(trace)) is not None]
    if refusals and len(refusals) == len(traces):
        raise refusals[-1]


def _absent(trace: Trace) -> UsageError | None:
    try:
        trace.selection.check(trace.launch, trace.lanes)
    except UsageError as error:
        return error
    return None


def _shown(launched: Launched, session: Session, name: str) -> str:
    report, trace = launched
    parts = [report.table() if session.profile else str(report)]
    if session.profile:
        parts += _margins(report, name)
    if trace is not None:
        parts.append(str(trace))
    return "\n".join(part for part in parts if part)


def _margins(report: KernelReport, name: str) -> Iterator[str]:
    """The source with its costs, file by file: that of the command first, others below their names."""
    from tilewright.ir.core.location import source_text

    files = sorted({line.file for line in report.lines}, key=lambda file: (file != name, file))
    for file in files:
        found = report.annotated(file, source_text(file))
        yield f"{file}\n{found}" if found and file != name else found
