// RUN: tilewright opt %s --fly-promote-regmem-to-vectorssa --split-input-file --verify-diagnostics

func.func @beyond() -> vector<4xf32> {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
  // expected-error @+1 {{register access must be in bounds, and use whole storage elements}}
  %x = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> vector<4xf32>
  func.return %x : vector<4xf32>
}

// -----

func.func @half_an_element(%x: i8) {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
  // expected-error @+1 {{register access must be in bounds, and use whole storage elements}}
  fly.ptr.store(%x, %r) : (i8, !fly.ptr<f32, register>) -> ()
  func.return
}

// -----

func.func @view_in_use(%g: !fly.memref<f32, global, 4:1>) {
  %l = fly.static : !fly.layout<4:2>
  // expected-error @+1 {{'fly.make_ptr' op register operand/result remain after rmem SSA promotion}}
  %r = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %v = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<4:2>) -> !fly.memref<f32, register, 4:2>
  %atom = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 32>
  fly.copy_atom_call(%atom, %g, %v) : (!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.memref<f32, global, 4:1>, !fly.memref<f32, register, 4:2>) -> ()
  func.return
}

// -----

func.func @carried_pointer(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'fly.make_ptr' op register operand/result remain after rmem SSA promotion}}
  %r = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %r) -> (!fly.ptr<f32, register>) {
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
    scf.yield %p : !fly.ptr<f32, register>
  }
  func.return
}

// -----

// An op with regions of its own carries no vectors: what it reads would be memory that nobody writes any more.
func.func @read_in_a_region(%p: index, %x: f32) -> f32 {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  // expected-error @+1 {{'scf.index_switch' op unsupported region op with register values during rmem SSA}}
  %y = scf.index_switch %p -> f32
  case 2 {
    scf.yield %x : f32
  }
  default {
    %z = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
    scf.yield %z : f32
  }
  func.return %y : f32
}

// -----

// So it is beside an allocation that stays memory.
func.func @written_in_a_region(%p: index, %x: f32, %i: !fly.int_tuple<?>) -> f32 {
  %m = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %at = fly.add_offset(%m, %i) : (!fly.ptr<f32, register>, !fly.int_tuple<?>) -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %at) : (f32, !fly.ptr<f32, register>) -> ()
  %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  // expected-error @+1 {{'scf.index_switch' op unsupported region op with register values during rmem SSA}}
  scf.index_switch %p
  default {
    fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
    scf.yield
  }
  %y = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
  func.return %y : f32
}

// -----

func.func @named_twice(%x: f32) {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
  // expected-error @+1 {{'fly.set_register' op names registers of an allocation that another op names too}}
  fly.set_register %r {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = 0 : i64} : !fly.ptr<f32, register>
  fly.set_register %r {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = 4 : i64} : !fly.ptr<f32, register>
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  func.return
}

// -----

func.func @named_in_part(%x: f32) {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %q = fly.add_offset(%r, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  // expected-error @+1 {{'fly.set_register' op names registers of a part of an allocation; name those of all of it}}
  fly.set_register %q {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = 0 : i64} : !fly.ptr<f32, register>
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  func.return
}
