"""What an MMA or a copy gives the tab to show, and the architecture that it is asked about."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.arch import get as get_arch
from tilewright.arch.spec import ArchSpec
from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.explorer.atoms.held import Part
from tilewright.explorer.atoms.stored import Wanted
from tilewright.explorer.fields import Inputs
from tilewright.figures.scene import Scene

ANY = "any"
ARCHS = ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_103a", "sm_120a")
AMD = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
# Where an atom runs if nobody says it: the first of them that has it.
USUAL = ("sm_90", "sm_90a", "sm_100a", "sm_120a", "gfx942", *AMD)


@dataclass(frozen=True, slots=True)
class Shown:
    """The picture, whose panels are the parts in their order; facts; what shared memory is to feed; lines of Python."""

    scene: Scene
    parts: tuple[Part, ...]
    facts: tuple[tuple[str, str], ...]
    wanted: tuple[Wanted, ...]
    python: str


def chosen(inputs: Inputs, name: str) -> str | None:
    """A choice; None for any."""
    text = inputs.text(name)
    return None if text == ANY else text


def machine(inputs: Inputs, atom: MmaAtom | CopyAtom) -> ArchSpec:
    """The architecture that is chosen, if it has the atom; else a usual one that has it."""
    given = chosen(inputs, "arch")
    specs = [get_arch(name) for name in ((given,) if given else ()) + USUAL]
    return next((spec for spec in specs if has_atom(spec, atom)), specs[0])
