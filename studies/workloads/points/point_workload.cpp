#include <sverdrup/sverdrup.h>

#include <stdexcept>

#include "points.hpp"

namespace sv_bench {

namespace {

Schema schema_of(const PointFile &file) {
  Schema schema;
  schema.dims = {{"time", 0}, {"lev", file.levels}, {"cell", file.cells}};
  schema.records = file.steps;
  const ElementType type = element_type(file.type);
  for (int64_t v = 0; v < file.flat; ++v) schema.variables.push_back({"flat" + std::to_string(v), type, {0, 2}});
  for (int64_t v = 0; v < file.layered; ++v)
    schema.variables.push_back({"layered" + std::to_string(v), type, {0, 1, 2}});
  return schema;
}

void block_of(const PointFile &file, const Team &team, int rank, int64_t &start, int64_t &count) {
  if (sv_block(file.cells, team.ranks, rank, &start, &count) != SV_OK)
    throw std::runtime_error(std::string("sv_block: ") + sv_message());
}

}  // namespace

std::unique_ptr<Workload> block_workload(const PointFile &file, const Team &team) {
  auto workload = std::make_unique<Workload>(team.comm, schema_of(file));
  workload->reuse_memory();
  int64_t start = 0, count = 0;
  block_of(file, team, team.rank, start, count);
  for (int64_t step = 0; step < file.steps; ++step) {
    for (int64_t v = 0; v < file.flat; ++v) workload->add({static_cast<int>(v), {{{step, start}, {1, count}}}, {}});
    for (int64_t v = file.flat; v < file.flat + file.layered; ++v)
      workload->add({static_cast<int>(v), {{{step, 0, start}, {1, file.levels, count}}}, {}});
    workload->end_step();
  }
  workload->fill();
  workload->grid = Grid{{file.cells}, {start}, {count}};
  return workload;
}

std::unique_ptr<Workload> point_workload(const PointFile &file, const Team &team, std::vector<int64_t> cells) {
  std::unique_ptr<Workload> workload = block_workload(file, team);
  std::vector<int64_t> changing;  // the first of every block
  for (int rank = 0; rank < team.ranks; ++rank) {
    int64_t start = 0, count = 0;
    block_of(file, team, rank, start, count);
    changing.push_back(start);
  }
  workload->points = std::make_shared<PointValues>(workload->schema, std::move(cells), changing);
  return workload;
}

}  // namespace sv_bench
