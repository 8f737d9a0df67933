// Measures how two writers delay each other: by stripes that change their owner, and by shared targets.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr int alternations = 8, most_targets = 64;
constexpr int64_t most_units_of_stripe = 64;
constexpr double cached_seconds = 20e-6;

/// The pair's ranks write in turn, `times` each, at their offsets. Local to the pair; both go on when one fails.
void take_turns(const Opened &file, const Bench &bench, MPI_Comm pair, int64_t offset_bytes, int times) {
  int place = 0, word = 0;
  MPI_Comm_rank(pair, &place);
  std::string cause;
  for (int i = 0; i < times; ++i) {
    if (place == 1) MPI_Recv(&word, 1, MPI_INT, 0, 1, pair, MPI_STATUS_IGNORE);
    try {
      if (cause.empty()) file.write(bench.data, small_bytes, offset_bytes);
    } catch (const std::exception &error) {
      cause = error.what();
    }
    MPI_Send(&word, 1, MPI_INT, 1 - place, 1, pair);
    if (place == 0) MPI_Recv(&word, 1, MPI_INT, 1, 1, pair, MPI_STATUS_IGNORE);
  }
  if (!cause.empty()) throw std::runtime_error(cause);
}

/// Seconds of a write when the second writer writes into stripe `second`; the first into stripe 0.
double seconds_of_turn(Bench &bench, int64_t stripe_bytes, int64_t second) {
  bench.scratch.renew();
  const std::unique_ptr<Opened> file = open_file(bench, {2});
  const MPI_Comm pair = bench.team.of({2});
  const auto turns = [&](int times) {
    return bench.team.time({2}, [&](int place) {
      take_turns(*file, bench, pair, place == 0 ? 0 : second * stripe_bytes + small_bytes, times);
    });
  };
  turns(1);  // now each of them has written
  return turns(alternations).longest / (2 * alternations);
}

/// Finds by waiting which of a file's units share a target with the first.
class Waves {
 public:
  /// Requests are of `bytes`, at most a unit.
  Waves(Bench &bench, int64_t unit_bytes, int64_t bytes) : bench_(bench), unit_bytes_(unit_bytes), bytes_(bytes) {
    bench.scratch.renew();
    file_ = open_file(bench, {2});
    bench.team.time({2}, [&](int place) {
      other_file_ =
          std::make_unique<Opened>(place == 0 ? bench.scratch.path() : bench.scratch.other_path(), bench.team.rank());
    });
    const double once = seconds(-1);
    calls_ = static_cast<int>(std::clamp(0.02 / std::max(once, 1e-6), 3.0, 20.0));
    alone_ = std::min({seconds(-1), seconds(-1), seconds(-1)});
  }
  /// Whether the writer of `unit` waits for the writer of the first. A slow measurement is repeated.
  bool wait(int64_t unit) { return asked_thrice(unit, false); }
  /// The same for who writes another file.
  bool wait_for_another_file() { return asked_thrice(0, true); }
  /// Whether memory takes a request of one writer at once: then waiting is for a core or a lock, not for storage.
  bool are_cached() const { return alone_ / calls_ < cached_seconds; }

 private:
  bool asked_thrice(int64_t unit, bool in_other_file) {
    for (int i = 0; i < 3; ++i)
      if (seconds(unit, in_other_file) < 1.5 * alone_) return false;
    return true;
  }
  // The second writer writes `unit`, or (-1) nothing. Where one begins late, it is as if they had waited: it is asked
  // again.
  double seconds(int64_t unit, bool in_other_file = false) {
    return bench_.team
        .time({2},
              [&](int place) {
                if (place == 1 && unit < 0) return;
                const int64_t offset = place == 0 ? 0 : unit * unit_bytes_;
                const Opened *const file = (in_other_file ? other_file_ : file_).get();
                for (int i = 0; i < calls_; ++i) file->write(bench_.data, bytes_, offset);
              })
        .wall;
  }
  Bench &bench_;
  int64_t unit_bytes_, bytes_;
  std::unique_ptr<Opened> file_, other_file_;
  int calls_ = 1;
  double alone_ = 0;
};

/// The least of 1, 2, 4 ... units that lies on another target than the first; 0: there is none.
int64_t units_of_stripe(Waves &waves) {
  for (int64_t units = 1; units <= most_units_of_stripe; units *= 2)
    if (!waves.wait(units)) return units;
  return 0;
}

/// The least number of stripes after which the first target comes again, and again; 0: it is not clear.
int period(Waves &waves, int64_t units) {
  for (int stripes = 2; stripes <= most_targets; ++stripes) {
    if (!waves.wait(stripes * units)) continue;
    const bool clear = waves.wait(2 * stripes * units) && !waves.wait((stripes + 1) * units) && !waves.wait(units);
    return clear ? stripes : 0;
  }
  return 0;
}

}  // namespace

void measure_hand_overs(Bench &bench, Measured &measured) {
  if (bench.team.size() < 2) return;
  const int64_t bytes = measured.stripes.bytes;
  // The lesser of two: disturbances only add time.
  const auto least = [&](int64_t second) {
    return std::min(seconds_of_turn(bench, bytes, second), seconds_of_turn(bench, bytes, second));
  };
  const double own = least(1);
  measured.hand_over.push_back(least(0) - own);
}

Stripes find_stripes(Bench &bench, const Options &options) {
  Stripes stripes;
  stripes.bytes = options.stripe_bytes > 0 ? options.stripe_bytes
                                           : std::clamp(bench.scratch.preferred_bytes(), int64_t{1} << 20, call_bytes);
  stripes.targets = options.targets;
  stripes.how = "as given";
  if (options.targets > 0) return stripes;
  stripes.how = "not looked for: it takes two ranks";
  if (bench.team.size() < 2) return stripes;
  Waves waves(bench, stripes.bytes, stripes.bytes);
  const int64_t units = units_of_stripe(waves);
  if (units > 0) {
    stripes.targets = period(waves, units);
    stripes.how = stripes.targets > 0 ? "two writers wait for each other in stripes so far apart, and not in others"
                                      : "two writers do not wait for each other in a clear pattern";
    if (stripes.targets > 0) stripes.bytes *= units;
    return stripes;
  }
  Waves small(bench, stripes.bytes, small_bytes);
  const bool small_ones_wait = !small.are_cached() && small.wait(most_units_of_stripe / 2 + 1);
  const bool files_wait = small_ones_wait && small.wait_for_another_file();
  stripes.targets = files_wait ? 1 : 0;
  stripes.how = files_wait        ? "two writers wait for each other wherever they write, for small requests too"
                : small_ones_wait ? "two writers wait for each other in one file, as for a lock of it, but not in two"
                                  : "two writers share the rate wherever they write, but not the time of small "
                                    "requests, or a cache takes these";
  return stripes;
}

}  // namespace sv_probe
