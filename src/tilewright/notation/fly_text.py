"""The structure of type texts: names, brackets, commas."""

from __future__ import annotations

from itertools import pairwise

from tilewright.errors import NotationError

_OPENING, _CLOSING = "<([{", ">)]}"


def type_parts(item: str, text: str) -> tuple[str, list[str]]:
    """A type `name<a, b, ..>` as its name and its top-level arguments.

    >>> type_parts("!fly.copy_atom<!fly.universal_copy<128>, 32>", "")
    ('!fly.copy_atom', ['!fly.universal_copy<128>', '32'])
    """
    name, bracket, rest = item.strip().partition("<")
    if not bracket or not rest.endswith(">"):
        raise NotationError("expected a type NAME<..>", text, max(0, text.find(item)))
    return name.strip(), split(rest[:-1], text)


def split(body: str, text: str) -> list[str]:
    """The parts of `body` between commas that no bracket encloses."""
    cuts, level = [-1], 0
    for at, character in enumerate(body):
        arrow = character == ">" and body[at - 1 : at] == "-"
        level += (character in _OPENING) - (character in _CLOSING and not arrow)
        if level < 0:
            raise NotationError("unbalanced brackets", text)
        if character == "," and level == 0:
            cuts.append(at)
    if level:
        raise NotationError("unbalanced brackets", text)
    return [body[a + 1 : b].strip() for a, b in pairwise([*cuts, len(body)])]
