"""`Slip`: where a published text is wrong, as data that demos print and pages prove."""

from __future__ import annotations

from typing import NamedTuple


class Slip(NamedTuple):
    """Where a text is wrong: what it prints, what is right, and why.

    `table` is the title of the table of ours in which the right value stands, if one has it.
    """

    where: str
    printed: str
    right: str
    why: str
    table: str = ""

    def lines(self) -> tuple[str, str]:
        """What is printed, and what is right.

        >>> print(*Slip("ids", "0 to 8", "0 to 7", "there are eight.").lines(), sep="\\n")
        ids: it says 0 to 8
        right is 0 to 7: there are eight.
        """
        return f"{self.where}: it says {self.printed}", f"right is {self.right}: {self.why}"


def listed(source: str, slips: tuple[Slip, ...]) -> str:
    """The slips of a source, one below the other."""
    lines = [f"Where {source} slips (the figures above are right, and computed):"]
    for slip in slips:
        printed, right = slip.lines()
        lines += [f"  - {printed}", f"    {right}"]
    return "\n".join(lines)
