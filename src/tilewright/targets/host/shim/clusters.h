// Addresses in shared memory of 32 bits, in this block and in others of its cluster, and the cluster's barrier.
//
// An address in the own block is the offset in its window; one in another block has that block's rank and 1 above.

namespace tw {

constexpr unsigned rank_bit = 24;

// Bytes of shared memory: whose, and where.
struct Spot {
  Block* block;
  std::size_t offset;
  char* here() const { return place(*block, offset); }
};

static inline Spot spot(unsigned address) {
  const unsigned rank = address >> rank_bit;
  Block* block = rank ? current->block->cluster->blocks.at(rank - 1) : current->block;
  return {block, address & ((1u << rank_bit) - 1)};
}

// The same place in that block.
static inline Spot there(const Spot& at, unsigned rank) { return {at.block->cluster->blocks.at(rank), at.offset}; }

// Where in the cluster's shared memory a pointer points to.
static inline Spot found(const void* pointer) {
  const char* at = static_cast<const char*>(pointer);
  if (kernel->first <= at && at < kernel->last)
    return {current->block, static_cast<std::size_t>(at - kernel->first)};
  for (Block* block : current->block->cluster->blocks)
    if (block->saved <= at && at < block->saved + window())
      return {block, static_cast<std::size_t>(at - block->saved)};
  std::fprintf(stderr, "an address that is none in shared memory\n");
  std::_Exit(crashed);
}

static inline unsigned to_cluster(const void* pointer) {
  const Spot at = found(pointer);
  const auto offset = static_cast<unsigned>(at.offset);
  return at.block == current->block ? offset : (at.block->rank + 1) << rank_bit | offset;
}

template <class T> static T* mapa(T* pointer, unsigned rank) {
  return reinterpret_cast<T*>(there(found(pointer), rank).here());
}

// Where all threads of a cluster that have not ended have arrived, the next phase begins.
static inline void meet(Cluster& cluster) {
  for (Block* block : cluster.blocks)
    for (const Fiber& fiber : block->fibers)
      if (fiber.state != ended && !fiber.arrived) return;
  for (Block* block : cluster.blocks)
    for (Fiber& fiber : block->fibers) fiber.arrived = false;
  ++cluster.phases;
}

static inline void cluster_arrive() {
  Cluster& cluster = *current->block->cluster;
  current->seen = cluster.phases;
  current->arrived = true;
  meet(cluster);
}

static inline void cluster_wait() {
  Cluster& cluster = *current->block->cluster;
  const unsigned long seen = current->seen;
  until([&] {
    if (cluster.phases == seen) meet(cluster);
    return cluster.phases != seen;
  });
}

}  // namespace tw

static inline std::size_t __cvta_generic_to_shared(const void* pointer) { return tw::found(pointer).offset; }
