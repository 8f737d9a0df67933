// How fast each codec is on a model's values, and how small it makes them: shuffled chunks of one variable, as a store
// of compressed chunks sees them. One process, one thread; no MPI. codecs FILE VARIABLE [CELLS], a float variable of a
// netCDF file; CELLS of a chunk (97200: 270 x 360).
#include "codec/codec.hpp"

#include <netcdf.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "codec/shuffle.hpp"

namespace {

using Bytes = std::vector<std::byte>;

void check(int status, const char *call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string(call) + ": " + nc_strerror(status));
}

/// All values of the first record.
Bytes values_of(const char *path, const char *variable) {
  int file = 0, var = 0, dims = 0, ids[NC_MAX_VAR_DIMS];
  check(nc_open(path, NC_NOWRITE, &file), "nc_open");
  check(nc_inq_varid(file, variable, &var), "nc_inq_varid");
  check(nc_inq_varndims(file, var, &dims), "nc_inq_varndims");
  check(nc_inq_vardimid(file, var, ids), "nc_inq_vardimid");
  std::vector<size_t> start(static_cast<size_t>(dims), 0), count;
  size_t elements = 1;
  for (int d = 0; d < dims; ++d) {
    size_t length = 0;
    check(nc_inq_dimlen(file, ids[d], &length), "nc_inq_dimlen");
    count.push_back(dims > 3 && d == 0 ? 1 : length);
    elements *= count.back();
  }
  Bytes values(elements * sizeof(float));
  check(nc_get_vara_float(file, var, start.data(), count.data(), reinterpret_cast<float *>(values.data())),
        "nc_get_vara_float");
  check(nc_close(file), "nc_close");
  return values;
}

/// Megabytes a second, of the fastest of three times.
double speed(size_t bytes, const std::function<void()> &action) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    action();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return static_cast<double>(bytes) / best / 1e6;
}

void try_codec(sv::ByteCodec &codec, int level, const std::vector<Bytes> &chunks) {
  size_t bytes = 0, encoded = 0;
  for (const Bytes &chunk : chunks) bytes += chunk.size();
  std::vector<Bytes> bodies(chunks.size());
  Bytes room(codec.most_encoded(chunks.front().size())), back(chunks.front().size());
  const double out = speed(bytes, [&] {
    encoded = 0;
    for (size_t i = 0; i < chunks.size(); ++i) {
      const size_t length = codec.encode(chunks[i], room);
      bodies[i].assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(length));
      encoded += length;
    }
  });
  const double in = speed(bytes, [&] {
    for (size_t i = 0; i < chunks.size(); ++i) codec.decode(bodies[i], std::span(back).first(chunks[i].size()));
  });
  std::printf("%-12s %5d %12.0f %12.0f %10.3f\n", codec.name().c_str(), level, out, in,
              static_cast<double>(bytes) / static_cast<double>(encoded));
}

void run(const char *path, const char *variable, size_t cells) {
  const Bytes values = values_of(path, variable);
  const size_t chunk_bytes = cells * sizeof(float);
  std::vector<Bytes> chunks;
  for (size_t at = 0; at < values.size(); at += chunk_bytes)
    chunks.emplace_back(std::min(chunk_bytes, values.size() - at));
  const auto part = [&](size_t i) { return std::span(values).subspan(i * chunk_bytes, chunks[i].size()); };
  const double shuffled = speed(values.size(), [&] {
    for (size_t i = 0; i < chunks.size(); ++i) sv::shuffle_bytes(part(i), chunks[i], sizeof(float));
  });
  Bytes back(chunk_bytes);
  const double unshuffled = speed(values.size(), [&] {
    for (const Bytes &chunk : chunks) sv::unshuffle_bytes(chunk, std::span(back).first(chunk.size()), sizeof(float));
  });
  std::printf("%s of %s: %.0f MB in chunks of %zu cells\n\n", variable, path, static_cast<double>(values.size()) / 1e6,
              cells);
  std::printf("%-12s %5s %12s %12s %10s\n", "codec", "level", "out, MB/s", "in, MB/s", "ratio");
  std::printf("%-12s %5s %12.0f %12.0f %10s\n", "shuffle", "", shuffled, unshuffled, "");
  for (const std::string &name : sv::deflaters())
    for (const int level : {1, 2, 3, 4, 6})
      if (name != "isal" || level <= 3) try_codec(*sv::make_deflate(name, level), level, chunks);
  for (const int level : {1, 3})
    if (const auto zstd = sv::zstd_codec(level)) try_codec(*zstd, level, chunks);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: %s FILE VARIABLE [CELLS]\n", argv[0]), 2;
  try {
    run(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 97200);
  } catch (const std::exception &error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
  return 0;
}
