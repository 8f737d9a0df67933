// sv-bench flash: the files of the FLASH I/O benchmark, as Gao et al. 2009 describe it. Blocks of 8x8x8 cells follow
// one another, about 80 of each process; in memory they are framed by guard cells.
#include <memory>

#include "command.hpp"
#include "methods/combining.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

struct FlashOptions {
  std::string file = "checkpoint";
  int64_t blocks = 80;
};

struct FlashFile {
  std::string name, type;
  int64_t variables, cells, guards;  // cells of a block in each dimension; guard cells on each side, in memory only
};

constexpr int64_t block_side = 8;

FlashFile file_of(const std::string &name) {
  if (name == "checkpoint") return {name, "double", 24, block_side, 4};
  // The plot files hold single precision, which FLASH makes from its cells before: without guard cells.
  return name == "centred" ? FlashFile{name, "float", 4, block_side, 0}
                           : FlashFile{name, "float", 4, block_side + 1, 0};
}

/// Slightly uneven: one less, as many, one more, and so on.
int64_t blocks_of(const FlashOptions &mine, int rank) { return mine.blocks + rank % 3 - 1; }

Schema schema_of(const FlashFile &file, int64_t blocks) {
  Schema schema;
  schema.dims = {{"block", blocks}, {"z", file.cells}, {"y", file.cells}, {"x", file.cells}};
  for (int64_t v = 0; v < file.variables; ++v)
    schema.variables.push_back({"unk" + std::to_string(v), element_type(file.type), {0, 1, 2, 3}});
  return schema;
}

void run(const FlashOptions &mine, const Options &options) {
  const Team team(MPI_COMM_WORLD);
  const FlashFile file = file_of(mine.file);
  int64_t before = 0, all = 0;
  for (int r = 0; r < team.ranks; ++r) {
    if (r == team.rank) before = all;
    all += blocks_of(mine, r);
  }
  Workload workload(MPI_COMM_WORLD, schema_of(file, all));
  const int64_t own = blocks_of(mine, team.rank), whole = file.cells + 2 * file.guards;
  const Region region{{before, 0, 0, 0}, {own, file.cells, file.cells, file.cells}};
  for (int64_t v = 0; v < file.variables; ++v) {
    Access access{static_cast<int>(v), {region}, {}};
    if (file.guards > 0) access.frame = Frame{{own, whole, whole, whole}, {0, file.guards, file.guards, file.guards}};
    workload.add(std::move(access));
  }
  workload.end_step();
  workload.fill();
  std::vector<Peer> peers;
  add_combining_peers(peers, workload, false, options.settings);
  const std::string title = "FLASH, " + file.name + ": " + std::to_string(file.variables) + " variables of " +
                            std::to_string(all) + " blocks of " + std::to_string(file.cells) + " cubed " + file.type;
  measure({"flash",
           title,
           {{"file", file.name},
            {"variables", file.variables},
            {"blocks", all},
            {"cells", file.cells},
            {"guard_cells", file.guards}}},
          workload, peers, options);
}

}  // namespace

Command flash_command() {
  const auto mine = std::make_shared<FlashOptions>();
  const auto add_options = [mine](CLI::App &app) {
    app.add_option("--file", mine->file, "file to write: checkpoint, or one of the plot files, centred and corner")
        ->check(CLI::IsMember({"checkpoint", "centred", "corner"}));
    app.add_option("--blocks", mine->blocks, "approximate number of blocks of a process (80)")
        ->check(CLI::Range(2, 100000));
  };
  return {"flash", "writes the checkpoint or a plot file of the FLASH I/O benchmark (Gao et al. 2009)", add_options,
          [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
