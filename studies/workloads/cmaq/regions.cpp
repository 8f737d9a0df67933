#include "regions.hpp"

#include <cstring>
#include <stdexcept>

namespace sv_bench {

AirRegion air_region(const std::string &name, double scale) {
  AirRegion region{459, 299, 35, 146, 3};  // CONUS
  if (name == "ca") region = {89, 134, 35, 146, 3};
  if (name == "eus") region = {279, 299, 35, 146, 3};
  if (name == "real") region = {423, 594, 14, 146, 24};
  for (int64_t *length : {&region.columns, &region.rows}) *length = scaled_length(*length, scale);
  return region;
}

Ranks paper_ranks(const std::string &region, int ranks) {
  if (region == "real") {
    for (const Ranks layout : {Ranks{10, 12}, Ranks{12, 15}, Ranks{18, 20}})
      if (layout.x * layout.y == ranks) return layout;
    return {0, 0};
  }
  for (const Ranks layout : {Ranks{4, 4}, Ranks{4, 8}, Ranks{8, 8}, Ranks{8, 16}, Ranks{16, 16}, Ranks{16, 32}})
    if (layout.x * layout.y == ranks) return layout;
  return {0, 0};
}

std::unique_ptr<Workload> air_workload(MPI_Comm comm, const AirRegion &region, const Ranks &ranks) {
  Schema schema;
  schema.dims = {{"TSTEP", 0}, {"LAY", region.layers}, {"ROW", region.rows}, {"COL", region.columns}};
  schema.records = region.steps;
  for (int64_t s = 0; s < region.species; ++s) {
    std::string name("S");
    name += std::to_string(s);
    schema.variables.push_back({name, element_type("float"), {0, 1, 2, 3}});
  }
  auto workload = std::make_unique<Workload>(comm, schema);
  workload->reuse_memory();
  workload->grid = block_grid(region.rows, region.columns, ranks, workload->team.rank, 0);
  for (int64_t step = 0; step < region.steps; ++step) {
    for (int64_t s = 0; s < region.species; ++s)
      workload->add(block_access(schema, static_cast<int>(s), *workload->grid, step));
    workload->end_step();
  }
  return workload;
}

ReadingModel::ReadingModel(const Workload &workload, const ComputeWish &wish, const Ranks &ranks, std::string input)
    : workload_(workload),
      input_(std::move(input)),
      timed_(workload, wish, ranks.x, ranks.y),
      values_(workload.memory(), workload.memory() + workload.memory_bytes()) {}

Computed ReadingModel::compute(size_t step, const std::function<void(bool)> &communicates) {
  const double begin = MPI_Wtime();
  if (step == 0) reader_.open(workload_, input_);
  reader_.read(workload_, step, values_.data());
  if (step + 1 == workload_.steps()) reader_.close();
  const double read = MPI_Wtime() - begin;
  Computed computed = timed_.compute(step, communicates);
  // The workload's values of this step are in its memory now.
  if (std::memcmp(values_.data(), workload_.memory(), values_.size()) != 0)
    throw std::runtime_error("cmaq: the values read from '" + input_ + "' are wrong in step " + std::to_string(step));
  computed.seconds = MPI_Wtime() - begin - read;
  computed.read = read;
  return computed;
}

}  // namespace sv_bench
