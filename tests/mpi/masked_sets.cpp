// Random masks and sets of files: blocks that are all land have no piece, and neither have I/O domains without a rank.
// Joined, a set is the file that one rank writes by the serial route; it reads as one file with another mask.
// COUNT sets how many masks, SEED where they begin.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=5 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include "mpi/masked_grids.hpp"
#include "support/copying.hpp"
#include "support/files.hpp"
#include "support/readers.hpp"
#include "support/sets.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 2;

std::vector<Spec> specs_on(const Grid &grid) {
  const Numbers yx = grid.shape, zyx{3, yx[0], yx[1]};
  return {{"depth", SV_DOUBLE, SV_DOUBLE, yx, {"y", "x"}, false, How::field, &grid},
          {"temperature", SV_FLOAT, SV_DOUBLE, zyx, {"z", "y", "x"}, true, How::field, &grid, 1, true},
          {"ice", SV_SHORT, SV_SHORT, yx, {"y", "x"}, true, How::field, &grid},
          {"time", SV_DOUBLE, SV_DOUBLE, {}, {}, true, How::replicated}};
}

void write(MPI_Comm comm, const std::string &path, const std::vector<Spec> &specs,
           const std::vector<std::string> &options) {
  sv_context *io = start(comm, options);
  write_file(io, comm, path, specs, records);
  SV_MUST(sv_finalize(io));
}

void write_reference(const std::string &path, const std::vector<Spec> &specs) {
  std::vector<Spec> whole = specs;
  for (Spec &spec : whole) spec.how = How::replicated;
  for (Spec &spec : whole) spec.say_axes = false;
  write(MPI_COMM_SELF, path, whole, {"route=serial", "testing.ranks_per_node=0", "transport.window=1MiB"});
  NetcdfFile(path).check_all(specs, records);
}

void read_elsewhere(const std::string &set, const std::vector<Spec> &specs, const Grid &grid,
                    const std::string &description) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  const Input in{io, open_file(io, set), rank_in(MPI_COMM_WORLD), description};
  sv_decomp *decomp = declare(io, grid, in.rank);
  for (const Spec &right : specs) {
    if (right.shape.size() != 2) continue;
    Spec spec = right;
    spec.grid = &grid;
    const int64_t record = spec.records ? records - 1 : SV_NO_RECORD;
    check_field(in, spec, decomp, record, right);
    check_whole(in, spec, record, right);
  }
  SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_close(in.file));
  SV_MUST(sv_finalize(io));
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed);
  const Grid grid = masked_grid(random, {random.between(5, 60), random.between(5, 60)}, ranks);
  const Grid other = masked_grid(random, grid.shape, ranks);
  const std::vector<Spec> specs = specs_on(grid);
  const auto [columns, rows] = columns_and_rows(grid);
  const std::string any = io_layout(random.between(1, columns), random.between(1, rows)),
                    all = io_layout(columns, rows);
  if (rank == 0) write_reference("reference.nc", specs);
  const std::vector<std::vector<std::string>> variants{{"route=per_pe"},
                                                       {"route=per_pe", "kind=growing"},
                                                       {"route=per_domain"},
                                                       {"route=per_domain", any},
                                                       {"route=per_domain", all, "transport=send"}};
  for (std::vector<std::string> options : variants) {
    options.push_back("transport.window=64KiB");
    std::string description = "SEED=" + std::to_string(seed) + " on " + std::to_string(ranks) + " ranks";
    for (const std::string &option : options) description += " " + option;
    if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", description.c_str());
    write(MPI_COMM_WORLD, "set.nc", specs, options);
    read_elsewhere("set.nc", specs, other, description);
    sv_tools::join(MPI_COMM_WORLD, "set.nc", "joined.nc", {"transport.window=1MiB"});
    if (rank == 0) require(bytes_of_file("joined.nc") == bytes_of_file("reference.nc"), description + ": other bytes");
    at_root([&] { remove_pieces("set.nc"); });
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 6);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
