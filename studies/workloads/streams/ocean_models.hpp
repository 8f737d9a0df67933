// The models of Huang, Wang, Fu, Liu, Yang, Hu 2013, "A fast input/output library for high-resolution climate models"
// (sections 5.1 to 5.3): their grids, and the streams of files that they write.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv_bench {

/// Files of one kind, each with the same variables. The model writes one at the first step whose end has reached the
/// time.
struct Stream {
  std::string name, type;                      // type: as of element_type
  std::vector<std::string> volumes, surfaces;  // variables with and without levels
  int64_t per_day;                             // how often; 0: once, at the end of the run
};

struct StreamModel {
  std::string name;
  int64_t columns, rows, levels;  // of the paper's grid
  int64_t days, steps_per_day;
  double compute_seconds;  // time of the paper's run without output, with the most processes
  double scale;            // that makes it a matter of seconds
  std::vector<Stream> streams;
};

/// "pop", "cice" or "licom". Throws std::logic_error for others.
StreamModel stream_model(const std::string &name);

/// How many files a stream has after so many steps.
int64_t outputs_of(const Stream &stream, const StreamModel &model, int64_t steps);
/// After which step, counted from 1, a stream writes its file `number`, counted from 0.
int64_t step_of_output(const Stream &stream, const StreamModel &model, int64_t steps, int64_t number);

}  // namespace sv_bench
