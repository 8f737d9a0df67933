// A run with streams, whose files have the contents of truth.hpp: means of two steps, three periods a file. The sums
// are saved in the middle of periods.
#pragma once

#include <sverdrup/streams.h>

#include <cstdint>
#include <string>
#include <vector>

#include "truth.hpp"

namespace svcrash {

constexpr int64_t steps_of_period = 2, periods_of_file = 3;

/// Of the file that has this one of its periods first.
std::string series_name(int64_t first_period);

/// The ranks' part of the grid. Without a decomposition, each rank has all cells.
struct StreamsGrid {
  Sizes sizes;
  const sv_decomp *decomp = nullptr;
  std::vector<int64_t> cells{};
};

/// All calls are collective. Steps are counted from 0.
class StreamsRun {
 public:
  /// Continues where `from` is not 0: an earlier run has saved before this step.
  StreamsRun(sv_context *io, StreamsGrid grid, int64_t from);
  ~StreamsRun();
  StreamsRun(const StreamsRun &) = delete;

  /// Sends all fields. Returns the first error of the library.
  int send(int64_t step);
  int save(int64_t before_step);
  int close();
  /// That of the constructor.
  int status() const { return status_; }

 private:
  int declare();
  int begin(int64_t from);
  StreamsGrid grid_;
  sv_streams *streams_ = nullptr;
  int temp_ = -1, flag_ = -1, small_ = -1, status_ = SV_OK;
};

}  // namespace svcrash
