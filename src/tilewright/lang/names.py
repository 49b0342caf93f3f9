"""The names of the script language, `T.*` and `Tx.*`, as inert values.

A kernel's body is never executed: the front end reads its source, resolves a name such as `T.serial` to the
`Name` below, and looks up what it does in `lang.functions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tilewright.errors import KernelError
from tilewright.lang.absent import refused


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
class Decorator(Name):
    """A name that marks a function; Python itself calls it when the function is defined."""

    def __call__(self, *arguments: object, **options: object) -> Any:
        """The function as it is; without one, what marks it."""
        return arguments[0] if arguments and not options else self


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
inline = Decorator("inline", words="Marks a function that kernels call; every function may be called.")
let = Annotation("let", words="x: T.let = value names a value, which is not assigned again.")
# What TIRx also calls the types of numbers.
SHORT: Mapping[str, str] = {
    **{
        f"{letter}{bits}": f"{word}{bits}" for letter, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)
    },
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "bf16": "bfloat16",
}
# What `pool = T.SMEMPool()` can do.
_METHODS = ("alloc", "alloc_mma", "alloc_tcgen05_mma_AB", "move_base_to", "commit")
POOL_METHODS: Mapping[str, Name] = {name: Name(f"SMEMPool.{name}") for name in _METHODS}
# What a T.TMEMPool(pool) can do.
_OF_COLUMNS = "alloc alloc_tcgen05_mma_A alloc_tcgen05_mma_D alloc_tcgen05_mma_C alloc_sf move_base_to commit dealloc"
COLUMN_METHODS: Mapping[str, Name] = {name: Name(f"TMEMPool.{name}") for name in _OF_COLUMNS.split()}
