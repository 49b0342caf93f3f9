// CUDA's functions of numbers and of bits, by the rule of docs/simulator.md: in binary64, rounded to float. Last, because
// names of the C library become macros.

extern "C" {
double exp(double) noexcept;
double exp2(double) noexcept;
double expm1(double) noexcept;
double log(double) noexcept;
double log2(double) noexcept;
double log10(double) noexcept;
double log1p(double) noexcept;
double sin(double) noexcept;
double cos(double) noexcept;
double tan(double) noexcept;
double tanh(double) noexcept;
double sinh(double) noexcept;
double cosh(double) noexcept;
double asin(double) noexcept;
double acos(double) noexcept;
double atan(double) noexcept;
double asinh(double) noexcept;
double acosh(double) noexcept;
double atanh(double) noexcept;
double cbrt(double) noexcept;
double erf(double) noexcept;
double pow(double, double) noexcept;
double atan2(double, double) noexcept;
}

#define TW_FUNCTION(name, made) \
  static inline float tw_##name##f(float x) { return static_cast<float>(made); }
#define TW_FUNCTIONS(name) TW_FUNCTION(name, name(static_cast<double>(x)))
TW_FUNCTIONS(exp)
TW_FUNCTIONS(exp2)
TW_FUNCTIONS(expm1)
TW_FUNCTIONS(log)
TW_FUNCTIONS(log2)
TW_FUNCTIONS(log10)
TW_FUNCTIONS(log1p)
TW_FUNCTIONS(sin)
TW_FUNCTIONS(cos)
TW_FUNCTIONS(tan)
TW_FUNCTIONS(tanh)
TW_FUNCTIONS(sinh)
TW_FUNCTIONS(cosh)
TW_FUNCTIONS(asin)
TW_FUNCTIONS(acos)
TW_FUNCTIONS(atan)
TW_FUNCTIONS(asinh)
TW_FUNCTIONS(acosh)
TW_FUNCTIONS(atanh)
TW_FUNCTIONS(cbrt)
TW_FUNCTIONS(erf)
static inline double tw_rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
static inline float tw_rsqrtf(float x) { return static_cast<float>(tw_rsqrt(static_cast<double>(x))); }
static inline float tw_powf(float x, float y) {
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y)));
}
static inline float tw_atan2f(float y, float x) {
  return static_cast<float>(atan2(static_cast<double>(y), static_cast<double>(x)));
}

#define expf tw_expf
#define exp2f tw_exp2f
#define expm1f tw_expm1f
#define logf tw_logf
#define log2f tw_log2f
#define log10f tw_log10f
#define log1pf tw_log1pf
#define sinf tw_sinf
#define cosf tw_cosf
#define tanf tw_tanf
#define tanhf tw_tanhf
#define sinhf tw_sinhf
#define coshf tw_coshf
#define asinf tw_asinf
#define acosf tw_acosf
#define atanf tw_atanf
#define asinhf tw_asinhf
#define acoshf tw_acoshf
#define atanhf tw_atanhf
#define cbrtf tw_cbrtf
#define erff tw_erff
#define powf tw_powf
#define atan2f tw_atan2f
#define rsqrt tw_rsqrt
#define rsqrtf tw_rsqrtf
#define __expf tw_expf
#define __logf tw_logf
#define __log2f tw_log2f
#define __log10f tw_log10f
#define __sinf tw_sinf
#define __cosf tw_cosf
#define __tanf tw_tanf
#define __powf tw_powf
#define sqrt __builtin_sqrt
#define sqrtf __builtin_sqrtf
#define fabs __builtin_fabs
#define fabsf __builtin_fabsf
#define floor __builtin_floor
#define floorf __builtin_floorf
#define ceil __builtin_ceil
#define ceilf __builtin_ceilf
#define trunc __builtin_trunc
#define truncf __builtin_truncf
#define round __builtin_round
#define roundf __builtin_roundf
#define rint __builtin_rint
#define rintf __builtin_rintf
#define copysign __builtin_copysign
#define copysignf __builtin_copysignf
#define signbit __builtin_signbit

static inline unsigned int __popc(unsigned int x) { return static_cast<unsigned int>(__builtin_popcount(x)); }
static inline unsigned int __popcll(unsigned long long x) { return static_cast<unsigned int>(__builtin_popcountll(x)); }
static inline unsigned int __clz(unsigned int x) { return x ? static_cast<unsigned int>(__builtin_clz(x)) : 32u; }
static inline unsigned int __clzll(unsigned long long x) {
  return x ? static_cast<unsigned int>(__builtin_clzll(x)) : 64u;
}
static inline unsigned int __ffs(unsigned int x) { return x ? static_cast<unsigned int>(__builtin_ctz(x)) + 1u : 0u; }
static inline unsigned int __ffsll(unsigned long long x) {
  return x ? static_cast<unsigned int>(__builtin_ctzll(x)) + 1u : 0u;
}
static inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long found = 0;
  for (int i = 0; i < 64; ++i) found |= (x >> i & 1ull) << (63 - i);
  return found;
}
static inline unsigned int __brev(unsigned int x) {
  return static_cast<unsigned int>(__brevll(x) >> 32);
}
static inline unsigned long long tw_both(unsigned int low, unsigned int high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(tw_both(low, high) << (by & 31u) >> 32);
}
static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(tw_both(low, high) << (by < 32u ? by : 32u) >> 32);
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(tw_both(low, high) >> (by & 31u));
}
static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
  return static_cast<unsigned int>(tw_both(low, high) >> (by < 32u ? by : 32u));
}
static inline unsigned int tw_prmt(unsigned int x, unsigned int y, unsigned int digits) {
  const unsigned long long both = tw_both(x, y);
  unsigned int found = 0;
  for (int place = 0; place < 4; ++place) {
    const unsigned int digit = digits >> (4 * place);
    const unsigned int byte = static_cast<unsigned int>(both >> (8u * (digit & 7u))) & 255u;
    found |= (digit & 8u ? (byte >> 7) * 255u : byte) << (8 * place);
  }
  return found;
}
template <int table> static unsigned int tw_lop3(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int found = 0;
  for (int row = 0; row < 8; ++row)
    if (table >> row & 1) found |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return found;
}
