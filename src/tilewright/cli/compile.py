"""`tilewright compile FILE.py:NAME`: the text of a kernel at any stage, or what launches it without this package."""

from __future__ import annotations

import argparse
import re
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright import __version__
from tilewright.cli.options import file_name
from tilewright.cli.sources import find_kernel
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from tilewright.lang.fly.compiled import CompiledFunction
    from tilewright.runtime.compile import KernelSource
    from tilewright.runtime.kernel import CompiledKernel

_SPEC = re.compile(r"(?P<kind>[A-Za-z0-9_]{1,40})(?:\[(?P<shape>[0-9]{1,12}(?:,[0-9]{1,12}){0,7})\])?")


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "compile",
        help=words,
        description=f"{words}. The file that defines the kernel is Python and is executed to find it.",
    )
    parser.add_argument("kernel", metavar="FILE.py:NAME", help="the file and the kernel, or flyc.jit, in it")
    parser.add_argument(
        "--emit",
        metavar="WHAT",
        help="a stage (tile, dispatched, lowered, final; of a flyc.jit fly, lowered, final, flat) as MLIR text, "
        "script:STAGE as a Python-like script, or cuda; without it text, cubin and a C header are written to -o DIR",
    )
    parser.add_argument("--target", default=None, help="such as simulator or cuda:sm_90a (default: as --emit needs)")
    parser.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar="TYPE",
        help="of the next parameter of a flyc.jit: float16[64,32] for an array, int32 for a number",
    )
    parser.add_argument("-o", "--output", type=file_name, metavar="FILE", help="write there instead of printing")
    parser.add_argument("--force", action="store_true", help="write over files that are there already")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor keep anything on disk")


def run(args: argparse.Namespace) -> int:
    """Lowers as far as is asked, then prints or writes the text."""
    from tilewright.figures.files import write
    from tilewright.targets.cache import uncached

    kernel = find_kernel(args.kernel)
    with uncached() if args.no_cache else nullcontext():
        if args.emit is None:
            return _ahead_of_time(kernel, args)
        text = _text(kernel, args)
    if args.output:
        write(args.output, text, force=args.force)
    else:
        print(text, end="" if text.endswith("\n") else "\n")
    return 0


def _text(kernel: KernelSource, args: argparse.Namespace) -> str:
    from tilewright.runtime.compile import TracedForSpecs

    if isinstance(kernel, TracedForSpecs):
        return _traced_text(_traced(kernel, args), args)
    if args.spec:
        raise UsageError("--spec is of a flyc.jit; a T.prim_func has the types of its parameters in its source")
    return _compiled(kernel, args).source if args.emit == "cuda" else _stage(kernel, args.emit, args.target)


def _compiled(kernel: KernelSource, args: argparse.Namespace) -> CompiledKernel:
    from tilewright.runtime.compile import compile as compile_kernel

    return compile_kernel(kernel, target=args.target or "cuda")


def _traced(kernel: object, args: argparse.Namespace) -> CompiledFunction:
    """A function of fx, compiled for its specs."""
    from tilewright.lang.fly.jit import Jit
    from tilewright.runtime.compile import compile as compile_kernel

    assert isinstance(kernel, Jit)
    target = args.target or ("cuda" if args.emit in ("cuda", None) else None)
    return compile_kernel(kernel, *map(_spec, args.spec), target=target)


def _traced_text(made: CompiledFunction, args: argparse.Namespace) -> str:
    """Its CUDA text, or a stage of it."""
    if args.emit == "cuda":
        return made.source
    form, _, stage = args.emit.rpartition(":")
    if form not in ("", "script") or stage not in made.stages:
        raise UsageError(f"cannot emit {args.emit!r}; choose a stage of a flyc.jit: {', '.join(made.stages)}")
    return made.script(stage) if form == "script" else made.ir(stage)


def _spec(text: str) -> object:
    from tilewright.lang.core.numerics.numeric import numeric_type

    found = _SPEC.fullmatch(text)
    if found is None:
        raise UsageError(f"--spec is a type, and of an array its shape, such as float16[64,32]; got {shown(text)}")
    kind = numeric_type(found["kind"])
    return kind if found["shape"] is None else (tuple(map(int, found["shape"].split(","))), kind)


# ---- what launches it without this package


def _ahead_of_time(kernel: KernelSource, args: argparse.Namespace) -> int:
    """Writes the CUDA text, the cubin and the header, none of them where one of them cannot be."""
    from tilewright.figures.files import refuse_existing, write
    from tilewright.runtime.compile import TracedForSpecs

    if not args.output:
        raise UsageError("say what to print by --emit, or where to write text, cubin and header by -o DIR")
    made = _traced(kernel, args) if isinstance(kernel, TracedForSpecs) else _compiled(kernel, args)
    if made.target.kind != "cuda":
        raise UsageError(f"a cubin is of a target such as cuda:sm_90a, got {made.target}")
    folder = Path(args.output)
    files = {ending: folder / f"{made.name}.{ending}" for ending in ("cu", "cubin", "h")}
    for path in files.values():
        refuse_existing(path, force=args.force)
    contents: dict[str, str | bytes]
    contents = {"cu": made.source, "cubin": bytes(made.cubin), "h": _header(made)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {str(folder)!r:.300}: {error.strerror}") from None
    for ending, path in files.items():
        print(write(path, contents[ending], force=args.force))
    return 0


def _header(made: CompiledKernel | CompiledFunction) -> str:
    from tilewright.runtime.kernel import CompiledKernel
    from tilewright.targets.cuda.header import c_header

    if isinstance(made, CompiledKernel):
        return c_header(made.text, made.target.arch.name, made.name, __version__)
    return made.header(__version__)


def _stage(kernel: KernelSource, what: str, target: str | None) -> str:
    from tilewright.ir.script.tirx import script
    from tilewright.ir.text import print_module
    from tilewright.passes.pipeline import STAGES, run
    from tilewright.runtime.compile import module_of
    from tilewright.runtime.executors import supported

    form, _, stage = what.rpartition(":")
    if form not in ("", "script") or stage not in STAGES:
        raise UsageError(f"cannot emit {what!r}; choose cuda, a stage ({', '.join(STAGES)}), or script:STAGE")
    lanes = supported(target or "simulator").arch.lanes
    module = run(module_of(kernel), stage, lanes=lanes).module
    return script(module) if form == "script" else print_module(module)
