// Copies of the boxes of tensors, by tensor maps.

namespace tw {

// A tensor map, as targets/host/tensor_maps.py writes it: the extents of the tensor and of a box, and strides in bytes,
// the fastest dimension first. Of an address in shared memory the bits `chosen` are changed by those `shift` above, and
// where halves are flipped, those of 16 bytes too.
struct Map {
  std::uint64_t memory, stride[5];
  std::uint32_t extent[5], box[5];
  std::uint16_t rank, bytes, element, shift;
  std::uint16_t chosen, flips;
};
static_assert(sizeof(Map) <= 128, "a map of CUDA's has as many");

static inline Map map_at(const void* pointer) {
  Map map;
  std::memcpy(&map, pointer, sizeof map);
  return map;
}

static inline std::size_t swizzled(const Map& map, std::size_t at) {
  at ^= at >> map.shift & map.chosen;
  return map.flips ? at ^ (at >> 4 & 8) : at;
}

static inline std::size_t box_size(const Map& map) {
  std::size_t count = 1;
  for (unsigned axis = 0; axis < map.rank; ++axis) count *= map.box[axis];
  return count;
}

struct Coordinates {
  int at[5];
};

// For each element of a box: where it lies in the tile, and in the tensor, or nowhere.
template <class Visit> static void walk(const Map& map, const Coordinates& first, const Spot& tile, const Visit& visit) {
  for (std::size_t i = 0; i < box_size(map); ++i) {
    std::size_t rest = i;
    std::int64_t at = 0;
    bool inside = true;
    for (unsigned axis = 0; axis < map.rank; ++axis) {
      const std::int64_t index = first.at[axis] + static_cast<std::int64_t>(rest % map.box[axis]);
      rest /= map.box[axis];
      inside &= 0 <= index && index < static_cast<std::int64_t>(map.extent[axis]);
      at += index * static_cast<std::int64_t>(map.stride[axis]);
    }
    char* const memory = reinterpret_cast<char*>(map.memory);
    visit(Spot{tile.block, swizzled(map, tile.offset + i * map.bytes)}.here(), inside ? memory + at : nullptr);
  }
}

// What lies outside the tensor is zero, and counts.
static inline void tensor_load(unsigned to, const void* told, Coordinates first, unsigned barrier, unsigned mask = 0) {
  const Map map = map_at(told);
  const Spot signal = spot(barrier);
  for (const Spot& tile : targets(spot(to), mask)) {
    const Spot counts = mask ? there(signal, tile.block->rank) : signal;
    fly([=] {
      walk(map, first, tile, [&](char* place, const char* source) {
        if (source) std::memcpy(place, source, map.bytes);
        else std::memset(place, 0, map.bytes);
      });
      complete(counts, box_size(map) * map.bytes);
    });
  }
}

static inline void tensor_store(const void* told, Coordinates first, unsigned from, How how = moved) {
  const Map map = map_at(told);
  const Spot tile = spot(from);
  current->bulk.add([=] {
    walk(map, first, tile, [&](const char* place, char* target) {
      if (target) apply({how, static_cast<Element>(map.element)}, target, place, map.bytes);
    });
  });
}

}  // namespace tw
