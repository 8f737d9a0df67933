// Stripes of new files on an emulated Lustre or BeeGFS file system of 8 targets, whose directories give 2 stripes of
// 1 MiB (CMakeLists.txt). Ranks, threads and servers make files with the configured stripes, and the summary reports
// them.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t rows = 48, columns = 32768;  // a step of int: 6 MiB

int number(int64_t cell) { return static_cast<int>(cell); }

/// "4 x 131072": count and bytes, as the file system reports them.
std::string stripes_on_beegfs(const std::string &path) {
  struct Found {
    uint32_t pattern, unit;
    uint16_t count;
  } found{};
  const int file = open(path.c_str(), O_RDONLY);
  require(file >= 0 && ioctl(file, _IOR('f', 25, Found), &found) == 0, path + " has no stripes");
  close(file);
  return std::to_string(found.count) + " x " + std::to_string(found.unit);
}

std::string stripes_on_lustre(const std::string &path) {
  struct {
    uint32_t magic, pattern;
    uint64_t object[2];
    uint32_t unit;
    uint16_t count, first;
  } found{};
  const int file = open(path.c_str(), O_RDONLY);
  require(file >= 0 && fgetxattr(file, "lustre.lov", &found, sizeof found) == sizeof found, path + " has no stripes");
  close(file);
  return std::to_string(found.count) + " x " + std::to_string(found.unit) + (found.pattern == 1 ? "" : ", overstriped");
}

struct Case {
  std::vector<std::string> options;
  std::string stripes;
  std::string remark = {};  // of the summary
};

/// The mode of a file that open(2) makes.
mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

void check(const Case &one, const std::string &store, std::string (*stripes_of)(const std::string &path)) {
  std::vector<std::string> options{"store=" + store, "summary=summary.json"};
  options.insert(options.end(), one.options.begin(), one.options.end());
  sv_context *io = start(MPI_COMM_WORLD, options);
  int computes = 0;
  SV_MUST(sv_is_model(io, &computes));
  if (computes != 0) {
    TestFile out(io, "striped.nc", 0, {{"time", SV_UNLIMITED}, {"y", rows}, {"x", columns}},
                 {{"v", SV_INT, {"time", "y", "x"}}});
    for (int64_t record = 0; record < 2; ++record) out.put(0, record, number);
    out.close();
    TestFile in(io, open_file(io, "striped.nc"));
    in.check(0, 1, number);
    in.close();
  }
  SV_MUST(sv_finalize(io));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_in(MPI_COMM_WORLD) == 0) {
    const std::string found = stripes_of("striped.nc"), all = store + " " + one.options.front();
    require(found == one.stripes, all + ": the file has " + found + " and not " + one.stripes);
    struct stat status {};
    require(stat("striped.nc", &status) == 0 && (status.st_mode & 0777) == usual_mode(), all + ": another mode");
    const std::vector<char> summary = bytes_of_file("summary.json");
    require(one.remark.empty() || std::string(summary.begin(), summary.end()).find(one.remark) != std::string::npos,
            all + ": the summary does not say: " + one.remark);
    unlink("striped.nc");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

const std::vector<Case> on_lustre{
    {{"route=auto"}, "2 x 1048576"},
    {{"file_system.stripe=64KiB"}, "2 x 1048576"},  // of ownership alone
    {{"file_system.stripe_count=4", "file_system.stripe=128KiB"}, "4 x 131072", "4 stripes of 131072 bytes"},
    {{"file_system.stripe_count=all", "route=shared"}, "8 x 1048576", "8 stripes of 1048576 bytes"},
    {{"file_system.stripe_count=20", "file_system.overstriping=true"}, "20 x 1048576, overstriped", "overstriped"},
    {{"file_system.stripe_count=20"}, "8 x 1048576"},
    {{"file_system.stripe_count=auto"}, "6 x 1048576"},
    {{"file_system.stripe_count=auto", "route=serial"}, "4 x 1048576"},
    {{"file_system.stripe_count=5", "async=threads"}, "5 x 1048576"},
    {{"file_system.stripe_count=5", "async=servers:1"}, "5 x 1048576", "5 stripes of 1048576 bytes"}};

/// Stripes of a power of two, and no overstriping.
const std::vector<Case> on_beegfs{
    {{"file_system.stripe_count=4", "file_system.stripe=192KiB"},
     "4 x 262144",
     "4 stripes of 262144 bytes, although the file system was asked for 4 stripes of 196608 bytes"},
    {{"file_system.stripe_count=all"}, "8 x 1048576", "8 stripes of 1048576 bytes"},
    {{"file_system.stripe_count=20", "file_system.overstriping=true"}, "8 x 1048576", "although"},
    {{"file_system.stripe_count=5", "async=servers:1"}, "5 x 1048576", "5 stripes of 1048576 bytes"}};

}  // namespace

int main(int argc, char **argv) {
  int given = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  if (argc > 1 && std::string(argv[1]) == "beegfs") {
    for (const Case &one : on_beegfs) check(one, "cdf", stripes_on_beegfs);
  } else {
    for (const Case &one : on_lustre) check(one, "cdf", stripes_on_lustre);
    for (const char *store : {"netcdf4", "netcdf4_library"})
      if (has_store(store)) check(on_lustre[2], store, stripes_on_lustre);
  }
  return MPI_Finalize();
}
