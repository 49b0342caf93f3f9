// Tensor memory: allocation, copies to and from registers and from shared memory, products of one CTA or of a pair.

namespace tw {

constexpr unsigned tensor_lanes = 128, tensor_columns = 512;

static inline Tensor& tensor_of(Block& block) {
  Tensor& tensor = block.tensor;
  if (tensor.words.empty()) {
    tensor.words.assign(tensor_lanes * tensor_columns, garbage * 0x01010101u);
    tensor.taken.assign(tensor_columns, false);
  }
  return tensor;
}

static inline std::uint32_t& word(Block& block, std::size_t lane, std::size_t column) {
  if (lane >= tensor_lanes || column >= tensor_columns) std::_Exit(crashed);
  return tensor_of(block).words[lane * tensor_columns + column];
}

// The first of so many columns that are nobody's, or none of the columns.
static inline unsigned free_columns(const Tensor& tensor, unsigned count) {
  for (unsigned first = 0; first + count <= tensor_columns; ++first) {
    unsigned end = first;
    while (end < first + count && !tensor.taken[end]) ++end;
    if (end == first + count) return first;
  }
  return tensor_columns;
}

static inline void tensor_allocate(unsigned address, unsigned count) {
  Tensor& tensor = tensor_of(*current->block);
  const unsigned lane = current->thread % warp;
  if (lane == 0) {
    until([&] { return free_columns(tensor, count) < tensor_columns; });
    const std::uint32_t first = free_columns(tensor, count);
    for (unsigned i = 0; i < count; ++i) tensor.taken[first + i] = true;
    std::memcpy(spot(address).here(), &first, sizeof first);
  }
  together(meeting(warp), warp, nullptr, [] {});
}

static inline void tensor_release(unsigned address, unsigned count) {
  Tensor& tensor = tensor_of(*current->block);
  together(meeting(warp), warp, nullptr, [&] {
    for (unsigned i = 0; i < count; ++i) tensor.taken.at((address & 0xffff) + i) = false;
  });
}

// The words of a copy, by lane * registers + register: which lane, and which column; packed ones are two half words.
struct TensorWords {
  unsigned registers;
  bool packed;
  const unsigned short *lanes, *columns;
};

template <class Move> static void each_word(const TensorWords& how, unsigned address, List registers, const Move& move) {
  struct Mine {
    List registers;
    unsigned address;
  };
  const Mine mine = {registers, address};
  together(meeting(warp), warp, &mine, [&] {
    for (unsigned i = 0; i < warp * how.registers; ++i) {
      const auto* given = static_cast<const Mine*>(member(warp, i / how.registers).given);
      const unsigned lane = (given->address >> 16) + how.lanes[i], column = given->address & 0xffff;
      auto* const held = static_cast<std::uint32_t*>(given->registers.at[i % how.registers]);
      if (how.packed)
        for (unsigned half = 0; half < 2; ++half)
          move(*held, 16 * half, word(*current->block, lane, column + 2 * how.columns[i] + half));
      else move(*held, 0, word(*current->block, lane, column + how.columns[i]), true);
    }
  });
}

struct TensorLoad {
  void operator()(std::uint32_t& held, unsigned, std::uint32_t& there, bool) const { held = there; }
  void operator()(std::uint32_t& held, unsigned shift, std::uint32_t& there) const {
    held = (held & ~(0xffffu << shift)) | (there & 0xffff) << shift;
  }
};
struct TensorStore {
  void operator()(std::uint32_t& held, unsigned, std::uint32_t& there, bool) const { there = held; }
  void operator()(std::uint32_t& held, unsigned shift, std::uint32_t& there) const { there = held >> shift & 0xffff; }
};
static inline void tensor_read(const TensorWords& how, unsigned address, List registers) {
  each_word(how, address, registers, TensorLoad());
}
static inline void tensor_write(const TensorWords& how, unsigned address, List registers) {
  each_word(how, address, registers, TensorStore());
}

// The least or the greatest of words: of integers, or of floats 'f', of which -0 is less than 0 and NaNs are left out.
struct TensorReduction {
  char kind;
  bool least, absolute, keeps_nan;
};

static inline std::uint32_t tensor_reduced(const TensorReduction& how, List registers, unsigned count) {
  constexpr std::uint32_t sign = 1u << 31, infinite = 0x7f800000u, nan = 0x7fffffffu;
  std::uint32_t best = how.least ? ~0u : 0u;  // as unsigned numbers in the same order
  bool any = false, all = true;
  for (unsigned i = 0; i < count; ++i) {
    std::uint32_t word;
    std::memcpy(&word, registers.at[i], sizeof word);
    if (how.absolute) word &= ~sign;
    const bool is_nan = how.kind == 'f' && (word & ~sign) > infinite;
    any |= is_nan, all &= is_nan;
    if (is_nan) continue;
    if (how.kind == 's') word ^= sign;
    if (how.kind == 'f') word = word & sign ? ~word : word | sign;
    best = how.least ? std::min(best, word) : std::max(best, word);
  }
  if (how.keeps_nan ? any : all) return nan;
  if (how.kind == 'f') return best & sign ? best ^ sign : ~best;
  return how.kind == 's' ? best ^ sign : best;
}

// ---- what a thread begins

// Arrives at the mbarrier, of this block or of those of a mask, when what it began is done.
static inline void tensor_commit(unsigned barrier, unsigned mask = 0) {
  for (const Spot& at : targets(spot(barrier), mask)) fly([=] { arrive(at, 1); });
}

// The CTAs of a pair, or the one.
static inline Block& partner(unsigned ctas, unsigned number) {
  Block& own = *current->block;
  return ctas == 1 ? own : *own.cluster->blocks.at((own.rank & ~1u) + number);
}

static inline Swizzled mode_of(std::uint64_t descriptor) {
  constexpr Swizzled modes[] = {{16}, {128, 32}, {128}, {0}, {64}, {0}, {32}, {0}};
  const Swizzled mode = modes[descriptor >> 61];
  return mode.span ? mode : (std::_Exit(crashed), mode);
}

// Rows of so many bytes from shared memory to the lanes: each takes one of them, or none (65535).
struct TensorRows {
  unsigned rows, bytes;
  const unsigned short* taken;
};

static inline void tensor_fill(const TensorRows& how, unsigned ctas, unsigned address, std::uint64_t descriptor) {
  for (unsigned cta = 0; cta < ctas; ++cta) {
    Block& block = partner(ctas, cta);
    const Described source = {how.rows, how.bytes, {8, 'u', 0}, false, false};
    const Numbers found = described(source, descriptor, mode_of(descriptor), block);
    for (unsigned lane = 0; lane < tensor_lanes; ++lane)
      for (unsigned i = 0; how.taken[lane] < how.rows && i < how.bytes; ++i) {
        std::uint32_t& there = word(block, lane, (address & 0xffff) + i / 4);
        const auto byte = static_cast<std::uint32_t>(found.wholes[how.taken[lane] * how.bytes + i]);
        there = (there & ~(0xffu << 8 * (i % 4))) | byte << 8 * (i % 4);
      }
  }
}

// Where the rows of a CTA's D lie, by their number: its lanes; columns are folded into so many parts.
struct TensorPath {
  unsigned rows, folds;
  const unsigned short* lanes;
};
// A kind of product: its types by their codes, and of its CTAs' rows, where they may lie. Are narrow elements given a byte
// each? How A is stored, where it is not whole, and in how many words of a row its metadata are; how many scale factors
// a row has, and their types.
struct TensorKind {
  bool left_in_tensor, bytes;
  unsigned ctas, depth;
  Type factors[8], results[4];
  TensorPath paths[3];
  Sparse sparse;
  unsigned words, scales;
  Type scale[2];
};

// A of a CTA that lies in tensor memory, on the lanes of D's rows, its elements packed into words.
static inline Numbers in_tensor(const Described& of, const TensorPath& path, unsigned address, Block& block) {
  Numbers found(of.rows * of.columns);
  for (unsigned i = 0; i < of.rows * of.columns; ++i) {
    const unsigned first = i % of.columns * of.type.bits, lane = (address >> 16) + path.lanes[i / of.columns];
    const std::uint64_t bits = word(block, lane, (address & 0xffff) + first / 32) >> first % 32;
    found.put(of.type, i, bits & ((1ull << of.type.bits) - 1), of.negated);
  }
  return found;
}

// A of 128 rows with all its elements: metadata of a row are in two words of its lane, or in halves of words, of rows 8
// apart on one lane, the first half on the first 8 of 16 lanes.
static inline Numbers spread(const TensorKind& kind, const Numbers& of, unsigned address, Block& block) {
  const Sparse& chosen = kind.sparse;
  Numbers found(tensor_lanes * chosen.chunks * chosen.parts);
  for (unsigned chunk = 0; chunk < tensor_lanes * chosen.chunks; ++chunk) {
    const unsigned row = chunk / chosen.chunks, number = chunk % chosen.chunks, column = address & 0xffff;
    const unsigned half = 2 * number / chosen.chunks, place = number % (chosen.chunks / 2);
    const unsigned bits = kind.words > 1 ? word(block, row, column + half) >> place * 4
                                         : word(block, row / 16 * 16 + half * 8 + row % 8, column) >> (row / 8 % 2 * 16 + place * 4);
    for (unsigned i = 0; i < chosen.stored; ++i) {
      const unsigned from = chunk * chosen.stored + i;
      const unsigned to = chunk * chosen.parts + chosen.places[(bits & 15) * chosen.stored + i];
      found.reals[to] = of.reals[from], found.wholes[to] = of.wholes[from];
    }
  }
  return found;
}

// Rows times their factors: 32 rows on 32 lanes, the next ones in the next column, in each of so many parts of the lanes.
static inline void scale(const TensorKind& kind, Numbers& of, unsigned rows, unsigned parts, const Type& type,
                         unsigned address, unsigned first, Block& block) {
  const unsigned own = rows / parts, depth = static_cast<unsigned>(of.reals.size()) / rows;
  for (unsigned i = 0; i < rows * depth; ++i) {
    const unsigned row = i / depth, inside = row % own, lane = row / own * (tensor_lanes / parts) + inside % warp;
    const unsigned byte = first + i % depth / (depth / kind.scales);
    of.reals[i] *= factor(type, word(block, lane, (address & 0xffff) + inside / warp) >> 8 * byte & 0xff);
  }
}

// Addresses are those of the metadata of A, and of the scale factors of A and B.
//
// Source: PTX ISA, "Instruction descriptor" of tcgen05.
static inline void tensor_product(const TensorKind& kind, unsigned d, std::uint64_t a, std::uint64_t b, unsigned told,
                                  bool adds, unsigned metadata = 0, unsigned scale_a = 0, unsigned scale_b = 0) {
  const auto field = [=](unsigned first, unsigned bits) { return told >> first & ((1u << bits) - 1); };
  const Type left = kind.factors[field(7, 3)], right = kind.factors[field(10, 3)];
  const Type result = kind.results[kind.scales ? 0 : field(4, 2)];
  const unsigned n = 8 * field(17, 6), part = n / kind.ctas, stored = kind.depth / (kind.sparse.parts ? 2 : 1);
  const unsigned rows = (kind.scales ? 128 * field(27, 2) : 16 * field(24, 5)) / kind.ctas;
  const TensorPath& path = kind.paths[kind.paths[1].rows == rows ? 1 : kind.paths[2].rows == rows ? 2 : 0];
  const bool is_sparse = kind.sparse.parts != 0, is_96_deep = kind.scales && field(31, 1);
  const bool in_unknown_bytes = kind.left_in_tensor && kind.bytes && left.bits < 8;
  if (!left.bits || !right.bits || !result.bits || path.rows != rows || is_96_deep || in_unknown_bytes) std::_Exit(crashed);
  if (is_sparse != (field(2, 1) != 0) || (is_sparse && rows != tensor_lanes)) std::_Exit(crashed);
  Product how = {};
  how.d.type = how.c.type = result;
  how.a.type = left;
  how.depth = kind.depth, how.rule = !kind.scales && field(3, 1) ? limited : plain;
  const Described first = {rows, stored, left, field(15, 1) != 0, field(13, 1) != 0, kind.bytes && left.bits < 8};
  const Described second = {part, kind.depth, right, field(16, 1) != 0, field(14, 1) != 0, kind.bytes && right.bits < 8};
  Numbers columns(0);
  for (unsigned cta = 0; cta < kind.ctas; ++cta) {
    const Numbers own = described(second, b, mode_of(b), partner(kind.ctas, cta));
    columns.reals.insert(columns.reals.end(), own.reals.begin(), own.reals.end());
    columns.wholes.insert(columns.wholes.end(), own.wholes.begin(), own.wholes.end());
  }
  for (unsigned cta = 0; cta < kind.ctas; ++cta) {
    Block& block = partner(kind.ctas, cta);
    Numbers own = kind.left_in_tensor ? in_tensor(first, path, static_cast<unsigned>(a), block)
                                      : described(first, a, mode_of(a), block);
    Numbers other = columns;
    if (kind.sparse.parts) own = spread(kind, own, metadata + (kind.scales ? 0 : field(0, 2)), block);
    if (kind.scales) {
      scale(kind, own, rows, 1, kind.scale[field(23, 1)], scale_a, field(29, 2), block);
      scale(kind, other, n, path.folds, kind.scale[field(23, 1)], scale_b, field(4, 2), block);
    }
    const unsigned count = n / path.folds;
    for (unsigned i = 0; i < rows * n; ++i) {
      const unsigned row = i / n, column = i % n, lane = path.lanes[row] + column / count * (tensor_lanes / path.folds);
      std::uint32_t& there = word(block, (d >> 16) + lane, (d & 0xffff) + column % count);
      const std::uint32_t added = !adds ? 0 : result.bits == 16 ? there & 0xffff : there;
      there = static_cast<std::uint32_t>(element(how, own, other, row, column, added));
    }
  }
}

}  // namespace tw
