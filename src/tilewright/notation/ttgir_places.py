"""From the locations of a Triton GPU dump to the user's lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Files whose lines say nothing to a user: functions of Triton's own library that were inlined.
_LIBRARY = ("/triton/language/", "/triton/experimental/")
MAX_STEPS = 256


class Places:
    """The locations of a dump by their aliases."""

    def __init__(self, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._aliases = aliases
        self._found: dict[tuple[str, ...], str | None] = {}

    def source(self, location: Sequence[str]) -> str | None:
        """`file:line:column` of a location, the innermost one outside Triton's library; None where there is none.

        >>> Places({"#a": ('"k.py"', ":", "7", ":", "9")}).source(("callsite", "(", "#a", "at", "#b", ")"))
        'k.py:7:9'
        """
        key = tuple(location)
        if key not in self._found:
            self._found[key] = self._search(key)
        return self._found[key]

    def _search(self, location: tuple[str, ...]) -> str | None:
        waiting, known, way = [location], {location}, list[tuple[str, ...]]()
        library: str | None = None
        for _ in range(MAX_STEPS):
            if not waiting:
                break
            words = waiting.pop()
            if not waiting and library is None:
                # There is one way from here, and each place on it is what the last one is.
                if words in self._found:
                    self._found |= dict.fromkeys(way, self._found[words])
                    return self._found[words]
                way.append(words)
            place = _file(words)
            if place and not any(part in place for part in _LIBRARY):
                self._found |= dict.fromkeys(way if words is way[-1] else (), place)
                return place
            library = library or place
            inner = [self._aliases[word] for word in words if word.startswith("#") and word in self._aliases]
            fresh = [part for part in dict.fromkeys(inner) if part not in known]
            known.update(fresh)
            waiting += reversed(fresh)
        return library


def _file(words: Sequence[str]) -> str | None:
    """The first `"file":line:column` among the words."""
    for i, word in enumerate(words):
        numbers = words[i + 1 : i + 5]
        if word.startswith('"') and len(numbers) == 4 and numbers[0] == numbers[2] == ":":
            return f"{word[1:-1]}:{numbers[1]}:{numbers[3]}"
    return None
