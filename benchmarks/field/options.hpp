// What the user asks for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sv_bench {

struct Options {
  std::array<int64_t, 3> shape{50, 1080, 1440};  // levels, rows, columns
  int px = 0, py = 0;                            // 0: as square as the ranks allow
  std::string type = "double";
  std::string directory = ".";
  int repeat = 7;
  std::string json;                    // path; empty: none
  std::string device;                  // "500MB/s,0.5ms"; empty: none
  std::vector<std::string> only{"*"};  // names of methods, with shell wildcards
  std::vector<std::string> stores;     // compared with the same library called directly
  std::vector<std::string> settings;   // "key=value", for Sverdrup
  bool memory = false;
  bool patterns = false;  // the four write patterns instead of the methods

  /// Whether to run a method that belongs to `store` (empty: to none).
  bool selects(const std::string &name, const std::string &store) const;
};

/// Returns whether to go on; otherwise `exit_code` is what the program ends with. Errors and help are printed by one
/// rank. Called before MPI_Init.
bool parse(int argc, char **argv, Options &options, int &exit_code);

}  // namespace sv_bench
