"""What the passes of one run share: the options, and what dispatch has decided."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.variants.call import Plan, Variant


@dataclass
class Context:
    """The options of a run, and the plans in the order of the calls."""

    variants: tuple[Variant, ...] = ()
    lanes: int = 32
    plans: list[Plan] = field(default_factory=list)
