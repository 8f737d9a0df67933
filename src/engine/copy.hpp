// From file to file without the model: whoever owns a range of the target reads it from the source.
#pragma once

#include "file/file.hpp"

namespace sv {

/// One record of a variable, or a variable without records.
struct SlabName {
  File &file;
  int variable;
  int64_t record;  // -1 without records
};

/// Collective. Both have the same type and shape (records aside), and are of one context. Bounded memory; no messages.
void copy(const SlabName &from, const SlabName &to);

}  // namespace sv
