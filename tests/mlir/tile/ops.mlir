// RUN: tilewright opt %s | FileCheck %s
// RUN: tilewright opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tilewright opt --pass-pipeline=builtin.module() %s --verify-each | FileCheck %s

// CHECK-LABEL: func.func @buffers(
// GENERIC: "func.func"()
func.func @buffers(%A: memref<64xf32>, %i: index) {
  // CHECK: [[A:%[a-z]+]] = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // GENERIC: "tile.match_buffer"(%A) : (memref<64xf32>) -> !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  %a = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // CHECK-NEXT: [[B:%[a-z]+]] = tile.alloc_buffer : !tile.buffer<4x8xf16, "shared", "S[(4,8):(8,1)]">
  %b = tile.alloc_buffer : !tile.buffer<4x8xf16, "shared", "S[(4,8):(8,1)]">
  // CHECK-NEXT: tile.storage [[B]] : !tile.buffer<4x8xf16, "shared", "S[(4,8):(8,1)]"> -> memref<32xf16, "shared">
  %s = tile.storage %b : !tile.buffer<4x8xf16, "shared", "S[(4,8):(8,1)]"> -> memref<32xf16, "shared">
  // CHECK-NEXT: [[X:%[a-z]+]] = tile.load [[A]][%i, %i] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]"> -> f32
  %x = tile.load %a[%i, %i] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]"> -> f32
  // CHECK-NEXT: tile.store [[X]], [[A]][%i, %i] : f32, !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  tile.store %x, %a[%i, %i] : f32, !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // CHECK-NEXT: tile.lookup [3, 1, 2][%i]
  %n = tile.lookup [3, 1, 2][%i]
  // CHECK-NEXT: tile.sync "warp"
  // GENERIC: "tile.sync"() <{scope = "warp"}> : () -> ()
  tile.sync "warp"
  func.return
}

// CHECK-LABEL: func.func @regions(
func.func @regions(%A: memref<64xf32>, %n: index) {
  %a = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // CHECK: [[R:%[a-z]+]] = tile.region %a[1, 0] [1, 32] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  %r = tile.region %a[1, 0] [1, 32] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // CHECK-NEXT: tile.region %a[%n, 0] [1, %n] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  %s = tile.region %a[%n, 0] [1, %n] : !tile.buffer<2x32xf32, "S[(2,32):(32,1)]">
  // CHECK-NEXT: tile.permute_layout "warp" [[R]], [[R]] : !tile.region<1x32xf32>, !tile.region<1x32xf32>
  tile.permute_layout "warp" %r, %r : !tile.region<1x32xf32>, !tile.region<1x32xf32>
  func.return
}
