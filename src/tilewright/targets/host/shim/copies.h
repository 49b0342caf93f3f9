// Copies that go on by themselves: of single threads, in bulk, and of elements to other blocks.

namespace tw {

static inline void cp_async(unsigned to, const void* from, unsigned bytes, unsigned size) {
  const Spot at = spot(to);
  current->copies.add([=] {
    std::memcpy(at.here(), from, size);
    std::memset(at.here() + size, 0, bytes - size);
  });
}
static inline void cp_async(unsigned to, const void* from, unsigned bytes) { cp_async(to, from, bytes, bytes); }

// The same place in the blocks of a mask, or only where it is.
static inline std::vector<Spot> targets(const Spot& at, unsigned mask) {
  std::vector<Spot> all;
  for (unsigned rank = 0; mask >> rank; ++rank)
    if (mask >> rank & 1) all.push_back(there(at, rank));
  if (!mask) all.push_back(at);
  return all;
}

// From global memory to shared memory; the mbarrier of each block counts the bytes.
static inline void bulk_load(unsigned to, const void* from, unsigned bytes, unsigned barrier, unsigned mask = 0) {
  const Spot told = spot(barrier);
  for (const Spot& at : targets(spot(to), mask)) {
    const Spot counts = mask ? there(told, at.block->rank) : told;
    fly([=] {
      std::memcpy(at.here(), from, bytes);
      complete(counts, bytes);
    });
  }
}

// From this block's shared memory to another's.
static inline void bulk_share(unsigned to, unsigned from, unsigned bytes, unsigned barrier) {
  const Spot at = spot(to), source = spot(from), counts = spot(barrier);
  fly([=] {
    std::memcpy(at.here(), source.here(), bytes);
    complete(counts, bytes);
  });
}

static inline void bulk_store(void* to, unsigned from, unsigned bytes, Change how = move) {
  const Spot source = spot(from);
  current->bulk.add([=] { apply(how, to, source.here(), bytes); });
}

// Elements by their values; they come to shared memory of another block, whose mbarrier counts them.
template <class... T> static void store_there(unsigned to, unsigned barrier, Change how, T... values) {
  const Spot at = spot(to), counts = spot(barrier);
  std::vector<char> bytes;
  for (const auto& value : {values...}) {
    const char* first = reinterpret_cast<const char*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  }
  fly([=] {
    apply(how, at.here(), bytes.data(), bytes.size());
    complete(counts, bytes.size());
  });
}

}  // namespace tw
