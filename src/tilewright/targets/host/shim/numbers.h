// Elements of matrices by their bits, and sums of products as if every digit were kept, rounded once to binary64.

#include <array>

namespace tw {

// Bits of an element, and how they are read: s and u integers, f floats with infinities, x such without, n such with
// one NaN, t of 32 bits of which 13 are not looked at; the bits of the exponent.
struct Type {
  unsigned bits;
  char kind;
  unsigned exponent;
  bool is_integer() const { return kind == 's' || kind == 'u'; }
};

// The element at that place among words of 32 bits, or of 64 where it has as many.
template <class Word> static std::uint64_t bits_at(const Word* words, const Type& type, unsigned index) {
  std::uint64_t found = 0;
  if (type.bits == 64) {
    std::memcpy(&found, words[index], 8);
    return found;
  }
  const unsigned first = index * type.bits;
  std::memcpy(&found, words[first / 32], 4);
  return found >> first % 32 & ((1ull << type.bits) - 1);
}

static inline void put_bits(void* const* words, const Type& type, unsigned index, std::uint64_t bits) {
  if (type.bits == 64) {
    std::memcpy(words[index], &bits, 8);
    return;
  }
  const unsigned first = index * type.bits;
  const std::uint64_t mask = ((1ull << type.bits) - 1) << first % 32;
  std::uint32_t word;
  std::memcpy(&word, words[first / 32], 4);
  word = static_cast<std::uint32_t>((word & ~mask) | (bits << first % 32 & mask));
  std::memcpy(words[first / 32], &word, 4);
}

static inline double real(const Type& type, std::uint64_t bits) {
  if (type.bits == 64) return tw_as<double>(bits);
  if (type.bits == 32) {
    const auto word = static_cast<std::uint32_t>(bits);
    return static_cast<double>(tw_as<float>(type.kind == 't' ? word & 0xffffe000u : word));
  }
  const unsigned digits = type.bits - 1 - type.exponent;
  const std::uint64_t size = bits & ((1ull << (type.bits - 1)) - 1), fraction = size & ((1ull << digits) - 1);
  const int top = (1 << type.exponent) - 1, exponent = static_cast<int>(size >> digits), bias = top / 2;
  double found;
  if (type.kind == 'f' && exponent == top) found = fraction ? __builtin_nan("") : __builtin_inf();
  else if (type.kind == 'n' && size == (1ull << (type.bits - 1)) - 1) found = __builtin_nan("");
  else if (exponent == 0) found = __builtin_ldexp(static_cast<double>(fraction), 1 - bias - static_cast<int>(digits));
  else found = __builtin_ldexp(static_cast<double>(fraction | 1ull << digits), exponent - bias - static_cast<int>(digits));
  return bits >> (type.bits - 1) ? -found : found;
}

static inline std::int64_t whole(const Type& type, std::uint64_t bits) {
  const std::uint64_t sign = type.kind == 's' ? 1ull << (type.bits - 1) : 0;
  return static_cast<std::int64_t>((bits ^ sign) - sign);
}

// A number of binary64, rounded once; there is one NaN.
static inline std::uint64_t rounded(const Type& type, double value) {
  if (value != value) value = __builtin_nan("");
  if (type.bits == 64) return tw_as<std::uint64_t>(value);
  if (type.bits == 32) return tw_as<std::uint32_t>(static_cast<float>(value));
  return type.exponent == 5 ? tw_binary16::rounded(tw_odd(value)) : tw_brain16::rounded(tw_odd(value));
}

// Source: J. Shewchuk, "Adaptive precision floating-point arithmetic", 1997.
static inline double distilled(const double* terms, unsigned count) {
  std::vector<double> parts;  // that do not overlap, the smallest first
  for (unsigned i = 0; i < count; ++i) {
    double term = terms[i];
    std::size_t kept = 0;
    for (double part : parts) {
      if (__builtin_fabs(term) < __builtin_fabs(part)) std::swap(term, part);
      const double total = term + part, lost = part - (total - term);
      if (lost != 0) parts[kept++] = lost;
      term = total;
    }
    parts.resize(kept);
    parts.push_back(term);
  }
  double total = parts.back(), lost = 0;
  std::size_t left = parts.size() - 1;
  while (left && lost == 0) {
    const double before = total, part = parts[--left];
    total = before + part;
    lost = part - (total - before);
  }
  // Half a unit below, and more beneath it of the same sign: the sum is not the nearest.
  if (left && ((lost < 0 && parts[left - 1] < 0) || (lost > 0 && parts[left - 1] > 0))) {
    const double next = total + 2 * lost;
    if (next - total == 2 * lost) total = next;
  }
  return total;
}

static inline double sum(const double* terms, unsigned count) {
  double total = 0;
  bool lost = false;
  for (unsigned i = 0; i < count; ++i) {
    const double bigger = total + terms[i], back = bigger - total;
    lost |= (total - (bigger - back)) + (terms[i] - back) != 0;
    total = bigger;
  }
  return (lost && total - total == 0 ? distilled(terms, count) : total) + 0.0;  // no negative zero
}

}  // namespace tw
