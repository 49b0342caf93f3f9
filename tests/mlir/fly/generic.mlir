// RUN: tilewright opt %s | FileCheck %s
// RUN: tilewright opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// MLIR's form without custom syntax is read, and printed where it is asked for.

// CHECK-LABEL: @without_attributes(
// CHECK: fly.make_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(4,8):(8,1)>
// GENERIC: "fly.make_layout"(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(4,8):(8,1)>
func.func @without_attributes(%s: !fly.int_tuple<(4,8)>, %d: !fly.int_tuple<(8,1)>) {
  %l = "fly.make_layout"(%s, %d) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(4,8):(8,1)>
  func.return
}

// CHECK-LABEL: @with_attributes(
// CHECK: fly.take(%{{.*}}) {begin = 0 : i32, end = 2 : i32, why = "mine"} :
// GENERIC: "fly.take"(%{{.*}}) <{begin = 0 : i32, end = 2 : i32}> {why = "mine"} :
func.func @with_attributes(%l: !fly.layout<(2,3,5):(15,5,1)>) {
  %r = "fly.take"(%l) <{begin = 0 : i32, end = 2 : i32}> {why = "mine"} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<(2,3):(15,5)>
  func.return
}

// What belongs to the op may also stand among its other attributes.
// CHECK-LABEL: @with_attributes_as_before(
// CHECK: fly.take(%{{.*}}) {begin = 0 : i32, end = 2 : i32} :
// GENERIC: "fly.take"(%{{.*}}) <{begin = 0 : i32, end = 2 : i32}> :
func.func @with_attributes_as_before(%l: !fly.layout<(2,3,5):(15,5,1)>) {
  %r = "fly.take"(%l) {end = 2 : i32, begin = 0 : i32} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<(2,3):(15,5)>
  func.return
}

// CHECK-LABEL: @a_number_in_front_of_the_operands(
// CHECK: fly.append<3> (%{{.*}}, %{{.*}}) :
// GENERIC: "fly.append"(%{{.*}}, %{{.*}}) <{n = 3 : i32}> :
func.func @a_number_in_front_of_the_operands(%a: !fly.layout<(2,3):(3,1)>, %b: !fly.layout<4:6>) {
  %r = fly.append<3> (%a, %b) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:6>) -> !fly.layout<(2,3,4):(3,1,6)>
  func.return
}

// CHECK-LABEL: @groups_of_operands(
// CHECK: fly.mma_atom_call(%{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}}) :
// GENERIC: "fly.mma_atom_call"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> :
func.func @groups_of_operands(%m: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %r: !fly.memref<f32, register, 1:0>) {
  fly.mma_atom_call(%m, %r, [%r, %r], %r, %r) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  func.return
}

// CHECK-LABEL: @a_type_in_the_opaque_form(%{{.*}}: !fly.layout<(4,8):(8,1)>)
// GENERIC: sym_name = "a_type_in_the_opaque_form"
func.func @a_type_in_the_opaque_form(%l: !fly<layout<(4, 8) : (8, 1)>>) {
  func.return
}
