// Compression as netCDF-4 does it with shuffle: the bytes of a number apart, then zlib.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

namespace sv_probe {

namespace {

constexpr size_t field_columns = 1024, cells = 512 * field_columns;
constexpr int deflate_level = 1;

/// A smooth field of single precision, its bytes shuffled.
std::vector<unsigned char> shuffled_field() {
  std::vector<unsigned char> bytes(4 * cells);
  for (size_t cell = 0; cell < cells; ++cell) {
    const auto x = static_cast<double>(cell % field_columns), y = static_cast<double>(cell / field_columns);
    const auto value = static_cast<float>(15 + 12 * std::cos(y / 160) + std::sin(x / 40) * std::cos(y / 25));
    unsigned char parts[4];
    std::memcpy(parts, &value, 4);
    for (size_t part = 0; part < 4; ++part) bytes[part * cells + cell] = parts[part];
  }
  return bytes;
}

}  // namespace

void measure_deflate(Bench &bench, Measured &measured) {
  const std::vector<unsigned char> field = shuffled_field();
  std::vector<unsigned char> packed(compressBound(field.size()));
  double ratio = 0;
  const Seconds seconds = bench.team.time({1}, [&](int /*place*/) {
    uLongf length = packed.size();
    if (compress2(packed.data(), &length, field.data(), field.size(), deflate_level) != Z_OK)
      throw std::runtime_error("zlib cannot compress");
    ratio = static_cast<double>(length) / static_cast<double>(field.size());
  });
  MPI_Bcast(&ratio, 1, MPI_DOUBLE, 0, bench.team.comm());
  measured.deflate_rate.push_back(static_cast<double>(field.size()) / seconds.longest);
  measured.deflate_ratio.push_back(ratio);
}

}  // namespace sv_probe
