"""Edits of passes, emitter and simulator that survived the tests that they were given, and that nobody has explained.

One that gets a law, or an explanation, goes to the list of its folder.
"""

from __future__ import annotations

from mutations.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = ()
