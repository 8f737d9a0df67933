// sv-bench subsets: reading parts of a file, as analyses do: a half of every record, every other cell, or one point's
// values in all records. Every rank reads its own part, as a sub-array.
#include <algorithm>
#include <memory>
#include <string>

#include "command.hpp"
#include "methods/methods.hpp"
#include "report.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

namespace {

struct SubsetOptions {
  std::string kind = "half";
  int64_t records = 0;  // 0: the default of the kind
  std::vector<int64_t> shape{540, 720};
  int px = 0, py = 0;
};

void complete(SubsetOptions &mine) {
  if (mine.records == 0) mine.records = mine.kind == "series" ? 1000 : 24;
  complete_layout(mine.px, mine.py);
  if (mine.shape[0] < 2 * mine.py || mine.shape[1] < 2 * mine.px)
    throw std::invalid_argument("--shape has fewer than two rows or columns for each rank of --layout");
}

/// The rows and columns of the cells that are read.
std::array<int64_t, 2> cells_of(const SubsetOptions &mine) {
  const int64_t rows = mine.shape[0], columns = mine.shape[1];
  return {mine.kind == "half" ? rows : rows / 2, columns / 2};
}

/// This rank's part of one record, or of all.
Region part_of(const SubsetOptions &mine, const Team &team, int64_t record) {
  if (mine.kind == "series")
    return {{0, team.rank * mine.shape[0] / team.ranks, team.rank * mine.shape[1] / team.ranks}, {mine.records, 1, 1}};
  const auto [rows, columns] = cells_of(mine);
  const Grid block = block_grid(rows, columns, {mine.px, mine.py}, team.rank, 0);
  const int64_t apart = mine.kind == "strided" ? 2 : 1;
  Region part{{record, apart * block.start[0], apart * block.start[1]}, {1, block.count[0], block.count[1]}};
  if (apart > 1) part.apart = {1, apart, apart};
  return part;
}

std::unique_ptr<Workload> subset(const SubsetOptions &mine) {
  Schema schema;
  schema.records = mine.records;
  schema.dims = {{"time", 0}, {"y", mine.shape[0]}, {"x", mine.shape[1]}};
  schema.variables.push_back({"v", element_type("double"), {0, 1, 2}});
  auto workload = std::make_unique<Workload>(MPI_COMM_WORLD, schema);
  for (int64_t record = 0; record < (mine.kind == "series" ? 1 : mine.records); ++record) {
    workload->add({0, {part_of(mine, workload->team, record)}, std::nullopt});
    workload->end_step();
  }
  workload->fill();
  return workload;
}

std::string title_of(const SubsetOptions &mine) {
  const std::string file = std::to_string(mine.records) + " records of " + std::to_string(mine.shape[0]) + "x" +
                           std::to_string(mine.shape[1]) + " doubles";
  if (mine.kind == "half") return "the half of " + file;
  return (mine.kind == "strided" ? "every other cell of " : "one point's values in ") + file;
}

void run(SubsetOptions mine, const Options &options) {
  complete(mine);
  const std::unique_ptr<Workload> workload = subset(mine);
  const std::vector<Peer> peers{sverdrup_peer("sverdrup", *workload, true, Way::each, options.settings),
                                pnetcdf_peer("pnetcdf", *workload, true, Way::each), netcdf_read_peer(*workload),
                                pread_peer(*workload)};
  Case what{"subsets",
            title_of(mine),
            {{"kind", mine.kind}, {"records", mine.records}, {"shape", mine.shape}, {"layout", {mine.px, mine.py}}}};
  const auto [rows, columns] = cells_of(mine);
  const int64_t cells = mine.kind == "series" ? workload->team.ranks : rows * columns;
  what.bytes = mine.records * cells * static_cast<int64_t>(sizeof(double));
  measure(what, *workload, peers, options);
}

void add_options(CLI::App &app, SubsetOptions &mine) {
  app.add_option(
         "--kind", mine.kind,
         "half: the first half of each row; strided: every other row and column; series: one point of each rank "
         "in all records (half)")
      ->check(CLI::IsMember({"half", "strided", "series"}));
  app.add_option("--records", mine.records, "number of records (24; of series 1000)")->check(CLI::Range(1, 1000000));
  add_cells(app, "--shape", "cells of a record: rows x columns (540x720)", mine.shape);
  add_layout(app, mine.px, mine.py);
}

}  // namespace

Command subsets_command() {
  const auto mine = std::make_shared<SubsetOptions>();
  return {"subsets", "reads parts of a file: a half, every other cell, one point in all records",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
