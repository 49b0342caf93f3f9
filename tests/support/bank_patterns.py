"""Random access patterns of one warp: strides, swizzles, few words, many words, pairs, holes."""

from __future__ import annotations

import random

import numpy as np
from bank_oracle import Addresses


def array(rows: list[Addresses]) -> np.ndarray:
    return np.array([[-1 if a is None else a for a in row] for row in rows])


def random_row(rng: random.Random, lanes: int, width: int) -> Addresses:
    """Strides, swizzles, few words, many words, pairs, holes: every pattern that the rule tells apart."""
    span = rng.choice([4, 16, 64, 1024, 1 << 14])
    kind = rng.randrange(5)
    stride, base, mask = rng.randrange(64), rng.randrange(span), rng.randrange(32)
    pick = [
        lambda t: rng.randrange(span),
        lambda t: base + stride * t,
        lambda t: base + ((t * stride) ^ (t & mask)),
        lambda t: base + stride * (t >> rng.choice([1, 2])),
        lambda t: base + rng.choice([0, stride]),
    ][kind]
    row = [width * pick(t) for t in range(lanes)]
    share = rng.choice([0, 0, 1, 2])
    row = [row[t & ~share] for t in range(lanes)]
    holes = rng.choice([0, 0, 0.3, 0.9])
    return [None if rng.random() < holes else a for a in row]
