// Random files by random routes: netCDF-C finds the right values, and so does reading with another decomposition.
// COUNT sets how many, SEED where they begin. With the argument netcdf4, of this store; with split, by groups of a
// random split of the ranks, which write at the same time.
// run: ranks=3 limit=90
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=5 limit=90 name=split args=split
// run: ranks=7 limit=120 name=split_netcdf4 args=split netcdf4
// run: ranks=5 limit=120 name=behind behind
// run: ranks=1 limit=120 name=netcdf4 args=netcdf4
// run: ranks=2 limit=120 name=netcdf4 args=netcdf4
// run: ranks=5 limit=120 name=netcdf4 args=netcdf4
// run: ranks=8 limit=120 name=netcdf4 args=netcdf4
// run: ranks=1 limit=120 name=behind_netcdf4 behind args=netcdf4
// run: ranks=5 limit=120 name=behind_netcdf4 behind env=SV_TESTING_RANKS_PER_NODE=3;SV_COMPRESSION_THREADS=2 args=netcdf4
#include <cstdlib>
#include <sstream>

#include "support/files.hpp"
#include "support/random_case.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

int64_t number_of(const char *name, int64_t otherwise) {
  const char *text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

struct Case {
  std::string path, description;
  std::vector<std::string> options;
  bool regular = false;
  int64_t records = 0;
  std::vector<Grid> grids;
  std::vector<Spec> specs;
};

/// Whether netCDF-C can read it here.
bool is_for_all(const Case &made) {
  return std::none_of(made.options.begin(), made.options.end(),
                      [](const auto &each) { return each.starts_with("compression=zstd:"); });
}

Case make_case(Random &random, uint64_t seed, int ranks, bool in_chunks) {
  Case made;
  made.regular = random.chance(50);
  made.options = (in_chunks ? random_chunk_options : random_options)(random, ranks, made.regular);
  made.records = random.between(0, 3);
  const int grids = 2, specs = 5;
  for (int g = 0; g < grids; ++g) {
    Numbers shape{random.between(1, 40), random.between(1, 40)};
    if (!made.regular && random.chance(30)) shape.push_back(random.between(1, 9));
    if (!made.regular && random.chance(20)) shape = {random.between(1, 300)};
    made.grids.push_back(random_grid(random, shape, ranks, made.regular));
  }
  for (int s = 0; s < specs; ++s)
    made.specs.push_back(random_spec(random, "v" + std::to_string(s), random.one_of(made.grids)));
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks:";
  for (const std::string &option : made.options) description << ' ' << option;
  made.description = description.str();
  return made;
}

/// Reads every variable, converted to another type, with other blocks.
void read_back(Random &random, const Case &made, const Input &in, int ranks) {
  static const std::vector<int> types{SV_INT, SV_FLOAT, SV_DOUBLE};
  for (const Spec &truth_of : made.specs) {
    if (truth_of.records && made.records == 0) continue;
    Spec spec = truth_of;
    spec.memory = random.one_of(types);
    const Grid grid = random_grid(random, spec.how == How::field ? spec.grid->shape : spec.shape, ranks, false);
    if (spec.how != How::field) spec.first_axis = 0;
    spec.grid = &grid;
    const int64_t record = spec.records ? random.between(0, made.records - 1) : SV_NO_RECORD;
    // Reading sees no declared axes: fields whose place in the shape is ambiguous are read as sub-arrays only.
    const bool plain = spec.shape.size() == grid.shape.size();
    if (plain) {
      sv_decomp *decomp = declare(in.io, grid, in.rank);
      check_field(in, spec, decomp, record, truth_of);
      SV_MUST(sv_free_decomp(decomp));
    }
    check_whole(in, spec, record, truth_of);
    Random own(static_cast<uint64_t>(random.between(0, 1 << 30)) + static_cast<uint64_t>(in.rank));
    Numbers start, count;
    if (spec.records) {
      start.push_back(own.between(0, made.records - 1));
      count.push_back(own.between(0, made.records - start[0]));
    }
    for (const int64_t length : spec.shape) {
      start.push_back(own.between(0, length - 1));
      count.push_back(own.between(0, length - start.back()));
    }
    check_subarray(in, spec, start, count, truth_of);
  }
}

void try_case(MPI_Comm comm, const std::string &path, uint64_t seed, bool in_chunks) {
  const int rank = rank_in(comm), ranks = size_of(comm);
  Random random(seed);
  Case made = make_case(random, seed, ranks, in_chunks);
  made.path = path;
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", made.description.c_str());
  sv_context *io = start(comm, made.options);
  write_file(io, comm, made.path, made.specs, made.records);
  if (rank == 0) {
    bool records = false;
    for (const Spec &spec : made.specs) records = records || (spec.records && spec.how != How::never);
    if ((made.records == 0 || records) && is_for_all(made)) NetcdfFile(made.path).check_all(made.specs, made.records);
  }
  Input in{io, nullptr, rank, made.description};
  SV_MUST(sv_open(io, made.path.c_str(), 0, &in.file));
  int64_t records = -1;
  int dim = -1;
  SV_MUST(sv_inq_dimid(in.file, "time", &dim));
  SV_MUST(sv_inq_dim(in.file, dim, nullptr, &records));
  if (records == made.records) read_back(random, made, in, ranks);
  SV_MUST(sv_close(in.file));
  SV_MUST(sv_finalize(io));
}

/// The ranks in random groups, in a random order, each group with a case of its own.
void try_split(uint64_t seed, bool in_chunks) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed);
  const int64_t groups = random.between(1, ranks);
  int64_t group = 0, key = 0;
  for (int each = 0; each <= rank; ++each) {
    group = random.between(0, groups - 1);
    key = random.between(0, ranks);
  }
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(group), static_cast<int>(key), &comm);
  try_case(comm, "property" + std::to_string(group) + ".nc", seed * 1000 + static_cast<uint64_t>(group), in_chunks);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto said = [&words](const char *word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  const bool in_chunks = said("netcdf4");
  if (in_chunks && !has_store("netcdf4")) return MPI_Finalize();
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 30);
  for (int64_t i = 0; i < count; ++i) {
    const auto seed = static_cast<uint64_t>(first + i);
    if (said("split"))
      try_split(seed, in_chunks);
    else
      try_case(MPI_COMM_WORLD, "property.nc", seed, in_chunks);
  }
  return MPI_Finalize();
}
