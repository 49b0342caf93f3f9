"""Architectures as data: `get("sm_90a")` gives the `ArchSpec`; `Target` is the one being compiled for."""

from tilewright.arch.spec import ArchSpec, PhaseRule
from tilewright.arch.table import get, names
from tilewright.arch.target import Target

__all__ = ["ArchSpec", "get", "names", "PhaseRule", "Target"]
