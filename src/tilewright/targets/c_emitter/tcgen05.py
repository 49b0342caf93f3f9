"""Products in tensor memory as PTX: `tcgen05.mma` of every kind, copies from shared memory, and commits."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.ir.tile.tcgen05 import Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp
from tilewright.targets.c_emitter.asynchronous import statement
from tilewright.targets.c_emitter.clusters import shared
from tilewright.targets.c_emitter.instructions import called, need_assembly
from tilewright.targets.c_emitter.tensor_memory import address
from tilewright.targets.c_emitter.writer import Handlers, Writer

_WORD, _LONG = "unsigned int", "unsigned long long"
_LETTERS = {_WORD: "r", _LONG: "l"}  # of inline assembly


def instruction(op: Tcgen05MmaOp) -> str:
    """The words of a product."""
    scaled = f".block_scale.scale_vec::{op.factors}X" if op.factors else ""
    return f"tcgen05.mma{'.ws' * op.ws}{'.sp' * op.sparse}.cta_group::{op.ctas}.kind::{op.kind.data}{scaled}"


def _mma(out: Writer, op: Tcgen05MmaOp) -> None:
    need_assembly(out, op)
    name = called(f"{instruction(op)} {op.source}")
    out.functions.setdefault(name, _function(name, op, out.table.function))
    a = _descriptor(out, op.a) if op.source == "SS" else address(out, op.a)
    metadata, factors = op.beside[: op.sparse], op.beside[op.sparse :]
    around = [address(out, value) for value in (*metadata, op.told, *factors)]
    given = [address(out, op.d), a, _descriptor(out, op.b), *around, out.exprs[op.scale_d].text]
    out.line(f"{name}({', '.join(given)});")


def _function(name: str, op: Tcgen05MmaOp, function: str) -> str:
    """The product as a function of its operands, which are in PTX's order: addresses are between brackets."""
    left = (_LONG, "a", "{}") if op.source == "SS" else (_WORD, "a", "[{}]")
    around = [("metadata", "[{}]")] * op.sparse + [("told", "{}")]
    around += [(f"scale_{letter}", "[{}]") for letter in "ab" if op.factors]
    operands = [(_WORD, "d", "[{}]"), left, (_LONG, "b", "{}")]
    operands += [(_WORD, what, form) for what, form in around]
    listed = ", ".join(form.format(f"%{number}") for number, (_, _, form) in enumerate(operands))
    text = f"{{ .reg .pred p; setp.ne.b32 p, %{len(operands)}, 0; {instruction(op)} {listed}, p; }}"
    given = [f'"{_LETTERS[ctype]}"({what})' for ctype, what, _ in operands]
    parameters = ", ".join(f"{ctype} {what}" for ctype, what, _ in operands)
    body = statement(text, *given, '"r"((int)scale_d)')
    return "\n".join([f"{function} void {name}({parameters}, bool scale_d) {{", f"  {body}", "}"])


def _descriptor(out: Writer, value: SSAValue) -> str:
    return out.exprs[value].cast(_LONG).text


def _cp(out: Writer, op: Tcgen05CpOp) -> None:
    need_assembly(out, op)
    text = f"tcgen05.cp.cta_group::{op.ctas}.{op.shape.data} [%0], %1;"
    out.line(statement(text, f'"r"({address(out, op.target)})', f'"l"({_descriptor(out, op.source)})'))


def _commit(out: Writer, op: Tcgen05CommitOp) -> None:
    need_assembly(out, op)
    words = f"tcgen05.commit.cta_group::{op.ctas}.mbarrier::arrive::one.shared::cluster"
    barrier = shared(out, op.barrier)
    if op.mask is None:
        out.line(statement(f"{words}.b64 [%0];", barrier))
        return
    mask = f'"h"({out.exprs[op.mask].cast("unsigned short").text})'
    out.line(statement(f"{words}.multicast::cluster.b64 [%0], %1;", barrier, mask))


TCGEN05: Handlers = {Tcgen05MmaOp: _mma, Tcgen05CpOp: _cp, Tcgen05CommitOp: _commit}
