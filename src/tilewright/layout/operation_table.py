"""The table of operations: what each does to plain and to composed layouts, and how users call it.

The functions of `operations`, the methods of layouts, and the stubs for editors all derive from it. A new operation is
one function in `algebra/`, perhaps one in `swizzled/`, and one row here.
"""

from __future__ import annotations

from tilewright.layout import coordinates, query, reading, slicing, structure
from tilewright.layout.algebra import (
    coalesce,
    common,
    complement,
    composition,
    divide,
    inverse,
    partition,
    product,
    recast,
    tv,
)
from tilewright.layout.algebra.fragment import make_fragment_like
from tilewright.layout.codomain import with_coprofile
from tilewright.layout.construct import make_layout, make_layout_like, make_ordered_layout
from tilewright.layout.dispatch import ALL, NONE, Form, Operation, of_inner
from tilewright.layout.linear.convert import to_linear
from tilewright.layout.slicing import moved
from tilewright.layout.swizzled import common as swizzled_common
from tilewright.layout.swizzled import composition as swizzled
from tilewright.layout.swizzled import coordinates as swizzled_coordinates
from tilewright.layout.swizzled import partition as swizzled_partition
from tilewright.layout.swizzled import range as swizzled_range
from tilewright.layout.swizzled import recast as swizzled_recast
from tilewright.layout.swizzled import slicing as swizzled_slicing
from tilewright.layout.view import new, same

FUNCTION, METHOD, PROPERTY = Form.FUNCTION, Form.METHOD, Form.PROPERTY

TABLE = (
    # the same function in other modes
    Operation(coalesce.coalesce, of_views=same, by_mode=True),
    Operation(coalesce.simplify, of_views=same, by_mode=True),
    Operation(coalesce.filter_, of_views=same, by_mode=True),
    Operation(coalesce.filter_zeros, of_views=same, by_mode=True),
    Operation(composition.with_shape, swizzled.with_shape, of_views=same),
    # composition and inverses
    Operation(composition.composition, swizzled.composition, of_layout=False, of_views=same, by_mode=True),
    Operation(composition.composition, swizzled.composition, METHOD, "compose", of_layout=False, of_views=same),
    Operation(complement.complement, of_inner(complement.complement), by_mode=True),
    Operation(complement.ceil_div, form=FUNCTION, of_layout=False, values_of=NONE),
    Operation(inverse.right_inverse, swizzled.right_inverse, values_of=NONE),
    Operation(inverse.left_inverse, swizzled.left_inverse, values_of=NONE),
    Operation(inverse.nullspace, of_inner(inverse.nullspace), values_of=NONE),
    # divides and products
    Operation(divide.logical_divide, of_views=same, by_mode=True),
    Operation(divide.zipped_divide, of_views=same, by_mode=True),
    Operation(divide.tiled_divide, of_views=same, by_mode=True),
    Operation(divide.flat_divide, of_views=same, by_mode=True),
    Operation(product.logical_product, by_mode=True),
    Operation(product.zipped_product, by_mode=True),
    Operation(product.tiled_product, by_mode=True),
    Operation(product.flat_product, by_mode=True),
    Operation(product.blocked_product),
    Operation(product.blocked_product, name="block_product"),
    Operation(product.raked_product),
    Operation(product.tile_to_shape),
    # recasts
    Operation(recast.recast_layout, swizzled_recast.recast_layout, reads=reading.recast),
    Operation(recast.upcast, swizzled_recast.upcast, reads=reading.scaled),
    Operation(recast.downcast, swizzled_recast.downcast, reads=reading.scaled),
    # slices and partitions
    Operation(slicing.slice_, swizzled_slicing.slice_, FUNCTION, of_layout=False, values_of=ALL, of_views=moved),
    Operation(slicing.slice_layout, swizzled_slicing.slice_layout, METHOD, "slice", of_views=moved),
    Operation(slicing.dice, swizzled_slicing.dice, FUNCTION, of_layout=False, values_of=ALL),
    Operation(slicing.dice_layout, swizzled_slicing.dice_layout, METHOD, "dice"),
    Operation(slicing.slice_and_offset, swizzled_slicing.slice_and_offset, FUNCTION, of_layout=False, values_of=ALL),
    Operation(slicing.slice_layout_and_offset, swizzled_slicing.slice_layout_and_offset, METHOD, "slice_and_offset"),
    Operation(slicing.slice_with_offset, swizzled_slicing.slice_with_offset, METHOD),
    Operation(slicing.domain_offset, swizzled_slicing.domain_offset, of_layout=False, values_of=ALL),
    Operation(partition.local_tile, swizzled_partition.local_tile, of_views=same),
    Operation(partition.local_partition, swizzled_partition.local_partition, of_views=same),
    # modes
    Operation(structure.flatten, of_layout=False, of_views=same),
    Operation(structure.unflatten, form=FUNCTION, of_layout=False, of_views=same),
    Operation(structure.select, of_layout=False, of_views=same),
    Operation(structure.take, of_layout=False, of_views=same),
    Operation(structure.group, of_layout=False, of_views=same),
    Operation(structure.append, of_layout=False, values_of=ALL),
    Operation(structure.prepend, of_layout=False, values_of=ALL),
    Operation(structure.replace, of_layout=False, values_of=ALL),
    Operation(structure.get, of_layout=False, of_views=same),
    Operation(structure.zip_, form=FUNCTION, of_layout=False, values_of=ALL),
    # coordinates
    Operation(coordinates.crd2idx, coordinates.crd2idx, FUNCTION, of_layout=False),
    Operation(coordinates.crd2crd, coordinates.crd2crd, FUNCTION, of_layout=False),
    Operation(coordinates.idx2crd, swizzled_coordinates.refuse, FUNCTION, of_layout=False),
    Operation(coordinates.idx2crd_of_layout, swizzled_coordinates.refuse, METHOD, "idx2crd"),
    Operation(coordinates.get_hier_coord, swizzled_coordinates.refuse, FUNCTION, of_layout=False),
    Operation(coordinates.idx2crd_of_layout, swizzled_coordinates.refuse, METHOD, "get_hier_coord"),
    Operation(coordinates.get_flat_coord, swizzled_coordinates.refuse, FUNCTION, of_layout=False),
    Operation(coordinates.flat_coord_of_layout, swizzled_coordinates.refuse, METHOD, "get_flat_coord"),
    Operation(coordinates.get_1d_coord, swizzled_coordinates.refuse, FUNCTION, of_layout=False),
    Operation(coordinates.linear_coord_of_layout, swizzled_coordinates.refuse, METHOD, "get_1d_coord"),
    # codomains
    Operation(query.cosize, swizzled_range.cosize, FUNCTION, reads=reading.one),
    Operation(query.cosize, swizzled_range.cosize, PROPERTY),
    Operation(query.coshape, swizzled_range.cosize),
    Operation(query.coprofile, of_inner(query.coprofile)),
    Operation(with_coprofile, with_coprofile),
    Operation(
        common.max_common_layout, swizzled_common.max_common_layout, of_layout=False, values_of=NONE, reads=reading.both
    ),
    Operation(common.max_common_vector, swizzled_common.max_common_vector, of_layout=False, reads=reading.both),
    Operation(common.max_alignment, swizzled_common.max_alignment, reads=reading.one),
    # making layouts
    Operation(make_layout, make_layout, FUNCTION, of_layout=False, values_of=ALL),
    Operation(make_layout_like, of_inner(make_layout_like), FUNCTION, values_of=NONE),
    Operation(make_ordered_layout, make_ordered_layout, FUNCTION, of_layout=False),
    Operation(swizzled.make_composed_layout, swizzled.make_composed_layout, FUNCTION, of_layout=False),
    Operation(make_fragment_like, of_inner(make_fragment_like), FUNCTION, values_of=NONE, of_views=new),
    Operation(make_fragment_like, of_inner(make_fragment_like), FUNCTION, "make_fragment_layout_like", values_of=NONE),
    Operation(tv.make_layout_tv, tv.make_layout_tv, FUNCTION, values_of=NONE),
    # other views
    Operation(to_linear, to_linear, METHOD, values_of=NONE),
)
