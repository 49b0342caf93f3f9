"""From keys to tones: which of the eight colours a cell gets, and what the legend says about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tilewright.figures.palette import TONES
from tilewright.figures.scene import Legend, Swatch


def hues(keys: Iterable[int], title: str, name: Callable[[int], str] = str) -> tuple[Mapping[int, int], Legend]:
    """Kinds: up to eight keys get a colour each, more share them modulo eight.

    >>> tones, legend = hues(range(32), "lane")
    >>> tones[9], legend.title
    (1, 'lane mod 8')
    """
    distinct = sorted(set(keys))
    if len(distinct) <= TONES:
        tones = {key: tone for tone, key in enumerate(distinct)}
        return tones, Legend(title, tuple(Swatch(tone, name(key)) for key, tone in tones.items()))
    swatches = tuple(Swatch(tone, str(tone)) for tone in range(TONES))
    return {key: key % TONES for key in distinct}, Legend(f"{title} mod {TONES}", swatches)


def steps(keys: Iterable[int], title: str) -> tuple[Mapping[int, int], Legend]:
    """Sizes: the range of the keys in up to eight equal steps, light to dark.

    >>> tones, legend = steps(range(64), "offset")
    >>> tones[8], legend.swatches[1].text
    (1, '8-15')
    """
    distinct = sorted(set(keys))
    low, high = (distinct[0], distinct[-1]) if distinct else (0, 0)
    count = min(TONES, high - low + 1)
    spread, span = [_spread(i, count) for i in range(count)], high - low + 1
    tones = {key: spread[(key - low) * count // span] for key in distinct}
    bounds = [low + -(-(high - low + 1) * i // count) for i in range(count + 1)]
    texts = [_range(bounds[i], bounds[i + 1] - 1) for i in range(count)]
    return tones, Legend(title, tuple(Swatch(_spread(i, count), text) for i, text in enumerate(texts)), "steps")


def _spread(step: int, count: int) -> int:
    return step * (TONES - 1) // (count - 1) if count > 1 else 0


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}" if first >= 0 else f"{first}..{last}"
