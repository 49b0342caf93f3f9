"""The operations of the algebra as users call them: an undecided condition becomes a guard of the result.

The functions themselves live in files of their own and call one another there, without this frame around them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar, cast

from tilewright.errors import LayoutError, shown

Function = TypeVar("Function", bound=Callable[..., Any])

_NAMES = {
    "algebra.coalesce": "coalesce filter=filter_ filter_zeros simplify",
    "algebra.common": "max_alignment max_common_layout max_common_vector",
    "algebra.complement": "ceil_div complement",
    "algebra.composition": "composition",
    "construct": "make_layout make_layout_like make_ordered_layout",
    "coordinates": "crd2crd crd2idx get_1d_coord get_flat_coord get_hier_coord idx2crd",
    "algebra.divide": "flat_divide logical_divide tiled_divide zipped_divide",
    "algebra.fragment": "make_fragment_layout_like=make_fragment_like make_fragment_like",
    "algebra.inverse": "left_inverse nullspace right_inverse",
    "algebra.partition": "local_partition local_tile",
    "algebra.product": (
        "block_product=blocked_product blocked_product flat_product logical_product raked_product tile_to_shape "
        "tiled_product zipped_product"
    ),
    "query": "coprofile coshape cosize",
    "algebra.recast": "downcast recast_layout upcast",
    "slicing": "dice domain_offset slice=slice_ slice_and_offset",
    "structure": "append flatten get group prepend replace select take unflatten with_shape zip=zip_",
    "swizzled.composition": "make_composed_layout",
    "algebra.tv": "make_layout_tv",
}
_WHERE = {
    name: (module, target or name)
    for module, names in _NAMES.items()
    for name, _, target in (entry.partition("=") for entry in names.split())
}
NAMES = tuple(_WHERE)


def operation(function: Function) -> Function:
    """The function, with the conditions that it cannot decide as guards of the layouts that it gives."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except LayoutError:
            from tilewright.layout.symbolic.guards import depends_on_run_time, under_guards

            if not depends_on_run_time((args, tuple(options.values()))):
                raise
        return under_guards(function, args, options)

    return cast(Function, run)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {shown(__name__)} has no attribute {shown(name)}")
    module, target = _WHERE[name]
    found = globals()[name] = operation(getattr(import_module(f"tilewright.layout.{module}"), target))
    return found
