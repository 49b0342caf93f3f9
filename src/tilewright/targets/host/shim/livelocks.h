// Threads that will never end: how that is noticed, and what is told of them.

#include <csignal>
#include <ctime>
#include <sys/time.h>

namespace tw {

constexpr int endless = 7;                       // exit status: the time is over
constexpr unsigned long first_look = 64;         // rounds in which all only ask
constexpr unsigned long longest_circle = 64;     // rounds after which all may be as it was
constexpr int most_asking = 4;                   // seconds of the processor for rounds in which all only ask

static std::uint64_t digest(std::uint64_t seed, const char* first, std::size_t size) {
  for (std::size_t at = 0; at + 8 <= size; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, first + at, 8);
    seed = (seed ^ word) * 0x9e3779b97f4a7c15ull;
    seed ^= seed >> 29;
  }
  for (std::size_t at = size / 8 * 8; at < size; ++at) seed = (seed ^ static_cast<unsigned char>(first[at])) * 0x100000001b3ull;
  return seed;
}

// All that decides what the threads do from here on: memory, their registers and their stacks.
static std::uint64_t state() {
  std::uint64_t seed = 1;
  for (const Memory& one : memory) seed = digest(seed, one.first, one.size);
  for (const auto& cluster : clusters)
    for (Block* block : cluster->blocks) {
      seed = digest(seed, place(*block, 0), window());
      for (const Fiber& fiber : block->fibers) {
        if (fiber.state == ended) continue;
        seed = digest(seed + fiber.state, reinterpret_cast<const char*>(&fiber.held), sizeof fiber.held);
        seed = digest(seed, fiber.top, static_cast<std::size_t>(fiber.stack.get() + kernel->stack - fiber.top));
      }
    }
  return seed;
}

// All only ask, round after round. Where all is as it was a few rounds before, they will for ever. As long as what they
// ask for changes, only that tells; where it does not, there is a limit, too.
class Livelock {
  unsigned long rounds = 0, next = first_look, last = 0;
  std::uint64_t kept = 0;
  std::clock_t since = 0;

 public:
  void over() { rounds = 0, next = first_look; }
  bool found(bool changes) {
    if (!rounds++ || changes) since = std::clock();
    if (rounds < first_look) return false;
    if ((std::clock() - since) / CLOCKS_PER_SEC >= most_asking) return true;
    if (rounds != next) return rounds <= last && state() == kept;
    kept = state(), last = rounds + longest_circle, next *= 2;
    return false;
  }
};

// Says of one thread where it is: its number there, whether it waits, how many are there, and who it is.
static void tell(const Fiber& fiber, unsigned long many) {
  const tw_index block = fiber.block->at;
  const unsigned wide = kernel->block[0], high = kernel->block[1];
  std::fprintf(stderr, "%d %d %lu %u %u %u %u %u %u\n", fiber.state == running ? fiber.loop : fiber.place,
               fiber.state != running, many, block.x, block.y, block.z, fiber.thread % wide, fiber.thread / wide % high,
               fiber.thread / (wide * high));
}

// Tells of the first thread at each place, and how many are there.
static int stuck(int status) {
  struct Seen { const Fiber* first; unsigned long many; };
  std::vector<Seen> seen;
  const auto alike = [](const Fiber& a, const Fiber& b) {
    if ((a.state == running) != (b.state == running)) return false;
    return a.state == running ? a.loop == b.loop : a.place == b.place;
  };
  for (const auto& cluster : clusters)
    for (const Block* block : cluster->blocks)
      for (const Fiber& fiber : block->fibers) {
        if (fiber.state == ended) continue;
        std::size_t i = 0;
        while (i < seen.size() && !alike(*seen[i].first, fiber)) ++i;
        if (i == seen.size()) seen.push_back({&fiber, 0});
        ++seen[i].many;
      }
  for (const Seen& one : seen) tell(*one.first, one.many);
  return status;
}

static void time_is_over(int) {
  if (current) tell(*current, 1);
  std::_Exit(endless);
}

static void limit_time(int seconds) {
  std::signal(SIGPROF, time_is_over);
  itimerval limit = {};
  limit.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
}

}  // namespace tw
