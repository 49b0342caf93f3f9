// RUN: tilewright opt %s | FileCheck %s

// CHECK-LABEL: func.func @slices(%arg0: vector<8xf16>, %arg1: f16)
func.func @slices(%v: vector<8xf16>, %x: f16) -> vector<8xf16> {
  // CHECK-NEXT: %0 = vector.extract_strided_slice %arg0 {offsets = [2], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  %part = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  // CHECK-NEXT: %1 = vector.insert_strided_slice %0, %arg0 {offsets = [4], strides = [1]} : vector<4xf16> into vector<8xf16>
  %w = vector.insert_strided_slice %part, %v {offsets = [4], strides = [1]} : vector<4xf16> into vector<8xf16>
  // CHECK-NEXT: %2 = vector.insert %arg1, %1 [3] : f16 into vector<8xf16>
  %u = vector.insert %x, %w [3] : f16 into vector<8xf16>
  // CHECK-NEXT: %3 = vector.from_elements %arg1, %arg1 : vector<2xf16>
  %pair = vector.from_elements %x, %x : vector<2xf16>
  // CHECK-NEXT: %4:2 = vector.to_elements %3 : vector<2xf16>
  %each:2 = vector.to_elements %pair : vector<2xf16>
  // CHECK-NEXT: %5 = vector.insert %4#1, %2 [0] : f16 into vector<8xf16>
  %r = vector.insert %each#1, %u [0] : f16 into vector<8xf16>
  // CHECK-NEXT: %6 = ub.poison : vector<8xf16>
  %p = ub.poison : vector<8xf16>
  func.return %r : vector<8xf16>
}

// Names: constants by value and type, conflicts counted together, each region from where its block ended.
// CHECK-LABEL: func.func @names
func.func @names(%n: i32, %b: i1) -> i32 {
  // CHECK-NEXT: %c4_i32 = arith.constant 4 : i32
  %a = arith.constant 4 : i32
  // CHECK-NEXT: %c4_i32_0 = arith.constant 4 : i32
  %c = arith.constant 4 : i32
  // CHECK-NEXT: %cst = arith.constant dense<1.000000e+00> : vector<2xf32>
  %d = arith.constant dense<1.0> : vector<2xf32>
  // CHECK-NEXT: %true = arith.constant true
  %yes = arith.constant true
  // CHECK-NEXT: %c4_i32_1 = arith.constant 4 : i32
  %e = arith.constant 4 : i32
  // CHECK-NEXT: %0:2 = scf.while (%arg2 = %arg0, %arg3 = %c4_i32) : (i32, i32) -> (i32, i32) {
  %last:2 = scf.while (%i = %n, %j = %a) : (i32, i32) -> (i32, i32) {
    // CHECK-NEXT: %2 = arith.cmpi slt, %arg2, %arg3 : i32
    %less = arith.cmpi slt, %i, %j : i32
    // CHECK-NEXT: scf.condition(%2) %arg2, %arg3 : i32, i32
    scf.condition(%less) %i, %j : i32, i32
  } do {
  // CHECK: ^bb0(%arg2: i32, %arg3: i32):
  ^bb0(%i: i32, %j: i32):
    // CHECK-NEXT: %2 = arith.addi %arg2, %c4_i32_0 : i32
    %next = arith.addi %i, %c : i32
    scf.yield %next, %j : i32, i32
  }
  // CHECK: scf.while : () -> () {
  scf.while : () -> () {
    // CHECK-NEXT: scf.condition(%arg1)
    scf.condition(%b)
  // CHECK-NEXT: } do {
  } do {
    // CHECK-NEXT: scf.yield
    scf.yield
  }
  // CHECK: %1 = arith.addi %0#0, %c4_i32_1 : i32
  %sum = arith.addi %last#0, %e : i32
  func.return %sum : i32
}
