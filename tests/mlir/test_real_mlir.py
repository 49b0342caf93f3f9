"""FlyDSL's own dialect reads what is printed here, and prints the same; collected only where it is installed."""

from __future__ import annotations

import random
import re
from pathlib import Path

from fly_modules import alone, module
from real_mlir import answers
from xdsl.ir import Operation

from tilewright.ir.text import parse_module, print_module

MODULES = 40
LIT = sorted((Path(__file__).parent / "fly").glob("*.mlir"))
# Ops and spellings that the release does not have, and files that it is not meant to take.
OURS = re.compile(
    r"fly\.(zip|flatten|rank|depth|is_static|get_leaf|crd2crd|get_hier_coord|make_tile|make_identity_tensor"
    r"|make_tiled_copy_[ABC])\(|fly\.(set_register|register_value) |, buffer_desc, "
)
REFUSED = ("wrong_result", "inadmissible", "older", "generic", "others_atoms")


def _line(op: Operation) -> str:
    return next(line.strip() for line in print_module(alone(op), numbered=True).split("\n") if " fly." in line[:20])


def test_the_generic_form_of_drawn_ops_is_read_and_printed_the_same() -> None:
    modules = [module(random.Random(seed), 12) for seed in range(MODULES)]
    drawn = [op for one in modules for op in one.walk() if op.name.startswith("fly")]
    told = answers([print_module(alone(op), generic=True) for op in drawn])
    read = [(op, answer["text"]) for op, answer in zip(drawn, told, strict=True) if "text" in answer]
    assert len(read) > 0.85 * len(drawn)  # of the others it infers another type, or its process ends
    for op, text in read:
        assert _line(op) in [line.strip() for line in text.split("\n")]


def test_the_lit_functions_of_released_ops_are_read_and_printed_the_same() -> None:
    functions = [
        function
        for path in LIT
        if path.stem not in REFUSED
        for function in re.findall(r"^func.func .*?^}$", path.read_text(), re.MULTILINE | re.DOTALL)
        if not OURS.search(function)
    ]
    for function, answer in zip(functions, answers(functions), strict=True):
        ours = print_module(parse_module(function), numbered=True)
        assert _ops(ours) == _ops(answer.get("text", str(answer)))


def _ops(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if re.match(r" *(%\S+ = )?fly", line)]
