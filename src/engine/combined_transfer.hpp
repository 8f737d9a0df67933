// What all ranks asked for, moved: with one plan for all fields where we know the places of the file, otherwise field
// by field. Collective, all of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/request_table.hpp"

namespace sv {

/// `mine`: this rank's requests, by the places that the fields name. `call`: for comparison.
struct FieldsJob {
  File &file;
  const std::string &call;
  const AskedFields &fields;
  const std::vector<const Request *> &mine;
};

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
