"""The house is as ARCHITECTURE.md draws it: who imports whom, no cycles, no large files."""

from __future__ import annotations

import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from imports import MODULES, PACKAGE, Import, imports_of

TABLE = re.compile(r"^\| `(?P<room>[a-z]+)(?:/|\.py)` \|.*\| (?P<allowed>[^|]*) \|$", re.MULTILINE)
FRONT_DOORS = {"tilewright", "expr", "compiler", "script", "target", "__main__"}
LAZY_EDGES = {("layout", "figures")}  # _repr_svg_
HEAVY = {"numpy", "ml_dtypes"}
LAYOUT_HALF = {"errors", "dtypes", "layout", "arch", "atoms", "tirx", "notation", "analysis", "figures", "explorer"}
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


EDGES = [edge for module in MODULES for edge in imports_of(module)]
OWN = [edge for edge in EDGES if edge.target.split(".")[0] == PACKAGE]
FOREIGN = [edge for edge in EDGES if edge.target.split(".")[0] not in {PACKAGE, *sys.stdlib_module_names}]


def test_every_module_lives_in_a_room_of_the_table() -> None:
    assert {room(module) for module in MODULES} <= set(allowed()) | FRONT_DOORS


def test_only_the_edges_of_the_table() -> None:
    def wrong(edge: Import) -> bool:
        source, target = room(edge.module), room(edge.target)
        if is_front_door(edge.module) or (edge.lazy and (source, target) in LAZY_EDGES):
            return False
        return target not in allowed()[source]

    assert [str(edge) for edge in OWN if wrong(edge)] == []


def test_no_cycle_among_modules() -> None:
    """graphlib raises CycleError, which shows the cycle."""
    early = [edge for edge in OWN if not edge.lazy and edge.target != edge.module]
    graph = {module: {edge.target for edge in early if edge.module == module} for module in MODULES}
    assert set(TopologicalSorter(graph).static_order()) >= set(MODULES)


def test_layout_half_imports_numpy_only_inside_functions() -> None:
    early = [e for e in FOREIGN if room(e.module) in {*LAYOUT_HALF, *FRONT_DOORS} and not e.lazy]
    assert [str(edge) for edge in early] == []
    assert [str(e) for e in FOREIGN if room(e.module) in LAYOUT_HALF and e.target.split(".")[0] not in HEAVY] == []


def test_xdsl_stays_in_the_kernel_half() -> None:
    uses = [edge for edge in FOREIGN if edge.target.split(".")[0] == "xdsl"]
    assert [str(edge) for edge in uses if room(edge.module) not in {*KERNEL_HALF, "cli"}] == []


def test_files_stay_small() -> None:
    """Two rooms with one job each are easier to live in."""
    lines = {module: len(path.read_text().splitlines()) for module, path in MODULES.items()}
    assert {module: count for module, count in lines.items() if count > MAX_LINES} == {}
