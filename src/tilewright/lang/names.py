"""The names of the script language, `T.*` and `Tx.*`, as inert values.

A kernel's body is never executed: the front end reads its source, resolves a name such as `T.serial` to the
`Name` below, and looks up what it does in `lang.functions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tilewright.errors import KernelError

_FOREIGN = "it embeds text that one target reads; write the function in the language, and call it"
_NOTHING = "what other machines and libraries do is no part of the language"
_TIME = "nothing in a kernel tells the time; kernel.profile and kernel.trace count and show"
# Names of TIRx that the language does not have, and why.
REFUSED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("cuda.func_call", "call_extern", "call_packed"), _FOREIGN),
        **dict.fromkeys(("nvshmem", "nki", "metal", "webgpu", "ptx_legacy"), _NOTHING),
        **dict.fromkeys(("cuda.iket", "cuda.clock64", "cuda.timer_init", "cuda.timer_start", "cuda.timer_end"), _TIME),
        "cuda.timer_finalize": _TIME,
        "cuda.grid_sync": "blocks of a launch need not run at once; T.cuda.cluster_sync() is for those of a cluster",
        "tvm_storage_sync": "write T.cuda.cta_sync() or T.cuda.warp_sync()",
        "elected": "write T.cuda.elect_sync()",
    }
)


def refused(path: str) -> str:
    """Why the language has no such name; empty where nothing is known of it.

    >>> refused("elected")
    'write T.cuda.elect_sync()'
    """
    return REFUSED.get(path, "")


@dataclass(frozen=True)
class Name:
    """One function of the language; `path` is how it is written after `T.`, `words` what `help` says of it."""

    path: str
    words: str = field(default="", repr=False, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.words:
            object.__setattr__(self, "__doc__", self.words)

    # `Any`, here and of a namespace's names: to type checkers a kernel's text means whatever it does once it is read.
    def __call__(self, *arguments: object, **options: object) -> Any:
        """Refuses: the language is read, not run."""
        raise KernelError(f"T.{self.path} has a meaning only inside a kernel, a function under @T.prim_func")


@dataclass(frozen=True)
class Annotation(Name):
    """A name that annotates a parameter; Python itself calls it when the kernel is defined."""

    def __call__(self, *arguments: object, **options: object) -> Annotation:
        """Stands for itself; its arguments are read from the source."""
        return self


@dataclass(frozen=True)
class Instruction(Name):
    """An instruction of PTX as far as it is written: attributes are its modifiers, `::` written `__`.

    Python's own words have `_` behind. `T.ptx["cp.async.wait_all"]` is `T.ptx.cp.async_.wait_all`. docs/language.md
    has all of them.
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
    names: Mapping[str, object]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        try:
            return self.names[name]
        except KeyError:
            reason = refused(f"{self.path}.{name}") or f"it has {', '.join(self.names)}"
            raise AttributeError(f"T.{self.path} has no {name!r}; {reason}") from None


SCOPES = ("thread", "warp", "wg", "warpgroup", "cta", "cluster")
PRIMITIVES = ("permute_layout",)
# Families of instructions that `lang.instructions` has.
_MEMORY = "mbarrier barrier fence cp ld st atom red mapa"
_OF_NUMBERS = "ex2 lg2 sin cos tanh rsqrt sqrt rcp cvt add sub mul fma neg popc clz brev prmt lop3"
_FAMILIES = f"{_MEMORY} mma ldmatrix stmatrix movmatrix redux_sync wgmma tcgen05 setmaxnreg {_OF_NUMBERS}"
FAMILIES = tuple(_FAMILIES.split())
handle = Annotation("handle")
Buffer = Annotation("Buffer")
TensorMap = Annotation("TensorMap")
# What `pool = T.SMEMPool()` can do.
_METHODS = ("alloc", "alloc_mma", "alloc_tcgen05_mma_AB", "move_base_to", "commit")
POOL_METHODS: Mapping[str, Name] = {name: Name(f"SMEMPool.{name}") for name in _METHODS}
# What a T.TMEMPool(pool) can do.
_OF_COLUMNS = "alloc alloc_tcgen05_mma_A alloc_tcgen05_mma_D alloc_tcgen05_mma_C alloc_sf move_base_to commit dealloc"
COLUMN_METHODS: Mapping[str, Name] = {name: Name(f"TMEMPool.{name}") for name in _OF_COLUMNS.split()}
