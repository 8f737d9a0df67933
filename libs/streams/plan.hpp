// The plan of a run: the files of its streams, with records and sizes, and the memory that they take. It is made by the
// rules of the run itself, without MPI, and refuses what the run would refuse. sv-streams prints it. Local.
#pragma once

#include "configuration.hpp"
#include "field_list.hpp"

namespace sv::streams {

struct PlannedVariable {
  std::string name, field, operation, type;           // without time, the operation is empty
  std::vector<std::pair<std::string, int64_t>> dims;  // names and lengths, without time
  int64_t bytes;                                      // of a record, or without time of a file; before compression
  int64_t memory_bytes;                               // of the accumulators of all ranks together, without halos
};

struct PlannedFile {
  std::string name;
  int64_t records;
  Time begin, end;               // of its periods
  int64_t part;                  // of the run, in which its first record is
  int64_t first_part, end_part;  // in which its first period begins, and before which the last one ends
  std::vector<int64_t> steps{};  // after which its records come, from 1; empty: the steps vary
};

struct PlannedStream {
  std::string name, place, frequency;
  int64_t record_bytes, memory_bytes;
  int64_t fixed_bytes;  // of fields without time, in each file
  std::vector<PlannedVariable> variables;
  std::vector<PlannedFile> files;
  std::vector<int64_t> calendar;  // the records of equal parts of the run
};

/// The run that is planned. Times are of `calendar`.
struct PlannedRun {
  const Calendar *calendar;
  Time begin, end;
  int64_t step_seconds;
  int parts;  // of the run, for PlannedStream::calendar
};

/// `fields` are borrowed for the call. Throws Failure.
std::vector<PlannedStream> plan_streams(const Configuration &configuration, std::vector<Field> &fields,
                                        const PlannedRun &run);

}  // namespace sv::streams
