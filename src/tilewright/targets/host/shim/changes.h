// What stores do to memory that holds something: move there, or change it, an element after the other.

namespace tw {

enum How { moved, add, least, most, both, either, odd };  // the last three: bits of both, of either, of only one
enum Element : std::uint16_t { bytes8, f16, bf16, f32, f64, s32, u32, s64, u64 };
struct Change {
  How how;
  Element element;
};
constexpr Change move = {moved, bytes8};

template <class T> static T changed(How how, T old, T more) {
  switch (how) {
    case add: return static_cast<T>(old + more);
    case least: return more < old ? more : old;
    case most: return old < more ? more : old;
    default: break;
  }
  if constexpr (std::is_integral<T>::value) return how == both ? old & more : how == either ? old | more : old ^ more;
  return more;
}

template <class T> static void change_all(How how, void* into, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
    T old, more;
    std::memcpy(&old, static_cast<char*>(into) + at, sizeof old);
    std::memcpy(&more, static_cast<const char*>(from) + at, sizeof more);
    const T made = changed(how, old, more);
    std::memcpy(static_cast<char*>(into) + at, &made, sizeof made);
  }
}

static inline void apply(const Change& change, void* into, const void* from, std::size_t bytes) {
  if (change.how == moved) {
    std::memcpy(into, from, bytes);
    return;
  }
  switch (change.element) {
    case f16: return change_all<__half>(change.how, into, from, bytes);
    case bf16: return change_all<__nv_bfloat16>(change.how, into, from, bytes);
    case f32: return change_all<float>(change.how, into, from, bytes);
    case f64: return change_all<double>(change.how, into, from, bytes);
    case s32: return change_all<std::int32_t>(change.how, into, from, bytes);
    case u32: return change_all<std::uint32_t>(change.how, into, from, bytes);
    case s64: return change_all<std::int64_t>(change.how, into, from, bytes);
    case u64: return change_all<std::uint64_t>(change.how, into, from, bytes);
    default: return change_all<std::uint8_t>(change.how, into, from, bytes);
  }
}

}  // namespace tw
