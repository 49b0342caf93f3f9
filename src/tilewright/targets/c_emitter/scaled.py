"""Block-scaled products of warps as PTX."""

from __future__ import annotations

from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.targets.c_emitter.instructions import Words, called, need_assembly
from tilewright.targets.c_emitter.writer import Handlers, Writer


def _product(out: Writer, op: ScaledMmaOp) -> None:
    need_assembly(out, op)
    added = len(op.places) == 4
    ids = "_".join(map(str, op.select.ids))
    name = f"{called(op.instruction.name)}{'_0' * (not added)}_scales_{ids}"
    out.functions.setdefault(name, _function(name, op, added, out.table.function))
    registers = [f"&{out.element(place.memory, place.indices)}" for place in op.places]
    scales = [out.exprs[scale].cast("unsigned int").text for scale in (op.scale_a, op.scale_b)]
    out.line(f"{name}({', '.join([*registers, *scales])});")


def _function(name: str, op: ScaledMmaOp, added: bool, function: str) -> str:
    atom, select = op.instruction, op.select
    d, *given = (Words.of(atom, x) for x in "DABC")
    lists, number = [], 0
    for words in (d, *given):
        lists.append("{" + ", ".join(f"%{number + i}" for i in range(words.count)) + "}")
        number += words.count
    lists += [f"%{number}", f"{{{select.byte_a}, {select.thread_a}}}"]
    lists += [f"%{number + 1}", f"{{{select.byte_b}, {select.thread_b}}}"]
    passed = ", ".join([*(words.passed() for words in given), '"r"(scale_a)', '"r"(scale_b)'])
    parameters = ", ".join(f"const void* {letter}" for letter in ("a", "b", *("c",) * added))
    a, b, c = given
    zero = f"  for (int i = 0; i < {c.count}; ++i) c_[i] = 0;"
    return "\n".join(
        [
            f"{function} void {name}(void* d, {parameters}, unsigned int scale_a, unsigned int scale_b) {{",
            *(d.declared(False), a.declared(True), b.declared(True), c.declared(added), *(() if added else (zero,))),
            f'  asm volatile("{atom.instruction} {", ".join(lists)};" : {d.passed(True)} : {passed});',
            "  memcpy(d, d_, sizeof d_);",
            "}",
        ]
    )


SCALED: Handlers = {ScaledMmaOp: _product}
