// A file of points, and its writers.
#pragma once

#include <memory>
#include <string>

#include "ownership.hpp"
#include "workload/workload.hpp"

namespace sv_bench {

/// Variables (time, cell) and (time, level, cell), each step a record.
struct PointFile {
  int64_t cells = 570000, levels = 10, flat = 1, layered = 1, steps = 1;  // flat: variables without levels
  std::string type = "double";
};

/// Of this rank, which owns `cells`: it puts points, and checks blocks of the same file. Collective.
std::unique_ptr<Workload> point_workload(const PointFile &file, const Team &team, std::vector<int64_t> cells);
/// The same file put by ranks that own blocks.
std::unique_ptr<Workload> block_workload(const PointFile &file, const Team &team);

}  // namespace sv_bench
