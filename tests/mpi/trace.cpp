// Ranks really place, send and write the bytes of the plan, rank by rank.
// run: ranks=5 limit=60
// run: ranks=8 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=60 name=two_nodes env=SV_TESTING_RANKS_PER_NODE=4
#include <optional>

#include "engine/session.hpp"
#include "prediction/traffic.hpp"
#include "support/variables.hpp"
#include "transfer/field_job.hpp"

namespace {

using namespace svtest;

const Numbers shape{61, 71};
constexpr int64_t levels = 5, records = 2;

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  std::vector<Grid> grids;
  Scene() {
    const int px = ranks > 5 ? 3 : 2, py = 2;
    grids.push_back({shape, {}, blocks_2d(shape, px, py, ranks, {ranks / 2}), {1, 1, 1, 1}});
    grids.push_back({shape, {0, 1}, blocks_2d(shape, ranks, 1, ranks, {}, 9), {}});
    grids.push_back(grids[0]);
    grids.back().holes = true;
    grids.back().blocks[0].count = {0, 0};
  }
};

/// Bytes and calls of a rank.
struct Counts {
  int64_t placed = 0, messages = 0, sent = 0, writes = 0, written = 0;
  Counts operator-(const Counts &other) const {
    return {placed - other.placed, messages - other.messages, sent - other.sent, writes - other.writes,
            written - other.written};
  }
  std::string text() const {
    return "placed " + std::to_string(placed) + " bytes, sent " + std::to_string(sent) + " in " +
           std::to_string(messages) + " messages, wrote " + std::to_string(written) + " in " + std::to_string(writes) +
           " writes";
  }
  bool operator==(const Counts &) const = default;
};

// The public handles are the engine's objects.
sv::Context &context_of(sv_context *io) { return reinterpret_cast<sv::Session *>(io)->context("trace"); }

Counts counts_of(sv_context *io) {
  const sv::Metrics &metrics = context_of(io).metrics;
  return {metrics.placed_bytes, metrics.messages, metrics.message_bytes, metrics.writes, metrics.written_bytes};
}

/// Collective. The counts of a rank while it writes one variable (or nothing of it) into a file; `planned` adds up the
/// plans.
Counts write_one(sv_context *io, const Scene &scene, const Spec &spec, bool put, sv::Traffic &planned) {
  const Counts before = counts_of(io);
  sv_file *file = nullptr;
  sv_decomp *decomp = declare(io, *spec.grid, scene.rank);
  SV_MUST(sv_create(io, "trace.nc", 0, &file));
  std::vector<int> dims(4, -1);
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, dims.data()));
  for (size_t d = 0; d < 3; ++d) SV_MUST(sv_def_dim(file, spec.dims[d].c_str(), spec.shape[d], &dims[d + 1]));
  int var = -1;
  SV_MUST(sv_def_var(file, "field", spec.type, spec.records ? 4 : 3, dims.data() + (spec.records ? 0 : 1), &var));
  SV_MUST(sv_enddef(file));
  for (int64_t record = spec.records ? 0 : -1; put && record < (spec.records ? records : 0); ++record) {
    auto &own = *reinterpret_cast<sv::File *>(file);
    sv::FieldJob job{.file = own,
                     .variable = var,
                     .record = record,
                     .layout = reinterpret_cast<sv::Decomp *>(decomp)->layout,
                     .first_axis = static_cast<int>(spec.first_axis)};
    job.route = own.home().route(job.layout);
    plan_writing(job);
    const sv::Traffic traffic =
        sv::traffic_of_all(*job.plan, context_of(io).topology())[static_cast<size_t>(scene.rank)];
    planned.placed_bytes += traffic.placed_bytes;
    planned.messages_sent += traffic.messages_sent;
    planned.sent_bytes += traffic.sent_bytes;
    planned.writes += traffic.writes;
    planned.written_bytes += traffic.written_bytes;
    const Array block = block_array(spec, scene.rank, record);
    SV_MUST(sv_put(file, var, decomp, record, spec.memory, block.bytes.data(), nullptr));
  }
  SV_MUST(sv_close(file));
  SV_MUST(sv_free_decomp(decomp));
  return counts_of(io) - before;
}

void compare(const Scene &scene, const std::vector<std::string> &options, const Spec &spec) {
  std::string description;
  for (const std::string &option : options) description += option + " ";
  sv_context *io = start(MPI_COMM_WORLD, options);
  sv::Traffic planned, none;
  // The header is written in any case; the record count, by one rank, where there are records to count.
  const Counts around = write_one(io, scene, spec, false, none);
  const Counts found = write_one(io, scene, spec, true, planned) - around;
  const int64_t counts = spec.records && scene.rank == 0 ? 1 : 0, count_bytes = 4;
  const Counts right{planned.placed_bytes, planned.messages_sent, planned.sent_bytes, planned.writes + counts,
                     planned.written_bytes + counts * count_bytes};
  require(found == right, description + (spec.records ? "records" : "fixed") + (spec.grid->holes ? ", holes" : "") +
                              ": " + found.text() + "; planned: " + right.text());
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Scene scene;
  const std::vector<std::vector<std::string>> routes{{"route=serial"},
                                                     {"route=shared"},
                                                     {"route=ranges", "writers=3"},
                                                     {"route=row"},
                                                     {"route=column", "writers=2"},
                                                     {"route=domains", "io_layout=2,1"},
                                                     {"route=domains", "io_layout=2,2", "writers=3"},
                                                     {"transport=send", "writers=2"}};
  for (const std::vector<std::string> &route : routes)
    for (const char *window : {"transport.window=256KiB", "transport.window=8MiB"})
      for (const Grid &grid : scene.grids) {
        // Where blocks are written by themselves, holes are filled outside the plan.
        const bool ranges = route[0] == "route=serial" || route.back().rfind("writers=", 0) == 0;
        const bool one_row = !grid.periodic.empty();
        if ((grid.holes && !ranges) || (one_row && route.size() == 3)) continue;
        std::vector<std::string> options = route;
        options.insert(options.end(), {window, "file_system.stripe=4096", grid.holes ? "fill=on" : "fill=off"});
        const Numbers all{levels, shape[0], shape[1]};
        compare(scene, options, {"field", SV_FLOAT, SV_DOUBLE, all, {"z", "y", "x"}, !one_row, How::field, &grid, 1});
      }
  return MPI_Finalize();
}
