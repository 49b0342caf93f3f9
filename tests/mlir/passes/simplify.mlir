// RUN: tilewright opt --simplify %s | FileCheck %s
// RUN: tilewright opt %s -pass-pipeline='builtin.module(func.func(simplify), dce)' | FileCheck %s --check-prefix=DCE

// CHECK-LABEL: @powers_of_two
// DCE-LABEL: @powers_of_two
func.func @powers_of_two(%A: memref<64xf32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 64, 1, 1>} {
  // CHECK: [[T:%[a-z]+]] = gpu.thread_id x
  %t = gpu.thread_id x
  %c32 = arith.constant 32 : index
  // CHECK-NOT: arith.remui
  // CHECK: [[L:%.+]] = arith.andi [[T]], %c31 : index
  // DCE-NOT: %c32
  // DCE: arith.andi
  // DCE-NOT: shrui
  %lane = arith.remui %t, %c32 : index
  // CHECK: arith.shrui [[T]], %c5 : index
  %warp = arith.divui %t, %c32 : index
  // CHECK: memref.load %A{{\[}}[[L]]]
  %x = memref.load %A[%lane] : memref<64xf32>
  memref.store %x, %A[%t] : memref<64xf32>
  func.return
}

// What may be negative is left alone: bits are not its remainder.
// CHECK-LABEL: @unknown
// DCE-LABEL: @unknown
func.func @unknown(%n: index) -> index {
  %c32 = arith.constant 32 : index
  // CHECK: arith.remui %n, %c32
  %x = arith.remui %n, %c32 : index
  func.return %x : index
}
