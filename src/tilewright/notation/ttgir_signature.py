"""The parts of an operation's words in a Triton GPU dump: its types, its dictionaries, its loop-carried arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_OPEN, _CLOSE = frozenset("([{<"), frozenset(")]}>")
_BETWEEN = frozenset((",", "*", "to"))
Texts = tuple[str, ...]


def signature(words: Sequence[str]) -> tuple[Texts, Texts, Texts]:
    """(what stands before the types, the types before the arrow, those after it).

    >>> signature("%a , %b : tensor < 8xf16 > * tensor < 8xf16 > -> f32".split())
    (('%a', ',', '%b'), ('tensor<8xf16>', 'tensor<8xf16>'), ('f32',))
    """
    depth, colon = 0, len(words)
    for i, word in enumerate(words):
        depth += (word in _OPEN) - (word in _CLOSE)
        if word == ":" and depth == 0:
            colon = i
    groups: tuple[list[str], list[str]] = ([], [])
    for after, text in _types(words[colon + 1 :]):
        groups[after].append(text)
    return tuple(words[:colon]), tuple(groups[0]), tuple(groups[1])


def _types(words: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Types one by one, each with whether it follows an arrow; parentheses around lists of them vanish."""
    depth, after = 0, False
    part: list[str] = []
    for word in (*words, ","):
        ends = depth == 0 and (word in _BETWEEN or word == "->" or word in "()")
        if ends and part:
            yield after, "".join(part)
            part = []
        after |= ends and word in ("->", "to")
        if not ends:
            part.append(word)
            depth += (word in _OPEN) - (word in _CLOSE)


def dictionary(words: Sequence[str]) -> dict[str, str]:
    """Keys and the texts of their values.

    >>> dictionary('axis = 1 : i32 , async , order = array < i32 : 1 , 0 >'.split())
    {'axis': '1 : i32', 'async': '', 'order': 'array < i32 : 1 , 0 >'}
    """
    found: dict[str, str] = {}
    depth, start = 0, 0
    for i, word in enumerate((*words, ",")):
        depth += (word in _OPEN) - (word in _CLOSE)
        if word == "," and depth == 0:
            key, value = words[start : start + 1], words[start + 2 : i]
            found |= {key[0].strip('"'): " ".join(value)} if key else {}
            start = i + 1
    return found


def bindings_of(words: Sequence[str]) -> dict[str, str]:
    """What `iter_args(%a = %b, ..)` and a loop's `%i = %low` give their arguments to begin with.

    >>> bindings_of("%i = %c0 to %n iter_args ( %a = %x#1 )".split())
    {'%i': '%c0', '%a': '%x#1'}
    """
    triples = zip(words, words[1:], words[2:], strict=False)
    return {a: b for a, sign, b in triples if sign == "=" and a.startswith("%") and b.startswith("%")}
