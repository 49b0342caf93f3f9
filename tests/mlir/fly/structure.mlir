// RUN: tilewright opt %s | FileCheck %s
// Modes chosen, grouped, added and sliced.

// CHECK-LABEL: @two_modes(
// CHECK: %{{.*}} = fly.select(%{{.*}}) {indices = array<i32: 2, 0>} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<(5,2):(1,15)>
func.func @two_modes(%arg0: !fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<(5, 2) : (1, 15)> {
  %0 = fly.select(%arg0) {indices = array<i32: 2, 0>} : (!fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<(5, 2) : (1, 15)>
  func.return %0 : !fly.layout<(5,2):(1,15)>
}

// CHECK-LABEL: @a_mode_alone(
// CHECK: %{{.*}} = fly.select(%{{.*}}) {indices = array<i32: 1>} : (!fly.int_tuple<(2,(3,5))>) -> !fly.int_tuple<(3,5)>
func.func @a_mode_alone(%arg0: !fly.int_tuple<(2, (3, 5))>) -> !fly.int_tuple<(3, 5)> {
  %0 = fly.select(%arg0) {indices = array<i32: 1>} : (!fly.int_tuple<(2, (3, 5))>) -> !fly.int_tuple<(3, 5)>
  func.return %0 : !fly.int_tuple<(3,5)>
}

// CHECK-LABEL: @modes_in_a_row(
// CHECK: %{{.*}} = fly.take(%{{.*}}) {begin = 1 : i32, end = 3 : i32} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<(3,5):(5,1)>
func.func @modes_in_a_row(%arg0: !fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<(3, 5) : (5, 1)> {
  %0 = fly.take(%arg0) {begin = 1 : i32, end = 3 : i32} : (!fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<(3, 5) : (5, 1)>
  func.return %0 : !fly.layout<(3,5):(5,1)>
}

// CHECK-LABEL: @modes_as_one(
// CHECK: %{{.*}} = fly.group(%{{.*}}) {begin = 0 : i32, end = 2 : i32} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<((2,3),5):((15,5),1)>
func.func @modes_as_one(%arg0: !fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<((2, 3), 5) : ((15, 5), 1)> {
  %0 = fly.group(%arg0) {begin = 0 : i32, end = 2 : i32} : (!fly.layout<(2, 3, 5) : (15, 5, 1)>) -> !fly.layout<((2, 3), 5) : ((15, 5), 1)>
  func.return %0 : !fly.layout<((2,3),5):((15,5),1)>
}

// CHECK-LABEL: @modes_of_a_view_as_one(
// CHECK: %{{.*}} = fly.group(%{{.*}}) {begin = 1 : i32, end = 3 : i32} : (!fly.memref<f32, register, (2,3,5):(15,5,1)>) -> !fly.memref<f32, register, (2,(3,5)):(15,(5,1))>
func.func @modes_of_a_view_as_one(%arg0: !fly.memref<f32, register, (2,3,5):(15,5,1)>) -> !fly.memref<f32, register, (2,(3,5)):(15,(5,1))> {
  %0 = fly.group(%arg0) {begin = 1 : i32, end = 3 : i32} : (!fly.memref<f32, register, (2,3,5):(15,5,1)>) -> !fly.memref<f32, register, (2,(3,5)):(15,(5,1))>
  func.return %0 : !fly.memref<f32, register, (2,(3,5)):(15,(5,1))>
}

// CHECK-LABEL: @a_mode_more(
// CHECK: %{{.*}} = fly.append (%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:6>) -> !fly.layout<(2,3,4):(3,1,6)>
func.func @a_mode_more(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<4:6>) -> !fly.layout<(2, 3, 4) : (3, 1, 6)> {
  %0 = fly.append (%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<4:6>) -> !fly.layout<(2, 3, 4) : (3, 1, 6)>
  func.return %0 : !fly.layout<(2,3,4):(3,1,6)>
}

// CHECK-LABEL: @modes_up_to_four(
// CHECK: %{{.*}} = fly.append<4> (%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<1:0>) -> !fly.layout<(2,3,1,1):(3,1,0,0)>
func.func @modes_up_to_four(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<1:0>) -> !fly.layout<(2, 3, 1, 1) : (3, 1, 0, 0)> {
  %0 = fly.append<4> (%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<1:0>) -> !fly.layout<(2, 3, 1, 1) : (3, 1, 0, 0)>
  func.return %0 : !fly.layout<(2,3,1,1):(3,1,0,0)>
}

// CHECK-LABEL: @a_mode_in_front(
// CHECK: %{{.*}} = fly.prepend (%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<7>) -> !fly.int_tuple<(7,2,3)>
func.func @a_mode_in_front(%arg0: !fly.int_tuple<(2, 3)>, %arg1: !fly.int_tuple<7>) -> !fly.int_tuple<(7, 2, 3)> {
  %0 = fly.prepend (%arg0, %arg1) : (!fly.int_tuple<(2, 3)>, !fly.int_tuple<7>) -> !fly.int_tuple<(7, 2, 3)>
  func.return %0 : !fly.int_tuple<(7,2,3)>
}

// CHECK-LABEL: @modes_in_front_up_to_five(
// CHECK: %{{.*}} = fly.prepend<5> (%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<1:0>) -> !fly.layout<(1,1,1,2,3):(0,0,0,3,1)>
func.func @modes_in_front_up_to_five(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<1:0>) -> !fly.layout<(1, 1, 1, 2, 3) : (0, 0, 0, 3, 1)> {
  %0 = fly.prepend<5> (%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<1:0>) -> !fly.layout<(1, 1, 1, 2, 3) : (0, 0, 0, 3, 1)>
  func.return %0 : !fly.layout<(1,1,1,2,3):(0,0,0,3,1)>
}

// CHECK-LABEL: @the_free_modes(
// CHECK: %{{.*}} = fly.slice(%{{.*}}, %{{.*}}) : (!fly.layout<(6,(2,5)):(10,(5,1))>, !fly.int_tuple<(*,(1,*))>) -> !fly.layout<(6,5):(10,1)>
func.func @the_free_modes(%arg0: !fly.layout<(6, (2, 5)) : (10, (5, 1))>, %arg1: !fly.int_tuple<(*, (1, *))>) -> !fly.layout<(6, 5) : (10, 1)> {
  %0 = fly.slice(%arg0, %arg1) : (!fly.layout<(6, (2, 5)) : (10, (5, 1))>, !fly.int_tuple<(*, (1, *))>) -> !fly.layout<(6, 5) : (10, 1)>
  func.return %0 : !fly.layout<(6,5):(10,1)>
}

// CHECK-LABEL: @the_free_modes_of_a_view(
// CHECK: %{{.*}} = fly.slice(%{{.*}}, %{{.*}}) : (!fly.memref<f32, shared, (6,(2,5)):(10,(5,1))>, !fly.int_tuple<(*,(1,*))>) -> !fly.memref<f32, shared, (6,5):(10,1)>
func.func @the_free_modes_of_a_view(%arg0: !fly.memref<f32, shared, (6,(2,5)):(10,(5,1))>, %arg1: !fly.int_tuple<(*, (1, *))>) -> !fly.memref<f32, shared, (6,5):(10,1)> {
  %0 = fly.slice(%arg0, %arg1) : (!fly.memref<f32, shared, (6,(2,5)):(10,(5,1))>, !fly.int_tuple<(*, (1, *))>) -> !fly.memref<f32, shared, (6,5):(10,1)>
  func.return %0 : !fly.memref<f32, shared, (6,5):(10,1)>
}

// CHECK-LABEL: @the_free_modes_of_coordinates(
// CHECK: %{{.*}} = fly.slice(%{{.*}}, %{{.*}}) : (!fly.coord_tensor<(0,0), (6,8):(1E0,1E1)>, !fly.int_tuple<(2,*)>) -> !fly.coord_tensor<(2,0), 8:1E1>
func.func @the_free_modes_of_coordinates(%arg0: !fly.coord_tensor<(0,0), (6,8):(1E0,1E1)>, %arg1: !fly.int_tuple<(2, *)>) -> !fly.coord_tensor<(2,0), 8:1E1> {
  %0 = fly.slice(%arg0, %arg1) : (!fly.coord_tensor<(0,0), (6,8):(1E0,1E1)>, !fly.int_tuple<(2, *)>) -> !fly.coord_tensor<(2,0), 8:1E1>
  func.return %0 : !fly.coord_tensor<(2,0), 8:1E1>
}

// CHECK-LABEL: @the_fixed_modes(
// CHECK: %{{.*}} = fly.dice(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(6,(2,5))>, !fly.int_tuple<(*,(1,0))>) -> !fly.int_tuple<(2,5)>
func.func @the_fixed_modes(%arg0: !fly.int_tuple<(6, (2, 5))>, %arg1: !fly.int_tuple<(*, (1, 0))>) -> !fly.int_tuple<(2, 5)> {
  %0 = fly.dice(%arg0, %arg1) : (!fly.int_tuple<(6, (2, 5))>, !fly.int_tuple<(*, (1, 0))>) -> !fly.int_tuple<(2, 5)>
  func.return %0 : !fly.int_tuple<(2,5)>
}

// CHECK-LABEL: @pairs_of_modes(
// CHECK: %{{.*}} = fly.zip(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(5,7)>) -> !fly.int_tuple<((2,5),(3,7))>
func.func @pairs_of_modes(%arg0: !fly.int_tuple<(2, 3)>, %arg1: !fly.int_tuple<(5, 7)>) -> !fly.int_tuple<((2, 5), (3, 7))> {
  %0 = fly.zip(%arg0, %arg1) : (!fly.int_tuple<(2, 3)>, !fly.int_tuple<(5, 7)>) -> !fly.int_tuple<((2, 5), (3, 7))>
  func.return %0 : !fly.int_tuple<((2,5),(3,7))>
}

// CHECK-LABEL: @without_nesting(
// CHECK: %{{.*}} = fly.flatten(%{{.*}}) : (!fly.layout<(2,(3,5)):(15,(5,1))>) -> !fly.layout<(2,3,5):(15,5,1)>
func.func @without_nesting(%arg0: !fly.layout<(2, (3, 5)) : (15, (5, 1))>) -> !fly.layout<(2, 3, 5) : (15, 5, 1)> {
  %0 = fly.flatten(%arg0) : (!fly.layout<(2, (3, 5)) : (15, (5, 1))>) -> !fly.layout<(2, 3, 5) : (15, 5, 1)>
  func.return %0 : !fly.layout<(2,3,5):(15,5,1)>
}
