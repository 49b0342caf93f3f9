// What both ways of running a kernel on the CPU share: elements, and changes of memory, atomic as they stand, because
// threads take turns. Integers wrap.

#include <cstdint>

// Elements that the host only moves.
struct __half { std::uint16_t bits; };
struct __nv_bfloat16 { std::uint16_t bits; };
struct __nv_fp8_e4m3 { std::uint8_t bits; };
struct __nv_fp8_e5m2 { std::uint8_t bits; };
struct __nv_fp8_e8m0 { std::uint8_t bits; };
struct uint2 { unsigned int x, y; };
struct uint4 { unsigned int x, y, z, w; };
struct float2 { float x, y; };
struct double2 { double x, y; };

// One rounding, by the processor where it has the instruction.
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;

struct tw_index { unsigned int x, y, z; };

template <class T, class F> static T tw_change(T* at, F next) {
  const T before = *at;
  *at = next(before);
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
template <class T, class S> static T tw_swap(T* at, S expected, S value) {
  return tw_change(at, [=](T x) { return x == expected ? T(value) : x; });
}

static inline void __threadfence_block() {}
static inline void __threadfence() {}
static inline void __threadfence_system() {}
template <int> static void tw_registers_inc() {}
template <int> static void tw_registers_dec() {}
