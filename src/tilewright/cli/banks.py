"""`tilewright banks LAYOUT ACCESS..`: what accesses to a tile in shared memory cost, and what would repair them.

A file of IR instead of LAYOUT is read by `banks_ir`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.analysis.banks.conflicts import bank_conflicts, bank_conflicts_at
from tilewright.analysis.banks.phases import Phase
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.descriptor.recognise import recognise
from tilewright.analysis.model.access import Access
from tilewright.analysis.swizzle.advice import SwizzleAdvice
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.arch import get as get_arch
from tilewright.asked.accesses import EXAMPLES, ORIENTATION, Question, access, parsed
from tilewright.cli import banks_ir
from tilewright.cli.accesses import add_options, element_bits, question
from tilewright.cli.options import LIMIT, integer
from tilewright.cli.pictures import save
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import LayoutError, UsageError, shortened
from tilewright.numerals import natural

if TYPE_CHECKING:
    from tilewright.figures import Figure

FINDING = 1
MERGE: dict[str, bool | str] = {"auto": "auto", "yes": True, "no": False}
MAX_THREADS = 4096


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "banks",
        help=words,
        description=f"{words}: wavefronts, phases, and the swizzle that repairs them. Status 1: a conflict was found.",
        epilog=f"{EXAMPLES}\n{ORIENTATION}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "layout",
        metavar="LAYOUT",
        nargs="?",
        help="the tile: a layout in any notation, or the shape of a row-major one; "
        "or alone a dump of Triton or FlyDSL, FILE.ttgir or FILE.mlir",
    )
    add("accesses", metavar="ACCESS", nargs="*", help="how it is accessed, see below")
    add("--at", metavar="ADDRESSES", help="instead of both: byte addresses of the threads, '0,4,8' or a layout '32:8'")
    add("--instruction", help="the instruction of every access that names none, such as ldmatrix.x4")
    add("--kind", choices=("load", "store"), help="load (default) or store, where the access does not say")
    add("--vector-bits", type=integer, metavar="N", help="bits that an instruction moves per thread, where not said")
    add("--active", metavar="LANES", help="threads that take part, such as 0-15,20 (default: all)")
    add("--base", type=integer, default=0, metavar="BYTES", help="byte address of the tile (default: 0)")
    add("--merge", choices=tuple(MERGE), default="auto", help="do lanes with equal addresses pair up? (default: auto)")
    add_options(parser)
    parser.set_defaults(arch=None)


def run(args: argparse.Namespace) -> int:
    """Prints the reports: 0, or 1 when one has conflicts."""
    banks_ir.refuse_others(None if banks_ir.is_dump(args.layout) else args.layout)
    if banks_ir.is_dump(args.layout):
        return banks_ir.run(args)
    found = _raw(args) if args.at is not None else _of_layout(args)
    if args.output:
        save(found.picture(), args)
    print(json.dumps(found.to_json(), indent=2) if args.json else found.text())
    if args.output and not args.json:
        print(f"picture   {args.output}")
    return FINDING if any(not report.conflict_free for report in found.reports) else 0


@dataclass(frozen=True)
class Answer:
    """The reports of accesses to a tile; of raw addresses where there is no tile."""

    asked: Question | None
    accesses: tuple[Access, ...]
    reports: tuple[BankReport, ...]
    base: int

    @cached_property
    def atom(self) -> str | None:
        """The shared-memory layout atom that the tile repeats, if it does."""
        try:
            return recognise(self.asked.layout, self.asked.element_bits).atom if self.asked else None
        except (LayoutError, UsageError):
            return None

    @cached_property
    def repair(self) -> SwizzleAdvice | None:
        """The best swizzle, where there are conflicts and it has fewer wavefronts."""
        free = all(report.conflict_free for report in self.reports)
        if free or self.asked is None:
            return None
        try:
            best = suggest_swizzle(
                self.asked.layout, self.accesses, element_bits=self.asked.element_bits, arch=self.asked.spec
            )[0]
        except (LayoutError, UsageError):  # no swizzle moves such elements or vectors
            return None
        fewest = min(best.wavefronts, best.retiled.wavefronts if best.retiled else best.wavefronts)
        return best if fewest < sum(report.unmerged for report in self.reports) else None

    def picture(self) -> Figure:
        """The tile with its banks, and what each access wants from them."""
        from tilewright.figures import draw, stack

        if self.asked is None:
            raise UsageError("-o draws a tile; give LAYOUT and ACCESS instead of --at")
        bits, arch = self.asked.element_bits, self.asked.spec.name
        figures = {
            str(access): draw(
                self.asked.layout, kind="banks", report=report, element_bits=bits, arch=arch, base_bytes=self.base
            )
            for access, report in zip(self.accesses, self.reports, strict=True)
        }
        return stack(f"{self.asked.text}, elements of {self.asked.element_bits} bits", figures)

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        about: dict[str, object] = {}
        if self.asked:
            about = {"layout": self.asked.text, "element_bits": self.asked.element_bits, "atom": self.atom}
        names: list[dict[str, object]] = [
            {"access": str(one), "thread_value": None if one.thread_value is None else str(one.thread_value)}
            for one in self.accesses
        ]
        reports = [name | report.to_json() for name, report in zip(names or [{}], self.reports, strict=True)]
        free = all(report.conflict_free for report in self.reports)
        best = {"repair": self.repair.to_json() if self.repair else None} if self.asked else {}
        return about | {"base_bytes": self.base, "conflict_free": free, "reports": reports} | best

    def text(self) -> str:
        """The reports as text."""
        parts = ["\n".join(lines) for lines in map(self._report, range(len(self.reports)))]
        if self.asked:
            head = f"tile      {self.asked.text}, elements of {self.asked.element_bits} bits, at byte {self.base}"
            head += f"\n          repeats {self.atom}" if self.atom else ""
            parts[0] = f"{head}\n{parts[0]}"
        if self.repair:
            parts.append("\n".join(_repair(self.repair, sum(report.unmerged for report in self.reports))))
        return "\n\n".join(parts)

    def _report(self, i: int) -> Iterator[str]:
        if self.accesses:
            one = self.accesses[i]
            words, layout = str(one), "by a descriptor" if one.thread_value is None else str(one.thread_value)
            yield f"access    {words}" if layout in words else f"access    {words}: {layout}"
        yield from str(self.reports[i]).splitlines()
        yield from _demand(self.reports[i])


def _of_layout(args: argparse.Namespace) -> Answer:
    texts = args.accesses or ([args.instruction] if args.instruction is not None else [])
    if args.layout is None or not texts:
        raise UsageError('give LAYOUT and ACCESS, such as "(8,64)" "ldmatrix.x4", or --at ADDRESSES')
    asked = question(args)
    accesses = tuple(_with_options(access(text, asked), args) for text in texts)
    reports = tuple(
        bank_conflicts(
            asked.layout,
            one,
            element_bits=asked.element_bits,
            arch=asked.spec,
            active=_active(args.active),
            base_bytes=args.base,
            merge=MERGE[args.merge],
        )
        for one in accesses
    )
    return Answer(asked, accesses, reports, args.base)


def _raw(args: argparse.Namespace) -> Answer:
    if args.layout is not None:
        raise UsageError("--at stands instead of LAYOUT and ACCESS; leave one of them out")
    width = args.vector_bits if args.vector_bits is not None else element_bits(args) or 32
    report = bank_conflicts_at(
        _addresses(args.at),
        -(-width // 8),
        kind=args.kind or "load",
        instruction="auto" if args.instruction is None else args.instruction,
        arch=get_arch(args.arch or "sm_90"),
        active=_active(args.active),
        base_bytes=args.base,
        merge=MERGE[args.merge],
    )
    return Answer(None, (), (report,), args.base)


def _with_options(one: Access, args: argparse.Namespace) -> Access:
    """The access with what the options say where its own words are silent."""
    instruction = args.instruction if one.instruction == "auto" and args.instruction is not None else one.instruction
    kind = args.kind if args.kind and one.kind == "load" else one.kind
    bits = args.vector_bits if one.vector_bits is None else one.vector_bits
    return Access(one.thread_value, bits, kind, instruction, one.name, one.notes)


def _addresses(text: str) -> list[int]:
    numbers = [natural(number, LIMIT) for number in text.replace(",", " ").split()]
    if numbers and None not in numbers:
        return [number for number in numbers if number is not None]
    if re.fullmatch(r"[-0-9, ]*-[0-9][-0-9, ]*", text):
        raise UsageError(f"--at {shortened(text)}: a byte address is 0 or more")
    wanted = f"--at {shortened(text)}: give byte addresses 0,4,8 or a layout (32:4) of at most {MAX_THREADS} threads"
    try:
        layout = parsed(text)
    except UsageError as error:
        raise UsageError(f"{wanted}; {error}") from None
    size = getattr(layout, "size", None)
    if not callable(layout) or type(size) is not int or size > MAX_THREADS:
        raise UsageError(wanted)
    return [layout(thread) for thread in range(size)]


def _active(text: str | None) -> list[int] | None:
    """`0-15,20` as numbers."""
    if text is None:
        return None
    found: list[int] = []
    for part in text.split(","):
        words, dash, end = part.partition("-")
        first, last = natural(words, MAX_THREADS), natural(end if dash else words, MAX_THREADS)
        if first is None or last is None or last < first:
            raise UsageError(
                f"--active {shortened(text)}: give threads and ranges such as 0-15,20, going up and below {MAX_THREADS}"
            )
        found += range(first, last + 1)
    return found


def _demand(report: BankReport) -> Iterator[str]:
    """The worst phase bank by bank: how many words are wanted from each."""
    if report.conflict_free or not len(report.phases):
        return
    costs = report.phases.costs() if hasattr(report.phases, "costs") else [p.wavefronts for p in report.phases]
    phase: Phase = report.phases[costs.index(max(costs))]
    wanted = [len(phase.by_bank.get(bank, ())) for bank in range(phase.banks)]
    width = max(2, len(str(max(wanted))))
    yield "words wanted from each bank in the first of the worst phases:"
    for start in range(0, phase.banks, 32):
        banks: Sequence[int] = range(start, min(start + 32, phase.banks))
        yield f"  bank  {' '.join(str(bank).rjust(width) for bank in banks)}"
        yield f"  words {' '.join((str(wanted[bank]) if wanted[bank] else '.').rjust(width) for bank in banks)}"


def _repair(best: SwizzleAdvice, before: int) -> Iterator[str]:
    verdict = "conflict-free" if best.conflict_free else f"{best.excess} in excess"
    mode = f"mode {best.mode}" if best.mode else "no mode of TMA"
    mode += f", {best.atom}" if best.atom else ""
    yield f"repair    {best.layout}: {best.wavefronts} wavefronts instead of {before}, {verdict}"
    yield f"          {best.swizzle} in elements, {best.bytes} in bytes, {best.bits} in bits; {mode}"
    if best.padding:
        yield f"or pad    {best.padding}"
    if best.retiled:
        spent = f"{best.retiled.wavefronts} wavefronts, mode {best.retiled.mode}"
        yield f"or place  {best.retiled.layout}: {spent}"
