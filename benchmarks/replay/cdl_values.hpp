// The values of an attribute in CDL.
#pragma once

#include <vector>

#include "cdl_tokens.hpp"
#include "workload/schema.hpp"

namespace sv_bench {

/// `values`: words, texts or letters; `type`: that which the text names, or 0: that of the literals, the widest of
/// them. Throws std::invalid_argument.
Attribute cdl_attribute(const std::string &name, int type, const std::vector<CdlToken> &values,
                        const std::string &origin);

}  // namespace sv_bench
