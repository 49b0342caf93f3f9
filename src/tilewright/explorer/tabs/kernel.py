"""The tab of kernels: a trace moment by moment, with source, lanes, addresses, and what these cost."""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from operator import attrgetter

from tilewright.analysis.banks.report import ranges
from tilewright.arch import ArchSpec
from tilewright.arch import get as get_arch
from tilewright.errors import counted
from tilewright.explorer.answer import Answer, Frame, Mark, Row, Table
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Preset, Tab
from tilewright.explorer.tabs import kernel_faults
from tilewright.explorer.tabs.banks import AMD, NVIDIA
from tilewright.explorer.trace.store import SHIPPED, Traces
from tilewright.figures.scene import Scene
from tilewright.figures.trace.accesses import reports, told
from tilewright.figures.trace.film import MACHINES, Film, doing
from tilewright.figures.trace.model import Moment, Trace
from tilewright.figures.trace.moment import marks, scene
from tilewright.figures.trace.replay import contents, shown
from tilewright.figures.trace.rounds import rounds
from tilewright.numerals import integer

AROUND = 24  # moments before the one that is looked at, and behind it
MOST_VALUES = 8
MOST_PIECES = 1 << 15
PIECE = 4  # bytes
MOST_TEXT = 400  # characters of an op
CUT = "The trace is cut: there were more than a million events."
STOPPED = "The run was interrupted: the trace ends there."
PLAIN, SWIZZLED, PERMUTE, ASYNC, MBARRIER, RACE = SHIPPED
AUTO = "by the warps"
FIELDS = (
    Field(
        "trace",
        "Trace",
        "trace",
        PLAIN,
        "an example, or the file of `tilewright run --trace-json`",
        options=tuple(SHIPPED),
    ),
    Field("step", "Step", "number", "", "empty: the first", most=1 << 40),
    Field("block", "Block", "number", "", "empty: the first that is traced", most=1 << 31),
    Field("warps", "Warps", "text", "", "such as 0 2 3; empty: all"),
    Field("arch", "Architecture", "choice", AUTO, options=(AUTO, *NVIDIA, *AMD)),
)
PRESETS = (
    Preset("a transpose: stores", {"step": "2"}, "lanes 8 words apart share four banks: eight wavefronts"),
    Preset("a transpose: loads", {"step": "18"}, "a row a step: no conflict"),
    Preset("the same swizzled: stores", {"trace": SWIZZLED, "step": "2"}, "one wavefront: the XOR spreads the column"),
    Preset("the permute: a round of loads", {"trace": PERMUTE, "step": "3"}, "four rounds of loads to registers"),
    Preset("the permute: a round of stores", {"trace": PERMUTE, "step": "13"}, "behind the barrier, transposed"),
    Preset("a pipeline: copies begin", {"trace": ASYNC, "step": "4"}, "the next stage is fetched, this one is awaited"),
    Preset("a pipeline: its data are there", {"trace": ASYNC, "step": "6"}, "what the wait waited for"),
    Preset("an mbarrier and a bulk copy", {"trace": MBARRIER, "step": "7"}, "one lane copies, all wait"),
    Preset("a race", {"trace": RACE, "step": "3"}, "a barrier is missing: both accesses, and what the simulator says"),
)


def answer(traces: Traces, inputs: Inputs) -> Answer:
    """One moment of a block in pictures, those around it as frames and in a table."""
    with blaming("trace"):
        trace = traces[inputs.text("trace")]
    block, moments = _block(trace, inputs)
    at = _at(moments, inputs)
    chosen, seen, spec = moments[at], _window(moments, at), _arch(trace, inputs)
    costs = {one.step: reports(one, spec) for one in seen}
    film = Film(trace, seen, chosen, contents(trace, block, chosen.step), costs, spec)
    drawn = scene(film)
    frames = tuple(_frame(film, drawn, one) for one in seen)
    notes = tuple(text for flag, text in ((trace.truncated, CUT), (trace.interrupted, STOPPED)) if flag)
    tables = (*kernel_faults.table(trace), _around(film), _ops(chosen))
    facts, begin = (*_facts(film, at, len(moments), block), *kernel_faults.fact(trace)), seen.index(chosen)
    permuted = rounds(moments, chosen, spec)
    return Answer(
        (drawn, permuted) if permuted else (drawn,),
        facts,
        tables,
        kernel_faults.steps(trace),
        frames,
        begin=begin,
        notes=notes,
        python=_python(inputs.text("trace"), chosen.step, block, spec.name),
    )


def _python(name: str, step: int, block: int, arch: str) -> str:
    ships = name in SHIPPED
    opened = f"Traces()[{name!r}]" if ships else 'read(open("trace.json").read())  # the file that was dropped'
    source = "explorer.trace.store import Traces" if ships else "figures.trace.read import read"
    return f"""import tilewright as tw
from tilewright.{source}

trace = {opened}
figure = tw.draw(trace, steps={step}, block={block}, arch={arch!r})
print(figure.text())
"""


def _block(trace: Trace, inputs: Inputs) -> tuple[int, tuple[Moment, ...]]:
    if not trace.events:
        why = trace.fault.text if trace.fault else "trace lanes that do something"
        raise FieldError("trace", f"the trace has no events: {why}")
    first = trace.events[0].block
    block = inputs.number("block") if inputs.text("block").strip() else first
    moments = trace.moments(block, _warps(trace, inputs))
    if not moments:
        raise FieldError("block", f"no such event of block {block} is in the trace, which begins with block {first}")
    return block, moments


def _window(moments: tuple[Moment, ...], at: int) -> tuple[Moment, ...]:
    """The moment and those around it, as many as are not too much to draw."""
    room = MOST_PIECES - _pieces(moments[at])
    if room < 0:
        raise FieldError("warps", f"step {moments[at].step} is too much for a picture: choose some warps, such as 0")
    first, last = at, at
    for one in range(1, AROUND + 1):
        sides = [side for side in (at - one, at + one) if 0 <= side < len(moments)]
        room -= sum(_pieces(moments[side]) for side in sides)
        if room < 0:
            break
        first, last = min(first, *sides, first), max(last, *sides, last)
    return moments[first : last + 1]


def _pieces(one: Moment) -> int:
    """About how many cells it concerns."""
    return sum(1 + len(event.moved) + (event.bytes or event.op.width_bytes) // PIECE for event in one.events)


def _warps(trace: Trace, inputs: Inputs) -> list[int]:
    words = inputs.text("warps").replace(",", " ").split()
    found = [integer(word, 1 << 16) for word in words]
    most = -(-trace.threads // trace.lanes)
    known = [warp for warp in found if warp is not None and 0 <= warp < most]
    if len(known) < len(words):
        raise FieldError("warps", f"warps are numbers from 0 to {most - 1}, with spaces between them")
    return known


def _at(moments: tuple[Moment, ...], inputs: Inputs) -> int:
    """The moment of the step, or the first after it."""
    if not inputs.text("step").strip():
        return 0
    step = inputs.number("step")
    if step > moments[-1].step:
        raise FieldError("step", f"the last step is {moments[-1].step}, there is none {step}")
    return bisect_left(moments, step, key=attrgetter("step"))


def _arch(trace: Trace, inputs: Inputs) -> ArchSpec:
    name = inputs.text("arch")
    if name == AUTO and trace.lanes not in MACHINES:
        raise FieldError("trace", f"warps of {trace.lanes} lanes: no machine here has them")
    spec = get_arch(MACHINES[trace.lanes] if name == AUTO else name)
    if spec.lanes != trace.lanes:
        raise FieldError("arch", f"the trace has warps of {trace.lanes} lanes, {spec.name} of {spec.lanes}")
    return spec


def _frame(film: Film, drawn: Scene, one: Moment) -> Frame:
    op = one.ops[0]
    source = [f"line {op.line}: {op.source}" if op.source else f"line {op.line}"] if op.line else []
    values = [f"{event.thread}: {shown(event.value)}" for event in one.events if event.value is not None]
    more = f" and {len(values) - MOST_VALUES} more" if len(values) > MOST_VALUES else ""
    told_values = [f"values by thread: {', '.join(values[:MOST_VALUES])}{more}"] if values else []
    text = "\n".join([*source, f"threads {ranges(one.threads)}{_costs(film, one)}", *told_values])
    concerned = tuple(Mark(0, panel, cells) for panel, cells in marks(film, drawn, one))
    return Frame(f"step {one.step}: {doing(one)}", text, concerned, {"step": str(one.step)})


def _costs(film: Film, one: Moment) -> str:
    return "".join(f"; {told(report)}" for _, report in film.reports[one.step])


def _facts(film: Film, at: int, moments: int, block: int) -> tuple[tuple[str, str], ...]:
    trace, op = film.trace, film.chosen.ops[0]
    return (
        ("kernel", f"{trace.kernel}, {counted(trace.blocks, 'block')} of {counted(trace.threads, 'thread')}"),
        ("moment", f"{at + 1} of {moments} of block {block}"),
        ("source", f"{op.file}:{op.line}: {op.source}" if op.line else "unknown"),
        ("does", f"{doing(film.chosen)}{_costs(film, film.chosen)}"),
        ("threads", ranges(film.chosen.threads)),
        ("machine", film.spec.name),
    )


def _around(film: Film) -> Table:
    rows = tuple(
        Row(
            (
                str(one.step),
                doing(one),
                str(one.ops[0].line or ""),
                one.ops[0].source,
                str(len(one.threads)),
                _costs(film, one).removeprefix("; "),
            ),
            {} if one is film.chosen else {"step": str(one.step)},
        )
        for one in film.moments
    )
    return Table("the moments around this one", ("step", "does", "line", "source", "threads", "cost"), rows, "show")


def _ops(one: Moment) -> Table:
    rows = tuple(Row((op.kind, f"{op.file}:{op.line}", op.text[:MOST_TEXT])) for op in one.ops)
    return Table("the ops of this moment", ("op", "place", "as MLIR"), rows)


def tab(traces: Traces) -> Tab:
    """The tab that looks at these traces."""
    return Tab("kernel", "Kernel", WORDS, FIELDS, PRESETS, partial(answer, traces), link="thread")


WORDS = "What lanes did on the simulator, step by step: source, addresses, values, conflicts, races."
