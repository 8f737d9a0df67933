// A growing file of the store pnetcdf that is abandoned with a record that was put and not committed: no count that
// PnetCDF writes includes it, not even for a moment, and the file is appended to afterwards, in the same program.
// run: ranks=1 limit=60 sanitize=no
// run: ranks=3 limit=60 sanitize=no
// run: ranks=3 limit=60 name=library_io env=SV_MPI_IO=library sanitize=no
#include <algorithm>

#include "support/files.hpp"

namespace {

int64_t highest_count = -1;
constexpr MPI_Offset count_offset = 4;
constexpr int count_bytes = 4;

}  // namespace

// PnetCDF's calls come here, and go on to MPI: it writes the record count of CDF-2 alone, big-endian.
extern "C" int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *values, int count, MPI_Datatype type,
                                 MPI_Status *status) {
  if (offset == count_offset && count == count_bytes && type == MPI_BYTE) {
    int64_t records = 0;
    for (int i = 0; i < count_bytes; ++i) records = records * 256 + static_cast<const unsigned char *>(values)[i];
    highest_count = std::max(highest_count, records);
  }
  return PMPI_File_write_at(file, offset, values, count, type, status);
}

namespace {

using namespace svtest;

constexpr int64_t cells_of_each = 7;

struct Scene {
  std::string path;
  sv_context *io = nullptr;
  sv_file *file = nullptr;
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  int64_t cells() const { return cells_of_each * ranks; }

  void begin() {
    io = start(MPI_COMM_WORLD, {"store=pnetcdf", "format=cdf2", "route=ranges", "transport.window=1MiB"});
  }
  void put(int64_t record) const {
    const std::vector<double> values(static_cast<size_t>(cells_of_each), static_cast<double>(record));
    const int64_t here[] = {record, cells_of_each * rank}, count[] = {1, cells_of_each};
    SV_MUST(sv_put_vara(file, 0, here, count, SV_DOUBLE, values.data(), nullptr));
  }
  /// The file is still open.
  void abandon(int64_t committed) {
    highest_count = -1;
    require(sv_finalize(io) == SV_EORDER, path + ": sv_finalize does not tell that the file was open");
    require(highest_count <= committed, path + ": PnetCDF wrote a count of " + std::to_string(highest_count) + ", of " +
                                            std::to_string(committed) + " committed records");
  }
  void check(int64_t committed) const {
    MPI_Barrier(MPI_COMM_WORLD);
    at_root([&] {
      const NetcdfFile found(path);
      require(found.records() == committed, path + " has " + std::to_string(found.records()) + " records");
      for (int64_t record = 0; record < committed; ++record)
        require(found.values("a", {cells()}, record) ==
                    std::vector<double>(static_cast<size_t>(cells()), static_cast<double>(record)),
                path + ": the values of record " + std::to_string(record));
    });
  }
};

void create_and_abandon(Scene &s) {
  s.begin();
  s.file = make_file(s.io, s.path, SV_GROWING, {{"time", SV_UNLIMITED}, {"x", s.cells()}},
                     {{"a", SV_DOUBLE, {"time", "x"}}});
  for (int64_t record = 0; record < 2; ++record) {
    s.put(record);
    SV_MUST(sv_end_step(s.io));
  }
  s.put(2);
  s.abandon(2);
}

void append(Scene &s, int64_t record, bool abandoned) {
  s.begin();
  s.file = open_file(s.io, s.path, SV_WRITE);
  s.put(record);
  if (abandoned) return s.abandon(record);
  SV_MUST(sv_close(s.file));
  SV_MUST(sv_finalize(s.io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Scene s{"abandoned.nc"};
  create_and_abandon(s);
  s.check(2);
  append(s, 2, true);
  s.check(2);
  highest_count = -1;
  append(s, 2, false);
  require(s.rank != 0 || highest_count == 3, "PnetCDF's writing of its count was not seen");
  s.check(3);
  return MPI_Finalize();
}
