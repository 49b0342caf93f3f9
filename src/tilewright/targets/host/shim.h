// CUDA's words for a C++ compiler: a kernel's text runs on the CPU as it stands.
//
// Each thread of a block is a fiber. The scheduler runs one until it ends or waits at a barrier, and lets a warp or a
// block go on when all of its threads wait there. If nothing can go on, the threads have parted at a barrier.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(threads)
#define __cluster_dims__(x, y, z)

static tw_index threadIdx, blockIdx;

namespace tw {

enum State { running, at_warp, at_block, at_bar, ended };
constexpr unsigned warp = 32, stack_bytes = 64 * 1024;
constexpr int failed = 4;  // exit status: an assertion does not hold

struct Fiber {
  ucontext_t context;
  State state;
  int bar;
  std::vector<char> stack;
};

static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned current;

static inline void wait(State state) {
  fibers[current].state = state;
  swapcontext(&fibers[current].context, &scheduler);
}

// Fibers ask in vain so often before the program is stopped.
constexpr unsigned long patience = 4000000;
constexpr int spinning = 5;  // exit status: threads wait for what nobody does
static unsigned long asked;

static inline void ask() {
  if (++asked > patience) std::_Exit(spinning);
  wait(running);
}

// The barriers of a block that have a number: how many lanes have come. A warp that comes counts whole.
static unsigned come[16];

static inline void bar(int number, unsigned lanes, bool waits) {
  const bool full = ++come[number] == lanes;
  if (full) {
    come[number] = 0;
    for (Fiber& fiber : fibers)
      if (fiber.state == at_bar && fiber.bar == number) fiber.state = running;
  } else if (waits) {
    fibers[current].bar = number;
    wait(at_bar);
  }
}

static void body();  // one call of the kernel, written after it

// A fiber serves the same thread of every block.
static void serve() {
  for (;;) {
    body();
    wait(ended);
  }
}

static void start(unsigned threads) {
  fibers.resize(threads);
  for (Fiber& fiber : fibers) {
    fiber.stack.resize(stack_bytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, serve, 0);
  }
}

// Do all threads from `first` to `last` that have not ended wait at that barrier? Then they go on.
static bool release(unsigned first, unsigned last, State barrier) {
  bool any = false;
  for (unsigned t = first; t < last; ++t) {
    if (fibers[t].state != barrier && fibers[t].state != ended) return false;
    any |= fibers[t].state == barrier;
  }
  for (unsigned t = first; t < last; ++t)
    if (fibers[t].state == barrier) fibers[t].state = running;
  return any;
}

// One block; false if its threads part at a barrier.
static bool run(const unsigned* block) {
  const unsigned threads = block[0] * block[1] * block[2];
  for (Fiber& fiber : fibers) fiber.state = running;
  std::memset(come, 0, sizeof come);
  for (;;) {
    for (current = 0; current < threads; ++current) {
      if (fibers[current].state != running) continue;
      threadIdx = {current % block[0], current / block[0] % block[1], current / (block[0] * block[1])};
      swapcontext(&scheduler, &fibers[current].context);
    }
    bool went_on = false, done = true;
    for (const Fiber& fiber : fibers) went_on |= fiber.state == running;
    for (unsigned first = 0; first < threads; first += warp)
      went_on |= release(first, first + warp < threads ? first + warp : threads, at_warp);
    for (const Fiber& fiber : fibers) done &= fiber.state == ended;
    if (done) return true;
    if (!went_on && !release(0, threads, at_block)) return false;
  }
}

static std::vector<char> read(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (!file) std::exit(2);
  std::fseek(file, 0, SEEK_END);
  std::vector<char> bytes(static_cast<std::size_t>(std::ftell(file)));
  std::rewind(file);
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) std::exit(2);
  std::fclose(file);
  return bytes;
}

static void write(const char* path, const std::vector<char>& bytes) {
  std::FILE* file = std::fopen(path, "wb");
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fclose(file)) std::exit(2);
}

// Ends the program where low <= value < high does not hold: which assertion, for what value, in which thread.
static inline void check(long long value, long long low, long long high, int number) {
  if (low <= value && value < high) return;
  std::fprintf(stderr, "%d %lld %u %u %u %u %u %u\n", number, value, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
               threadIdx.y, threadIdx.z);
  std::fflush(stdout);  // what the kernel has printed
  std::_Exit(failed);
}

// What the lanes of a warp show each other; a lane reads when all have written, and goes on when all have read.
static char shown[1024][8];

template <class T> static T exchange(T mine, unsigned lane) {
  std::memcpy(shown[current], &mine, sizeof mine);
  wait(at_warp);
  T theirs;
  std::memcpy(&theirs, shown[current / warp * warp + lane], sizeof theirs);
  wait(at_warp);
  return theirs;
}

static inline unsigned ballot(bool mine) {
  shown[current][0] = mine;
  wait(at_warp);
  unsigned found = 0;
  for (unsigned lane = 0; lane < warp && current / warp * warp + lane < fibers.size(); ++lane)
    found |= static_cast<unsigned>(shown[current / warp * warp + lane][0]) << lane;
  wait(at_warp);
  return found;
}

// The lane that a shuffle reads, or the lane itself where that is outside its segment.
static inline unsigned lane() { return current % warp; }
static inline unsigned within(int from, int low, int high) {
  return low <= from && from <= high ? static_cast<unsigned>(from) : lane();
}

}  // namespace tw

static inline void __syncwarp() { tw::wait(tw::at_warp); }
static inline void __syncthreads() { tw::wait(tw::at_block); }
static inline void tw_bar_sync(int barrier, int threads) { tw::bar(barrier, static_cast<unsigned>(threads), true); }
static inline void tw_bar_arrive(int barrier, int threads) { tw::bar(barrier, static_cast<unsigned>(threads), false); }

template <class T> static T __shfl_sync(unsigned, T mine, int by, int width) {
  return tw::exchange(mine, tw::lane() / width * width + (static_cast<unsigned>(by) & (width - 1)));
}
template <class T> static T __shfl_up_sync(unsigned, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mine, tw::within(lane - by, lane & -width, lane));
}
template <class T> static T __shfl_down_sync(unsigned, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mine, tw::within(lane + by, lane, lane | (width - 1)));
}
template <class T> static T __shfl_xor_sync(unsigned, T mine, int by, int width) {
  const int lane = tw::lane();
  return tw::exchange(mine, tw::within(lane ^ by, 0, lane | (width - 1)));
}
static inline unsigned __ballot_sync(unsigned, bool mine) { return tw::ballot(mine); }
static inline int __any_sync(unsigned, bool mine) { return tw::ballot(mine) != 0; }
static inline int __all_sync(unsigned, bool mine) { return tw::ballot(!mine) == 0; }

// Who asks for what others write lets them have their turn; a program that does nothing else is stopped.
template <class T> static T tw_ask(const T* at) {
  tw::ask();
  return *static_cast<const volatile T*>(at);
}
#define TW_SCOPE(scope) \
  template <class T> static T tw_load_relaxed_##scope(const T* at) { return tw_ask(at); } \
  template <class T> static T tw_load_acquire_##scope(const T* at) { return tw_ask(at); } \
  template <class T, class S> static void tw_store_relaxed_##scope(T* at, S value) { *at = value; } \
  template <class T, class S> static void tw_store_release_##scope(T* at, S value) { *at = value; }
TW_SCOPE(cta)
TW_SCOPE(cluster)
TW_SCOPE(gpu)
TW_SCOPE(sys)
