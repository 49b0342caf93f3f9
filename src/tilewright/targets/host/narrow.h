// Floats of at most 8 bits, by the rows of ir/core/narrow: to and from binary32, and pairs of them in words.

// Digits behind the point, the bias, and codes without a sign. Where `zeros` is false there is one zero, and the code of
// the other is no number.
template <unsigned bits, unsigned fraction, unsigned bias, unsigned largest, unsigned beyond, unsigned nan, bool zeros>
struct tw_format {
  static constexpr unsigned top = 1u << (bits - 1), shift = 23 - fraction;
  static float widened(std::uint8_t code) {
    const std::uint32_t size = code & (top - 1), sign = static_cast<std::uint32_t>(code & top) << (32 - bits);
    if ((!zeros && code == top) || (size > largest && (beyond == nan || size != beyond))) return tw_as<float>(0x7fc00000u);
    if (size > largest) return tw_as<float>(0x7f800000u | sign);
    const float unit = tw_as<float>((128u - bias - fraction) << 23);
    const std::uint32_t tiny = tw_as<std::uint32_t>(static_cast<float>(size) * unit);
    return tw_as<float>((size >> fraction ? (size << shift) + ((127u - bias) << 23) : tiny) | sign);
  }
  static std::uint8_t rounded(float x, unsigned over) {
    const std::uint32_t whole = tw_as<std::uint32_t>(x), size = whole & 0x7fffffffu;
    if (size > 0x7f800000u) return nan;
    const std::uint32_t magic = (128u + shift - bias) << 23, least = (128u - bias) << 23;
    std::uint32_t made;
    if (size < least) made = tw_as<std::uint32_t>(tw_as<float>(size) + tw_as<float>(magic)) - magic;
    else made = (size - ((127u - bias) << 23) + (1u << (shift - 1)) - 1u + (size >> shift & 1u)) >> shift;
    if (made > largest) made = over;
    return static_cast<std::uint8_t>(made | (made || zeros ? whole >> 31 << (bits - 1) : 0u));
  }
  static std::uint8_t rounded(float x) { return rounded(x, largest); }
};

// Powers of two: the next one that is no less, or that is no larger.
struct tw_power {
  static float widened(std::uint8_t code) {
    return tw_as<float>(code == 255 ? 0x7fc00000u : code ? static_cast<std::uint32_t>(code) << 23 : 0x400000u);
  }
  static std::uint8_t rounded(float x, bool up, unsigned most) {
    const std::uint32_t size = tw_as<std::uint32_t>(x) & 0x7fffffffu;
    if (size > 0x7f800000u) return 255;
    const bool more = up && (size & 0x7fffffu) && size > 0x400000u && size < 0x7f800000u;
    const std::uint32_t made = (size >> 23) + more;
    return static_cast<std::uint8_t>(made > most ? most : made);
  }
  static std::uint8_t rounded(float x) { return rounded(x, true, 254); }
};

template <class Rule> struct tw_code {
  std::uint8_t __x;
  tw_code() = default;
  explicit tw_code(float x) : __x(Rule::rounded(x)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  explicit tw_code(T x) : __x(Rule::rounded(tw_odd(tw_near(x)))) {}
  template <class Other> explicit tw_code(tw_narrow<Other> x) : __x(Rule::rounded(tw_wide(x))) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  explicit operator T() const { return static_cast<T>(Rule::widened(__x)); }
  template <class Other> explicit operator tw_narrow<Other>() const { return tw_narrow<Other>(Rule::widened(__x)); }
};

// A float with the digits of tf32: halves away from 0, or to even.
static inline float tw_cut(float x, bool even) {
  const std::uint32_t bits = tw_as<std::uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return tw_as<float>(0x7fffffffu);
  return tw_as<float>((bits + (even ? 0xfffu + (bits >> 13 & 1u) : 0x1000u)) & 0xffffe000u);
}

// The bits of a number as another float, that of a float in a word, and a number or 0 where that is less.
template <class T> static inline unsigned tw_bits_of(float x) {
  if constexpr (sizeof(T) == 1) return tw_as<std::uint8_t>(T(x));
  else return x != x ? 0x7fffu : tw_as<std::uint16_t>(T(x));
}
template <class T, class Word> static inline float tw_part(Word word, unsigned shift, unsigned mask) {
  const unsigned code = static_cast<unsigned>(word) >> shift & mask;
  if constexpr (sizeof(T) == 1) return static_cast<float>(tw_as<T>(static_cast<std::uint8_t>(code)));
  else return static_cast<float>(tw_as<T>(static_cast<std::uint16_t>(code)));
}
static inline float tw_relu(float x) { return x <= 0 ? 0.0f : x; }
