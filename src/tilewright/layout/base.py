"""`LayoutBase`: what plain and composed layouts share, and the algebra as methods of both.

The operations live in files of their own, which import the layouts; a method finds its function on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.drawn import Drawn
from tilewright.layout.inttuple import IntTuple, shown


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

    coalesce = Method("coalesce")
    simplify = Method("coalesce")
    filter = Method("coalesce", "filter_")
    filter_zeros = Method("coalesce")
    composition = Method("composition")
    compose = Method("composition", "composition")
    complement = Method("complement")
    right_inverse = Method("inverse")
    left_inverse = Method("inverse")
    nullspace = Method("inverse")
    max_common_layout = Method("common")
    max_common_vector = Method("common")
    max_alignment = Method("common")
    logical_divide = Method("divide")
    zipped_divide = Method("divide")
    tiled_divide = Method("divide")
    flat_divide = Method("divide")
    logical_product = Method("product")
    zipped_product = Method("product")
    tiled_product = Method("product")
    flat_product = Method("product")
    blocked_product = Method("product")
    block_product = Method("product", "blocked_product")
    raked_product = Method("product")
    tile_to_shape = Method("product")
    recast_layout = Method("recast")
    upcast = Method("recast")
    downcast = Method("recast")
    slice = Method("slicing", "slice_layout")
    dice = Method("slicing", "dice_layout")
    slice_and_offset = Method("slicing", "slice_layout_and_offset")
    domain_offset = Method("slicing")
    local_tile = Method("partition")
    local_partition = Method("partition")
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
    to_linear = Method("linear_convert")

    def substitute(self, values: Mapping[Any, Any]) -> Any:
        """The layout where run-time integers have the given values, see `substitution.substitute`."""
        from tilewright.layout.substitution import substitute

        return substitute(self, values)


def as_layout(value: Any) -> Any:
    """The layout itself, of whichever kind.

    Raises:
        LayoutError: the value is no layout.
    """
    if isinstance(value, LayoutBase):
        return value
    raise LayoutError(f"expected a layout, got {shown(value)}")
