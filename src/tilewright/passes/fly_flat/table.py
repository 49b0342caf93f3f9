"""What every op of a kernel of `fly` is in flat code: a row an op, by its class or its name."""

from __future__ import annotations

from types import MappingProxyType

from tilewright.passes.fly_flat.accesses import ACCESSES
from tilewright.passes.fly_flat.atomics import ATOMICS
from tilewright.passes.fly_flat.control import CONTROL
from tilewright.passes.fly_flat.copies import COPIES
from tilewright.passes.fly_flat.counted import COUNTED
from tilewright.passes.fly_flat.flat import Handlers
from tilewright.passes.fly_flat.lanes import LANES
from tilewright.passes.fly_flat.numbers import NUMBERS
from tilewright.passes.fly_flat.pointers import POINTERS
from tilewright.passes.fly_flat.printing import PRINTING
from tilewright.passes.fly_flat.products import PRODUCTS
from tilewright.passes.fly_flat.waves import WAVES

HANDLERS: Handlers = MappingProxyType(
    {
        **NUMBERS,
        **COUNTED,
        **LANES,
        **WAVES,
        **CONTROL,
        **POINTERS,
        **ACCESSES,
        **COPIES,
        **PRODUCTS,
        **ATOMICS,
        **PRINTING,
    }
)
