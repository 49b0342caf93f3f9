"""The table of what a kernel can call: a row each, gathered from the files of this folder."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.lang.addresses import ADDRESSES
from tilewright.lang.asynchronous import WAITING
from tilewright.lang.atomics import ATOMIC_FUNCTIONS
from tilewright.lang.atoms import ATOM_FUNCTIONS
from tilewright.lang.barriers import BARRIERS
from tilewright.lang.bits import BITS
from tilewright.lang.block_reductions import BLOCK_REDUCTIONS
from tilewright.lang.buffers import BUFFERS
from tilewright.lang.checks import CHECKS
from tilewright.lang.conversions import CONVERSIONS
from tilewright.lang.descriptors import DESCRIPTOR_FUNCTIONS
from tilewright.lang.launch import LAUNCH
from tilewright.lang.numbers import NUMBERS
from tilewright.lang.ordered import ORDERED_FUNCTIONS
from tilewright.lang.paired import PAIRED
from tilewright.lang.printing import PRINTERS
from tilewright.lang.reductions import REDUCTIONS
from tilewright.lang.rows import Function
from tilewright.lang.spellings import SPELLINGS
from tilewright.lang.tcgen05 import TCGEN05_FUNCTIONS
from tilewright.lang.tensor_buffers import TENSOR_BUFFERS
from tilewright.lang.tmem import TMEM_FUNCTIONS
from tilewright.lang.variables import SCALARS
from tilewright.lang.warps import BLOCK, WARPS
from tilewright.lang.wgmma import WGMMA_FUNCTIONS

FUNCTIONS: tuple[Function, ...] = (
    *LAUNCH,
    *BUFFERS,
    *SCALARS,
    *CONVERSIONS,
    *NUMBERS,
    *BITS,
    *SPELLINGS,
    *PAIRED,
    *CHECKS,
    *BARRIERS,
    *WARPS,
    *BLOCK,
    *REDUCTIONS,
    *BLOCK_REDUCTIONS,
    *ADDRESSES,
    *ATOMIC_FUNCTIONS,
    *ORDERED_FUNCTIONS,
    *ATOM_FUNCTIONS,
    *WGMMA_FUNCTIONS,
    *DESCRIPTOR_FUNCTIONS,
    *TENSOR_BUFFERS,
    *TMEM_FUNCTIONS,
    *TCGEN05_FUNCTIONS,
    *WAITING,
    *PRINTERS,
)
BY_NAME: Mapping[str, Function] = {row.name: row for row in FUNCTIONS}
