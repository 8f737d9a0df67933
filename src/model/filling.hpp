// Cells of a variable that no rank has written. Values; local.
#pragma once

#include <string>

#include "model/schema.hpp"

namespace sv {

/// Whether they must be given the fill value. Strings need none: a cell without one reads as it.
inline bool is_filled(const Variable &variable) { return variable.type != Type::string && !variable.no_fill; }

/// Their string, in a variable of strings: the attribute _FillValue, or an empty one.
inline std::string fill_text(const Variable &variable) {
  const Attribute *const fill = find_attribute(variable.attributes, "_FillValue");
  return fill == nullptr ? "" : text_of(*fill).value_or("");
}

}  // namespace sv
