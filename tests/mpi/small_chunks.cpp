// Small variables of netCDF-4 that are put by themselves, contiguous and compressed, more of them than may wait for
// their places. One rank writes each while the others wait; some ranks have the file open, some may not. A put that one
// rank refuses, a variable that is read or put again while the file grows come between them.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=5 limit=90
// run: ranks=5 limit=90 name=compressed args=deflate=1
// run: ranks=5 limit=90 name=few sanitize=no args=deflate=1 writers=2
// run: ranks=5 limit=90 name=growing sanitize=no args=deflate=1 kind=growing
// run: ranks=5 limit=90 name=nodes env=SV_RANKS_PER_NODE=2 args=deflate=1
// run: ranks=3 limit=90 name=own_files args=deflate=1 layout=per_variable variable_file=small.%v.nc
// run: ranks=3 limit=60 name=zarr args=store=zarr
#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t ny = 120, nx = 100;  // 96 kB
constexpr int fields = 200;
constexpr int again = 7;  // each so many is read, and put again

double value_of(int variable, int64_t cell, int turn) {
  return 1e5 * variable + static_cast<double>(cell) + (turn > 0 ? 0.5 : 0);
}

class File {
 public:
  File(sv_context *io, const std::string &path) : io_(io) {
    const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
    first_ = cut(ny, ranks, rank);
    count_ = cut(ny, ranks, rank + 1) - first_;
    const int64_t shape[] = {ny, nx}, start[] = {first_, 0}, count[] = {count_, nx};
    SV_MUST(sv_def_decomp(io, 2, shape, start, count, nullptr, nullptr, 0, &rows_));
    SV_MUST(sv_create(io, path.c_str(), 0, &file_));
    int dims[2], id = -1;
    SV_MUST(sv_def_dim(file_, "y", ny, &dims[0]));
    SV_MUST(sv_def_dim(file_, "x", nx, &dims[1]));
    for (int v = 0; v < fields; ++v)
      SV_MUST(sv_def_var(file_, ("small" + std::to_string(v)).c_str(), SV_DOUBLE, 2, dims, &id));
    SV_MUST(sv_enddef(file_));
  }
  void put(int variable, int turn) {
    std::vector<double> values;
    for (int64_t cell = first_ * nx; cell < (first_ + count_) * nx; ++cell)
      values.push_back(value_of(variable, cell, turn));
    SV_MUST(sv_put(file_, variable, rows_, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  }
  /// All ranks are told, and the file goes on.
  void put_nothing(int variable) {
    const bool refuses = rank_in(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 1;
    const std::vector<double> values(static_cast<size_t>(count_ * nx), -1);
    require(sv_put(file_, variable, rows_, SV_NO_RECORD, SV_DOUBLE, refuses ? nullptr : values.data(), nullptr) ==
                SV_EINVAL,
            "a rank without values was not told to all");
  }
  void check(int variable, int turn) {
    std::vector<double> values(static_cast<size_t>(count_ * nx), -1);
    SV_MUST(sv_get(file_, variable, rows_, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
    for (int64_t i = 0; i < count_ * nx; ++i)
      require(values[static_cast<size_t>(i)] == value_of(variable, first_ * nx + i, turn),
              "variable " + std::to_string(variable) + " is read wrongly");
  }
  void close() { SV_MUST(sv_close(file_)); }
  void open(const std::string &path) { SV_MUST(sv_open(io_, path.c_str(), 0, &file_)); }

 private:
  sv_context *io_;
  sv_file *file_ = nullptr;
  sv_decomp *rows_ = nullptr;
  int64_t first_ = 0, count_ = 0;
};

void check_by_netcdf(const std::string &path) {
  const NetcdfFile file(path);
  for (int v = 0; v < fields; ++v) {
    const std::vector<double> found = file.values("small" + std::to_string(v), {ny, nx}, -1);
    for (int64_t cell = 0; cell < ny * nx; ++cell)
      require(found[static_cast<size_t>(cell)] == value_of(v, cell, v % again == 0 ? 1 : 0),
              "netCDF-C reads variable " + std::to_string(v) + " wrongly");
  }
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::vector<std::string> options{"store=netcdf4"};
  options.insert(options.end(), argv + 1, argv + argc);
  const bool has_one_file = std::none_of(options.begin(), options.end(), [](const std::string &each) {
    return each.starts_with("layout=") || each == "store=zarr";
  });
  const std::string path = "small.nc";
  sv_context *io = start(MPI_COMM_WORLD, options);
  File file(io, path);
  for (int v = 0; v < fields; ++v) {
    if (v % 50 == 1) file.put_nothing(v);
    file.put(v, 0);
    if (v % again != 0) continue;
    file.check(v, 0);
    file.put(v, 1);
  }
  file.close();
  MPI_Barrier(MPI_COMM_WORLD);
  if (has_one_file) check_by_netcdf(path);
  file.open(path);
  for (int v = 0; v < fields; ++v) file.check(v, v % again == 0 ? 1 : 0);
  file.close();
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
