"""`draw`: one name for every kind of picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from types import MappingProxyType
from typing import Any

from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.descriptor.operand import OperandDescriptor
from tilewright.analysis.descriptor.recognise import CanonicalTile
from tilewright.analysis.global_memory.sectors import CoalescingReport
from tilewright.analysis.model.access import Access
from tilewright.analysis.permutation.choices import PermutationChoice, PermutationChoices
from tilewright.analysis.permutation.explained import PermutationExplanation
from tilewright.analysis.permute.schedule import PermuteSchedule
from tilewright.analysis.swizzle.advice import SwizzleAdvice, SwizzleRanking
from tilewright.analysis.swizzle.half_tile import Movement
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import SharedAtom
from tilewright.atoms.tensor_maps import TensorMapArguments
from tilewright.atoms.tiled_copy import ThrCopy, TiledCopy
from tilewright.atoms.tiled_mma import ThrMma, TiledMma
from tilewright.errors import UsageError, shown
from tilewright.figures import (
    access,
    advice,
    banks,
    beside,
    copy,
    counterexample,
    derivation,
    element,
    layout_grid,
    memory_grid,
    mma,
    operand,
    permutation,
    phases,
    placement,
    rounds,
    sectors,
    shared_tile,
    staging,
    swizzle,
    thread_value,
    walk,
)
from tilewright.figures.figure import Figure
from tilewright.figures.highlight import highlight as colored
from tilewright.figures.highlight import owned, slices
from tilewright.figures.trace import picture as trace
from tilewright.figures.trace.model import Trace
from tilewright.figures.views import view
from tilewright.layout.steps import Derivation
from tilewright.layout.witness import Counterexample
from tilewright.tirx.explain import ElementSteps

KINDS: Mapping[str, Callable[..., Figure]] = MappingProxyType(
    {
        "grid": layout_grid.picture,
        "tv": thread_value.picture,
        "banks": banks.picture,
        "phases": phases.picture,
        "memory": memory_grid.picture,
        "mma": mma.picture,
        "copy": copy.picture,
        "swizzle": swizzle.picture,
        "staging": staging.picture,
        "compare": beside.picture,
        "derivation": derivation.picture,
        "permutation": permutation.picture,
        "sectors": sectors.picture,
        "advice": advice.picture,
        "placement": placement.picture,
        "shared_tile": shared_tile.picture,
        "permute": rounds.picture,
        "trace": trace.picture,
        "walk": walk.picture,
        "operand": operand.picture,
        "element": element.picture,
        "access": access.picture,
        "counterexample": counterexample.picture,
    }
)


# What objects are drawn as if nothing is said; else as a grid.
OWN: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "mma": (MmaAtom, TiledMma),
        "copy": (CopyAtom, TiledCopy),
        "staging": (Movement,),
        "phases": (BankReport,),
        "sectors": (CoalescingReport,),
        "advice": (SwizzleAdvice,),
        "derivation": (Derivation,),
        "permute": (PermuteSchedule,),
        "trace": (Trace, trace.Recorded),
        "permutation": (PermutationChoice, PermutationChoices),
        "walk": (PermutationExplanation,),
        "operand": (OperandDescriptor, TensorMapArguments, CanonicalTile, SharedAtom),
        "element": (ElementSteps,),
        "access": (Access,),
        "counterexample": (Counterexample,),
    }
)
BY_ELEMENT = ("grid", "banks", "memory", "placement", "shared_tile")  # pictures in which slices can be highlighted
BY_OWNER = ("tv", "mma", "copy", "access")  # threads and values


def draw(obj: object, *, kind: str | None = None, highlight: Sequence[object] = (), **options: object) -> Figure:
    """A picture of a layout, an atom or a tiled operation, as a `Figure` to show, print or save.

    Args:
        obj: a layout of any kind, a `Tensor`, an MMA or copy atom, a tiled MMA or copy, a swizzle, a `Movement`, a
            `BankReport`, a `CoalescingReport`, a `SwizzleAdvice`, a `Derivation`, a choice of permutations or its
            explanation, a `PermuteSchedule`, a kernel's trace, the steps of `explain_element`; what `tw.descriptor`,
            `tw.tensor_map` and `tw.recognise` give, a shared-memory atom;
            a thread of a tiled MMA or copy, whose part is coloured; an operand `(mma, "A")` or a side `(copy, "S")`; an
            `Access`; what `tw.counterexample` gives.
        kind: `grid` (coordinates and what the layout answers), `tv` (the tile of a thread-value layout),
            `banks` (a tile in shared memory and what an access asks of the banks), `phases` (what a bank report
            says that it asks), `memory` (lines of banks and the elements in them), `mma` (the operands of an MMA),
            `copy` (both sides of a copy), `swizzle` (bits and numbers before and after) or `staging` (a movement
            through shared memory), `compare` (a layout beside another), `derivation` (operands, result and steps),
            `permutation` (who owns what for each R, or in a tile), `sectors` (of a coalescing report), `advice`
            (banks before and after), `placement` (a tile beside the places of its named axes), `shared_tile` (a tile
            beside the banks that hold it), `permute` (a schedule's rounds), `trace` (moments of a kernel), `walk`
            (from an atom to the tile), `element` (of a placement: its way to its places), `operand` (of a descriptor,
            a tensor map, a recognised tile, a shared-memory atom: where its elements lie), `access` (who accesses which
            element) or `counterexample` (the elements that break a property). None: the kind that the object has of
            its own, `grid` for a layout.
        highlight: what alone is coloured: of layouts slices, coordinates with None or slices for what is free, such as
            `[(None, 3), (0, None)]`; in pictures of owners threads or (thread, value), such as
            `[5, (7, slice(0, 2))]`.
        options: those of the kind; each kind has a file with a function `picture` that explains them.

    Raises:
        UsageError: an unknown kind or option, an object that has no such picture, more than 65536 cells.

    >>> from tilewright.layout.layout import Layout
    >>> print(draw(Layout((2, 4), (4, 1))).text())
    (2,4):(4,1)
    <BLANKLINE>
    down: mode 0: 2:4
    right: mode 1: 4:1
      0 1 2 3
    0 0 1 2 3
    1 4 5 6 7
    <BLANKLINE>
    offset:  0   1   2   3   4   5   6   7
    <BLANKLINE>
    in each cell: the offset, in elements
    <BLANKLINE>
    """
    obj, told = _of_pair(obj)
    obj, highlight = _part(obj, highlight)
    options = _both(told, options)
    kind = _kind(obj) if kind is None else kind
    if not isinstance(kind, str) or kind not in KINDS:
        raise UsageError(f"unknown kind of picture {shown(kind)}; choose {' or '.join(KINDS)}")
    _check(kind, options)
    figure = KINDS[kind](obj, **options)
    return _highlighted(figure, obj, kind, highlight, options) if len(highlight) else figure


def _of_pair(obj: object) -> tuple[object, dict[str, object]]:
    """What is drawn of a pair, an operation and the letter of an operand or a side, and the options that say so."""
    match obj:
        case (MmaAtom() | TiledMma() | ThrMma() as mma, word):
            return mma, {"operands": word}
        case (CopyAtom() | TiledCopy() | ThrCopy() as copied, word):
            return copied, {"side": word}
    return obj, {}


def _both(told: dict[str, object], options: dict[str, object]) -> dict[str, object]:
    for name in told.keys() & options.keys():
        raise UsageError(f"the pair says {name}={shown(told[name])}, and so does the option: {shown(options[name])}")
    return told | options


def _part(obj: object, highlight: object) -> tuple[object, Sequence[object]]:
    """What is drawn, and what is coloured in it: of one thread of a tiled operation this operation, and the thread.

    Of a ranking it is the best.
    """
    if not isinstance(highlight, list | tuple):
        raise UsageError(f"highlight is a list of coordinates such as [(None, 3)], got {shown(highlight)}")
    if isinstance(highlight, tuple) and any(one is None or isinstance(one, slice) for one in highlight):
        raise UsageError(f"highlight is a list of coordinates, and one is given: write highlight=[{shown(highlight)}]")
    if isinstance(obj, SwizzleRanking) and obj:
        return obj[0], highlight
    if isinstance(obj, ThrCopy | ThrMma):
        whole = obj.tiled_copy if isinstance(obj, ThrCopy) else obj.tiled_mma
        return whole, highlight or [obj.thread]
    return obj, highlight


def _kind(obj: object) -> str:
    return next((kind for kind, types in OWN.items() if isinstance(obj, types)), "grid")


def _highlighted(figure: Figure, obj: object, kind: str, asked: Sequence[object], options: Mapping[str, Any]) -> Figure:
    if kind in BY_ELEMENT:
        return colored(figure, slices(view(obj, options.get("shape")), asked))
    if kind in BY_OWNER:
        return colored(figure, owned(figure.scene.panels, asked))
    raise UsageError(f"a {kind} picture has nothing to highlight; {', '.join(BY_ELEMENT + BY_OWNER)} pictures have")


def _check(kind: str, options: Mapping[str, Any]) -> None:
    known = dict(list(signature(KINDS[kind]).parameters.items())[1:])
    unknown = [name for name in options if name not in known]
    if unknown:
        raise UsageError(f"a {kind} picture has no option {shown(unknown[0])}; it has {', '.join(known)}")
    missing = [name for name, option in known.items() if option.default is option.empty and name not in options]
    if missing:
        raise UsageError(f"a {kind} picture needs {missing[0]}")
    if not isinstance(options.get("title", ""), str | None):
        raise UsageError(f"a picture's title is a text, got {shown(options['title'])}")
