"""What flat kernels print: `fly.print` as C's `printf`, with a conversion for each number."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, VectorType, i1
from xdsl.ir import SSAValue

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.type_writer import write
from tilewright.ir.tile.printing import PrintOp
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused

HOLE = "{}"


def _print(out: Flat, op: FlyOp) -> None:
    """Each `{}` is a value; what has no hole stands behind the text, and every text ends a line."""
    values = list(op.group("values"))
    pieces = str(op.attribute("format") or "").replace("%", "%%").split(HOLE)
    holes = len(pieces) - 1
    pieces += [" "] * max(0, len(values) - holes)
    shown = [_shown(op, value) for value in values] + [HOLE] * max(0, holes - len(values))
    text = pieces[0] + "".join(text + piece for text, piece in zip(shown, pieces[1:], strict=True))
    line = text if text.endswith("\n") else f"{text.rstrip(' ')}\n"
    out.insert(PrintOp(line, out.spread(values)))


def _shown(op: FlyOp, value: SSAValue) -> str:
    kind = value.type
    if isinstance(kind, FlyType):
        if run_time_leaves(kind.value):
            raise refused(op, f"prints a value of {kind}, whose integers are of run time; print them one by one")
        return write(kind.value).partition("<")[2].removesuffix(">").replace("%", "%%")
    if isinstance(kind, VectorType):
        letter = _letter(kind.element_type)
        return f"[{', '.join([letter] * kind.element_count())}]"
    return _letter(kind)


def _letter(kind: object) -> str:
    if kind == i1:
        return "%s"
    return "%g" if isinstance(kind, AnyFloat) else "%d"


PRINTING: Handlers = {OPS["print"]: _print}
