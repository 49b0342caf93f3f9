"""What a run takes note of, where the kernel does nothing undefined: strict checks make errors of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.errors import RaceError
from tilewright.targets.simulator.sites import Place, Site


@dataclass(frozen=True)
class Note:
    """What is told of a place in the source: a sentence, and all that a person is `shown`.

    >>> print(Note("kernel.py", 3, 5, "two write 7", "two write 7, at kernel.py:3:5"))
    two write 7, at kernel.py:3:5
    """

    file: str
    line: int
    column: int
    text: str
    shown: str

    @staticmethod
    def of(site: Site, shown: str) -> Note:
        """That of a site, by the lines that a person is shown."""
        return Note(*Place.of(site.op), shown.partition("\n")[0], shown)

    def __str__(self) -> str:
        return self.shown


def _in_order(texts: Mapping[Site, str]) -> tuple[Note, ...]:
    return tuple(Note.of(site, texts[site]) for site in sorted(texts, key=lambda site: (Place.of(site.op), site.where)))


@dataclass(frozen=True, eq=False)
class Notes:
    """`agreed`: threads that write one value to one element with no barrier between, None where that is an error.

    `unwaited`: copies to shared memory of which nobody knows that they are done when their block ends.
    """

    agreed: dict[Site, str] | None = field(default_factory=dict)
    unwaited: dict[Site, str] = field(default_factory=dict)

    @staticmethod
    def of(strict: bool) -> Notes:
        """Those of a run."""
        return Notes(None if strict else {})

    @property
    def texts(self) -> tuple[tuple[Note, ...], tuple[Note, ...]]:
        """Both, for a report, in the order of the source: who comes first is the schedule's choice."""
        return _in_order(self.agreed or {}), _in_order(self.unwaited)

    def unwaited_at(self, site: Site, text: str) -> None:
        """Takes note of such a copy.

        Raises:
            RaceError: checks are strict.
        """
        if self.agreed is None:
            raise RaceError(text)
        self.unwaited.setdefault(site, text)
