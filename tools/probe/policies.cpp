// How large stretches are best written, as the library writes them: its own code writes here.
#include <algorithm>
#include <memory>
#include <new>

#include "probe.hpp"
#include "store/large_writes.hpp"
#include "store/positional_file.hpp"

namespace sv_probe {

namespace {

constexpr int64_t least_bytes = 2 * call_bytes, most_bytes = 8 * call_bytes;

struct Pages {
  std::byte *memory =
      static_cast<std::byte *>(::operator new (call_bytes, std::align_val_t{sv::IoThreads::page_bytes}));
  Pages() { std::fill_n(memory, call_bytes, std::byte{'x'}); }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;
  ~Pages() { ::operator delete (memory, std::align_val_t{sv::IoThreads::page_bytes}); }
};

bool broadcast_by_first(const Bench &bench, bool mine) {
  int agreed = mine ? 1 : 0;
  MPI_Bcast(&agreed, 1, MPI_INT, bench.team.rank_of(0, {1}), bench.team.comm());
  return agreed != 0;
}

}  // namespace

void measure_policies(Bench &bench, Measured &measured) {
  const int64_t bytes = std::clamp(bench.writer_bytes.at(1), least_bytes, most_bytes);
  const auto lanes = std::make_shared<sv::IoThreads>();
  const Pages pages;
  for (const bool direct : {false, true})
    for (const int depth : {1, 2, 4, 8}) {
      bench.scratch.renew();
      sv::PositionalFile file;
      sv::StoreCounters counters;
      const auto write = [&](int /*place*/) {
        file = sv::PositionalFile(bench.scratch.path(), sv::PositionalFile::Mode::update);
        file.write_by({depth, direct, int64_t{1} << 20, lanes});
        for (int64_t at = 0; at < bytes; at += call_bytes)
          file.write(at, std::span<const std::byte>(pages.memory, call_bytes), counters);
      };
      const double written = bench.team.time({1}, write).wall;
      const auto sync = [&](int /*place*/) { file.sync(); };
      const double synced = written + bench.team.time({1}, sync).wall;
      measured.refuses_direct = broadcast_by_first(bench, counters.direct_refused);
      if (measured.refuses_direct) return;
      measured.written_policies[{direct, depth}].push_back(static_cast<double>(bytes) / written);
      measured.synced_policies[{direct, depth}].push_back(static_cast<double>(bytes) / synced);
    }
}

}  // namespace sv_probe
