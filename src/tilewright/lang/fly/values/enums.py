"""Sets of words that functions take."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "AddressSpace",
    "AtomicOp",
    "AtomicOrdering",
    "CachePolicy",
    "FastMathFlags",
    "GemmTraversalOrder",
    "MmaOperand",
    "RoundingMode",
    "SyncScope",
]


class AddressSpace(Enum):
    """Where memory lies."""

    Generic = "generic"
    Global = "global"
    Shared = "shared"
    Register = "register"

    def __int__(self) -> int:
        return list(AddressSpace).index(self)

    __index__ = __int__


class AtomicOp(Enum):
    """What an atomic operation does."""

    Add = "add"
    Max = "max"
    Min = "min"
    And = "and"
    Or = "or"
    Inc = "inc"
    Dec = "dec"


class CachePolicy(Enum):
    """Which caches a copy goes through."""

    CacheGlobal = "global"
    CacheAlways = "always"


class MmaOperand(Enum):
    """An operand of an MMA."""

    A = "a"
    B = "b"
    C = "c"
    D = "d"


class GemmTraversalOrder(Enum):
    """In which order a gemm walks through its atoms; letters from the innermost loop outwards."""

    KMN = "kmn"
    KNM = "knm"
    MKN = "mkn"
    MNK = "mnk"
    NKM = "nkm"
    NMK = "nmk"
    KMN_Serpentine = "kmn_serpentine"
    KNM_Serpentine = "knm_serpentine"
    MKN_Serpentine = "mkn_serpentine"
    MNK_Serpentine = "mnk_serpentine"
    NKM_Serpentine = "nkm_serpentine"
    NMK_Serpentine = "nmk_serpentine"


class AtomicOrdering(Enum):
    """What an atomic access orders."""

    NotAtomic = "not_atomic"
    Unordered = "unordered"
    Monotonic = "monotonic"
    Acquire = "acquire"
    Release = "release"
    AcqRel = "acq_rel"
    SeqCst = "seq_cst"


class SyncScope(Enum):
    """Whom an atomic access orders."""

    System = ""
    SingleThread = "singlethread"


class RoundingMode(Enum):
    """How a conversion rounds."""

    to_nearest_even = "to_nearest_even"
    downward = "downward"
    upward = "upward"
    toward_zero = "toward_zero"
    to_nearest_away = "to_nearest_away"


class FastMathFlags(Enum):
    """What a compiler may assume of floats; here arithmetic is exact whatever it may."""

    none = "none"
    reassoc = "reassoc"
    nnan = "nnan"
    ninf = "ninf"
    nsz = "nsz"
    arcp = "arcp"
    contract = "contract"
    afn = "afn"
    fast = "fast"
