"""What a run takes note of, where the kernel does nothing undefined: strict checks make errors of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.errors import RaceError
from tilewright.targets.simulator.sites import Site


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
    def texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Both, for a report."""
        return tuple((self.agreed or {}).values()), tuple(self.unwaited.values())

    def unwaited_at(self, site: Site, text: str) -> None:
        """Takes note of such a copy.

        Raises:
            RaceError: checks are strict.
        """
        if self.agreed is None:
            raise RaceError(text)
        self.unwaited.setdefault(site, text)
