// RUN: tilewright opt %s --fission --cse --dce --verify-each | FileCheck %s

// A value that lives on beyond the barrier is kept for each thread, the number of the thread is worked out again.
// CHECK-LABEL: @beyond
// CHECK-SAME: tile.block = array<i64: 1, 1, 1>
// CHECK: [[S:%.+]] = memref.alloca() : memref<8xf32, "shared">
// CHECK: [[KEPT:%.+]] = memref.alloca() : memref<8xf32, "local">
// CHECK: scf.for [[T:%.+]] = %c0 to %c8 step %c1
// CHECK: [[V:%.+]] = memref.load %A{{\[}}[[T]]]
// CHECK: memref.store [[V]], [[S]]{{\[}}[[T]]]
// CHECK: memref.store [[V]], [[KEPT]]{{\[}}[[T]]]
// CHECK-NOT: tile.sync
// CHECK: scf.for [[U:%.+]] = %c0 to %c8 step %c1
// CHECK: memref.load [[KEPT]]{{\[}}[[U]]]
// CHECK: memref.store
func.func @beyond(%A: memref<8xf32>) attributes {tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 8, 1, 1>} {
  %tx = gpu.thread_id x
  %c1 = arith.constant 1 : index
  %S = memref.alloca() : memref<8xf32, "shared">
  %v = memref.load %A[%tx] : memref<8xf32>
  memref.store %v, %S[%tx] : memref<8xf32, "shared">
  tile.sync "cta"
  %i = arith.xori %tx, %c1 : index
  %w = memref.load %S[%i] : memref<8xf32, "shared">
  %sum = arith.addf %v, %w : f32
  memref.store %sum, %A[%tx] : memref<8xf32>
  func.return
}
