// RUN: tilewright opt %s --dispatch --verify-each --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tilewright opt %s --dispatch=lanes=32 --lower-buffers --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @permute
func.func @permute(%A: memref<128xf32>, %B: memref<128xf32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %a = tile.match_buffer %A : memref<128xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  %b = tile.match_buffer %B : memref<128xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(1,4)]">
  %r = tile.region %a[0, 0] [4, 32] : !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  %s = tile.region %b[0, 0] [4, 32] : !tile.buffer<4x32xf32, "S[(4,32):(1,4)]">
  // CHECK-NOT: tile.region
  // CHECK: memref.load
  // CHECK: tile.sync "warp"
  // CHECK: memref.store
  tile.permute_layout "warp" %s, %r : !tile.region<4x32xf32>, !tile.region<4x32xf32>
  func.return
}

// -----

func.func @shapes(%A: memref<128xf32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %a = tile.match_buffer %A : memref<128xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  %r = tile.region %a[0, 0] [4, 32] : !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  %s = tile.region %a[0, 0] [4, 16] : !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  // expected-error @+2 {{no variant executes warp permute_layout}}
  // expected-note @+1 {{variant}}
  tile.permute_layout "warp" %s, %r : !tile.region<4x16xf32>, !tile.region<4x32xf32>
  func.return
}
