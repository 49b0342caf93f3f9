// RUN: tilewright opt %s --split-input-file --verify-diagnostics

func.func @beyond(%v: vector<4xf32>) {
  // expected-error @+1 {{4 elements from offset 2 on by 1 do not lie within 4}}
  %x = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : vector<4xf32> to vector<4xf32>
  func.return
}

// -----

func.func @other_element(%v: vector<4xf32>, %w: vector<2xf16>) {
  // expected-error @+1 {{expected a slice of vector<4xf32> with one offset and stride per dimension}}
  %x = vector.insert_strided_slice %w, %v {offsets = [0], strides = [1]} : vector<2xf16> into vector<4xf32>
  func.return
}

// -----

func.func @too_few(%x: f32) {
  // expected-error @+1 {{expected the 3 elements of vector<3xf32>, got 1}}
  %v = vector.from_elements %x : vector<3xf32>
  func.return
}

// -----

func.func @no_axis() {
  // expected-error @+1 {{expected x, y or z}}
  %t = gpu.thread_id w
  func.return
}

// -----

func.func @no_blocks(%n: index) {
  // expected-error @+1 {{expected 'blocks in (%x, %y, %z) threads in (%x, %y, %z)'}}
  gpu.launch_func @m::@k threads in (%n, %n, %n)
  func.return
}

// -----

func.func @neither_is_an_index(%n: i64) {
  // expected-error @+1 {{'arith.index_castui' op operand type 'i64' and result type 'i32' are cast incompatible}}
  %m = arith.index_castui %n : i64 to i32
  func.return
}

// -----

func.func @vectors_of_two_shapes(%v: vector<4xindex>) {
  // expected-error @+1 {{are cast incompatible}}
  %w = arith.index_cast %v : vector<4xindex> to vector<2xi32>
  func.return
}
