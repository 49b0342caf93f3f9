// RUN: tilewright opt %s | FileCheck %s
// Values of types, and layouts made of shapes, strides and orders.

// CHECK-LABEL: @a_static_shape(
// CHECK: %{{.*}} = fly.static : !fly.int_tuple<(8,(2,3))>
func.func @a_static_shape() -> !fly.int_tuple<(8, (2, 3))> {
  %0 = fly.static : !fly.int_tuple<(8, (2, 3))>
  func.return %0 : !fly.int_tuple<(8,(2,3))>
}

// CHECK-LABEL: @a_static_layout(
// CHECK: %{{.*}} = fly.static : !fly.layout<(8,(2,3)):(6,(3,1))>
func.func @a_static_layout() -> !fly.layout<(8, (2, 3)) : (6, (3, 1))> {
  %0 = fly.static : !fly.layout<(8, (2, 3)) : (6, (3, 1))>
  func.return %0 : !fly.layout<(8,(2,3)):(6,(3,1))>
}

// CHECK-LABEL: @a_static_tile(
// CHECK: %{{.*}} = fly.static : !fly.tile<[16|*|(2,4):(4,1)]>
func.func @a_static_tile() -> !fly.tile<[16|*|(2,4):(4,1)]> {
  %0 = fly.static : !fly.tile<[16|*|(2,4):(4,1)]>
  func.return %0 : !fly.tile<[16|*|(2,4):(4,1)]>
}

// CHECK-LABEL: @a_static_swizzle(
// CHECK: %{{.*}} = fly.static : !fly.swizzle<S<2,3,3>>
func.func @a_static_swizzle() -> !fly.swizzle<S<2,3,3>> {
  %0 = fly.static : !fly.swizzle<S<2,3,3>>
  func.return %0 : !fly.swizzle<S<2,3,3>>
}

// CHECK-LABEL: @a_swizzle_of_no_bits
// CHECK: %{{.*}} = fly.static : !fly.coord_swizzle<CS<0,0,[],0,[]>>
// CHECK: fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(5,3)>, !fly.coord_swizzle<CS<0,0,[],0,[]>>) -> !fly.int_tuple<(5,3)>
func.func @a_swizzle_of_no_bits(%t: !fly.int_tuple<(5,3)>) -> !fly.int_tuple<(5,3)> {
  %0 = fly.static : !fly.coord_swizzle<CS<0,0,[],0,[]>>
  %1 = fly.crd2idx(%t, %0) : (!fly.int_tuple<(5,3)>, !fly.coord_swizzle<CS<0,0,[],0,[]>>) -> !fly.int_tuple<(5,3)>
  func.return %1 : !fly.int_tuple<(5,3)>
}

// CHECK-LABEL: @a_static_swizzle_of_coordinates(
// CHECK: %{{.*}} = fly.static : !fly.coord_swizzle<CS<2,0,[1],1,[0]>>
func.func @a_static_swizzle_of_coordinates() -> !fly.coord_swizzle<CS<2,0,[1],1,[0]>> {
  %0 = fly.static : !fly.coord_swizzle<CS<2,0,[1],1,[0]>>
  func.return %0 : !fly.coord_swizzle<CS<2,0,[1],1,[0]>>
}

// CHECK-LABEL: @a_static_basis(
// CHECK: %{{.*}} = fly.static : !fly.basis<2E1E0>
func.func @a_static_basis() -> !fly.basis<2E1E0> {
  %0 = fly.static : !fly.basis<2E1E0>
  func.return %0 : !fly.basis<2E1E0>
}

// CHECK-LABEL: @a_static_composed_layout(
// CHECK: %{{.*}} = fly.static : !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
func.func @a_static_composed_layout() -> !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)> {
  %0 = fly.static : !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
  func.return %0 : !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
}

// CHECK-LABEL: @a_shape_of_two_run_time_extents(
// CHECK: %{{.*}} = fly.make_shape(%{{.*}}, %{{.*}}) : (i32, i64) -> !fly.int_tuple<(?,(7,?{i64}))>
func.func @a_shape_of_two_run_time_extents(%arg0: i32, %arg1: i64) -> !fly.int_tuple<(?, (7, ?{i64}))> {
  %0 = fly.make_shape(%arg0, %arg1) : (i32, i64) -> !fly.int_tuple<(?, (7, ?{i64}))>
  func.return %0 : !fly.int_tuple<(?,(7,?{i64}))>
}

// CHECK-LABEL: @a_shape_without_run_time_extents(
// CHECK: %{{.*}} = fly.make_shape() : () -> !fly.int_tuple<(3,5)>
func.func @a_shape_without_run_time_extents() -> !fly.int_tuple<(3, 5)> {
  %0 = fly.make_shape() : () -> !fly.int_tuple<(3, 5)>
  func.return %0 : !fly.int_tuple<(3,5)>
}

// CHECK-LABEL: @a_stride_with_a_divisor(
// CHECK: %{{.*}} = fly.make_stride(%{{.*}}) : (i32) -> !fly.int_tuple<(?{div=16},1)>
func.func @a_stride_with_a_divisor(%arg0: i32) -> !fly.int_tuple<(?{div=16}, 1)> {
  %0 = fly.make_stride(%arg0) : (i32) -> !fly.int_tuple<(?{div=16}, 1)>
  func.return %0 : !fly.int_tuple<(?{div=16},1)>
}

// CHECK-LABEL: @a_coordinate_with_a_free_mode(
// CHECK: %{{.*}} = fly.make_coord(%{{.*}}) : (i32) -> !fly.int_tuple<(?,*)>
func.func @a_coordinate_with_a_free_mode(%arg0: i32) -> !fly.int_tuple<(?, *)> {
  %0 = fly.make_coord(%arg0) : (i32) -> !fly.int_tuple<(?, *)>
  func.return %0 : !fly.int_tuple<(?,*)>
}

// CHECK-LABEL: @an_int_tuple_of_one_leaf(
// CHECK: %{{.*}} = fly.make_int_tuple(%{{.*}}) : (i64) -> !fly.int_tuple<?{i64}>
func.func @an_int_tuple_of_one_leaf(%arg0: i64) -> !fly.int_tuple<?{i64}> {
  %0 = fly.make_int_tuple(%arg0) : (i64) -> !fly.int_tuple<?{i64}>
  func.return %0 : !fly.int_tuple<?{i64}>
}

// CHECK-LABEL: @a_layout_of_shape_and_stride(
// CHECK: %{{.*}} = fly.make_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(6,(2,5))>, !fly.int_tuple<(10,(5,1))>) -> !fly.layout<(6,(2,5)):(10,(5,1))>
func.func @a_layout_of_shape_and_stride(%arg0: !fly.int_tuple<(6, (2, 5))>, %arg1: !fly.int_tuple<(10, (5, 1))>) -> !fly.layout<(6, (2, 5)) : (10, (5, 1))> {
  %0 = fly.make_layout(%arg0, %arg1) : (!fly.int_tuple<(6, (2, 5))>, !fly.int_tuple<(10, (5, 1))>) -> !fly.layout<(6, (2, 5)) : (10, (5, 1))>
  func.return %0 : !fly.layout<(6,(2,5)):(10,(5,1))>
}

// CHECK-LABEL: @a_layout_of_run_time_extents(
// CHECK: %{{.*}} = fly.make_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(?,?{i64})>, !fly.int_tuple<(1,?{div=8})>) -> !fly.layout<(?,?{i64}):(1,?{div=8})>
func.func @a_layout_of_run_time_extents(%arg0: !fly.int_tuple<(?, ?{i64})>, %arg1: !fly.int_tuple<(1, ?{div=8})>) -> !fly.layout<(?, ?{i64}) : (1, ?{div=8})> {
  %0 = fly.make_layout(%arg0, %arg1) : (!fly.int_tuple<(?, ?{i64})>, !fly.int_tuple<(1, ?{div=8})>) -> !fly.layout<(?, ?{i64}) : (1, ?{div=8})>
  func.return %0 : !fly.layout<(?,?{i64}):(1,?{div=8})>
}

// CHECK-LABEL: @a_layout_on_coordinates(
// CHECK: %{{.*}} = fly.make_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(3,7)>, !fly.int_tuple<(2E0,1E1)>) -> !fly.layout<(3,7):(2E0,1E1)>
func.func @a_layout_on_coordinates(%arg0: !fly.int_tuple<(3, 7)>, %arg1: !fly.int_tuple<(2E0, 1E1)>) -> !fly.layout<(3, 7) : (2E0, 1E1)> {
  %0 = fly.make_layout(%arg0, %arg1) : (!fly.int_tuple<(3, 7)>, !fly.int_tuple<(2E0, 1E1)>) -> !fly.layout<(3, 7) : (2E0, 1E1)>
  func.return %0 : !fly.layout<(3,7):(2E0,1E1)>
}

// CHECK-LABEL: @a_tile_of_modes(
// CHECK: %{{.*}} = fly.make_tile(%{{.*}}, %{{.*}}) : (!fly.int_tuple<16>, !fly.layout<(2,4):(4,1)>) -> !fly.tile<[16|(2,4):(4,1)]>
func.func @a_tile_of_modes(%arg0: !fly.int_tuple<16>, %arg1: !fly.layout<(2, 4) : (4, 1)>) -> !fly.tile<[16|(2,4):(4,1)]> {
  %0 = fly.make_tile(%arg0, %arg1) : (!fly.int_tuple<16>, !fly.layout<(2, 4) : (4, 1)>) -> !fly.tile<[16|(2,4):(4,1)]>
  func.return %0 : !fly.tile<[16|(2,4):(4,1)]>
}

// CHECK-LABEL: @the_last_mode_fastest(
// CHECK: %{{.*}} = fly.make_ordered_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(5,(2,3))>, !fly.int_tuple<(1,0)>) -> !fly.layout<(5,(2,3)):(6,(1,2))>
func.func @the_last_mode_fastest(%arg0: !fly.int_tuple<(5, (2, 3))>, %arg1: !fly.int_tuple<(1, 0)>) -> !fly.layout<(5, (2, 3)) : (6, (1, 2))> {
  %0 = fly.make_ordered_layout(%arg0, %arg1) : (!fly.int_tuple<(5, (2, 3))>, !fly.int_tuple<(1, 0)>) -> !fly.layout<(5, (2, 3)) : (6, (1, 2))>
  func.return %0 : !fly.layout<(5,(2,3)):(6,(1,2))>
}

// CHECK-LABEL: @an_order_of_three(
// CHECK: %{{.*}} = fly.make_ordered_layout(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,8,2)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(4,8,2):(2,8,1)>
func.func @an_order_of_three(%arg0: !fly.int_tuple<(4, 8, 2)>, %arg1: !fly.int_tuple<(1, 2, 0)>) -> !fly.layout<(4, 8, 2) : (2, 8, 1)> {
  %0 = fly.make_ordered_layout(%arg0, %arg1) : (!fly.int_tuple<(4, 8, 2)>, !fly.int_tuple<(1, 2, 0)>) -> !fly.layout<(4, 8, 2) : (2, 8, 1)>
  func.return %0 : !fly.layout<(4,8,2):(2,8,1)>
}

// CHECK-LABEL: @compact_in_the_same_order(
// CHECK: %{{.*}} = fly.make_layout_like(%{{.*}}) : (!fly.layout<(4,6):(24,2)>) -> !fly.layout<(4,6):(6,1)>
func.func @compact_in_the_same_order(%arg0: !fly.layout<(4, 6) : (24, 2)>) -> !fly.layout<(4, 6) : (6, 1)> {
  %0 = fly.make_layout_like(%arg0) : (!fly.layout<(4, 6) : (24, 2)>) -> !fly.layout<(4, 6) : (6, 1)>
  func.return %0 : !fly.layout<(4,6):(6,1)>
}

// CHECK-LABEL: @a_fragment_like_a_layout(
// CHECK: %{{.*}} = fly.make_fragment_layout_like(%{{.*}}) : (!fly.layout<((4,2),3,5):((8,1),100,7)>) -> !fly.layout<((4,2),3,5):((1,4),40,8)>
func.func @a_fragment_like_a_layout(%arg0: !fly.layout<((4, 2), 3, 5) : ((8, 1), 100, 7)>) -> !fly.layout<((4, 2), 3, 5) : ((1, 4), 40, 8)> {
  %0 = fly.make_fragment_layout_like(%arg0) : (!fly.layout<((4, 2), 3, 5) : ((8, 1), 100, 7)>) -> !fly.layout<((4, 2), 3, 5) : ((1, 4), 40, 8)>
  func.return %0 : !fly.layout<((4,2),3,5):((1,4),40,8)>
}

// CHECK-LABEL: @coordinates_of_a_shape(
// CHECK: %{{.*}} = fly.make_identity_layout(%{{.*}}) : (!fly.int_tuple<(4,(3,2))>) -> !fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>
func.func @coordinates_of_a_shape(%arg0: !fly.int_tuple<(4, (3, 2))>) -> !fly.layout<(4, (3, 2)) : (1E0, (1E1E0, 1E1E1))> {
  %0 = fly.make_identity_layout(%arg0) : (!fly.int_tuple<(4, (3, 2))>) -> !fly.layout<(4, (3, 2)) : (1E0, (1E1E0, 1E1E1))>
  func.return %0 : !fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>
}

// CHECK-LABEL: @a_tensor_of_coordinates(
// CHECK: %{{.*}} = fly.make_identity_tensor(%{{.*}}) : (!fly.int_tuple<(4,6)>) -> !fly.coord_tensor<(0,0), (4,6):(1E0,1E1)>
func.func @a_tensor_of_coordinates(%arg0: !fly.int_tuple<(4, 6)>) -> !fly.coord_tensor<(0,0), (4,6):(1E0,1E1)> {
  %0 = fly.make_identity_tensor(%arg0) : (!fly.int_tuple<(4, 6)>) -> !fly.coord_tensor<(0,0), (4,6):(1E0,1E1)>
  func.return %0 : !fly.coord_tensor<(0,0), (4,6):(1E0,1E1)>
}

// CHECK-LABEL: @a_swizzle_over_a_layout(
// CHECK: %{{.*}} = fly.make_composed_layout(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.swizzle<S<3,3,3>>, !fly.int_tuple<0>, !fly.layout<(16,64):(64,1)>) -> !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
func.func @a_swizzle_over_a_layout(%arg0: !fly.swizzle<S<3,3,3>>, %arg1: !fly.int_tuple<0>, %arg2: !fly.layout<(16, 64) : (64, 1)>) -> !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)> {
  %0 = fly.make_composed_layout(%arg0, %arg1, %arg2) : (!fly.swizzle<S<3,3,3>>, !fly.int_tuple<0>, !fly.layout<(16, 64) : (64, 1)>) -> !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
  func.return %0 : !fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>
}

// CHECK-LABEL: @a_layout_over_a_layout(
// CHECK: %{{.*}} = fly.make_composed_layout(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.layout<32:2>, !fly.int_tuple<5>, !fly.layout<(4,8):(1,4)>) -> !fly.composed_layout<32:2 o 5 o (4,8):(1,4)>
func.func @a_layout_over_a_layout(%arg0: !fly.layout<32:2>, %arg1: !fly.int_tuple<5>, %arg2: !fly.layout<(4, 8) : (1, 4)>) -> !fly.composed_layout<32:2 o 5 o (4,8):(1,4)> {
  %0 = fly.make_composed_layout(%arg0, %arg1, %arg2) : (!fly.layout<32:2>, !fly.int_tuple<5>, !fly.layout<(4, 8) : (1, 4)>) -> !fly.composed_layout<32:2 o 5 o (4,8):(1,4)>
  func.return %0 : !fly.composed_layout<32:2 o 5 o (4,8):(1,4)>
}
