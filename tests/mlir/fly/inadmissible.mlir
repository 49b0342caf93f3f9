// RUN: tilewright opt %s --split-input-file --verify-diagnostics
// What has no result, or no meaning, is told at its place; FlyDSL ends its process at some of these.

func.func @strides_that_no_composition_has(%a: !fly.layout<(4,3):(3,1)>, %b: !fly.layout<4:3>) {
  // expected-error @+1 {{'fly.composition' op failed to infer returned types}}
  %r = fly.composition(%a, %b) : (!fly.layout<(4,3):(3,1)>, !fly.layout<4:3>) -> !fly.layout<4:3>
  func.return
}

func.func @nothing_left(%a: !fly.int_tuple<(4,3)>, %b: !fly.int_tuple<(0,0)>) {
  // expected-error @+1 {{'fly.slice' op failed to infer returned types}}
  %r = fly.slice(%a, %b) : (!fly.int_tuple<(4,3)>, !fly.int_tuple<(0,0)>) -> !fly.int_tuple<4>
  func.return
}

func.func @a_division_by_zero(%a: !fly.int_tuple<4>, %b: !fly.int_tuple<0>) {
  // expected-error @+1 {{'fly.int_tuple_div' op failed to infer returned types}}
  %r = fly.int_tuple_div(%a, %b) : (!fly.int_tuple<4>, !fly.int_tuple<0>) -> !fly.int_tuple<0>
  func.return
}

func.func @profiles_that_differ(%a: !fly.int_tuple<(4,8)>, %b: !fly.int_tuple<1>) {
  // expected-error @+1 {{MakeLayoutOp: expected shape/stride profiles to match for result layout}}
  %r = fly.make_layout(%a, %b) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<1>) -> !fly.layout<4:1>
  func.return
}

func.func @a_mode_too_deep(%a: !fly.int_tuple<(4,8)>) {
  // expected-error @+1 {{GetOp: mode length 2 exceeds input depth 1}}
  %r = fly.get(%a) {mode = array<i32: 0, 1>} : (!fly.int_tuple<(4,8)>) -> !fly.int_tuple<4>
  func.return
}

func.func @the_strides_of_a_swizzle(%a: !fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) {
  // expected-error @+1 {{GetStrideOp: unsupported ComposedLayoutType}}
  %r = fly.get_stride(%a) : (!fly.composed_layout<S<2,3,3> o 0 o (8,32):(32,1)>) -> !fly.int_tuple<(32,1)>
  func.return
}

func.func @too_few_operands(%a: !fly.layout<4:1>) {
  // expected-error @+1 {{'fly.composition' op expected 2 operands, but found 1}}
  %r = "fly.composition"(%a) : (!fly.layout<4:1>) -> !fly.layout<4:1>
  func.return
}

func.func @no_result(%a: !fly.layout<4:1>) {
  // expected-error @+1 {{'fly.size' op requires one result, but has 0}}
  "fly.size"(%a) : (!fly.layout<4:1>) -> ()
  func.return
}

func.func @a_missing_attribute(%a: !fly.int_tuple<(4,8)>) {
  // expected-error @+1 {{'fly.get' op requires attribute 'mode'}}
  %r = fly.get(%a) : (!fly.int_tuple<(4,8)>) -> !fly.int_tuple<4>
  func.return
}

func.func @an_attribute_of_another_width(%a: !fly.int_tuple<(4,8)>) {
  // expected-error @+1 {{'fly.group' op attribute 'begin' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = fly.group(%a) {begin = 0 : i64, end = 1 : i32} : (!fly.int_tuple<(4,8)>) -> !fly.int_tuple<((4),8)>
  func.return
}

func.func @an_attribute_of_another_kind(%a: !fly.int_tuple<(4,8)>) {
  // expected-error @+1 {{'fly.select' op attribute 'indices' failed to satisfy constraint: i32 dense array attribute}}
  %r = fly.select(%a) {indices = "all"} : (!fly.int_tuple<(4,8)>) -> !fly.int_tuple<(4,8)>
  func.return
}

func.func @groups_that_are_not_there(%m: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %r: !fly.memref<f32, register, 1:0>) {
  // expected-error @+1 {{operand count (5) does not match with the total size (6) specified in attribute 'operandSegmentSizes'}}
  "fly.mma_atom_call"(%m, %r, %r, %r, %r) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  func.return
}

func.func @threads_that_nobody_has_counted(%a: !fly.copy_atom<!fly.universal_copy<32>, 32>, %l: !fly.layout<(?,2):(2,1)>, %t: !fly.tile<[4|2]>) {
  // expected-error @+1 {{MakeTiledCopyOp: LayoutType is not static, got '!fly.layout<(?,2):(2,1)>'}}
  %r = fly.make_tiled_copy(%a, %l, %t) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(?,2):(2,1)>, !fly.tile<[4|2]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.layout<(4,2):(2,1)>, !fly.tile<[4|2]>>
  func.return
}

func.func @a_pointer_better_aligned_than_it_was(%p: !fly.ptr<f32, shared, align<16>>) {
  // expected-error @+2 {{'fly.recast_iter' op failed to infer returned types}}
  // expected-note @+1 {{result pointer alignment must divide source alignment}}
  %r = fly.recast_iter(%p) : (!fly.ptr<f32, shared, align<16>>) -> !fly.ptr<i8, shared, align<32>>
  func.return
}

func.func @a_pointer_that_loses_its_swizzle(%p: !fly.ptr<f32, shared, S<2,3,3>>) {
  // expected-error @+2 {{'fly.recast_iter' op failed to infer returned types}}
  // expected-note @+1 {{result pointer swizzle must match source}}
  %r = fly.recast_iter(%p) : (!fly.ptr<f32, shared, S<2,3,3>>) -> !fly.ptr<i32, shared>
  func.return
}

func.func @a_number_in_place_of_a_pointer(%p: !fly.ptr<f32, global>) {
  // expected-error @+1 {{must be LLVM pointer type, but got 'i32'}}
  %r = fly.to_llvm_ptr(%p) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> i32
  func.return
}

func.func @a_swizzle_in_place_of_a_layout(%s: !fly.swizzle<S<2,3,3>>) {
  // expected-error @+1 {{'fly.size' op failed to infer returned types}}
  %r = fly.size(%s) : (!fly.swizzle<S<2,3,3>>) -> !fly.int_tuple<4>
  func.return
}

func.func @an_integer_in_place_of_a_layout(%i: i32) {
  // expected-error @+1 {{'fly.cosize' op failed to infer returned types}}
  %r = fly.cosize(%i) : (i32) -> !fly.int_tuple<4>
  func.return
}

// -----

// expected-error @+1 {{expected a layout}}
func.func @a_tuple_named_a_layout(%l: !fly.layout<(4,8)>) { func.return }

// -----

// expected-error @+1 {{different profiles}}
func.func @a_layout_of_two_profiles(%l: !fly.layout<(4,8):1>) { func.return }

// -----

// expected-error @+1 {{expected an int tuple}}
func.func @a_layout_named_a_tuple(%l: !fly.int_tuple<4:1>) { func.return }

// -----

// expected-error @+1 {{three fields}}
func.func @a_swizzle_of_two_fields(%s: !fly.swizzle<S<2,3>>) { func.return }

// -----

// expected-error @+1 {{unknown address space}}
func.func @a_space_that_is_not_there(%p: !fly.ptr<f32, attic>) { func.return }

// -----

// expected-error @+1 {{is no multiple of the 4 bytes of an element}}
func.func @an_alignment_below_an_element(%p: !fly.ptr<f32, shared, align<2>>) { func.return }

// -----

// expected-error @+1 {{unknown type `lay_out` in dialect `fly`}}
func.func @a_type_that_is_not_there(%p: !fly.lay_out<4:1>) { func.return }

// -----

func.func @an_op_that_is_not_there(%a: !fly.layout<4:1>) {
  // expected-error @+1 {{custom op 'fly.measure' is unknown}}
  %r = fly.measure(%a) : (!fly.layout<4:1>) -> !fly.int_tuple<4>
  func.return
}

// -----

func.func @an_operand_of_another_type(%a: !fly.layout<4:1>) {
  // expected-error @+1 {{use of value '%a' expects different type than prior uses}}
  %r = fly.size(%a) : (!fly.layout<5:1>) -> !fly.int_tuple<5>
  func.return
}

// -----

// expected-error @+1 {{Unbalanced}}
func.func @brackets_that_do_not_match(%a: !fly.layout<(4:1>) { func.return }

// -----

// expected-error @+1 {{there is no 7x7x3 MFMA}}
func.func @an_mfma_that_does_not_exist(%a: !fly.mma_atom<!fly_rocdl.cdna3.mfma<7x7x3, (f32, f32) -> f32>>) { func.return }

// -----

// FlyDSL says why, and then that nothing is inferred, as two errors.
func.func @both_errors_are_met(%a: !fly.int_tuple<(4,8)>, %l: !fly.layout<4:1>) {
  // expected-error @+2 {{GetOp: mode length 2 exceeds input depth 1}}
  // expected-error @+1 {{'fly.get' op failed to infer returned types}}
  %r = fly.get(%a) {mode = array<i32: 0, 1>} : (!fly.int_tuple<(4,8)>) -> !fly.int_tuple<4>
  func.return
}

func.func @a_tile_of_more_modes_than_the_layout_has(%l: !fly.layout<64:1>) {
  %t = fly.static : !fly.tile<[32|4]>
  // expected-error @+2 {{ZippedDivideOp: divisor tile rank exceeds layout rank}}
  // expected-error @+1 {{'fly.zipped_divide' op failed to infer returned types}}
  %r = fly.zipped_divide(%l, %t) : (!fly.layout<64:1>, !fly.tile<[32|4]>) -> !fly.layout<((32,4),(2)):((1,0),(32))>
  func.return
}

func.func @both_errors_of_a_wrong_type_are_met(%l: !fly.layout<4:1>) {
  // expected-error @+2 {{inferred type(s) '!fly.int_tuple<4>' are incompatible}}
  // expected-error @+1 {{'fly.size' op failed to infer returned types}}
  %r = fly.size(%l) : (!fly.layout<4:1>) -> !fly.int_tuple<5>
  func.return
}

// -----

func.func @a_divisor_beyond_its_width(%t: !fly.int_tuple<(?{div=65536},?{div=65536})>) {
  // expected-error @+1 {{'fly.size' op no multiple of 4294967296 lies in [1, 2147483647]}}
  %r = fly.size(%t) : (!fly.int_tuple<(?{div=65536},?{div=65536})>) -> !fly.int_tuple<?{div=65536}>
  func.return
}

// -----

func.func @a_pointer_moves_by_an_integer(%p: !fly.ptr<f32, global>, %o: !fly.int_tuple<(1)>) {
  // expected-error @+1 {{AddOffsetOp: offset must be a scalar (leaf int) IntTuple, got '!fly.int_tuple<(1)>'}}
  %r = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<(1)>) -> !fly.ptr<f32, global>
  func.return
}
