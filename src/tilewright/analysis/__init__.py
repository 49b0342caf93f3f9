"""What a layout costs: bank conflicts, coalescing, vector widths, and the swizzle to use.

Names are loaded when they are first asked for, and so are the modules. `NAMES` says which module holds each name.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

NAMES = {
    "descriptor.box": "TensorMapBox",
    "descriptor.recognise": "CanonicalTile recognise",
    "model.access": "Access",
    "banks.report": "BankReport",
    "banks.conflicts": "bank_conflicts bank_conflicts_at",
    "permutation.ownership": "fragments_match prove_ownership",
    "permutation.choices": "permutation_choices",
    "permutation.explained": "compare_permutations explain_permutation",
    "permute.schedule": "PermuteSchedule permute_schedule",
    "global_memory.sectors": "coalescing coalescing_at CoalescingReport",
    "swizzle.advice": "SwizzleAdvice",
    "swizzle.search": "suggest_swizzle",
    "model.vector_width": "widest_vector",
}
_WHERE = {name: module for module, names in NAMES.items() for name in names.split()}

__all__ = sorted(_WHERE, key=str.casefold)


def __getattr__(name: str) -> object:
    if name in _WHERE:
        value = globals()[name] = getattr(import_module(f"tilewright.analysis.{_WHERE[name]}"), name)
        return value
    if not name.isidentifier() or not find_spec(f"tilewright.analysis.{name}"):
        raise AttributeError(f"module 'tilewright.analysis' has no attribute {name!r}")
    return import_module(f"tilewright.analysis.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
