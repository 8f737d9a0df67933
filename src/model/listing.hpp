// Definitions in words, a line for each, which sv_enddef compares between ranks. Values.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/schema.hpp"

namespace sv {

/// `axes`: the declarations of sv_def_var_decomp_dim, by variable.
std::string listing_of(const Schema &schema, const std::map<int, int> &axes);
/// A number that stands for this text, within one run. The text is not made.
uint64_t run_local_hash(const Schema &schema, const std::map<int, int> &axes);

/// The first line in which two texts differ, in words; "" when they are equal. `one` and `other` say whose they are.
std::string difference_of(const std::string &text_of_one, const std::string &text_of_other, const std::string &one,
                          const std::string &other);

}  // namespace sv
