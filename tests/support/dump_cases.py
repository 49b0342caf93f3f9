"""Real Triton dumps, what they became, and their mutants."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from tilewright.errors import TilewrightError

DATA = Path(__file__).parents[1] / "data"


@cache
def dumps() -> dict[str, str]:
    """Name.architecture -> text."""
    return {name: row["text"] for name, row in _rows().items()}


@cache
def instructions() -> dict[str, dict[str, int]]:
    """Name.architecture -> how often each instruction stands in the assembly that Triton made of the dump."""
    return {name: row["instructions"] for name, row in _rows().items()}


@cache
def _rows() -> dict[str, dict[str, object]]:
    return json.loads(gzip.decompress((DATA / "triton_dumps.json.gz").read_bytes()))["dumps"]


@cache
def fly_dumps() -> dict[str, str]:
    """Kernel.architecture.stage -> text."""
    found: dict[str, str] = json.loads(lzma.decompress((DATA / "flydsl_dumps.json.xz").read_bytes()))["dumps"]
    return found


def fates(texts: Iterable[str], analyse: Callable[[str], object]) -> set[str]:
    """What became of the texts: `findings`, or `refused` by an error of ours; any other error is the caller's."""
    found = set()
    for text in texts:
        try:
            analyse(text)
            found.add("findings")
        except TilewrightError:
            found.add("refused")
    return found


def mutants(rng: random.Random, count: int, of: Iterable[str] | None = None, most: int = 4) -> Iterator[str]:
    """Dumps that are cut, whose pieces are swapped, repeated, nested or replaced, at one to `most` places."""
    texts = [text for text in (dumps().values() if of is None else of) if len(text) < 20_000]
    for _ in range(count):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, most)):
            text = rng.choice(_MUTATIONS)(text, rng)
        yield text


def _spot(text: str, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.choice((1, 2, 5, 20, 200, 2000)))


def _cut(text: str, rng: random.Random) -> str:
    start, end = _spot(text, rng)
    return text[:start] + text[end:]


def _end(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def _swap(text: str, rng: random.Random) -> str:
    (a, b), (c, d) = sorted((_spot(text, rng), _spot(text, rng)))
    return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return "\n".join(lines)


def _nest(text: str, rng: random.Random) -> str:
    at, depth = rng.randrange(len(text) + 1), rng.choice((1, 3, 70, 2000))
    pieces = ("(", "<", "[", "{", "{\n", "scf.if %c {\n", "#ttg.slice<{dim = 0, parent = ", "S<3,3,3> o 0 o ")
    piece = rng.choice(pieces)
    return text[:at] + piece * depth + text[at:]


def _number(text: str, rng: random.Random) -> str:
    numbers = ("0", "1", "3", "-1", "64", "4096", "99999999999999999999", "1073741824", "2", "16")
    at = rng.randrange(len(text) + 1)
    while at < len(text) and not text[at].isdigit():
        at += 1
    end = at
    while end < len(text) and text[end].isdigit():
        end += 1
    return text[:at] + rng.choice(numbers) + text[end:]


def _word(text: str, rng: random.Random) -> str:
    words = (
        "f32",
        "f16",
        "i8",
        "i1",
        "f6E2M3FN",
        "#blocked",
        "#shared",
        "#mma",
        "#nothing",
        "tensor",
        "[0, 1]",
        "->",
        ":",
        "shared",
        "i32",
        "arith.addi",
        "fly.slice",
        "fly.size",
        "scf.for",
        "scf.if",
        "?",
    )
    old = rng.choice(words)
    at = text.find(old, rng.randrange(len(text) + 1))
    return text if at < 0 else text[:at] + rng.choice(words) + text[at + len(old) :]


_MUTATIONS = (_cut, _end, _swap, _lines, _nest, _number, _number, _word, _word)
