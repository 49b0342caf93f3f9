// RUN: tilewright opt %s --lower-buffers --simplify --cse --dce --verify-each | FileCheck %s

// CHECK-LABEL: func.func @transposed(%{{.+}}: memref<64xf32>)
func.func @transposed(%A: memref<64xf32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %c1 = arith.constant 1 : index
  // CHECK-NOT: match_buffer
  %a = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<2x32xf32, "S[(2,32):(1,2)]">
  // CHECK: arith.muli %t, %c2
  // CHECK: arith.addi %{{.+}}, %c1
  // CHECK: memref.load
  %x = tile.load %a[%c1, %t] : !tile.buffer<2x32xf32, "S[(2,32):(1,2)]"> -> f32
  // CHECK: memref.store
  tile.store %x, %a[%c1, %t] : f32, !tile.buffer<2x32xf32, "S[(2,32):(1,2)]">
  func.return
}

// A coordinate of which no range is known keeps its check.
// CHECK-LABEL: func.func @checked
func.func @checked(%A: memref<64xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  %a = tile.match_buffer %A : memref<64xf32> -> !tile.buffer<2x32xf32, "S[(2,32):(1,2)]">
  // CHECK: [[IN:%[a-z0-9_]+]] = arith.cmpi ult, %i, %c32
  // CHECK: cf.assert [[IN]], "dimension 1 of a, which has extent 32" {tile.bounds = "reads"}
  %x = tile.load %a[%c1, %i] : !tile.buffer<2x32xf32, "S[(2,32):(1,2)]"> -> f32
  tile.store %x, %a[%c1, %i] : f32, !tile.buffer<2x32xf32, "S[(2,32):(1,2)]">
  func.return
}
