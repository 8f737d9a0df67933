// Any number of servers with any number of clients: the same bytes as the model's first rank writes alone.
// COUNT sets how many files of random settings, SEED where they begin.
// run: ranks=2 limit=60 env=COUNT=4
// run: ranks=5 limit=90
// run: ranks=9 limit=90
// run: ranks=20 limit=120 env=COUNT=3 name=most
// run: ranks=6 limit=90 env=COUNT=6;SEED=40 name=threads args=threads
// run: ranks=5 limit=90 env=COUNT=4;SEED=80;SV_FILE_SYSTEM_WRITE_DEPTH=4;SV_FILE_SYSTEM_DIRECT_IO=on name=large
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/random_case.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

int64_t number_of(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

std::string bytes_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Options of the servers; a few of the file, for both runs.
struct Settings {
  int servers;
  std::vector<std::string> serving, common;
};

Settings random_settings(Random &random, int ranks) {
  Settings made{static_cast<int>(random.between(1, std::min(7, ranks - 1))), {}, {}};
  const auto chosen = [&](const std::vector<std::string> &words) { return random.one_of(words); };
  made.serving = {"async=servers:" + std::to_string(made.servers),
                  chosen({"async.placement=spread", "async.placement=last"}),
                  chosen({"async.forwarding=synchronous", "async.forwarding=asynchronous", "async.forwarding=paced"}),
                  "testing.ranks_per_node=" + std::to_string(random.between(0, ranks)),
                  chosen({"async.memory=1MiB", "async.memory=8MiB"}),
                  "async.groups=" + std::to_string(random.between(1, 3))};
  if (random.chance(20)) made.serving.push_back("transport=send");
  if (random.chance(20)) made.serving.push_back("route=serial");
  if (random.chance(20) && ranks - made.servers > 1) made.serving.push_back("writers=2");
  if (random.chance(70)) made.serving.push_back("reading=servers");
  if (random.chance(60)) made.common.push_back("file_system.stripe=4096");
  if (random.chance(30)) made.common.push_back("format=cdf5");
  if (random.chance(30)) made.common.push_back("kind=growing");
  made.common.push_back("transport.window=1MiB");
  return made;
}

/// Reads what servers have, or are about to have, written: by other blocks, whole, and as sub-arrays.
void read_back(Random &random, sv_context *io, MPI_Comm model, const std::vector<Spec> &specs, int64_t records,
               const std::string &description) {
  const Input in{io, open_file(io, "served.nc"), rank_in(model), description};
  for (const Spec &spec : specs) {
    if (spec.records && (records == 0 || spec.how == How::never)) continue;
    const Grid grid = random_grid(random, spec.shape, size_of(model), false);
    const int64_t record = spec.records ? random.between(0, records - 1) : SV_NO_RECORD;
    if (!spec.shape.empty()) {
      Spec seen = spec;
      seen.grid = &grid;
      seen.first_axis = 0;
      sv_decomp *decomp = declare(io, grid, in.rank);
      check_field(in, seen, decomp, record, spec);
      SV_MUST(sv_free_decomp(decomp));
    }
    check_whole(in, spec, record, spec);
    Random own(static_cast<uint64_t>(random.between(0, 1 << 30)) + static_cast<uint64_t>(in.rank));
    Numbers start, count;
    if (spec.records) {
      start.push_back(own.between(0, records - 1));
      count.push_back(own.between(0, records - start[0]));
    }
    for (const int64_t length : spec.shape) {
      start.push_back(own.between(0, length - 1));
      count.push_back(own.between(0, length - start.back()));
    }
    check_subarray(in, spec, start, count, spec);
  }
  SV_MUST(sv_close(in.file));
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed);
  const Settings settings = random_settings(random, ranks);
  const int clients = ranks - settings.servers;
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks:";
  std::vector<std::string> options = settings.common;
  options.insert(options.end(), settings.serving.begin(), settings.serving.end());
  for (const std::string &option : options) description << ' ' << option;
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", description.str().c_str());

  const bool regular = random.chance(50);
  const int64_t records = random.between(1, 3);
  std::vector<Grid> grids;
  for (int g = 0; g < 2; ++g) {
    Numbers shape{random.between(1, 90), random.between(1, 120)};
    if (!regular && random.chance(30)) shape.push_back(random.between(1, 9));
    if (!regular && random.chance(20)) shape = {random.between(1, 300)};
    grids.push_back(random_grid(random, shape, clients, regular));
  }
  std::vector<Spec> specs;
  for (int s = 0; s < 5; ++s) specs.push_back(random_spec(random, "v" + std::to_string(s), random.one_of(grids)));

  sv_context *io = start(MPI_COMM_WORLD, options);
  int servers = 0;
  SV_MUST(sv_inq_servers(io, &servers));
  require(servers == settings.servers, description.str() + ": the number of servers");
  const MPI_Comm model = model_ranks(io);
  const bool computes = model != MPI_COMM_NULL;
  if (computes) {
    require(size_of(model) == clients, description.str() + ": the number of clients");
    write_file(io, model, "served.nc", specs, records);
    const bool has_records = std::any_of(specs.begin(), specs.end(),
                                         [](const Spec &spec) { return spec.records && spec.how != How::never; });
    if (has_records) read_back(random, io, model, specs, records, description.str());
  }
  SV_MUST(sv_finalize(io));

  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, computes ? 1 : 0, rank, &part);
  if (computes) {
    options = settings.common;
    options.emplace_back("route=serial");
    io = start(part, options);
    write_file(io, part, "alone.nc", specs, records);
    SV_MUST(sv_finalize(io));
    if (rank_in(part) == 0)
      require(bytes_of("served.nc") == bytes_of("alone.nc") && !bytes_of("alone.nc").empty(),
              description.str() + ": bytes");
  }
  MPI_Comm_free(&part);
}

}  // namespace

int main(int argc, char **argv) {
  // Threads may send then, where a node has no server.
  const bool threads = argc > 1 && std::string(argv[1]) == "threads";
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 8);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
