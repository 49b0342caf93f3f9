// RUN: tilewright opt %s --unroll --split-input-file --verify-diagnostics
// RUN: tilewright opt %s --unroll=factor=2 --split-input-file --verify-diagnostics
// RUN: tilewright opt %s --unroll --split-input-file | FileCheck %s

// CHECK-LABEL: @none_marked
func.func @none_marked(%A: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // CHECK: scf.for
  // expected-remark @+1 {{no loop is marked `tile.unroll`, so that all stay; --unroll=all=true takes those of constant bounds}}
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  func.return
}

// -----

// Where some are marked the others are meant to stay; of the marked ones those are told that do.
// CHECK-LABEL: @some_marked
func.func @some_marked(%A: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  } {tile.unroll}
  // expected-remark @+1 {{'scf.for' op is marked `tile.unroll`, but its bounds are no constants; it stays}}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  } {tile.unroll}
  func.return
}

// -----

// CHECK-LABEL: @no_loop
func.func @no_loop() {
  func.return
}
