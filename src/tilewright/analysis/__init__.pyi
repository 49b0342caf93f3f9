# Written by `make stubs`; change the functions themselves, or scripts/stubs.py.
# ruff: noqa
# mypy: disable-error-code=overload-overlap
from tilewright.analysis.banks.conflicts import bank_conflicts as bank_conflicts
from tilewright.analysis.banks.conflicts import bank_conflicts_at as bank_conflicts_at
from tilewright.analysis.banks.report import BankReport as BankReport
from tilewright.analysis.descriptor.box import TensorMapBox as TensorMapBox
from tilewright.analysis.descriptor.recognise import CanonicalTile as CanonicalTile
from tilewright.analysis.descriptor.recognise import recognise as recognise
from tilewright.analysis.global_memory.sectors import CoalescingReport as CoalescingReport
from tilewright.analysis.global_memory.sectors import coalescing as coalescing
from tilewright.analysis.global_memory.sectors import coalescing_at as coalescing_at
from tilewright.analysis.model.access import Access as Access
from tilewright.analysis.model.vector_width import widest_vector as widest_vector
from tilewright.analysis.permutation.choices import permutation_choices as permutation_choices
from tilewright.analysis.permutation.explained import compare_permutations as compare_permutations
from tilewright.analysis.permutation.explained import explain_permutation as explain_permutation
from tilewright.analysis.permutation.ownership import fragments_match as fragments_match
from tilewright.analysis.permutation.ownership import prove_ownership as prove_ownership
from tilewright.analysis.permute.schedule import PermuteSchedule as PermuteSchedule
from tilewright.analysis.permute.schedule import permute_schedule as permute_schedule
from tilewright.analysis.swizzle.advice import SwizzleAdvice as SwizzleAdvice
from tilewright.analysis.swizzle.search import suggest_swizzle as suggest_swizzle
NAMES: dict[str, str]
__all__ = [
    "Access",
    "bank_conflicts",
    "bank_conflicts_at",
    "BankReport",
    "CanonicalTile",
    "coalescing",
    "coalescing_at",
    "CoalescingReport",
    "compare_permutations",
    "explain_permutation",
    "fragments_match",
    "permutation_choices",
    "permute_schedule",
    "PermuteSchedule",
    "prove_ownership",
    "recognise",
    "suggest_swizzle",
    "SwizzleAdvice",
    "TensorMapBox",
    "widest_vector",
]
