// CUDA's words for a C++ compiler: a kernel's text runs on the CPU as it stands.
//
// Each thread of a block is a fiber, which runs until it ends or waits, or has asked for what others do.

#include <csetjmp>
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

extern tw_index threadIdx, blockIdx, blockDim, gridDim;

namespace tw {

// What a program knows of a kernel: one call of it, how it is launched, and the window of a block's shared memory,
// where the block that is at work has its arrays.
struct Kernel {
  void (*body)();
  unsigned grid[3], block[3], cluster;
  char *first, *last;
  std::size_t stack;  // bytes that a thread has
};

constexpr unsigned warp = 32, warpgroup = 128, barriers = 16;
constexpr std::size_t alignment = 1024;
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
extern bool late;

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
  int place = -1, loop = -1;            // where it last came to something to wait for; in which loop it asks
  jmp_buf held;                         // its registers while others have their turn
  const char* top = nullptr;            // of what is on its stack then
  const void* given = nullptr;          // to what a warp does together
  unsigned long seen = 0;               // phases of the cluster's barrier
  bool arrived = false;
  bool early = false;  // it has come to its block's barrier, and did not wait there
  Groups copies, bulk;
  std::unique_ptr<char[]> stack;
};

// Threads that do something together: how many have come, and how often all had.
struct Meeting {
  unsigned come = 0;
  unsigned long times = 0;
};
// Those of a warp whose lanes a mask names.
struct Named {
  unsigned first, mask;
  Meeting meeting;
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
  std::deque<Named> named;
  std::unique_ptr<char[]> room;  // its shared memory while another block's is in the window
  char* saved = nullptr;
  Tensor tensor;
};
struct Cluster {
  std::vector<Block*> blocks;
  unsigned long phases = 0;
};

extern const Kernel* kernel;
extern Block* live;  // whose shared memory is in the window
extern Fiber* current;
extern ucontext_t scheduler;
extern std::deque<std::unique_ptr<Cluster>> clusters;
extern std::vector<Task> flying;  // what is done by nobody's waiting for it in particular

static inline std::size_t window() { return static_cast<std::size_t>(kernel->last - kernel->first); }

static inline void pause(State state) {
  current->state = state;
  current->top = static_cast<const char*>(__builtin_frame_address(0));
  (void)setjmp(current->held);
  swapcontext(&current->context, &scheduler);
}

// Waits until that holds; a patient one may go on before, where nobody else does.
template <class Condition> static void until(const Condition& holds, bool patient = false) {
  if (holds()) return;
  current->ready = [](const void* condition) { return (*static_cast<const Condition*>(condition))(); };
  current->what = &holds;
  current->patient = patient;
  pause(waiting);
  current->asked = patient && !holds();
}

extern bool stirred;  // somebody has changed what he asked for

// Lets others have their turn; what has changed something has done more than ask, but in a loop that asks.
static inline void ask(bool changed = false) {
  current->asked = !changed || current->loop >= 0;
  stirred |= changed;
  pause(running);
}

// Where it is in the program, by the number of the place.
static inline void at(int place) { current->place = place; }
static inline void within(int loop) { current->loop = loop; }

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

// Ends the program where low <= value < high does not hold: which assertion, for what value, in which thread.
static inline void check(long long value, long long low, long long high, int number) {
  if (low <= value && value < high) return;
  std::fprintf(stderr, "%d %lld %u %u %u %u %u %u\n", number, value, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
               threadIdx.y, threadIdx.z);
  std::fflush(stdout);  // what the kernel has printed
  std::_Exit(failed);
}

}  // namespace tw

static inline void tw_changed(bool changed) { tw::ask(changed); }
static inline void __nanosleep(unsigned) { tw::ask(); }
