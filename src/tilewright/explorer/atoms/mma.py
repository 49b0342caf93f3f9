"""An MMA atom, alone or tiled, from the tab's fields."""

from __future__ import annotations

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.explorer import reading
from tilewright.explorer.atoms.held import Part
from tilewright.explorer.atoms.shown import Shown, machine
from tilewright.explorer.atoms.stored import LOADS, STORES, Wanted
from tilewright.explorer.fields import Inputs, blaming
from tilewright.figures import mma as picture

OPERANDS = {"A": 1, "B": 2, "C": 0}  # and which of the types of D, A, B, C their elements have


def shown(inputs: Inputs) -> Shown:
    """Its operands beside each other, and each in shared memory."""
    with blaming("mma"):
        atom = catalog.mma(inputs.text("mma").strip())
    tiled = _tiled(inputs, atom)
    with blaming("mma"):
        scene = picture.picture(tiled or atom, color=inputs.text("color")).scene
        parts = tuple(_part(tiled or atom, atom, operand) for operand in OPERANDS)
    return Shown(scene, parts, _facts(atom, tiled, parts), _wanted(inputs, atom, tiled), _python(inputs, tiled))


def _tiled(inputs: Inputs, atom: MmaAtom) -> TiledMma | None:
    """What is tiled of the atom; None where nothing is said. A refusal is of the first field that needs it."""
    permuted, given = reading.permutations(inputs), inputs.text("layout").strip()
    if not given and not any(permuted):
        return None
    layout = reading.layout(inputs, "layout") if given else None
    with blaming("layout" if given else "mma"):
        tiled = make_tiled_mma(atom, layout)
    for count, name in enumerate(reading.MODES, 1):
        with blaming(name):
            tiled = make_tiled_mma(atom, layout, (*permuted[:count], *(None,) * (3 - count)))
    return tiled


def _part(source: MmaAtom | TiledMma, atom: MmaAtom, operand: str) -> Part:
    tv = source.tv_layout(operand) if isinstance(source, MmaAtom) else source.tiled_tv_layout(operand)
    return Part(operand, tv, atom.dtypes[OPERANDS[operand]].bits, atom.spaces["ABC".index(operand)])


def _facts(atom: MmaAtom, tiled: TiledMma | None, parts: tuple[Part, ...]) -> tuple[tuple[str, str], ...]:
    tile = "x".join(map(str, tiled.tile_size_mnk if tiled else atom.shape_mnk))
    threads = ("threads (V,M,N,K)", tiled.thr_layout_vmnk) if tiled else ("thread -> lane", atom.thr_layout)
    return (
        ("instruction", atom.instruction or "-"),
        ("since", atom.arch),
        ("D, A, B, C", ", ".join(atom.types)),
        ("tile", tile + (f", {atom.blocks} blocks" if atom.blocks > 1 else "")),
        ("threads", str(parts[0].threads)),
        (threads[0], str(threads[1])),
        *((f"{part.name}: (thread, value)", str(part.tv)) for part in parts),
    )


def _wanted(inputs: Inputs, atom: MmaAtom, tiled: TiledMma | None) -> tuple[Wanted, ...]:
    """A and B; and results of 16 bits, which are stored by matrices. Several blocks are no tile."""
    if atom.blocks > 1:
        return ()
    source, spec = tiled or make_tiled_mma(atom), machine(inputs, atom)
    operands = ("A", "B", "C") if atom.dtypes[0].bits == 16 else ("A", "B")
    return tuple(
        Wanted(
            operand,
            (source, operand),
            f'(mma, "{operand}")',
            source.tile(operand),
            atom.dtypes[OPERANDS[operand]].bits,
            spec,
            _copies(atom, operand),
        )
        for operand in operands
    )


def _copies(atom: MmaAtom, operand: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The copy atoms that load or store the operand's registers; a descriptor takes none."""
    if atom.spaces["ABC".index(operand)] != "register":
        return ((), ())
    return STORES if operand == "C" else LOADS


def _python(inputs: Inputs, tiled: TiledMma | None) -> str:
    layout = inputs.text("layout").strip()
    given = f"tw.parse({layout!r})" if layout else "None"
    source = f"tw.make_tiled_mma(atom, {given}, {reading.permutations_in_python(inputs)})" if tiled else "atom"
    tv = "tiled_tv_layout" if tiled else "tv_layout"
    return f"""import tilewright as tw

atom = tw.atoms.mma({inputs.text("mma").strip()!r})
mma = {source}
for operand in "ABC":
    part = mma.{tv}(operand)
    print(operand, part, [part({inputs.number("thread")}, value) for value in range(part[1].size)])
tw.draw(mma)
"""
