// Packing as the library does it: the halo is left out, values are put into the file's order of bytes, in memory that
// processes share and that was touched before.
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define SV_PROBE_BY_MACHINE __attribute__((target_clones("arch=x86-64-v4", "avx2", "ssse3", "default")))
#else
#define SV_PROBE_BY_MACHINE
#endif

namespace sv_probe {

namespace {

constexpr int64_t columns = 512, rows = 4096, halo = 2, line = columns + 2 * halo;
constexpr int64_t packed_bytes = rows * columns * 8;
constexpr int times = 2;

SV_PROBE_BY_MACHINE void pack_row(uint64_t *to, const uint64_t *from) {
  for (int64_t i = 0; i < columns; ++i) to[i] = __builtin_bswap64(from[i]);
}

// Owns the mapping.
class SharedMemory {
 public:
  SharedMemory() : at_(mmap(nullptr, packed_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (at_ == MAP_FAILED) throw std::runtime_error("there is no shared memory to pack into");
    std::memset(at_, 1, packed_bytes);
  }
  ~SharedMemory() { munmap(at_, packed_bytes); }
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;
  uint64_t *words() const { return static_cast<uint64_t *>(at_); }

 private:
  void *at_;
};

void pack(const std::vector<uint64_t> &block, const SharedMemory &memory) {
  for (int time = 0; time < times; ++time)
    for (int64_t row = 0; row < rows; ++row)
      pack_row(memory.words() + row * columns, &block[static_cast<size_t>((row + halo) * line + halo)]);
}

// Of `packers` ranks of the first node together.
double rate_of(Team &team, int packers) {
  std::vector<uint64_t> block;
  std::optional<SharedMemory> memory;
  const Part part{packers, true};
  team.time(part, [&](int /*place*/) {
    block.assign(static_cast<size_t>(line * (rows + 2 * halo)), 0x0102030405060708U);
    memory.emplace();
  });
  const Seconds seconds = team.time(part, [&](int /*place*/) { pack(block, *memory); });
  return static_cast<double>(times) * packed_bytes * packers / seconds.wall;
}

}  // namespace

void measure_packing(Bench &bench, Measured &measured) {
  Team &team = bench.team;
  measured.packers = std::min(team.cores_per_node(), team.ranks_on_first_node());
  measured.pack_one.push_back(rate_of(team, 1));
  measured.pack_node.push_back(measured.packers > 1 ? rate_of(team, measured.packers) : measured.pack_one.back());
}

}  // namespace sv_probe
