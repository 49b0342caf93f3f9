// RUN: tilewright opt %s --fly-int-swizzle-simplify | FileCheck %s

// Multiples of 512 pass through S<3,3,3>.
// CHECK-LABEL: @peeled
// CHECK: %[[D:.*]] = arith.constant 512 : i32
// CHECK: %[[ROWS:.*]] = arith.muli %arg1, %{{.*}} : i32
// CHECK: %[[A:.*]] = arith.andi %arg0, %{{.*}} : i32
// CHECK: %[[H:.*]] = arith.shrui %[[A]], %{{.*}} : i32
// CHECK: %[[S:.*]] = arith.xori %arg0, %[[H]] : i32
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[D]] : i32
// CHECK: %[[U:.*]] = arith.addi %[[T]], %[[ROWS]] : i32
// CHECK-NEXT: return %[[U]]
func.func @peeled(%x: i32, %y: i32) -> i32 {
  %d = arith.constant 512 : i32
  %k = arith.constant 1024 : i32
  %m = arith.constant 448 : i32
  %s = arith.constant 3 : i32
  %rows = arith.muli %y, %k : i32
  %a = arith.addi %x, %d : i32
  %b = arith.addi %a, %rows : i32
  %masked = arith.andi %b, %m : i32
  %moved = arith.shrui %masked, %s : i32
  %r = arith.xori %b, %moved : i32
  return %r : i32
}

// What moves, or is moved, stays.
// CHECK-LABEL: @stays
// CHECK: arith.addi %arg0
// CHECK: arith.andi
// CHECK: arith.xori
// CHECK-NOT: arith.addi
// CHECK: return
func.func @stays(%x: i64) -> i64 {
  %d = arith.constant 256 : i64
  %m = arith.constant 448 : i64
  %s = arith.constant 3 : i64
  %a = arith.addi %x, %d : i64
  %masked = arith.andi %a, %m : i64
  %moved = arith.shrui %masked, %s : i64
  %r = arith.xori %moved, %a : i64
  return %r : i64
}
