// The options of sv-plan.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/route.hpp"

namespace sv_plan {

struct Options {
  std::array<int64_t, 3> shape{50, 1080, 1440};  // levels, rows, columns
  int px = 0, py = 0;                            // 0: as square as `ranks` allow
  int64_t ranks = 0;                             // 0: those of the layout
  std::string type = "double";
  int64_t element_bytes = 8;
  int per_node = 48;
  std::string mask;                                 // path; empty: no mask
  std::string points;                               // how cells are dealt to ranks; empty: blocks
  sv::Partition partition = sv::Partition::ranges;  // of points
  sv::RouteRequest route;
  int64_t window_bytes = 64 << 20;
  int64_t stripe_bytes = 1 << 20;
  int64_t offset_bytes = 8192;    // of the field in the file: a small header and the reserve behind it
  std::optional<bool> shared_fs;  // not given: where there are several nodes
  int stripe_count = 1;
  int targets = 0;        // among which the library chooses the stripes; 0: stripe_count says how many
  std::string json, svg;  // paths; empty: none
  int rank = -1;          // the rank whose part is printed in detail; -1: none
  bool flows = false;
  bool chunks = false;                    // of a compressed netCDF-4 file
  int variables = 1;                      // that it has, all alike
  int most = 50;                          // lines of a list
  std::string case_path, configurations;  // paths; empty: the plan of one field
  bool choose = false;                    // besides auto, all layouts
  std::string machine;                    // path of a profile; empty: no seconds
  std::vector<std::string> settings;      // key=value of the configuration: how the field of --predict is stored
  double compress_ratio = 0;              // bytes left of a byte; 0: as the profile says
  int servers = 0, steps = 1;
  /// Whether the plan is that of servers. A prediction has its own way to count them.
  bool serves() const { return servers > 0 && machine.empty(); }
  double compute_seconds = 0;  // of a step
  int64_t server_memory_bytes = 256 << 20;
};

/// Returns whether to continue; otherwise `exit_code` is the exit code of the program, and errors and help are printed.
bool parse(int argc, char **argv, Options &options, int &exit_code);

}  // namespace sv_plan
