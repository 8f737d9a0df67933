// Streams from C++, with the files of small.f90: small.
#include <cstdio>
#include <cstdlib>
#include <sverdrup/streams.hpp>

namespace {

constexpr int64_t nx = 4, ny = 3;

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void run(int rank, int ranks) {
  sverdrup::Context io(MPI_COMM_WORLD);
  const sverdrup::Block rows = sverdrup::block(ny, ranks, rank);
  const sverdrup::Decomposition grid = io.def_decomp({ny, nx}, {rows.start, 0}, {rows.count, nx});
  const sverdrup::StreamAxis lon = {.name = "lon", .values = {30, 60, 90, 120}, .units = "degrees_east"};
  const sverdrup::StreamAxis lat = {.name = "lat", .length = ny};
  sverdrup::Streams streams(io, "streams.yaml");
  std::vector<double> area(static_cast<size_t>(nx * rows.count));
  for (size_t i = 0; i < area.size(); ++i) area[i] = static_cast<double>(rows.start * nx) + static_cast<double>(i);
  streams.def_static_field({.name = "area", .units = "m2", .axes = {lat, lon}}, area, &grid);
  streams.def_stream("model", "{file: model.nc, frequency: 1 day, operation: max, fields: [sst]}");
  const int sst = streams.def_field<float>(
      {.name = "sst", .units = "K", .fill_value = -1, .axes = {lat, lon}, .cell_measures = "area: area"}, &grid);
  const int heat = streams.def_field<double>({.name = "heat"});
  streams.begin({.calendar = "noleap", .date = {2001, 1, 1, 0, 0, 0}, .step_seconds = 3600});
  sverdrup::Date date{};
  for (int hour = 1; hour <= 48; ++hour) {
    date = {2001, 1, 1 + hour / 24, hour % 24, 0, 0};
    std::vector<float> block(static_cast<size_t>(nx * rows.count), static_cast<float>(hour));
    if (rows.start == 0 && !block.empty()) block[0] = -1;
    if (streams.wanted(sst, date)) streams.send(sst, date, block);
    require(!streams.wanted(heat, date), "a field that no stream has is wanted");
    io.end_step();
  }
  streams.save(date);
  try {
    streams.send(sst, {2001, 1, 3, 1, 0, 0}, std::vector<double>(nx * ny));
    require(false, "values of another type are accepted");
  } catch (const sverdrup::Error &error) {
    require(error.status() == sverdrup::Status::invalid, "the code for values of another type");
  }
  streams.close();
  io.finalize();
}

}  // namespace

int main(int argc, char **argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  run(rank, ranks);
  MPI_Finalize();
  return 0;
}
