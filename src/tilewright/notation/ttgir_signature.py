"""The parts of an operation's words in a Triton GPU dump: its types, its dictionaries, its loop-carried arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tilewright.numerals import natural

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
            yield after, joined(part)
            part = []
        after |= ends and word in ("->", "to")
        if not ends:
            part.append(word)
            depth += (word in _OPEN) - (word in _CLOSE)


def joined(words: Sequence[str]) -> str:
    """The words of a type as text, with blanks where two would run into one.

    >>> joined("!fly.int_tuple < ? { i64 div = 8 } >".split())
    '!fly.int_tuple<?{i64 div=8}>'
    """
    return "".join(f" {b}" if a[-1:].isalnum() and b[:1].isalnum() else b for a, b in pairwise(["", *words]))


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


def arguments(words: Sequence[str]) -> dict[str, str]:
    """The arguments of a block or function with the texts of their types.

    >>> arguments("%a : tensor < 8xf16 > , %b : i32 { tt.divisibility = 16 : i32 }".split())
    {'%a': 'tensor<8xf16>', '%b': 'i32'}
    """
    found: dict[str, str] = {}
    depth, start = 0, 0
    for i, word in enumerate((*words, ",")):
        depth += (word in _OPEN) - (word in _CLOSE)
        if word == "," and depth == 0:
            name, *rest = words[start:i] or [""]
            if name.startswith("%") and rest[:1] == [":"]:
                found[name] = joined(_until(rest[1:], ("{", "loc")))
            start = i + 1
    return found


def _until(words: Sequence[str], ends: Sequence[str]) -> list[str]:
    """The words before one of these stands outside brackets."""
    depth = 0
    for i, word in enumerate(words):
        if depth == 0 and word in ends:
            return list(words[:i])
        depth += (word in _OPEN) - (word in _CLOSE)
    return list(words)


def bindings_of(words: Sequence[str]) -> dict[str, str]:
    """What `iter_args(%a = %b, ..)` and a loop's `%i = %low` give their arguments to begin with.

    >>> bindings_of("%i = %c0 to %n iter_args ( %a = %x#1 )".split())
    {'%i': '%c0', '%a': '%x#1'}
    """
    triples = zip(words, words[1:], words[2:], strict=False)
    return {a: b for a, sign, b in triples if sign == "=" and a.startswith("%") and b.startswith("%")}


def captures_of(words: Sequence[str]) -> dict[str, str]:
    """What `(%x, ..) .. partition0(%a: .., ..) ..` gives the arguments of its parts, which stand in the same order.

    >>> captures_of("( %x , %y ) partition0 ( %a : i32 , %b : i32 ) num_warps ( 4 )".split())
    {'%a': '%x', '%b': '%y'}
    """
    names = [word for word in words if word.startswith("%")]
    count = sum(word.startswith("%") for word in words[: words.index(")")]) if ")" in words else 0
    return {name: names[i % count] for i, name in enumerate(names) if i >= count} if count else {}


def divisors_of(words: Sequence[str]) -> dict[str, int]:
    """What `tt.divisibility` says of a function's arguments.

    >>> divisors_of("( %a : i32 , %b : i32 { tt.divisibility = 16 : i32 } )".split())
    {'%b': 16}
    """
    found: dict[str, int] = {}
    argument = ""
    for i, word in enumerate(words):
        argument = word if word.startswith("%") else argument
        if word == "tt.divisibility":
            found[argument] = natural("".join(words[i + 2 : i + 3]), 1 << 32) or 1
    return found
