#include <algorithm>
#include <ctime>
#include <memory>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr double aim_seconds = 0.1, shortest = 1e-9;
constexpr int calls_of_series = 16, small_reads = 1000;

/// Of this thread.
double core_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Seconds in which `writers` write `bytes` each, one range behind the other, into a new file; `on_core`: of them on a
// core, on the ranks that write.
double seconds_of(Bench &bench, int writers, int64_t bytes, double *on_core = nullptr) {
  bench.scratch.renew();
  const std::unique_ptr<Opened> file = open_file(bench, {writers});
  const Seconds seconds = bench.team.time({writers}, [&](int place) {
    const double before = core_seconds();
    for (int64_t done = 0; done < bytes; done += call_bytes) file->write(bench.data, call_bytes, place * bytes + done);
    if (on_core != nullptr) *on_core = core_seconds() - before;
  });
  return seconds.wall;
}

// Of a call of `bytes` by one writer, into places of a new file that are `stride_bytes` apart.
double seconds_of_call(Bench &bench, int64_t bytes, int64_t stride_bytes) {
  bench.scratch.renew();
  const std::unique_ptr<Opened> file = open_file(bench, {1});
  const Seconds seconds = bench.team.time({1}, [&](int /*place*/) {
    for (int i = 0; i < calls_of_series; ++i) file->write(bench.data, bytes, i * stride_bytes);
  });
  return seconds.wall / calls_of_series;
}

// Seconds of a call without its bytes, and of a byte, from calls of two sizes.
struct Cost {
  double call, byte;
};
Cost cost_of(double small_seconds, double large_seconds, int64_t large_bytes) {
  const auto large = static_cast<double>(large_bytes);
  const double byte = std::max((large_seconds - small_seconds) / (large - small_bytes), shortest / large);
  return {std::max(small_seconds - small_bytes * byte, 0.0), byte};
}

}  // namespace

std::unique_ptr<Opened> open_file(Bench &bench, Part part) {
  std::unique_ptr<Opened> file;
  bench.team.time(part,
                  [&](int /*place*/) { file = std::make_unique<Opened>(bench.scratch.path(), bench.team.rank()); });
  return file;
}

void choose_sizes(Bench &bench) {
  const int64_t room = bench.scratch.free_bytes() / 2;
  for (const int writers : bench.team.counts()) {
    const double seconds = seconds_of(bench, writers, call_bytes);
    const auto calls =
        std::min<int64_t>(static_cast<int64_t>(std::min(aim_seconds / seconds, 64.0)), room / writers / call_bytes);
    bench.writer_bytes[writers] = std::max<int64_t>(calls, 1) * call_bytes;
  }
}

void measure_writing(Bench &bench, Measured &measured) {
  const double small = seconds_of_call(bench, small_bytes, small_bytes);
  const int64_t stripe = measured.stripes.bytes;
  const bool on_targets = measured.stripes.targets > 0;
  // Both lie on one target.
  const Cost of_target =
      on_targets ? cost_of(small, seconds_of_call(bench, stripe, stripe * measured.stripes.targets), stripe) : Cost{};
  for (const auto &[writers, bytes] : bench.writer_bytes) {
    double on_core = 0;
    const double seconds = seconds_of(bench, writers, bytes, &on_core);
    measured.writers[writers].push_back(static_cast<double>(bytes) * writers / seconds);
    if (writers > 1) continue;
    MPI_Bcast(&on_core, 1, MPI_DOUBLE, 0, bench.team.comm());
    measured.writer_core.push_back(std::min(on_core / seconds, 1.0));
    const double large = seconds * call_bytes / static_cast<double>(bytes);
    const double call = on_targets ? of_target.call : cost_of(small, large, call_bytes).call;
    measured.write_seconds.push_back(call);
    measured.writer_rate.push_back(call_bytes / std::max(large - call, shortest));
  }
  if (on_targets) measured.target_rate.push_back(1 / of_target.byte);
}

void measure_reading(Bench &bench, Measured &measured) {
  const int all = bench.team.size();
  const int64_t bytes = bench.writer_bytes.at(all);
  const auto read = [&](int readers) {
    const std::unique_ptr<Opened> file = open_file(bench, {all});
    bench.team.time({all}, [&](int /*place*/) { file->forget(); });
    const Seconds seconds = bench.team.time({readers}, [&](int place) {
      // Reads the data of a rank of the other half, which on several nodes are not in this node's cache.
      const int64_t begin = (bench.team.rank_of(place, {readers}) + all / 2) % all * bytes;
      for (int64_t done = 0; done < bytes; done += call_bytes) file->read(bench.data, call_bytes, begin + done);
    });
    return static_cast<double>(bytes) * readers / seconds.wall;
  };
  measured.read_one.push_back(read(1));
  const std::unique_ptr<Opened> file = open_file(bench, {1});
  const Seconds small = bench.team.time({1}, [&](int /*place*/) {
    for (int i = 0; i < small_reads; ++i) file->read(bench.data, small_bytes, i * small_bytes);
  });
  measured.read_seconds.push_back(std::max(small.longest / small_reads - small_bytes / measured.read_one.back(), 0.0));
  measured.read_all.push_back(all > 1 ? read(all) : measured.read_one.back());
}

void measure_opening(Bench &bench, Measured &measured) {
  bench.scratch.renew();
  for (const int ranks : bench.team.counts()) {
    std::unique_ptr<Opened> file;
    const Seconds seconds = bench.team.time(
        {ranks}, [&](int /*place*/) { file = std::make_unique<Opened>(bench.scratch.path(), bench.team.rank()); });
    measured.open[ranks].push_back(seconds.longest);
  }
}

int enough_writers(const Measured &measured) {
  double best = 0;
  for (const auto &[writers, rates] : measured.writers) best = std::max(best, median(rates));
  for (const auto &[writers, rates] : measured.writers)
    if (median(rates) > 0.95 * best) return writers;
  return 1;
}

}  // namespace sv_probe
