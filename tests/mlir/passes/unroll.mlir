// RUN: tilewright opt %s --unroll --verify-each | FileCheck %s
// RUN: tilewright opt %s --unroll=all=true --verify-each | FileCheck %s --check-prefix=ALL
// RUN: tilewright opt %s --unroll="all=true factor=2" --verify-each | FileCheck %s --check-prefix=TWO

// CHECK-LABEL: @marked
// TWO-LABEL: @marked
func.func @marked(%A: memref<8xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  // CHECK-NOT: scf.for
  // CHECK: %c6 =
  // CHECK-NEXT: [[I:%.+]] = arith.constant 0 : index
  // CHECK-NEXT: [[A:%.+]] = memref.load %A{{\[}}[[I]]]
  // CHECK-NEXT: [[S:%.+]] = arith.addf %x, [[A]]
  // CHECK-NEXT: [[J:%.+]] = arith.constant 2 : index
  // CHECK-NEXT: [[B:%.+]] = memref.load %A{{\[}}[[J]]]
  // CHECK-NEXT: [[T:%.+]] = arith.addf [[S]], [[B]]
  // CHECK-NEXT: [[K:%.+]] = arith.constant 4 : index
  // CHECK-NEXT: [[C:%.+]] = memref.load %A{{\[}}[[K]]]
  // CHECK-NEXT: [[U:%.+]] = arith.addf [[T]], [[C]]
  // CHECK-NEXT: return [[U]]
  // TWO-NOT: scf.for
  // TWO-COUNT-3: memref.load
  // TWO: func.return
  %sum = scf.for %i = %c0 to %c6 step %c2 iter_args(%s = %x) -> (f32) {
    %a = memref.load %A[%i] : memref<8xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  } {tile.unroll}
  func.return %sum : f32
}

// CHECK-LABEL: @not_marked
// ALL-LABEL: @not_marked
// TWO-LABEL: @not_marked
func.func @not_marked(%A: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // CHECK: scf.for
  // ALL-NOT: scf.for
  // ALL-COUNT-5: memref.store
  // TWO: [[END:%.+]] = arith.constant 4 : index
  // TWO-NEXT: [[BY:%.+]] = arith.constant 2 : index
  // TWO-NEXT: scf.for [[I:%.+]] = %c0 to [[END]] step [[BY]]
  // TWO-NEXT: memref.store %x, %A{{\[}}[[I]]]
  // TWO-NEXT: [[ONE:%.+]] = arith.constant 1 : index
  // TWO-NEXT: [[J:%.+]] = arith.addi [[I]], [[ONE]]
  // TWO-NEXT: memref.store %x, %A{{\[}}[[J]]]
  // TWO-NEXT: }
  // TWO-NEXT: [[LAST:%.+]] = arith.constant 4 : index
  // TWO-NEXT: memref.store %x, %A{{\[}}[[LAST]]]
  // TWO-NEXT: return
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  func.return
}

// Without constant bounds, or without a round.
// ALL-LABEL: @other
func.func @other(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // ALL: [[S:%.+]] = scf.for
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
    %b = arith.addf %a, %a : f32
    scf.yield %b : f32
  } {tile.unroll}
  // ALL-NOT: scf.for
  // ALL: return [[S]]
  %t = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %s) -> (f32) {
    %b = arith.addf %a, %x : f32
    scf.yield %b : f32
  } {tile.unroll}
  func.return %t : f32
}
