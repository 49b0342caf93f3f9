// RUN: tilewright opt %s | FileCheck %s
// Coordinates and indices.

// CHECK-LABEL: @index_of_a_coordinate(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,(1,3))>, !fly.layout<(5,(2,6)):(12,(6,1))>) -> !fly.int_tuple<33>
func.func @index_of_a_coordinate(%arg0: !fly.int_tuple<(2, (1, 3))>, %arg1: !fly.layout<(5, (2, 6)) : (12, (6, 1))>) -> !fly.int_tuple<33> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<(2, (1, 3))>, !fly.layout<(5, (2, 6)) : (12, (6, 1))>) -> !fly.int_tuple<33>
  func.return %0 : !fly.int_tuple<33>
}

// CHECK-LABEL: @index_of_an_index(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<17>, !fly.layout<(5,7):(7,1)>) -> !fly.int_tuple<17>
func.func @index_of_an_index(%arg0: !fly.int_tuple<17>, %arg1: !fly.layout<(5, 7) : (7, 1)>) -> !fly.int_tuple<17> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<17>, !fly.layout<(5, 7) : (7, 1)>) -> !fly.int_tuple<17>
  func.return %0 : !fly.int_tuple<17>
}

// CHECK-LABEL: @index_of_a_run_time_coordinate(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(?,3)>, !fly.layout<(16,8):(8,1)>) -> !fly.int_tuple<?>
func.func @index_of_a_run_time_coordinate(%arg0: !fly.int_tuple<(?, 3)>, %arg1: !fly.layout<(16, 8) : (8, 1)>) -> !fly.int_tuple<?> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<(?, 3)>, !fly.layout<(16, 8) : (8, 1)>) -> !fly.int_tuple<?>
  func.return %0 : !fly.int_tuple<?>
}

// CHECK-LABEL: @a_point_of_coordinates(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,3)>, !fly.layout<(4,6):(1E1,1E0)>) -> !fly.int_tuple<(3,2)>
func.func @a_point_of_coordinates(%arg0: !fly.int_tuple<(2, 3)>, %arg1: !fly.layout<(4, 6) : (1E1, 1E0)>) -> !fly.int_tuple<(3, 2)> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<(2, 3)>, !fly.layout<(4, 6) : (1E1, 1E0)>) -> !fly.int_tuple<(3, 2)>
  func.return %0 : !fly.int_tuple<(3,2)>
}

// CHECK-LABEL: @a_swizzled_offset(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<200>, !fly.swizzle<S<2,3,3>>) -> !fly.int_tuple<208>
func.func @a_swizzled_offset(%arg0: !fly.int_tuple<200>, %arg1: !fly.swizzle<S<2,3,3>>) -> !fly.int_tuple<208> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<200>, !fly.swizzle<S<2,3,3>>) -> !fly.int_tuple<208>
  func.return %0 : !fly.int_tuple<208>
}

// CHECK-LABEL: @a_swizzled_coordinate(
// CHECK: %{{.*}} = fly.crd2idx(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(3,9)>, !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.int_tuple<97>
func.func @a_swizzled_coordinate(%arg0: !fly.int_tuple<(3, 9)>, %arg1: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.int_tuple<97> {
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<(3, 9)>, !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.int_tuple<97>
  func.return %0 : !fly.int_tuple<97>
}

// CHECK-LABEL: @coordinate_of_an_index(
// CHECK: %{{.*}} = fly.idx2crd(%{{.*}}, %{{.*}}) : (!fly.int_tuple<38>, !fly.layout<(5,(2,6)):(12,(6,1))>) -> !fly.int_tuple<(3,(0,2))>
func.func @coordinate_of_an_index(%arg0: !fly.int_tuple<38>, %arg1: !fly.layout<(5, (2, 6)) : (12, (6, 1))>) -> !fly.int_tuple<(3, (0, 2))> {
  %0 = fly.idx2crd(%arg0, %arg1) : (!fly.int_tuple<38>, !fly.layout<(5, (2, 6)) : (12, (6, 1))>) -> !fly.int_tuple<(3, (0, 2))>
  func.return %0 : !fly.int_tuple<(3,(0,2))>
}

// CHECK-LABEL: @coordinate_of_a_run_time_index(
// CHECK: %{{.*}} = fly.idx2crd(%{{.*}}, %{{.*}}) : (!fly.int_tuple<?>, !fly.layout<(4,8):(8,1)>) -> !fly.int_tuple<(?,?)>
func.func @coordinate_of_a_run_time_index(%arg0: !fly.int_tuple<?>, %arg1: !fly.layout<(4, 8) : (8, 1)>) -> !fly.int_tuple<(?, ?)> {
  %0 = fly.idx2crd(%arg0, %arg1) : (!fly.int_tuple<?>, !fly.layout<(4, 8) : (8, 1)>) -> !fly.int_tuple<(?, ?)>
  func.return %0 : !fly.int_tuple<(?,?)>
}

// CHECK-LABEL: @one_integer_a_mode(
// CHECK: %{{.*}} = fly.get_flat_coord(%{{.*}}, %{{.*}}) : (!fly.int_tuple<7>, !fly.layout<((2,3),4):((1,2),6)>) -> !fly.int_tuple<(1,1)>
func.func @one_integer_a_mode(%arg0: !fly.int_tuple<7>, %arg1: !fly.layout<((2, 3), 4) : ((1, 2), 6)>) -> !fly.int_tuple<(1, 1)> {
  %0 = fly.get_flat_coord(%arg0, %arg1) : (!fly.int_tuple<7>, !fly.layout<((2, 3), 4) : ((1, 2), 6)>) -> !fly.int_tuple<(1, 1)>
  func.return %0 : !fly.int_tuple<(1,1)>
}

// CHECK-LABEL: @one_integer(
// CHECK: %{{.*}} = fly.get_1d_coord(%{{.*}}, %{{.*}}) : (!fly.int_tuple<11>, !fly.layout<(4,8):(8,1)>) -> !fly.int_tuple<13>
func.func @one_integer(%arg0: !fly.int_tuple<11>, %arg1: !fly.layout<(4, 8) : (8, 1)>) -> !fly.int_tuple<13> {
  %0 = fly.get_1d_coord(%arg0, %arg1) : (!fly.int_tuple<11>, !fly.layout<(4, 8) : (8, 1)>) -> !fly.int_tuple<13>
  func.return %0 : !fly.int_tuple<13>
}

// CHECK-LABEL: @from_shape_to_shape(
// CHECK: %{{.*}} = fly.crd2crd(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.int_tuple<(1,5)>, !fly.int_tuple<(3,8)>, !fly.int_tuple<(6,4)>) -> !fly.int_tuple<(4,2)>
func.func @from_shape_to_shape(%arg0: !fly.int_tuple<(1, 5)>, %arg1: !fly.int_tuple<(3, 8)>, %arg2: !fly.int_tuple<(6, 4)>) -> !fly.int_tuple<(4, 2)> {
  %0 = fly.crd2crd(%arg0, %arg1, %arg2) : (!fly.int_tuple<(1, 5)>, !fly.int_tuple<(3, 8)>, !fly.int_tuple<(6, 4)>) -> !fly.int_tuple<(4, 2)>
  func.return %0 : !fly.int_tuple<(4,2)>
}

// CHECK-LABEL: @a_coordinate_of_the_profile(
// CHECK: %{{.*}} = fly.get_hier_coord(%{{.*}}, %{{.*}}) : (!fly.int_tuple<7>, !fly.layout<((2,3),4):((1,2),6)>) -> !fly.int_tuple<((1,0),1)>
func.func @a_coordinate_of_the_profile(%arg0: !fly.int_tuple<7>, %arg1: !fly.layout<((2, 3), 4) : ((1, 2), 6)>) -> !fly.int_tuple<((1, 0), 1)> {
  %0 = fly.get_hier_coord(%arg0, %arg1) : (!fly.int_tuple<7>, !fly.layout<((2, 3), 4) : ((1, 2), 6)>) -> !fly.int_tuple<((1, 0), 1)>
  func.return %0 : !fly.int_tuple<((1,0),1)>
}

// CHECK-LABEL: @a_pointer_swizzled(
// CHECK: %{{.*}} = fly.apply_swizzle(%{{.*}}, %{{.*}}) : (!fly.ptr<f16, shared, align<128>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, align<16>, S<2,3,3>>
func.func @a_pointer_swizzled(%arg0: !fly.ptr<f16, shared, align<128>>, %arg1: !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, align<16>, S<2,3,3>> {
  %0 = fly.apply_swizzle(%arg0, %arg1) : (!fly.ptr<f16, shared, align<128>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f16, shared, align<16>, S<2,3,3>>
  func.return %0 : !fly.ptr<f16, shared, align<16>, S<2,3,3>>
}
