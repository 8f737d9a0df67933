// Finds the record of a file that stands for a time, by the values of the file's time coordinate. A series of files
// asks when it reads or continues them. Values.
#pragma once

#include <cstdint>
#include <vector>

namespace sv {

/// Throws Error(format), which counts records from `first_record`, unless each time is later than the one before.
void check_increasing(const std::vector<double> &times, int first_record = 0);

/// The record (from 0) of `time`: of an equal one in `times`, or times.size() when it is later than all. Times are
/// equal that differ by no more than a millionth of the spacing of the records there; where there is one record alone,
/// and so no spacing, by no more than 1e-10 of their value, which a sum over a million steps may be wrong by. Throws
/// Error(invalid), which counts records from `first_record`, for a time before the first record or between two.
int64_t record_of(const std::vector<double> &times, double time, int first_record = 0);

}  // namespace sv
