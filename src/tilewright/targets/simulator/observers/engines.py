"""What copies that engines make cost: instructions, bytes, and sectors of global memory."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.arch.spec import ArchSpec
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.order.clocks import Flags, Numbers


def in_shared(at: Numbers, itemsize: int) -> Mapping[str, int]:
    """Of copies, an entry each, that read or write these elements of shared memory."""
    distinct = sum(len(distinct_values(entry)) for entry in at) * itemsize
    return {"accesses": len(at), "bytes": at.size * itemsize, "distinct_bytes": distinct}


def in_global(spec: ArchSpec, at: Numbers, itemsize: int, inside: Flags | None) -> Mapping[str, int]:
    """The same of global memory: what is not `inside` is not moved. An engine asks for each sector of a copy once.

    >>> import numpy as np
    >>> from tilewright.arch import get
    >>> dict(in_global(get("sm_90"), np.arange(12).reshape(1, 12) + 4, 4, None))
    {'accesses': 1, 'bytes': 48, 'distinct_bytes': 48, 'sectors': 2, 'ideal_sectors': 2}
    """
    touched = at * itemsize // spec.sector_bytes
    sectors = ideal = moved = distinct = 0
    for entry in range(len(at)):
        there = slice(None) if inside is None else inside[entry]
        own = touched[entry][there]
        distinct += len(distinct_values(at[entry][there])) * itemsize
        size = own.size * itemsize
        sectors, ideal, moved = sectors + len(distinct_values(own)), ideal - -size // spec.sector_bytes, moved + size
    return {"accesses": len(at), "bytes": moved, "distinct_bytes": distinct, "sectors": sectors, "ideal_sectors": ideal}
