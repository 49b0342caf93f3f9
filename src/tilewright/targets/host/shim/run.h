// Runs a kernel once, on memories that are files.

namespace tw {

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

int run_part(const Part& part, char** names) {
  late = !std::strcmp(*names++, "late");
  for (int i = 0; i < part.memories; ++i) memory[i] = read(names[i]);
  char** told = names + part.memories;
  for (const MapOf* own = part.maps; own->parameter >= 0; ++own) {
    char* const bytes = maps[own->parameter].bytes;
    std::memcpy(bytes, read(*told++).data(), sizeof(Encoded));
    const char* const start = memory[own->memory].data();
    std::memcpy(bytes, &start, sizeof start);
  }
  limit_time();  // the process is the kernel's alone
  const int status = launch(part.kernel);
  for (int i = 0; i < part.memories && !status; ++i) write(names[i], memory[i]);
  return status;
}

}  // namespace tw
