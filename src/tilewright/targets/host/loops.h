// A block is one call: its threads are loops. Here is what its text calls, and how it ends where an assertion does not
// hold. Nothing is static but what belongs to a thread of the CPU, so that several may run the kernel at once.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

// What the caller learns of a run: an assertion that does not hold, where, and what the kernel has printed; and what it
// asks for: that Ctrl-C stops the run, and how many blocks there are.
struct tw_extents { long long x, y, z; };
struct tw_report {
  long long number, value, block, thread;
  char* text;
  std::size_t size;
  bool stops;
  tw_extents grid;
};
struct tw_block {
  long long x, y, z;
  tw_extents grid;
};
struct tw_failure { long long number, value, thread; };
static thread_local std::FILE* tw_out;

// low <= value < high?
static inline void tw_check(long long value, long long low, long long high, int number, long long thread) {
  if (__builtin_expect(value < low || high <= value, 0)) throw tw_failure{number, value, thread};
}

__attribute__((format(printf, 1, 2))) static void tw_print(const char* format, ...) {
  va_list given;
  va_start(given, format);
  if (tw_out) std::vfprintf(tw_out, format, given);
  va_end(given);
}
#define printf tw_print

// Ctrl-C leaves the blocks where they are: Python, whose handler waits for the end of a call, is told that they did not end.
// Only the main thread asks for it, and no kernel that prints, which may hold a lock of the library's.
#ifdef __unix__
#include <csetjmp>
#include <csignal>
#include <pthread.h>
static sigjmp_buf tw_left;
static pthread_t tw_main;
static void tw_leave(int signal) {
  if (pthread_equal(pthread_self(), tw_main)) siglongjmp(tw_left, 1);
  pthread_kill(tw_main, signal);
}
template <class Run> static int tw_interruptible(bool wanted, Run run) {
  struct sigaction mine = {}, before = {};
  sigaction(SIGINT, nullptr, &before);
  if (!wanted || before.sa_handler == SIG_IGN) return run();
  mine.sa_handler = tw_leave, tw_main = pthread_self();
  volatile int status = 2;
  if (sigsetjmp(tw_left, 1) == 0) {
    sigaction(SIGINT, &mine, nullptr);
    status = run();
  }
  sigaction(SIGINT, &before, nullptr);
  return status;
}
#else
template <class Run> static int tw_interruptible(bool, Run run) { return run(); }
#endif

static inline void tw_changed(bool) {}

template <class T, class S> static T tw_swap(T* at, S expected, S value) {
  return tw_change(at, [=](T x) { return x == expected ? T(value) : x; });
}
static inline void __threadfence_block() {}
static inline void __threadfence() {}
static inline void __threadfence_system() {}
static inline void __nanosleep(unsigned int) {}
template <int> static void tw_registers_inc() {}
template <int> static void tw_registers_dec() {}

#define TW_SCOPE(scope) \
  template <class T> static T tw_load_relaxed_##scope(const T* at) { return *at; } \
  template <class T> static T tw_load_acquire_##scope(const T* at) { return *at; } \
  template <class T, class S> static void tw_store_relaxed_##scope(T* at, S value) { *at = value; } \
  template <class T, class S> static void tw_store_release_##scope(T* at, S value) { *at = value; }
TW_SCOPE(cta)
TW_SCOPE(cluster)
TW_SCOPE(gpu)
TW_SCOPE(sys)
