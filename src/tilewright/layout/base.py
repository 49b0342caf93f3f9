"""`LayoutBase`: what plain and composed layouts share, and the algebra as methods of both.

The operations live in files of their own, which import the layouts; a method finds its function on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.drawn import Drawn
from tilewright.layout.inttuple import IntTuple


class Method:
    """A function of this folder as a method: `layout.name(*args)` is `name(layout, *args)`, as in `operations`."""

    def __init__(self, module: str, function: str = "") -> None:
        self.module = f"tilewright.layout.{module}"
        self.function = function
        self.target: Callable[..., Any] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.function = self.function or name

    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        if self.target is None:
            from tilewright.layout.operations import operation

            self.target = operation(getattr(import_module(self.module), self.function))
        return self.target if instance is None else partial(self.target, instance)


class LayoutBase(Drawn):
    """A function from coordinates of `shape`; every operation of the algebra is a method too."""

    __slots__ = ()
    shape: IntTuple
    inner: Any
    size: Any
    cosize: Any
    spans: Any
    at: Callable[[Any], Any]
    __call__: Callable[..., Any]
    contains: Callable[..., Any]
    over_inner: Callable[..., Any]

    def table(self) -> Any:
        """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

        Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

        Raises:
            LayoutError: more than 2^24 elements.
        """
        from tilewright.layout.bulk import table

        return table(self)

    coalesce = Method("algebra.coalesce")
    simplify = Method("algebra.coalesce")
    filter = Method("algebra.coalesce", "filter_")
    filter_zeros = Method("algebra.coalesce")
    composition = Method("algebra.composition")
    compose = Method("algebra.composition", "composition")
    complement = Method("algebra.complement")
    right_inverse = Method("algebra.inverse")
    left_inverse = Method("algebra.inverse")
    nullspace = Method("algebra.inverse")
    max_common_layout = Method("algebra.common")
    max_common_vector = Method("algebra.common")
    max_alignment = Method("algebra.common")
    logical_divide = Method("algebra.divide")
    zipped_divide = Method("algebra.divide")
    tiled_divide = Method("algebra.divide")
    flat_divide = Method("algebra.divide")
    logical_product = Method("algebra.product")
    zipped_product = Method("algebra.product")
    tiled_product = Method("algebra.product")
    flat_product = Method("algebra.product")
    blocked_product = Method("algebra.product")
    block_product = Method("algebra.product", "blocked_product")
    raked_product = Method("algebra.product")
    tile_to_shape = Method("algebra.product")
    recast_layout = Method("algebra.recast")
    upcast = Method("algebra.recast")
    downcast = Method("algebra.recast")
    slice = Method("slicing", "slice_layout")
    dice = Method("slicing", "dice_layout")
    slice_and_offset = Method("slicing", "slice_layout_and_offset")
    domain_offset = Method("slicing")
    local_tile = Method("algebra.partition")
    local_partition = Method("algebra.partition")
    flatten = Method("structure")
    select = Method("structure")
    take = Method("structure")
    group = Method("structure")
    append = Method("structure")
    prepend = Method("structure")
    replace = Method("structure")
    get = Method("structure")
    with_shape = Method("structure")
    get_hier_coord = Method("coordinates")
    get_flat_coord = Method("coordinates")
    get_1d_coord = Method("coordinates")
    idx2crd = Method("coordinates", "idx2crd_of_layout")
    coshape = Method("query")
    coprofile = Method("query")
    to_linear = Method("linear.convert")

    def substitute(self, values: Mapping[Any, Any]) -> Any:
        """The layout where run-time integers have the given values, see `substitution.substitute`."""
        from tilewright.layout.symbolic.substitution import substitute

        return substitute(self, values)


def as_layout(value: Any) -> Any:
    """The layout itself, of whichever kind.

    Raises:
        LayoutError: the value is no layout.
    """
    if isinstance(value, LayoutBase):
        return value
    raise LayoutError(f"expected a layout, got {shown(value)}")
