// A hint that is longer than MPI takes is an error on every rank, not the end of the job. The hints of netCDF-4 are in
// force in the file that several write, if MPI reports them: Open MPI 5 loses the hints of MPI_File_open.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
#include <fstream>
#include <iterator>

#include "support/test_file.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr const char *summary = "in_force.json";

void try_store(const std::string &store) {
  sv_context *io = start(
      MPI_COMM_WORLD, {"store=" + store, "mpi_io.cb_config_list=" + std::string(3000, '*'), "transport.window=1MiB"});
  sv_file *file = nullptr;
  const int status = sv_create(io, "hints.nc", 0, &file);
  if (status == SV_ECOMPILED) return SV_MUST(sv_finalize(io));
  ok(status, "sv_create, " + store);
  define(file, {{"x", 4}}, {{"a", SV_INT, {"x"}}});
  const Verdict verdict{SV_ECONFIG, {"hints.nc", "cb_config_list", "3000 characters"}};
  expect("sv_enddef, " + store, verdict, [&] { return sv_enddef(file); });
  expect("sv_close, " + store, verdict, [&] { return sv_close(file); });
  SV_MUST(sv_finalize(io));
}

/// Collective. Writes a file with two writers, and returns whether the store was there.
bool write_with_hint(const std::string &hint) {
  sv_context *io = start(
      MPI_COMM_WORLD, {"store=netcdf4_library", "route=ranges", "writers=2", hint, std::string("summary=") + summary});
  sv_file *file = nullptr;
  const int status = sv_create(io, "in_force.nc", 0, &file);
  if (status != SV_ECOMPILED) {
    ok(status, "sv_create");
    define(file, {{"x", 4}}, {{"a", SV_INT, {"x"}}});
    SV_MUST(sv_enddef(file));
    SV_MUST(sv_close(file));
  }
  SV_MUST(sv_finalize(io));
  return status != SV_ECOMPILED;
}

void in_force() {
  if (size_of(MPI_COMM_WORLD) < 2 || !write_with_hint("mpi_io.cb_buffer_size=1048576")) return;
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  std::ifstream file(summary);
  const std::string all{std::istreambuf_iterator<char>(file), {}}, hint = "hint cb_buffer_size = 1048576 (";
  require(all.find(hint + "in force: 1048576)") != std::string::npos ||
              all.find(hint + "this MPI does not report the value in force)") != std::string::npos,
          "the hint is not in force: " + all);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const char *store : {"pnetcdf", "netcdf4_library"}) try_store(store);
  in_force();
  return MPI_Finalize();
}
