// CUDA's words for a C++ compiler: a kernel's text runs on the CPU as it stands.
//
// Each thread of a block is a fiber. The scheduler runs one until it ends or waits, and lets it go on when what it waits
// for has come. The blocks of a cluster are there at once; where nothing goes on, those of the next cluster come, too.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(threads)
#define __cluster_dims__(x, y, z)
#define __CUDA_ARCH__ 900

static tw_index threadIdx, blockIdx;

namespace tw {

// What a program knows of a kernel: one call of it, how it is launched, and the window of a block's shared memory,
// where the block that is at work has its arrays.
struct Kernel {
  void (*body)();
  unsigned grid[3], block[3], cluster;
  char *first, *last;
};

constexpr unsigned warp = 32, warpgroup = 128, barriers = 16;
constexpr std::size_t stack_bytes = 64 * 1024, alignment = 1024;
constexpr unsigned most_fibers = 1 << 14;  // of blocks that are there at once, beyond those of a cluster
constexpr int failed = 4, parted = 3, spinning = 5, crashed = 6;  // exit status: why a kernel did not end well
constexpr int garbage = 0xa5;                        // what shared memory holds before it is written

// Something that is done later, once.
struct Pending {
  std::function<void()> act;
  void perform() {
    if (!act) return;
    const std::function<void()> now = std::move(act);
    act = nullptr;
    now();
  }
};
using Task = std::shared_ptr<Pending>;

// Are copies that go on by themselves done as late as they may be? Else at once.
static bool late;

// The copies of a thread: those of no group yet, and its groups, the oldest first.
struct Groups {
  std::vector<Task> open;
  std::deque<std::vector<Task>> closed;
  void add(std::function<void()> act) {
    if (late) open.push_back(std::make_shared<Pending>(Pending{std::move(act)}));
    else act();
  }
  void commit() {
    closed.push_back(std::move(open));
    open.clear();
  }
  void wait(std::size_t most) {
    for (; closed.size() > most; closed.pop_front())
      for (const Task& task : closed.front()) task->perform();
  }
  void finish() {
    commit();
    wait(0);
  }
};

enum State { running, at_warp, at_block, waiting, ended };
struct Block;
struct Fiber {
  ucontext_t context;
  Block* block;
  unsigned thread;
  State state = running;
  bool (*ready)(const void*) = nullptr;  // does it go on? of what it waits for
  const void* what = nullptr;
  bool asked = false, patient = false;  // it has only asked; it takes no for an answer
  const void* given = nullptr;          // to what a warp does together
  unsigned long seen = 0;               // phases of the cluster's barrier
  bool arrived = false;
  Groups copies, bulk;
  std::unique_ptr<char[]> stack;
};

// Threads that do something together: how many have come, and how often all had.
struct Meeting {
  unsigned come = 0;
  unsigned long times = 0;
};
struct Cluster;
// Tensor memory: words by lane and column, and which columns are the block's.
struct Tensor {
  std::vector<std::uint32_t> words;
  std::vector<bool> taken;
};
struct Block {
  tw_index at;
  unsigned rank;
  Cluster* cluster;
  std::deque<Fiber> fibers;
  Meeting bars[barriers], warps[32], warpgroups[8];
  std::unique_ptr<char[]> room;  // its shared memory while another block's is in the window
  char* saved = nullptr;
  Tensor tensor;
};
struct Cluster {
  std::vector<Block*> blocks;
  unsigned long phases = 0;
};

static const Kernel* kernel;
static Block* live;  // whose shared memory is in the window
static Fiber* current;
static ucontext_t scheduler;
static std::vector<std::unique_ptr<Block>> idle;
static std::deque<std::unique_ptr<Cluster>> clusters;
static std::vector<Task> flying;  // what is done by nobody's waiting for it in particular

// Fibers have so many turns in which nothing happens before the program is stopped.
constexpr unsigned long patience = 1000000;

static inline std::size_t window() { return static_cast<std::size_t>(kernel->last - kernel->first); }

static inline void pause(State state) {
  current->state = state;
  swapcontext(&current->context, &scheduler);
}

// Waits until that holds; a patient one may go on before, where nobody else does.
template <class Condition> static void until(const Condition& holds, bool patient = false) {
  if (holds()) return;
  current->ready = [](const void* condition) { return (*static_cast<const Condition*>(condition))(); };
  current->what = &holds;
  current->patient = patient;
  pause(waiting);
}

// Lets others have their turn.
static inline void ask() {
  current->asked = true;
  pause(running);
}

// Done at once, or when nobody can go on.
static inline void fly(std::function<void()> act) {
  if (late) flying.push_back(std::make_shared<Pending>(Pending{std::move(act)}));
  else act();
}

// All of so many threads are here: the last one does the work for all.
template <class Work> static void together(Meeting& meeting, unsigned threads, const void* mine, const Work& work) {
  current->given = mine;
  const unsigned long times = meeting.times;
  if (++meeting.come < threads) {
    until([&] { return meeting.times != times; });
    return;
  }
  meeting.come = 0;
  work();
  ++meeting.times;
}

// ---- shared memory

static inline char* place(Block& block, std::size_t offset) {
  return (&block == live ? kernel->first : block.saved) + offset;
}

// Brings a block's shared memory into the window.
static void bring(Block& block) {
  if (live == &block) return;
  if (live) std::memcpy(live->saved, kernel->first, window());
  std::memcpy(kernel->first, block.saved, window());
  live = &block;
}

// ---- blocks

// A fiber serves the same thread of one block after the other.
static void serve() {
  for (;;) {
    kernel->body();
    pause(ended);
  }
}

static std::unique_ptr<Block> new_block(unsigned threads) {
  auto made = std::make_unique<Block>();
  made->room.reset(new char[window() + alignment]);
  const auto at = reinterpret_cast<std::uintptr_t>(made->room.get());
  made->saved = made->room.get() + (alignment - at % alignment);
  for (unsigned thread = 0; thread < threads; ++thread) {
    made->fibers.emplace_back();
    Fiber& fiber = made->fibers.back();
    fiber.block = made.get(), fiber.thread = thread;
    fiber.stack.reset(new char[stack_bytes]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, serve, 0);
  }
  return made;
}

static Block* begin(tw_index at, unsigned rank, Cluster* cluster) {
  const unsigned threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
  std::unique_ptr<Block> block;
  if (idle.empty()) block = new_block(threads);
  else block = std::move(idle.back()), idle.pop_back();
  block->at = at, block->rank = rank, block->cluster = cluster;
  for (Fiber& fiber : block->fibers) {
    fiber.state = running, fiber.seen = 0, fiber.arrived = false;
    fiber.copies = Groups{}, fiber.bulk = Groups{};
  }
  for (Meeting& bar : block->bars) bar = Meeting{};
  block->tensor = Tensor{};
  if (window()) std::memset(block->saved, garbage, window());
  return block.release();
}

static void finish(Cluster& cluster) {
  for (; !flying.empty(); flying.pop_back()) flying.back()->perform();
  for (Block* block : cluster.blocks)
    for (Fiber& fiber : block->fibers) fiber.copies.finish(), fiber.bulk.finish();
  for (Block* block : cluster.blocks) {
    if (live == block) live = nullptr;
    idle.emplace_back(block);
  }
}

// Do all of these threads that have not ended wait at that barrier? Then they go on.
static bool release(Block& block, std::size_t first, std::size_t last, State barrier) {
  bool any = false;
  for (std::size_t t = first; t < last; ++t) {
    const State state = block.fibers[t].state;
    if (state != barrier && state != ended) return false;
    any |= state == barrier;
  }
  for (std::size_t t = first; t < last; ++t)
    if (block.fibers[t].state == barrier) block.fibers[t].state = running;
  return any;
}

// All threads of a block go as far as they can; has one done more than ask?
static bool turn(Block& block) {
  bool went_on = false;
  const unsigned wide = kernel->block[0], high = kernel->block[1];
  bring(block);
  blockIdx = block.at;
  for (Fiber& fiber : block.fibers) {
    if (fiber.state == waiting && fiber.ready(fiber.what)) fiber.state = running;
    if (fiber.state != running) continue;
    current = &fiber, fiber.asked = false;
    threadIdx = {fiber.thread % wide, fiber.thread / wide % high, fiber.thread / (wide * high)};
    swapcontext(&scheduler, &fiber.context);
    went_on |= !fiber.asked;
  }
  const std::size_t threads = block.fibers.size();
  for (std::size_t first = 0; first < threads; first += warp)
    went_on |= release(block, first, first + warp < threads ? first + warp : threads, at_warp);
  return release(block, 0, threads, at_block) || went_on;
}

static bool is_over(const Cluster& cluster) {
  for (const Block* block : cluster.blocks)
    for (const Fiber& fiber : block->fibers)
      if (fiber.state != ended) return false;
  return true;
}

// The blocks of the next cluster begin, if there are any and there is room.
static bool begin_next(unsigned& next) {
  const unsigned *grid = kernel->grid, *block = kernel->block, size = kernel->cluster;
  const bool full = clusters.size() * size * block[0] * block[1] * block[2] > most_fibers;
  if (next >= grid[0] * grid[1] * grid[2] || (full && !clusters.empty())) return false;
  clusters.emplace_back(new Cluster);
  for (unsigned rank = 0; rank < size; ++rank, ++next) {
    const tw_index at = {next % grid[0], next / grid[0] % grid[1], next / (grid[0] * grid[1])};
    clusters.back()->blocks.push_back(begin(at, rank, clusters.back().get()));
  }
  return true;
}

// Lets those go on that have waited for a while, with nothing to show for it; is there anyone?
static bool give_up_waiting() {
  bool any = false;
  for (const auto& cluster : clusters)
    for (Block* block : cluster->blocks)
      for (Fiber& fiber : block->fibers) {
        if (fiber.state == running) any = true;
        if (fiber.state != waiting || !fiber.patient) continue;
        fiber.state = running, any = true;
      }
  return any;
}

// Runs the kernel; 0, or why it does not go on.
static int launch(const Kernel& one) {
  kernel = &one, live = nullptr;
  idle.clear();
  unsigned next = 0;
  unsigned long asked = 0;
  while (begin_next(next) || !clusters.empty()) {
    for (bool some = true; some && !clusters.empty();) {
      bool went_on = false;
      for (std::size_t i = 0; i < clusters.size();) {
        for (Block* block : clusters[i]->blocks) went_on |= turn(*block);
        if (!is_over(*clusters[i])) {
          ++i;
          continue;
        }
        finish(*clusters[i]);
        clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(i));
        went_on = true;
      }
      if (went_on) asked = 0;
      else if (!flying.empty()) {
        const Task last = flying.back();
        flying.pop_back();
        last->perform();
      } else if (!begin_next(next)) {
        some = give_up_waiting();
        for (const auto& cluster : clusters) asked += cluster->blocks.size() * cluster->blocks[0]->fibers.size();
        if (!some) return parted;
        if (asked > patience) return spinning;
      }
    }
  }
  return 0;
}

// Ends the program where low <= value < high does not hold: which assertion, for what value, in which thread.
static inline void check(long long value, long long low, long long high, int number) {
  if (low <= value && value < high) return;
  std::fprintf(stderr, "%d %lld %u %u %u %u %u %u\n", number, value, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
               threadIdx.y, threadIdx.z);
  std::fflush(stdout);  // what the kernel has printed
  std::_Exit(failed);
}

}  // namespace tw
