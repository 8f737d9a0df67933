// run: ranks=2 limit=180 sanitize=no
// The whole reader on malformed netCDF-4 files, with `reading.untrusted: true`: COUNT (50) mutations of run SEED (1),
// from number FIRST (0) on. Each is refused with the same error on every rank, or its values are, or are read. HDF5 may
// crash; these ranks live, and need no more memory than 256 MiB. Otherwise the file at fault is hostile4.nc.
#include <netcdf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/hostile.hpp"
#include "fuzz/netcdf4_mutations.hpp"
#include "support/test_file.hpp"

using namespace svtest;

namespace {

constexpr unsigned most_seconds = 60;
const std::string path = "hostile4.nc";

struct Counts {
  int refused = 0, crashed = 0, read = 0, failed = 0;
};

void must(int status) { require(status == NC_NOERR, nc_strerror(status)); }

/// What netCDF-C makes of most of its features: each way to store a variable, old and new structures of HDF5.
void make_by_netcdf(const std::string &name, int mode) {
  int file = -1, dims[3], id = -1, unlimited = -1;
  must(nc_create(name.c_str(), NC_NETCDF4 | NC_CLOBBER | mode, &file));
  must(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must(nc_def_dim(file, "y", 12, &dims[1]));
  must(nc_def_dim(file, "x", 20, &dims[2]));
  must(nc_put_att_text(file, NC_GLOBAL, "title", 6, "a seed"));
  const auto define = [&](const char *variable, nc_type type, int n, const int *of) {
    must(nc_def_var(file, variable, type, n, of, &id));
    return id;
  };
  unlimited = define("time", NC_DOUBLE, 1, dims);
  const int plain = define("plain", NC_FLOAT, 3, dims), packed = define("packed", NC_SHORT, 3, dims);
  const size_t chunk[] = {1, 6, 10};
  must(nc_def_var_chunking(file, packed, NC_CHUNKED, chunk));
  must(nc_def_var_deflate(file, packed, 1, 1, 3));
  must(nc_def_var_fletcher32(file, packed, NC_FLETCHER32));
  const int fixed = define("fixed", NC_INT, 2, dims + 1), turned = define("turned", NC_DOUBLE, 2, dims + 1);
  must(nc_def_var_endian(file, turned, NC_ENDIAN_BIG));
  const double range[] = {0.5, 2.5};
  must(nc_put_att_double(file, packed, "valid_range", NC_FLOAT, 2, range));
  for (int n = 0; n < 12; ++n) must(nc_put_att_text(file, fixed, ("note" + std::to_string(n)).c_str(), 4, "text"));
  must(nc_enddef(file));
  std::vector<double> values(3 * 12 * 20);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 97);
  const size_t start[] = {0, 0, 0}, count[] = {3, 12, 20};
  must(nc_put_vara_double(file, unlimited, start, count, values.data()));
  for (const int variable : {plain, packed}) must(nc_put_vara_double(file, variable, start, count, values.data()));
  for (const int variable : {fixed, turned}) must(nc_put_vara_double(file, variable, start, count + 1, values.data()));
  must(nc_close(file));
}

void make_by_us(const std::string &name, const std::vector<std::string> &options) {
  sv_context *io = start(MPI_COMM_SELF, options);
  int time = -1, field = -1, fixed = -1;
  sv_file *file = begin_file(io, name, 0, {{"time", SV_UNLIMITED}, {"y", 12}, {"x", 20}},
                             {{"time", SV_DOUBLE, {"time"}, &time},
                              {"field", SV_FLOAT, {"time", "y", "x"}, &field},
                              {"fixed", SV_INT, {"y", "x"}, &fixed}});
  SV_MUST(sv_put_att(file, field, "units", SV_CHAR, 5, "metre"));
  SV_MUST(sv_enddef(file));
  std::vector<double> values(240);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 89);
  SV_MUST(sv_put_var(file, fixed, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  for (int64_t record = 0; record < 3; ++record) {
    SV_MUST(sv_put_var(file, time, record, SV_DOUBLE, values.data(), nullptr));
    SV_MUST(sv_put_var(file, field, record, SV_DOUBLE, values.data(), nullptr));
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
}

svfuzz::Bytes bytes_of(const std::string &name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The same on all ranks, which rank 0 makes.
std::vector<svfuzz::Bytes> seeds() {
  const std::vector<std::string> names{"seed.netcdf.nc", "seed.classic.nc", "seed.plain.nc", "seed.deflate.nc"};
  at_root([&] {
    make_by_netcdf(names[0], 0);
    make_by_netcdf(names[1], NC_CLASSIC_MODEL);
    make_by_us(names[2], {"store=netcdf4", "chunks=1,6,10"});
    make_by_us(names[3], {"store=netcdf4", "compression=deflate:1", "kind=growing"});
  });
  std::vector<svfuzz::Bytes> all;
  for (const std::string &name : names) all.push_back(bytes_of(name));
  return all;
}

/// The whole variable if it is small, otherwise the first and the last element. Whether all could be read.
bool read_variable(sv_file *file, int variable, Counts &counts) {
  int type = 0, n = 0;
  std::array<int, SV_MAX_DIMS> dims{};
  SV_MUST(sv_inq_var(file, variable, nullptr, &type, &n, dims.data(), nullptr));
  std::array<int64_t, SV_MAX_DIMS> shape{}, start{}, count{};
  int64_t elements = 1;
  for (int d = 0; d < n; ++d) {
    const auto at = static_cast<size_t>(d);
    SV_MUST(sv_inq_dim(file, dims[at], nullptr, &shape[at]));
    if (shape[at] == 0) return true;
    if (elements <= most_elements) elements *= std::min(shape[at], most_elements + 1);
  }
  const bool whole = elements <= most_elements;
  std::vector<double> values(static_cast<size_t>(whole ? elements : 1));
  for (const bool last : {false, true}) {
    for (size_t d = 0; d < static_cast<size_t>(n); ++d) {
      start[d] = last && !whole ? shape[d] - 1 : 0;
      count[d] = whole ? shape[d] : 1;
    }
    const int status =
        read_alike(sv_get_vara(file, variable, start.data(), count.data(), type, values.data(), nullptr), "values");
    if (status != SV_OK && says("crashes")) ++counts.crashed;
    if (status != SV_OK) return false;
    if (whole) return true;
  }
  return true;
}

void run(sv_context *io, const svfuzz::Bytes &bytes, Counts &counts) {
  sv_file *const file = opened(io, path, bytes);
  if (file == nullptr) {
    if (says("crashes")) ++counts.crashed;
    ++counts.refused;
    return;
  }
  int variables = 0;
  SV_MUST(sv_inq(file, nullptr, &variables, nullptr, nullptr));
  bool all = true;
  for (int v = 0; v < std::min(variables, most_variables); ++v) all = read_variable(file, v, counts) && all;
  SV_MUST(sv_close(file));
  ++(all ? counts.read : counts.failed);
}

/// Of this process, and of the largest one that it has started.
int64_t resident_kb() {
  rusage own{}, helpers{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &helpers);
  return std::max(own.ru_maxrss, helpers.ru_maxrss);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const uint64_t seed = svfuzz::from_environment("SEED", 1), first = svfuzz::from_environment("FIRST", 0),
                 count = svfuzz::from_environment("COUNT", 50);
  const std::vector<svfuzz::Bytes> whole = seeds();
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "watchdog=40", "reading.untrusted=true"});
  Counts counts;
  for (const svfuzz::Bytes &each : whole) run(io, each, counts);
  require(counts.read == static_cast<int>(whole.size()), "a seed is not read");
  for (uint64_t n = first; n < first + count; ++n) {
    alarm(most_seconds);
    run(io, svfuzz::Netcdf4Mutation(whole, seed, n).bytes(), counts);
  }
  alarm(0);
  SV_MUST(sv_finalize(io));
  require(::waitpid(-1, nullptr, WNOHANG) < 0, "a helper is left");
  require(resident_kb() < most_resident_kb, "it took " + std::to_string(resident_kb()) + " kB of memory");
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::printf(
        "SEED=%llu: %d refused, %d whose values could not all be read, %d read; HDF5 crashed %d times; %lld MB\n",
        static_cast<unsigned long long>(seed), counts.refused, counts.failed, counts.read, counts.crashed,
        static_cast<long long>(resident_kb() >> 10));
  return MPI_Finalize();
}
