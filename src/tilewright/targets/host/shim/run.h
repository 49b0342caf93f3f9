// Runs a kernel once, on memories that are files.

#include <sys/mman.h>
#include <unistd.h>

namespace tw {

// Its end lies as near before a page that nobody may touch as 16 bytes allow.
static Memory fenced(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = (size + page - 1) / page * page;
  void* const found = mmap(nullptr, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) std::exit(2);
  char* const start = static_cast<char*>(found) + page;
  if (whole && mprotect(start, whole, PROT_READ | PROT_WRITE)) std::exit(2);
  return {start + (whole - size) / 16 * 16, size};
}

static Memory read(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (!file) std::exit(2);
  std::fseek(file, 0, SEEK_END);
  const Memory bytes = fenced(static_cast<std::size_t>(std::ftell(file)));
  std::rewind(file);
  if (std::fread(bytes.first, 1, bytes.size, file) != bytes.size) std::exit(2);
  std::fclose(file);
  return bytes;
}

static void write(const char* path, const Memory& bytes) {
  std::FILE* file = std::fopen(path, "wb");
  if (!file || std::fwrite(bytes.first, 1, bytes.size, file) != bytes.size || std::fclose(file)) std::exit(2);
}

static unsigned long long number(const char* text) { return std::strtoull(text, nullptr, 10); }

int run_part(const Part& part, int count, char** told) {
  char** const end = told + count;
  Kernel own = part.kernel;
  late = !std::strcmp(*told++, "late");
  const auto seconds = static_cast<int>(number(*told++));
  for (unsigned& extent : own.grid) extent = static_cast<unsigned>(number(*told++));
  char** const places = told;
  told += 2 * part.parameters;
  char** const names = told;
  int maps_of = 0;
  while (part.maps[maps_of] >= 0) ++maps_of;
  for (; told < end - maps_of; ++told) memory.push_back(read(*told));
  for (int i = 0; i < part.parameters; ++i) given[i] = memory[number(places[2 * i])].first + number(places[2 * i + 1]);
  for (const int* one = part.maps; *one >= 0; ++one) {
    std::memcpy(maps[*one].bytes, read(*told++).first, sizeof(Encoded));
    std::memcpy(maps[*one].bytes, &given[*one], sizeof given[*one]);
  }
  limit_time(seconds);  // the process is the kernel's alone
  const int status = launch(own);
  for (std::size_t i = 0; i < memory.size() && !status; ++i) write(names[i], memory[i]);
  return status;
}

}  // namespace tw
