"""`%%tilewright`: a notebook's cell with a kernel, run on the simulator, with what each of its lines costs beside it.

    %load_ext tilewright

    %%tilewright transpose --arg A=random --arg B=b
    @T.prim_func
    def transpose(A: T.Buffer((32, 32), "float32"), B: T.Buffer((32, 32), "float32")):
        ...

IPython hands itself over where the extension is loaded, so that nothing of it is imported here.
"""

from __future__ import annotations

import argparse
import linecache
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from tilewright.cli.options import integer
from tilewright.errors import TilewrightError, UsageError, close_names, shown

if TYPE_CHECKING:
    from tilewright.lang.primfunc import PrimFunc
    from tilewright.runtime.report import KernelReport, LineReport
    from tilewright.targets.launch import Parameter

NAME = "tilewright"
SWITCHES = ("check", "schedule", "mma", "seed", "steps")
_NUMBERS = ("seed", "steps")
HEADS = ("ops", "accesses", "wavefronts", "excess", "sectors", "excess", "bytes")
COUNTS = ("instructions", "accesses", "wavefronts", "excess", "sectors", "excess_sectors", "bytes")
STYLE = "text-align:{};font-family:monospace;white-space:pre;padding:0 0.6em;{}"
WARM = "background:rgba(255,140,0,{:.2f});"  # of what an excess is the part


class Ran(Protocol):
    """What IPython says of a cell that it has run."""

    @property
    def success(self) -> bool:
        """Did it come to its end?"""


class Shell(Protocol):
    """IPython, as far as it is used here."""

    user_ns: dict[str, object]

    def run_cell(self, raw_cell: str) -> Ran:
        """Runs a cell, and shows what goes wrong in it."""

    def register_magic_function(self, func: Callable[..., object], magic_kind: str, magic_name: str) -> None:
        """Makes a function a magic."""


@dataclass(frozen=True)
class CellReport:
    """A report that notebooks show by the line of the source; `report` is the report itself."""

    report: KernelReport

    def __str__(self) -> str:
        return self.report.table()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        file, rows = _source(self.report)
        listed = "".join(_row(number, text, line, self._most) for number, text, line in rows)
        cells = "".join(f'<th style="{STYLE.format("right", "")}">{head}</th>' for head in HEADS)
        head = f'<tr><th></th>{cells}<th style="{STYLE.format("left", "")}">{escape(file)}</th></tr>'
        lines = f"<table>{head}{listed}</table>" if rows else ""
        return f"{lines}<pre>{escape(self.report.table())}</pre>"

    @property
    def _most(self) -> int:
        return max((line.excess + line.excess_sectors for line in self.report.lines), default=0)


def load_ipython_extension(ipython: Shell) -> None:
    """Makes `%%tilewright` known to IPython; `%load_ext tilewright` calls it.

    Raises:
        UsageError: what is given is no shell of IPython.

    >>> load_ipython_extension(None)
    Traceback (most recent call last):
        ...
    tilewright.errors.UsageError: %load_ext tilewright gives IPython's shell; got None
    """
    if not hasattr(ipython, "register_magic_function"):
        raise UsageError(f"%load_ext tilewright gives IPython's shell; got {shown(ipython)}")

    def magic(line: str, cell: str) -> CellReport | None:
        with _told_briefly():
            return run_cell(ipython, line, cell)

    magic.__doc__ = run_cell.__doc__
    ipython.register_magic_function(magic, "cell", NAME)


@contextmanager
def _told_briefly() -> Iterator[None]:
    """Of our errors the cell shows the message, which has the user's line; what is raised is as it was.

    IPython asks the exception itself what to show.
    """
    try:
        yield
    except TilewrightError as error:
        text = f"{type(error).__name__}: {error}"
        vars(error)["_render_traceback_"] = text.splitlines
        raise


def run_cell(shell: Shell, line: str, cell: str) -> CellReport | None:
    """Runs the cell, then its kernel on the simulator, and gives the report; None where the cell ends in an error.

    `%%tilewright [KERNEL] [--arg NAME=VALUE ..] [--target T] [--check C] [--schedule S] [--seed N] [--mma M]
    [--steps N]`

    KERNEL may be left out where the cell defines one. What `--arg` gives is the name of a variable, or data as
    `tilewright run --arg` takes it, such as `random` or `zeros(8x8,float32)`. A parameter that has none is the variable
    of its name, where that is an array, else zeros. Arrays are changed in place.

    Raises:
        UsageError: an unknown option, kernel or argument. SimulationError: the kernel does something undefined.
    """
    args = _options().parse_args(_words(line))
    before = dict(shell.user_ns)
    if not shell.run_cell(cell).success:
        return None
    from tilewright.runtime.compile import compile as compile_kernel

    compiled = compile_kernel(_kernel(args.kernel, before, shell.user_ns), target=args.target)
    from tilewright.targets.launch import kernel_of, parameters_of

    parameters = parameters_of(kernel_of(compiled.lowered().module))
    switches = {name: getattr(args, name) for name in SWITCHES if getattr(args, name) is not None}
    return CellReport(compiled.profile(*_arrays(parameters, args.arg, shell.user_ns, args.seed or 0), **switches))


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"%%{NAME}: {error}") from None


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%{NAME}: {message}")


def _options() -> _Options:
    parser = _Options(prog=f"%%{NAME}", add_help=False)
    parser.add_argument("kernel", nargs="?")
    parser.add_argument("--arg", action="append", default=[])
    parser.add_argument("--target", default="simulator")
    for name in SWITCHES:
        parser.add_argument(f"--{name}", type=integer if name in _NUMBERS else str)
    return parser


def _kernel(name: str | None, before: Mapping[str, object], after: Mapping[str, object]) -> PrimFunc:
    from tilewright.lang.primfunc import PrimFunc

    known = {key: value for key, value in after.items() if isinstance(value, PrimFunc)}
    new = {key: value for key, value in known.items() if before.get(key) is not value}
    if name is None:
        if len(new) != 1:
            found = f"the cell defines {', '.join(new)}" if new else "the cell defines none"
            raise UsageError(f"%%{NAME} takes the name of a kernel where there is not one alone; {found}")
        return next(iter(new.values()))
    if name not in known:
        close = close_names(name, known)
        raise UsageError(f"there is no kernel {shown(name)}" + (f"; did you mean {close[0]}?" if close else ""))
    return known[name]


def _arrays(parameters: list[Parameter], given: list[str], variables: Mapping[str, object], seed: int) -> list[Any]:
    from tilewright.cli.kernel_arguments import Given, arguments

    told = {pair.name: pair.what for pair in (Given.parse("--arg", text) for text in given)}
    mine = {name: variables[what] for name, what in told.items() if what in variables}
    for parameter in parameters:
        held = variables.get(parameter.name)
        if parameter.name not in told and hasattr(held, "__array_interface__"):
            mine[parameter.name] = held
    made = arguments(parameters, [f"{name}={what}" for name, what in told.items() if name not in mine], seed)
    return [mine.get(parameter.name, array) for parameter, array in zip(parameters, made, strict=True)]


# ---- the source, with what each line costs


def _source(report: KernelReport) -> tuple[str, list[tuple[int, str, LineReport | None]]]:
    """The file in which most of the kernel lies, and its lines there."""
    files = Counter(line.file for line in report.lines if line.line)
    if not files:
        return "", []
    file = files.most_common(1)[0][0]
    found = {line.line: line for line in report.lines if line.file == file and line.line}
    text = [line.rstrip("\n") for line in linecache.getlines(file)]
    if max(found) > len(text):
        return "", []
    first = next((n for n in range(min(found), 0, -1) if text[n - 1].lstrip().startswith("def ")), min(found))
    return file, [(number, text[number - 1], found.get(number)) for number in range(first, max(found) + 1)]


def _row(number: int, text: str, line: LineReport | None, most: int) -> str:
    counts = [getattr(line, name) if line else 0 for name in COUNTS]
    worst = (line.excess + line.excess_sectors) / most if line and most else 0.0
    color = WARM.format(0.6 * worst) if worst else ""
    cells = "".join(f'<td style="{STYLE.format("right", color)}">{count or ""}</td>' for count in counts)
    place = f'<td style="{STYLE.format("right", "opacity:0.5;")}">{number}</td>'
    return f'<tr>{place}{cells}<td style="{STYLE.format("left", color)}">{escape(text)}</td></tr>'
