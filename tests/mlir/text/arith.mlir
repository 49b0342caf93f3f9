// RUN: tilewright opt %s | FileCheck %s

// CHECK-LABEL: func.func @indices_without_a_sign(%arg0: index)
func.func @indices_without_a_sign(%i: index) -> index {
  // CHECK-NEXT: %0 = arith.index_castui %arg0 : index to i32
  %n = arith.index_castui %i : index to i32
  // CHECK-NEXT: %1 = arith.index_castui %0 : i32 to index
  %j = arith.index_castui %n : i32 to index
  return %j : index
}
