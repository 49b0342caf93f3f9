"""Which layout has a given table? `fit` finds it, or shows that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iters, make_iter, on_axes

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

# Axis -> the values at 0, 1, 2, ..; as evaluation gives them, `int` stands for the array.
Table: TypeAlias = "Mapping[Axis, int | NDArray[int64]]"


def fit(table: Table, size: int) -> Iters | None:
    """The iters whose table is table - table[0], with as few of them as possible; None when no layout has it.

    A layout's table starts with one straight run, whose length must be the extent of its fastest iter, as a fused
    layout bends right after it. So: divide by the run, check that all runs are alike, go on with their starts.
    """
    import numpy

    listed = {axis: numpy.asarray(values) for axis, values in table.items()}
    columns = {axis: values - values[0] for axis, values in listed.items()}
    out = []
    while size > 1:
        step = {axis: values[1] for axis, values in columns.items()}
        straight = numpy.ones(size, dtype=bool)
        for axis, values in columns.items():
            straight &= values == numpy.arange(size) * step[axis]
        run = size if straight.all() else int(straight.argmin())
        if size % run:
            return None
        rows = {axis: values.reshape(-1, run) for axis, values in columns.items()}
        if not all((part == part[:, :1] + part[0]).all() for part in rows.values()):
            return None
        out.append(make_iter(run, *on_axes((axis, int(value)) for axis, value in step.items())))
        columns = {axis: part[:, 0] for axis, part in rows.items()}
        size //= run
    return tuple(reversed(out))
