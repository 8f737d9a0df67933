// Random masks: blocks that are all land have no rank. Every route writes the bytes that one rank writes by the serial
// route, netCDF-C finds the owned values and the fill value elsewhere, and another mask reads them back.
// COUNT sets how many masks, SEED where they begin.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=2 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=1
// run: ranks=5 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include "mpi/masked_grids.hpp"
#include "support/files.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

struct Case {
  std::string description;
  int64_t records = 0;
  std::vector<Grid> grids;
  std::vector<Spec> specs;
  std::vector<std::vector<std::string>> variants;
};

void add_variants(Case &made, Random &random, int ranks) {
  int columns = 1000, rows = 1000;
  for (const Grid &grid : made.grids) {
    const auto [x, y] = columns_and_rows(grid);
    columns = std::min(columns, x);
    rows = std::min(rows, y);
  }
  const auto some = [&] { return "writers=" + std::to_string(random.between(1, ranks)); };
  const std::string any = io_layout(random.between(1, columns), random.between(1, rows)),
                    all = io_layout(columns, rows);
  made.variants = {{},
                   {"route=serial"},
                   {"route=shared"},
                   {"route=domains"},
                   {"route=domains", any},
                   {"route=domains", any, some()},
                   {"route=domains", all},
                   {"route=domains", all, some(), "file_system.stripe=4096"},
                   {"route=domains", io_layout(1, 1), "writers=1 per node"},
                   {"route=row"},
                   {"route=row", some(), "file_system.stripe=4096"},
                   {"route=column"},
                   {"route=column", some(), "transport=send"},
                   {"route=ranges", some(), "file_system.stripe=4096"},
                   {"writers=self", "kind=growing"}};
}

Case make_case(uint64_t seed, int ranks) {
  Random random(seed);
  Case made;
  made.description = "SEED=" + std::to_string(seed) + " on " + std::to_string(ranks) + " ranks";
  made.records = random.between(0, 2);
  for (int g = 0; g < 2; ++g)
    made.grids.push_back(masked_grid(random, {random.between(5, 60), random.between(5, 60)}, ranks));
  for (const char *name : {"a", "b", "c", "d", "e"})
    made.specs.push_back(random_spec(random, name, random.one_of(made.grids)));
  add_variants(made, random, ranks);
  return made;
}

/// One rank writes it, from whole arrays that have the fill value in them.
void write_reference(const std::string &path, const Case &made) {
  std::vector<Spec> whole = made.specs;
  for (Spec &spec : whole)
    if (spec.how == How::field) spec.how = How::replicated;
  sv_context *io = start(MPI_COMM_SELF, {"route=serial", "testing.ranks_per_node=0", "transport.window=1MiB"});
  write_file(io, MPI_COMM_SELF, path, whole, made.records);
  SV_MUST(sv_finalize(io));
  bool records = made.records == 0;
  for (const Spec &spec : made.specs) records = records || (spec.records && spec.how != How::never);
  if (records) NetcdfFile(path).check_all(made.specs, made.records);
}

void compare(const std::string &path, const std::string &reference, const std::string &description) {
  const std::vector<char> found = bytes_of_file(path), right = bytes_of_file(reference);
  if (found == right) return;
  const auto common = static_cast<std::ptrdiff_t>(std::min(found.size(), right.size()));
  const auto where = std::mismatch(found.begin(), found.begin() + common, right.begin()).first - found.begin();
  give_up(description + ": " + std::to_string(found.size()) + " bytes, the serial file " +
          std::to_string(right.size()) + "; they differ at byte " + std::to_string(where));
}

/// With other masks: unwritten cells read as the fill value.
void read_back(const std::string &path, const Case &made, Random &random, int ranks) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  const Input in{io, open_file(io, path), rank_in(MPI_COMM_WORLD), made.description + ", read back"};
  for (const Spec &right : made.specs) {
    // Reading sees no declared axes: only where the grid is all of the shape is its place certain.
    if (right.shape.size() != 2 || right.how == How::never || (right.records && made.records == 0)) continue;
    const Grid grid = masked_grid(random, right.shape, ranks);
    Spec spec = right;
    spec.grid = &grid;
    spec.first_axis = 0;
    sv_decomp *decomp = declare(io, grid, in.rank);
    check_field(in, spec, decomp, spec.records ? made.records - 1 : SV_NO_RECORD, right);
    SV_MUST(sv_free_decomp(decomp));
  }
  SV_MUST(sv_close(in.file));
  SV_MUST(sv_finalize(io));
}

/// A variable without a _FillValue has netCDF's value in its holes; two masks of one field fill each other's holes.
void check_default_fill(const Grid &first, const Grid &second) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const std::string path = "default_fill.nc";
  Spec spec{"v", SV_FLOAT, SV_FLOAT, first.shape, {"y", "x"}, false, How::field, &first};
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  sv_file *file = make_file(io, path, 0, {{"y", spec.shape[0]}, {"x", spec.shape[1]}}, {{"v", SV_FLOAT, {"y", "x"}}});
  for (const Grid *grid : {&first, &second}) {
    spec.grid = grid;
    sv_decomp *decomp = declare(io, *grid, rank);
    const Array array = block_array(spec, rank, SV_NO_RECORD);
    SV_MUST(sv_put(file, 0, decomp, SV_NO_RECORD, SV_FLOAT, array.bytes.data(), nullptr));
    SV_MUST(sv_free_decomp(decomp));
  }
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  if (rank != 0) return;
  const std::vector<double> found = NetcdfFile(path).values("v", spec.shape, -1);
  const std::vector<bool> one = first.owned(), other = second.owned();
  for (size_t cell = 0; cell < found.size(); ++cell) {
    const double value = through(SV_FLOAT, truth(spec, SV_NO_RECORD, static_cast<int64_t>(cell)));
    const double right = one[cell] || other[cell] ? value : static_cast<double>(NC_FILL_FLOAT);
    if (found[cell] != right) give_up(path + ", cell " + std::to_string(cell) + ": " + std::to_string(found[cell]));
  }
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const Case made = make_case(seed, ranks);
  const std::string reference = "reference.nc", path = "masked.nc";
  if (rank == 0) write_reference(reference, made);
  for (const std::vector<std::string> &variant : made.variants) {
    std::vector<std::string> options = variant;
    options.push_back("transport.window=64KiB");
    std::string description = made.description;
    for (const std::string &option : variant) description += " " + option;
    if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", description.c_str());
    sv_context *io = start(MPI_COMM_WORLD, options);
    write_file(io, MPI_COMM_WORLD, path, made.specs, made.records);
    SV_MUST(sv_finalize(io));
    at_root([&] { compare(path, reference, description); });
  }
  Random random(seed + 1);
  read_back(path, made, random, ranks);
  check_default_fill(made.grids[0], masked_grid(random, made.grids[0].shape, ranks));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 4);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
