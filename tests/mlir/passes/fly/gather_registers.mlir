// RUN: tilewright opt %s --fly-gather-registers --verify-each | FileCheck %s

// What a call writes in two runs it writes in one, which is brought to both.
// CHECK-LABEL: func.func @apart
// CHECK: %[[HELD:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}}
// CHECK: fly.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, (4,1):(1,0)>) -> ()
// CHECK-COUNT-2: fly.ptr.store(%{{.*}}, %{{.*}}) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
func.func @apart(%g: !fly.memref<f32, global, 4:1>) {
  %l = fly.static : !fly.layout<(2,2):(1,4)>
  %r = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %v = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<(2,2):(1,4)>) -> !fly.memref<f32, register, (2,2):(1,4)>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  fly.copy_atom_call(%atom, %g, %v) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, (2,2):(1,4)>) -> ()
  func.return
}

// CHECK-LABEL: func.func @together
// CHECK-NOT: allocSize = 4
func.func @together(%g: !fly.memref<f32, global, 4:1>) {
  %l = fly.static : !fly.layout<4:1>
  %r = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %v = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<4:1>) -> !fly.memref<f32, register, 4:1>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  fly.copy_atom_call(%atom, %g, %v) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
  func.return
}
