// RUN: tilewright opt %s --lower-buffers --split-input-file --verify-diagnostics
// RUN: not tilewright opt --lower-buffers -split-input-file %s | FileCheck %s

// CHECK: passes/invalid.mlir:{{[0-9]+}}:8: error: a: the layout
// CHECK-NEXT: %x = tile.load %a
// CHECK-NEXT: ^
func.func @threads(%A: memref<4xf32>, %i: index) {
  %a = tile.match_buffer %A : memref<4xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]">
  // expected-error @+1 {{puts elements on laneid, which memory does not have}}
  %x = tile.load %a[%i, %i] : !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]"> -> f32
  tile.store %x, %a[%i, %i] : f32, !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]">
  func.return
}
