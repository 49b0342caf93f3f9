"""What is sold under which name: only for messages, since one product may be several targets (sm_90 and sm_90a)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SOLD: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sm_70": ("v100", "volta"),
        "sm_75": ("t4", "turing"),
        "sm_80": ("a100", "a30", "ampere"),
        "sm_86": ("a10", "a40", "a6000", "rtx3090"),
        "sm_89": ("l4", "l40", "l40s", "rtx4090", "ada"),
        "sm_90": ("h100", "h200", "h800", "h20", "gh200", "hopper"),
        "sm_100": ("b100", "b200", "gb200", "blackwell"),
        "sm_103": ("b300", "gb300"),
        "sm_120": ("rtx5090",),
        "gfx90a": ("mi200", "mi210", "mi250", "mi250x", "cdna2"),
        "gfx942": ("mi300", "mi300a", "mi300x", "mi325x", "cdna3"),
        "gfx950": ("mi350x", "mi355x", "cdna4"),
        "gfx1100": ("rx7900", "rdna3"),
        "gfx1200": ("rx9060", "rdna4"),
    }
)
SOLD: Mapping[str, str] = MappingProxyType({name: arch for arch, sold in _SOLD.items() for name in sold})


def sold_as(name: str) -> str:
    """What a product's name, or that of its generation, is called as an architecture; nothing for other names.

    >>> sold_as("H100"), sold_as("MI300X"), sold_as("sm_90")
    ("'h100' is sm_90", "'mi300x' is gfx942", '')
    """
    plain = "".join(name.lower().replace("-", " ").replace("_", " ").split())
    return f"{plain!r} is {SOLD[plain]}" if plain in SOLD else ""
