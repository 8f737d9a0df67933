// Selects the declared fields that a stream writes, and their names in its
// files.
#pragma once

#include <vector>

#include "configuration.hpp"
#include "field.hpp"

namespace sv::streams {

/// A field of a stream: `request` has the name in the file, without wildcards,
/// and the type there.
struct Selected {
  size_t field;  // its number
  FieldRequest request;
};

/// In the order of the configuration. A field that is named without wildcards
/// is not selected by wildcards, too; one without time is only selected by its name. Throws Failure(SV_ECONFIG) for a
/// name or a pattern that no field has, two fields of one name in the file, an operation that the values do not permit,
/// and operations that do not go together.
std::vector<Selected> select_fields(const StreamRequest &stream, const std::vector<Field> &fields);

}  // namespace sv::streams
