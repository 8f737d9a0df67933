// Random sequences of calls by Sverdrup on all ranks, and the same by netCDF-C on one: the files must be the same, byte
// by byte in the classic formats, by value in netCDF-4, whenever they are closed, and so must values that are read in
// between.
//
//   oracle STORE FIRST COUNT     cases FIRST, FIRST + 1 ... of a store: cdf, pnetcdf, netcdf4 or netcdf4_library
//
// From the environment: OMIT, numbers of operations that are left out (1,5,6); SHOW=1 prints the operations. A line
// "CASE number" begins each case; a violation ends the program.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "files_compared.hpp"
#include "ours.hpp"
#include "theirs.hpp"

namespace {

using namespace svtest;

const std::string our_path = "ours.nc", their_path = "netcdf.nc";

std::vector<bool> left_out(size_t count) {
  std::vector<bool> omitted(count, false);
  const char *text = std::getenv("OMIT");
  std::istringstream in(text == nullptr ? "" : text);
  for (std::string number; std::getline(in, number, ',');)
    if (!number.empty() && std::stoull(number) < count) omitted[std::stoull(number)] = true;
  return omitted;
}

void compare_files(const Case &made) {
  const bool classic = made.version == 1 || made.version == 2 || made.version == 5;
  std::string description = different_values(our_path, their_path);
  if (description.empty() && classic) description = different_bytes(our_path, their_path, made.redefines);
  if (!description.empty()) give_up(description);
}

/// The whole variable, as netCDF-C has it, on every rank.
std::vector<char> broadcast_to_all(const Ours &ours, const std::optional<Theirs> &theirs, const World &world, int var) {
  std::vector<char> values;
  if (theirs) values = theirs->values(world, var);
  int64_t bytes = static_cast<int64_t>(values.size());
  MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, ours.comm());
  values.resize(static_cast<size_t>(bytes));
  MPI_Bcast(values.data(), static_cast<int>(bytes), MPI_CHAR, 0, ours.comm());
  return values;
}

/// In a file that is open for writing, values that were put and committed records can be read; the rest is filled in
/// sv_close.
class Readable {
 public:
  void notice(const World &world, const Operation &operation) {
    for (const Put &put : operation.puts)
      if (put.call == Call::field || put.call == Call::replicated || put.call == Call::points)
        whole_.insert(world.var(put.var));
    if (operation.step != Step::reopen) return;
    for (size_t var = 0; var < world.vars.size(); ++var) whole_.insert(static_cast<int>(var));
  }
  bool is(const World &world, int var) const {
    return world.vars[static_cast<size_t>(var)].records || whole_.count(var) > 0;
  }

 private:
  std::set<int> whole_;
};

void try_case(const Case &made) {
  Readable readable;
  const std::vector<bool> omitted = left_out(made.operations.size());
  Ours ours(our_path, made);
  if (!ours.computes()) return ours.end();
  std::optional<Theirs> theirs;
  const bool shows = std::getenv("SHOW") != nullptr && ours.rank() == 0;
  if (ours.rank() == 0) theirs.emplace(their_path, made);
  World world;
  for (size_t i = 0; i < made.operations.size(); ++i) {
    const Operation &operation = made.operations[i];
    if (omitted[i] || !world.allows(operation)) continue;
    if (shows) std::printf("%3zu %s\n", i, describe(operation).c_str());
    if (shows) std::fflush(stdout);
    ours.carry_out(world, operation);
    if (theirs) theirs->carry_out(world, operation);
    const int var = world.var(operation.id);
    readable.notice(world, operation);
    if (operation.step == Step::get && readable.is(world, var))
      ours.compare(world, var, operation.salt, broadcast_to_all(ours, theirs, world, var));
    world.apply(operation);
  }
  if (!world.defining) {
    ours.close();
    if (theirs) theirs->close();
    if (theirs) compare_files(made);
  } else {
    ours.abandon();
  }
  ours.end();
}

void tell(const Case &made, int ranks) {
  std::ostringstream line;
  line << "CASE " << made.seed << ": " << ranks << " ranks, version " << made.version << ", kind " << made.kind << ", "
       << made.operations.size() << " operations:";
  for (const std::string &option : made.options) line << ' ' << option;
  std::printf("%s\n", line.str().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  require(argc == 4, "oracle STORE FIRST COUNT");
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const int64_t first = std::atoll(argv[2]), count = std::atoll(argv[3]);
  for (int64_t n = first; n < first + count; ++n) {
    const Case made = make_case(static_cast<uint64_t>(n), ranks, argv[1]);
    if (rank == 0) {
      tell(made, ranks);
      for (const std::string &path : {our_path, our_path + ".part", our_path + ".complete", their_path})
        std::filesystem::remove(path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    try_case(made);
  }
  if (rank == 0) std::printf("%lld cases: the same as netCDF-C\n", static_cast<long long>(count));
  return MPI_Finalize();
}
