// Elements of matrices by their bits, and sums of products as if every digit were kept, rounded once to binary64.

#include <algorithm>
#include <array>

namespace tw {

// Bits of an element, and how they are read: s and u integers, f floats with infinities, x such without, n such with
// one NaN, t of 32 bits of which 13 are not looked at; the bits of the exponent. Where elements do not follow each
// other, the room that each has, and the first of its bits that is the element's.
struct Type {
  unsigned bits;
  char kind;
  unsigned exponent, room = 0, low = 0;
  bool is_integer() const { return kind == 's' || kind == 'u'; }
};

// The element at that place among words of 32 bits, or of 64 where it has as many.
template <class Word> static std::uint64_t bits_at(const Word* words, const Type& type, unsigned index) {
  std::uint64_t found = 0;
  if (type.bits == 64) {
    std::memcpy(&found, words[index], 8);
    return found;
  }
  const unsigned first = index * (type.room ? type.room : type.bits) + type.low;
  std::memcpy(&found, words[first / 32], 4);
  if (first % 32 + type.bits > 32) {  // it goes on in the next word
    std::uint64_t rest = 0;
    std::memcpy(&rest, words[first / 32 + 1], 4);
    found |= rest << 32;
  }
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

// A sum of products of doubles with all of its digits, as a number in two's complement; unit is 2^-2148.
//
// Source: U. Kulisch, "Computer arithmetic and validity", 2008.
class Exact {
  static constexpr int limbs = 68, unit = -2148, digits = 53, least = -1074;
  std::uint64_t number[limbs] = {};

  void add(std::uint64_t part, int limb, bool negative) {
    for (; part && limb < limbs; ++limb) {
      const std::uint64_t before = number[limb];
      number[limb] = negative ? before - part : before + part;
      part = negative ? number[limb] > before : number[limb] < before;
    }
  }
  bool bit(int at) const { return at >= 0 && (number[at / 64] >> at % 64 & 1); }

 public:
  // Both are finite.
  void add(double x, double y) {
    int a, b;
    const double left = __builtin_ldexp(__builtin_frexp(x, &a), digits);
    const double right = __builtin_ldexp(__builtin_frexp(y, &b), digits);
    const auto size = static_cast<unsigned __int128>(static_cast<std::uint64_t>(__builtin_fabs(left))) *
                      static_cast<std::uint64_t>(__builtin_fabs(right));
    if (!size) return;
    int at = a + b - 2 * digits - unit;
    const int zeros = at < 0 ? -at : 0;  // those below the unit are zeros
    at += zeros;
    const unsigned __int128 all = size >> zeros;
    const bool negative = (left < 0) != (right < 0);
    const int limb = at / 64, shift = at % 64;
    const auto low = static_cast<std::uint64_t>(all), high = static_cast<std::uint64_t>(all >> 64);
    add(low << shift, limb, negative);
    add(shift ? low >> (64 - shift) : 0, limb + 1, negative);
    add(high << shift, limb + 1, negative);
    add(shift ? high >> (64 - shift) : 0, limb + 2, negative);
  }

  // The nearest double, of two the even one.
  double nearest() {
    const bool negative = number[limbs - 1] >> 63;
    if (negative)
      for (int i = 0, carry = 1; i < limbs; ++i) {
        number[i] = ~number[i] + static_cast<std::uint64_t>(carry);
        carry = carry && !number[i];
      }
    int top = limbs * 64 - 1;
    while (top >= 0 && !bit(top)) --top;
    const int first = std::max(top - digits + 1, least - unit);
    std::uint64_t kept = 0;
    for (int at = top; at >= first; --at) kept = kept << 1 | bit(at);
    bool below = false;
    for (int at = 0; at < first - 1 && !below; ++at) below = bit(at);
    kept += bit(first - 1) && (below || (kept & 1));
    const double found = __builtin_ldexp(static_cast<double>(kept), first + unit);
    return negative ? -found : found;
  }
};

// c + x[0] y[0] + x[1] y[1] + ...; `wide`: are products of doubles to be told from rounded ones?
static inline double summed(double c, const double* x, const double* y, std::size_t count, bool wide) {
  double total = c;
  bool lost = false;
  for (std::size_t i = 0; i < count; ++i) {
    const double term = x[i] * y[i], bigger = total + term, back = bigger - total;
    lost |= (total - (bigger - back)) + (term - back) != 0;
    lost |= wide && x[i] != 0 && y[i] != 0;
    total = bigger;
  }
  bool finite = total - total == 0;
  if (!finite) {  // perhaps only on the way
    finite = c - c == 0;
    for (std::size_t i = 0; i < count; ++i) finite &= x[i] - x[i] == 0 && y[i] - y[i] == 0;
    lost = finite;
  }
  if (!finite || !lost) return total + 0.0;  // no negative zero
  Exact sum;
  sum.add(c, 1);
  for (std::size_t i = 0; i < count; ++i) sum.add(x[i], y[i]);
  return sum.nearest() + 0.0;
}

}  // namespace tw
