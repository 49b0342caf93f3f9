"""Who an access or a fence is for: the block of its thread, the cluster, or all.

Source: PTX ISA, "Memory Consistency Model": scope, moral strength.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.targets.simulator.order.past import NOTHING, Past

Numbers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
EVERYBODY = 1 << 62  # more actors than there are


class Scope(IntEnum):
    """From the narrowest."""

    BLOCK, CLUSTER, ALL = range(3)

    @staticmethod
    def of(word: str) -> Scope:
        """That of a word of PTX."""
        return {"cta": Scope.BLOCK, "cluster": Scope.CLUSTER}.get(word, Scope.ALL)


Group: TypeAlias = tuple[Scope, int]  # the threads that a scope is for, by a number


@dataclass(frozen=True)
class Groups:
    """Blocks of so many actors, and clusters of so many blocks, one after the other."""

    actors: int
    blocks: int = 1

    @cached_property
    def _sizes(self) -> tuple[int, int, int]:
        return self.actors, self.actors * self.blocks, EVERYBODY

    def of(self, scope: Scope, actor: int) -> Group:
        """The group of an actor."""
        return scope, actor // self._sizes[scope]

    def reach(self, one: int, scope: Scope, other: int, others: Scope) -> bool:
        """Are two actors each in the group of the other's scope?"""
        size = self._sizes[min(scope, others)]
        return one // size == other // size

    def within(self, scope: Scope, actors: Numbers, others: Numbers) -> Flags:
        """Which of the others are in the group of the actor beside them?"""
        size = self._sizes[scope]
        return np.asarray(actors // size == others // size)


@dataclass(frozen=True)
class Told:
    """A past for those of each scope: what is for all is for the cluster, too."""

    pasts: tuple[Past, Past, Past] = (NOTHING, NOTHING, NOTHING)

    def __bool__(self) -> bool:
        block, cluster, all_ = self.pasts
        return bool(block or cluster or all_)

    def __or__(self, other: Told) -> Told:
        """What both tell."""
        if not other:
            return self
        block, cluster, all_ = (mine | theirs for mine, theirs in zip(self.pasts, other.pasts, strict=True))
        return Told((block, cluster, all_))

    def within(self, scope: Scope) -> Past:
        """What is told by those in a group of this scope, or of a narrower one."""
        past = NOTHING
        for own in self.pasts[: scope + 1]:
            past |= own
        return past

    def beyond(self, scope: Scope) -> Told:
        """What only wider scopes tell."""
        block, cluster, all_ = (NOTHING if own <= scope else self.pasts[own] for own in Scope)
        return Told((block, cluster, all_)) if cluster or all_ else UNTOLD

    def fenced(self, scope: Scope, past: Past) -> Told:
        """What is for whom after a fence of this scope, by somebody with that past."""
        block, cluster, all_ = (past if own <= scope else self.pasts[own] for own in Scope)
        return Told((block, cluster, all_))


UNTOLD = Told()


@dataclass
class Left:
    """What was released at an element, by who it is for; and who wrote there last, for whom."""

    writer: int
    scope: Scope
    pasts: dict[Group, Past]

    def told(self, groups: Groups, actor: int) -> Told:
        """What of it is for an actor: of releases in its block, in its cluster, and by anybody."""
        get, of = self.pasts.get, groups.of
        block, cluster = get(of(Scope.BLOCK, actor), NOTHING), get(of(Scope.CLUSTER, actor), NOTHING)
        return Told((block, cluster, get(of(Scope.ALL, actor), NOTHING)))
