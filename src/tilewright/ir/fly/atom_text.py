"""The types of what atoms do as texts: read in any spelling, completed, checked, and written as the release writes.

What FlyDSL refuses is refused in its sentence, unless it is an MMA that the table of atoms has; so is an MFMA that
does not exist, which FlyDSL takes.
"""

from __future__ import annotations

from tilewright.errors import NotationError, shown
from tilewright.ir.fly.atom_kinds import KINDS, Kind, Layouts
from tilewright.ir.fly.atom_types import MFMA, AtomType, Demand
from tilewright.notation.fly_atoms import parse_fly_atom
from tilewright.notation.fly_text import split, type_parts


def canonical(text: str) -> str:
    """The text of an operation's type as the release prints it.

    Raises:
        NotationError: there is no such operation.

    >>> canonical("!fly_rocdl.cdna3.mfma<16x16x4,(f32,f32)->f32>")
    '!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>'
    """
    name, parts = type_parts(text, text)
    operation = AtomType(name, tuple(map(_spaced, parts)))
    kind = KINDS.get(name)
    if kind is None:
        raise NotationError(f"unknown operation of atoms {shown(name)}; known: {', '.join(KINDS)}", text)
    operation = _complete(operation, kind, text)
    _check(operation, kind.demands)
    if kind.forms:
        _check_form(operation, kind)
    _check(operation, kind.last)
    return str(operation)


def layouts_of(text: str) -> Layouts:
    """Whether a table here holds the layouts of an atom's kind: none those of tensor movers, which descriptors say.

    >>> layouts_of("!fly.mma_atom<!fly_rocdl.rdna3.wmma<16x16x16, (f16, f16) -> f32>>")
    'none'
    """
    _, parts = type_parts(text, text)
    kind = KINDS.get(parts[0].partition("<")[0])
    return kind.layouts if kind else "all"


def _spaced(part: str) -> str:
    if "->" not in part:
        part = part.removeprefix("#fly<atomic_op ").removesuffix(">") if part.startswith("#fly<atomic_op ") else part
        return " = ".join(map(_listed, part.split("=")))
    operands, _, result = part.partition("->")
    inside = ", ".join(split(operands.strip()[1:-1], part))
    return f"({inside}) -> {result.strip()}"


def _listed(side: str) -> str:
    side = side.strip()
    return f"[{', '.join(split(side[1:-1], side))}]" if side.startswith("[") and side.endswith("]") else side


def _complete(operation: AtomType, kind: Kind, text: str) -> AtomType:
    known = {*kind.required, *(name for name, _ in (*kind.implied, *kind.optional))}
    settings = operation.settings
    counted = kind.items <= len(operation.items) <= kind.items + kind.more
    if not counted or not settings.keys() >= set(kind.required) or settings.keys() - known:
        names = (*kind.required, *(name for name, _ in kind.implied))
        example = ", ".join([*["..", "(A, B) -> D"][: kind.items], *(f"{name} = .." for name in names)])
        raise NotationError(f"expected {operation.name}<{example}>", text)
    options = {name: settings.get(name, value) for name, value in kind.optional}
    always = [part for part in operation.parts if part.partition(" = ")[0] not in options]
    always += [f"{name} = {value}" for name, value in kind.implied if name not in settings]
    told = [f"{name} = {options[name]}" for name, default in kind.optional if options[name] != default]
    return AtomType(operation.name, (*always, *told))


def _check(operation: AtomType, demands: tuple[Demand, ...]) -> None:
    for holds, sentence in demands:
        if not holds(operation):
            raise NotationError(sentence(operation), str(operation))


def _check_form(operation: AtomType, kind: Kind) -> None:
    try:
        parse_fly_atom(f"!fly.mma_atom<{operation}>")
    except NotationError as error:
        told = next((sentence(operation) for holds, sentence in kind.forms if not holds(operation)), "")
        if told or operation.name == MFMA:
            raise NotationError("\n".join(line for line in (told, str(error)) if line)) from None
