// RUN: tilewright opt %s | FileCheck %s
// Spellings that the release no longer has are read, and printed as the release's.

// CHECK-LABEL: @a_pointer(%{{.*}}: !fly.ptr<f16, global>)
func.func @a_pointer(%p: !fly.pointer<f16>) {
  func.return
}

// CHECK-LABEL: @a_pointer_into_shared_memory(%{{.*}}: !fly.ptr<f16, shared, align<16>>)
func.func @a_pointer_into_shared_memory(%p: !fly.pointer<f16, shared, align<16>>) {
  func.return
}

// CHECK-LABEL: @an_atom_of_a_copy(%{{.*}}: !fly.copy_atom<!fly.universal_copy<128>, 32>)
func.func @an_atom_of_a_copy(%a: !fly.copy_atom_universal_copy<128, 32>) {
  func.return
}

// CHECK-LABEL: @an_atom_of_products(%{{.*}}: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>)
func.func @an_atom_of_products(%a: !fly.mma_atom_universal_fma<1x1x1, (f32, f32) -> f32>) {
  func.return
}

// CHECK-LABEL: @blocks_stay_whole(
// CHECK: fly.blocked_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:1>) -> !fly.layout<((2,4),(3,1)):((3,6),(1,0))>
func.func @blocks_stay_whole(%a: !fly.layout<(2, 3) : (3, 1)>, %b: !fly.layout<4 : 1>) {
  %r = fly.block_product(%a, %b) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:1>) -> !fly.layout<((2,4),(3,1)):((3,6),(1,0))>
  func.return
}

// CHECK-LABEL: @blocks_stay_whole_in_the_generic_form(
// CHECK: fly.blocked_product(
func.func @blocks_stay_whole_in_the_generic_form(%a: !fly.layout<(2,3):(3,1)>, %b: !fly.layout<4:1>) {
  %r = "fly.block_product"(%a, %b) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:1>) -> !fly.layout<((2,4),(3,1)):((3,6),(1,0))>
  func.return
}

// Bits that stand before the layout: those of the new type first.
// CHECK-LABEL: @elements_of_twice_the_bits(
// CHECK: fly.recast_layout(%{{.*}}) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(2,3):(1,2)>) -> !fly.layout<(1,3):(1,1)>
func.func @elements_of_twice_the_bits(%l: !fly.layout<(2, 3) : (1, 2)>) {
  %r = fly.recast_layout(32, 16, %l) : (!fly.layout<(2, 3) : (1, 2)>) -> !fly.layout<(1, 3) : (1, 1)>
  func.return
}

// The document's way to an element of a tuple: its mode, and the integer of that.
// CHECK-LABEL: @an_element(
// CHECK: %[[MODE:.*]] = fly.select(%{{.*}}) {indices = array<i32: 1>}
// CHECK: fly.get_scalar(%[[MODE]]) : (!fly.int_tuple<16>) -> i32
func.func @an_element(%s: !fly.int_tuple<(8, 16)>) -> i32 {
  %m = fly.select(%s) {indices = array<i32: 1>} : (!fly.int_tuple<(8, 16)>) -> !fly.int_tuple<16>
  %r = fly.get_scalar(%m) : (!fly.int_tuple<16>) -> i32
  func.return %r : i32
}

// CHECK-LABEL: @a_static_value(
// CHECK: fly.static : !fly.layout<(4,8):(8,1)>
func.func @a_static_value() {
  %l = fly.static : () -> !fly.layout<(4, 8) : (8, 1)>
  func.return
}

// CHECK-LABEL: @threads_of_products(
// CHECK-SAME: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(4,4,1):(1,4,0)>>
func.func @threads_of_products(%t: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(4, 4, 1):(1, 4, 0)>, <[*|*|*]>>) {
  func.return
}

// CHECK-LABEL: @threads_of_a_copy(
// CHECK-SAME: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.layout<(4,4):(4,1)>, !fly.tile<[4|4]>>
func.func @threads_of_a_copy(%t: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<128>, 32>, <(4,4):(4,1)>, <[4|4]>>) {
  func.return
}

// CHECK-LABEL: @a_space_as_an_attribute(%{{.*}}: !fly.ptr<f32, shared>)
func.func @a_space_as_an_attribute(%p: !fly.ptr<f32, #fly<address_space shared>>) {
  func.return
}

// CHECK-LABEL: @divisors_and_widths(
// CHECK-SAME: !fly.int_tuple<(?,?,?{div=4},?{i64},?{i64 div=4})>
func.func @divisors_and_widths(%t: !fly.int_tuple<(?{i32}, ?{div=1}, ?{i32 div=4}, ?{i64 div=1}, ?{i64 div=4})>) {
  func.return
}

// CHECK-LABEL: @a_swizzle_of_a_pointer(%{{.*}}: !fly.ptr<f32, shared, align<1024>, S<3,3,3>>)
func.func @a_swizzle_of_a_pointer(%p: !fly.ptr<f32, shared, align<1024>, swz<3,3,3>>) {
  func.return
}

// CHECK-LABEL: @a_copy_as_it_was_first_written(
// CHECK: [[ATOM:%.+]] = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
// CHECK: fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
// CHECK: fly.copy_atom_call([[ATOM]], %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:0>,
func.func @a_copy_as_it_was_first_written(%g: !fly.memref<f32, global, 1:0,  align<4>>, %r: !fly.memref<f32, register, 1:1>) {
  %0 = fly.make_atom : () -> !fly.atom.universal_copy<32>
  %1 = fly.make_atom : () -> !fly.atom.universal_fma<1x1x1, (f32, f32) -> f32>
  fly.copy_atom_call(%0, %g, %r) : (!fly.atom.universal_copy<32>, !fly.memref<f32, global, 1:0,  align<4>>, !fly.memref<f32, register, 1:1>) -> ()
  func.return
}
