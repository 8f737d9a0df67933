// The list of the fields that a model declares, as a YAML file. A run writes it where SV_STREAM_FIELDS names a file,
// and sv-streams reads it to plan other runs; people may write one by hand. Local.
#pragma once

#include <optional>

#include "field.hpp"

namespace sv::streams {

/// A list and the beginning of the run that wrote it.
struct FieldList {
  std::vector<Field> fields;  // whole, as if one rank had all cells
  std::string calendar = "standard";
  std::optional<Date> begin;
  int64_t step_seconds = 0;
};

std::string text_of(const FieldList &list);
/// `path` is for messages. Throws Failure with the line, the cause and a remedy.
FieldList parse_field_list(const std::string &text, const std::string &path);

/// Of "2001-01-31" or "2001-01-31 06:00:00" (with a T or a space). Empty for another text. Does not know the calendar.
std::optional<Date> date_in(const std::string &text);

}  // namespace sv::streams
