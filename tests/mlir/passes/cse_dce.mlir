// RUN: tilewright opt %s --cse --dce | FileCheck %s
// RUN: tilewright opt --dce %s | FileCheck %s --check-prefix=DCE
// RUN: tilewright opt --cse --verify-each %s | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: @f
// DCE-LABEL: @f
// CSE-LABEL: @f
func.func @f(%i: index, %A: memref<64xf32>) {
  // CHECK: [[X:%[a-z0-9]+]] = arith.addi %arg0, %arg0
  // CHECK-NOT: arith
  // DCE-COUNT-2: arith.addi
  // DCE-NOT: arith.muli
  // CSE: arith.addi
  // CSE-NOT: arith.addi
  // CSE: arith.muli
  %x = arith.addi %i, %i : index
  %y = arith.addi %i, %i : index
  %unused = arith.muli %i, %i : index
  // CHECK: memref.load %arg1{{\[}}[[X]]]
  %v = memref.load %A[%x] : memref<64xf32>
  // CHECK: memref.store %{{.+}}, %arg1{{\[}}[[X]]]
  memref.store %v, %A[%y] : memref<64xf32>
  func.return
}

// A function without effects stays: others may call it.
// DCE-LABEL: @pure
func.func @pure(%i: index) -> index {
  // DCE-NEXT: return %arg0
  %unused = arith.addi %i, %i : index
  func.return %i : index
}

func.func @last() {
  func.return
}
