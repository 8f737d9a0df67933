// Text as JSON, for notes.
#pragma once

#include <string>
#include <string_view>

namespace sv::profile {

/// With its quotation marks.
std::string json_string(std::string_view text);

}  // namespace sv::profile
