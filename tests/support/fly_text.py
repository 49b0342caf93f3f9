"""Text of the dialect `fly` written by hand without types: those of operands are known, those of results inferred."""

from __future__ import annotations

import re

from tilewright.ir.fly import infer

_LINE = re.compile(r"(?P<left>%\w+)(?:, %\w+)* = (?P<right>.*)|(?P<alone>fly\..*)")
_FLY = re.compile(r"fly\.(?P<op>[\w.]+)\((?P<operands>[^)]*)\)(?P<said>\s*\{.*\})?(?: -> (?P<kind>.*))?")
_CARRIED = re.compile(r"iter_args\((?P<given>.*?)\) -> \((?P<kinds>.*?)\)")
_COUNTER = re.compile(r"scf\.for (%\w+) =")
_BLOCK = re.compile(r"(%\w+): ([^,)]*)")
_ATTRIBUTE = re.compile(r"(\w+) = (\w+)")
_PARAMETER = re.compile(r"(%\w+): ([^%]*?)(?:, (?=%)|\)(?: kernel| attributes| \{|$))")


def typed(text: str) -> str:
    """The text with the types of its ops of `fly`; every other op says its own.

    An op whose result is not inferred says it behind an arrow: `%s = fly.get_dyn_shared() -> !fly.ptr<i8, shared>`.
    """
    types: dict[str, str] = {}
    return "\n".join(_typed(line, types) for line in text.splitlines())


def _typed(line: str, types: dict[str, str]) -> str:
    if "func.func" in line or "gpu.func" in line:
        types.update(_PARAMETER.findall(line))
        return line
    found = _LINE.fullmatch(line.strip())
    if found is None:
        _learn_carried(line, types)
        return line
    left, right = found["left"], found["right"] or found["alone"]
    call = _FLY.fullmatch(right)
    if call is None:
        types[left] = _said(right)
        _learn_carried(line, types)
        return line
    operands = re.findall(r"%\w+", call["operands"])
    kinds = [types[name] for name in operands]
    given = f"({', '.join(kinds)})"
    if left is None:
        return f"{line} : {given} -> ()"
    attributes: dict[str, object] = {key: int(value) for key, value in _ATTRIBUTE.findall(call["said"] or "")}
    letter = call["operands"].partition(",")[0]
    attributes |= {"operand_id": letter} if letter in ("a", "b", "c") else {}
    types[left] = call["kind"] or infer(call["op"], kinds, attributes or None)
    return f"{line.partition(' -> ')[0]} : {given} -> {types[left]}"


def _said(right: str) -> str:
    """The type of an op of another dialect."""
    if right.startswith(("arith.cmpi", "arith.cmpf")):
        return "i1"
    if right.startswith(("gpu.", "memref.dim")) and " : " not in right:
        return "index"
    if right.startswith("fly."):
        return "!" + right.partition(" : !")[2]
    said = right.rpartition(" : ")[2]
    if right.startswith("memref.load"):
        return said.partition(",")[0].rstrip(">").rpartition("x")[2]
    for word in (" to ", " into ", " -> "):
        said = said.rpartition(word)[2] if word in said else said
    said = said.partition("xi1>, ")[2] or said if right.startswith("arith.select") else said
    said = said.removesuffix(" {").strip("()")
    return said.partition(" from ")[0].strip()


def _learn_carried(line: str, types: dict[str, str]) -> None:
    counter = _COUNTER.search(line)
    if counter is not None:
        types[counter[1]] = "i32" if line.rstrip().endswith(": i32 {") else "index"
    types.update(_BLOCK.findall(line) if line.strip().startswith("^") else ())
    carried = _CARRIED.search(line)
    if carried is None:
        return
    names = [part.partition(" = ")[0].strip() for part in carried["given"].split(",")]
    kinds = carried["kinds"].split(", ")
    types.update(zip(names, kinds, strict=True))
    if line.strip().startswith("%"):
        types[line.strip().partition(" ")[0]] = kinds[0]
