// Chunks that are stored as they are have places before ranks write parts of them. Ranks hear of these once for all
// variables that a combined put has, and once for a record of variables that are put one by one, as long as they are
// the same. For any variables of a record, netCDF-C reads the values that were put, and fill values otherwise, also
// with `fill: false`: there a variable must not read as zeros because others were put.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=combined args=combine=step
// run: ranks=3 limit=60 name=records args=chunks=2,8,10 kind=published
// run: ranks=1 limit=60 name=unfilled args=fill=false
// run: ranks=3 limit=60 name=unfilled args=fill=false
// run: ranks=3 limit=60 name=unfilled_records args=fill=false chunks=2,8,10 kind=published
// run: ranks=3 limit=60 name=unfilled_behind behind args=fill=false
// run: ranks=3 limit=60 name=behind behind
// run: ranks=3 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=1
#include <netcdf.h>

#include "support/files.hpp"

namespace {

int broadcasts = 0;

}  // namespace

/// With this the owner of a file sends the others the offsets.
extern "C" int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
  ++broadcasts;
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

namespace {

using namespace svtest;

constexpr int64_t ny = 24, nx = 20, records = 7;
constexpr int varying = 12, fixed = 5;
const std::string path = "plain.nc";

double value_of(int variable, int64_t record, int64_t cell) {
  return 1e6 * variable + 1e4 * static_cast<double>(record) + static_cast<double>(cell);
}

/// Some variables are put in each record, some in a few.
bool is_put(int variable, int64_t record) { return variable % 4 != 3 || record % 3 == variable % 3; }

/// In a record, one by one: variables that are put again after a pause are sent again.
int most_broadcasts(int64_t record) {
  int most = 1;
  for (int v = 0; v < varying; ++v)
    if (record > 0 && is_put(v, record) && !is_put(v, record - 1)) ++most;
  return most;
}

class File {
 public:
  explicit File(sv_context *io) : io_(io), file_(io, begin_file(io, path, 0, dims(), variables())) {
    broadcasts = 0;
    SV_MUST(sv_enddef(file_));
    defining_ = broadcasts;
  }
  void put(int variable, int64_t record) {
    file_.put(variable, variable < varying ? record : SV_NO_RECORD,
              [&](int64_t cell) { return value_of(variable, record, cell); });
  }
  /// Returns how often all ranks received offsets.
  int put_record(int64_t record) {
    broadcasts = 0;
    for (int v = 0; v < varying; ++v)
      if (is_put(v, record)) put(v, record);
    SV_MUST(sv_end_step(io_));
    return broadcasts;
  }
  int defining() const { return defining_; }
  void close() { file_.close(); }

 private:
  static std::vector<Dim> dims() { return {{"time", 0}, {"y", ny}, {"x", nx}, {"z", 1}}; }
  static std::vector<Var> variables() {
    std::vector<Var> all;
    for (int v = 0; v < varying; ++v) all.push_back({"varying" + std::to_string(v), SV_DOUBLE, {"time", "y", "x"}});
    for (int v = varying; v < varying + fixed; ++v)
      all.push_back({"fixed" + std::to_string(v), SV_DOUBLE, {"z", "y", "x"}});
    return all;
  }

  sv_context *io_;
  TestFile file_;
  int defining_ = 0;
};

void must(int status) { require(status == NC_NOERR, nc_strerror(status)); }

void check_file() {
  int file = -1;
  must(nc_open(path.c_str(), NC_NOWRITE, &file));
  std::vector<double> found(static_cast<size_t>(ny * nx));
  const size_t count[] = {1, ny, nx};
  for (int v = 0; v < varying + fixed; ++v)
    for (int64_t record = 0; record < (v < varying ? records : 1); ++record) {
      const size_t start[] = {static_cast<size_t>(record), 0, 0};
      must(nc_get_vara_double(file, v, start, count, found.data()));
      for (int64_t cell = 0; cell < ny * nx; ++cell) {
        const double wanted = v < varying && !is_put(v, record) ? NC_FILL_DOUBLE : value_of(v, record, cell);
        require(
            found[static_cast<size_t>(cell)] == wanted,
            "variable " + std::to_string(v) + ", record " + std::to_string(record) + ", cell " + std::to_string(cell));
      }
    }
  must(nc_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::vector<std::string> options{"store=netcdf4", "chunks=1,8,10", "kind=growing",
                                   "writers=" + std::to_string(size_of(MPI_COMM_WORLD))};
  options.insert(options.end(), argv + 1, argv + argc);
  const bool combines = argc > 1 && std::string(argv[1]).starts_with("combine");
  sv_context *io = start(MPI_COMM_WORLD, options);
  File file(io);
  require(file.defining() <= 2, "creating passed " + std::to_string(file.defining()) + " gates");
  for (int v = varying; v < varying + fixed; ++v) file.put(v, 0);
  for (int64_t record = 0; record < records; ++record) {
    const int reported = file.put_record(record), most = combines ? 1 : most_broadcasts(record);
    require(reported <= most, "record " + std::to_string(record) + " reported " + std::to_string(reported) +
                                  " times, not " + std::to_string(most));
  }
  file.close();
  SV_MUST(sv_finalize(io));
  MPI_Barrier(MPI_COMM_WORLD);
  check_file();
  return MPI_Finalize();
}
