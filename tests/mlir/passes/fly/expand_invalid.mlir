// RUN: tilewright opt %s --fly-expand-work --split-input-file --verify-diagnostics

func.func @too_wide(%s: !fly.memref<f32, global, (8,2):(1,8)>, %d: !fly.memref<f32, register, (8,2):(1,8)>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @+1 {{'fly.copy' op moves 4 values with each call, which mode 0 of !fly.memref<f32, global, (8,2):(1,8)> does not hold side by side}}
  fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (8,2):(1,8)>, !fly.memref<f32, register, (8,2):(1,8)>) -> ()
  func.return
}

// -----

func.func @unknown_count(%s: !fly.memref<f32, global, (4,?):(1,4)>, %d: !fly.memref<f32, shared, (4,?):(1,4)>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @+1 {{the number of atoms in !fly.memref<f32, global, (4,?):(1,4)> is known at run time only}}
  fly.copy(%atom, %s, %d) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,?):(1,4)>, !fly.memref<f32, shared, (4,?):(1,4)>) -> ()
  func.return
}

// -----

func.func @predicate(%s: !fly.memref<f32, global, (4,2):(1,4)>, %d: !fly.memref<f32, shared, (4,2):(1,4)>, %p: !fly.memref<i1, register, 3:1>) {
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  // expected-error @+1 {{makes 2 calls, for which the 3 elements of !fly.memref<i1, register, 3:1> do not tell}}
  fly.copy(%atom, %s, %d, %p) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, (4,2):(1,4)>, !fly.memref<f32, shared, (4,2):(1,4)>, !fly.memref<i1, register, 3:1>) -> ()
  func.return
}

// -----

func.func @walk(%d: !fly.memref<f32, register, (1,2,2):(0,1,2)>, %a: !fly.memref<f32, register, (1,2):(0,1)>) {
  %fma = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  %walk = fly.static : !fly.layout<(2,2):(1,1)>
  // expected-error @+1 {{the traversal layout (2,2):(1,1) does not visit each of the 4 atoms once}}
  fly.gemm(%fma, %d, %a, %a, %d) traversalLayout = %walk : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,2):(0,1)>, !fly.memref<f32, register, (1,2):(0,1)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>, !fly.layout<(2,2):(1,1)>) -> ()
  func.return
}
