// RUN: tilewright opt %s | FileCheck %s
// Pointers and coordinates under layouts.

// CHECK-LABEL: @layout_of_a_view(
// CHECK: %{{.*}} = fly.get_layout(%{{.*}}) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.layout<(8,16):(16,1)>
func.func @layout_of_a_view(%arg0: !fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.layout<(8, 16) : (16, 1)> {
  %0 = fly.get_layout(%arg0) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.layout<(8, 16) : (16, 1)>
  func.return %0 : !fly.layout<(8,16):(16,1)>
}

// CHECK-LABEL: @composed_layout_of_a_view(
// CHECK: %{{.*}} = fly.get_layout(%{{.*}}) : (!fly.memref<bf16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>
func.func @composed_layout_of_a_view(%arg0: !fly.memref<bf16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)> {
  %0 = fly.get_layout(%arg0) : (!fly.memref<bf16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>
  func.return %0 : !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>
}

// CHECK-LABEL: @pointer_of_a_view(
// CHECK: %{{.*}} = fly.get_iter(%{{.*}}) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.ptr<bf16, shared, align<16>>
func.func @pointer_of_a_view(%arg0: !fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.ptr<bf16, shared, align<16>> {
  %0 = fly.get_iter(%arg0) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.ptr<bf16, shared, align<16>>
  func.return %0 : !fly.ptr<bf16, shared, align<16>>
}

// CHECK-LABEL: @base_of_coordinates(
// CHECK: %{{.*}} = fly.get_iter(%{{.*}}) : (!fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(3,1)>
func.func @base_of_coordinates(%arg0: !fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(3, 1)> {
  %0 = fly.get_iter(%arg0) : (!fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>) -> !fly.int_tuple<(3, 1)>
  func.return %0 : !fly.int_tuple<(3,1)>
}

// CHECK-LABEL: @memory_under_a_layout(
// CHECK: %{{.*}} = fly.make_view(%{{.*}}, %{{.*}}) : (!fly.ptr<f32, global, align<16>>, !fly.layout<(?,?):(?,1)>) -> !fly.memref<f32, global, (?,?):(?,1), align<16>>
func.func @memory_under_a_layout(%arg0: !fly.ptr<f32, global, align<16>>, %arg1: !fly.layout<(?, ?) : (?, 1)>) -> !fly.memref<f32, global, (?,?):(?,1), align<16>> {
  %0 = fly.make_view(%arg0, %arg1) : (!fly.ptr<f32, global, align<16>>, !fly.layout<(?, ?) : (?, 1)>) -> !fly.memref<f32, global, (?,?):(?,1), align<16>>
  func.return %0 : !fly.memref<f32, global, (?,?):(?,1), align<16>>
}

// CHECK-LABEL: @coordinates_under_a_layout(
// CHECK: %{{.*}} = fly.make_view(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(3,1)>, !fly.layout<(4,6):(1E0,1E1)>) -> !fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>
func.func @coordinates_under_a_layout(%arg0: !fly.int_tuple<(3, 1)>, %arg1: !fly.layout<(4, 6) : (1E0, 1E1)>) -> !fly.coord_tensor<(3,1), (4,6):(1E0,1E1)> {
  %0 = fly.make_view(%arg0, %arg1) : (!fly.int_tuple<(3, 1)>, !fly.layout<(4, 6) : (1E0, 1E1)>) -> !fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>
  func.return %0 : !fly.coord_tensor<(3,1), (4,6):(1E0,1E1)>
}

// CHECK-LABEL: @a_pointer_moved(
// CHECK: %{{.*}} = fly.add_offset(%{{.*}}, %{{.*}}) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<f16, shared, align<8>>
func.func @a_pointer_moved(%arg0: !fly.ptr<f16, shared, align<32>>, %arg1: !fly.int_tuple<?{div=4}>) -> !fly.ptr<f16, shared, align<8>> {
  %0 = fly.add_offset(%arg0, %arg1) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<f16, shared, align<8>>
  func.return %0 : !fly.ptr<f16, shared, align<8>>
}

// CHECK-LABEL: @a_coordinate_moved(
// CHECK: %{{.*}} = fly.add_offset(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(3,?)>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(4,?)>
func.func @a_coordinate_moved(%arg0: !fly.int_tuple<(3, ?)>, %arg1: !fly.int_tuple<(1, 1)>) -> !fly.int_tuple<(4, ?)> {
  %0 = fly.add_offset(%arg0, %arg1) : (!fly.int_tuple<(3, ?)>, !fly.int_tuple<(1, 1)>) -> !fly.int_tuple<(4, ?)>
  func.return %0 : !fly.int_tuple<(4,?)>
}

// CHECK-LABEL: @registers_like_a_view(
// CHECK: %{{.*}} = fly.make_fragment_like(%{{.*}}) : (!fly.memref<f32, global, (4,(2,3)):(6,(3,1))>) -> !fly.memref<f32, register, (4,2,3):(1,12,4)>
func.func @registers_like_a_view(%arg0: !fly.memref<f32, global, (4,(2,3)):(6,(3,1))>) -> !fly.memref<f32, register, (4,2,3):(1,12,4)> {
  %0 = fly.make_fragment_like(%arg0) : (!fly.memref<f32, global, (4,(2,3)):(6,(3,1))>) -> !fly.memref<f32, register, (4,2,3):(1,12,4)>
  func.return %0 : !fly.memref<f32, register, (4,2,3):(1,12,4)>
}

// CHECK-LABEL: @registers_of_another_type(
// CHECK: %{{.*}} = fly.make_fragment_like(%{{.*}}, f16) : (!fly.layout<(4,6):(6,1)>) -> !fly.memref<f16, register, (4,6):(1,4)>
func.func @registers_of_another_type(%arg0: !fly.layout<(4, 6) : (6, 1)>) -> !fly.memref<f16, register, (4,6):(1,4)> {
  %0 = fly.make_fragment_like(%arg0, f16) : (!fly.layout<(4, 6) : (6, 1)>) -> !fly.memref<f16, register, (4,6):(1,4)>
  func.return %0 : !fly.memref<f16, register, (4,6):(1,4)>
}

// CHECK-LABEL: @a_view_without_its_swizzle(
// CHECK: %{{.*}} = fly.decomposition(%{{.*}}) : (!fly.memref<f16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.memref<f16, shared, (8,32):(32,1)>
func.func @a_view_without_its_swizzle(%arg0: !fly.memref<f16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.memref<f16, shared, (8,32):(32,1)> {
  %0 = fly.decomposition(%arg0) : (!fly.memref<f16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.memref<f16, shared, (8,32):(32,1)>
  func.return %0 : !fly.memref<f16, shared, (8,32):(32,1)>
}
