"""What lanes of a warp find out together by shuffles and votes: reductions, who holds the same, ranks; and naps.

Source: CUDA C++ Programming Guide, warp reduce and match functions; PTX ISA, "redux.sync".
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.together import BALLOTS, WHOLE, ShuffleOp, SleepOp, VoteOp
from tilewright.lang.asynchronous import number
from tilewright.lang.expressions import is_element
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.warps import reduced, whole
from tilewright.lang.words import Row, Words

REDUX: Mapping[str, str] = {"add": "+", "min": "min", "max": "max", "and": "&", "or": "|", "xor": "^"}
OPERATIONS: Mapping[str, str] = {"sum": "+", "max": "max", "min": "min"}
_WORD, _INTEGERS = dtype("uint32"), ("int32", "uint32")


def _integer(value: Value, name: str) -> SSAValue:
    if not isinstance(value, SSAValue) or not is_element(value) or element_dtype(value.type).name not in _INTEGERS:
        raise KernelError(f"{name} takes an int32 or uint32, got {show(value)}")
    return value


def _reduce(kind: str, name: str) -> Builder:
    def build(t: Tracer, mask: Value, value: Value) -> SSAValue:
        whole(mask, name)
        return reduced(t, REDUX[kind], _integer(value, name), None, name)

    return build


def _redux(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, src: Value, mask: Value) -> None:
        kinds = [kind for kind in REDUX if kind in words]
        if len(kinds) != 1:
            raise KernelError(f"redux.sync says what it does: one of {', '.join(REDUX)}")
        whole(mask, "redux.sync")
        put = destination(t, dst, "redux.sync")
        put(reduced(t, REDUX[kinds[0]], _integer(src, "redux.sync"), None, "redux.sync"))

    return build


def _warp_reduce(t: Tracer, value: Value, op: Value, width: Value = None) -> SSAValue:
    if not isinstance(op, str) or op not in OPERATIONS:
        raise KernelError(f"T.cuda.warp_reduce takes one of {', '.join(OPERATIONS)}, got {show(op)}")
    return reduced(t, OPERATIONS[op], value, width, "T.cuda.warp_reduce")


def _match_any(t: Tracer, mask: Value, value: Value) -> SSAValue:
    """Bit for bit: of the lanes whose bit is as mine, those that agree in the bits before."""
    lanes = whole(mask, "T.cuda.__match_any_sync")
    bits = t.elements.cast(_integer(value, "T.cuda.__match_any_sync"), _WORD)
    one, found = t.elements.constant(1, _WORD), _all(t, lanes)
    for place in range(_WORD.bits):
        bit = t.elements.binary("&", t.elements.binary(">>", bits, t.elements.constant(place, _WORD)), one)
        set_ = t.insert(VoteOp("ballot", t.elements.compare("==", bit, one), BALLOTS[lanes])).results[0]
        flip = t.elements.cast(t.elements.binary("-", bit, one), dtype("int32"))  # not set: all ones
        wide = t.elements.cast(t.elements.cast(flip, dtype(f"int{lanes}")), dtype(f"uint{lanes}"))
        others = t.elements.binary("^", set_, wide)
        found = t.elements.binary("&", found, others)
    return found


def _match_all(t: Tracer, mask: Value, value: Value) -> SSAValue:
    """What the first lane holds, all hold."""
    lanes = whole(mask, "T.cuda.__match_all_sync")
    own = _integer(value, "T.cuda.__match_all_sync")
    first = t.insert(ShuffleOp("idx", own, t.index.value(0), WHOLE)).results[0]
    same = t.insert(VoteOp("all", t.elements.compare("==", own, first))).results[0]
    return t.elements.select(same, _all(t, lanes), t.elements.constant(0, dtype(f"uint{lanes}")))


def _all(t: Tracer, bits: int) -> SSAValue:
    """The mask of all lanes: how many of 64 bits these are, they tell each other."""
    if bits == WARP:
        return t.elements.constant((1 << WARP) - 1, _WORD)
    truth = t.elements.constant(True, dtype("bool"))
    return t.insert(VoteOp("ballot", truth, BALLOTS[bits])).results[0]


def _sleep(t: Tracer, time: Value) -> None:
    t.insert(SleepOp(number(t, time, "the time")))


_EFFECTS = {
    "add": "The sum, wrapped, of all lanes' integers.",
    "min": "The least of them.",
    "max": "The greatest.",
    "and": "What all have set.",
    "or": "What any has set.",
    "xor": "What an odd number has set.",
}
REDUCTIONS: tuple[Function, ...] = (
    *(
        Function(f"cuda.{name}", _reduce(kind, f"T.cuda.{name}"), _EFFECTS[kind])
        for kind in REDUX
        for name in (f"__reduce_{kind}_sync", f"reduce_{kind}_sync_u32")
    ),
    Function("cuda.warp_reduce", _warp_reduce, 'The "sum", "max" or "min" over `width` lanes each, else the warp.'),
    Function("cuda.__match_any_sync", _match_any, "Which lanes hold the same integer? Bit i for lane i, as ballots."),
    Function("cuda.__match_all_sync", _match_all, "All lanes, where they hold the same integer; else 0."),
    Function("cuda.nano_sleep", _sleep, "Gives others their turn for about so many nanoseconds."),
    Function("cuda.__nanosleep", _sleep, "The same."),
)
REDUX_ROWS = (
    Row.of(
        "redux_sync",
        f"{' '.join(REDUX)} u32 s32 b32",
        _redux,
        "The register becomes what all lanes' integers give together.",
    ),
)
