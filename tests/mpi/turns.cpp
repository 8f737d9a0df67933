// Files that begin and end while a run changes at random steps between writing in its calls and behind them, and by
// ranks that were kept ready (as many as the first argument says), have the same bytes as those that the calls write:
// also those that are opened again. Those of another store (the second argument) have the same values, as they are
// read here. COUNT sets how many cases, SEED where they begin.
// run: ranks=1 limit=60 behind
// run: ranks=2 limit=90 behind
// run: ranks=5 limit=90 behind
// run: ranks=2 limit=90 name=ready behind args=1
// run: ranks=4 limit=90 name=ready behind args=1
// run: ranks=7 limit=90 name=ready behind args=2
// run: ranks=4 limit=90 name=netcdf4 behind env=COUNT=5 sanitize=no args=0 netcdf4
// run: ranks=4 limit=90 name=zarr behind env=COUNT=5 sanitize=no args=0 zarr
// run: ranks=4 limit=90 name=ready.netcdf4 behind env=COUNT=5 sanitize=no args=1 netcdf4
// run: ranks=4 limit=90 name=ready.zarr behind env=COUNT=5 sanitize=no args=1 zarr
// run: ranks=7 limit=90 name=ready_nodes.cdf behind env=SV_TESTING_RANKS_PER_NODE=3;COUNT=5 sanitize=no args=2 cdf
// run: ranks=7 limit=90 name=ready_nodes.netcdf4 behind env=SV_TESTING_RANKS_PER_NODE=3;COUNT=5 sanitize=no args=2 netcdf4
// run: ranks=7 limit=90 name=ready_nodes.zarr behind env=SV_TESTING_RANKS_PER_NODE=3;COUNT=5 sanitize=no args=2 zarr
#include <cstdlib>
#include <sstream>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/random_case.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

/// Of a file: in which steps it has its first record and its last; then, if it is opened again, the same.
struct Life {
  int64_t begins, ends, begins_again, ends_again;
  bool grows;

  /// The record of a step; -1: none.
  int64_t record_at(int64_t step) const {
    if (step >= begins && step <= ends) return step - begins;
    return step >= begins_again && step <= ends_again ? ends - begins + 1 + step - begins_again : -1;
  }
};

struct Case {
  std::vector<std::string> options;  // of both runs
  std::string turns;
  int64_t steps = 0;
  std::vector<Grid> grids;
  std::vector<Spec> specs;
  std::vector<Life> files;
  std::vector<int> between;  // of each step: the calls after it
};

Life random_life(Random &random, int64_t steps) {
  Life life{random.between(0, steps - 1), 0, steps, -1, random.chance(50)};
  life.ends = random.between(life.begins, steps - 1);
  if (!life.grows || life.ends == steps - 1 || random.chance(40)) return life;
  life.begins_again = random.between(life.ends + 1, steps - 1);
  life.ends_again = random.between(life.begins_again, steps - 1);
  return life;
}

std::vector<std::string> options_of(const std::string &store, Random &random, int ranks, bool regular) {
  if (store == "netcdf4") return random_chunk_options(random, ranks, regular);
  std::vector<std::string> options = random_options(random, ranks, regular);
  if (store == "cdf") return options;
  std::erase(options, "format=cdf5");
  options.push_back("store=" + store);
  if (random.chance(50)) options.push_back("compression=zstd:" + std::to_string(random.between(1, 5)));
  if (random.chance(30)) options.push_back("chunks.shards=auto");
  return options;
}

Case make_case(Random &random, int ranks, const std::string &store) {
  Case made;
  const bool regular = random.chance(50);
  made.options = options_of(store, random, ranks, regular);
  if (std::getenv("SV_TESTING_RANKS_PER_NODE") != nullptr)
    std::erase_if(made.options,
                  [](const std::string &option) { return option.starts_with("testing.ranks_per_node="); });
  if (random.chance(40))  // of the other stores, growing files cannot be ordered
    made.options.push_back(random.chance(50) && store == "cdf" ? "durability=ordered" : "durability=on_disk");
  made.steps = random.between(4, 12);
  for (int64_t turn = random.between(1, 5); turn > 0; --turn)
    made.turns += (made.turns.empty() ? "" : ",") + std::to_string(random.between(1, 3));
  for (int g = 0; g < 2; ++g)
    made.grids.push_back(random_grid(random, {random.between(1, 40), random.between(1, 40)}, ranks, regular));
  for (int s = 0; s < 4; ++s)
    made.specs.push_back(random_spec(random, "v" + std::to_string(s), random.one_of(made.grids)));
  made.files = {{0, made.steps - 1, made.steps, -1, true}, {0, made.steps - 1, made.steps, -1, false}};
  for (int64_t more = random.between(1, 4); more > 0; --more) made.files.push_back(random_life(random, made.steps));
  for (int64_t step = 0; step < made.steps; ++step) made.between.push_back(static_cast<int>(random.between(0, 9)));
  return made;
}

void begin(Output &out, const std::string &path, const Case &made, const Life &life, int ranks) {
  SV_MUST(sv_create(out.io, path.c_str(), life.grows ? SV_GROWING : 0, &out.file));
  define(out, made.specs);
  for (const Spec &spec : made.specs)
    if (spec.how == How::field) out.decomp(spec.grid);
  SV_MUST(sv_enddef(out.file));
  for (const Spec &spec : made.specs) {
    if (!spec.records) put(out, spec, SV_NO_RECORD);
    if (spec.how == How::subarrays) put_subarrays(out, spec, ranks, life.ends - life.begins + 1);
  }
}

void begin_again(Output &out, const std::string &path, const Case &made) {
  out.file = open_file(out.io, path, SV_WRITE);
  for (const Spec &spec : made.specs)
    if (spec.say_axes)
      SV_MUST(sv_def_var_decomp_dim(out.file, out.ids[spec.name],
                                    static_cast<int>(spec.first_axis) + (spec.records ? 1 : 0)));
}

void put_record(Output &out, const Case &made, int64_t record) {
  for (const Spec &spec : made.specs)
    if (spec.records) put(out, spec, record);
}

/// A record of each open file in every step, with calls in between that wait for some of it.
void write_all(const Case &made, const std::string &name, sv_context *io, MPI_Comm comm) {
  std::vector<Output> files(made.files.size(), Output{io, rank_in(comm)});
  for (int64_t step = 0; step < made.steps; ++step) {
    for (size_t f = 0; f < files.size(); ++f) {
      const std::string path = name + std::to_string(f) + ".nc";
      if (step == made.files[f].begins) begin(files[f], path, made, made.files[f], size_of(comm));
      if (step == made.files[f].begins_again) begin_again(files[f], path, made);
      const int64_t record = made.files[f].record_at(step);
      if (record >= 0) put_record(files[f], made, record);
    }
    SV_MUST(sv_end_step(io));
    const int what = made.between[static_cast<size_t>(step)];
    if (what == 0) SV_MUST(sv_flush(io, SV_WRITTEN));
    if (what == 1) SV_MUST(sv_sync(files[0].file));
    if (what == 2) SV_MUST(sv_end_step(io));                                   // in which nothing was put
    if (what == 3 && step + 1 < made.steps) put_record(files[1], made, step);  // again, in a later step
    for (size_t f = 0; f < files.size(); ++f)
      if (step == made.files[f].ends || step == made.files[f].ends_again) SV_MUST(sv_close(files[f].file));
  }
  for (Output &out : files)
    for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

void write_case(const Case &made, const std::string &name, std::vector<std::string> options) {
  options.insert(options.begin(), made.options.begin(), made.options.end());
  sv_context *io = start(MPI_COMM_WORLD, options);
  const MPI_Comm comm = model_ranks(io);
  if (comm != MPI_COMM_NULL) write_all(made, name, io, comm);
  SV_MUST(sv_finalize(io));
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Who wrote files of all cases; on rank 0.
struct Writers {
  int models = 0, servers = 0;

  void count(const std::string &summary) {
    const std::vector<char> bytes = bytes_of_file(summary);
    const std::string text(bytes.begin(), bytes.end());
    const auto times = [&text](const std::string &part) {
      int found = 0;
      for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
      return found;
    };
    models += times("in the calls or in a thread, by their cost");
    servers += times("servers write it while the model computes");
  }
};

sv_file *opened(sv_context *io, const std::string &path, int64_t &records) {
  sv_file *file = open_file(io, path);
  int time = -1;
  SV_MUST(sv_inq_dimid(file, "time", &time));
  SV_MUST(sv_inq_dim(file, time, nullptr, &records));
  return file;
}

/// Collective. Reads both, all of them on every rank.
void require_same_values(const std::string &path, const std::string &other, const std::vector<Spec> &specs,
                         const std::string &description) {
  sv_context *io = start(MPI_COMM_WORLD, {"async=none", "transport.window=1MiB"});
  int64_t records = 0, others = 0;
  const Input one{io, opened(io, path, records), 0, ""}, two{io, opened(io, other, others), 0, ""};
  require(records == others, description + ": " + path + " has " + std::to_string(records) + " records, " + other +
                                 " has " + std::to_string(others));
  for (const Spec &spec : specs)
    for (int64_t record = spec.records ? 0 : -1; record < (spec.records ? records : 0); ++record) {
      Array values[] = {array_of(spec, spec.shape), array_of(spec, spec.shape)};
      SV_MUST(sv_get_var(one.file, one.id(spec), record, spec.memory, values[0].bytes.data(), values[0].strides()));
      SV_MUST(sv_get_var(two.file, two.id(spec), record, spec.memory, values[1].bytes.data(), values[1].strides()));
      require(values[0].bytes == values[1].bytes,
              description + ": " + path + ", " + spec.name + ", record " + std::to_string(record) + " differs");
    }
  SV_MUST(sv_close(one.file));
  SV_MUST(sv_close(two.file));
  SV_MUST(sv_finalize(io));
}

void try_case(uint64_t seed, int ready, const std::string &store, Writers &writers) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD) - ready;
  Random random(seed);
  const Case made = make_case(random, ranks, store);
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks, " << ready << " ready, turns " << made.turns << ", "
              << made.steps << " steps:";
  for (const std::string &option : made.options) description << ' ' << option;
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", description.str().c_str());
  const std::string servers = std::to_string(ready);
  write_case(made, "calls", {"async=servers:" + servers, "async.group=none"});
  write_case(made, "turns",
             {ready > 0 ? "async=auto:" + servers : "async=auto", "testing.turns=" + made.turns, "async.memory=4MiB",
              "summary=summary.json"});
  if (rank == 0) writers.count("summary.json");
  for (size_t f = 0; f < made.files.size(); ++f) {
    const std::string end = std::to_string(f) + ".nc", turns = "turns" + end, calls = "calls" + end;
    if (store != "cdf")
      require_same_values(turns, calls, made.specs, description.str());
    else if (rank == 0)
      require(bytes_of_file(turns) == bytes_of_file(calls), description.str() + ": file " + end + " differs");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const auto number_of = [](const char *name, int64_t otherwise) {
    const char *text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoll(text);
  };
  const int ready = argc < 2 ? 0 : std::atoi(argv[1]);
  const std::string store = argc < 3 ? "cdf" : argv[2];
  if (store != "cdf" && !has_store(store)) return MPI_Finalize();
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 15);
  Writers writers;
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i), ready, store, writers);
  if (rank_in(MPI_COMM_WORLD) == 0)
    require(writers.models > 0 && (writers.servers > 0) == (ready > 0),
            "the ranks of models wrote " + std::to_string(writers.models) + " files, and servers " +
                std::to_string(writers.servers));
  return MPI_Finalize();
}
