// Where HDF5 finds no plug-in for Zstandard, a file with it is refused on every rank, and nothing of it stays, unless
// the caller says that its readers have one. Sverdrup reads such a file itself, and later files are refused again.
// run: ranks=1 limit=60 env=HDF5_PLUGIN_PATH=/nowhere
// run: ranks=2 limit=60 env=HDF5_PLUGIN_PATH=/nowhere
// run: ranks=5 limit=60 env=HDF5_PLUGIN_PATH=/nowhere
#include <filesystem>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t rows = 60, columns = 500;

void make(sv_context *io, const std::string &path, sv_file *&file, int &variable) {
  file = begin_file(io, path, 0, {{"y", rows}, {"x", columns}}, {{"a", SV_INT, {"y", "x"}, &variable}});
}

void refused(const std::vector<std::string> &options) {
  sv_context *io = start(MPI_COMM_WORLD, options);
  sv_file *file = nullptr;
  int variable = -1;
  make(io, "refused.nc", file, variable);
  const Verdict verdict{SV_ECOMPILED, {"refused.nc", "HDF5_PLUGIN_PATH", "deflate", "compression.zstd_plugin"}};
  expect("sv_enddef", verdict, [&] { return sv_enddef(file); });
  expect("sv_close", verdict, [&] { return sv_close(file); });
  SV_MUST(sv_finalize(io));
  if (rank_in(MPI_COMM_WORLD) == 0)
    for (const auto &entry : std::filesystem::directory_iterator("."))
      require(!entry.path().filename().string().starts_with("refused.nc"), entry.path().string() + " was left");
}

/// Rows in turn, written by their ranks and read by the next ones.
void made_for_others(const std::vector<std::string> &options) {
  sv_context *io = start(MPI_COMM_WORLD, options);
  const int ranks = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  sv_file *file = nullptr;
  int variable = -1;
  make(io, "made.nc", file, variable);
  SV_MUST(sv_enddef(file));
  int64_t first = 0, count = 0;
  SV_MUST(sv_block(rows, ranks, rank, &first, &count));
  std::vector<int> values;
  for (int64_t i = first * columns; i < (first + count) * columns; ++i) values.push_back(static_cast<int>(i / 7));
  const int64_t begin[] = {first, 0}, counts[] = {count, columns};
  SV_MUST(sv_put_vara(file, variable, begin, counts, SV_INT, values.data(), nullptr));
  SV_MUST(sv_close(file));
  file = open_file(io, "made.nc");
  SV_MUST(sv_block(rows, ranks, (rank + 1) % ranks, &first, &count));
  const int64_t from[] = {first, 0}, extent[] = {count, columns};
  std::vector<int> found(static_cast<size_t>(count * columns), -1);
  SV_MUST(sv_get_vara(file, variable, from, extent, SV_INT, found.data(), nullptr));
  for (int64_t i = 0; i < count * columns; ++i)
    require(found[static_cast<size_t>(i)] == (first * columns + i) / 7, "other values are read");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  if (rank == 0) require(std::filesystem::file_size("made.nc") < rows * columns * sizeof(int) / 2, "not compressed");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (!has_store("netcdf4")) return MPI_Finalize();
  const std::vector<std::string> options{"store=netcdf4", "compression=zstd:3"};
  std::vector<std::string> elsewhere = options;
  elsewhere.push_back("compression.zstd_plugin=assumed");
  refused(options);
  made_for_others(elsewhere);
  refused(options);
  return MPI_Finalize();
}
