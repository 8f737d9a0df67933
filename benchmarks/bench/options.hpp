// What the user asks for, whatever the workload.
#pragma once

#include <string>
#include <vector>

namespace sv_bench {

struct Options {
  std::string directory = ".";
  int repeat = 7;
  std::string json;                    // path; empty: none
  std::string device;                  // "500MB/s,0.5ms"; empty: none
  std::vector<std::string> only{"*"};  // names of methods, with shell wildcards
  std::vector<std::string> settings;   // "key=value", for Sverdrup

  bool selects(const std::string &name) const;
};

}  // namespace sv_bench
