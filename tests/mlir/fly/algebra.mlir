// RUN: tilewright opt %s | FileCheck %s
// Layouts composed, inverted, divided and multiplied.

// CHECK-LABEL: @a_then_b(
// CHECK: %{{.*}} = fly.composition(%{{.*}}, %{{.*}}) : (!fly.layout<(10,6):(6,1)>, !fly.layout<(5,3):(2,20)>) -> !fly.layout<(5,3):(12,2)>
func.func @a_then_b(%arg0: !fly.layout<(10, 6) : (6, 1)>, %arg1: !fly.layout<(5, 3) : (2, 20)>) -> !fly.layout<(5, 3) : (12, 2)> {
  %0 = fly.composition(%arg0, %arg1) : (!fly.layout<(10, 6) : (6, 1)>, !fly.layout<(5, 3) : (2, 20)>) -> !fly.layout<(5, 3) : (12, 2)>
  func.return %0 : !fly.layout<(5,3):(12,2)>
}

// CHECK-LABEL: @by_mode(
// CHECK: %{{.*}} = fly.composition(%{{.*}}, %{{.*}}) : (!fly.layout<(12,(4,6)):(24,(6,1))>, !fly.tile<[3|4]>) -> !fly.layout<(3,4):(24,6)>
func.func @by_mode(%arg0: !fly.layout<(12, (4, 6)) : (24, (6, 1))>, %arg1: !fly.tile<[3|4]>) -> !fly.layout<(3, 4) : (24, 6)> {
  %0 = fly.composition(%arg0, %arg1) : (!fly.layout<(12, (4, 6)) : (24, (6, 1))>, !fly.tile<[3|4]>) -> !fly.layout<(3, 4) : (24, 6)>
  func.return %0 : !fly.layout<(3,4):(24,6)>
}

// CHECK-LABEL: @of_a_view(
// CHECK: %{{.*}} = fly.composition(%{{.*}}, %{{.*}}) : (!fly.memref<f32, global, (16,24):(24,1)>, !fly.tile<[4|8]>) -> !fly.memref<f32, global, (4,8):(24,1)>
func.func @of_a_view(%arg0: !fly.memref<f32, global, (16,24):(24,1)>, %arg1: !fly.tile<[4|8]>) -> !fly.memref<f32, global, (4,8):(24,1)> {
  %0 = fly.composition(%arg0, %arg1) : (!fly.memref<f32, global, (16,24):(24,1)>, !fly.tile<[4|8]>) -> !fly.memref<f32, global, (4,8):(24,1)>
  func.return %0 : !fly.memref<f32, global, (4,8):(24,1)>
}

// CHECK-LABEL: @of_run_time_strides(
// CHECK: %{{.*}} = fly.composition(%{{.*}}, %{{.*}}) : (!fly.layout<(8,8):(?{i64},1)>, !fly.layout<4:2>) -> !fly.layout<4:?{i64 div=2}>
func.func @of_run_time_strides(%arg0: !fly.layout<(8, 8) : (?{i64}, 1)>, %arg1: !fly.layout<4:2>) -> !fly.layout<4:?{i64 div=2}> {
  %0 = fly.composition(%arg0, %arg1) : (!fly.layout<(8, 8) : (?{i64}, 1)>, !fly.layout<4:2>) -> !fly.layout<4:?{i64 div=2}>
  func.return %0 : !fly.layout<4:?{i64 div=2}>
}

// CHECK-LABEL: @what_a_layout_misses(
// CHECK: %{{.*}} = fly.complement(%{{.*}}, %{{.*}}) : (!fly.layout<(2,4):(1,6)>, !fly.int_tuple<48>) -> !fly.layout<(3,2):(2,24)>
func.func @what_a_layout_misses(%arg0: !fly.layout<(2, 4) : (1, 6)>, %arg1: !fly.int_tuple<48>) -> !fly.layout<(3, 2) : (2, 24)> {
  %0 = fly.complement(%arg0, %arg1) : (!fly.layout<(2, 4) : (1, 6)>, !fly.int_tuple<48>) -> !fly.layout<(3, 2) : (2, 24)>
  func.return %0 : !fly.layout<(3,2):(2,24)>
}

// CHECK-LABEL: @what_a_layout_misses_of_itself(
// CHECK: %{{.*}} = fly.complement(%{{.*}}) : (!fly.layout<(3,2):(4,24)>) -> !fly.layout<(4,2):(1,12)>
func.func @what_a_layout_misses_of_itself(%arg0: !fly.layout<(3, 2) : (4, 24)>) -> !fly.layout<(4, 2) : (1, 12)> {
  %0 = fly.complement(%arg0) : (!fly.layout<(3, 2) : (4, 24)>) -> !fly.layout<(4, 2) : (1, 12)>
  func.return %0 : !fly.layout<(4,2):(1,12)>
}

// CHECK-LABEL: @back_to_where_it_came_from(
// CHECK: %{{.*}} = fly.right_inverse(%{{.*}}) : (!fly.layout<(6,4):(4,1)>) -> !fly.layout<(4,6):(6,1)>
func.func @back_to_where_it_came_from(%arg0: !fly.layout<(6, 4) : (4, 1)>) -> !fly.layout<(4, 6) : (6, 1)> {
  %0 = fly.right_inverse(%arg0) : (!fly.layout<(6, 4) : (4, 1)>) -> !fly.layout<(4, 6) : (6, 1)>
  func.return %0 : !fly.layout<(4,6):(6,1)>
}

// CHECK-LABEL: @back_over_gaps(
// CHECK: %{{.*}} = fly.left_inverse(%{{.*}}) : (!fly.layout<(3,4):(1,5)>) -> !fly.layout<(5,4):(1,3)>
func.func @back_over_gaps(%arg0: !fly.layout<(3, 4) : (1, 5)>) -> !fly.layout<(5, 4) : (1, 3)> {
  %0 = fly.left_inverse(%arg0) : (!fly.layout<(3, 4) : (1, 5)>) -> !fly.layout<(5, 4) : (1, 3)>
  func.return %0 : !fly.layout<(5,4):(1,3)>
}

// CHECK-LABEL: @as_few_modes_as_can_be(
// CHECK: %{{.*}} = fly.coalesce(%{{.*}}) : (!fly.layout<(3,(4,1),5):(1,(3,9),12)>) -> !fly.layout<60:1>
func.func @as_few_modes_as_can_be(%arg0: !fly.layout<(3, (4, 1), 5) : (1, (3, 9), 12)>) -> !fly.layout<60:1> {
  %0 = fly.coalesce(%arg0) : (!fly.layout<(3, (4, 1), 5) : (1, (3, 9), 12)>) -> !fly.layout<60:1>
  func.return %0 : !fly.layout<60:1>
}

// CHECK-LABEL: @as_few_modes_in_each(
// CHECK: %{{.*}} = fly.coalesce(%{{.*}}, %{{.*}}) : (!fly.layout<((3,4),(5,2)):((1,3),(12,60))>, !fly.int_tuple<(1,1)>) -> !fly.layout<(12,10):(1,12)>
func.func @as_few_modes_in_each(%arg0: !fly.layout<((3, 4), (5, 2)) : ((1, 3), (12, 60))>, %arg1: !fly.int_tuple<(1, 1)>) -> !fly.layout<(12, 10) : (1, 12)> {
  %0 = fly.coalesce(%arg0, %arg1) : (!fly.layout<((3, 4), (5, 2)) : ((1, 3), (12, 60))>, !fly.int_tuple<(1, 1)>) -> !fly.layout<(12, 10) : (1, 12)>
  func.return %0 : !fly.layout<(12,10):(1,12)>
}

// CHECK-LABEL: @counted_in_bytes(
// CHECK: %{{.*}} = fly.recast_layout(%{{.*}}) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,20):(20,1)>) -> !fly.layout<(6,40):(40,1)>
func.func @counted_in_bytes(%arg0: !fly.layout<(6, 20) : (20, 1)>) -> !fly.layout<(6, 40) : (40, 1)> {
  %0 = fly.recast_layout(%arg0) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6, 20) : (20, 1)>) -> !fly.layout<(6, 40) : (40, 1)>
  func.return %0 : !fly.layout<(6,40):(40,1)>
}

// CHECK-LABEL: @counted_in_words(
// CHECK: %{{.*}} = fly.recast_layout(%{{.*}}) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,20):(20,1)>) -> !fly.layout<(6,10):(10,1)>
func.func @counted_in_words(%arg0: !fly.layout<(6, 20) : (20, 1)>) -> !fly.layout<(6, 10) : (10, 1)> {
  %0 = fly.recast_layout(%arg0) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6, 20) : (20, 1)>) -> !fly.layout<(6, 10) : (10, 1)>
  func.return %0 : !fly.layout<(6,10):(10,1)>
}

// CHECK-LABEL: @a_swizzle_counted_in_bytes(
// CHECK: %{{.*}} = fly.recast_layout(%{{.*}}) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o 0 o (8,64):(64,1)>
func.func @a_swizzle_counted_in_bytes(%arg0: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o 0 o (8,64):(64,1)> {
  %0 = fly.recast_layout(%arg0) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o 0 o (8,64):(64,1)>
  func.return %0 : !fly.composed_layout<S<2,4,3> o 0 o (8,64):(64,1)>
}

// CHECK-LABEL: @tiles_of_four(
// CHECK: %{{.*}} = fly.logical_divide(%{{.*}}, %{{.*}}) : (!fly.layout<24:3>, !fly.layout<4:2>) -> !fly.layout<(4,(2,3)):(6,(3,24))>
func.func @tiles_of_four(%arg0: !fly.layout<24:3>, %arg1: !fly.layout<4:2>) -> !fly.layout<(4, (2, 3)) : (6, (3, 24))> {
  %0 = fly.logical_divide(%arg0, %arg1) : (!fly.layout<24:3>, !fly.layout<4:2>) -> !fly.layout<(4, (2, 3)) : (6, (3, 24))>
  func.return %0 : !fly.layout<(4,(2,3)):(6,(3,24))>
}

// CHECK-LABEL: @tiles_by_mode(
// CHECK: %{{.*}} = fly.logical_divide(%{{.*}}, %{{.*}}) : (!fly.layout<(6,20):(20,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,2),(5,4)):((20,60),(1,5))>
func.func @tiles_by_mode(%arg0: !fly.layout<(6, 20) : (20, 1)>, %arg1: !fly.tile<[3|5]>) -> !fly.layout<((3, 2), (5, 4)) : ((20, 60), (1, 5))> {
  %0 = fly.logical_divide(%arg0, %arg1) : (!fly.layout<(6, 20) : (20, 1)>, !fly.tile<[3|5]>) -> !fly.layout<((3, 2), (5, 4)) : ((20, 60), (1, 5))>
  func.return %0 : !fly.layout<((3,2),(5,4)):((20,60),(1,5))>
}

// CHECK-LABEL: @tiles_together(
// CHECK: %{{.*}} = fly.zipped_divide(%{{.*}}, %{{.*}}) : (!fly.layout<(6,20):(20,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,4)):((20,1),(60,5))>
func.func @tiles_together(%arg0: !fly.layout<(6, 20) : (20, 1)>, %arg1: !fly.tile<[3|5]>) -> !fly.layout<((3, 5), (2, 4)) : ((20, 1), (60, 5))> {
  %0 = fly.zipped_divide(%arg0, %arg1) : (!fly.layout<(6, 20) : (20, 1)>, !fly.tile<[3|5]>) -> !fly.layout<((3, 5), (2, 4)) : ((20, 1), (60, 5))>
  func.return %0 : !fly.layout<((3,5),(2,4)):((20,1),(60,5))>
}

// CHECK-LABEL: @tiles_of_a_view(
// CHECK: %{{.*}} = fly.zipped_divide(%{{.*}}, %{{.*}}) : (!fly.memref<f32, global, (?,?):(?{i64 div=4},1)>, !fly.tile<[8|16]>) -> !fly.memref<f32, global, ((8,16),(?,?)):((?{i64 div=4},1),(?{i64 div=32},16))>
func.func @tiles_of_a_view(%arg0: !fly.memref<f32, global, (?,?):(?{i64 div=4},1)>, %arg1: !fly.tile<[8|16]>) -> !fly.memref<f32, global, ((8,16),(?,?)):((?{i64 div=4},1),(?{i64 div=32},16))> {
  %0 = fly.zipped_divide(%arg0, %arg1) : (!fly.memref<f32, global, (?,?):(?{i64 div=4},1)>, !fly.tile<[8|16]>) -> !fly.memref<f32, global, ((8,16),(?,?)):((?{i64 div=4},1),(?{i64 div=32},16))>
  func.return %0 : !fly.memref<f32, global, ((8,16),(?,?)):((?{i64 div=4},1),(?{i64 div=32},16))>
}

// CHECK-LABEL: @tiles_then_rests(
// CHECK: %{{.*}} = fly.tiled_divide(%{{.*}}, %{{.*}}) : (!fly.layout<(6,20,3):(60,3,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),2,4,3):((60,3),180,15,1)>
func.func @tiles_then_rests(%arg0: !fly.layout<(6, 20, 3) : (60, 3, 1)>, %arg1: !fly.tile<[3|5]>) -> !fly.layout<((3, 5), 2, 4, 3) : ((60, 3), 180, 15, 1)> {
  %0 = fly.tiled_divide(%arg0, %arg1) : (!fly.layout<(6, 20, 3) : (60, 3, 1)>, !fly.tile<[3|5]>) -> !fly.layout<((3, 5), 2, 4, 3) : ((60, 3), 180, 15, 1)>
  func.return %0 : !fly.layout<((3,5),2,4,3):((60,3),180,15,1)>
}

// CHECK-LABEL: @tiles_and_rests(
// CHECK: %{{.*}} = fly.flat_divide(%{{.*}}, %{{.*}}) : (!fly.layout<(6,20,3):(60,3,1)>, !fly.tile<[3|5]>) -> !fly.layout<(3,5,2,4,3):(60,3,180,15,1)>
func.func @tiles_and_rests(%arg0: !fly.layout<(6, 20, 3) : (60, 3, 1)>, %arg1: !fly.tile<[3|5]>) -> !fly.layout<(3, 5, 2, 4, 3) : (60, 3, 180, 15, 1)> {
  %0 = fly.flat_divide(%arg0, %arg1) : (!fly.layout<(6, 20, 3) : (60, 3, 1)>, !fly.tile<[3|5]>) -> !fly.layout<(3, 5, 2, 4, 3) : (60, 3, 180, 15, 1)>
  func.return %0 : !fly.layout<(3,5,2,4,3):(60,3,180,15,1)>
}

// CHECK-LABEL: @a_block_repeated(
// CHECK: %{{.*}} = fly.logical_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(5,1)>) -> !fly.layout<((2,3),(4,5)):((3,1),(30,6))>
func.func @a_block_repeated(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<(4, 5) : (5, 1)>) -> !fly.layout<((2, 3), (4, 5)) : ((3, 1), (30, 6))> {
  %0 = fly.logical_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<(4, 5) : (5, 1)>) -> !fly.layout<((2, 3), (4, 5)) : ((3, 1), (30, 6))>
  func.return %0 : !fly.layout<((2,3),(4,5)):((3,1),(30,6))>
}

// CHECK-LABEL: @a_block_repeated_together(
// CHECK: %{{.*}} = fly.zipped_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:1>) -> !fly.layout<((2,3),4):((3,1),6)>
func.func @a_block_repeated_together(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<4:1>) -> !fly.layout<((2, 3), 4) : ((3, 1), 6)> {
  %0 = fly.zipped_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<4:1>) -> !fly.layout<((2, 3), 4) : ((3, 1), 6)>
  func.return %0 : !fly.layout<((2,3),4):((3,1),6)>
}

// CHECK-LABEL: @a_block_and_repetitions(
// CHECK: %{{.*}} = fly.tiled_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<((2,3),4,5):((3,1),6,24)>
func.func @a_block_and_repetitions(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((2, 3), 4, 5) : ((3, 1), 6, 24)> {
  %0 = fly.tiled_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((2, 3), 4, 5) : ((3, 1), 6, 24)>
  func.return %0 : !fly.layout<((2,3),4,5):((3,1),6,24)>
}

// CHECK-LABEL: @a_block_flat(
// CHECK: %{{.*}} = fly.flat_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<(2,3,4,5):(3,1,6,24)>
func.func @a_block_flat(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<(2, 3, 4, 5) : (3, 1, 6, 24)> {
  %0 = fly.flat_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<(2, 3, 4, 5) : (3, 1, 6, 24)>
  func.return %0 : !fly.layout<(2,3,4,5):(3,1,6,24)>
}

// CHECK-LABEL: @blocks_stay_whole(
// CHECK: %{{.*}} = fly.blocked_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<((2,4),(3,5)):((3,6),(1,24))>
func.func @blocks_stay_whole(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((2, 4), (3, 5)) : ((3, 6), (1, 24))> {
  %0 = fly.blocked_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((2, 4), (3, 5)) : ((3, 6), (1, 24))>
  func.return %0 : !fly.layout<((2,4),(3,5)):((3,6),(1,24))>
}

// CHECK-LABEL: @blocks_are_spread(
// CHECK: %{{.*}} = fly.raked_product(%{{.*}}, %{{.*}}) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<((4,2),(5,3)):((6,3),(24,1))>
func.func @blocks_are_spread(%arg0: !fly.layout<(2, 3) : (3, 1)>, %arg1: !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((4, 2), (5, 3)) : ((6, 3), (24, 1))> {
  %0 = fly.raked_product(%arg0, %arg1) : (!fly.layout<(2, 3) : (3, 1)>, !fly.layout<(4, 5) : (1, 4)>) -> !fly.layout<((4, 2), (5, 3)) : ((6, 3), (24, 1))>
  func.return %0 : !fly.layout<((4,2),(5,3)):((6,3),(24,1))>
}

// CHECK-LABEL: @a_block_until_the_shape_is_full(
// CHECK: %{{.*}} = fly.tile_to_shape(%{{.*}}, %{{.*}}, %{{.*}}) : (!fly.layout<(2,5):(5,1)>, !fly.int_tuple<(6,20)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((2,3),(5,4)):((5,40),(1,10))>
func.func @a_block_until_the_shape_is_full(%arg0: !fly.layout<(2, 5) : (5, 1)>, %arg1: !fly.int_tuple<(6, 20)>, %arg2: !fly.int_tuple<(1, 0)>) -> !fly.layout<((2, 3), (5, 4)) : ((5, 40), (1, 10))> {
  %0 = fly.tile_to_shape(%arg0, %arg1, %arg2) : (!fly.layout<(2, 5) : (5, 1)>, !fly.int_tuple<(6, 20)>, !fly.int_tuple<(1, 0)>) -> !fly.layout<((2, 3), (5, 4)) : ((5, 40), (1, 10))>
  func.return %0 : !fly.layout<((2,3),(5,4)):((5,40),(1,10))>
}
