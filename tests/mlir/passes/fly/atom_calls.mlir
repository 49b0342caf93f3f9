// RUN: tilewright opt %s --fly-convert-atom-call-to-ssa-form --verify-each | FileCheck %s

// What is read from registers is a value, loaded before the call.
// CHECK-LABEL: func.func @from_registers
func.func @from_registers(%r: !fly.ptr<f32, register>, %g: !fly.ptr<f32, global>) {
  %l = fly.static : !fly.layout<4:1>
  %from = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  // CHECK: [[TO:%.+]] = fly.make_view(%arg1
  %to = fly.make_view(%g, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: [[V:%.+]] = fly.ptr.load(%arg0) : (!fly.ptr<f32, register>) -> vector<4xf32>
  // CHECK-NEXT: fly.copy_atom_call_ssa(%{{.+}}, [[V]], [[TO]]) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} :
  // CHECK-SAME: vector<4xf32>, !fly.memref<f32, global, 4:1>) -> ()
  fly.copy_atom_call(%atom, %from, %to) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, register, 4:1>, !fly.memref<f32, global, 4:1>) -> ()
  // CHECK-NEXT: return
  func.return
}

// What is written to registers is the result, stored after the call. One element is a scalar, narrow floats are
// integers, and a compact layout of several modes is a run as well.
// CHECK-LABEL: func.func @to_registers
func.func @to_registers(%r: !fly.ptr<f32, register>, %g: !fly.ptr<f32, global>, %n: !fly.ptr<f8E4M3FN, register>, %h: !fly.ptr<f8E4M3FN, shared>) {
  %one = fly.static : !fly.layout<1:1>
  %to = fly.make_view(%r, %one) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
  %from = fly.make_view(%g, %one) : (!fly.ptr<f32, global>, !fly.layout<1:1>) -> !fly.memref<f32, global, 1:1>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  // CHECK: [[X:%.+]] = fly.copy_atom_call_ssa(%{{.+}}, %{{.+}}) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
  // CHECK-SAME: -> f32
  // CHECK-NEXT: fly.ptr.store([[X]], %arg0) : (f32, !fly.ptr<f32, register>) -> ()
  fly.copy_atom_call(%atom, %from, %to) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  %modes = fly.static : !fly.layout<(2,(2,2)):(1,(2,4))>
  %narrow = fly.make_view(%n, %modes) : (!fly.ptr<f8E4M3FN, register>, !fly.layout<(2,(2,2)):(1,(2,4))>) -> !fly.memref<f8E4M3FN, register, (2,(2,2)):(1,(2,4))>
  %shared = fly.make_view(%h, %modes) : (!fly.ptr<f8E4M3FN, shared>, !fly.layout<(2,(2,2)):(1,(2,4))>) -> !fly.memref<f8E4M3FN, shared, (2,(2,2)):(1,(2,4))>
  %wide = fly.make_copy_atom {valBits = 8 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 8>
  // CHECK: [[Y:%.+]] = fly.copy_atom_call_ssa(
  // CHECK-SAME: -> vector<8xi8>
  // CHECK-NEXT: fly.ptr.store([[Y]], %arg2) : (vector<8xi8>, !fly.ptr<f8E4M3FN, register>) -> ()
  fly.copy_atom_call(%wide, %shared, %narrow) : (!fly.copy_atom<!fly.universal_copy<64>, 8>, !fly.memref<f8E4M3FN, shared, (2,(2,2)):(1,(2,4))>, !fly.memref<f8E4M3FN, register, (2,(2,2)):(1,(2,4))>) -> ()
  func.return
}

// Under a predicate the old registers are loaded, and kept where it is false.
// CHECK-LABEL: func.func @predicated
func.func @predicated(%r: !fly.ptr<f32, register>, %g: !fly.ptr<f32, global>, %p: !fly.ptr<i1, register>) {
  %l = fly.static : !fly.layout<4:1>
  %one = fly.static : !fly.layout<1:1>
  %to = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  // CHECK: [[FROM:%.+]] = fly.make_view(%arg1
  %from = fly.make_view(%g, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  %if = fly.make_view(%p, %one) : (!fly.ptr<i1, register>, !fly.layout<1:1>) -> !fly.memref<i1, register, 1:1>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: [[IF:%.+]] = fly.ptr.load(%arg2) : (!fly.ptr<i1, register>) -> i1
  // CHECK-NEXT: [[OLD:%.+]] = fly.ptr.load(%arg0) : (!fly.ptr<f32, register>) -> vector<4xf32>
  // CHECK-NEXT: [[NEW:%.+]] = fly.copy_atom_call_ssa(%{{.+}}, [[FROM]], [[OLD]], [[IF]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
  // CHECK-NEXT: fly.ptr.store([[NEW]], %arg0)
  fly.copy_atom_call(%atom, %from, %to, %if) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:1>, !fly.memref<i1, register, 1:1>) -> ()
  func.return
}

// No registers, or registers that lie apart: nothing changes.
// CHECK-LABEL: func.func @left_alone
func.func @left_alone(%r: !fly.ptr<f32, register>, %g: !fly.ptr<f32, global>, %s: !fly.ptr<f32, shared>) {
  %l = fly.static : !fly.layout<4:1>
  %apart = fly.static : !fly.layout<4:2>
  %to = fly.make_view(%r, %apart) : (!fly.ptr<f32, register>, !fly.layout<4:2>) -> !fly.memref<f32, register, 4:2>
  %from = fly.make_view(%g, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
  %over = fly.make_view(%s, %l) : (!fly.ptr<f32, shared>, !fly.layout<4:1>) -> !fly.memref<f32, shared, 4:1>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // CHECK: fly.copy_atom_call(
  // CHECK-NEXT: fly.copy_atom_call(
  // CHECK-NOT: _ssa
  fly.copy_atom_call(%atom, %from, %to) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:2>) -> ()
  fly.copy_atom_call(%atom, %from, %over) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, shared, 4:1>) -> ()
  func.return
}

// A predicate in a register is a value also of a copy that has no registers else, and of what moves whole tiles.
// CHECK-LABEL: func.func @a_predicate_alone
func.func @a_predicate_alone(%g: !fly.memref<f32, global, 1:1>, %s: !fly.memref<f32, shared, 1:1>, %if: !fly.memref<i1, register, 1:1>, %tile: !fly.memref<f16, shared, (128,64):(64,1)>, %at: !fly.coord_tensor<(0,0), (128,64):(1E0,1E1)>, %mover: !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<32>, 32>
  // CHECK: [[IF:%.+]] = fly.ptr.load(%{{.+}}) : (!fly.ptr<i1, register>) -> i1
  // CHECK-NEXT: fly.copy_atom_call_ssa(%{{.+}}, %arg0, %arg1, [[IF]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
  // CHECK-SAME: !fly.memref<f32, shared, 1:1>, i1) -> ()
  fly.copy_atom_call(%atom, %g, %s, %if) : (!fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<32>, 32>, !fly.memref<f32, global, 1:1>, !fly.memref<f32, shared, 1:1>, !fly.memref<i1, register, 1:1>) -> ()
  // CHECK: fly.copy_atom_call_ssa(%arg5, %arg3, %arg4, %{{.+}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
  fly.copy_atom_call(%mover, %tile, %at, %if) : (!fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.memref<f16, shared, (128,64):(64,1)>, !fly.coord_tensor<(0,0), (128,64):(1E0,1E1)>, !fly.memref<i1, register, 1:1>) -> ()
  func.return
}

// A view that a function is given has its pointer asked for.
// CHECK-LABEL: func.func @given_views
func.func @given_views(%d: !fly.memref<f32, register, 1:1>, %a: !fly.memref<f32, register, 1:1>, %b: !fly.memref<f32, register, 1:1>) {
  %fma = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  // CHECK: [[PA:%.+]] = fly.get_iter(%arg1)
  // CHECK-NEXT: [[A:%.+]] = fly.ptr.load([[PA]]) : (!fly.ptr<f32, register>) -> f32
  // CHECK: [[B:%.+]] = fly.ptr.load(
  // CHECK: [[C:%.+]] = fly.ptr.load(
  // CHECK-NEXT: [[R:%.+]] = fly.mma_atom_call_ssa(%{{.+}}, [[A]], [[B]], [[C]]) :
  // CHECK-SAME: f32, f32, f32) -> f32
  // CHECK: fly.ptr.store([[R]],
  fly.mma_atom_call(%fma, %d, %a, %b, %d) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  func.return
}
