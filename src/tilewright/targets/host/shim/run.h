// The program: it runs one of its kernels once, on memories that are files.

namespace tw {

// Which parameter is a map, and of which memory.
struct MapOf {
  int parameter, memory;
};
struct Part {
  Kernel kernel;
  int memories;
  std::vector<MapOf> maps;
};
struct alignas(64) Encoded {
  char bytes[128];
};

static Encoded maps[most_parameters];

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

// The names are: when copies are done, then the files of the memories and of the maps.
static int run_part(const Part& part, char** names) {
  late = !std::strcmp(*names++, "late");
  for (int i = 0; i < part.memories; ++i) memory[i] = read(names[i]);
  for (std::size_t i = 0; i < part.maps.size(); ++i) {
    const MapOf& own = part.maps[i];
    char* const bytes = maps[own.parameter].bytes;
    const std::vector<char> told = read(names[static_cast<std::size_t>(part.memories) + i]);
    std::memcpy(bytes, told.data(), sizeof(Encoded));
    const char* const start = memory[own.memory].data();
    std::memcpy(bytes, &start, sizeof start);
  }
  const int status = launch(part.kernel);
  for (int i = 0; i < part.memories && !status; ++i) write(names[i], memory[i]);
  return status;
}

}  // namespace tw
