"""Products of warps with a sparse A as PTX: `mma.sp`."""

from __future__ import annotations

from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.targets.c_emitter.instructions import Words, called, need_assembly
from tilewright.targets.c_emitter.writer import Handlers, Writer


def _product(out: Writer, op: SparseMmaOp) -> None:
    need_assembly(out, op)
    added = len(op.places) == 4
    name = f"{called(op.instruction.name)}{'_0' * (not added)}_selector{op.selector}"
    out.functions.setdefault(name, _function(name, op, added, out.table.function))
    registers = [f"&{out.element(place.memory, place.indices)}" for place in op.places]
    out.line(f"{name}({', '.join([*registers, out.exprs[op.metadata].cast('unsigned int').text])});")


def _function(name: str, op: SparseMmaOp, added: bool, function: str) -> str:
    atom = op.instruction
    d, *given = (Words.of(atom, x) for x in "DABC")
    lists, number = [], 0
    for words in (d, *given):
        lists.append("{" + ", ".join(f"%{number + i}" for i in range(words.count)) + "}")
        number += words.count
    told = f"{atom.instruction} {', '.join(lists)}, %{number}, {op.selector:#x};"
    passed = ", ".join([*(words.passed() for words in given), '"r"(metadata)'])
    parameters = ", ".join([f"const void* {letter}" for letter in ("a", "b", *("c",) * added)])
    a, b, c = given
    zero = f"  for (int i = 0; i < {c.count}; ++i) c_[i] = 0;"
    return "\n".join(
        [
            f"{function} void {name}(void* d, {parameters}, unsigned int metadata) {{",
            *(d.declared(False), a.declared(True), b.declared(True), c.declared(added), *(() if added else (zero,))),
            f'  asm volatile("{told}" : {d.passed(True)} : {passed});',
            "  memcpy(d, d_, sizeof d_);",
            "}",
        ]
    )


SPARSE: Handlers = {SparseMmaOp: _product}
