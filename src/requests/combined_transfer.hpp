// What all ranks asked for, moved: with one plan for all fields where we know the places of the file, otherwise field
// by field. Collective, all of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "requests/fields_job.hpp"

namespace sv {

/// An error of any rank fails the file, and is thrown on every rank.
void write_fields(const FieldsJob &job);
/// An error of reading is thrown on every rank. Of values that do not fit: for each of this rank's requests its error,
/// and whether any rank has one.
struct ReadOutcome {
  std::vector<std::optional<Error>> errors;
  bool anywhere;
};
ReadOutcome read_fields(const FieldsJob &job);

}  // namespace sv
