// mbarriers: a phase ends when no arrival and no byte is pending; then as many arrivals are expected again.

namespace tw {

// 64 bits in shared memory: the parity of the phase, arrivals that are pending and expected, bytes on their way.
struct Mbarrier {
  std::uint64_t parity : 1, pending : 20, expected : 20;
  std::int64_t bytes : 23;
};
static_assert(sizeof(Mbarrier) == 8, "as in PTX");

template <class Change> static void change(const Spot& at, const Change& how) {
  Mbarrier barrier;
  std::memcpy(&barrier, at.here(), sizeof barrier);
  how(barrier);
  if (!barrier.pending && !barrier.bytes) barrier.parity ^= 1, barrier.pending = barrier.expected;
  std::memcpy(at.here(), &barrier, sizeof barrier);
}

static inline void mbarrier_init(unsigned address, unsigned count) {
  const Mbarrier barrier = {0, count, count, 0};
  std::memcpy(spot(address).here(), &barrier, sizeof barrier);
}

static inline void mbarrier_inval(unsigned address) { std::memset(spot(address).here(), garbage, sizeof(Mbarrier)); }

static inline void mbarrier_expect(unsigned address, unsigned bytes) {
  change(spot(address), [=](Mbarrier& barrier) { barrier.bytes += bytes; });
}

static inline void arrive(const Spot& at, unsigned count) {
  change(at, [=](Mbarrier& barrier) { barrier.pending -= count; });
}

static inline void mbarrier_arrive(unsigned address, unsigned count = 1) { arrive(spot(address), count); }

static inline void mbarrier_arrive_expect(unsigned address, unsigned bytes) {
  change(spot(address), [=](Mbarrier& barrier) { barrier.bytes += bytes, --barrier.pending; });
}

static inline void complete(const Spot& at, std::size_t bytes) {
  change(at, [=](Mbarrier& barrier) { barrier.bytes -= static_cast<std::int64_t>(bytes); });
}

// Has the phase of that parity ended?
static inline bool has_ended(const Spot& at, unsigned parity) {
  Mbarrier barrier;
  std::memcpy(&barrier, at.here(), sizeof barrier);
  return barrier.parity != (parity & 1);
}

static inline bool mbarrier_test(unsigned address, unsigned parity) {
  ask();
  return has_ended(spot(address), parity);
}

// May take a while, and may give up.
static inline bool mbarrier_try(unsigned address, unsigned parity) {
  const Spot at = spot(address);
  until([=] { return has_ended(at, parity); }, true);
  return has_ended(at, parity);
}

// When the copies that this thread has begun are done, they arrive; unless that is expected, one more is.
static inline void copies_arrive(unsigned address, bool expected) {
  const Spot at = spot(address);
  if (!expected) change(at, [](Mbarrier& barrier) { ++barrier.pending; });
  std::vector<Task> tasks = current->copies.open;
  for (const auto& group : current->copies.closed) tasks.insert(tasks.end(), group.begin(), group.end());
  fly([=] {
    for (const Task& task : tasks) task->perform();
    arrive(at, 1);
  });
}

}  // namespace tw
