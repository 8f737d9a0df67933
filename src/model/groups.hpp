// The groups of a schema by their numbers: 0 is the outermost one, which no list has, and 1 the first of
// Schema::groups. The definitions of a file and its inquiry ask here. Local; values.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace sv {

/// "" for 0. Throws Error(not_found).
const std::string &group_name(const Schema &schema, int group);

/// Adds a group in the group `parent`, and returns its number. Throws Error(not_found), Error(define) for a name that
/// is none, or a format without groups, Error(exists).
int define_group(Schema &schema, int parent, const std::string &name);

/// In the group of this variable or dimension, another name.
std::string renamed_in_group(const std::string &known, const std::string &name);

}  // namespace sv
