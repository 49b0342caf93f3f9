"""The names of the script language, `T.*` and `Tx.*`, as inert values.

A kernel's body is never executed: the front end reads its source, resolves a name such as `T.serial` to the
`Name` below, and looks up what it does in `lang.calls`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.dtypes import DTYPES
from tilewright.errors import KernelError
from tilewright.ir.tile.ops import ATOMICS
from tilewright.ir.tile.together import BAR_KINDS, SHUFFLES, VOTES


@dataclass(frozen=True)
class Name:
    """One function of the language; `path` is how it is written after `T.`."""

    path: str

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Refuses: the language is read, not run."""
        raise KernelError(f"T.{self.path} has a meaning only inside a kernel, a function under @T.prim_func")


@dataclass(frozen=True)
class Annotation(Name):
    """A name that annotates a parameter; Python itself calls it when the kernel is defined."""

    def __call__(self, *arguments: Any, **options: Any) -> Annotation:
        """Stands for itself; its arguments are read from the source."""
        return self


@dataclass(frozen=True)
class Instruction(Name):
    """An instruction of PTX as far as it is written: attributes are its modifiers, `::` written `__`.

    Python's own words have `_` behind. `T.ptx["cp.async.wait_all"]` is `T.ptx.cp.async_.wait_all`.
    """

    def __getattr__(self, word: str) -> Instruction:
        if word.startswith("__") and word.endswith("__"):
            raise AttributeError(word)
        return Instruction(f"{self.path}.{word}")


@dataclass(frozen=True)
class Primitive(Name):
    """A tile primitive, with the threads that execute it together."""

    scope: str = "thread"


@dataclass(frozen=True)
class Namespace:
    """A group of names: `T.cuda`, `Tx.warp`."""

    path: str
    names: Mapping[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            return self.names[name]
        except KeyError:
            raise AttributeError(f"T.{self.path} has no {name!r}; it has {', '.join(self.names)}") from None


SCOPES = ("thread", "warp", "wg", "warpgroup", "cta", "cluster")
PRIMITIVES = ("permute_layout",)
FUNCTIONS = (
    "match_buffer",
    "device_entry",
    "cta_id",
    "thread_id",
    "warp_id",
    "lane_id",
    "serial",
    "unroll",
    "grid",
    "alloc_buffer",
    "alloc_local",
    "alloc_shared",
    "decl_buffer",
    "SMEMPool",
    "meta_var",
    "cast",
    "if_then_else",
    "address_of",
    "min",
    "max",
)


def _scoped(scope: str, prefix: str = "") -> Namespace:
    path = f"{prefix}{scope}"
    return Namespace(path, {op: Primitive(f"{path}.{op}", scope) for op in PRIMITIVES})


_BARE = {op: Primitive(op) for op in PRIMITIVES}
_SCOPED = {scope: _scoped(scope) for scope in SCOPES}
_TILE = {**{op: Primitive(f"tile.{op}") for op in PRIMITIVES}, **{scope: _scoped(scope, "tile.") for scope in SCOPES}}

tile = Namespace("tile", {**_TILE, "tile": Namespace("tile", _TILE)})
# What the lanes of a warp do together, by CUDA's names.
SHUFFLE_NAMES: Mapping[str, str] = {"__shfl_sync" if k == "idx" else f"__shfl_{k}_sync": k for k in SHUFFLES}
VOTE_NAMES: Mapping[str, str] = {f"{kind}_sync": kind for kind in VOTES}
REDUCTIONS: Mapping[str, str] = {"warp_sum": "+", "warp_max": "max", "warp_min": "min"}
ATOMIC_NAMES: Mapping[str, str] = {f"atomic_{kind}": kind for kind in ATOMICS}
_CUDA = ("warp_sync", "cta_sync", *ATOMIC_NAMES, *SHUFFLE_NAMES, *VOTE_NAMES, *REDUCTIONS)
cuda = Namespace("cuda", {name: Name(f"cuda.{name}") for name in _CUDA})
_BARS = Namespace("ptx.bar", {kind: Name(f"ptx.bar.{kind}") for kind in BAR_KINDS})
# Families of instructions that `lang.instructions` has.
FAMILIES = ("mbarrier", "fence", "cp")
ptx = Namespace("ptx", {"bar": _BARS, **{family: Instruction(f"ptx.{family}") for family in FAMILIES}})
handle = Annotation("handle")
Buffer = Annotation("Buffer")
# What `pool = T.SMEMPool()` can do.
_METHODS = ("alloc", "alloc_mma", "alloc_tcgen05_mma_AB", "move_base_to", "commit")
POOL_METHODS: Mapping[str, Name] = {name: Name(f"SMEMPool.{name}") for name in _METHODS}

# Every name of T but prim_func and the layout classes.
NAMES: Mapping[str, Any] = {
    **{name: Name(name) for name in FUNCTIONS},
    **{name: Name(name) for name in DTYPES},
    **_BARE,
    **_SCOPED,
    "tile": tile,
    "cuda": cuda,
    "ptx": ptx,
    "handle": handle,
    "Buffer": Buffer,
}
