// The directory of a layout of points for many virtual ranks, on one core and without MPI; a line of JSON for each kind
// of ownership:
//
//   directory_scale [cells [ranks]]                 by default 5749313 10000
//
// seconds: of all ranks together, one after the other: sorting what each owns, its notices, and the check. rank: the
// dearest rank. bytes: of notices; held: by all ranks together, per cell.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>

#include "plan/directory.hpp"

namespace {

using namespace sv;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Runs of cells, dealt to the ranks at random, each rank's in random order.
std::vector<std::vector<int64_t>> owners(int64_t cells, int ranks, int64_t run) {
  std::mt19937_64 engine(1);
  std::vector<std::vector<int64_t>> all(static_cast<size_t>(ranks));
  for (int64_t first = 0; first < cells; first += run) {
    std::vector<int64_t> &own = all[engine() % all.size()];
    for (int64_t cell = first; cell < std::min(cells, first + run); ++cell) own.push_back(cell);
  }
  if (run == 1)
    for (auto &own : all) std::shuffle(own.begin(), own.end(), engine);
  return all;
}

void run(int64_t cells, int ranks, int64_t run_cells) {
  const auto owned = owners(cells, ranks, run_cells);
  std::vector<DirectoryPart> parts;
  for (int rank = 0; rank < ranks; ++rank) parts.emplace_back(cells, ranks, rank);
  double dearest = 0;
  int64_t notices = 0, bytes = 0, held = 0;
  const Clock::time_point begin = Clock::now();
  for (int rank = 0; rank < ranks; ++rank) {
    const Clock::time_point own_begin = Clock::now();
    const OwnPoints own = own_points(owned[static_cast<size_t>(rank)], cells);
    for (const Notice &notice : notices_of(own.runs.view(), cells, ranks)) {
      ++notices;
      bytes += std::ssize(notice.code);
      parts[static_cast<size_t>(notice.to)].enter(rank, notice.code);
    }
    held += 8 * (std::ssize(own.runs.place) + std::ssize(own.runs.before) + std::ssize(own.local));
    dearest = std::max(dearest, since(own_begin));
  }
  const double seconds = since(begin);
  int64_t found = 0;
  for (const DirectoryPart &part : parts) {
    if (part.overlap()) throw std::runtime_error(*part.overlap());
    found += part.owned();
  }
  if (found != cells) throw std::runtime_error("cells are missing in the directory");
  std::printf(
      "{\"cells\": %lld, \"ranks\": %d, \"run\": %lld, \"seconds\": %.3f, \"rank\": %.6f, \"notices\": %lld, "
      "\"bytes\": %lld, \"held\": %.1f}\n",
      static_cast<long long>(cells), ranks, static_cast<long long>(run_cells), seconds, dearest,
      static_cast<long long>(notices), static_cast<long long>(bytes),
      static_cast<double>(held) / static_cast<double>(cells));
}

}  // namespace

int main(int argc, char **argv) {
  try {
    const int64_t cells = argc > 1 ? std::max(1LL, std::atoll(argv[1])) : 5749313;
    const int ranks = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10000;
    for (const int64_t run_cells : {int64_t{1}, int64_t{64}, std::max<int64_t>(1, cells / ranks)})
      run(cells, ranks, run_cells);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "directory_scale: %s\n", error.what());
    return 1;
  }
  return 0;
}
