// sv-bench records: many small variables per record, which is what most output of models is.
#include <algorithm>
#include <memory>

#include "command.hpp"
#include "curve.hpp"
#include "methods/methods.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

constexpr int64_t tile = 4;  // cells of a curve's tile, in both directions

struct RecordsOptions {
  int64_t variables = 24, records = 20;
  std::vector<int64_t> block{32, 32};  // rows, columns of a rank
  bool fixed = false;
  int px = 0, py = 0;
  std::string ownership = "blocks";
};

std::string name_of(int64_t variable, int64_t record, bool fixed) {
  std::string name("v");
  name += std::to_string(variable);
  if (fixed) name.append("_").append(std::to_string(record));
  return name;
}

Schema schema_of(const RecordsOptions &mine) {
  Schema schema;
  const ElementType type = element_type("double");
  if (!mine.fixed) {
    schema.dims.push_back({"time", 0});
    schema.records = mine.records;
  }
  schema.dims.push_back({"y", mine.block[0] * mine.py});
  schema.dims.push_back({"x", mine.block[1] * mine.px});
  for (int64_t record = 0; record < (mine.fixed ? mine.records : 1); ++record) {
    for (int64_t v = 0; v < mine.variables; ++v) {
      const std::vector<int> dims = mine.fixed ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 2};
      schema.variables.push_back({name_of(v, record, mine.fixed), type, dims});
    }
  }
  return schema;
}

/// What this rank owns of every variable, in rows and columns.
std::vector<Region> blocks_of(const RecordsOptions &mine, const Team &team) {
  if (mine.ownership == "blocks")
    return {{{team.rank / mine.px * mine.block[0], team.rank % mine.px * mine.block[1]}, mine.block}};
  const int64_t rows = mine.block[0] * mine.py, columns = mine.block[1] * mine.px;
  const auto order = hilbert_order((rows + tile - 1) / tile, (columns + tile - 1) / tile);
  const auto [first, end] = uneven_part(static_cast<int64_t>(order.size()), team.ranks, team.rank);
  std::vector<Region> tiles;
  for (int64_t t = first; t < end; ++t) {
    const int64_t y = order[static_cast<size_t>(t)][0] * tile, x = order[static_cast<size_t>(t)][1] * tile;
    tiles.push_back({{y, x}, {std::min(tile, rows - y), std::min(tile, columns - x)}});
  }
  if (tiles.empty()) tiles.push_back({{0, 0}, {0, 0}});
  return tiles;
}

std::vector<Region> in_record(std::vector<Region> blocks, int64_t record) {
  for (Region &block : blocks) {
    block.start.insert(block.start.begin(), record);
    block.count.insert(block.count.begin(), 1);
  }
  return blocks;
}

std::unique_ptr<Workload> workload_of(const RecordsOptions &mine) {
  auto workload = std::make_unique<Workload>(MPI_COMM_WORLD, schema_of(mine));
  const std::vector<Region> blocks = blocks_of(mine, workload->team);
  for (int64_t record = 0; record < mine.records; ++record) {
    for (int64_t v = 0; v < mine.variables; ++v) {
      const int64_t variable = mine.fixed ? record * mine.variables + v : v;
      workload->add({static_cast<int>(variable), mine.fixed ? blocks : in_record(blocks, record), {}});
    }
    workload->end_step();
  }
  workload->fill();
  workload->piece_bytes = workload->schema.bytes() / mine.records;
  if (mine.ownership == "blocks")
    workload->grid = Grid{{mine.block[0] * mine.py, mine.block[1] * mine.px}, blocks[0].start, blocks[0].count};
  return workload;
}

void run(RecordsOptions mine, const Options &options) {
  complete_layout(mine.px, mine.py);
  const std::unique_ptr<Workload> owned = workload_of(mine);
  const Workload &workload = *owned;
  const std::vector<std::string> &settings = options.settings;
  const std::vector<Peer> peers{sverdrup_peer("sverdrup.step", workload, false, Way::step, settings),
                                sverdrup_peer("sverdrup.combined", workload, false, Way::all, settings),
                                sverdrup_peer("sverdrup.per_variable", workload, false, Way::each, settings),
                                pnetcdf_peer("pnetcdf.per_variable", workload, false, Way::each),
                                pnetcdf_peer("pnetcdf.iput_record", workload, false, Way::step),
                                pnetcdf_peer("pnetcdf.iput_all", workload, false, Way::all),
                                gather_peer("floor", workload),
                                window_peer("floor.window", workload, false)};
  const std::string kind = mine.fixed ? "fixed" : "record";
  const std::string title = std::to_string(mine.variables) + " " + kind + " variables x " +
                            std::to_string(mine.records) + ", " + std::to_string(mine.block[0]) + "x" +
                            std::to_string(mine.block[1]) + " doubles per rank, by " + mine.ownership;
  measure({"records",
           title,
           {{"variables", mine.variables},
            {"records", mine.records},
            {"block", mine.block},
            {"kind", kind},
            {"layout", {mine.px, mine.py}},
            {"ownership", mine.ownership}}},
          workload, peers, options);
}

void add_options(CLI::App &app, RecordsOptions &mine) {
  app.add_option("--vars", mine.variables, "number of variables of a record (24)")->check(CLI::Range(1, 100000));
  app.add_option("--records", mine.records, "number of records (20)")->check(CLI::Range(1, 1000000));
  add_cells(app, "--block", "block of each rank: rows x columns (32x32)", mine.block);
  app.add_flag("--fixed", mine.fixed, "writes variables without records, as many as variables x records");
  add_layout(app, mine.px, mine.py);
  app.add_option(
         "--ownership", mine.ownership,
         "which rank owns which cells: blocks, or curve, which is uneven pieces of a space-filling curve (blocks)")
      ->check(CLI::IsMember({"blocks", "curve"}));
}

}  // namespace

Command records_command() {
  const auto mine = std::make_shared<RecordsOptions>();
  return {"records", "writes many small variables, record by record, in all the ways of combining them",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
