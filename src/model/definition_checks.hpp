// The rules of every netCDF format for definitions; where formats differ, the rules of the schema's format
// (model/rules). The placing of variables checks a schema here before it becomes a file. Local; values.
#pragma once

#include "model/schema.hpp"

namespace sv {

/// Throws Error(define), with the name of the variable: for names that are not netCDF's or occur twice, lengths below
/// 1, dimensions that do not exist, attributes without their values, and breaches of the format's rules.
void check_definitions(const Schema &schema);

/// Throws Error(limit) if a variable of this format cannot have so many dimensions.
void check_dimension_count(Format format, int64_t dims);

}  // namespace sv
