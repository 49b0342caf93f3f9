// Barriers of a warp and of a block, and what the lanes of a warp show each other.

namespace tw {

// Barrier 0 is the one at which all threads of a block meet.
static inline void bar(unsigned number, unsigned lanes, bool waits) {
  if (number == 0 && lanes >= current->block->fibers.size()) {
    if (waits) return pause(at_block);
    current->early = true;
    return;
  }
  Meeting& meeting = current->block->bars[number % barriers];
  const unsigned long times = meeting.times;
  if (++meeting.come == lanes) {
    meeting.come = 0;
    ++meeting.times;
  } else if (waits) {
    until([&] { return meeting.times != times; });
  }
}

static inline unsigned lane() { return current->thread % warp; }
static inline Fiber& peer(unsigned lane) { return current->block->fibers[current->thread / warp * warp + lane]; }

static inline Meeting& meeting(unsigned first, unsigned mask) {
  for (Named& known : current->block->named)
    if (known.first == first && known.mask == mask) return known.meeting;
  current->block->named.push_back({first, mask, {}});
  return current->block->named.back().meeting;
}

// The lanes that the mask names wait for each other; those beyond the block are not there.
static inline void meet(unsigned mask) {
  const unsigned first = current->thread / warp * warp;
  const std::size_t left = current->block->fibers.size() - first;
  if (mask == ~0u) return pause(at_warp);
  Meeting& met = meeting(first, mask);
  const unsigned long times = met.times;
  if (++met.come == static_cast<unsigned>(__builtin_popcount(left < warp ? mask & ((1u << left) - 1) : mask))) {
    met.come = 0;
    ++met.times;
  } else {
    until([&] { return met.times != times; });
  }
}

// A lane reads when all have shown theirs, and goes on when all have read.
template <class T> static T exchange(unsigned mask, T mine, unsigned lane) {
  current->given = &mine;
  meet(mask);
  T theirs = mine;
  if (current->thread / warp * warp + lane < current->block->fibers.size())
    std::memcpy(&theirs, peer(lane).given, sizeof theirs);
  meet(mask);
  return theirs;
}

static inline unsigned ballot(unsigned mask, bool mine) {
  const std::size_t threads = current->block->fibers.size(), first = current->thread / warp * warp;
  current->given = &mine;
  meet(mask);
  unsigned found = 0;
  for (unsigned lane = 0; lane < warp && first + lane < threads; ++lane)
    if (mask >> lane & 1 && peer(lane).state != ended && *static_cast<const bool*>(peer(lane).given)) found |= 1u << lane;
  meet(mask);
  return found;
}

// In how many threads of the block it holds.
static inline int votes(bool mine) {
  current->given = &mine;
  pause(at_block);
  int found = 0;
  for (const Fiber& fiber : current->block->fibers)
    if (fiber.state != ended) found += *static_cast<const bool*>(fiber.given);
  pause(at_block);
  return found;
}

// The lane that a shuffle reads, or the lane itself where that is outside its segment.
static inline unsigned within(int from, int low, int high) {
  return low <= from && from <= high ? static_cast<unsigned>(from) : lane();
}

// Who asks for what others write lets them have their turn.
template <class T> static T asked(const void* at) {
  ask();
  T found;
  std::memcpy(&found, at, sizeof found);
  return found;
}

template <class T> static void put(void* at, T value) { std::memcpy(at, &value, sizeof value); }

}  // namespace tw

static inline void __syncwarp() { tw::pause(tw::at_warp); }
static inline void __syncthreads() { tw::pause(tw::at_block); }
static inline int __syncthreads_count(bool mine) { return tw::votes(mine); }
static inline int __syncthreads_or(bool mine) { return tw::votes(mine) != 0; }
static inline int __syncthreads_and(bool mine) { return tw::votes(!mine) == 0; }

template <class T> static T __shfl_sync(unsigned mask, T mine, int by, int width) {
  return tw::exchange(mask, mine, tw::lane() / width * width + (static_cast<unsigned>(by) & (width - 1)));
}
template <class T> static T __shfl_up_sync(unsigned mask, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mask, mine, tw::within(lane - by, lane & -width, lane));
}
template <class T> static T __shfl_down_sync(unsigned mask, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mask, mine, tw::within(lane + by, lane, lane | (width - 1)));
}
template <class T> static T __shfl_xor_sync(unsigned mask, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mask, mine, tw::within(lane ^ by, 0, lane | (width - 1)));
}
static inline unsigned __ballot_sync(unsigned mask, bool mine) { return tw::ballot(mask, mine); }
static inline int __any_sync(unsigned mask, bool mine) { return tw::ballot(mask, mine) != 0; }
static inline int __all_sync(unsigned mask, bool mine) { return tw::ballot(mask, !mine) == 0; }

template <class T> static T atomicCAS(T* at, T expected, T value) {
  return tw_change(at, [=](T x) { return x == expected ? value : x; });
}
static inline void __threadfence_block() {}
static inline void __threadfence() {}
static inline void __threadfence_system() {}
