"""What `tilewright show` prints of an atom, a tiled MMA or a tiled copy: who holds what, and its C++ type."""

from __future__ import annotations

import argparse
import json
from typing import TypeAlias, get_args

from tilewright.atoms import CopyAtom, MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.cli import show_picture
from tilewright.errors import LayoutError, UsageError
from tilewright.notation import text, to_cpp

Atom: TypeAlias = MmaAtom | CopyAtom | TiledMma | TiledCopy

ATOMS = get_args(Atom)
VIEWS = ("all", "cpp")


def show_atom(x: Atom, args: argparse.Namespace) -> int:
    """Prints it, and draws it where a file is named; status 1 where its type is asked for and C++ has none.

    Raises:
        UsageError: another notation is asked for.
    """
    if args.view not in VIEWS:
        raise UsageError(f"an atom exists in the notation cpp, not in {args.view}")
    try:
        cpp, refused = to_cpp(x), ""
    except LayoutError as error:
        cpp, refused = "", f"no \u2014 {error}"
    path = show_picture.picture(x, args)
    if args.json:
        print(json.dumps({"object": text(x), "kind": type(x).__name__, **_held(x), "cpp": cpp or None}, indent=2))
    else:
        print("\n".join(_page(x, args.view, cpp or refused)))
    if path and not args.json:
        print(f"picture   {path}")
    return 1 if refused and args.view == "cpp" else 0


def _page(x: Atom, view: str, cpp: str) -> list[str]:
    if view == "cpp":
        return [cpp]
    held = [f"  {name}   {layout}" for name, layout in _held(x).items()] if isinstance(x, TiledMma | TiledCopy) else []
    return [str(x), *held, f"cpp: {cpp}"]


def _held(x: Atom) -> dict[str, str]:
    """(thread, value) -> element, of each operand or side."""
    if isinstance(x, MmaAtom):
        return {operand: str(x.tv_layout(operand)) for operand in "ABC"}
    if isinstance(x, TiledMma):
        return {operand: str(x.tiled_tv_layout(operand)) for operand in "ABC"}
    if isinstance(x, CopyAtom):
        return {"S": str(x.tv_layout_src), "D": str(x.tv_layout_dst)}
    return {"S": str(x.tiled_tv_layout_S), "D": str(x.tiled_tv_layout_D)}
