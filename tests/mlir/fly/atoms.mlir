// RUN: tilewright opt %s | FileCheck %s
// Atoms of copies and of matrix products, and threads that share them.

// CHECK-LABEL: @an_atom_of_a_copy(
// CHECK: %{{.*}} = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @an_atom_of_a_copy() -> !fly.copy_atom<!fly.universal_copy<64>, 32> {
  %0 = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
  func.return %0 : !fly.copy_atom<!fly.universal_copy<64>, 32>
}

// CHECK-LABEL: @an_atom_of_a_buffer_copy(
// CHECK: %{{.*}} = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
func.func @an_atom_of_a_buffer_copy() -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16> {
  %0 = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
  func.return %0 : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
}

// CHECK-LABEL: @an_atom_of_an_atomic_sum(
// CHECK: %{{.*}} = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>
func.func @an_atom_of_an_atomic_sum() -> !fly.copy_atom<!fly.universal_atomic<add, f32>, 32> {
  %0 = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>
  func.return %0 : !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>
}

// CHECK-LABEL: @an_atom_of_products(
// CHECK: %{{.*}} = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
func.func @an_atom_of_products() -> !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>> {
  %0 = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  func.return %0 : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
}

// CHECK-LABEL: @an_atom_of_matrix_products(
// CHECK: %{{.*}} = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @an_atom_of_matrix_products() -> !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>> {
  %0 = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
  func.return %0 : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
}

// CHECK-LABEL: @a_field_of_an_atom(
// CHECK: %{{.*}} = fly.atom.set_value(%{{.*}}, "soffset", %{{.*}}) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>
func.func @a_field_of_an_atom(%arg0: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>, %arg1: i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32> {
  %0 = fly.atom.set_value(%arg0, "soffset", %arg1) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>
  func.return %0 : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>
}

// CHECK-LABEL: @threads_of_a_copy(
// CHECK: %{{.*}} = fly.make_tiled_copy(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>
func.func @threads_of_a_copy(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.layout<(32, 2) : (2, 1)>, %arg2: !fly.tile<[8|8]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>> {
  %0 = fly.make_tiled_copy(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>
  func.return %0 : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>
}

// CHECK-LABEL: @threads_of_products(
// CHECK: %{{.*}} = fly.make_tiled_mma(%{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>
func.func @threads_of_products(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.layout<(2, 2, 1) : (1, 2, 0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>> {
  %0 = fly.make_tiled_mma(%arg0, %arg1) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>
  func.return %0 : !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>
}

// CHECK-LABEL: @threads_of_products_permuted(
// CHECK: %{{.*}} = fly.make_tiled_mma(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>>
func.func @threads_of_products_permuted(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.layout<(2, 2, 1) : (1, 2, 0)>, %arg2: !fly.tile<[*|(16,2,2):(1,32,16)|*]>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>> {
  %0 = fly.make_tiled_mma(%arg0, %arg1, %arg2) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>) -> !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>>
  func.return %0 : !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>, !fly.tile<[*|(16,2,2):(1,32,16)|*]>>
}

// CHECK-LABEL: @a_copy_of_what_a_is(
// CHECK: %{{.*}} = fly.make_tiled_copy_A(%{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>
func.func @a_copy_of_what_a_is(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16, 4, 2, 2), (4, (1, 1))) : ((1, 128, 16, 0), (32, (0, 0)))>, !fly.tile<[32:1|16:1]>> {
  %0 = fly.make_tiled_copy_A(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16, 4, 2, 2), (4, (1, 1))) : ((1, 128, 16, 0), (32, (0, 0)))>, !fly.tile<[32:1|16:1]>>
  func.return %0 : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>
}

// CHECK-LABEL: @a_copy_of_what_b_is(
// CHECK: %{{.*}} = fly.make_tiled_copy_B(%{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,0,16),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>
func.func @a_copy_of_what_b_is(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16, 4, 2, 2), (4, (1, 1))) : ((1, 128, 0, 16), (32, (0, 0)))>, !fly.tile<[32:1|16:1]>> {
  %0 = fly.make_tiled_copy_B(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16, 4, 2, 2), (4, (1, 1))) : ((1, 128, 0, 16), (32, (0, 0)))>, !fly.tile<[32:1|16:1]>>
  func.return %0 : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,0,16),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>
}

// CHECK-LABEL: @a_copy_of_the_sums(
// CHECK: %{{.*}} = fly.make_tiled_copy_C(%{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<((16,8,2),((4,1),(1,1))):((32,4,512),((1,0),(0,0)))>, !fly.tile<[32:1|32:1]>>
func.func @a_copy_of_the_sums(%arg0: !fly.copy_atom<!fly.universal_copy<32>, 32>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<((16, 8, 2), ((4, 1), (1, 1))) : ((32, 4, 512), ((1, 0), (0, 0)))>, !fly.tile<[32:1|32:1]>> {
  %0 = fly.make_tiled_copy_C(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<((16, 8, 2), ((4, 1), (1, 1))) : ((32, 4, 512), ((1, 0), (0, 0)))>, !fly.tile<[32:1|32:1]>>
  func.return %0 : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<((16,8,2),((4,1),(1,1))):((32,4,512),((1,0),(0,0)))>, !fly.tile<[32:1|32:1]>>
}

// CHECK-LABEL: @the_descriptor_of_a_buffer(
// CHECK: %{{.*}} = fly_rocdl.get_buffer_rsrc(%{{.*}}) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
func.func @the_descriptor_of_a_buffer(%arg0: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8> {
  %0 = fly_rocdl.get_buffer_rsrc(%arg0) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  func.return %0 : !llvm.ptr<8>
}

// CHECK-LABEL: @the_atom_of_a_copy(
// CHECK: %{{.*}} = fly.get_copy_atom(%{{.*}}) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 32>
func.func @the_atom_of_a_copy(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 32> {
  %0 = fly.get_copy_atom(%arg0) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 32>
  func.return %0 : !fly.copy_atom<!fly.universal_copy<64>, 32>
}

// CHECK-LABEL: @the_atom_of_products(
// CHECK: %{{.*}} = fly.get_mma_atom(%{{.*}}) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
func.func @the_atom_of_products(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>> {
  %0 = fly.get_mma_atom(%arg0) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>) -> !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
  func.return %0 : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
}

// CHECK-LABEL: @what_a_thread_reads(
// CHECK: %{{.*}} = fly.tiled_copy.partition_src(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, global, (16,24):(24,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,1),2,3):((24,0),192,8)>
func.func @what_a_thread_reads(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, global, (16,24):(24,1)>, %arg2: !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,1),2,3):((24,0),192,8)> {
  %0 = fly.tiled_copy.partition_src(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, !fly.memref<f32, global, (16,24):(24,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, global, ((2,1),2,3):((24,0),192,8)>
  func.return %0 : !fly.memref<f32, global, ((2,1),2,3):((24,0),192,8)>
}

// CHECK-LABEL: @what_a_thread_writes(
// CHECK: %{{.*}} = fly.tiled_copy.partition_dst(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, shared, (16,24):(1,16)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, ((2,1),2,3):((1,0),8,128)>
func.func @what_a_thread_writes(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, shared, (16,24):(1,16)>, %arg2: !fly.int_tuple<?>) -> !fly.memref<f32, shared, ((2,1),2,3):((1,0),8,128)> {
  %0 = fly.tiled_copy.partition_dst(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, !fly.memref<f32, shared, (16,24):(1,16)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, ((2,1),2,3):((1,0),8,128)>
  func.return %0 : !fly.memref<f32, shared, ((2,1),2,3):((1,0),8,128)>
}

// CHECK-LABEL: @registers_as_a_copy_has_them(
// CHECK: %{{.*}} = fly.tiled_copy.retile(%{{.*}}, %{{.*}}) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, register, (2,2,3):(1,2,4)>) -> !fly.memref<f32, register, ((2,1),2,3):((1,0),2,4)>
func.func @registers_as_a_copy_has_them(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, register, (2,2,3):(1,2,4)>) -> !fly.memref<f32, register, ((2,1),2,3):((1,0),2,4)> {
  %0 = fly.tiled_copy.retile(%arg0, %arg1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32, 2) : (2, 1)>, !fly.tile<[8|8]>>, !fly.memref<f32, register, (2,2,3):(1,2,4)>) -> !fly.memref<f32, register, ((2,1),2,3):((1,0),2,4)>
  func.return %0 : !fly.memref<f32, register, ((2,1),2,3):((1,0),2,4)>
}

// CHECK-LABEL: @what_a_thread_multiplies(
// CHECK: %{{.*}} = fly.tiled_mma.partition(a, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.memref<f16, shared, (64,32):(32,1)>, !fly.int_tuple<?>) -> !fly.memref<f16, shared, (4,2,2):(1,1024,16)>
func.func @what_a_thread_multiplies(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, %arg1: !fly.memref<f16, shared, (64,32):(32,1)>, %arg2: !fly.int_tuple<?>) -> !fly.memref<f16, shared, (4,2,2):(1,1024,16)> {
  %0 = fly.tiled_mma.partition(a, %arg0, %arg1, %arg2) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, !fly.memref<f16, shared, (64,32):(32,1)>, !fly.int_tuple<?>) -> !fly.memref<f16, shared, (4,2,2):(1,1024,16)>
  func.return %0 : !fly.memref<f16, shared, (4,2,2):(1,1024,16)>
}

// CHECK-LABEL: @where_a_thread_sums(
// CHECK: %{{.*}} = fly.tiled_mma.partition(c, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.coord_tensor<(0,0), (64,64):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)>
func.func @where_a_thread_sums(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, %arg1: !fly.coord_tensor<(0,0), (64,64):(1E0,1E1)>, %arg2: !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)> {
  %0 = fly.tiled_mma.partition(c, %arg0, %arg1, %arg2) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, !fly.coord_tensor<(0,0), (64,64):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)>
  func.return %0 : !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)>
}

// CHECK-LABEL: @shapes_of_what_a_thread_multiplies(
// CHECK: %{{.*}} = fly.tiled_mma.partition_shape(%{{.*}}, %{{.*}}) {operand_id = #fly<mma_operand b>} : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.int_tuple<(64,32)>) -> !fly.int_tuple<(4,2,2)>
func.func @shapes_of_what_a_thread_multiplies(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, %arg1: !fly.int_tuple<(64, 32)>) -> !fly.int_tuple<(4, 2, 2)> {
  %0 = fly.tiled_mma.partition_shape(%arg0, %arg1) {operand_id = #fly<mma_operand b>} : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, !fly.int_tuple<(64, 32)>) -> !fly.int_tuple<(4, 2, 2)>
  func.return %0 : !fly.int_tuple<(4,2,2)>
}

// CHECK-LABEL: @registers_of_products(
// CHECK: %{{.*}} = fly.mma.make_fragment(c, %{{.*}}, %{{.*}}) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.memref<f32, global, (64,64):(64,1)>) -> !fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>
func.func @registers_of_products(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, %arg1: !fly.memref<f32, global, (64,64):(64,1)>) -> !fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)> {
  %0 = fly.mma.make_fragment(c, %arg0, %arg1) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, !fly.memref<f32, global, (64,64):(64,1)>) -> !fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>
  func.return %0 : !fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>
}

// CHECK-LABEL: @registers_of_two_stages(
// CHECK: %{{.*}} = fly.mma.make_fragment(b, %{{.*}}, %{{.*}}, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.memref<f16, shared, (64,32):(32,1)>) -> !fly.memref<f16, register, (4,2,2,2):(1,8,4,16)>
func.func @registers_of_two_stages(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, %arg1: !fly.memref<f16, shared, (64,32):(32,1)>) -> !fly.memref<f16, register, (4,2,2,2):(1,8,4,16)> {
  %0 = fly.mma.make_fragment(b, %arg0, %arg1, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2, 2, 1) : (1, 2, 0)>>, !fly.memref<f16, shared, (64,32):(32,1)>) -> !fly.memref<f16, register, (4,2,2,2):(1,8,4,16)>
  func.return %0 : !fly.memref<f16, register, (4,2,2,2):(1,8,4,16)>
}
