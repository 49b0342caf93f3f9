// RUN: tilewright opt %s | FileCheck %s
// Copies and products themselves.

// CHECK-LABEL: @a_copy(
// CHECK: fly.copy(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,3):(1,24)>, !fly.memref<f32, register, (2,3):(1,2)>) -> ()
func.func @a_copy(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, (2,3):(1,24)>, %arg2: !fly.memref<f32, register, (2,3):(1,2)>) {
  fly.copy(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,3):(1,24)>, !fly.memref<f32, register, (2,3):(1,2)>) -> ()
  func.return
}

// CHECK-LABEL: @a_copy_where_it_holds(
// CHECK: fly.copy(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,3):(1,24)>, !fly.memref<f32, register, (2,3):(1,2)>, !fly.memref<i1, register, (1,3):(0,1)>) -> ()
func.func @a_copy_where_it_holds(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, (2,3):(1,24)>, %arg2: !fly.memref<f32, register, (2,3):(1,2)>, %arg3: !fly.memref<i1, register, (1,3):(0,1)>) {
  fly.copy(%arg0, %arg1, %arg2, %arg3) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,3):(1,24)>, !fly.memref<f32, register, (2,3):(1,2)>, !fly.memref<i1, register, (1,3):(0,1)>) -> ()
  func.return
}

// CHECK-LABEL: @a_copy_of_one_thread(
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
func.func @a_copy_of_one_thread(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, 2:1>, %arg2: !fly.memref<f32, register, 2:1>) {
  fly.copy_atom_call(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_copy_to_a_value(
// CHECK: %{{.*}} = fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>) -> vector<2xf32>
func.func @a_copy_to_a_value(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, 2:1>) -> vector<2xf32> {
  %0 = fly.copy_atom_call_ssa(%arg0, %arg1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>) -> vector<2xf32>
  func.return %0 : vector<2xf32>
}

// CHECK-LABEL: @a_copy_of_a_value(
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, vector<2xf32>, !fly.memref<f32, global, 2:1>) -> ()
func.func @a_copy_of_a_value(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: vector<2xf32>, %arg2: !fly.memref<f32, global, 2:1>) {
  fly.copy_atom_call_ssa(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, vector<2xf32>, !fly.memref<f32, global, 2:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_copy_of_a_value_where_it_holds(
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, vector<2xf32>, !fly.memref<f32, global, 2:1>, i1) -> ()
func.func @a_copy_of_a_value_where_it_holds(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: vector<2xf32>, %arg2: !fly.memref<f32, global, 2:1>, %arg3: i1) {
  fly.copy_atom_call_ssa(%arg0, %arg1, %arg2, %arg3) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, vector<2xf32>, !fly.memref<f32, global, 2:1>, i1) -> ()
  func.return
}

// CHECK-LABEL: @products(
// CHECK: fly.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> ()
func.func @products(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %arg2: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg3: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg4: !fly.memref<f32, register, (4,2,2):(1,4,8)>) {
  fly.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> ()
  func.return
}

// CHECK-LABEL: @products_in_an_order(
// CHECK: fly.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {traversalOrder = #fly<gemm_traversal_order nmk_serpentine>} : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> ()
func.func @products_in_an_order(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %arg2: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg3: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg4: !fly.memref<f32, register, (4,2,2):(1,4,8)>) {
  fly.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) {traversalOrder = #fly<gemm_traversal_order nmk_serpentine>} : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> ()
  func.return
}

// CHECK-LABEL: @products_along_a_layout(
// CHECK: fly.gemm(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) traversalLayout = %{{.*}} : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.layout<(2,2,3):(6,3,1)>) -> ()
func.func @products_along_a_layout(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %arg2: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg3: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg4: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %arg5: !fly.layout<(2, 2, 3) : (6, 3, 1)>) {
  fly.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) traversalLayout = %arg5 : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.layout<(2, 2, 3) : (6, 3, 1)>) -> ()
  func.return
}

// CHECK-LABEL: @a_product_of_atoms(
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
func.func @a_product_of_atoms(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, 4:1>, %arg2: !fly.memref<f16, register, 4:1>, %arg3: !fly.memref<f16, register, 4:1>, %arg4: !fly.memref<f32, register, 4:1>) {
  fly.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_product_with_lists(
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i32, register, 1:0>, !fly.memref<f16, register, 4:1>, !fly.memref<i32, register, 1:0>, !fly.memref<f32, register, 4:1>) -> ()
func.func @a_product_with_lists(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, 4:1>, %arg2: !fly.memref<f16, register, 4:1>, %arg3: !fly.memref<i32, register, 1:0>, %arg4: !fly.memref<f16, register, 4:1>, %arg5: !fly.memref<i32, register, 1:0>, %arg6: !fly.memref<f32, register, 4:1>) {
  fly.mma_atom_call(%arg0, %arg1, [%arg2, %arg3], [%arg4, %arg5], %arg6) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i32, register, 1:0>, !fly.memref<f16, register, 4:1>, !fly.memref<i32, register, 1:0>, !fly.memref<f32, register, 4:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_product_as_a_value(
// CHECK: %{{.*}} = fly.mma_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
func.func @a_product_as_a_value(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: vector<4xf16>, %arg2: vector<4xf16>, %arg3: vector<4xf32>) -> vector<4xf32> {
  %0 = fly.mma_atom_call_ssa(%arg0, %arg1, %arg2, %arg3) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  func.return %0 : vector<4xf32>
}

// CHECK-LABEL: @a_product_to_registers(
// CHECK: fly.mma_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) dst = %{{.*}} : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
func.func @a_product_to_registers(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, 4:1>, %arg2: vector<4xf16>, %arg3: vector<4xf16>, %arg4: vector<4xf32>) {
  fly.mma_atom_call_ssa(%arg0, %arg2, %arg3, %arg4) dst = %arg1 : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
  func.return
}
