// Points that servers write: the cases of tests/mpi/points.cpp with servers, on one node and several. COUNT sets how
// many files, SEED where they begin; VERBOSE prints their settings. On 8 ranks, two models with more decompositions
// than servers remember, too.
// run: ranks=4 limit=60 env=COUNT=6
// run: ranks=8 limit=90 env=COUNT=8;SEED=101
// run: ranks=7 limit=90 env=COUNT=4;SEED=300 name=threads args=threads
#include "support/model_ranks.hpp"
#include "support/point_case.hpp"

namespace {

using namespace svtest;

/// Options of the servers, and the store, of both files.
struct Serving {
  int servers, groups;
  std::vector<std::string> options;
  std::string store;  // the option that chooses it
};

/// Collective.
bool is_compiled(const std::string &store) {
  sv_context *io = start(MPI_COMM_WORLD, {store});
  sv_file *file = nullptr;
  const int status = sv_create(io, "empty.nc", 0, &file);
  if (status != SV_ECOMPILED) {
    ok(status, "sv_create");
    SV_MUST(sv_enddef(file));
    SV_MUST(sv_close(file));
  }
  SV_MUST(sv_finalize(io));
  return status == SV_OK;
}

Serving random_serving(Random &random, int ranks) {
  const auto servers = static_cast<int>(random.between(1, std::min(4, ranks - 1)));
  Serving made{servers, static_cast<int>(random.between(1, servers)), {}, "store=cdf"};
  const auto add = [&](const std::vector<std::string> &words) { made.options.push_back(random.one_of(words)); };
  made.options = {"async=servers:" + std::to_string(made.servers), "async.groups=" + std::to_string(made.groups),
                  "testing.ranks_per_node=" + std::to_string(random.one_of(Numbers{0, 2, 3, ranks - 2}))};
  add({"async.placement=spread", "async.placement=last"});
  add({"async.forwarding=synchronous", "async.forwarding=asynchronous", "async.forwarding=paced"});
  add({"async.memory=1MiB", "async.memory=8MiB"});
  if (random.chance(60)) made.options.emplace_back("reading=servers");
  static const bool has_pnetcdf = is_compiled("store=pnetcdf"), has_netcdf4 = is_compiled("format=netcdf4");
  const int64_t store = random.between(1, 100);
  if (store <= 10 && has_pnetcdf) made.store = "store=pnetcdf";
  if (store > 90 && has_netcdf4) made.store = "format=netcdf4";
  return made;
}

/// Some of the servers that write the first file.
void draw_primaries(Random &random, const Serving &serving, std::vector<std::string> &options) {
  const auto begins = [&](const std::string &key) {
    return std::find_if(options.begin(), options.end(), [&](const std::string &each) { return each.starts_with(key); });
  };
  int64_t writers = (serving.servers + serving.groups - 1) / serving.groups;
  if (begins("route=serial") != options.end()) writers = 1;
  if (const auto found = begins("writers="); found != options.end())
    writers = std::min<int64_t>(writers, std::stoi(found->substr(8)));
  if (const auto found = begins("points.primaries="); found != options.end()) options.erase(found);
  if (random.chance(40)) return;
  options.push_back("points.primaries=" + std::to_string(random.between(1, writers)));
  if (random.chance(70)) options.emplace_back("points.partition=ranges");  // the last counts
}

/// More primaries than servers.
void try_refusal() {
  sv_context *io = start(MPI_COMM_WORLD, {"async=servers:2", "points.primaries=3"});
  if (model_ranks(io) != MPI_COMM_NULL) {
    sv_file *file = nullptr;
    SV_MUST(sv_create(io, "refused.nc", 0, &file));
    require(sv_enddef(file) == SV_ECONFIG, "more primaries than servers are refused");
    sv_close(file);
  }
  SV_MUST(sv_finalize(io));
}

/// Stores that are not our own lay files out by themselves.
void compare(const PointCase &made, const std::string &store) {
  if (store == "store=cdf")
    return require(bytes_of_file("served.nc") == bytes_of_file("alone.nc"), made.description + ": bytes");
  const NetcdfFile served("served.nc"), alone("alone.nc");
  for (const PointField &field : made.fields)
    for (int64_t record = field.records ? 0 : -1; record < (field.records ? made.records : 0); ++record)
      require(served.values(field.name, shape_of(made, field), record) ==
                  alone.values(field.name, shape_of(made, field), record),
              made.description + ": " + field.name + ", record " + std::to_string(record));
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed);
  const Serving serving = random_serving(random, ranks);
  PointCase made = make_point_case(seed, ranks - serving.servers, serving.options);
  draw_primaries(random, serving, made.options);
  if (random.chance(25)) made.fields.front().outer = {6, random.between(2, 6), 6};  // comes in several rounds
  made.options.push_back(serving.store);
  made.description += " " + serving.store + " of " + std::to_string(ranks) + " ranks";
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", made.description.c_str());

  sv_context *io = start(MPI_COMM_WORLD, made.options);
  const MPI_Comm model = model_ranks(io);
  if (model != MPI_COMM_NULL) {
    write_points(io, made, rank_in(model), "served.nc");
    read_points(io, made, rank_in(model), "served.nc");
  }
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"route=serial", serving.store});
  write_point_grids(io, made, rank, "alone.nc");
  SV_MUST(sv_finalize(io));
  at_root([&] { compare(made, serving.store); });
}

constexpr int64_t turns = 66;  // more decompositions than servers remember

/// Every step has owners of its own, and every third leaves a cell out; the first decomposition comes again at the end.
void write_turns(sv_context *io, MPI_Comm model, const std::string &path, int64_t cells) {
  int cell = -1, id = -1;
  sv_file *file = make_file(io, path, 0, {{"time", SV_UNLIMITED}, {"cell", cells, &cell}},
                            {{"turns", SV_DOUBLE, {"time", "cell"}, &id}});
  std::vector<sv_decomp *> decomps;
  for (int64_t step = 0; step <= turns; ++step) {
    const int64_t turn = step % turns;
    Numbers mine;
    for (int64_t c = turn % 3 == 0 ? 1 : 0; c < cells; ++c)
      if ((c * (turn + 1) + turn / 5) % size_of(model) == rank_in(model)) mine.insert(mine.begin(), c);
    if (step < turns) {
      decomps.push_back(nullptr);
      SV_MUST(
          sv_def_points(io, 1, &cells, std::ssize(mine), mine.data(), turn % 3 == 0 ? SV_MASKED : 0, &decomps.back()));
    }
    std::vector<double> values;
    for (const int64_t c : mine) values.push_back(static_cast<double>(step * cells + c));
    SV_MUST(sv_put(file, id, decomps[static_cast<size_t>(turn)], step, SV_DOUBLE, values.data(), nullptr));
    SV_MUST(sv_end_step(io));
    if (step != turns / 2) continue;
    SV_MUST(sv_redef(file));
    SV_MUST(sv_def_var(file, "late", SV_INT, 1, &cell, &cell));
    SV_MUST(sv_enddef(file));
  }
  SV_MUST(sv_close(file));
}

void check_turns(const std::string &path, int64_t cells) {
  const NetcdfFile file(path);
  for (int64_t step = 0; step <= turns; ++step) {
    const std::vector<double> found = file.values("turns", {cells}, step);
    for (int64_t c = 0; c < cells; ++c)
      require(found[static_cast<size_t>(c)] ==
                  (c == 0 && step % turns % 3 == 0 ? NC_FILL_DOUBLE : static_cast<double>(step * cells + c)),
              path + ", step " + std::to_string(step) + ", cell " + std::to_string(c));
  }
}

/// Two models share servers.
void try_turns() {
  const std::string name = rank_in(MPI_COMM_WORLD) % 3 == 0 ? "sea" : "air";
  const int64_t cells = name == "sea" ? 40 : 61;
  sv_context *io = start(MPI_COMM_WORLD,
                         {"async.component=" + name, "async=servers:2", "async.groups=2", "testing.ranks_per_node=3"});
  const MPI_Comm model = model_ranks(io);
  if (model != MPI_COMM_NULL) write_turns(io, model, name + ".nc", cells);
  const bool checks = model != MPI_COMM_NULL && rank_in(model) == 0;
  SV_MUST(sv_finalize(io));
  if (checks) check_turns(name + ".nc", cells);
}

}  // namespace

int main(int argc, char **argv) {
  // Threads may send then, where a node has no server.
  const bool threads = argc > 1 && std::string(argv[1]) == "threads";
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 8);
  if (size_of(MPI_COMM_WORLD) > 7) try_turns();
  if (size_of(MPI_COMM_WORLD) == 4) try_refusal();
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
