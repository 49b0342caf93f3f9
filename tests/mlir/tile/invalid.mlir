// RUN: tilewright opt %s --split-input-file --verify-diagnostics
// RUN: tilewright opt -verify-diagnostics %s -split-input-file
// RUN: not tilewright opt %s --split-input-file | FileCheck %s
// CHECK: invalid.mlir:{{[0-9]+}}:3: error: 'tile.sync' op tile.sync scope
// CHECK-NEXT:   tile.sync "grid"
// CHECK-NEXT:   ^

func.func @scope() {
  // expected-error @+1 {{'tile.sync' op tile.sync scope 'grid' is none of warp, cta}}
  tile.sync "grid"
  func.return
}

// The other function of the same module is looked at too.
func.func @indices(%b: !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">, %i: index) {
  %x = tile.load %b[%i] : !tile.buffer<4x32xf32, "S[(4,32):(32,1)]"> -> f32 // expected-error {{1 indices into a buffer of shape (4, 32)}}
  func.return
}

// -----

func.func @element(%b: !tile.buffer<4xf32, "S[4:1]">, %i: index) {
  // expected-error@below {{an element of type i32 in a buffer of f32}}
  %x = tile.load %b[%i] : !tile.buffer<4xf32, "S[4:1]"> -> i32
  func.return
}

// -----

func.func @storage(%m: memref<100xf32>) {
  %b = tile.match_buffer %m : memref<100xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(32,1)]">
  // expected-error@above {{needs 128 elements, the memory has 100}}
  func.return
}

// -----

func.func @leaves(%b: !tile.buffer<4xf32, "S[4:1]">) {
  // expected-error-re @+1 {{region 2:{{[0-9]}} leaves dimension 0 of extent 4}}
  %r = tile.region %b[2] [4] : !tile.buffer<4xf32, "S[4:1]">
  func.return
}

// -----

// expected-error @+1 {{unknown axis 'lane'}}
func.func @axis(%b: !tile.buffer<4xf32, "S[4:1@lane]">) {
  func.return
}

// -----

func.func @order(%i: index) {
  // expected-error @+1 {{'arith.addi' op operand #0 does not dominate this use}}
  %x = arith.addi %y, %i : index
  %y = arith.addi %i, %i : index
  func.return
}

// -----

func.func @nobody() {
  tile.sync "warp"
  // expected-error @+1 {{no_such}}
  tile.no_such
  func.return
}

// -----

func.func @empty(%p: memref<4xf32>) {
  // expected-error @+1 {{tile.lookup needs a table of at least one number}}
  %x = "tile.lookup"(%c) <{numbers = array<i64>}> : (index) -> index
  %c = arith.constant 0 : index
  func.return
}
