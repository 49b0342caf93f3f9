// Who has the next turn: threads go on when what they wait for has come. The blocks of a cluster are there at once;
// where nothing goes on, those of the next cluster come, too.

tw_index threadIdx, blockIdx, blockDim, gridDim;

namespace tw {

bool late, stirred;
const Kernel* kernel;
Block* live;
Fiber* current;
ucontext_t scheduler;
std::deque<std::unique_ptr<Cluster>> clusters;
std::vector<Task> flying;
std::vector<Memory> memory;
char* given[most_parameters];
Encoded maps[most_parameters];
static std::vector<std::unique_ptr<Block>> idle;  // that are over, for others to come

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
    fiber.stack.reset(new char[kernel->stack]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kernel->stack;
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
    fiber.state = running, fiber.seen = 0, fiber.arrived = false, fiber.place = fiber.loop = -1;
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

// Do all of these threads that have not ended wait at that barrier, or have been there? Then they go on.
static bool release(Block& block, std::size_t first, std::size_t last, State barrier) {
  bool any = false;
  for (std::size_t t = first; t < last; ++t) {
    const Fiber& fiber = block.fibers[t];
    const bool early = barrier == at_block && fiber.early;
    if (!early && fiber.state != barrier && fiber.state != ended) return false;
    any |= !early && fiber.state == barrier;
  }
  for (std::size_t t = first; any && t < last; ++t) {
    Fiber& fiber = block.fibers[t];
    if (barrier == at_block && fiber.early)
      fiber.early = false;  // where it waits, it waits for the next time
    else if (fiber.state == barrier)
      fiber.state = running;
  }
  return any;
}

// Brings a block's shared memory into the window.
static void bring(Block& block) {
  if (live == &block) return;
  if (live) std::memcpy(live->saved, kernel->first, window());
  std::memcpy(kernel->first, block.saved, window());
  live = &block;
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
  gridDim = {one.grid[0], one.grid[1], one.grid[2]}, blockDim = {one.block[0], one.block[1], one.block[2]};
  idle.clear();
  unsigned next = 0;
  Livelock livelock;
  while (begin_next(next) || !clusters.empty()) {
    for (bool some = true; some && !clusters.empty();) {
      bool went_on = false;
      stirred = false;
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
      if (went_on) livelock.over();
      else if (!flying.empty()) {
        const Task last = flying.back();
        flying.pop_back();
        last->perform();
      } else if (!begin_next(next)) {
        some = give_up_waiting();
        if (!some || livelock.found(stirred)) return stuck(some ? spinning : parted);
      }
    }
  }
  return 0;
}

}  // namespace tw
