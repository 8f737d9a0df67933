// sv-bench coll_perf: the benchmark of that name in ROMIO's test suite as Gao et al. 2009 changed it: many
// three-dimensional arrays of integers, divided in blocks in all dimensions.
#include <array>
#include <memory>

#include "command.hpp"
#include "methods/combining.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

struct CollPerfOptions {
  int64_t block = 32;  // cells of a rank's block in each dimension
  int64_t variables = 10;
  std::string kind = "fixed";
  bool reads = false, writes = false;
};

std::array<int, 3> layout_of(const Team &team) {
  std::array<int, 3> dims{};
  MPI_Dims_create(team.ranks, 3, dims.data());
  return dims;
}

Schema schema_of(const CollPerfOptions &mine, const std::array<int, 3> &layout) {
  const bool record = mine.kind == "record";
  Schema schema;
  schema.records = record ? layout[0] * mine.block : 0;
  schema.dims = {
      {"z", record ? 0 : layout[0] * mine.block}, {"y", layout[1] * mine.block}, {"x", layout[2] * mine.block}};
  for (int64_t v = 0; v < mine.variables; ++v)
    schema.variables.push_back({"v" + std::to_string(v), element_type("int"), {0, 1, 2}});
  return schema;
}

void run(const CollPerfOptions &mine, const Options &options) {
  const Team team(MPI_COMM_WORLD);
  const std::array<int, 3> layout = layout_of(team);
  Workload workload(MPI_COMM_WORLD, schema_of(mine, layout));
  const int z = team.rank / (layout[1] * layout[2]), y = team.rank / layout[2] % layout[1], x = team.rank % layout[2];
  const Region block{{z * mine.block, y * mine.block, x * mine.block}, {mine.block, mine.block, mine.block}};
  for (int64_t v = 0; v < mine.variables; ++v) workload.add({static_cast<int>(v), {block}, {}});
  workload.end_step();
  workload.fill();
  std::vector<Peer> peers;
  if (mine.writes || !mine.reads) add_combining_peers(peers, workload, false, options.settings);
  if (mine.reads) add_combining_peers(peers, workload, true, options.settings);
  const std::string side = std::to_string(mine.block);
  const std::string title = std::to_string(mine.variables) + " " + mine.kind + " variables, " + side + "x" + side +
                            "x" + side + " integers per rank";
  measure({"coll_perf",
           title,
           {{"variables", mine.variables}, {"block", mine.block}, {"kind", mine.kind}, {"layout", layout}}},
          workload, peers, options);
}

}  // namespace

Command coll_perf_command() {
  const auto mine = std::make_shared<CollPerfOptions>();
  const auto add_options = [mine](CLI::App &app) {
    app.add_option("--block", mine->block, "number of cells of a rank's block in each dimension (32)")
        ->check(CLI::Range(1, 1000));
    app.add_option("--vars", mine->variables, "number of variables (10)")->check(CLI::Range(1, 100000));
    app.add_option("--kind", mine->kind,
                   "kind of variables: fixed, or record, whose slowest dimension is the record dimension")
        ->check(CLI::IsMember({"fixed", "record"}));
    app.add_flag("--write", mine->writes, "measures writing (the default if neither --write nor --read is given)");
    app.add_flag("--read", mine->reads, "measures reading");
  };
  return {"coll_perf", "writes and reads 3-D blocks of many variables (Gao et al. 2009)", add_options,
          [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
