// RUN: tilewright opt %s | FileCheck %s
// Atoms of newer and of older versions of FlyDSL: sparse products, tensor movers, NVIDIA's.

// The indices of a sparse A stand beside it.
// CHECK-LABEL: @sparse_products(
// CHECK: fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.gfx120x.swmmac<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
// CHECK: fly.mma_atom_call_ssa(%{{.*}}, [%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}})
func.func @sparse_products(%a: vector<8xf16>, %i: i32, %b: vector<16xf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %atom = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.gfx120x.swmmac<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
  %r = fly.mma_atom_call_ssa(%atom, [%a, %i], %b, %c) : (!fly.mma_atom<!fly_rocdl.gfx120x.swmmac<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>, vector<8xf16>, i32, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
  func.return %r : vector<8xf32>
}

// CHECK-LABEL: @sparse_products_of_registers(
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}})
func.func @sparse_products_of_registers(%d: !fly.memref<i32, register, 8:1>, %a: !fly.memref<i4, register, 16:1>, %i: !fly.memref<i32, register, 1:1>, %b: !fly.memref<i4, register, 32:1>, %c: !fly.memref<i32, register, 8:1>) {
  %atom = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.gfx120x.swmmac<16x16x64, (i4, i4) -> i32, signA = true, signB = true, clamp = false>>
  fly.mma_atom_call(%atom, %d, [%a, %i], %b, %c) : (!fly.mma_atom<!fly_rocdl.gfx120x.swmmac<16x16x64, (i4, i4) -> i32, signA = true, signB = true, clamp = false>>, !fly.memref<i32, register, 8:1>, !fly.memref<i4, register, 16:1>, !fly.memref<i32, register, 1:1>, !fly.memref<i4, register, 32:1>, !fly.memref<i32, register, 8:1>) -> ()
  func.return
}

// CHECK-LABEL: @products_in_the_older_layout_of_rdna3(
// CHECK: fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.rdna3.wmma<16x16x16, (bf16, bf16) -> bf16>>
// CHECK: fly.mma_atom_call(
func.func @products_in_the_older_layout_of_rdna3(%d: !fly.memref<bf16, register, 8:1>, %a: !fly.memref<bf16, register, 8:1>, %b: !fly.memref<bf16, register, 8:1>, %c: !fly.memref<bf16, register, 8:1>) {
  %atom = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.rdna3.wmma<16x16x16, (bf16, bf16) -> bf16>>
  fly.mma_atom_call(%atom, %d, %a, %b, %c) : (!fly.mma_atom<!fly_rocdl.rdna3.wmma<16x16x16, (bf16, bf16) -> bf16>>, !fly.memref<bf16, register, 8:1>, !fly.memref<bf16, register, 8:1>, !fly.memref<bf16, register, 8:1>, !fly.memref<bf16, register, 8:1>) -> ()
  func.return
}

// Settings that older texts leave out are written.
// CHECK-LABEL: @products_without_signs(
// CHECK-SAME: !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
func.func @products_without_signs(%a: !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32>>) {
  func.return
}

// CHECK-LABEL: @a_scale_of_products(
// CHECK: fly.atom.set_value(%{{.*}}, "scale_b", %{{.*}}) : (!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>>, i32) -> !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>>
func.func @a_scale_of_products(%atom: !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 1>>, %s: i32) {
  %0 = fly.atom.set_value(%atom, "scale_b", %s) : (!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 1>>, i32) -> !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>>
  func.return
}

// CHECK-LABEL: @a_scale_of_sixteen(
// CHECK: fly.atom.set_value(%{{.*}}, "scale_a", %{{.*}}) : (!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 16>>, i64) -> !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 16>>
func.func @a_scale_of_sixteen(%atom: !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 16>>, %s: i64) {
  %0 = fly.atom.set_value(%atom, "scale_a", %s) : (!fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 16>>, i64) -> !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 16>>
  func.return
}

// CHECK-LABEL: @products_as_they_were_first_written(
// CHECK: [[ATOM:%.+]] = fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>
// CHECK: fly.make_mma_atom : !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>
// CHECK: fly.mma_atom_call([[ATOM]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>, 
func.func @products_as_they_were_first_written(%d: !fly.memref<f32, register, 4:1>, %a: !fly.memref<f32, register, 1:1>) {
  %0 = fly.make_atom : () -> !fly_rocdl.atom.cdna3.mfma<16x16x4, (f32, f32) -> f32>
  %1 = fly.make_mma_atom : !fly_rocdl.atom.cdna3.mfma<16x16x4, (f32, f32) -> f32>
  fly.mma_atom_call(%0, %d, %a, %a, %d) : (!fly_rocdl.atom.cdna3.mfma<16x16x4, (f32, f32) -> f32>, !fly.memref<f32, register, 4:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 4:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_copy_behind_the_back(
// CHECK: fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_nvvm.sm80.cp.async<128>, 16>
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly_nvvm.sm80.cp.async<128>, 16>, !fly.memref<f16, global, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
func.func @a_copy_behind_the_back(%s: !fly.memref<f16, global, 8:1>, %d: !fly.memref<f16, shared, 8:1>) {
  %atom = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_nvvm.sm80.cp.async<128>, 16>
  fly.copy_atom_call(%atom, %s, %d) : (!fly.copy_atom<!fly_nvvm.sm80.cp.async<128>, 16>, !fly.memref<f16, global, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_matrix_read(
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_nvvm.sm75.ldmatrix<num = 4, trans = true>, 16>, !fly.memref<f16, shared, 8:1>) -> vector<8xf16>
func.func @a_matrix_read(%s: !fly.memref<f16, shared, 8:1>) -> vector<8xf16> {
  %atom = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_nvvm.sm75.ldmatrix<num = 4, trans = true>, 16>
  %r = fly.copy_atom_call_ssa(%atom, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly_nvvm.sm75.ldmatrix<num = 4, trans = true>, 16>, !fly.memref<f16, shared, 8:1>) -> vector<8xf16>
  func.return %r : vector<8xf16>
}

// CHECK-LABEL: @products_of_a_warp(
// CHECK: fly.mma_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>, 
func.func @products_of_a_warp(%a: vector<8xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %atom = fly.make_mma_atom : !fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>
  %r = fly.mma_atom_call_ssa(%atom, %a, %b, %c) : (!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>, vector<8xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  func.return %r : vector<4xf32>
}

// CHECK-LABEL: @what_a_thread_of_a_warp_multiplies(
// CHECK: fly.tiled_mma.partition(a, 
func.func @what_a_thread_of_a_warp_multiplies(%t: !fly.tiled_mma<!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>, <(2,2,1):(1,2,0)>>, %v: !fly.memref<f16, shared, (64,32):(32,1)>, %i: !fly.int_tuple<?>) -> !fly.memref<f16, shared, ((2,2,2),2,2):((1,256,8),1024,16)> {
  %r = fly.tiled_mma.partition(a, %t, %v, %i) : (!fly.tiled_mma<!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>, <(2,2,1):(1,2,0)>>, !fly.memref<f16, shared, (64,32):(32,1)>, !fly.int_tuple<?>) -> !fly.memref<f16, shared, ((2,2,2),2,2):((1,256,8),1024,16)>
  func.return %r : !fly.memref<f16, shared, ((2,2,2),2,2):((1,256,8),1024,16)>
}

// Tensor movers have layouts that only their descriptors know.
// CHECK-LABEL: @a_tile_moved(
// CHECK: fly.atom.set_value(%{{.*}}, "extent_0", %{{.*}})
// CHECK: fly.atom.set_value(%{{.*}}, "index_ptr", %{{.*}})
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>, !fly.memref<i1, register, 1:1>) -> ()
func.func @a_tile_moved(%atom: !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>, %e: i32, %p: !fly.ptr<i32, global>, %s: !fly.memref<f16, global, (128,64):(64,1)>, %d: !fly.memref<f16, shared, (128,64):(64,1)>, %if: !fly.memref<i1, register, 1:1>) {
  %0 = fly.atom.set_value(%atom, "extent_0", %e) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>, i32) -> !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>
  %1 = fly.atom.set_value(%0, "index_ptr", %p) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>, !fly.ptr<i32, global>) -> !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>
  fly.copy_atom_call(%1, %s, %d, %if) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = true, iwidth = 32>, 16>, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>, !fly.memref<i1, register, 1:1>) -> ()
  func.return
}

// CHECK-LABEL: @a_tile_of_a_described_tensor(
// CHECK: fly.make_copy_atom {valBits = 0 : i32} : !fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>, !fly.memref<f16, #fly_rocdl.global_tensor_desc, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
func.func @a_tile_of_a_described_tensor(%s: !fly.memref<f16, #fly_rocdl.global_tensor_desc, (128,64):(64,1)>, %d: !fly.memref<f16, shared, (128,64):(64,1)>) {
  %atom = fly.make_copy_atom {valBits = 0 : i32} : !fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0>, 0>
  fly.copy_atom_call(%atom, %s, %d) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0>, 0>, !fly.memref<f16, #fly_rocdl.global_tensor_desc, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
  func.return
}

// CHECK-LABEL: @rows_gathered(
// CHECK: fly.atom.set_value(%{{.*}}, "row_indices", %{{.*}}) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>, vector<8xi32>) -> !fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>
func.func @rows_gathered(%atom: !fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>, %rows: vector<8xi32>, %s: !fly.memref<f16, global, (128,64):(64,1)>, %d: !fly.memref<f16, shared, (128,64):(64,1)>) {
  %0 = fly.atom.set_value(%atom, "row_indices", %rows) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>, vector<8xi32>) -> !fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>
  fly.copy_atom_call(%0, %s, %d) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_gather<index = 16, pad = 0, 0, cache = 0>, 0>, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
  func.return
}

// CHECK-LABEL: @a_tile_at_a_coordinate(
// CHECK: fly.make_copy_atom(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !fly.ptr<f16, global>, i64, i32, i32) {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>
// CHECK: fly.atom.set_value(%{{.*}}, "boundary_check", %{{.*}})
// CHECK: fly.atom.set_value(%{{.*}}, "atomic_barrier_addr", %{{.*}})
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>, !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
func.func @a_tile_at_a_coordinate(%base: !fly.ptr<f16, global>, %s: i64, %e: i32, %off: !fly.int_tuple<(1,?)>, %bar: !fly.ptr<i64, shared>, %from: !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, %to: !fly.memref<f16, shared, (128,64):(64,1)>) {
  %0 = fly.make_copy_atom(%base, %s, %e, %e : !fly.ptr<f16, global>, i64, i32, i32) {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>
  %1 = fly.atom.set_value(%0, "boundary_check", %off) : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>, !fly.int_tuple<(1,?)>) -> !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>
  %2 = fly.atom.set_value(%1, "atomic_barrier_addr", %bar) : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>, !fly.ptr<i64, shared>) -> !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>
  fly.copy_atom_call(%2, %from, %to) : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true>, 16>, !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
  func.return
}

// CHECK-LABEL: @a_tile_stored_where_a_predicate_holds(
// CHECK: fly.copy_atom_call_ssa(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.memref<f16, shared, (128,64):(64,1)>, !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, i1) -> ()
func.func @a_tile_stored_where_a_predicate_holds(%atom: !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, %from: !fly.memref<f16, shared, (128,64):(64,1)>, %to: !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, %if: i1) {
  fly.copy_atom_call_ssa(%atom, %from, %to, %if) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.memref<f16, shared, (128,64):(64,1)>, !fly.coord_tensor<(?,0), (128,64):(1E0,1E1)>, i1) -> ()
  func.return
}
