"""`tilewright banks FILE.ttgir` and `FILE.mlir`: what every memory operation of others' IR costs."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from tilewright.cli.sources import existing
from tilewright.cli.uncollected import uncollected
from tilewright.dumps.finding import Findings
from tilewright.dumps.listing import listing
from tilewright.errors import UsageError
from tilewright.notation.ttgir_tokens import MAX_TEXT

FINDING = 1
SUFFIXES = (".ttgir", ".mlir")
MOST_NAME = 255


def is_dump(text: str | None) -> bool:
    """Does the first word of the command line name a file of IR?

    >>> is_dump("matmul.ttgir"), is_dump("kernel.mlir"), is_dump("(8,64)"), is_dump(None)
    (True, True, False, False)
    """
    return text is not None and text.endswith(SUFFIXES)


def refuse_others(text: str | None) -> None:
    """Refuses files that do not say by their ending whose IR they hold.

    Raises:
        UsageError: the word names a file, or standard input.

    >>> refuse_others("(8,64)")
    """
    if text == "-" or (text and len(text) < MOST_NAME and "\0" not in text and Path(text).is_file()):
        raise UsageError(f"{text}: a dump is a file that ends in {' or '.join(SUFFIXES)}; rename it")


def run(args: argparse.Namespace) -> int:
    """Prints what was found: 0, or 1 when an access to shared memory has conflicts."""
    if args.accesses or args.at is not None:
        raise UsageError(f"{args.layout} has its accesses in itself; leave out ACCESS and --at")
    if args.output:
        raise UsageError("-o draws one tile; a dump has many")
    with uncollected():
        found = analysed(contents(args.layout), args.arch, args.layout)
    for warning in found.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    print(json.dumps(found.to_json(), indent=2) if args.json else listing(found))
    return 0 if found.conflict_free else FINDING


def analysed(text: str, arch: str | None, name: str) -> Findings:
    """What is found in a dump of Triton or of FlyDSL, told apart by what is in it; FlyDSL's is verified first."""
    if is_fly(text):
        from tilewright.dumps.fly import analysis as fly
        from tilewright.dumps.fly.verified import unverified

        notes = unverified(text, name)
        found = fly.analyse(text, arch)
        return replace(found, notes=(*notes, *found.notes))
    from tilewright.dumps.triton import analysis as triton

    return triton.analyse(text, arch)


def is_fly(text: str) -> bool:
    """Has it kernels in a `gpu.module`, or types of the `fly` dialect, and none of Triton's operations?

    >>> is_fly("gpu.module @kernels {}"), is_fly("module { tt.func @k() }")
    (True, False)
    """
    return ("gpu.module" in text or "!fly." in text or "gpu.func" in text) and "tt.func" not in text


def contents(name: str) -> str:
    """The text of a file.

    Raises:
        UsageError: there is none, it is larger than 1 MiB, or no UTF-8 text.
    """
    path = existing(name)
    try:
        if path.stat().st_size > MAX_TEXT:
            raise UsageError(f"{name} has {path.stat().st_size} bytes; a dump of at most {MAX_TEXT} is read")
        return path.read_bytes().decode()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is no UTF-8 text: byte {error.start} is wrong") from None
