"""Hand-written kernels of the `final` stage, as MLIR text: what the targets are tested with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.dtypes import dtype


@dataclass(frozen=True)
class Permute:
    """Document 000's kernel: each warp moves tiles of `rows` x 32 from row- to column-major.

    `per_block` tiles are moved by each of `blocks` blocks of one warp, one after the other. `staging` puts both
    buffers into shared memory first. `shift` and `mask` choose the swizzle of the registers.
    """

    rows: int = 4
    per_block: int = 2
    blocks: int = 1
    element: str = "f32"
    stride: int = 128
    shift: int = 3
    mask: int = 3
    sync: str = 'tile.sync "warp"'

    @property
    def elements(self) -> int:
        return self.blocks * self.per_block * self.stride

    @property
    def numpy(self) -> Any:
        return dtype(self.element).numpy()

    def text(self) -> str:
        memory, regs = f"memref<{self.elements}x{self.element}>", f'memref<{self.rows}x{self.element}, "local">'
        return f"""
func.func @f(%A_buf: {memory}, %B_buf: {memory}) attributes {{
    tile.grid = array<i64: {self.blocks}, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %rows = arith.constant {self.rows} : index
  %low = arith.constant {self.rows - 1} : index
  %shift = arith.constant {self.shift} : index
  %mask = arith.constant {self.mask} : index
  %count = arith.constant {self.per_block} : index
  %stride = arith.constant {self.stride} : index
  %block = arith.constant {self.per_block * self.stride} : index
  scf.for %s = %c0 to %count step %c1 {{
    %regs = memref.alloca() : {regs}
    scf.for %r = %c0 to %rows step %c1 {{
      {self.register()}
      %3 = arith.muli %s, %stride : index
      %4 = arith.muli %j, %c32 : index
      %5 = arith.addi %3, %4 : index
      %6 = arith.addi %5, %tx : index
      {self.block("%6", "%7")}
      %8 = memref.load %A_buf[{self.placed}] : {memory}
      memref.store %8, %regs[%r] : {regs}
    }} {{tile.unroll}}
    {self.sync}
    scf.for %r = %c0 to %rows step %c1 {{
      {self.register()}
      %3 = arith.muli %s, %stride : index
      %4 = arith.muli %tx, %rows : index
      %5 = arith.addi %3, %4 : index
      %6 = arith.addi %5, %j : index
      {self.block("%6", "%7")}
      %8 = memref.load %regs[%r] : {regs}
      memref.store %8, %B_buf[{self.placed}] : {memory}
    }} {{tile.unroll}}
    {self.sync}
  }}
  func.return
}}
"""

    def register(self) -> str:
        return """%0 = arith.shrui %tx, %shift : index
      %1 = arith.andi %0, %mask : index
      %2 = arith.xori %r, %1 : index
      %j = arith.andi %2, %low : index"""

    @property
    def placed(self) -> str:
        return "%6" if self.blocks == 1 else "%7"

    def block(self, inside: str, name: str) -> str:
        placed = f"%at = arith.muli %bx, %block : index\n      {name} = arith.addi %at, {inside} : index"
        return "" if self.blocks == 1 else placed


@dataclass(frozen=True)
class Transpose:
    """B = A transposed, size x size, by 32 x 32 tiles through shared memory; 32 x 8 threads a block.

    `pad` widens the rows of the shared tile.
    """

    size: int = 64
    element: str = "f32"
    pad: int = 1
    sync: str = 'tile.sync "cta"'

    def text(self) -> str:
        memory = f"memref<{self.size**2}x{self.element}>"
        tile = f'memref<{32 * (32 + self.pad)}x{self.element}, "shared">'
        tiles = self.size // 32
        return f"""
func.func @transpose(%A: {memory}, %B: {memory}) attributes {{
    tile.grid = array<i64: {tiles}, {tiles}, 1>, tile.block = array<i64: 32, 8, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %ty = "gpu.thread_id"() <{{dimension = #gpu<dim y>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %by = "gpu.block_id"() <{{dimension = #gpu<dim y>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant {self.size} : index
  %width = arith.constant {32 + self.pad} : index
  %tile = memref.alloca() : {tile}
  %x0 = arith.muli %bx, %c32 : index
  %y0 = arith.muli %by, %c32 : index
  %x1 = arith.addi %x0, %tx : index
  %y1 = arith.addi %y0, %tx : index
  scf.for %i = %c0 to %c32 step %c8 {{
    %row = arith.addi %ty, %i : index
    %0 = arith.addi %y0, %row : index
    %1 = arith.muli %0, %n : index
    %2 = arith.addi %1, %x1 : index
    %3 = memref.load %A[%2] : {memory}
    %4 = arith.muli %row, %width : index
    %5 = arith.addi %4, %tx : index
    memref.store %3, %tile[%5] : {tile}
  }} {{tile.unroll}}
  {self.sync}
  scf.for %i = %c0 to %c32 step %c8 {{
    %row = arith.addi %ty, %i : index
    %0 = arith.muli %tx, %width : index
    %1 = arith.addi %0, %row : index
    %2 = memref.load %tile[%1] : {tile}
    %3 = arith.addi %x0, %row : index
    %4 = arith.muli %3, %n : index
    %5 = arith.addi %4, %y1 : index
    memref.store %2, %B[%5] : {memory}
  }} {{tile.unroll}}
  func.return
}}
"""


def kernel(
    body: str, parameters: str = "%A: memref<32xf32>", block: int = 32, grid: int = 1, constants: int = 8
) -> str:
    """A kernel around a body that may use %tx, %bx and the constants %c0, %c1, .."""
    numbers = "\n".join(f"  %c{i} = arith.constant {i} : index" for i in range(constants))
    return f"""
func.func @f({parameters}) attributes {{
    tile.grid = array<i64: {grid}, 1, 1>, tile.block = array<i64: {block}, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
{numbers}
  %block = arith.constant {block} : index
{body}
  func.return
}}
"""
