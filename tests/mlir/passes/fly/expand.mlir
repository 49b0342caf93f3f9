// RUN: tilewright opt %s --fly-expand-work --verify-each | FileCheck %s
// RUN: tilewright opt %s --fly-layout-lowering --verify-each | FileCheck %s --check-prefix=LOWERED

// One call for each place along the modes behind the first.
// CHECK-LABEL: func.func @places
// LOWERED-LABEL: func.func @places
func.func @places(%s: !fly.memref<f32, global, (4,2):(1,8)>, %d: !fly.memref<f32, register, (4,2):(1,4)>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: [[A:%.+]] = fly.slice(%arg0, {{.+}} : (!fly.memref<f32, global, (4,2):(1,8)>, !fly.int_tuple<(*,0)>)
  // CHECK: [[B:%.+]] = fly.slice(%arg1, {{.+}} !fly.int_tuple<(*,0)>)
  // CHECK-NEXT: fly.copy_atom_call(%0, [[A]], [[B]])
  // CHECK: [[C:%.+]] = fly.slice(%arg0, {{.+}} !fly.int_tuple<(*,1)>)
  // CHECK: [[D:%.+]] = fly.slice(%arg1, {{.+}} !fly.int_tuple<(*,1)>)
  // CHECK-NEXT: fly.copy_atom_call(%0, [[C]], [[D]])
  // CHECK-NOT: fly.copy(
  // LOWERED-COUNT-2: fly.copy_atom_call
  // LOWERED-NOT: fly.slice
  fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,2):(1,8)>, !fly.memref<f32, register, (4,2):(1,4)>) -> ()
  func.return
}

// What one call moves whole is not sliced.
// CHECK-LABEL: func.func @whole
func.func @whole(%s: !fly.memref<f32, global, (2,2):(1,4)>, %d: !fly.memref<f32, register, 4:1>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: fly.copy_atom_call(%0, %arg0, %arg1)
  fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (2,2):(1,4)>, !fly.memref<f32, register, 4:1>) -> ()
  func.return
}

// The first mode may hold several atoms itself: first along these, then along the others. A predicate tells about
// each call, about all within the first mode, or about all.
// CHECK-LABEL: func.func @predicates
func.func @predicates(%s: !fly.memref<f32, global, ((1,2),2):((0,1),2)>, %d: !fly.memref<f32, register, ((1,2),2):((0,1),2)>,
    %each: !fly.memref<i1, register, (2,2):(1,2)>, %rest: !fly.memref<i1, register, (1,2):(0,1)>, %all: !fly.memref<i1, register, 1:0>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  // CHECK: fly.crd2idx({{.+}} : (!fly.int_tuple<0>, !fly.layout<(2,2):(1,2)>) -> !fly.int_tuple<0>
  // CHECK: !fly.int_tuple<((*,0),0)>)
  // CHECK: fly.copy_atom_call
  // CHECK: fly.crd2idx({{.+}} : (!fly.int_tuple<1>, !fly.layout<(2,2):(1,2)>)
  // CHECK: !fly.int_tuple<((*,1),0)>)
  // CHECK: fly.copy_atom_call
  // CHECK: fly.crd2idx({{.+}} : (!fly.int_tuple<2>, !fly.layout<(2,2):(1,2)>)
  // CHECK: !fly.int_tuple<((*,0),1)>)
  // CHECK: fly.copy_atom_call
  // CHECK: fly.crd2idx({{.+}} : (!fly.int_tuple<3>, !fly.layout<(2,2):(1,2)>)
  // CHECK: !fly.int_tuple<((*,1),1)>)
  // CHECK: fly.copy_atom_call
  fly.copy(%atom, %s, %d, %each) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, ((1,2),2):((0,1),2)>, !fly.memref<f32, register, ((1,2),2):((0,1),2)>, !fly.memref<i1, register, (2,2):(1,2)>) -> ()
  // CHECK-COUNT-2: fly.crd2idx({{.+}} : (!fly.int_tuple<0>, !fly.layout<(1,2):(0,1)>)
  // CHECK-COUNT-2: fly.crd2idx({{.+}} : (!fly.int_tuple<1>, !fly.layout<(1,2):(0,1)>)
  fly.copy(%atom, %s, %d, %rest) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, ((1,2),2):((0,1),2)>, !fly.memref<f32, register, ((1,2),2):((0,1),2)>, !fly.memref<i1, register, (1,2):(0,1)>) -> ()
  // CHECK-COUNT-4: fly.copy_atom_call({{.+}}, %arg4)
  fly.copy(%atom, %s, %d, %all) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, ((1,2),2):((0,1),2)>, !fly.memref<f32, register, ((1,2),2):((0,1),2)>, !fly.memref<i1, register, 1:0>) -> ()
  func.return
}

// K outside of M and N; what is added is c in the first round, then d.
// CHECK-LABEL: func.func @products
func.func @products(%d: !fly.memref<f32, register, (1,1,2):(0,0,1)>, %a: !fly.memref<f32, register, (1,1,2):(0,0,1)>, %b: !fly.memref<f32, register, (1,2,2):(0,1,2)>, %c: !fly.memref<f32, register, (1,1,2):(0,0,1)>) {
  %fma = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  // CHECK: fly.slice(%arg1, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.slice(%arg0, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.slice(%arg3, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.mma_atom_call(
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,0)>)
  // CHECK: fly.slice(%arg3, {{.+}} !fly.int_tuple<(*,0,1)>)
  // CHECK: fly.mma_atom_call(
  // CHECK-NOT: fly.slice(%arg3
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,1)>)
  // CHECK: fly.mma_atom_call(
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,1)>)
  // CHECK: fly.mma_atom_call(
  fly.gemm(%fma, %d, %a, %b, %c) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>) -> ()
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,1)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,1)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,0)>)
  fly.gemm(%fma, %d, %a, %b, %c) {traversalOrder = #fly<gemm_traversal_order kmn_serpentine>} : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>) -> ()
  %walk = fly.static : !fly.layout<(2,2):(2,1)>
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,0)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,0,1)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,0)>)
  // CHECK: fly.slice(%arg2, {{.+}} !fly.int_tuple<(*,1,1)>)
  fly.gemm(%fma, %d, %a, %b, %c) traversalLayout = %walk : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,1,2):(0,0,1)>, !fly.layout<(2,2):(2,1)>) -> ()
  func.return
}

// A swizzle that only moves what a call takes is applied to the pointer; one that scatters it stays in the view.
// CHECK-LABEL: func.func @swizzled
func.func @swizzled(%s: !fly.memref<f32, register, (4,2):(1,4)>, %d: !fly.memref<f32, shared, S<1,2,3> o 0 o (4,2):(1,32)>, %e: !fly.memref<f32, shared, S<1,1,3> o 0 o (4,2):(1,32)>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: fly.copy_atom_call({{.+}}, !fly.memref<f32, shared, 4:1>) -> ()
  // CHECK: [[V:%.+]] = fly.decomposition({{.+}} : (!fly.memref<f32, shared, S<1,2,3> o 32 o 4:1>)
  // CHECK-NEXT: fly.copy_atom_call(%0, %{{.+}}, [[V]])
  fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, register, (4,2):(1,4)>, !fly.memref<f32, shared, S<1,2,3> o 0 o (4,2):(1,32)>) -> ()
  // CHECK-NOT: fly.decomposition
  // CHECK: fly.copy_atom_call({{.+}}, !fly.memref<f32, shared, S<1,1,3> o 32 o 4:1>) -> ()
  fly.copy(%atom, %s, %e) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, register, (4,2):(1,4)>, !fly.memref<f32, shared, S<1,1,3> o 0 o (4,2):(1,32)>) -> ()
  func.return
}

// What moves a whole tile is one call, and its views stay as they are.
// CHECK-LABEL: @a_tensor_mover
// CHECK: fly.copy_atom_call({{.*}}, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
// CHECK-NOT: fly.copy_atom_call
func.func @a_tensor_mover(%g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !fly.memref<f16, shared, (128,64):(64,1)>) {
  %atom = fly.make_copy_atom {valBits = 0 : i32} : !fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
  fly.copy(%atom, %g, %s) : (!fly.copy_atom<!fly_rocdl.gfx1250.tdm_2d<warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>, !fly.memref<f16, global, (128,64):(64,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
  func.return
}
