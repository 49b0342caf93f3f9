"""The house is as ARCHITECTURE.md draws it: who imports whom, no cycles, no large files."""

from __future__ import annotations

import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from imports import MODULES, PACKAGE, Import, imports

TABLE = re.compile(r"^\| `(?P<room>[a-z]+)(?:/|\.py)` \|.*\| (?P<allowed>[^|]*) \|$", re.MULTILINE)
FRONT_DOORS = {"tilewright", "autotune", "expr", "compiler", "utils", "script", "target", "_mlir", "__main__"}
# The only circles: a layout asks for its picture; a swizzle alone answers as the composition that it stands for.
LAZY_EDGES = {
    ("tilewright.layout.drawn", "tilewright.figures.draw"),
    ("tilewright.tirx.swizzle_layout", "tilewright.tirx.compose_layout"),
}
HEAVY = {"numpy", "ml_dtypes"}
LAYOUT_HALF = {"errors", "dtypes", "layout", "arch", "atoms", "tensor", "tirx", "notation", "analysis", "figures"}
LAYOUT_HALF |= {"asked", "explorer"}
KERNEL_HALF = {"ir", "variants", "passes", "targets", "runtime", "lang"}
MAX_LINES = 450


@cache
def allowed() -> dict[str, frozenset[str]]:
    """Room -> every room it may import, by the table of ARCHITECTURE.md."""
    text = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text()
    direct = {m["room"]: set(re.findall(r"[a-z]+", m["allowed"])) for m in TABLE.finditer(text)}
    rooms = frozenset(direct)

    def reach(room: str) -> frozenset[str]:
        if "everything" in direct[room]:
            return rooms | FRONT_DOORS
        return frozenset({room}.union(*(reach(other) for other in direct[room] & rooms)))

    return {room: reach(room) for room in rooms}


def room(module: str) -> str:
    """The folder or file right below the package that a module lives in."""
    return module.split(".")[1] if "." in module else module


def is_front_door(module: str) -> bool:
    return room(module) in FRONT_DOORS


def is_known_lazy(edge: Import) -> bool:
    return edge.lazy and (edge.module, edge.target) in LAZY_EDGES


def own() -> list[Import]:
    """What the package imports of itself."""
    return [edge for edge in imports() if edge.target.split(".")[0] == PACKAGE]


def foreign() -> list[Import]:
    """What it imports that is neither its own nor Python's."""
    return [edge for edge in imports() if edge.target.split(".")[0] not in {PACKAGE, *sys.stdlib_module_names}]


def test_every_module_lives_in_a_room_of_the_table() -> None:
    assert {room(module) for module in MODULES} <= set(allowed()) | FRONT_DOORS


def test_only_the_edges_of_the_table() -> None:
    def wrong(edge: Import) -> bool:
        source, target = room(edge.module), room(edge.target)
        if is_front_door(edge.module) or is_known_lazy(edge):
            return False
        return target not in allowed()[source]

    assert [str(edge) for edge in own() if wrong(edge)] == []


def test_front_doors_are_for_users() -> None:
    """The house itself imports the module where a name lives: a door opens every room behind it."""
    doors = {"tilewright", "tilewright.tirx.layout", "tilewright.script.tirx"}
    outside = {"cli", *FRONT_DOORS}
    assert [str(edge) for edge in own() if edge.target in doors and room(edge.module) not in outside] == []


def test_no_cycle_among_modules() -> None:
    """Imports inside functions count too. graphlib raises CycleError, which shows the cycle."""
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for edge in own():
        if edge.target != edge.module and not is_known_lazy(edge):
            graph[edge.module].add(edge.target)
    assert set(TopologicalSorter(graph).static_order()) >= set(MODULES)


def test_the_algebra_imports_nothing_inside_functions() -> None:
    lazy = [edge for edge in own() if edge.lazy and room(edge.module) == "layout"]
    assert [str(edge) for edge in lazy if not is_known_lazy(edge)] == []


def test_layout_half_imports_numpy_only_inside_functions() -> None:
    early = [e for e in foreign() if room(e.module) in {*LAYOUT_HALF, *FRONT_DOORS} and not e.lazy]
    assert [str(edge) for edge in early] == []
    assert [str(e) for e in foreign() if room(e.module) in LAYOUT_HALF and e.target.split(".")[0] not in HEAVY] == []


def test_xdsl_stays_in_the_kernel_half() -> None:
    uses = [edge for edge in foreign() if edge.target.split(".")[0] == "xdsl"]
    assert [str(edge) for edge in uses if room(edge.module) not in {*KERNEL_HALF, "cli"}] == []


def test_files_stay_small() -> None:
    """Two rooms with one job each are easier to live in."""
    lines = {module: len(path.read_text().splitlines()) for module, path in MODULES.items()}
    assert {module: count for module, count in lines.items() if count > MAX_LINES} == {}
