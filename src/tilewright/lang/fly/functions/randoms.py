"""Random numbers of a seed and an offset, without a state: the generator Philox-4x32.

Source: J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, 2011; names and order of results as Triton's.
"""

from __future__ import annotations

from math import tau

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Float32, Int32, Uint32, Uint64
from tilewright.lang.fly.functions import math

__all__ = ["rand", "rand4x", "randint", "randint4x", "randn", "randn4x"]

_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_STEPS = 0x9E3779B9, 0xBB67AE85
_SCALE = 4.6566127342e-10  # a little less than 2^-31: below 1 also when rounded
_SMALLEST = 1.0e-7
MOST_ROUNDS = 64


def _halves(value: NumericLike) -> tuple[Numeric, Numeric]:
    wide = Uint64(value)
    return wide.to(Uint32), as_numeric(wide >> Uint64(32)).to(Uint32)


def randint4x(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> tuple[Numeric, Numeric, Numeric, Numeric]:
    """Four random numbers of 32 bits, Uint32.

    Args:
        seed: the generator's key, of 64 bits.
        offset: which four, of 32 or 64 bits.
        n_rounds: of the generator.

    >>> [hex(int(word)) for word in randint4x(0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    if not isinstance(n_rounds, int) or not 1 <= n_rounds <= MOST_ROUNDS:
        raise KernelError(f"n_rounds is an integer from 1 to {MOST_ROUNDS}, got {shown(n_rounds)}")
    keys, given = _halves(seed), as_numeric(offset)
    low, high = _halves(given)
    zero = Uint32(0)
    words: tuple[Numeric, ...] = (low, high if given.number.element.bits > 32 else zero, zero, zero)
    for _ in range(n_rounds):
        first, second = (
            as_numeric(word.to(Uint64) * Uint64(by)) for word, by in zip(words[::2], _MULTIPLIERS, strict=True)
        )
        (lower_a, upper_a), (lower_b, upper_b) = _halves(first), _halves(second)
        words = as_numeric(upper_b ^ words[1] ^ keys[0]), lower_b, as_numeric(upper_a ^ words[3] ^ keys[1]), lower_a
        keys = as_numeric(keys[0] + Uint32(_STEPS[0])), as_numeric(keys[1] + Uint32(_STEPS[1]))
    return words[0], words[1], words[2], words[3]


def randint(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> Numeric:
    """The first of `randint4x`'s numbers."""
    return randint4x(seed, offset, n_rounds)[0]


def _uniform(word: Numeric) -> Numeric:
    """A number in [0, 1)."""
    signed = word.to(Int32)
    natural = as_numeric(as_numeric(signed < 0).select(as_numeric(-signed) - 1, signed))
    return as_numeric(natural.to(Float32) * Float32(_SCALE))


def rand4x(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> tuple[Numeric, Numeric, Numeric, Numeric]:
    """Four random numbers in [0, 1), Float32."""
    a, b, c, d = map(_uniform, randint4x(seed, offset, n_rounds))
    return a, b, c, d


def rand(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> Numeric:
    """A random number in [0, 1), Float32."""
    return _uniform(randint(seed, offset, n_rounds))


def _normal(one: Numeric, other: Numeric) -> tuple[Numeric, Numeric]:
    """Two numbers of the normal distribution, of two in [0, 1): Box and Muller's."""
    positive = as_numeric(as_numeric(one < _SMALLEST).select(Float32(_SMALLEST), one))
    radius = as_numeric(math.sqrt(as_numeric(math.log(positive)) * -2.0))
    angle = as_numeric(other * tau)
    return as_numeric(radius * as_numeric(math.cos(angle))), as_numeric(radius * as_numeric(math.sin(angle)))


def randn4x(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> tuple[Numeric, Numeric, Numeric, Numeric]:
    """Four random numbers of the normal distribution, Float32."""
    a, b, c, d = rand4x(seed, offset, n_rounds)
    return *_normal(a, b), *_normal(c, d)


def randn(seed: NumericLike, offset: NumericLike, n_rounds: int = 10) -> Numeric:
    """A random number of the normal distribution, Float32."""
    a, b, _, _ = rand4x(seed, offset, n_rounds)
    return _normal(a, b)[0]
