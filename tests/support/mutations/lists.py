"""All lists of mutants."""

from __future__ import annotations

from mutations import (
    agents,
    algebra,
    analyses,
    descriptors,
    domains,
    drawn,
    dumps,
    emitter,
    explored,
    flat,
    fly,
    linear,
    memory,
    observers,
    ops,
    ordering,
    passes,
    pasted,
    swizzled,
    symbolic,
    tensors,
    tiles,
    tmem,
    traced,
    values,
    wgmma,
)

LAYOUTS = (algebra, swizzled, symbolic, linear, values, descriptors, tiles, analyses, tensors, explored, drawn, pasted)
KERNELS = (dumps, fly, flat, passes, emitter, wgmma, tmem, traced)
SIMULATOR = (ordering, agents, memory, observers, domains, ops)
LISTS = LAYOUTS + KERNELS + SIMULATOR
COVERED = (passes, emitter, *SIMULATOR)  # whose tests are found by the lines that they run
