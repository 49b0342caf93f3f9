"""What the readings of a Triton dump's operations share: its types, its machine, and what happens to a tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilewright.arch import ArchSpec, names
from tilewright.arch import get as get_arch
from tilewright.dumps.triton.buffers import buffer_of, view_of
from tilewright.dumps.triton.flow import Key, Scope
from tilewright.errors import LayoutError, UsageError
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_signature import divisors_of
from tilewright.notation.ttgir_types import Tiled, Types
from tilewright.numerals import natural

if TYPE_CHECKING:
    from tilewright.dumps.triton.axes import Axes
    from tilewright.dumps.triton.pointers import Affine, Refused

# Whose waves of 32 lanes a chip is read with that is not known.
NARROW = "gfx1201"


@dataclass(frozen=True)
class Context:
    """A dump's types, its architecture, which operation defines a value, and what divides a function's arguments.

    `lanes` are those of a warp, `warps` of a block or of a part of its warps, as far as the dump says so. `steps`,
    `endless` and `axes` are what has been found of the values of a function.
    """

    types: Types
    spec: ArchSpec
    definitions: Scope
    divisors: dict[str, int] = field(default_factory=dict)
    lanes: int | None = None
    warps: tuple[int, ...] = ()
    steps: dict[Key, Affine | Refused] = field(default_factory=dict)
    endless: dict[Key, Refused] = field(default_factory=dict)
    axes: dict[Key, Axes] = field(default_factory=dict)

    def check_warps(self, op: Op) -> None:
        """Refuses layouts of other warps than those of the dump.

        Raises:
            LayoutError: a tensor has more lanes or warps, or fewer.
        """
        for tiled in map(self.types.tiled, (*op.inputs, *op.outputs)):
            if tiled is not None and tiled.kind == "tensor" and tiled.encoding is not None:
                held = dict(tiled.layout.ins)
                if self.lanes and held.get("lane", self.lanes) != self.lanes:
                    raise LayoutError(f"a layout of {held['lane']} lanes in a dump whose warps have {self.lanes}")
                if self.warps and held.get("warp") not in (None, *self.warps):
                    told = " or ".join(map(str, self.warps))
                    raise LayoutError(f"a layout of {held['warp']} warps in a dump whose ttg.num-warps is {told}")

    def enter(self, op: Op) -> None:
        """The arguments of a function, with what their `tt.divisibility` says."""
        for of_another in (self.divisors, self.steps, self.endless, self.axes):
            of_another.clear()
        self.divisors.update(divisors_of(op.words))

    def tile(self, texts: tuple[str, ...], kind: str, which: int = 0) -> Tiled:
        """The `which`-th type of that kind.

        Raises:
            LayoutError: there is none.
        """
        found = [tiled for tiled in map(self.types.tiled, texts) if tiled is not None and tiled.kind == kind]
        if len(found) <= which:
            raise LayoutError(f"the operation names no {kind} type that could be read")
        return found[which]

    def accessed(self, op: Op, letter: str = "") -> str:
        """The buffer of shared memory that the operation accesses by that operand; empty where it is not known."""
        view = view_of(op, letter)
        return buffer_of(view, self.definitions) if view else ""


def arch_of(target: str, default: str | None) -> ArchSpec:
    """The architecture of `cuda:90` or `hip:gfx942`; `default` where the dump names none.

    Raises:
        UsageError: neither says one, or it is unknown.

    >>> arch_of('"cuda:90"', None).name, arch_of("hip:gfx942", None).name
    ('sm_90', 'gfx942')
    """
    vendor, _, name = target.strip('"').partition(":")
    if default is not None:
        return get_arch(default)
    if vendor == "cuda" and natural(name, 1000) is not None:
        return get_arch(f"sm_{name}")
    if vendor == "hip":
        return get_arch(NARROW if stranger(target) else chip_of(target))
    raise UsageError("the dump does not say ttg.target; give --arch")


def chip_of(target: str) -> str:
    """The chip of a target, without what it is made with.

    >>> chip_of('"cuda:90"'), chip_of("hip:gfx942:sramecc+")
    ('90', 'gfx942')
    """
    return target.strip('"').partition(":")[2].partition(":")[0]


def stranger(target: str) -> str:
    """The chip of AMD that a dump names and that is not known here, else nothing.

    >>> stranger("hip:gfx1250"), stranger("hip:gfx942")
    ('gfx1250', '')
    """
    vendor, chip = target.strip('"').partition(":")[0], chip_of(target)
    return chip if vendor == "hip" and chip.startswith("gfx") and chip not in names() else ""


def moved_by(tile: Tiled) -> Callable[[int], int] | None:
    """Where an offset of a padded tile really lies; None where nothing is padded."""
    gaps = tile.paddings
    if not gaps:
        return None
    return lambda offset: offset + sum(offset // gap.interval * gap.padding for gap in gaps)
