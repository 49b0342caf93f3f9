// What a program's kernels and what runs them know of each other.

namespace tw {

// A kernel, how many parameters it has, and which of them are maps; the last of these is -1.
struct Part {
  Kernel kernel;
  int parameters;
  const int* maps;
};
// Bytes between pages that nobody may touch, so that whoever leaves them at their end does not go on.
struct Memory {
  char* first = nullptr;
  std::size_t size = 0;
};
struct alignas(64) Encoded {
  char bytes[128];
};
constexpr int most_parameters = 256;

extern std::vector<Memory> memory;
extern char* given[most_parameters];  // where each parameter lies, or points to
extern Encoded maps[most_parameters];

// Runs a kernel once; 0, or why it did not end. It is told when copies are done, how many seconds
// of the processor it has, the blocks of the grid (x, y, z), of
// each parameter the number of its memory and how many bytes from its start it lies, then the files of the memories and
// of the maps.
int run_part(const Part& part, int count, char** told);

}  // namespace tw
