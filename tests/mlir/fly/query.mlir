// RUN: tilewright opt %s | FileCheck %s
// What is asked of tuples, layouts and views.

// CHECK-LABEL: @size_of_a_tuple(
// CHECK: %{{.*}} = fly.size(%{{.*}}) : (!fly.int_tuple<(4,(3,2))>) -> !fly.int_tuple<24>
func.func @size_of_a_tuple(%arg0: !fly.int_tuple<(4, (3, 2))>) -> !fly.int_tuple<24> {
  %0 = fly.size(%arg0) : (!fly.int_tuple<(4, (3, 2))>) -> !fly.int_tuple<24>
  func.return %0 : !fly.int_tuple<24>
}

// CHECK-LABEL: @size_of_a_layout(
// CHECK: %{{.*}} = fly.size(%{{.*}}) : (!fly.layout<(6,7):(7,1)>) -> !fly.int_tuple<42>
func.func @size_of_a_layout(%arg0: !fly.layout<(6, 7) : (7, 1)>) -> !fly.int_tuple<42> {
  %0 = fly.size(%arg0) : (!fly.layout<(6, 7) : (7, 1)>) -> !fly.int_tuple<42>
  func.return %0 : !fly.int_tuple<42>
}

// CHECK-LABEL: @size_with_a_run_time_extent(
// CHECK: %{{.*}} = fly.size(%{{.*}}) : (!fly.layout<(?{div=4},6):(6,1)>) -> !fly.int_tuple<?{div=24}>
func.func @size_with_a_run_time_extent(%arg0: !fly.layout<(?{div=4}, 6) : (6, 1)>) -> !fly.int_tuple<?{div=24}> {
  %0 = fly.size(%arg0) : (!fly.layout<(?{div=4}, 6) : (6, 1)>) -> !fly.int_tuple<?{div=24}>
  func.return %0 : !fly.int_tuple<?{div=24}>
}

// CHECK-LABEL: @size_of_a_view(
// CHECK: %{{.*}} = fly.size(%{{.*}}) : (!fly.memref<f16, shared, (8,32):(32,1)>) -> !fly.int_tuple<256>
func.func @size_of_a_view(%arg0: !fly.memref<f16, shared, (8,32):(32,1)>) -> !fly.int_tuple<256> {
  %0 = fly.size(%arg0) : (!fly.memref<f16, shared, (8,32):(32,1)>) -> !fly.int_tuple<256>
  func.return %0 : !fly.int_tuple<256>
}

// CHECK-LABEL: @cosize_with_gaps(
// CHECK: %{{.*}} = fly.cosize(%{{.*}}) : (!fly.layout<(3,4):(10,2)>) -> !fly.int_tuple<27>
func.func @cosize_with_gaps(%arg0: !fly.layout<(3, 4) : (10, 2)>) -> !fly.int_tuple<27> {
  %0 = fly.cosize(%arg0) : (!fly.layout<(3, 4) : (10, 2)>) -> !fly.int_tuple<27>
  func.return %0 : !fly.int_tuple<27>
}

// CHECK-LABEL: @cosize_of_a_broadcast(
// CHECK: %{{.*}} = fly.cosize(%{{.*}}) : (!fly.layout<(3,4):(0,2)>) -> !fly.int_tuple<7>
func.func @cosize_of_a_broadcast(%arg0: !fly.layout<(3, 4) : (0, 2)>) -> !fly.int_tuple<7> {
  %0 = fly.cosize(%arg0) : (!fly.layout<(3, 4) : (0, 2)>) -> !fly.int_tuple<7>
  func.return %0 : !fly.int_tuple<7>
}

// CHECK-LABEL: @coshape_on_coordinates(
// CHECK: %{{.*}} = fly.coshape(%{{.*}}) : (!fly.layout<(4,6):(1E0,2E1)>) -> !fly.int_tuple<(4,11)>
func.func @coshape_on_coordinates(%arg0: !fly.layout<(4, 6) : (1E0, 2E1)>) -> !fly.int_tuple<(4, 11)> {
  %0 = fly.coshape(%arg0) : (!fly.layout<(4, 6) : (1E0, 2E1)>) -> !fly.int_tuple<(4, 11)>
  func.return %0 : !fly.int_tuple<(4,11)>
}

// CHECK-LABEL: @coprofile_on_coordinates(
// CHECK: %{{.*}} = fly.coprofile(%{{.*}}) : (!fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>) -> !fly.int_tuple<(0,(0,0))>
func.func @coprofile_on_coordinates(%arg0: !fly.layout<(4, (3, 2)) : (1E0, (1E1E0, 1E1E1))>) -> !fly.int_tuple<(0, (0, 0))> {
  %0 = fly.coprofile(%arg0) : (!fly.layout<(4, (3, 2)) : (1E0, (1E1E0, 1E1E1))>) -> !fly.int_tuple<(0, (0, 0))>
  func.return %0 : !fly.int_tuple<(0,(0,0))>
}

// CHECK-LABEL: @rank_of_a_layout(
// CHECK: %{{.*}} = fly.rank(%{{.*}}) : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.int_tuple<2>
func.func @rank_of_a_layout(%arg0: !fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.int_tuple<2> {
  %0 = fly.rank(%arg0) : (!fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.int_tuple<2>
  func.return %0 : !fly.int_tuple<2>
}

// CHECK-LABEL: @depth_of_a_tuple(
// CHECK: %{{.*}} = fly.depth(%{{.*}}) : (!fly.int_tuple<(4,(3,(2,2)))>) -> !fly.int_tuple<3>
func.func @depth_of_a_tuple(%arg0: !fly.int_tuple<(4, (3, (2, 2)))>) -> !fly.int_tuple<3> {
  %0 = fly.depth(%arg0) : (!fly.int_tuple<(4, (3, (2, 2)))>) -> !fly.int_tuple<3>
  func.return %0 : !fly.int_tuple<3>
}

// CHECK-LABEL: @shape_of_a_layout(
// CHECK: %{{.*}} = fly.get_shape(%{{.*}}) : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.int_tuple<(4,(3,2))>
func.func @shape_of_a_layout(%arg0: !fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.int_tuple<(4, (3, 2))> {
  %0 = fly.get_shape(%arg0) : (!fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.int_tuple<(4, (3, 2))>
  func.return %0 : !fly.int_tuple<(4,(3,2))>
}

// CHECK-LABEL: @shape_of_a_view(
// CHECK: %{{.*}} = fly.get_shape(%{{.*}}) : (!fly.coord_tensor<(2,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(4,6)>
func.func @shape_of_a_view(%arg0: !fly.coord_tensor<(2,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(4, 6)> {
  %0 = fly.get_shape(%arg0) : (!fly.coord_tensor<(2,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(4, 6)>
  func.return %0 : !fly.int_tuple<(4,6)>
}

// CHECK-LABEL: @stride_of_a_layout(
// CHECK: %{{.*}} = fly.get_stride(%{{.*}}) : (!fly.layout<(4,(3,?)):(6,(?{i64},1))>) -> !fly.int_tuple<(6,(?{i64},1))>
func.func @stride_of_a_layout(%arg0: !fly.layout<(4, (3, ?)) : (6, (?{i64}, 1))>) -> !fly.int_tuple<(6, (?{i64}, 1))> {
  %0 = fly.get_stride(%arg0) : (!fly.layout<(4, (3, ?)) : (6, (?{i64}, 1))>) -> !fly.int_tuple<(6, (?{i64}, 1))>
  func.return %0 : !fly.int_tuple<(6,(?{i64},1))>
}

// CHECK-LABEL: @is_a_layout_static(
// CHECK: %{{.*}} = fly.is_static(%{{.*}}) : (!fly.layout<(4,?):(1,4)>) -> i1
func.func @is_a_layout_static(%arg0: !fly.layout<(4, ?) : (1, 4)>) -> i1 {
  %0 = fly.is_static(%arg0) : (!fly.layout<(4, ?) : (1, 4)>) -> i1
  func.return %0 : i1
}

// CHECK-LABEL: @a_mode(
// CHECK: %{{.*}} = fly.get(%{{.*}}) {mode = array<i32: 1>} : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.layout<(3,2):(2,1)>
func.func @a_mode(%arg0: !fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.layout<(3, 2) : (2, 1)> {
  %0 = fly.get(%arg0) {mode = array<i32: 1>} : (!fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.layout<(3, 2) : (2, 1)>
  func.return %0 : !fly.layout<(3,2):(2,1)>
}

// CHECK-LABEL: @a_leaf_of_a_mode(
// CHECK: %{{.*}} = fly.get(%{{.*}}) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(4,(3,2))>) -> !fly.int_tuple<3>
func.func @a_leaf_of_a_mode(%arg0: !fly.int_tuple<(4, (3, 2))>) -> !fly.int_tuple<3> {
  %0 = fly.get(%arg0) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(4, (3, 2))>) -> !fly.int_tuple<3>
  func.return %0 : !fly.int_tuple<3>
}

// CHECK-LABEL: @a_leaf_by_its_number(
// CHECK: %{{.*}} = fly.get_leaf(%{{.*}}) {leaf_idx = 2 : i32} : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.layout<2:1>
func.func @a_leaf_by_its_number(%arg0: !fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.layout<2:1> {
  %0 = fly.get_leaf(%arg0) {leaf_idx = 2 : i32} : (!fly.layout<(4, (3, 2)) : (6, (2, 1))>) -> !fly.layout<2:1>
  func.return %0 : !fly.layout<2:1>
}

// CHECK-LABEL: @all_leaves(
// CHECK: %{{.*}} = fly.get_leaves(%{{.*}}) : (!fly.int_tuple<(?,(4,?{i64}))>) -> (i32, i32, i64)
func.func @all_leaves(%arg0: !fly.int_tuple<(?, (4, ?{i64}))>) -> (i32, i32, i64) {
  %0:3 = fly.get_leaves(%arg0) : (!fly.int_tuple<(?, (4, ?{i64}))>) -> (i32, i32, i64)
  func.return %0#0, %0#1, %0#2 : i32, i32, i64
}

// CHECK-LABEL: @the_run_time_leaves(
// CHECK: %{{.*}} = fly.get_leaves(%{{.*}}) {dynamicOnly = true} : (!fly.int_tuple<(?,(4,?{i64}))>) -> (i32, i64)
func.func @the_run_time_leaves(%arg0: !fly.int_tuple<(?, (4, ?{i64}))>) -> (i32, i64) {
  %0:2 = fly.get_leaves(%arg0) {dynamicOnly = true} : (!fly.int_tuple<(?, (4, ?{i64}))>) -> (i32, i64)
  func.return %0#0, %0#1 : i32, i64
}

// CHECK-LABEL: @the_integer_of_a_leaf(
// CHECK: %{{.*}} = fly.get_scalar(%{{.*}}) : (!fly.int_tuple<12>) -> i32
func.func @the_integer_of_a_leaf(%arg0: !fly.int_tuple<12>) -> i32 {
  %0 = fly.get_scalar(%arg0) : (!fly.int_tuple<12>) -> i32
  func.return %0 : i32
}

// CHECK-LABEL: @the_wide_integer_of_a_leaf(
// CHECK: %{{.*}} = fly.get_scalar(%{{.*}}) : (!fly.int_tuple<?{i64 div=4}>) -> i64
func.func @the_wide_integer_of_a_leaf(%arg0: !fly.int_tuple<?{i64 div=4}>) -> i64 {
  %0 = fly.get_scalar(%arg0) : (!fly.int_tuple<?{i64 div=4}>) -> i64
  func.return %0 : i64
}

// CHECK-LABEL: @what_swizzles(
// CHECK: %{{.*}} = fly.composed_get_inner(%{{.*}}) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.swizzle<S<2,3,3>>
func.func @what_swizzles(%arg0: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.swizzle<S<2,3,3>> {
  %0 = fly.composed_get_inner(%arg0) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.swizzle<S<2,3,3>>
  func.return %0 : !fly.swizzle<S<2,3,3>>
}

// CHECK-LABEL: @what_is_added(
// CHECK: %{{.*}} = fly.composed_get_offset(%{{.*}}) : (!fly.composed_layout<32:2 o 5 o (4,8):(1,4)>) -> !fly.int_tuple<5>
func.func @what_is_added(%arg0: !fly.composed_layout<32:2 o 5 o (4,8):(1,4)>) -> !fly.int_tuple<5> {
  %0 = fly.composed_get_offset(%arg0) : (!fly.composed_layout<32:2 o 5 o (4,8):(1,4)>) -> !fly.int_tuple<5>
  func.return %0 : !fly.int_tuple<5>
}

// CHECK-LABEL: @what_is_swizzled(
// CHECK: %{{.*}} = fly.composed_get_outer(%{{.*}}) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.layout<(8,32):(32,1)>
func.func @what_is_swizzled(%arg0: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.layout<(8, 32) : (32, 1)> {
  %0 = fly.composed_get_outer(%arg0) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.layout<(8, 32) : (32, 1)>
  func.return %0 : !fly.layout<(8,32):(32,1)>
}
