"""The built-in variants. A new one is one file in `variants/<primitive>/` and one row here."""

from __future__ import annotations

from tilewright.variants.call import Variant
from tilewright.variants.permute_layout.warp_fragment import WarpFragment
from tilewright.variants.permute_layout.warp_scheduled import WarpScheduled
from tilewright.variants.permute_layout.warp_xor_swizzle import WarpXorSwizzle

BUILTIN: tuple[Variant, ...] = (WarpXorSwizzle(), WarpScheduled(), WarpFragment())
