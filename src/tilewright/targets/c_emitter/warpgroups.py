"""Warpgroup products as PTX: `wgmma.mma_async` of each atom with its modifiers, and descriptors of its operands."""

from __future__ import annotations

from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.ir.tile.wgmma import NEGATED, TRANSPOSED, WgmmaOp
from tilewright.targets.c_emitter.instructions import SHARED_ADDRESS, Words, called, need_assembly
from tilewright.targets.c_emitter.values import Expr
from tilewright.targets.c_emitter.writer import Handlers, Writer

_NATURAL = "unsigned long long"


def _descriptor(out: Writer, op: MatrixDescriptorOp) -> None:
    need_assembly(out, op)
    bits = op.described().encode(op.format)
    start = f"({SHARED_ADDRESS.format(out.exprs[op.address].text)} & 0x3ffffu) >> 4"
    out.define(op.result, Expr(f"{bits:#x}ull | ({start})", _NATURAL, False, 2), named=not op.result.has_one_use())


def _product(out: Writer, op: WgmmaOp) -> None:
    need_assembly(out, op)
    chosen = [f"selector{op.selector}"] if op.metadata else []
    name = "_".join([called(op.instruction.name), *op.words, *chosen])
    out.functions.setdefault(name, _function(name, op, out.table.function))
    registers = [f"&{out.element(place.memory, place.indices)}" for place in op.places]
    descriptors = [out.exprs[value].cast(_NATURAL).text for value in op.descriptors]
    metadata = [out.exprs[value].cast("unsigned").text for value in op.metadata]
    out.line(f"{name}({', '.join([*registers, *descriptors, *metadata, out.exprs[op.scale_d].text])});")


def _function(name: str, op: WgmmaOp, function: str) -> str:
    atom = op.instruction
    letters = [letter for letter, _ in op.register_operands]
    words = [Words.of(atom, x) for x in letters]
    shared = [letter.lower() for letter, _ in op.shared_operands]
    lists, number = [], 0
    for part in words:
        lists.append("{" + ", ".join(f"%{number + i}" for i in range(part.count)) + "}")
        number += part.count
    lists += [f"%{number + i}" for i in range(len(shared))]
    number += len(shared)
    for _ in op.metadata:
        lists += [f"%{number}", str(op.selector)]
        number += 1
    metadata = ["metadata" for _ in op.metadata]
    told = ", ".join([*lists, "p", *_immediates(op)])
    text = f"{{ .reg .pred p; setp.ne.b32 p, %{number}, 0; {atom.instruction} {told}; }}"
    d, *a = words
    changed = ", ".join(f'"+{d.letter}"({d.name}_[{i}])' for i in range(d.count))
    given = [*(part.passed() for part in a), *(f'"l"({letter})' for letter in shared)]
    given += [*(f'"r"({name})' for name in metadata), '"r"((int)scale_d)']
    parameters = ["void* d", *("const void* a" for _ in a), *(f"{_NATURAL} {letter}" for letter in shared)]
    parameters += [f"unsigned {name}" for name in metadata]
    return "\n".join(
        [
            f"{function} void {name}({', '.join([*parameters, 'bool scale_d'])}) {{",
            *(part.declared(True) for part in words),
            f'  asm volatile("{text}" : {changed} : {", ".join(given)} : "memory");',
            "  memcpy(d, d_, sizeof d_);",
            "}",
        ]
    )


def _immediates(op: WgmmaOp) -> list[str]:
    """Signs of A and B where they are floats; whether they lie MN-major, of 16 bits in shared memory."""
    atom = op.instruction
    if atom.dtypes[1].is_integer:
        return []
    signs = ["-1" if word in op.words else "1" for word in NEGATED]
    lies = TRANSPOSED if atom.spaces[0] == "shared" else TRANSPOSED[1:]
    return signs + [str(int(word in op.words)) for word in lies if atom.dtypes[1].bits == 16]


WARPGROUPS: Handlers = {MatrixDescriptorOp: _descriptor, WgmmaOp: _product}
