// What a program's kernels and what runs them know of each other.

namespace tw {

// Which parameter is a map, and of which memory; the last of a kernel's has none.
struct MapOf {
  int parameter, memory;
};
struct Part {
  Kernel kernel;
  int memories;
  const MapOf* maps;
};
struct alignas(64) Encoded {
  char bytes[128];
};
constexpr int most_parameters = 256;

extern std::vector<char> memory[most_parameters];
extern Encoded maps[most_parameters];

// Runs a kernel once; 0, or why it did not end. The names are: when copies are done, then the files of the memories and
// of the maps.
int run_part(const Part& part, char** names);

}  // namespace tw
