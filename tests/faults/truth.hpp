// The contents of the fault campaign's files: small (less so of its programs for large writes), and known to writers
// and checks.
#pragma once

#include <cstdint>

namespace svtest::faults {

#ifdef SV_LARGE
constexpr int64_t nz = 2, ny = 48, nx = 40;  // a slab has several pages, and is written in several pieces
#else
constexpr int64_t nz = 2, ny = 12, nx = 10;
#endif
constexpr int64_t old_records = 2;  // of a file that is redefined or goes on
constexpr int64_t steps = 3;        // that a case makes
constexpr int64_t day_steps = 2;    // of a series
constexpr double fill = -9;

/// Of a cell (counted in a slab) at a record.
inline double value_of(int64_t cell, int64_t record, int64_t shift) {
  return static_cast<double>((7 * cell + 1013 * record + shift) % 32749);
}
constexpr int64_t depth_shift = 13, temp_shift = 131, added_shift = 577;

}  // namespace svtest::faults
