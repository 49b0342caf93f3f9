"""A copy atom, alone or tiled, from the tab's fields."""

from __future__ import annotations

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.in_values import in_values
from tilewright.atoms.tiled_copy import TiledCopy, make_tiled_copy_tv
from tilewright.explorer import reading
from tilewright.explorer.atoms.held import Part
from tilewright.explorer.atoms.shown import Shown, machine
from tilewright.explorer.atoms.stored import Wanted
from tilewright.explorer.fields import FieldError, Inputs, blaming
from tilewright.figures import copy as picture

OWN = "as the atom"
ROWS = 64  # of the tile that an atom alone is to copy


def shown(inputs: Inputs) -> Shown:
    """Source and destination beside each other, and the side in shared memory."""
    atom = _atom(inputs)
    tiled = _tiled(inputs, atom)
    with blaming("thr" if tiled else "copy"):
        scene = picture.picture(tiled or atom, color=inputs.text("color")).scene
    sides = (tiled.tiled_tv_layout_S, tiled.tiled_tv_layout_D) if tiled else (atom.tv_layout_src, atom.tv_layout_dst)
    parts = tuple(
        Part(name, tv, atom.val_bits, space)
        for name, tv, space in zip(("source", "destination"), sides, atom.spaces, strict=True)
    )
    facts = (
        ("instruction", atom.instruction or "-"),
        ("since", atom.arch),
        ("elements", f"{atom.val_bits} bits"),
        *((("tile", "x".join(map(str, tiled.tile_shape))),) if tiled else ()),
        ("threads", str(parts[0].threads)),
        ("bits a thread at once", str(atom.bits_per_thread)),
        ("addresses", f"multiples of {atom.alignment} bytes" + "; completes later" * atom.asynchronous),
        *((f"{part.name}: (thread, value)", str(part.tv)) for part in parts),
    )
    return Shown(scene, parts, facts, _wanted(inputs, atom, tiled), _python(inputs, atom, tiled))


def _atom(inputs: Inputs) -> CopyAtom:
    with blaming("copy"):
        atom = in_values(catalog.copy(inputs.text("copy").strip()))
    element = inputs.text("element")
    with blaming("element"):
        return atom if element == OWN else atom.with_element(element)


def _tiled(inputs: Inputs, atom: CopyAtom) -> TiledCopy | None:
    """What is tiled of the atom; None where no threads are said."""
    if not inputs.text("thr").strip():
        if inputs.text("val").strip():
            raise FieldError("thr", "values of a thread need a thread layout, such as (32,8):(8,1)")
        return None
    threads = reading.layout(inputs, "thr")
    values = reading.layout(inputs, "val") if inputs.text("val").strip() else None
    with blaming("val" if values is not None else "thr"):
        tiled = make_tiled_copy_tv(atom, threads, values)
        if len(tiled.tile_shape) > 2:
            raise FieldError("thr", f"a tile has one or two dimensions here, not {len(tiled.tile_shape)}")
        return tiled


def _wanted(inputs: Inputs, atom: CopyAtom, tiled: TiledCopy | None) -> tuple[Wanted, ...]:
    """The side in shared memory; where the atom has none, and may be used there, the source."""
    if "shared" not in atom.spaces and any(atom.spaces):
        return ()
    shape = tiled.tile_shape if tiled else (ROWS, 1)
    plane = (shape[0], shape[1]) if len(shape) == 2 else (shape[0], 1)
    side = None if "shared" in atom.spaces else "S"
    name = "destination" if atom.spaces[1] == "shared" else "source"
    return (Wanted(name, tiled or atom, "copy", plane, atom.val_bits, machine(inputs, atom), side=side),)


def _python(inputs: Inputs, atom: CopyAtom, tiled: TiledCopy | None) -> str:
    threads, values = inputs.text("thr").strip(), inputs.text("val").strip()
    given = f"tw.parse({threads!r})" + (f", tw.parse({values!r})" if values else "")
    source = f"tw.make_tiled_copy_tv(atom, {given})" if tiled else "atom"
    sides = "(copy.tiled_tv_layout_S, copy.tiled_tv_layout_D)" if tiled else "(copy.tv_layout_src, copy.tv_layout_dst)"
    return f"""import tilewright as tw

atom = tw.atoms.copy({inputs.text("copy").strip()!r}).with_element({atom.val_bits})
copy = {source}
for side in {sides}:
    print(side, [side({inputs.number("thread")}, value) for value in range(side[1].size)])
tw.draw(copy)
"""
