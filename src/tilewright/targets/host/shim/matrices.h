// What the lanes of a warp or a warpgroup do together: products of matrices that they hold, or that descriptors find in
// shared memory, and matrices on their way to registers and back. Tables say which lane holds what.

namespace tw {

static inline Meeting& meeting(unsigned threads) {
  Block& block = *current->block;
  return threads == warp ? block.warps[current->thread / warp] : block.warpgroups[current->thread / warpgroup];
}
static inline const Fiber& member(unsigned threads, unsigned lane) {
  return current->block->fibers[current->thread / threads * threads + lane];
}

// The registers of an operand, by their addresses.
struct List {
  void* const* at = nullptr;
  List() = default;
  template <std::size_t count> List(const std::array<void*, count>& of) : at(of.data()) {}
};
template <class... T> static std::array<void*, sizeof...(T)> list(T&... registers) { return {{&registers...}}; }

// ---- products

// A matrix (rows, columns) of elements, or several, one group of lanes each. `places` says for each element, of one
// group after the other, column by column, which lane holds it: lane * values + value.
struct Matrix {
  unsigned rows, columns, values;
  const unsigned short* places;
  Type type;
};
enum Rule { plain, limited, bits_of_both, bits_of_one };
// Which elements of A are stored: chunks of so many, of which `stored` are, their places by 4 bits of metadata; for
// each chunk, row by row, which lane has these bits: lane * 8 + number.
struct Sparse {
  unsigned parts, stored, chunks;
  const unsigned short *places, *lanes;
};
struct Product {
  Matrix a, b, d, c;
  unsigned groups, depth;
  Rule rule;
  const Sparse* sparse;
};

// What a lane gives: registers, descriptors, metadata; does it give C? What it does not give is empty.
struct Given {
  List d, a, b, c;
  std::uint64_t matrix_a, matrix_b;
  std::uint32_t metadata;
  bool adds;
};
struct Numbers {
  std::vector<double> reals;
  std::vector<std::int64_t> wholes;
  void put(const Type& type, std::size_t at, std::uint64_t bits, bool negated = false) {
    if (type.is_integer()) wholes[at] = whole(type, bits);
    else reals[at] = negated ? -real(type, bits) : real(type, bits);
  }
  explicit Numbers(std::size_t count) : reals(count), wholes(count) {}
};

// The elements, row by row, of a group's matrix that lanes hold.
static inline Numbers held(const Matrix& of, unsigned threads, unsigned group, List Given::*registers, bool negated) {
  Numbers found(of.rows * of.columns);
  for (unsigned i = 0; i < of.rows * of.columns; ++i) {
    const unsigned at = of.places[group * of.rows * of.columns + i];
    const auto* given = static_cast<const Given*>(member(threads, at / of.values).given);
    const std::uint64_t bits = bits_at((given->*registers).at, of.type, at % of.values);
    found.put(of.type, i % of.rows * of.columns + i / of.rows, bits, negated);
  }
  return found;
}

static inline std::uint64_t element(const Product& how, const Numbers& a, const Numbers& b, unsigned m, unsigned n,
                                   std::uint64_t added) {
  const std::size_t k = how.depth, row = m * k, column = n * k;
  if (!how.d.type.is_integer()) {
    const double c = real(how.c.type, added);
    return rounded(how.d.type, summed(c, &a.reals[row], &b.reals[column], k, how.a.type.bits == 64));
  }
  std::int64_t total = whole(how.c.type, added);
  for (std::size_t i = 0; i < k; ++i) {
    const std::int64_t x = a.wholes[row + i], y = b.wholes[column + i];
    total += how.rule == bits_of_one ? x ^ y : x * y;
  }
  if (how.rule == limited) total = total < INT32_MIN ? INT32_MIN : total > INT32_MAX ? INT32_MAX : total;
  return static_cast<std::uint32_t>(total);
}

// D of a group: each of its elements to the lane that holds it.
static inline void put_product(const Product& how, unsigned threads, unsigned group, const Numbers& a, const Numbers& b) {
  const Matrix& d = how.d;
  for (unsigned i = 0; i < d.rows * d.columns; ++i) {
    const unsigned at = d.places[group * d.rows * d.columns + i];
    const auto* given = static_cast<const Given*>(member(threads, at / d.values).given);
    const std::uint64_t added = given->adds ? bits_at(given->c.at, how.c.type, at % d.values) : 0;
    put_bits(given->d.at, d.type, at % d.values, element(how, a, b, i % d.rows, i / d.rows, added));
  }
}

// A with all its elements, of those that are stored.
static inline Numbers spread(const Product& how, unsigned threads, const Numbers& of) {
  if (!how.sparse) return of;
  const Sparse& chosen = *how.sparse;
  const unsigned chunks = how.d.rows * chosen.chunks;
  Numbers found(chunks * chosen.parts);
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    const unsigned at = chosen.lanes[chunk];
    const auto* given = static_cast<const Given*>(member(threads, at / 8).given);
    const unsigned bits = given->metadata >> at % 8 * 4 & 15;
    for (unsigned i = 0; i < chosen.stored; ++i) {
      const unsigned from = chunk * chosen.stored + i;
      const unsigned to = chunk * chosen.parts + chosen.places[bits * chosen.stored + i];
      found.reals[to] = of.reals[from], found.wholes[to] = of.wholes[from];
    }
  }
  return found;
}

static inline void warp_product(const Product& how, List d, List a, List b, List c, std::uint32_t metadata = 0) {
  const Given mine = {d, a, b, c, 0, 0, metadata, true};
  together(meeting(warp), warp, &mine, [&] {
    for (unsigned group = 0; group < how.groups; ++group) {
      const Numbers left = held(how.a, warp, group, &Given::a, false), right = held(how.b, warp, group, &Given::b, false);
      put_product(how, warp, group, spread(how, warp, left), right);
    }
  });
}

// A scale factor: a power of two where all bits are the exponent, else a number without a sign.
static inline double factor(const Type& type, unsigned code) {
  if (type.exponent == 8) return code == 255 ? __builtin_nan("") : __builtin_ldexp(1, static_cast<int>(code) - 127);
  return real(type, code & 0x7f);
}

// How many factors a row has, of which type; for rows of A and columns of B the lane, and the first byte of its word.
struct Scaling {
  unsigned count;
  Type type;
  const unsigned short *left, *right;
  unsigned first_left, first_right;
};

static inline void scaled(const Scaling& by, Numbers& of, unsigned depth, const unsigned short* lanes, unsigned first,
                          std::uint64_t Given::*word) {
  for (std::size_t i = 0; i < of.reals.size(); ++i) {
    const auto* given = static_cast<const Given*>(member(warp, lanes[i / depth]).given);
    const unsigned byte = first + static_cast<unsigned>(i % depth) / (depth / by.count);
    of.reals[i] *= factor(by.type, static_cast<unsigned>(given->*word >> 8 * byte & 0xff));
  }
}

static inline void scaled_product(const Product& how, const Scaling& by, List d, List a, List b, List c,
                                  std::uint32_t scale_a, std::uint32_t scale_b) {
  const Given mine = {d, a, b, c, scale_a, scale_b, 0, true};
  together(meeting(warp), warp, &mine, [&] {
    Numbers left = held(how.a, warp, 0, &Given::a, false), right = held(how.b, warp, 0, &Given::b, false);
    scaled(by, left, how.depth, by.left, by.first_left, &Given::matrix_a);
    scaled(by, right, how.depth, by.right, by.first_right, &Given::matrix_b);
    put_product(how, warp, 0, left, right);
  });
}

// ---- operands in shared memory

// Rows and columns, of which the elements of 16 bytes follow each other along K, or along the other way; there are 16
// where each has room for a byte, of which they begin with the bits.
struct Described {
  unsigned rows, columns;
  Type type;
  bool other_way, negated, sixteen = false;
};

// A swizzle of matrix descriptors: chunks of so many bytes trade places within a span.
struct Swizzled {
  unsigned span, chunk = 16;
};

// An operand by the fields that descriptors of wgmma and tcgen05 share.
//
// Source: PTX ISA, "Matrix descriptor" of wgmma, "Shared memory descriptor" of tcgen05.
static inline Numbers described(const Described& of, std::uint64_t descriptor, Swizzled mode, Block& block) {
  constexpr unsigned grain = 16, line_of_memory = 128;
  const unsigned span = mode.span, lines_of_atom = line_of_memory / mode.chunk;
  const auto field = [&](unsigned first) { return static_cast<std::size_t>(descriptor >> first & 0x3fff) * grain; };
  const std::size_t start = field(0), leading = field(16), stride = field(32);
  const unsigned row = span / grain, count = of.sixteen ? grain : 8 * grain / of.type.bits;
  const bool moves = span > grain;
  const unsigned lines = of.other_way ? of.columns : of.rows, along = (of.other_way ? of.rows : of.columns) / count;
  std::size_t steps[] = {stride, leading};
  if (!of.other_way && moves) steps[1] = 0;
  if (of.other_way && !moves) std::swap(steps[0], steps[1]);
  Numbers found(of.rows * of.columns);
  for (unsigned line = 0; line < lines; ++line)
    for (unsigned chunk = 0; chunk < along; ++chunk) {
      std::size_t at = start + line % lines_of_atom * span + line / lines_of_atom * steps[0] + chunk % row * grain +
                       chunk / row * steps[1];
      at ^= at / lines_of_atom & (span - std::min(span, mode.chunk));
      if (at + grain > window()) std::_Exit(crashed);
      const char* bytes = place(block, at);
      const void* const words[] = {bytes, bytes + 4, bytes + 8, bytes + 12};
      for (unsigned i = 0; i < count; ++i) {
        const unsigned other = chunk * count + i, to = of.other_way ? other * of.columns + line : line * of.columns + other;
        found.put(of.type, to, bits_at(words, of.type, i), of.negated);
      }
    }
  return found;
}

static inline Numbers described(const Described& of, std::uint64_t descriptor) {
  constexpr unsigned spans[] = {16, 128, 64, 32};
  return described(of, descriptor, {spans[descriptor >> 62]}, *current->block);
}

// A product of a warpgroup: A from registers or by its descriptor, B by its own.
struct GroupProduct {
  Product product;
  bool in_registers, negated;
  Described a, b;
};

static inline void group_product(const GroupProduct& how, List d, List a, std::uint64_t matrix_a, std::uint64_t matrix_b,
                                 std::uint32_t metadata, bool adds) {
  const Given mine = {d, a, {}, d, matrix_a, matrix_b, metadata, adds};
  together(meeting(warpgroup), warpgroup, &mine, [&] {
    const Product& product = how.product;
    const Numbers left =
        how.in_registers ? held(product.a, warpgroup, 0, &Given::a, how.negated) : described(how.a, matrix_a);
    put_product(product, warpgroup, 0, spread(product, warpgroup, left), described(how.b, matrix_b));
  });
}

// ---- matrices to registers and back

// Pieces of so many bits change lanes: for each that a lane gets, lane * pieces + piece of where it comes from. Rows may
// begin with elements of fewer bits, 16 of which become a byte each; 0: they do not.
struct Moves {
  unsigned piece, pieces, wanted;
  const unsigned short* taken;
  unsigned widened;
};

static inline void move_piece(unsigned bits, char* into, unsigned to, const char* from, unsigned at) {
  for (unsigned bit = 0; bit < bits; ++bit) {
    const unsigned target = to * bits + bit, source = at * bits + bit, one = from[source / 8] >> source % 8 & 1;
    into[target / 8] = static_cast<char>((into[target / 8] & ~(1 << target % 8)) | static_cast<int>(one << target % 8));
  }
}

struct Rows {
  char* row;              // in shared memory
  List registers;  // words of 32 bits
};

static inline std::array<char, 16> widened(const char* row, unsigned bits) {
  std::array<char, 16> all = {};
  for (unsigned bit = 0; bit < 16 * bits; ++bit)
    all[bit / bits] = static_cast<char>(all[bit / bits] | (row[bit / 8] >> bit % 8 & 1) << bit % bits);
  return all;
}

static inline std::vector<char> words(const Rows& lane, unsigned bits) {
  std::vector<char> all(bits / 8);
  for (unsigned i = 0; i < bits / 32; ++i) std::memcpy(&all[4 * i], lane.registers.at[i], 4);
  return all;
}

static inline void load_rows(const Moves& how, unsigned address, List registers) {
  const Rows mine = {spot(address).here(), registers};
  together(meeting(warp), warp, &mine, [&] {
    for (unsigned lane = 0; lane < warp; ++lane) {
      std::vector<char> made(how.wanted * how.piece / 8);
      for (unsigned i = 0; i < how.wanted; ++i) {
        const unsigned at = how.taken[lane * how.wanted + i];
        const auto* from = static_cast<const Rows*>(member(warp, at / how.pieces).given);
        const auto wide = how.widened ? widened(from->row, how.widened) : std::array<char, 16>();
        move_piece(how.piece, made.data(), i, how.widened ? wide.data() : from->row, at % how.pieces);
      }
      const auto* to = static_cast<const Rows*>(member(warp, lane).given);
      for (unsigned i = 0; i < made.size() / 4; ++i) std::memcpy(to->registers.at[i], &made[4 * i], 4);
    }
  });
}

static inline void store_rows(const Moves& how, unsigned writes, unsigned address, List registers) {
  const Rows mine = {spot(address).here(), registers};
  together(meeting(warp), warp, &mine, [&] {
    for (unsigned lane = 0; lane < warp; ++lane)
      for (unsigned i = 0; i < how.wanted && (writes >> lane & 1); ++i) {
        const unsigned at = how.taken[lane * how.wanted + i];
        const auto* from = static_cast<const Rows*>(member(warp, at / how.pieces).given);
        const auto* to = static_cast<const Rows*>(member(warp, lane).given);
        move_piece(how.piece, to->row, i, words(*from, how.pieces * how.piece).data(), at % how.pieces);
      }
  });
}

// ---- dot products of a lane

// Parts of words: so many of a and b, as signed numbers or not, from part `first` of b on.
static inline int dot(unsigned a, unsigned b, int c, Type left, Type right, unsigned count, unsigned first) {
  const void* const words_a[] = {&a};
  const void* const words_b[] = {&b};
  std::int64_t total = c;
  for (unsigned i = 0; i < count; ++i)
    total += whole(left, bits_at(words_a, left, i)) * whole(right, bits_at(words_b, right, first + i));
  return static_cast<int>(total);
}

}  // namespace tw
