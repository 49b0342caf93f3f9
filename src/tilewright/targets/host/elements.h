// What both ways of running a kernel on the CPU share: elements, and changes of memory, atomic as they stand, because
// threads take turns. Integers wrap.

#include <cstdint>
#include <cstring>
#include <type_traits>

template <class T, class S> static inline T tw_as(S from) {
  static_assert(sizeof(T) == sizeof(S), "the same bits");
  T to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// A double as a float, what is cut off kept in the last bit: rounding that to fewer bits is rounding once.
static inline float tw_odd(double x) {
  const float near = static_cast<float>(x);
  const std::uint32_t bits = tw_as<std::uint32_t>(near), size = bits & 0x7fffffffu;
  if (static_cast<double>(near) == x || size >= 0x7f800000u) return near;
  const bool over = __builtin_fabs(static_cast<double>(near)) > __builtin_fabs(x);
  return tw_as<float>((over ? bits - 1 : bits) | 1);
}

// A number as a double; of an integer with more digits than that has, what is cut off is kept in a last bit.
template <class T> static inline double tw_near(T x) {
  if constexpr (std::is_integral<T>::value && sizeof(T) == 8) {
    const bool fits = x >> 53 == 0 || x >> 53 == static_cast<T>(-1);
    const T low = x & 2047;
    x = fits || low == 0 ? x : static_cast<T>((x ^ low) | 2048);
  }
  return static_cast<double>(x);
}

// product + added as a double, likewise.
static inline double tw_odd_sum(double product, double added) {
  const double total = product + added, back = total - product, lost = (product - (total - back)) + (added - back);
  const std::uint64_t bits = tw_as<std::uint64_t>(total);
  if (!(lost != 0) || (bits & 1) || (bits & 0x7fffffffffffffffull) >= 0x7ff0000000000000ull) return total;
  return tw_as<double>((lost > 0) == (total > 0) ? bits + 1 : bits - 1);
}

// Floats of 16 bits, to and from binary32, to nearest even.
struct tw_binary16 {
  static float widened(std::uint16_t h) {
    const std::uint32_t size = h & 0x7fffu, sign = (h & 0x8000u) << 16;
    if (size < 0x400u) return tw_as<float>(tw_as<std::uint32_t>(static_cast<float>(size) * 0x1p-24f) | sign);
    return tw_as<float>(((size << 13) + (size >= 0x7c00u ? 0x70000000u : 0x38000000u)) | sign);
  }
  static std::uint16_t rounded(float x) {
    const std::uint32_t bits = tw_as<std::uint32_t>(x), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    std::uint32_t made;
    if (size > 0x7f800000u) made = 0x7e00u | (size >> 13 & 0x3ffu);
    else if (size >= 0x477ff000u) made = 0x7c00u;
    else if (size < 0x38800000u) made = tw_as<std::uint32_t>(tw_as<float>(size) + 0.5f) - 0x3f000000u;
    else made = (size - 0x38000000u + 0xfffu + (size >> 13 & 1)) >> 13;
    return static_cast<std::uint16_t>(made | sign);
  }
};
struct tw_brain16 {
  static float widened(std::uint16_t h) { return tw_as<float>(static_cast<std::uint32_t>(h) << 16); }
  static std::uint16_t rounded(float x) {
    const std::uint32_t bits = tw_as<std::uint32_t>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16 & 0x8000u) | 0x7fc0u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }
};

// Each operation in binary32, then rounded: that is rounding once, as binary32 has more than twice the digits.
template <class Rule> struct tw_narrow {
  std::uint16_t bits;
  tw_narrow() = default;
  explicit tw_narrow(float x) : bits(Rule::rounded(x)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  explicit tw_narrow(T x) : bits(Rule::rounded(tw_odd(tw_near(x)))) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  explicit operator T() const { return static_cast<T>(Rule::widened(bits)); }
  friend float tw_wide(tw_narrow a) { return Rule::widened(a.bits); }
  friend tw_narrow operator+(tw_narrow a, tw_narrow b) { return tw_narrow(tw_wide(a) + tw_wide(b)); }
  friend tw_narrow operator-(tw_narrow a, tw_narrow b) { return tw_narrow(tw_wide(a) - tw_wide(b)); }
  friend tw_narrow operator*(tw_narrow a, tw_narrow b) { return tw_narrow(tw_wide(a) * tw_wide(b)); }
  friend tw_narrow operator/(tw_narrow a, tw_narrow b) { return tw_narrow(tw_wide(a) / tw_wide(b)); }
  friend tw_narrow operator-(tw_narrow a) {
    a.bits = static_cast<std::uint16_t>(a.bits ^ 0x8000u);
    return a;
  }
  friend bool operator==(tw_narrow a, tw_narrow b) { return tw_wide(a) == tw_wide(b); }
  friend bool operator!=(tw_narrow a, tw_narrow b) { return tw_wide(a) != tw_wide(b); }
  friend bool operator<(tw_narrow a, tw_narrow b) { return tw_wide(a) < tw_wide(b); }
  friend bool operator>(tw_narrow a, tw_narrow b) { return tw_wide(a) > tw_wide(b); }
  friend bool operator<=(tw_narrow a, tw_narrow b) { return tw_wide(a) <= tw_wide(b); }
  friend bool operator>=(tw_narrow a, tw_narrow b) { return tw_wide(a) >= tw_wide(b); }
  friend tw_narrow __hfma(tw_narrow a, tw_narrow b, tw_narrow c) {
    const double product = static_cast<double>(tw_wide(a)) * static_cast<double>(tw_wide(b));
    return tw_narrow(tw_odd_sum(product, static_cast<double>(tw_wide(c))));
  }
};
using __half = tw_narrow<tw_binary16>;
using __nv_bfloat16 = tw_narrow<tw_brain16>;

// Elements that the host only moves.
struct uint2 { unsigned int x, y; };
struct uint4 { unsigned int x, y, z, w; };
struct float2 { float x, y; };
struct double2 { double x, y; };

// One rounding, by the processor where it has the instruction.
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;

struct tw_index { unsigned int x, y, z; };

static inline void tw_changed(bool);  // somebody has changed memory, or found it so

template <class T, class F> static T tw_change(T* at, F next) {
  const T before = *at, after = next(before);
  *at = after;
  tw_changed(std::memcmp(&before, &after, sizeof before) != 0);
  return before;
}
template <class T> static T atomicAdd(T* at, T by) { return tw_change(at, [by](T x) { return T(x + by); }); }
static inline int atomicAdd(int* at, int by) {
  return tw_change(at, [by](int x) { return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(by)); });
}
template <class T> static T atomicMin(T* at, T by) { return tw_change(at, [by](T x) { return by < x ? by : x; }); }
template <class T> static T atomicMax(T* at, T by) { return tw_change(at, [by](T x) { return x < by ? by : x; }); }
template <class T> static T atomicAnd(T* at, T by) { return tw_change(at, [by](T x) { return T(x & by); }); }
template <class T> static T atomicOr(T* at, T by) { return tw_change(at, [by](T x) { return T(x | by); }); }
template <class T> static T atomicXor(T* at, T by) { return tw_change(at, [by](T x) { return T(x ^ by); }); }
template <class T> static T atomicExch(T* at, T by) { return tw_change(at, [by](T) { return by; }); }
