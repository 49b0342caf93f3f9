// RUN: tilewright opt %s --split-input-file --verify-diagnostics
// A wrong result type is refused of every op, with the right one where it is inferred.

func.func @wrong_a_static_shape() {
  // expected-error @+2 {{'fly.static' op failed to infer returned types}}
  // expected-note @+1 {{static: !fly.int_tuple<(?,3)> has leaves that are known at run time only}}
  %0 = fly.static : !fly.int_tuple<(?,3)>
  func.return
}

func.func @wrong_a_shape_of_two_run_time_extents(%arg0: i32, %arg1: i64) {
  // expected-error @+2 {{'fly.make_shape' op failed to infer returned types}}
  // expected-note @+1 {{the run-time leaves of !fly.int_tuple<(?,?,?)> need the operands i32, i32, i32, got 2}}
  %0 = fly.make_shape(%arg0, %arg1) : (i32, i64) -> !fly.int_tuple<(?,?,?)>
  func.return
}

func.func @wrong_a_result_that_is_no_layout(%shape: !fly.int_tuple<(4,8)>, %stride: !fly.int_tuple<(1,4)>) {
  // expected-error @+2 {{'fly.make_layout' op inferred type(s) '!fly.layout<(4,8):(1,4)>' are incompatible with return type(s) of operation '!fly.layout<(4,8):4>'}}
  // expected-note @+1 {{'!fly.layout<(4,8):4>' is none: shape (4,8) and stride 4 have different profiles}}
  %r = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,8):4>
  func.return
}

func.func @wrong_operands_under_a_result_that_is_no_layout(%shape: !fly.int_tuple<(4,8)>, %stride: !fly.int_tuple<1>) {
  // expected-error @+2 {{MakeLayoutOp: expected shape/stride profiles to match for result layout}}
  // expected-error @+1 {{'fly.make_layout' op failed to infer returned types}}
  %r = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<1>) -> !fly.layout<(4,8):1>
  func.return
}

func.func @wrong_a_stride_with_a_divisor(%arg0: i32) {
  // expected-error @+2 {{'fly.make_stride' op failed to infer returned types}}
  // expected-note @+1 {{the run-time leaves of !fly.int_tuple<(?,?)> need the operands i32, i32, got 1}}
  %0 = fly.make_stride(%arg0) : (i32) -> !fly.int_tuple<(?,?)>
  func.return
}

func.func @wrong_a_coordinate_with_a_free_mode(%arg0: i32) {
  // expected-error @+2 {{'fly.make_coord' op failed to infer returned types}}
  // expected-note @+1 {{the run-time leaves of !fly.int_tuple<(?,?,?)> need the operands i32, i32, i32, got 1}}
  %0 = fly.make_coord(%arg0) : (i32) -> !fly.int_tuple<(?,?,?)>
  func.return
}

func.func @wrong_an_int_tuple_of_one_leaf(%arg0: i64) {
  // expected-error @+2 {{'fly.make_int_tuple' op failed to infer returned types}}
  // expected-note @+1 {{the run-time leaves of !fly.int_tuple<4> need the operands none, got 1}}
  %0 = fly.make_int_tuple(%arg0) : (i64) -> !fly.int_tuple<4>
  func.return
}

func.func @wrong_a_layout_of_shape_and_stride(%arg0: !fly.int_tuple<(6,(2,5))>, %arg1: !fly.int_tuple<(10,(5,1))>) {
  // expected-error @+1 {{'fly.make_layout' op inferred type(s) '!fly.layout<(6,(2,5)):(10,(5,1))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.make_layout(%arg0, %arg1) : (!fly.int_tuple<(6,(2,5))>, !fly.int_tuple<(10,(5,1))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_tile_of_modes(%arg0: !fly.int_tuple<16>, %arg1: !fly.layout<(2,4):(4,1)>) {
  // expected-error @+1 {{'fly.make_tile' op inferred type(s) '!fly.tile<[16|(2,4):(4,1)]>' are incompatible with return type(s) of operation '!fly.tile<[77]>'}}
  %0 = fly.make_tile(%arg0, %arg1) : (!fly.int_tuple<16>, !fly.layout<(2,4):(4,1)>) -> !fly.tile<[77]>
  func.return
}

func.func @wrong_the_last_mode_fastest(%arg0: !fly.int_tuple<(5,(2,3))>, %arg1: !fly.int_tuple<(1,0)>) {
  // expected-error @+1 {{'fly.make_ordered_layout' op inferred type(s) '!fly.layout<(5,(2,3)):(6,(1,2))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.make_ordered_layout(%arg0, %arg1) : (!fly.int_tuple<(5,(2,3))>, !fly.int_tuple<(1,0)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_compact_in_the_same_order(%arg0: !fly.layout<(4,6):(24,2)>) {
  // expected-error @+1 {{'fly.make_layout_like' op inferred type(s) '!fly.layout<(4,6):(6,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.make_layout_like(%arg0) : (!fly.layout<(4,6):(24,2)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_fragment_like_a_layout(%arg0: !fly.layout<((4,2),3,5):((8,1),100,7)>) {
  // expected-error @+1 {{'fly.make_fragment_layout_like' op inferred type(s) '!fly.layout<((4,2),3,5):((1,4),40,8)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.make_fragment_layout_like(%arg0) : (!fly.layout<((4,2),3,5):((8,1),100,7)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_coordinates_of_a_shape(%arg0: !fly.int_tuple<(4,(3,2))>) {
  // expected-error @+1 {{'fly.make_identity_layout' op inferred type(s) '!fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.make_identity_layout(%arg0) : (!fly.int_tuple<(4,(3,2))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_tensor_of_coordinates(%arg0: !fly.int_tuple<(4,6)>) {
  // expected-error @+1 {{'fly.make_identity_tensor' op inferred type(s) '!fly.coord_tensor<(0,0), (4,6):(1E0,1E1)>' are incompatible with return type(s) of operation '!fly.coord_tensor<(7,7), (7,7):(7E0,7E1)>'}}
  %0 = fly.make_identity_tensor(%arg0) : (!fly.int_tuple<(4,6)>) -> !fly.coord_tensor<(7,7), (7,7):(7E0,7E1)>
  func.return
}

func.func @wrong_a_swizzle_over_a_layout(%arg0: !fly.swizzle<S<3,3,3>>, %arg1: !fly.int_tuple<0>, %arg2: !fly.layout<(16,64):(64,1)>) {
  // expected-error @+1 {{'fly.make_composed_layout' op inferred type(s) '!fly.composed_layout<S<3,3,3> o 0 o (16,64):(64,1)>' are incompatible with return type(s) of operation '!fly.composed_layout<S<1,1,1> o 0 o 77:7>'}}
  %0 = fly.make_composed_layout(%arg0, %arg1, %arg2) : (!fly.swizzle<S<3,3,3>>, !fly.int_tuple<0>, !fly.layout<(16,64):(64,1)>) -> !fly.composed_layout<S<1,1,1> o 0 o 77:7>
  func.return
}

func.func @wrong_size_of_a_tuple(%arg0: !fly.int_tuple<(4,(3,2))>) {
  // expected-error @+1 {{'fly.size' op inferred type(s) '!fly.int_tuple<24>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.size(%arg0) : (!fly.int_tuple<(4,(3,2))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_cosize_with_gaps(%arg0: !fly.layout<(3,4):(10,2)>) {
  // expected-error @+1 {{'fly.cosize' op inferred type(s) '!fly.int_tuple<27>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.cosize(%arg0) : (!fly.layout<(3,4):(10,2)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_coshape_on_coordinates(%arg0: !fly.layout<(4,6):(1E0,2E1)>) {
  // expected-error @+1 {{'fly.coshape' op inferred type(s) '!fly.int_tuple<(4,11)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.coshape(%arg0) : (!fly.layout<(4,6):(1E0,2E1)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_coprofile_on_coordinates(%arg0: !fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>) {
  // expected-error @+1 {{'fly.coprofile' op inferred type(s) '!fly.int_tuple<(0,(0,0))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.coprofile(%arg0) : (!fly.layout<(4,(3,2)):(1E0,(1E1E0,1E1E1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_rank_of_a_layout(%arg0: !fly.layout<(4,(3,2)):(6,(2,1))>) {
  // expected-error @+1 {{'fly.rank' op inferred type(s) '!fly.int_tuple<2>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.rank(%arg0) : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_depth_of_a_tuple(%arg0: !fly.int_tuple<(4,(3,(2,2)))>) {
  // expected-error @+1 {{'fly.depth' op inferred type(s) '!fly.int_tuple<3>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.depth(%arg0) : (!fly.int_tuple<(4,(3,(2,2)))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_shape_of_a_layout(%arg0: !fly.layout<(4,(3,2)):(6,(2,1))>) {
  // expected-error @+1 {{'fly.get_shape' op inferred type(s) '!fly.int_tuple<(4,(3,2))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.get_shape(%arg0) : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_stride_of_a_layout(%arg0: !fly.layout<(4,(3,?)):(6,(?{i64},1))>) {
  // expected-error @+1 {{'fly.get_stride' op inferred type(s) '!fly.int_tuple<(6,(?{i64},1))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.get_stride(%arg0) : (!fly.layout<(4,(3,?)):(6,(?{i64},1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_is_a_layout_static(%arg0: !fly.layout<(4,?):(1,4)>) {
  // expected-error @+1 {{'fly.is_static' op inferred type(s) 'i1' are incompatible with return type(s) of operation 'i64'}}
  %0 = fly.is_static(%arg0) : (!fly.layout<(4,?):(1,4)>) -> i64
  func.return
}

func.func @wrong_a_mode(%arg0: !fly.layout<(4,(3,2)):(6,(2,1))>) {
  // expected-error @+1 {{'fly.get' op inferred type(s) '!fly.layout<(3,2):(2,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.get(%arg0) {mode = array<i32: 1>} : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_leaf_by_its_number(%arg0: !fly.layout<(4,(3,2)):(6,(2,1))>) {
  // expected-error @+1 {{'fly.get_leaf' op inferred type(s) '!fly.layout<2:1>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.get_leaf(%arg0) {leaf_idx = 2 : i32} : (!fly.layout<(4,(3,2)):(6,(2,1))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_all_leaves(%arg0: !fly.int_tuple<(?,(4,?{i64}))>) {
  // expected-error @+1 {{'fly.get_leaves' op inferred type(s) 'i32', 'i32', 'i64' are incompatible with return type(s) of operation 'i1', 'i32', 'i64'}}
  %0:3 = fly.get_leaves(%arg0) : (!fly.int_tuple<(?,(4,?{i64}))>) -> (i1, i32, i64)
  func.return
}

func.func @wrong_the_integer_of_a_leaf(%arg0: !fly.int_tuple<12>) {
  // expected-error @+1 {{'fly.get_scalar' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i1'}}
  %0 = fly.get_scalar(%arg0) : (!fly.int_tuple<12>) -> i1
  func.return
}

func.func @wrong_what_swizzles(%arg0: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) {
  // expected-error @+1 {{'fly.composed_get_inner' op inferred type(s) '!fly.swizzle<S<2,3,3>>' are incompatible with return type(s) of operation '!fly.swizzle<S<1,1,1>>'}}
  %0 = fly.composed_get_inner(%arg0) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.swizzle<S<1,1,1>>
  func.return
}

func.func @wrong_what_is_added(%arg0: !fly.composed_layout<32:2 o 5 o (4,8):(1,4)>) {
  // expected-error @+1 {{'fly.composed_get_offset' op inferred type(s) '!fly.int_tuple<5>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.composed_get_offset(%arg0) : (!fly.composed_layout<32:2 o 5 o (4,8):(1,4)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_what_is_swizzled(%arg0: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) {
  // expected-error @+1 {{'fly.composed_get_outer' op inferred type(s) '!fly.layout<(8,32):(32,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.composed_get_outer(%arg0) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_index_of_a_coordinate(%arg0: !fly.int_tuple<(2,(1,3))>, %arg1: !fly.layout<(5,(2,6)):(12,(6,1))>) {
  // expected-error @+1 {{'fly.crd2idx' op inferred type(s) '!fly.int_tuple<33>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<(2,(1,3))>, !fly.layout<(5,(2,6)):(12,(6,1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_coordinate_of_an_index(%arg0: !fly.int_tuple<38>, %arg1: !fly.layout<(5,(2,6)):(12,(6,1))>) {
  // expected-error @+1 {{'fly.idx2crd' op inferred type(s) '!fly.int_tuple<(3,(0,2))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.idx2crd(%arg0, %arg1) : (!fly.int_tuple<38>, !fly.layout<(5,(2,6)):(12,(6,1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_one_integer_a_mode(%arg0: !fly.int_tuple<7>, %arg1: !fly.layout<((2,3),4):((1,2),6)>) {
  // expected-error @+1 {{'fly.get_flat_coord' op inferred type(s) '!fly.int_tuple<(1,1)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.get_flat_coord(%arg0, %arg1) : (!fly.int_tuple<7>, !fly.layout<((2,3),4):((1,2),6)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_one_integer(%arg0: !fly.int_tuple<11>, %arg1: !fly.layout<(4,8):(8,1)>) {
  // expected-error @+1 {{'fly.get_1d_coord' op inferred type(s) '!fly.int_tuple<13>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.get_1d_coord(%arg0, %arg1) : (!fly.int_tuple<11>, !fly.layout<(4,8):(8,1)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_from_shape_to_shape(%arg0: !fly.int_tuple<(1,5)>, %arg1: !fly.int_tuple<(3,8)>, %arg2: !fly.int_tuple<(6,4)>) {
  // expected-error @+1 {{'fly.crd2crd' op inferred type(s) '!fly.int_tuple<(4,2)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.crd2crd(%arg0, %arg1, %arg2) : (!fly.int_tuple<(1,5)>, !fly.int_tuple<(3,8)>, !fly.int_tuple<(6,4)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_coordinate_of_the_profile(%arg0: !fly.int_tuple<7>, %arg1: !fly.layout<((2,3),4):((1,2),6)>) {
  // expected-error @+1 {{'fly.get_hier_coord' op inferred type(s) '!fly.int_tuple<((1,0),1)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.get_hier_coord(%arg0, %arg1) : (!fly.int_tuple<7>, !fly.layout<((2,3),4):((1,2),6)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_pointer_swizzled(%arg0: !fly.ptr<f16, shared, align<128>>, %arg1: !fly.swizzle<S<2,3,3>>) {
  // expected-error @+1 {{'fly.apply_swizzle' op inferred type(s) '!fly.ptr<f16, shared, align<16>, S<2,3,3>>' are incompatible with return type(s) of operation '!fly.ptr<f64, generic>'}}
  %0 = fly.apply_swizzle(%arg0, %arg1) : (!fly.ptr<f16, shared, align<128>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<f64, generic>
  func.return
}

func.func @wrong_a_then_b(%arg0: !fly.layout<(10,6):(6,1)>, %arg1: !fly.layout<(5,3):(2,20)>) {
  // expected-error @+1 {{'fly.composition' op inferred type(s) '!fly.layout<(5,3):(12,2)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.composition(%arg0, %arg1) : (!fly.layout<(10,6):(6,1)>, !fly.layout<(5,3):(2,20)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_what_a_layout_misses(%arg0: !fly.layout<(2,4):(1,6)>, %arg1: !fly.int_tuple<48>) {
  // expected-error @+1 {{'fly.complement' op inferred type(s) '!fly.layout<(3,2):(2,24)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.complement(%arg0, %arg1) : (!fly.layout<(2,4):(1,6)>, !fly.int_tuple<48>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_back_to_where_it_came_from(%arg0: !fly.layout<(6,4):(4,1)>) {
  // expected-error @+1 {{'fly.right_inverse' op inferred type(s) '!fly.layout<(4,6):(6,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.right_inverse(%arg0) : (!fly.layout<(6,4):(4,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_back_over_gaps(%arg0: !fly.layout<(3,4):(1,5)>) {
  // expected-error @+1 {{'fly.left_inverse' op inferred type(s) '!fly.layout<(5,4):(1,3)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.left_inverse(%arg0) : (!fly.layout<(3,4):(1,5)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_as_few_modes_as_can_be(%arg0: !fly.layout<(3,(4,1),5):(1,(3,9),12)>) {
  // expected-error @+1 {{'fly.coalesce' op inferred type(s) '!fly.layout<60:1>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.coalesce(%arg0) : (!fly.layout<(3,(4,1),5):(1,(3,9),12)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_counted_in_bytes(%arg0: !fly.layout<(6,20):(20,1)>) {
  // expected-error @+1 {{'fly.recast_layout' op inferred type(s) '!fly.layout<(6,40):(40,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.recast_layout(%arg0) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,20):(20,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_tiles_of_four(%arg0: !fly.layout<24:3>, %arg1: !fly.layout<4:2>) {
  // expected-error @+1 {{'fly.logical_divide' op inferred type(s) '!fly.layout<(4,(2,3)):(6,(3,24))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.logical_divide(%arg0, %arg1) : (!fly.layout<24:3>, !fly.layout<4:2>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_tiles_together(%arg0: !fly.layout<(6,20):(20,1)>, %arg1: !fly.tile<[3|5]>) {
  // expected-error @+1 {{'fly.zipped_divide' op inferred type(s) '!fly.layout<((3,5),(2,4)):((20,1),(60,5))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.zipped_divide(%arg0, %arg1) : (!fly.layout<(6,20):(20,1)>, !fly.tile<[3|5]>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_tiles_then_rests(%arg0: !fly.layout<(6,20,3):(60,3,1)>, %arg1: !fly.tile<[3|5]>) {
  // expected-error @+1 {{'fly.tiled_divide' op inferred type(s) '!fly.layout<((3,5),2,4,3):((60,3),180,15,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.tiled_divide(%arg0, %arg1) : (!fly.layout<(6,20,3):(60,3,1)>, !fly.tile<[3|5]>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_tiles_and_rests(%arg0: !fly.layout<(6,20,3):(60,3,1)>, %arg1: !fly.tile<[3|5]>) {
  // expected-error @+1 {{'fly.flat_divide' op inferred type(s) '!fly.layout<(3,5,2,4,3):(60,3,180,15,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.flat_divide(%arg0, %arg1) : (!fly.layout<(6,20,3):(60,3,1)>, !fly.tile<[3|5]>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_block_repeated(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<(4,5):(5,1)>) {
  // expected-error @+1 {{'fly.logical_product' op inferred type(s) '!fly.layout<((2,3),(4,5)):((3,1),(30,6))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.logical_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(5,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_block_repeated_together(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<4:1>) {
  // expected-error @+1 {{'fly.zipped_product' op inferred type(s) '!fly.layout<((2,3),4):((3,1),6)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.zipped_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:1>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_block_and_repetitions(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<(4,5):(1,4)>) {
  // expected-error @+1 {{'fly.tiled_product' op inferred type(s) '!fly.layout<((2,3),4,5):((3,1),6,24)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.tiled_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_block_flat(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<(4,5):(1,4)>) {
  // expected-error @+1 {{'fly.flat_product' op inferred type(s) '!fly.layout<(2,3,4,5):(3,1,6,24)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.flat_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_blocks_stay_whole(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<(4,5):(1,4)>) {
  // expected-error @+1 {{'fly.blocked_product' op inferred type(s) '!fly.layout<((2,4),(3,5)):((3,6),(1,24))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.blocked_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_blocks_are_spread(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<(4,5):(1,4)>) {
  // expected-error @+1 {{'fly.raked_product' op inferred type(s) '!fly.layout<((4,2),(5,3)):((6,3),(24,1))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.raked_product(%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<(4,5):(1,4)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_block_until_the_shape_is_full(%arg0: !fly.layout<(2,5):(5,1)>, %arg1: !fly.int_tuple<(6,20)>, %arg2: !fly.int_tuple<(1,0)>) {
  // expected-error @+1 {{'fly.tile_to_shape' op inferred type(s) '!fly.layout<((2,3),(5,4)):((5,40),(1,10))>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.tile_to_shape(%arg0, %arg1, %arg2) : (!fly.layout<(2,5):(5,1)>, !fly.int_tuple<(6,20)>, !fly.int_tuple<(1,0)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_two_modes(%arg0: !fly.layout<(2,3,5):(15,5,1)>) {
  // expected-error @+1 {{'fly.select' op inferred type(s) '!fly.layout<(5,2):(1,15)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.select(%arg0) {indices = array<i32: 2, 0>} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_modes_in_a_row(%arg0: !fly.layout<(2,3,5):(15,5,1)>) {
  // expected-error @+1 {{'fly.take' op inferred type(s) '!fly.layout<(3,5):(5,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.take(%arg0) {begin = 1 : i32, end = 3 : i32} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_modes_as_one(%arg0: !fly.layout<(2,3,5):(15,5,1)>) {
  // expected-error @+1 {{'fly.group' op inferred type(s) '!fly.layout<((2,3),5):((15,5),1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.group(%arg0) {begin = 0 : i32, end = 2 : i32} : (!fly.layout<(2,3,5):(15,5,1)>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_mode_more(%arg0: !fly.layout<(2,3):(3,1)>, %arg1: !fly.layout<4:6>) {
  // expected-error @+1 {{'fly.append' op inferred type(s) '!fly.layout<(2,3,4):(3,1,6)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.append (%arg0, %arg1) : (!fly.layout<(2,3):(3,1)>, !fly.layout<4:6>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_mode_in_front(%arg0: !fly.int_tuple<(2,3)>, %arg1: !fly.int_tuple<7>) {
  // expected-error @+1 {{'fly.prepend' op inferred type(s) '!fly.int_tuple<(7,2,3)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.prepend (%arg0, %arg1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<7>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_the_free_modes(%arg0: !fly.layout<(6,(2,5)):(10,(5,1))>, %arg1: !fly.int_tuple<(*,(1,*))>) {
  // expected-error @+1 {{'fly.slice' op inferred type(s) '!fly.layout<(6,5):(10,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.slice(%arg0, %arg1) : (!fly.layout<(6,(2,5)):(10,(5,1))>, !fly.int_tuple<(*,(1,*))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_the_fixed_modes(%arg0: !fly.int_tuple<(6,(2,5))>, %arg1: !fly.int_tuple<(*,(1,0))>) {
  // expected-error @+1 {{'fly.dice' op inferred type(s) '!fly.int_tuple<(2,5)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.dice(%arg0, %arg1) : (!fly.int_tuple<(6,(2,5))>, !fly.int_tuple<(*,(1,0))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_pairs_of_modes(%arg0: !fly.int_tuple<(2,3)>, %arg1: !fly.int_tuple<(5,7)>) {
  // expected-error @+1 {{'fly.zip' op inferred type(s) '!fly.int_tuple<((2,5),(3,7))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.zip(%arg0, %arg1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(5,7)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_without_nesting(%arg0: !fly.layout<(2,(3,5)):(15,(5,1))>) {
  // expected-error @+1 {{'fly.flatten' op inferred type(s) '!fly.layout<(2,3,5):(15,5,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.flatten(%arg0) : (!fly.layout<(2,(3,5)):(15,(5,1))>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_a_sum(%arg0: !fly.int_tuple<(2,(3,5))>, %arg1: !fly.int_tuple<(10,(20,30))>) {
  // expected-error @+1 {{'fly.int_tuple_add' op inferred type(s) '!fly.int_tuple<(12,(23,35))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_add(%arg0, %arg1) : (!fly.int_tuple<(2,(3,5))>, !fly.int_tuple<(10,(20,30))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_difference(%arg0: !fly.int_tuple<(12,7)>, %arg1: !fly.int_tuple<(5,7)>) {
  // expected-error @+1 {{'fly.int_tuple_sub' op inferred type(s) '!fly.int_tuple<(7,0)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_sub(%arg0, %arg1) : (!fly.int_tuple<(12,7)>, !fly.int_tuple<(5,7)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_product(%arg0: !fly.int_tuple<(?{div=6},3)>, %arg1: !fly.int_tuple<(?{i64 div=4},3)>) {
  // expected-error @+1 {{'fly.int_tuple_mul' op inferred type(s) '!fly.int_tuple<(?{i64 div=24},9)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_mul(%arg0, %arg1) : (!fly.int_tuple<(?{div=6},3)>, !fly.int_tuple<(?{i64 div=4},3)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_quotient(%arg0: !fly.int_tuple<(12,?{div=8})>, %arg1: !fly.int_tuple<(5,4)>) {
  // expected-error @+1 {{'fly.int_tuple_div' op inferred type(s) '!fly.int_tuple<(2,?)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_div(%arg0, %arg1) : (!fly.int_tuple<(12,?{div=8})>, !fly.int_tuple<(5,4)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_a_remainder(%arg0: !fly.int_tuple<(12,?)>, %arg1: !fly.int_tuple<(5,1)>) {
  // expected-error @+1 {{'fly.int_tuple_mod' op inferred type(s) '!fly.int_tuple<(2,0)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_mod(%arg0, %arg1) : (!fly.int_tuple<(12,?)>, !fly.int_tuple<(5,1)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_product_of_all(%arg0: !fly.int_tuple<(2,(3,?))>) {
  // expected-error @+1 {{'fly.int_tuple_product' op inferred type(s) '!fly.int_tuple<?{div=6}>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_product(%arg0) : (!fly.int_tuple<(2,(3,?))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_product_of_each(%arg0: !fly.int_tuple<(2,(3,5))>) {
  // expected-error @+1 {{'fly.int_tuple_product_each' op inferred type(s) '!fly.int_tuple<(2,15)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_product_each(%arg0) : (!fly.int_tuple<(2,(3,5))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_product_like(%arg0: !fly.int_tuple<((2,3),(5,7))>, %arg1: !fly.int_tuple<(1,(1,1))>) {
  // expected-error @+1 {{'fly.int_tuple_product_like' op inferred type(s) '!fly.int_tuple<(6,(5,7))>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.int_tuple_product_like(%arg0, %arg1) : (!fly.int_tuple<((2,3),(5,7))>, !fly.int_tuple<(1,(1,1))>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_rounded_up(%arg0: !fly.int_tuple<(20,9)>, %arg1: !fly.int_tuple<(8,2)>) {
  // expected-error @+1 {{'fly.ceil_div' op inferred type(s) '!fly.int_tuple<(3,5)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.ceil_div(%arg0, %arg1) : (!fly.int_tuple<(20,9)>, !fly.int_tuple<(8,2)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_divided_through(%arg0: !fly.int_tuple<(4,6)>, %arg1: !fly.int_tuple<8>) {
  // expected-error @+1 {{'fly.shape_div' op inferred type(s) '!fly.int_tuple<(1,3)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.shape_div(%arg0, %arg1) : (!fly.int_tuple<(4,6)>, !fly.int_tuple<8>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_is_it_below(%arg0: !fly.int_tuple<(2,?)>, %arg1: !fly.int_tuple<(3,8)>) {
  // expected-error @+1 {{'fly.elem_less' op inferred type(s) 'i1' are incompatible with return type(s) of operation 'i64'}}
  %0 = fly.elem_less(%arg0, %arg1) : (!fly.int_tuple<(2,?)>, !fly.int_tuple<(3,8)>) -> i64
  func.return
}

func.func @wrong_is_it_the_same(%arg0: !fly.int_tuple<(2,3)>, %arg1: !fly.int_tuple<(2,3)>) {
  // expected-error @+1 {{'fly.equal' op inferred type(s) 'i1' are incompatible with return type(s) of operation 'i64'}}
  %0 = fly.equal(%arg0, %arg1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(2,3)>) -> i64
  func.return
}

func.func @wrong_layout_of_a_view(%arg0: !fly.memref<bf16, shared, (8,16):(16,1), align<16>>) {
  // expected-error @+1 {{'fly.get_layout' op inferred type(s) '!fly.layout<(8,16):(16,1)>' are incompatible with return type(s) of operation '!fly.layout<77:7>'}}
  %0 = fly.get_layout(%arg0) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.layout<77:7>
  func.return
}

func.func @wrong_pointer_of_a_view(%arg0: !fly.memref<bf16, shared, (8,16):(16,1), align<16>>) {
  // expected-error @+1 {{'fly.get_iter' op inferred type(s) '!fly.ptr<bf16, shared, align<16>>' are incompatible with return type(s) of operation '!fly.ptr<f64, generic>'}}
  %0 = fly.get_iter(%arg0) : (!fly.memref<bf16, shared, (8,16):(16,1), align<16>>) -> !fly.ptr<f64, generic>
  func.return
}

func.func @wrong_memory_under_a_layout(%arg0: !fly.ptr<f32, global, align<16>>, %arg1: !fly.layout<(?,?):(?,1)>) {
  // expected-error @+1 {{'fly.make_view' op inferred type(s) '!fly.memref<f32, global, (?,?):(?,1), align<16>>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.make_view(%arg0, %arg1) : (!fly.ptr<f32, global, align<16>>, !fly.layout<(?,?):(?,1)>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_a_pointer_moved(%arg0: !fly.ptr<f16, shared, align<32>>, %arg1: !fly.int_tuple<?{div=4}>) {
  // expected-error @+1 {{'fly.add_offset' op inferred type(s) '!fly.ptr<f16, shared, align<8>>' are incompatible with return type(s) of operation '!fly.ptr<f64, generic>'}}
  %0 = fly.add_offset(%arg0, %arg1) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<f64, generic>
  func.return
}

func.func @wrong_registers_like_a_view(%arg0: !fly.memref<f32, global, (4,(2,3)):(6,(3,1))>) {
  // expected-error @+1 {{'fly.make_fragment_like' op inferred type(s) '!fly.memref<f32, register, (4,2,3):(1,12,4)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.make_fragment_like(%arg0) : (!fly.memref<f32, global, (4,(2,3)):(6,(3,1))>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_a_view_without_its_swizzle(%arg0: !fly.memref<f16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) {
  // expected-error @+1 {{'fly.decomposition' op inferred type(s) '!fly.memref<f16, shared, (8,32):(32,1)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.decomposition(%arg0) : (!fly.memref<f16, shared, S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_shared_memory() {
  // expected-error @+1 {{'fly.get_dyn_shared' op inferred type(s) '!fly.ptr<i8, shared, align<1024>>' are incompatible with return type(s) of operation '!fly.ptr<f64, generic>'}}
  %0 = fly.get_dyn_shared() : !fly.ptr<f64, generic>
  func.return
}

func.func @wrong_a_pointer_of_an_address(%arg0: i64) {
  // expected-error @+2 {{'fly.make_ptr' op failed to infer returned types}}
  // expected-note @+1 {{expected a pointer, got !fly.int_tuple<4>}}
  %0 = fly.make_ptr(%arg0) : (i64) -> !fly.int_tuple<4>
  func.return
}

func.func @wrong_an_integer_as_a_pointer(%arg0: i64) {
  // expected-error @+2 {{'fly.inttoptr' op failed to infer returned types}}
  // expected-note @+1 {{expected a pointer, got i64}}
  %0 = fly.inttoptr(%arg0) : (i64) -> i64
  func.return
}

func.func @wrong_a_pointer_as_an_integer(%arg0: !fly.ptr<f32, shared>) {
  // expected-error @+1 {{'fly.ptrtoint' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'i1'}}
  %0 = fly.ptrtoint(%arg0) : (!fly.ptr<f32, shared>) -> i1
  func.return
}

func.func @wrong_a_pointer_for_llvm(%arg0: !fly.ptr<f32, global>) {
  // expected-error @+1 {{'fly.to_llvm_ptr' op result #0 must be LLVM pointer type, but got 'i1'}}
  %0 = fly.to_llvm_ptr(%arg0) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> i1
  func.return
}

func.func @wrong_bits_read_otherwise(%arg0: !fly.ptr<f32, shared, align<16>>) {
  // expected-error @+2 {{'fly.recast_iter' op failed to infer returned types}}
  // expected-note @+1 {{result pointer address space must match source, shared}}
  %0 = fly.recast_iter(%arg0) : (!fly.ptr<f32, shared, align<16>>) -> !fly.ptr<f32, global, align<16>>
  func.return
}

func.func @wrong_an_address(%arg0: !fly.memref<f32, global, (8,8):(8,1)>) {
  // expected-error @+2 {{'fly.extract_aligned_pointer_as_index' op failed to infer returned types}}
  // expected-note @+1 {{an address is an index or a pointer of LLVM, not !fly.int_tuple<4>}}
  %0 = fly.extract_aligned_pointer_as_index %arg0 : <f32, global, (8,8):(8,1)> -> !fly.int_tuple<4>
  func.return
}

func.func @wrong_registers(%arg0: !fly.layout<(2,3):(3,1)>) {
  // expected-error @+2 {{'fly.memref.alloca' op failed to infer returned types}}
  // expected-note @+1 {{memref.alloca: !fly.memref<f32, register, (2,4):(4,1)> does not lie as !fly.layout<(2,3):(3,1)>}}
  %0 = fly.memref.alloca(%arg0) : (!fly.layout<(2,3):(3,1)>) -> !fly.memref<f32, register, (2,4):(4,1)>
  func.return
}

func.func @wrong_an_element(%arg0: !fly.memref<f16, shared, (8,4):(4,1)>, %arg1: !fly.int_tuple<(?,2)>) {
  // expected-error @+1 {{'fly.memref.load' op inferred type(s) 'f16' are incompatible with return type(s) of operation 'f64'}}
  %0 = fly.memref.load(%arg0, %arg1) : (!fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?,2)>) -> f64
  func.return
}

func.func @wrong_all_elements(%arg0: !fly.memref<f16, register, (2,4):(4,1)>) {
  // expected-error @+1 {{'fly.memref.load_vec' op inferred type(s) 'vector<8xf16>' are incompatible with return type(s) of operation 'vector<77xf64>'}}
  %0 = fly.memref.load_vec(%arg0) : (!fly.memref<f16, register, (2,4):(4,1)>) -> vector<77xf64>
  func.return
}

func.func @wrong_an_element_written(%arg0: f16, %arg1: !fly.memref<f16, shared, (8,4):(4,1)>, %arg2: !fly.int_tuple<(?,2)>) {
  // expected-error @+1 {{'fly.memref.store' op requires zero results, but has 1}}
  %0 = fly.memref.store(%arg0, %arg1, %arg2) : (f16, !fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?,2)>) -> i32
  func.return
}

func.func @wrong_all_elements_written(%arg0: vector<8xf16>, %arg1: !fly.memref<f16, register, (2,4):(4,1)>) {
  // expected-error @+1 {{'fly.memref.store_vec' op requires zero results, but has 1}}
  %0 = fly.memref.store_vec(%arg0, %arg1) : (vector<8xf16>, !fly.memref<f16, register, (2,4):(4,1)>) -> i32
  func.return
}

func.func @wrong_what_a_pointer_shows(%arg0: !fly.ptr<f32, global, align<16>>) {
  // expected-error @+2 {{'fly.ptr.load' op failed to infer returned types}}
  // expected-note @+1 {{a value of type !fly.ptr<f32, global> is not held where !fly.ptr<f32, global, align<16>> points}}
  %0 = fly.ptr.load(%arg0) : (!fly.ptr<f32, global, align<16>>) -> !fly.ptr<f32, global>
  func.return
}

func.func @wrong_a_value_at_a_pointer(%arg0: f32, %arg1: !fly.ptr<f32, register>) {
  // expected-error @+1 {{'fly.ptr.store' op requires zero results, but has 1}}
  %0 = fly.ptr.store(%arg0, %arg1) : (f32, !fly.ptr<f32, register>) -> i32
  func.return
}

func.func @wrong_a_fact_of_a_layout(%arg0: !fly.int_tuple<(?,8)>, %arg1: !fly.int_tuple<(?{div=8},8)>) {
  // expected-error @+2 {{'fly.assume' op failed to infer returned types}}
  // expected-note @+1 {{assume: the type of its one result is written, not inferred}}
  %0:2 = fly.assume(%arg0, %arg1) : (!fly.int_tuple<(?,8)>, !fly.int_tuple<(?{div=8},8)>) -> (!fly.int_tuple<(4,4)>, !fly.int_tuple<4>)
  func.return
}

func.func @wrong_words_and_values(%arg0: i32, %arg1: f32) {
  // expected-error @+1 {{'fly.print' op requires zero results, but has 1}}
  %0 = fly.print(%arg0, %arg1) {format = "{} of {}"} : (i32, f32) -> i32
  func.return
}

func.func @wrong_an_atom_of_a_copy() {
  // expected-error @+2 {{'fly.make_copy_atom' op failed to infer returned types}}
  // expected-note @+1 {{make_copy_atom: valBits is 32, but !fly.copy_atom<!fly.universal_copy<64>, 16> moves values of 16 bits}}
  %0 = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  func.return
}

func.func @wrong_an_atom_of_products() {
  // expected-error @+2 {{'fly.make_mma_atom' op failed to infer returned types}}
  // expected-note @+1 {{make_mma_atom: !fly.copy_atom<!fly.universal_copy<64>, 32> is no MMA atom}}
  %0 = fly.make_mma_atom : !fly.copy_atom<!fly.universal_copy<64>, 32>
  func.return
}

func.func @wrong_a_field_of_an_atom(%arg0: !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>, %arg1: i32) {
  // expected-error @+1 {{'fly.atom.set_value' op inferred type(s) '!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>' are incompatible with return type(s) of operation '!fly.copy_atom<!fly.universal_copy<8>, 8>'}}
  %0 = fly.atom.set_value(%arg0, "soffset", %arg1) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 32>, i32) -> !fly.copy_atom<!fly.universal_copy<8>, 8>
  func.return
}

func.func @wrong_threads_of_a_copy(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.layout<(32,2):(2,1)>, %arg2: !fly.tile<[8|8]>) {
  // expected-error @+1 {{'fly.make_tiled_copy' op inferred type(s) '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>' are incompatible with return type(s) of operation '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>'}}
  %0 = fly.make_tiled_copy(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>
  func.return
}

func.func @wrong_threads_of_products(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.layout<(2,2,1):(1,2,0)>) {
  // expected-error @+1 {{'fly.make_tiled_mma' op inferred type(s) '!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>' are incompatible with return type(s) of operation '!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(7,7,1):(7,1,0)>>'}}
  %0 = fly.make_tiled_mma(%arg0, %arg1) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(7,7,1):(7,1,0)>>
  func.return
}

func.func @wrong_a_copy_of_what_a_is(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) {
  // expected-error @+1 {{'fly.make_tiled_copy_A' op inferred type(s) '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>' are incompatible with return type(s) of operation '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>'}}
  %0 = fly.make_tiled_copy_A(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>
  func.return
}

func.func @wrong_a_copy_of_what_b_is(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) {
  // expected-error @+1 {{'fly.make_tiled_copy_B' op inferred type(s) '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((16,4,2,2),(4,(1,1))):((1,128,0,16),(32,(0,0)))>, !fly.tile<[32:1|16:1]>>' are incompatible with return type(s) of operation '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>'}}
  %0 = fly.make_tiled_copy_B(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>
  func.return
}

func.func @wrong_a_copy_of_the_sums(%arg0: !fly.copy_atom<!fly.universal_copy<32>, 32>, %arg1: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) {
  // expected-error @+1 {{'fly.make_tiled_copy_C' op inferred type(s) '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<((16,8,2),((4,1),(1,1))):((32,4,512),((1,0),(0,0)))>, !fly.tile<[32:1|32:1]>>' are incompatible with return type(s) of operation '!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>'}}
  %0 = fly.make_tiled_copy_C(%arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<8>, 8>, !fly.layout<(7,7):(7,1)>, !fly.tile<[7|7]>>
  func.return
}

func.func @wrong_the_descriptor_of_a_buffer(%arg0: !fly.ptr<f32, #fly_rocdl.buffer_desc>) {
  // expected-error @+1 {{'fly_rocdl.get_buffer_rsrc' op inferred type(s) '!llvm.ptr<8>' are incompatible with return type(s) of operation 'i1'}}
  %0 = fly_rocdl.get_buffer_rsrc(%arg0) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> i1
  func.return
}

func.func @wrong_the_atom_of_a_copy(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>) {
  // expected-error @+1 {{'fly.get_copy_atom' op inferred type(s) '!fly.copy_atom<!fly.universal_copy<64>, 32>' are incompatible with return type(s) of operation '!fly.copy_atom<!fly.universal_copy<8>, 8>'}}
  %0 = fly.get_copy_atom(%arg0) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>) -> !fly.copy_atom<!fly.universal_copy<8>, 8>
  func.return
}

func.func @wrong_the_atom_of_products(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) {
  // expected-error @+1 {{'fly.get_mma_atom' op inferred type(s) '!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>' are incompatible with return type(s) of operation '!fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>'}}
  %0 = fly.get_mma_atom(%arg0) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>) -> !fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>
  func.return
}

func.func @wrong_what_a_thread_reads(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, global, (16,24):(24,1)>, %arg2: !fly.int_tuple<?>) {
  // expected-error @+1 {{'fly.tiled_copy.partition_src' op inferred type(s) '!fly.memref<f32, global, ((2,1),2,3):((24,0),192,8)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.tiled_copy.partition_src(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, global, (16,24):(24,1)>, !fly.int_tuple<?>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_what_a_thread_writes(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, shared, (16,24):(1,16)>, %arg2: !fly.int_tuple<?>) {
  // expected-error @+1 {{'fly.tiled_copy.partition_dst' op inferred type(s) '!fly.memref<f32, shared, ((2,1),2,3):((1,0),8,128)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.tiled_copy.partition_dst(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, shared, (16,24):(1,16)>, !fly.int_tuple<?>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_registers_as_a_copy_has_them(%arg0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, %arg1: !fly.memref<f32, register, (2,2,3):(1,2,4)>) {
  // expected-error @+1 {{'fly.tiled_copy.retile' op inferred type(s) '!fly.memref<f32, register, ((2,1),2,3):((1,0),2,4)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.tiled_copy.retile(%arg0, %arg1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.layout<(32,2):(2,1)>, !fly.tile<[8|8]>>, !fly.memref<f32, register, (2,2,3):(1,2,4)>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_what_a_thread_multiplies(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, %arg1: !fly.memref<f16, shared, (64,32):(32,1)>, %arg2: !fly.int_tuple<?>) {
  // expected-error @+1 {{'fly.tiled_mma.partition' op inferred type(s) '!fly.memref<f16, shared, (4,2,2):(1,1024,16)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.tiled_mma.partition(a, %arg0, %arg1, %arg2) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.memref<f16, shared, (64,32):(32,1)>, !fly.int_tuple<?>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_shapes_of_what_a_thread_multiplies(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, %arg1: !fly.int_tuple<(64,32)>) {
  // expected-error @+1 {{'fly.tiled_mma.partition_shape' op inferred type(s) '!fly.int_tuple<(4,2,2)>' are incompatible with return type(s) of operation '!fly.int_tuple<(7,7,7,7,7)>'}}
  %0 = fly.tiled_mma.partition_shape(%arg0, %arg1) {operand_id = #fly<mma_operand b>} : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.int_tuple<(64,32)>) -> !fly.int_tuple<(7,7,7,7,7)>
  func.return
}

func.func @wrong_registers_of_products(%arg0: !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, %arg1: !fly.memref<f32, global, (64,64):(64,1)>) {
  // expected-error @+1 {{'fly.mma.make_fragment' op inferred type(s) '!fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>' are incompatible with return type(s) of operation '!fly.memref<f64, generic, 77:7>'}}
  %0 = fly.mma.make_fragment(c, %arg0, %arg1) : (!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>, !fly.memref<f32, global, (64,64):(64,1)>) -> !fly.memref<f64, generic, 77:7>
  func.return
}

func.func @wrong_a_copy(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, (2,3):(1,24)>, %arg2: !fly.memref<f32, register, (2,3):(1,2)>) {
  // expected-error @+1 {{'fly.copy' op requires zero results, but has 1}}
  %0 = fly.copy(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,3):(1,24)>, !fly.memref<f32, register, (2,3):(1,2)>) -> i32
  func.return
}

func.func @wrong_a_copy_of_one_thread(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, 2:1>, %arg2: !fly.memref<f32, register, 2:1>) {
  // expected-error @+1 {{'fly.copy_atom_call' op requires zero results, but has 1}}
  %0 = fly.copy_atom_call(%arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> i32
  func.return
}

func.func @wrong_a_copy_to_a_value(%arg0: !fly.copy_atom<!fly.universal_copy<64>, 32>, %arg1: !fly.memref<f32, global, 2:1>) {
  // expected-error @+2 {{'fly.copy_atom_call_ssa' op failed to infer returned types}}
  // expected-note @+1 {{UniversalCopy64b moves 2 values of 32 bits, the result vector<1xf32> has 1}}
  %0 = fly.copy_atom_call_ssa(%arg0, %arg1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>) -> vector<1xf32>
  func.return
}

func.func @wrong_products(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, (4,2,2):(1,4,8)>, %arg2: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg3: !fly.memref<f16, register, (4,2,3):(1,4,8)>, %arg4: !fly.memref<f32, register, (4,2,2):(1,4,8)>) {
  // expected-error @+1 {{'fly.gemm' op requires zero results, but has 1}}
  %0 = fly.gemm(%arg0, %arg1, %arg2, %arg3, %arg4) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, (4,2,2):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f16, register, (4,2,3):(1,4,8)>, !fly.memref<f32, register, (4,2,2):(1,4,8)>) -> i32
  func.return
}

func.func @wrong_a_product_of_atoms(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: !fly.memref<f32, register, 4:1>, %arg2: !fly.memref<f16, register, 4:1>, %arg3: !fly.memref<f16, register, 4:1>, %arg4: !fly.memref<f32, register, 4:1>) {
  // expected-error @+1 {{'fly.mma_atom_call' op requires zero results, but has 1}}
  %0 = fly.mma_atom_call(%arg0, %arg1, %arg2, %arg3, %arg4) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f32, register, 4:1>) -> i32
  func.return
}

func.func @wrong_a_product_as_a_value(%arg0: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, %arg1: vector<4xf16>, %arg2: vector<4xf16>, %arg3: vector<4xf32>) {
  // expected-error @+2 {{'fly.mma_atom_call_ssa' op failed to infer returned types}}
  // expected-note @+1 {{mma_atom_call_ssa has one result or d in memory, got 2 results}}
  %0:2 = fly.mma_atom_call_ssa(%arg0, %arg1, %arg2, %arg3) : (!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
  func.return
}

func.func @wrong_registers_below_the_first(%p: !fly.ptr<f32, register>) {
  // expected-error @+1 {{SetRegisterOp: start must be a nonnegative register class index}}
  fly.set_register %p {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = -1 : i64} : !fly.ptr<f32, register>
  func.return
}

func.func @wrong_an_alignment_of_registers(%p: !fly.ptr<f32, register>) {
  // expected-error @+1 {{SetRegisterOp: registerAlignment must be a positive power of two}}
  fly.set_register %p {regClass = #fly.register_class<"amdgcn", "VGPR_32">, registerAlignment = 6 : i64} : !fly.ptr<f32, register>
  func.return
}

func.func @wrong_registers_that_are_none(%p: !fly.memref<f32, shared, 4:1>) {
  // expected-error @+1 {{SetRegisterOp: requires a register-memory pointer or tensor}}
  fly.set_register %p {regClass = #fly.register_class<"amdgcn", "VGPR_32">} : !fly.memref<f32, shared, 4:1>
  func.return
}

func.func @wrong_a_class_that_is_none(%p: !fly.ptr<f32, register>) {
  // expected-error @+1 {{'fly.set_register' op attribute 'regClass' failed to satisfy constraint: a class of registers}}
  fly.set_register %p {regClass = 4 : i64} : !fly.ptr<f32, register>
  func.return
}

func.func @wrong_a_narrow_offset(%v: vector<2xf32>) {
  // expected-error @+1 {{'fly.register_value' op attribute 'bitOffset' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = fly.register_value %v {bitOffset = 0 : i32, regClass = #fly.register_class<"amdgcn", "VGPR_32">, storageBits = 96 : i64} : vector<2xf32>
  func.return
}

func.func @wrong_a_value_beyond_its_registers(%v: vector<2xf32>) {
  // expected-error @+1 {{RegisterValueOp: slice exceeds register storage size}}
  %0 = fly.register_value %v {bitOffset = 64 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">, storageBits = 96 : i64} : vector<2xf32>
  func.return
}
