// RUN: tilewright opt %s --split-input-file | FileCheck %s
// Spellings in which versions of FlyDSL differ: a text is printed in its own.

// CHECK-LABEL: @one_in_brackets
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, [%{{.*}}], [%{{.*}}], %{{.*}}) :
func.func @one_in_brackets(%m: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a: !fly.memref<f32, register, 1:1>) {
  fly.mma_atom_call(%m, %a, [%a], [%a], %a) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  func.return
}

// -----

// CHECK-LABEL: @one_alone
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
func.func @one_alone(%m: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a: !fly.memref<f32, register, 1:1>) {
  fly.mma_atom_call(%m, %a, %a, %a, %a) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, register, 1:1>) -> ()
  func.return
}

// -----

// CHECK-LABEL: @a_space_alone(%{{.*}}: !fly.memref<f16, buffer_desc, 4:1>)
func.func @a_space_alone(%v: !fly.memref<f16, buffer_desc, 4:1>) {
  // CHECK: fly.get_iter(%{{.*}}) : (!fly.memref<f16, buffer_desc, 4:1>) -> !fly.ptr<f16, buffer_desc>
  %p = fly.get_iter(%v) : (!fly.memref<f16, buffer_desc, 4:1>) -> !fly.ptr<f16, buffer_desc>
  func.return
}

// -----

// CHECK-LABEL: @a_space_of_its_dialect(%{{.*}}: !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>)
func.func @a_space_of_its_dialect(%v: !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>) {
  func.return
}
