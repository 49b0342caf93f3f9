"""`tilewright atoms [NAME]`: lists and searches the atoms, and shows one: layouts, instruction, picture."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from tilewright.atoms import CopyAtom, MmaAtom, SharedAtom, catalog
from tilewright.atoms.find import find
from tilewright.atoms.in_values import in_values
from tilewright.atoms.shared_atoms import shared_atom
from tilewright.cli.pictures import add_output, save
from tilewright.cli.subparsers import Subparsers
from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.figures import draw
from tilewright.numerals import natural as read

if TYPE_CHECKING:
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.layout import Layout

SHOWN = 40
MAX_BITS = 2**31


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser("atoms", help=words, description=f"{words}.")
    parser.add_argument("name", nargs="*", metavar="NAME", help="an atom's name, or words of names or of instructions")
    parser.add_argument("--kind", choices=["mma", "copy", "smem"], default="", help="only these")
    parser.add_argument("--arch", default="", help="only those of an architecture, such as sm_80 or gfx942")
    parser.add_argument("--dtype", default="", metavar="TYPE", help="only MMA atoms that multiply this type")
    parser.add_argument("--element", default="", metavar="TYPE", help="show a copy in elements of this type or width")
    parser.add_argument("--all", action="store_true", help=f"list all names (default: the first {SHOWN})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_output(parser)


def run(args: argparse.Namespace) -> int:
    """Lists the atoms that the words fit, or shows the one of that name."""
    words = " ".join(args.name)
    names = _of_type(args.dtype, catalog.list(words, kind=args.kind, arch=args.arch))
    chosen = words if words in names or (words and not names) else names[0] if len(names) == 1 else None
    if chosen is None:
        _list(names, args)
        return 0
    found = _find(chosen, args.kind)
    if isinstance(found, SharedAtom):
        _show(args, *_shared(found, _bits(args.element) if args.element else 16))
    else:
        atom = _with_element(found, args.element)
        _show(args, atom, _data(atom), _page(atom))
    return 0


def _of_type(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those whose A or B has elements of that type; all, if none is named."""
    multiplying = {atom.name for atom in (*find(a=name), *find(b=name))} if name else set(names)
    return tuple(own for own in names if own in multiplying)


def _show(args: argparse.Namespace, drawn: object, data: dict[str, object], page: str) -> None:
    path = save(draw(drawn), args) if args.output else None
    print(json.dumps(data, indent=2) if args.json else page)
    if path and not args.json:
        print(f"wrote {path}")


def _shared(atom: SharedAtom, bits: int) -> tuple[Layout | ComposedLayout, dict[str, object], str]:
    """The layout of operands in shared memory in elements of so many bits, its facts, and its page."""
    layout, mode = atom.layout(bits), atom.mode
    facts = {"name": atom.name, "arch": atom.arch, "major": atom.major, "mode": mode.name, "element_bits": bits}
    page = (
        f"{atom}: {layout}, in elements of {bits} bits\n  {atom.major}-major, mode {mode.name}, from {atom.arch} on\n"
        f"  tiles start at multiples of {mode.alignment} bytes; {mode.tensor_map}"
    )
    return layout, {"kind": "smem", **facts, "layout": str(layout), "alignment_bytes": mode.alignment}, page


def _find(name: str, only: str) -> MmaAtom | CopyAtom | SharedAtom:
    """The atom; a name in CUTLASS's spelling need not be in the list."""
    refused: list[UsageError] = []
    finders: dict[str, Callable[[str], MmaAtom | CopyAtom | SharedAtom]]
    finders = {"mma": catalog.mma, "copy": catalog.copy, "smem": shared_atom}
    for kind, finder in finders.items():
        if only in ("", kind):
            try:
                return finder(name)
            except UsageError as error:
                refused.append(error)
    raise next((error for error in refused if "close names" in str(error)), refused[0])


def _with_element(atom: MmaAtom | CopyAtom, element: str) -> MmaAtom | CopyAtom:
    if isinstance(atom, MmaAtom):
        if element:
            raise UsageError("--element is for copy atoms; an MMA atom has its element types")
        return atom
    if element:
        return atom.with_element(_bits(element))
    return in_values(atom)


def _bits(element: str) -> int:
    return read(element, MAX_BITS) or dtype(element).bits


def _list(names: tuple[str, ...], args: argparse.Namespace) -> None:
    for option, given, does in (("-o", args.output, "draws"), ("--element", args.element, "shows")):
        if given:
            raise UsageError(f"{option} {does} one atom, and {len(names)} fit; give its name")
    if args.json:
        print(json.dumps(names, indent=2))
        return
    shown = names if args.all else names[:SHOWN]
    print("\n".join(shown))
    more = len(names) - len(shown)
    print(f"{len(names)} atoms" + (f", {more} more not shown: add words, or --all" if more else ""))


def _page(atom: MmaAtom | CopyAtom) -> str:
    lines = [str(atom), f"  instruction {atom.instruction or '-'}", f"  source {atom.source or '-'}"]
    if isinstance(atom, MmaAtom):
        held = ", ".join(f"{x} in {space}" for x, space in zip("ABC", atom.spaces, strict=True))
        lines.append(f"  {held}" + (f"; sparse 1:{atom.sparsity}" if atom.sparsity > 1 else ""))
        if atom.scale:
            lines.append(f"  one {atom.scale[0]} scale for {atom.scale[1]} elements along K")
    else:
        lines.append(f"  addresses are multiples of {atom.alignment} bytes" + ("; completes later" * atom.asynchronous))
    return "\n".join(lines)


def _data(atom: MmaAtom | CopyAtom) -> dict[str, object]:
    common = {"name": atom.name, "arch": atom.arch, "instruction": atom.instruction, "source": atom.source}
    if isinstance(atom, MmaAtom):
        layouts = {f"tv_layout_{x}": str(atom.tv_layout(x)) for x in "ABC"}
        facts = {"shape_mnk": atom.shape_mnk, "types": atom.types, "spaces": atom.spaces, "replicas": atom.replicas}
        return {"kind": "mma", **common, **facts, "thr_layout": str(atom.thr_layout), **layouts}
    sides = {f"tv_layout_{x}": str(getattr(atom, f"tv_layout_{x}")) for x in ("src", "dst", "ref")}
    numbers = {"val_bits": atom.val_bits, "alignment": atom.alignment, "spaces": atom.spaces}
    return {"kind": "copy", **common, **numbers, "thr_layout": str(atom.thr_layout), **sides}
